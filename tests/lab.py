"""A real JupyterLab in a headless Chromium, for the browser tests.

State is read from JupyterLab's own model (``expose_app_in_browser``), never guessed from pixels or waited for
with fixed sleeps. Each server has folders of its own for settings and workspaces, so that nothing on the
machine can change what the tests see.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # Cells that are out of sight must be in the page too.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
START_SECONDS = 60


def chromium() -> str | None:
    """Return the browser of this machine, if it has one."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextlib.contextmanager
def server(root: Path = ROOT, settings: dict | None = None):
    """Start JupyterLab on `root`; yield its address and token."""
    with tempfile.TemporaryDirectory(prefix="svt-lab-") as folder, socket.socket() as probe:
        home = Path(folder)
        (home / "settings").mkdir()
        (home / "settings" / "overrides.json").write_text(
            json.dumps(SETTINGS | (settings or {})), encoding="utf-8"
        )
        probe.bind(("127.0.0.1", 0))
        port, token = probe.getsockname()[1], secrets.token_hex(16)
        probe.close()
        folders = {
            name: str(home / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "IPYTHONDIR",
                "JUPYTERLAB_SETTINGS_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
            )
        }
        command = [
            *(sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1"),
            *(f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
            *(f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True"),
            *(f"--LabApp.app_settings_dir={home / 'settings'}", "--LabApp.news_url="),
        ]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | folders)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(process, f"{address}/api/status?token={token}", home / "log")
            yield address, token
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_up(process, url: str, log: Path):
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=2).read()
            return
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")


@contextlib.contextmanager
def browser(width: int = 1280, height: int = 900):
    """Open Chromium; yield a page."""
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), headless=True, args=CHROMIUM_FLAGS)
        yield chrome.new_context(viewport={"width": width, "height": height}).new_page()
        chrome.close()


READY = """() => {
  const widget = window.jupyterapp && window.jupyterapp.shell.currentWidget;
  const session = widget && widget.context && widget.context.isReady && widget.sessionContext.session;
  return !!(session && session.kernel && session.kernel.status === 'idle');
}"""

IDLE = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"""

# Done is: the kernel idle, and every cell either run or behind an error (Run All stops at one).
DONE = """() => {
  const widget = window.jupyterapp.shell.currentWidget;
  if (widget.sessionContext.session.kernel.status !== 'idle') return false;
  const cells = [...widget.content.model.cells].filter(cell => cell.type === 'code');
  const failed = cell => cell.outputs.toJSON().some(output => output.output_type === 'error');
  return cells.some(cell => cell.executionCount !== null && failed(cell))
         || cells.every(cell => cell.executionCount !== null || !cell.sharedModel.source.trim());
}"""

ERRORS = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
  .filter(cell => cell.type === 'code')
  .flatMap(cell => cell.outputs.toJSON().filter(output => output.output_type === 'error'))
  .map(output => output.ename + ': ' + output.evalue)"""


def open_notebook(page: Page, address: str, token: str, path: str):
    """Open a notebook of the server and wait until its kernel is idle."""
    page.goto(f"{address}/doc/tree/{path}?token={token}&reset", wait_until="domcontentloaded")
    page.wait_for_function(READY, timeout=60_000)


def run_all(page: Page) -> list[str]:
    """Restart the kernel and run all cells, as a person would; return the errors that cells show."""
    page.evaluate("""async () => {
        await window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs');
        await window.jupyterapp.shell.currentWidget.sessionContext.restartKernel();
    }""")
    page.wait_for_function(READY, timeout=60_000)
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.wait_for_function(DONE, timeout=120_000)
    return page.evaluate(ERRORS)


# An image's pixels, read in one step: a widget's image has a new address whenever it is drawn.
PIXELS = """image => {
  if (!image.complete || !image.naturalWidth) return null;
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL();
}"""


class LiveDemo:
    """The n-th live demo of the page that is open."""

    def __init__(self, page: Page, cell):
        self.page, self.cell = page, cell
        self.image = cell.locator("img.widget-image")
        self.sentence = cell.locator(".svt-line [role=status]")
        self.error = cell.locator(".svt-error")
        self.sliders = cell.locator(".widget-slider .noUi-handle")
        self.choices = cell.locator(".widget-dropdown select")
        self.boxes = cell.locator(".widget-checkbox input")
        self.buttons = cell.locator(".widget-vbox button.jupyter-button")

    def pixels(self) -> str:
        """Return the picture, once there is one."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            found = self.image.evaluate(PIXELS)
            if found:
                return found
            self.page.wait_for_timeout(20)
        raise TimeoutError("no picture")

    def changed(self, before: str, seconds: float = 10) -> str:
        """Wait until the picture differs from `before`; return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            now = self.pixels()
            if now != before:
                return now
            self.page.wait_for_timeout(20)
        raise TimeoutError("the picture did not change")

    def becomes(self, wanted: str, seconds: float = 10):
        """Wait until the picture is `wanted`, pixel by pixel."""
        end = time.monotonic() + seconds
        while self.pixels() != wanted:
            if time.monotonic() > end:
                raise TimeoutError(f"the picture did not come back, but shows: {self.sentence.inner_text()}")
            self.page.wait_for_timeout(20)

    def is_healthy(self):
        """Fail where the demo shows an error, or not one picture and one sentence."""
        assert self.error.count() == 0, self.error.first.inner_text()
        assert self.image.count() == self.sentence.count() == 1

    def names_its_picture_by_its_sentence(self):
        """Wait until picture and sentence agree: they reach the page one after the other."""
        expect(self.sentence).not_to_be_empty()
        end = time.monotonic() + 10
        while self.image.get_attribute("title") != self.sentence.inner_text():
            if time.monotonic() > end:
                raise TimeoutError(f"the picture is not named {self.sentence.inner_text()!r}")
            self.page.wait_for_timeout(20)


def demos(page: Page) -> list[LiveDemo]:
    """Return the live demos of the open notebook, in order."""
    cells = page.locator(".jp-CodeCell", has=page.locator("img.widget-image"))
    return [LiveDemo(page, cells.nth(i)) for i in range(cells.count())]


def trust(page: Page):
    """Trust the open notebook, as *Trust Notebook* does, so that JupyterLab prefers what may run code."""
    page.evaluate("""() => {
        for (const cell of window.jupyterapp.shell.currentWidget.content.model.cells) cell.trusted = true;
    }""")


def accessible(page: Page) -> list[tuple[str, str, dict]]:
    """Return role, name and properties of all that Chromium tells a screen reader of the live demos."""
    session = page.context.new_cdp_session(page)
    outputs = "[...document.querySelectorAll('.jp-Cell-outputWrapper:has(.svt-demo)')]"
    count = page.evaluate(f"{outputs}.length")
    nodes = []
    for i in range(count):
        found = session.send("Runtime.evaluate", {"expression": f"{outputs}[{i}]"})["result"]["objectId"]
        nodes += session.send("Accessibility.queryAXTree", {"objectId": found})["nodes"]
    session.detach()
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])},
        )
        for node in nodes
        if not node["ignored"]
    ]


def run_cell_again(page: Page, demo: LiveDemo):
    """Run the cell of a demo once more, and wait until its new picture is there."""
    before = demo.image.get_attribute("src")
    demo.cell.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "([cell, before]) => { const image = cell.querySelector('img.widget-image');"
        " return image && image.src !== before; }",
        arg=[demo.cell.element_handle(), before],
    )
    page.wait_for_function(DONE)
