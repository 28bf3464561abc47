"""Every notebook in a real JupyterLab: run as a person runs it, and its demos moved by keyboard."""

import os

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
    "Connection lost, reconnecting",
    "Comm not found",
    "favicon",
)


@pytest.fixture(scope="module")
def address():
    with lab.server() as started:
        yield started


@pytest.fixture(scope="module")
def chromium():
    with lab.browser() as page:
        yield page


@pytest.fixture
def page(chromium):
    """A page that fails the test where its console shows an error."""
    said = []

    def hear(message):
        if message.type == "error" and not any(harmless in message.text for harmless in HARMLESS):
            said.append(message.text)

    chromium.on("console", hear)
    yield chromium
    chromium.remove_listener("console", hear)
    assert not said


@pytest.mark.parametrize("name", NAMES)
def test_runs_and_every_slider_moves_its_picture(page, address, name):
    lab.open_notebook(page, *address, f"notebooks/{name}.ipynb")
    assert lab.run_all(page) == []
    demos = lab.demos(page)
    tagged = page.evaluate("""() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
        .filter(cell => (cell.sharedModel.metadata.tags || []).includes('live')).length""")
    assert len(demos) == tagged > 0
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
        assert demo.error.count() == 0


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


def test_running_a_cell_again_leaves_one_demo(page, address):
    lab.open_notebook(page, *address, "notebooks/00_start_here.ipynb")
    assert lab.run_all(page) == []
    count = len(lab.demos(page))
    lab.run_cell_again(page, lab.demos(page)[0])
    demo = lab.demos(page)[0]
    before = demo.pixels()
    demo.sliders.first.press("ArrowRight")
    demo.changed(before)
    assert len(lab.demos(page)) == count
    assert demo.image.count() == demo.sentence.count() == 1


def test_opened_without_running_it_shows_pictures_and_sentences(page, address):
    lab.open_notebook(page, *address, "notebooks/00_start_here.ipynb")
    outputs = page.locator(".jp-OutputArea-output img")
    assert outputs.count() >= 2
    assert page.locator(".jp-RenderedHTML p", has_text="Live in JupyterLab").count() >= 2
    assert page.get_by_text("model not found").count() == 0
