"""Every notebook in a real JupyterLab: run as a person runs it, and its demos moved by keyboard."""

import os
import textwrap

import nbformat
import pytest
from conftest import ROOT

try:
    import lab
    from playwright.sync_api import expect

    missing = None if lab.chromium() else "there is no Chromium on this machine"
except ModuleNotFoundError as error:
    missing = f"{error.name} is not installed"
if missing and os.environ.get("SVT_REQUIRE_BROWSER"):
    raise RuntimeError(f"SVT_REQUIRE_BROWSER is set, but {missing}")
if missing:
    pytest.skip(missing, allow_module_level=True)

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
#: What a healthy page says on its console when a kernel restarts: what was under way then finds nobody there.
HARMLESS = (
    "Could not restore the debugger state",
    "Canceled future for create_subshell_request",
    "Connection lost, reconnecting",
    "Comm not found",
    "favicon",
)


@pytest.fixture(scope="module")
def address():
    with lab.server() as started:
        yield started


#: Demos that count how often they are drawn, one that fails, and one that says its exact number. Made in a
#: folder of its own.
MADE = (
    """
    from collections import Counter
    from svt_lib.live import Press, live

    draws = Counter()

    def counted(ax, *, presses=1, name="first"):
        draws[name] += 1
        ax.bar([name], [presses])
        return f"{name}: {presses} presses, drawn {draws[name]} times."

    def failing(ax, *, size=2):
        ax.set(xlim=(0, 6), ylim=(0, 1))
        ax.bar([size], [1])
        if size >= 3:
            raise ValueError("too <large>")
        return f"Size {size}."

    def exact(ax, *, epsilon=1.0):
        draws["exact"] += 1
        return f"{epsilon!r}, drawn {draws['exact']} times."
    """,
    'live(counted, name="first", presses=Press("First"))',
    'live(counted, name="second", presses=Press("Second"))',
    "live(failing, size=(1, 5))",
    "live(exact, epsilon=(0.05, 4.0, 0.05))",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the address of a server whose folder holds the notebook of `MADE`."""
    folder = tmp_path_factory.mktemp("made")
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(source).strip()) for source in MADE]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "made.ipynb")
    with lab.server(folder) as started:
        yield started


@pytest.fixture(scope="module")
def chromium():
    with lab.browser() as page:
        yield page


@pytest.fixture
def page(chromium):
    """A page that fails the test where its console shows an error."""
    said = []

    def note(text):
        if not any(harmless in text for harmless in HARMLESS):
            said.append(text)

    def hear(message):
        if message.type == "error":
            note(message.text)

    def catch(error):
        note(str(error))

    chromium.on("console", hear)
    chromium.on("pageerror", catch)
    yield chromium
    chromium.remove_listener("console", hear)
    chromium.remove_listener("pageerror", catch)
    assert not said


@pytest.mark.parametrize("name", NAMES)
def test_runs_and_every_slider_moves_its_picture(page, address, name):
    lab.open_notebook(page, *address, f"notebooks/{name}.ipynb")
    tagged = live_cells(page)
    shows_its_demos_without_running(page, tagged)
    assert lab.run_all(page) == []
    demos = lab.demos(page)
    assert len(demos) == len(tagged) > 0
    for demo in demos:
        first = demo.pixels()
        for index in range(demo.sliders.count()):
            before, slider = demo.pixels(), demo.sliders.nth(index)
            slider.focus()
            key = (
                "ArrowLeft"
                if slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
                else "ArrowRight"
            )
            slider.press(key)
            demo.changed(before)
            slider.press("ArrowLeft" if key == "ArrowRight" else "ArrowRight")
            demo.becomes(first)
        demo.names_its_picture_by_its_sentence()
        demo.is_healthy()
    a_screen_reader_finds_names(page, demos)


def live_cells(page) -> list[int]:
    """Return the places of the cells that are tagged as live, among all cells."""
    return page.evaluate("""() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
        .flatMap((cell, i) => (cell.sharedModel.metadata.tags || []).includes('live') ? [i] : [])""")


def shows_its_demos_without_running(page, tagged):
    """Nobody has run it yet: each demo's picture and sentence are there, untrusted and trusted."""
    for trusted in (False, True):
        if trusted:
            lab.trust(page)
        for place in tagged:
            cell = page.locator(".jp-Notebook-cell").nth(place)
            picture = cell.locator(".jp-RenderedImage img")
            expect(picture).to_have_count(1)
            assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
            expect(cell.locator("p.svt-sentence")).to_contain_text("Live in JupyterLab")
        assert page.get_by_text("model not found").count() == 0


def a_screen_reader_finds_names(page, demos):
    """Every control has the name that stands before it, and every picture says what it shows."""
    told = lab.accessible(page)

    def names(role):
        return sorted(name for kind, name, _ in told if kind == role)

    sliders = sorted(page.locator(".widget-slider .widget-label").all_inner_texts())
    assert names("slider") == sliders
    # The attribute itself: Chromium 156.0.8078.114 tells its debugger of an empty text for every slider.
    handles = page.locator(".widget-slider .noUi-handle")
    read_out = handles.evaluate_all("all => all.map(handle => handle.getAttribute('aria-valuetext'))")
    assert read_out == page.locator(".widget-slider .widget-readout").all_inner_texts()
    assert names("textbox") == [f"{label}, as a number" for label in sliders]
    assert names("combobox") == sorted(page.locator(".widget-dropdown .widget-label").all_inner_texts())
    assert all(names("checkbox") + names("button"))
    assert names("image") == sorted(demo.sentence.inner_text() for demo in demos)
    assert [more["live"] for role, _, more in told if role == "status"] == ["polite"] * len(demos)


def test_run_again_draws_new_noise_and_adds_to_the_bill(page, address):
    lab.open_notebook(page, *address, "notebooks/00_start_here.ipynb")
    assert lab.run_all(page) == []
    demo = lab.demos(page)[0]
    expect(demo.sentence).to_contain_text("ε = 1.0.")
    for presses in (2, 3):
        before = demo.pixels()
        demo.buttons.first.press("Enter")
        demo.changed(before)
        expect(demo.sentence).to_contain_text(f"each at ε = 1.0, cost {presses}.0 together.")


@pytest.fixture
def two_demos(page, made):
    """The notebook of `MADE`, run: its page, and the demos that count."""
    lab.open_notebook(page, *made, "made.ipynb")
    assert lab.run_all(page) == []
    first, second, *_ = lab.demos(page)
    expect(first.sentence).to_have_text("first: 1 presses, drawn 1 times.")
    expect(second.sentence).to_have_text("second: 1 presses, drawn 1 times.")
    return page, first, second


def test_two_demos_on_a_page_leave_each_other_alone(two_demos):
    _, first, second = two_demos
    first.buttons.first.press("Enter")
    expect(first.sentence).to_have_text("first: 2 presses, drawn 2 times.")
    second.buttons.first.press("Enter")
    expect(second.sentence).to_have_text("second: 2 presses, drawn 2 times.")
    expect(first.sentence).to_have_text("first: 2 presses, drawn 2 times.")


def test_a_new_sentence_comes_into_the_same_live_region(two_demos):
    page, first, _ = two_demos
    region = first.sentence.element_handle()
    first.buttons.first.press("Enter")
    expect(first.sentence).to_have_text("first: 2 presses, drawn 2 times.")
    assert region.evaluate("(region, now) => region === now", first.sentence.element_handle())
    assert ("status", "polite") in [(role, more.get("live")) for role, _, more in lab.accessible(page)]


def test_running_a_cell_or_all_again_leaves_one_demo_and_one_update(two_demos):
    page, first, second = two_demos
    lab.run_cell_again(page, first)
    expect(first.sentence).to_have_text("first: 1 presses, drawn 2 times.")
    first.buttons.first.press("Enter")
    expect(first.sentence).to_have_text("first: 2 presses, drawn 3 times.")
    assert lab.run_all(page) == []
    second.buttons.first.press("Enter")
    expect(second.sentence).to_have_text("second: 2 presses, drawn 2 times.")
    expect(first.sentence).to_have_text("first: 1 presses, drawn 1 times.")
    for demo in (first, second):
        demo.is_healthy()


def test_a_second_view_shows_the_same_demo_and_one_press_counts_once(two_demos):
    page, _, _ = two_demos
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:clone')")
    lines = page.locator(".svt-line [role=status]", has_text="first:")
    expect(lines).to_have_count(2)
    page.get_by_role("button", name="First").first.press("Enter")
    expect(lines).to_have_text(["first: 2 presses, drawn 2 times."] * 2)
    page.get_by_role("button", name="First").last.press("Enter")
    expect(lines).to_have_text(["first: 3 presses, drawn 3 times."] * 2)


def test_a_slider_has_no_dust(page, made):
    """The page sends 0.9999999999999999 for 1.0 as soon as it has the slider, then 1.0499999999999998."""
    lab.open_notebook(page, *made, "made.ipynb")
    assert lab.run_all(page) == []
    demo = lab.demos(page)[3]
    for key, told in (("ArrowRight", "1.05, drawn 2 times."), ("ArrowLeft", "1.0, drawn 3 times.")):
        demo.sliders.first.press(key)
        expect(demo.sentence).to_have_text(told)
        expect(demo.sliders.first).to_have_attribute("aria-valuetext", f"{float(told.split(',')[0]):.2f}")


def test_an_error_in_a_redraw_is_on_the_page_and_fails_a_test(page, made):
    lab.open_notebook(page, *made, "made.ipynb")
    assert lab.run_all(page) == []
    demo = lab.demos(page)[2]
    slider = demo.sliders.first
    slider.press("ArrowRight")
    expect(demo.error).to_have_text("Error: ValueError: too <large>")
    assert "Error: ValueError: too <large>" in [name for role, name, _ in lab.accessible(page)]
    with pytest.raises(AssertionError, match="too <large>"):
        demo.is_healthy()
    slider.press("ArrowLeft")
    expect(demo.sentence).to_have_text("Size 2.")
    demo.is_healthy()
