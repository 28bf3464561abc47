"""Photograph the live demos of notebooks in a real JupyterLab, the way different people see them.

``python scripts/screenshots.py FOLDER [NAME ...] [--looks LOOK ...]`` runs each notebook and writes one PNG
for each demo and look, with the focus on the demo's first control.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import lab  # noqa: E402

#: Each look: JupyterLab's theme, width and height of the window, zoom, and a filter over the page.
LOOKS = {
    "light": ("JupyterLab Light", (1280, 900), 1, ""),
    "dark": ("JupyterLab Dark", (1280, 900), 1, ""),
    "contrast": ("JupyterLab Dark High Contrast", (1280, 900), 1, ""),
    "zoom": ("JupyterLab Light", (1280, 900), 2, ""),
    "narrow": ("JupyterLab Light", (1024, 768), 1, ""),
    "grey": ("JupyterLab Light", (1280, 900), 1, "grayscale(1)"),
}


def put_on(page, look: str):
    """Show the page that is open in this look."""
    theme, (width, height), zoom, colours = LOOKS[look]
    # A page at 200 % is laid out in half the pixels; each of them is then shown twice as large.
    page.set_viewport_size({"width": width // zoom, "height": height // zoom})
    page.evaluate(
        """async ([theme, colours]) => {
            await window.jupyterapp.commands.execute('apputils:change-theme', {theme});
            document.documentElement.style.filter = colours;
        }""",
        [theme, colours],
    )
    page.wait_for_function(
        "theme => document.body.dataset.jpThemeName === theme"
        " && !document.querySelector('.jp-mod-theme-loading')",
        arg=theme,
    )


def photograph(page, name: str, look: str, folder: Path):
    """Write one PNG for each demo of the notebook that is open."""
    put_on(page, look)
    for number, demo in enumerate(lab.demos(page), 1):
        controls = demo.cell.locator(".noUi-handle, select, input, button.jupyter-button")
        controls.first.focus()
        page.keyboard.press("Shift")  # a key, so that the browser shows where the focus is
        demo.sentence.scroll_into_view_if_needed()
        demo.pixels()
        path = folder / f"{name[:2]}-{number}-{look}.png"
        demo.cell.locator(".jp-Cell-outputWrapper").screenshot(path=path)


def main():
    """Run the notebooks and photograph them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--looks", nargs="+", default=list(LOOKS), choices=list(LOOKS), metavar="LOOK")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    names = arguments.names or sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    with lab.browser() as page, lab.server() as address:
        for name in names:
            lab.open_notebook(page, *address, f"notebooks/{name}.ipynb")
            if errors := lab.run_all(page):
                sys.exit(f"{name}: {errors[0]}")
            for look in arguments.looks:
                photograph(page, name, look, arguments.folder)
            print(name, flush=True)


if __name__ == "__main__":
    main()
