"""A workspace whose files hold checks and runs, as many as wanted, without a kernel."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.history.run import Run, Verdict
from pandas_magic.workspace import Workspace
from tests.pandas_magic.conftest import compiled_check

MakeChecks = Callable[..., None]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "data").mkdir()
    pd.DataFrame({"event_id": [1, 2], "user_id": [1.0, None]}).to_csv(tmp_path / "data" / "events.csv", index=False)
    pd.DataFrame({"user_id": [1, 2]}).to_csv(tmp_path / "data" / "users.csv", index=False)
    opened = Workspace.open(tmp_path)
    yield opened
    opened.close()


def past(check_id: str, verdict: Verdict, failing: int | None, *, day: int = 1, **facts: object) -> Run:
    """A run as the journal keeps it, on a day of November 2026."""
    started = f"2026-11-{day:02d}T03:00:00Z"
    fields = {"run_id": f"{check_id}-{day:02d}", "check_id": check_id, "verdict": verdict, "violation_count": failing}
    said = {"summary": f"{verdict}: {failing} of 1,000 rows", "code": "", "started_at": started, "seconds": 0.2}
    return Run.model_validate({**fields, "rows": 1000, **said, **facts})


@pytest.fixture
def three_checks(workspace: Workspace) -> Workspace:
    """CHK-001 fails more each night, CHK-002 passed, CHK-003 never ran and is stale."""
    known = {"tables": ("events", "users"), "owner": "ada@example.com", "tags": ("join",), "severity": "high"}
    workspace.registry.save(compiled_check("CHK-001", **known))
    workspace.registry.save(compiled_check("CHK-002", name="Passing <b>check</b>", tags=("nightly",)))
    gone = compiled_check("CHK-003").model_copy(update={"schemas": {"events": {"vanished": "int64"}}})
    workspace.registry.save(gone)
    for day, failing in enumerate((0, 3, None, 12), 1):
        verdict = Verdict.ERROR if failing is None else Verdict.FAIL if failing else Verdict.PASS
        workspace.journal.record(past("CHK-001", verdict, failing, day=day))
    workspace.journal.record(past("CHK-002", Verdict.PASS, 0))
    return workspace
