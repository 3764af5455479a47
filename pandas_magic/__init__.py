"""Business rules in a sentence become proved, confined, re-runnable pandas checks.

In a notebook: `%load_ext pandas_magic`, then `%%check`. In a script: `pandas_magic.check(rule, tables={…})`. In a
terminal: `pandas-magic --help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pandas_magic.garbage import garbage_left_alone

__version__ = "0.1.0"

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.api import check
    from pandas_magic.errors import CheckFailed, NotProved, PandasMagicError, RuleNotUnderstood
    from pandas_magic.explore.profiling import profile
    from pandas_magic.history.run import Run, Verdict
    from pandas_magic.peers import export_checks, import_checks
    from pandas_magic.registry.check import Check
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.registry.proof import Proof
    from pandas_magic.suggestions import suggest
    from pandas_magic.workspace import Workspace

# Loaded on first use: importing the package costs neither pandas nor a Jupyter client.
_HOMES = {
    "check": "api",
    "export_checks": "peers",
    "import_checks": "peers",
    "profile": "explore.profiling",
    "suggest": "suggestions",
    "Check": "registry.check",
    "CompiledCheck": "registry.compiled_check",
    "Proof": "registry.proof",
    "Run": "history.run",
    "Verdict": "history.run",
    "CheckFailed": "errors",
    "NotProved": "errors",
    "PandasMagicError": "errors",
    "RuleNotUnderstood": "errors",
    "Workspace": "workspace",
}

__all__ = [
    "Check",
    "CheckFailed",
    "CompiledCheck",
    "NotProved",
    "PandasMagicError",
    "Proof",
    "RuleNotUnderstood",
    "Run",
    "Verdict",
    "Workspace",
    "check",
    "export_checks",
    "import_checks",
    "load_ipython_extension",
    "profile",
    "suggest",
    "unload_ipython_extension",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever lives under that name
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Give the shell `%%check`, `%%sandbox`, `%checks`, `%tables` and `%eda`. Called by `%load_ext pandas_magic`."""
    # With all that the first cell needs: an import that Ctrl-C interrupts leaves modules half done for good.
    with garbage_left_alone():
        import_module(f"{__name__}.workspace")
        import_module(f"{__name__}.planner.language")
        import_module(f"{__name__}.notebook.magics").load(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """Take the magics away and end the confined kernel. Called by `%unload_ext pandas_magic`."""
    import_module(f"{__name__}.notebook.magics").unload(shell)
