"""A head start: the confined kernel comes up while this process still imports what it works with."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError

if TYPE_CHECKING:
    from pandas_magic.checking.bench import Bench

_REGISTRY = Path("checks", "registry")


def begin_bench(options: argparse.Namespace) -> Bench | None:
    """The bench for a run of saved checks, its kernel on its way; None where the run may need none, or another.

    What is wrong with the settings or with the confinement is told later, by whoever needs them.
    """
    from kernel_sandbox import SandboxError
    from pandas_magic.checking.bench import Bench
    from pandas_magic.cli.parameters import folder_and_settings
    from pandas_magic.settings import Settings

    with suppress(PandasMagicError, SandboxError):
        folder, given = folder_and_settings(options.parameter)
        base = Path(folder or options.workspace).resolve()
        if options.jobs > 1 or not any((base / _REGISTRY).glob("*.json")):
            return None
        bench = Bench(Settings.load(base, given=given))
        bench.sandbox()
        return bench
    return None
