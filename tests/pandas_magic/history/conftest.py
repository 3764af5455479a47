"""Runs as the runner gives them, at times of the test's own."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pytest

from pandas_magic.history.run import Run, Verdict

MakeRun = Callable[..., Run]


@pytest.fixture
def a_run() -> MakeRun:
    numbers = itertools.count(1)

    def made(
        verdict: str = "PASS",
        *,
        check_id: str = "CHK-001",
        at: str = "2026-11-01T02:00:00Z",
        rows: pd.DataFrame | None = None,
        positions: Sequence[int] | None = None,
        **said: Any,
    ) -> Run:
        fields = {
            "run_id": f"run-{next(numbers):04d}",
            "check_id": check_id,
            "verdict": verdict,
            "violation_count": len(rows) if rows is not None else {"PASS": 0, "FAIL": 1}.get(verdict),
            "rows": 10,
            "summary": f"{verdict}: …",
            "code": "violations = orders",
            "started_at": at,
            "seconds": 0.5,
            "error": "no such file" if verdict == Verdict.ERROR else "",
            **said,
        }
        run = Run.model_validate(fields)
        if rows is None:
            return run
        return run.holding(rows, None, tuple(range(len(rows)) if positions is None else positions))

    return made
