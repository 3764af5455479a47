"""Magics that work otherwise inside the locks: in place of half a success, one line that says what to do."""

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from kernel_sandbox.confined.refusals import PLAIN_KERNEL

_OUTSIDE = ("check", "checks", "plan", "sandbox", "eda", "tables")
_INLINE = "inline"
_STATIC_BACKENDS = (None, "", "auto", _INLINE, "agg", "svg", "pdf")
_BARS = {"tqdm": "tqdm", "trange": "trange", "tqdm_notebook": "tqdm", "tnrange": "trange"}


def replace_magics(shell: InteractiveShell) -> None:
    """Put the magics of this module in the place of IPython's."""
    register: Callable[..., None] = shell.register_magic_function
    plain_load, plain_matplotlib = shell.find_line_magic("load_ext"), shell.find_line_magic("matplotlib")
    plain_write = shell.find_cell_magic("writefile")

    def write_file(line: str, cell: str) -> None:
        # IPython says that it writes before it knows whether it may.
        with redirect_stdout(io.StringIO()) as said:
            plain_write(line, cell)
        print(said.getvalue(), end="")

    def load_ext(line: str) -> object:
        if line.split(".")[0].strip() == "pandas_magic":
            raise UsageError(PLAIN_KERNEL)
        return plain_load(line)

    def matplotlib(line: str) -> object:
        return plain_matplotlib(_static_backend(line))

    register(write_file, "cell", "writefile")
    register(write_file, "cell", "file")
    register(load_ext, "line", "load_ext")
    register(matplotlib, "line", "matplotlib")
    for name in _OUTSIDE:
        for kind in ("line", "cell"):
            register(_refuse_outside, kind, name)
    sys.meta_path.insert(0, TextBars())


def _static_backend(line: str) -> str:
    """What `%matplotlib` was asked for, or "inline", with a line, in place of what needs a browser or a screen."""
    backend = line.strip()
    if backend.startswith("-") or backend.lower() in _STATIC_BACKENDS:
        return line or _INLINE
    print(
        f"(confined kernel: plots are drawn inline, not by {backend[:40]!r}: nothing of a confined kernel runs "
        "in the browser or on a screen)",
        file=sys.stderr,
    )
    return _INLINE


class TextBars:
    """Finds `tqdm.notebook`: bars of text, since widgets would stand still at 0 %."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ANN401 - importlib's
        """The module with the bars of `tqdm.std` under the names of those for notebooks; called by `import`."""
        if name != "tqdm.notebook":
            return None
        return ModuleSpec(name, self)  # type: ignore[arg-type] # it loads what it finds

    def create_module(self, spec: object) -> None:
        """Nothing: an ordinary module will do; called by `import`."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module; called by `import`."""
        bars = import_module("tqdm.std")
        for name, plain in _BARS.items():
            setattr(module, name, getattr(bars, plain))


def _refuse_outside(line: str = "", cell: str | None = None) -> None:
    """Refused: pandas_magic works in a plain kernel."""
    raise UsageError(PLAIN_KERNEL)
