"""One exploration as a line of the log of runs."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pandas_magic.clock import timestamp
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from pandas_magic.explore.subject import Subject


def run_line(subject: Subject, run: str, seconds: float, errors: Sequence[str], *, failed: bool) -> str:
    """The line, as JSON: which table by its hash, who, when, for how long, and what went wrong."""
    try:
        dataset = subject.digest()
    except TableUnreadable:
        dataset = ""  # the file is gone, which is the error that is logged
    line = {
        "run_id": run,
        "timestamp": timestamp(),
        "user_id": getpass.getuser(),
        "dataset_hash": dataset,
        "runtime_ms": int(1000 * seconds),
        "exit_code": int(failed),
        "errors": list(errors),
        "action": "explore",
        "table": subject.name,
    }
    return json.dumps(line, ensure_ascii=False)
