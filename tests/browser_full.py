"""Every control of every live demo, through both ends and the middle, watched frame by frame.

Not part of ``make test``: it takes minutes. ``make test-browser-full`` runs it.
"""

import base64
import io

import lab
import numpy as np
import pytest
from matplotlib.image import imread
from test_browser import NAMES, address, chromium, page  # noqa: F401

# In each frame: where the page is scrolled to, where the picture is, and how large it is.
WATCH = """image => {
  const scroller = image.closest('.jp-WindowedPanel-outer');
  const places = window.svtPlaces = new Set();
  const look = () => {
    if (window.svtPlaces !== places) return;
    const {left, top, width, height} = image.getBoundingClientRect();
    places.add([scroller.scrollTop, left, top, width, height].map(Math.round).join(' '));
    requestAnimationFrame(look);
  };
  look();
}"""
PLACES = "() => { const places = [...window.svtPlaces]; window.svtPlaces = null; return places; }"


class Film:
    """What Chromium paints, frame by frame, a quarter as large: what an image says of itself is not that."""

    def __init__(self, page):  # noqa: F811
        self.frames = []
        self._session = page.context.new_cdp_session(page)
        self._session.on("Page.screencastFrame", self._take)
        size = page.viewport_size
        self._session.send(
            "Page.startScreencast",
            {"format": "png", "maxWidth": size["width"] // 4, "maxHeight": size["height"] // 4},
        )

    def _take(self, frame):
        self.frames.append(frame["data"])
        self._session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def blank(self, box: dict) -> int:
        """Stop; return in how many frames there is nothing to be seen in this place."""
        self._session.send("Page.stopScreencast")
        self._session.detach()
        count = 0
        left, top, width, height = (round(box[side] / 4) for side in ("x", "y", "width", "height"))
        for frame in self.frames:
            pixels = imread(io.BytesIO(base64.b64decode(frame)))
            count += np.ptp(pixels[top + 2 : top + height - 2, left + 2 : left + width - 2]) < 0.1
        return count


def settled(page, demo):  # noqa: F811
    """Wait until the kernel has answered, and its picture and sentence are on the page."""
    page.wait_for_function(lab.IDLE)
    demo.names_its_picture_by_its_sentence()
    demo.is_healthy()


def through_both_ends_and_the_middle(demo):
    """Move each control of a demo, one after the other; yield after each move."""
    for index in range(demo.sliders.count()):
        slider = demo.sliders.nth(index)
        for key in ("Home", "PageUp", "PageUp", "End", "PageDown", "PageDown"):
            slider.press(key)
            yield
    for index in range(demo.choices.count()):
        choice = demo.choices.nth(index)
        for option in range(choice.locator("option").count()):
            choice.select_option(index=option)
            yield
    for locator in (demo.boxes, demo.buttons):
        for index in range(locator.count()):
            for _ in range(2):
                locator.nth(index).press("Space")
                yield


@pytest.mark.parametrize("name", NAMES)
def test_every_control_through_both_ends_and_the_middle(page, address, name):  # noqa: F811
    lab.open_notebook(page, *address, f"notebooks/{name}.ipynb")
    assert lab.run_all(page) == []
    for demo in lab.demos(page):
        demo.image.scroll_into_view_if_needed()
        first = demo.cell.locator(".noUi-handle, select, input, button.jupyter-button").first
        first.focus()
        page.evaluate(WATCH, demo.image.element_handle())
        film = Film(page)
        for _ in through_both_ends_and_the_middle(demo):
            settled(page, demo)
        places = page.evaluate(PLACES)
        assert len(places) == 1, places
        assert film.blank(demo.image.bounding_box()) == 0
        assert film.frames
