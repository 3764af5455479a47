"""A real JupyterLab in headless Chromium, to be driven by tests.

`LabServer` is one server process with its own settings, `Browser` one Chromium, `NotebookPage` one open notebook. All
live in a temporary folder and end with their `with` block.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import nbformat
from playwright.sync_api import BrowserContext, Locator, Page, Playwright, sync_playwright

CHROMIUM = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), "")
PATIENCE_SECONDS = 120.0  # a loaded machine takes half a minute to open a notebook
_PAUSE_MS = 250  # to look asks the page and the server, which costs what they live on
_LOST = "Error displaying widget: model not found"

_CHROMIUM_OPTIONS = [
    "--no-sandbox",  # root needs it; the only pages are our own, from loopback
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_SETTINGS: dict[str, dict[str, Any]] = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    # Without windowing every cell is in the page, also those off screen.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none", "autoStartDefaultKernel": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}


class LabServer:
    """One JupyterLab server on loopback that serves `root`."""

    def __init__(self, root: Path, *, environ: Mapping[str, str] | None = None) -> None:
        self.root = root
        self.token = secrets.token_hex(16)
        self._home = Path(tempfile.mkdtemp(prefix="lab-"))
        self._environ = {**os.environ, **self._folders(), **(environ or {})}
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"

    def __enter__(self) -> Self:
        for plugin, value in _SETTINGS.items():
            package, name = plugin.rsplit(":", 1)
            file = self._home / "settings" / package / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(value))
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command(), stdout=log, stderr=subprocess.STDOUT, env=self._environ)
        try:
            wait_for(self._answers, "the JupyterLab server to answer")
        except TimeoutError as error:
            self.__exit__(None, None, None)
            raise RuntimeError("JupyterLab did not start") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            # The server ends its kernels when it is told to stop.
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._home, ignore_errors=True)

    def api(self, path: str, method: str = "GET") -> Any:
        """What the server's REST interface answers."""
        request = urllib.request.Request(
            f"{self.url}/api/{path}", method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")

    def end_kernels(self) -> None:
        """End every session, so that kernels of one test do not slow the next."""
        for session in self.api("sessions"):
            self.api(f"sessions/{session['id']}", "DELETE")

    @property
    def _log(self) -> Path:
        return self._home / "server.log"

    def _folders(self) -> dict[str, str]:
        names = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }
        folders = {name: str(self._home / folder) for name, folder in names.items()}
        # Kernels start the interpreter that runs the tests, though its environment is not activated.
        return {**folders, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def _command(self) -> list[str]:
        port = self.url.rsplit(":", 1)[1]
        options = [f"--port={port}", "--port-retries=0", f"--IdentityProvider.token={self.token}"]
        options += ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--ServerApp.root_dir={self.root}"]
        # Notebooks are opened by a command of the page; and nobody asks npm for servers of languages.
        options += ["--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True"]
        options += ["--LanguageServerManager.autodetect=False"]
        return [sys.executable, "-m", "jupyterlab", *options]

    def _answers(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            raise RuntimeError(f"JupyterLab ended: {self._log.read_text()[-3000:]}")
        try:
            self.api("status")
        except (urllib.error.URLError, ConnectionError):
            return False
        return True


class Browser:
    """One headless Chromium with a fresh profile."""

    def __init__(self, *, width: int = 1280, height: int = 1000) -> None:
        self._size = {"width": width, "height": height}
        self._pages: dict[str, Page] = {}
        self._profile = tempfile.mkdtemp(prefix="lab-chromium-")
        self._playwright: Playwright = sync_playwright().start()
        self._context: BrowserContext = self._playwright.chromium.launch_persistent_context(
            self._profile,
            executable_path=CHROMIUM,
            headless=True,
            args=_CHROMIUM_OPTIONS,
            timeout=PATIENCE_SECONDS * 1000,
            viewport=self._size,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.close()
        self._playwright.stop()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, server: LabServer, name: str, cells: Sequence[str] | None = None) -> "NotebookPage":
        """The notebook `name` in the page of its server, its kernel ready; made of `cells` where they are given."""
        if cells is not None:
            _write_notebook(server.root / name, cells)
        if server.url not in self._pages:
            self._pages[server.url] = self._context.new_page()
        page = self._pages[server.url]
        page.set_viewport_size(self._size)
        return NotebookPage(page, server, name)

    def open_in_notebook7(self, server: LabServer, name: str, cells: Sequence[str]) -> "NotebookPage":
        """The notebook `name`, made of `cells`, in a page of its own of Notebook 7, which the same server serves."""
        _write_notebook(server.root / name, cells)
        page = self._context.new_page()
        page.set_viewport_size(self._size)
        return Notebook7Page(page, server, name)


class NotebookPage:
    """One open notebook: read it, run it, click in it."""

    place = "lab/tree"  # below which the server has notebooks in this page

    def __init__(self, page: Page, server: LabServer, name: str) -> None:
        self.page, self.server, self.name = page, server, name
        self.console: list[str] = []
        self._may_rerun = False
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"pageerror: {error}"))
        # To load JupyterLab takes longer than most tests, so that the first notebook alone does it.
        if page.url.startswith(server.url):
            self._command("app.commands.execute('docmanager:open', {path})", path=name)
            self._await_kernel()
        else:
            self.reload()

    def _await_kernel(self) -> None:
        self.notebook = self.page.locator(".jp-NotebookPanel:visible .jp-Notebook").first
        self.notebook.locator(".jp-Cell").first.wait_for()
        self.wait_until(lambda: self._kernel_state() == "idle", "the kernel to be ready")
        # A run before the page shows the kernel as idle is lost.
        self.page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]:visible').first.wait_for()

    def reload(self) -> None:
        """Load the page anew, as a person would; the kernel stays."""
        self._may_rerun = False  # what is lost now, the page did not bring back
        self.page.goto(f"{self.server.url}/{self.place}/{self.name}?reset&token={self.server.token}")
        self._await_kernel()

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for a condition while the page goes on living."""
        wait_for(condition, what, pause=self._live_on, console=self.console)

    def _live_on(self) -> None:
        self.page.wait_for_timeout(_PAUSE_MS)
        # Under load JupyterLab's widget manager now and then never hears of a widget that the kernel has announced
        # (jupyter-widgets/ipywidgets#3823). A person runs the cell again, once; what is lost twice is our own fault.
        lost = self.notebook.locator(".jp-CodeCell", has_text=_LOST).first
        if self._may_rerun and lost.count():
            self._may_rerun = False
            self.console.append("the cell of a lost widget is run again")
            lost.locator(".jp-InputPrompt").first.click()
            self.page.keyboard.press("Control+Enter")

    def wait_idle(self) -> None:
        """Wait until no cell is running or queued and the kernel is idle, twice with a pause between."""

        def idle() -> bool:
            prompts = self.notebook.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
            return not any("*" in prompt for prompt in prompts) and self._kernel_state() == "idle"

        def settled() -> bool:
            if not idle():
                return False
            self.page.wait_for_timeout(300)
            return idle()

        self.wait_until(settled, "the notebook to be idle")

    def cell(self, number: int) -> Locator:
        """The cell at a place, counted from 0."""
        return self.notebook.locator(".jp-Cell").nth(number)

    def sources(self) -> list[str]:
        """The text of every cell as the page shows it."""
        cells = self.notebook.locator(".jp-Cell").all()
        return ["\n".join(_lines(cell)).replace("\u200b", "").rstrip("\n") for cell in cells]

    def output(self, number: int) -> Locator:
        """The outputs of a cell."""
        return self.cell(number).locator(".jp-OutputArea-output")

    def output_text(self, number: int) -> str:
        """The outputs of a cell as text."""
        return "\n".join(self.output(number).all_inner_texts()).strip()

    def choose_theme(self, theme: str) -> None:
        """Show the page in "Light" or "Dark", as a person may choose; it stays so for the next notebook."""
        self._command("app.commands.execute('apputils:change-theme', {theme})", theme=f"JupyterLab {theme}")
        is_light = "document.body.dataset.jpThemeLight"
        self.wait_until(lambda: self.page.evaluate(is_light) == str(theme == "Light").lower(), f"the theme {theme}")

    def run_cell(self, number: int) -> None:
        """Run one cell and stay on it."""
        self.cell(number).locator(".jp-InputPrompt, .jp-InputArea-prompt").first.click()
        self.page.keyboard.press("Control+Enter")

    def run_all(self) -> None:
        """Run every cell, by the menu."""
        self._may_rerun = True
        self.page.locator(".lm-MenuBar-item", has_text="Run").first.click()
        self.page.locator(
            ".lm-Menu-item:not(.lm-mod-hidden) .lm-Menu-itemLabel", has_text="Run All Cells"
        ).first.click()

    def restart_and_run_all(self) -> None:
        """Restart the kernel and run every cell, by the toolbar, with its question answered."""
        self.page.locator('.jp-NotebookPanel:visible [data-command="notebook:restart-run-all"]').first.click()
        self.page.locator(".jp-Dialog button.jp-mod-accept").click()
        self.page.locator(".jp-Dialog").wait_for(state="detached")

    def write(self, number: int, text: str) -> None:
        """Put text in place of what a cell holds."""
        self.cell(number).locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def complete(self, number: int, text: str) -> list[str]:
        """What the Tab key offers behind `text` in a cell; where there is one word only, Lab puts it in at once."""
        self.write(number, text)
        self.page.keyboard.press("Tab")
        menu = self.page.locator(".jp-Completer:visible .jp-Completer-item")
        self.wait_until(lambda: menu.count() > 0 or self.sources()[number] != text, "a completion")
        offered = [str(item).strip() for item in menu.locator(".jp-Completer-match").all_inner_texts()]
        self.page.keyboard.press("Escape")
        return offered or [self.sources()[number]]

    def interrupt(self) -> None:
        """Press the stop button."""
        self.page.locator('.jp-NotebookPanel:visible [data-command="notebook:interrupt-kernel"]').first.click()

    def save(self) -> nbformat.NotebookNode:
        """Save, and read what the server wrote."""
        path = self.server.root / self.name
        before = path.stat().st_mtime_ns
        self.notebook.click(position={"x": 3, "y": 3})
        self.page.keyboard.press("Control+s")
        self.wait_until(lambda: path.stat().st_mtime_ns != before and _is_whole(path), "the notebook to be saved")
        return nbformat.read(path, as_version=4)

    def photograph(self, path: Path, of: Locator | None = None) -> None:
        """Keep a picture of the page, or of a part of it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        (of or self.page).screenshot(path=str(path))

    def keep_picture(self, name: str, of: Locator | None = None) -> None:
        """A picture for whoever names a folder in PANDAS_MAGIC_SHOTS to look at; none otherwise."""
        if folder := os.environ.get("PANDAS_MAGIC_SHOTS"):
            self.photograph(Path(folder) / f"{name}.png", of)

    def close(self) -> None:
        """Close the notebook without a question; the kernel stays until the server ends it."""
        self._command("app.shell.currentWidget.dispose()")

    def _command(self, script: str, **given: str) -> None:
        self.page.evaluate(f"async ({{{', '.join(given)}}}) => {{ const app = jupyterapp; await {script}; }}", given)

    def _kernel_state(self) -> str:
        sessions = self.server.api("sessions")
        states = [session["kernel"]["execution_state"] for session in sessions if session["path"] == self.name]
        return str(states[0]) if states else ""


class Notebook7Page(NotebookPage):
    """One notebook in Notebook 7."""

    place = "notebooks"


def _write_notebook(path: Path, cells: Sequence[str]) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


def wait_for(
    condition: Callable[[], bool],
    what: str,
    *,
    pause: Callable[[], object] = lambda: time.sleep(0.2),
    console: Sequence[str] = (),
) -> None:
    """Wait until the condition holds.

    Raises: TimeoutError that names what was waited for and the last lines of the page's console.
    """
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE_SECONDS:g} s for {what}; console: {list(console[-5:])}")
        pause()


def _lines(cell: Locator) -> list[str]:
    # Not the inner text of the editor, which adds blank lines.
    return [str(line) for line in cell.locator(".jp-InputArea-editor .cm-line").all_inner_texts()]


def _is_whole(path: Path) -> bool:
    # The server truncates the file before it writes it.
    try:
        json.loads(path.read_text())
    except ValueError:
        return False
    return True
