"""A head start: what the first cells of a notebook would wait for comes up while a person writes them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

from kernel_sandbox import SandboxError
from pandas_magic.checking.bench import Bench
from pandas_magic.errors import PandasMagicError
from pandas_magic.settings import Settings


def begin_kernels(settings_now: Callable[[], Settings]) -> None:
    """Have the confined kernels of checks and of the explorer on their way, and imported what shows their first look.

    Nothing waits for it: who asks sooner waits as long as without it, and is told what is wrong with settings or locks.
    """
    threading.Thread(target=_begin, args=(settings_now,), name="pandas-magic-head-start", daemon=True).start()


def _begin(settings_now: Callable[[], Settings]) -> None:
    with suppress(PandasMagicError, SandboxError, OSError):
        settings = settings_now()
        Bench(settings).begin()
        from pandas_magic.explore.delivery import compiled, confined_sources
        from pandas_magic.explore.study import begin_explorer

        begin_explorer(settings)
        import_module("pandas_magic.notebook.eda_panel")
        compiled(confined_sources())
        _read_grammar()


def _read_grammar() -> None:
    """Have what completes a rule read its grammar: JupyterLab waits a second for the words behind the cursor."""
    from pandas_magic.catalog.table import Table
    from pandas_magic.planner.language import completions

    completions("column must be ", {"table": Table(name="table", columns={"column": "int64"})})
