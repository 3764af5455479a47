"""The one door: each function prints exactly one JSON document on standard output; progress goes to standard error.

The process keeps the columns between calls, so that a probe does not read the table again.
"""

from __future__ import annotations

import json
import math
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import pandas as pd

from pandas_magic.explore.confined.explorer import Explorer, Unknown
from pandas_magic.explore.confined.file_frame import Unreadable

Facts = dict[str, Any]

SCRIPT_VERSION = "1.0"

_explorer = Explorer()


def explore(request: Facts, table: pd.DataFrame | None = None) -> None:
    """Print the report and the details of a table; of the file at `data_path` where no table is given."""
    global _explorer
    _explorer = Explorer(_tell_part)

    def work() -> Facts:
        began = time.monotonic()
        _explorer.open(request, table)
        result = _explorer.explore()
        return result | {"seconds": time.monotonic() - began, "script_version": SCRIPT_VERSION}

    answer(work)


def _tell_part(found: Facts) -> None:
    """A line on standard error, since standard output is one document."""
    part = _as_json(found | {"script_version": SCRIPT_VERSION})
    print(f"part: {part}", file=sys.stderr, flush=True)


def obtained() -> None:
    """Print what the last exploration found before it failed."""
    answer(_explorer.obtained)


def probe(name: str, options: Facts, other: pd.DataFrame | None = None) -> None:
    """Print the result of a probe of the table that was explored."""
    from pandas_magic.explore.confined import probes

    answer(lambda: probes.PROBES[name](_explorer, options, other))


def draw(options: Facts) -> None:
    """Print the pictures, as the numbers that they show."""
    from pandas_magic.explore.confined import pictures

    answer(lambda: pictures.draw(_explorer, options))


def answer(work: Callable[[], Facts]) -> None:
    """Print the work's result as one JSON document, or `{"meta": {"error": …}}`; then the process says it failed."""
    try:
        document = _as_json(work())
    except Exception as error:
        # The outermost edge of this process: whatever went wrong is the answer.
        facts: Facts = {"error": traceback.format_exc(limit=-12), "name": type(error).__name__, "text": str(error)}
        if isinstance(error, Unknown):
            facts["unknown"] = {"name": error.name, "known": error.known}
        if isinstance(error, Unreadable):
            facts["unreadable"] = True
        print(json.dumps({"meta": facts}))
        raise
    print(document)


def _as_json(found: Facts) -> str:
    try:
        # Nearly always all is plain but for NumPy's scalars; looking at each part first takes three times as long.
        return json.dumps(found, allow_nan=False, default=lambda each: each.item())
    except (ValueError, TypeError, AttributeError):
        return json.dumps(plain(found), allow_nan=False)


def plain(value: Any) -> Any:  # noqa: ANN401 - anything on its way to JSON
    """Plain JSON types: NumPy scalars as numbers, what is not finite as null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    item = getattr(value, "item", None)
    return plain(item()) if callable(item) else value
