"""From a key press to changed pixels: every live demo of the course, in a real JupyterLab.

And before that, how long *Restart Kernel and Run All Cells* takes in each notebook.

Beside them the bars of the first demo redrawn the usual way, with ``interactive_output`` and inline figures,
in the same run: on a busy machine only the ratio of two times of one run means something.
"""

import statistics
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import lab  # noqa: E402

PRESSES = 40
GOAL_MEDIAN, GOAL_P95 = 45, 90

USUAL_WAY = """
    import ipywidgets as widgets
    import matplotlib.pyplot as plt
    from svt_lib.plots import twelve_queries

    def bars(threshold):
        fig, ax = plt.subplots(figsize=(8, 3.6))
        twelve_queries(ax, threshold=threshold)
        plt.show()

    slider = widgets.IntSlider(40, 10, 90)
    output = widgets.interactive_output(bars, {"threshold": slider})
    widgets.VBox([slider, output])
"""

# Press a key, then look at the picture in each frame until its pixels have changed. All of it happens in the
# page, so that no message between the test and the browser is part of what is measured.
PRESS = """([cell, selector, key]) => new Promise((resolve, reject) => {
  const pixels = () => {
    const image = cell.querySelector(selector);
    if (!image || !image.complete || !image.naturalWidth) return null;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL();
  };
  const before = pixels(), image = cell.querySelector(selector);
  let address = image.src;
  const start = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const look = () => {
    const now = performance.now(), image = cell.querySelector(selector);
    if (now - start > 5000) return reject(new Error('the picture did not change'));
    if (image && image.complete && image.src !== address) {
      const found = pixels();
      if (found && found !== before) return resolve(now - start);
      if (found) address = image.src;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


def milliseconds(page, cell, selector: str) -> list[float]:
    """Press the first slider of a cell to and fro; return how long each new picture took."""
    handle = cell.locator(".noUi-handle").first
    handle.focus()
    back = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
    times = []
    for press in range(PRESSES):
        key = "ArrowLeft" if (press % 2 == 0) == back else "ArrowRight"
        times.append(page.evaluate(PRESS, [cell.element_handle(), selector, key]))
        page.wait_for_function(lab.IDLE)
    return times


def summary(times: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def usual_way(page) -> tuple[float, float]:
    """Measure the baseline in a notebook of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = textwrap.dedent(USUAL_WAY).strip()
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)], metadata=kernel)
        nbformat.write(notebook, Path(folder) / "usual.ipynb")
        with lab.server(Path(folder)) as address:
            lab.open_notebook(page, *address, "usual.ipynb")
            assert lab.run_all(page) == []
            cell = page.locator(".jp-CodeCell", has=page.locator(".noUi-handle"))
            cell.locator(".jp-RenderedImage img").wait_for()
            return summary(milliseconds(page, cell, ".jp-RenderedImage img"))


def show(name: str, times: tuple[float, float], usual: tuple[float, float]):
    """Print one line, with a star where the goal is missed."""
    slow = times[0] > GOAL_MEDIAN or times[1] > GOAL_P95
    line = f"{name:<42} {times[0]:>10.0f} {times[1]:>10.0f} {times[0] / usual[0]:>18.2f}"
    print(line + "  *" * slow, flush=True)


def main(names: list[str] | None = None):
    """Print one line for each notebook and for each live demo with a slider, in all notebooks or in these."""
    print(f"{'key press to changed pixels':<42} {'median ms':>10} {'p95 ms':>10} {'of the usual way':>18}")
    with lab.browser() as page:
        usual = usual_way(page)
        show("twelve queries, the usual way", usual, usual)
        with lab.server() as address:
            for name in names or sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")):
                lab.open_notebook(page, *address, f"notebooks/{name}.ipynb")
                start = time.perf_counter()
                assert lab.run_all(page) == []
                print(f"{name}, restart and run all: {time.perf_counter() - start:.1f} s", flush=True)
                for number, demo in enumerate(lab.demos(page), 1):
                    if demo.sliders.count():
                        times = summary(milliseconds(page, demo.cell, "img.widget-image"))
                        show(f"{name}, demo {number}", times, usual)
    print(f"* more than {GOAL_MEDIAN} ms in the median or {GOAL_P95} ms at the 95th percentile")
