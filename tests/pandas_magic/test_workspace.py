"""The workspace end to end: sentence, proof, verdict, registry, journal; then the same again without planning."""

import dataclasses
import json
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Table
from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.checking import compiler
from pandas_magic.checking.bench import Bench
from pandas_magic.errors import NoSuchName, NotProved, PandasMagicError, RuleNotUnderstood, UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

USERS = pd.DataFrame({"user_id": [1, 2, 3], "email": ["a@x.com", None, "c@x.com"]})
EVENTS = pd.DataFrame({"event_id": [1, 2, 3], "user_id": [1, 7, 3]})
RULE = "Flag events rows whose user_id is missing from users."


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    USERS.to_csv(tmp_path / "data" / "users.csv", index=False)
    EVENTS.to_csv(tmp_path / "data" / "events.csv", index=False)
    # One kernel for all tests of this file: starting one takes longer than most of them.
    return dataclasses.replace(Workspace.open(tmp_path), bench=bench)


def asked(rule: str = RULE, **fields: object) -> CheckRequest:
    return CheckRequest(rule=rule, **fields)


def no_planning(monkeypatch: pytest.MonkeyPatch) -> None:
    def planned(*_: object, **__: object) -> None:
        raise AssertionError("a rule was planned")

    monkeypatch.setattr(compiler, "planner_for", planned)


@pytest.mark.feature("A02")
@pytest.mark.feature("B21")
def test_a_sentence_becomes_a_proved_check_with_its_failing_rows(workspace: Workspace) -> None:
    result = workspace.check(asked(id="CHK-002", severity="high", owner="me@example.com", tags=("join",)))
    assert result.run.verdict == "FAIL"
    assert result.violations.to_dict("list") == {"event_id": [2], "user_id": [7]}
    assert result.violations.index.tolist() == [1]
    assert result.compiled_now
    assert result.echo
    assert result.compiled is not None
    assert result.compiled.proof is not None
    assert result.compiled.proof.holds
    kept = pd.read_parquet(workspace.base_dir / result.run.artifact)
    pd.testing.assert_frame_equal(kept, result.violations)
    kept_check = json.loads((workspace.base_dir / "checks" / "registry" / "CHK-002.json").read_text())
    assert kept_check["check"]["severity"] == "high"


@pytest.mark.feature("A17")
def test_the_same_rule_again_plans_nothing(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.check(asked(id="CHK-002"))
    no_planning(monkeypatch)
    again = workspace.check(asked(id="CHK-002"))
    assert not again.compiled_now
    assert (again.run.verdict, again.run.violation_count) == (first.run.verdict, first.run.violation_count)
    saved = workspace.run_saved("CHK-002", code=first.run.code)
    assert saved.run.verdict == "FAIL"


def test_the_same_rule_without_an_id_is_the_same_check(workspace: Workspace) -> None:
    assert workspace.check(asked()).run.check_id == "CHK-001"
    assert workspace.check(asked()).run.check_id == "CHK-001"
    assert workspace.check(asked("users.email must not be null")).run.check_id == "CHK-002"


@pytest.mark.feature("A07")
def test_new_particulars_are_kept_without_planning(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.check(asked(id="CHK-001", owner="first@example.com"))
    no_planning(monkeypatch)
    workspace.check(asked(id="CHK-001", severity="critical"))
    check = workspace.registry.get("CHK-001").check
    assert (check.severity, check.owner) == ("critical", "first@example.com")


@pytest.mark.feature("A15")
def test_a_changed_rule_is_compiled_again_and_says_so(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001"))
    changed = workspace.check(asked("users.email must not be null", id="CHK-001"))
    assert changed.compiled_now
    assert changed.stale_reason == f'its rule changed; it was "{RULE}"'
    assert changed.run.violation_count == 1


@pytest.mark.feature("A16")
def test_a_column_that_is_read_and_gone_makes_a_saved_check_an_error(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001"))
    EVENTS.rename(columns={"user_id": "user"}).to_csv(workspace.base_dir / "data" / "events.csv", index=False)
    result = workspace.run_saved("CHK-001")
    assert result.run.verdict is Verdict.ERROR
    assert 'column "user_id" of table "events" is gone' in result.run.error
    assert "pandas-magic compile CHK-001" in result.run.error
    EVENTS.assign(note="x").to_csv(workspace.base_dir / "data" / "events.csv", index=False)
    assert workspace.run_saved("CHK-001").run.verdict == "FAIL"


def test_an_edited_cell_runs_and_is_not_the_check(workspace: Workspace) -> None:
    passed = workspace.check(asked(id="CHK-001")).run
    run = workspace.run_saved("CHK-001", code="violations = events").run
    assert (run.verdict, run.edited, run.violation_count) == ("ERROR", True, None)
    assert run.summary.startswith("ERROR: edited, not proved: this code finds 3 rows of events and is not the check")
    assert run.violations is not None and len(run.violations) == 3
    assert [past.run_id for past in workspace.journal.history.runs("CHK-001")] == [passed.run_id]
    assert [entry.last_run and entry.last_run.run_id for entry in workspace.entries()] == [passed.run_id]


def test_an_edited_cell_has_a_verdict_where_a_person_allows_it_by_name(workspace: Workspace) -> None:
    passed = workspace.check(asked(id="CHK-001")).run
    run = workspace.run_saved("CHK-001", code="violations = events.head(0)", allow_edited=True).run
    assert (run.verdict, run.edited) == ("PASS", True)
    assert run.summary.startswith("PASS: edited code, allowed by name and not proved: ")
    assert [entry.last_run and entry.last_run.run_id for entry in workspace.entries()] == [passed.run_id]


def test_an_edit_is_accepted_only_with_a_proof(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001"))
    with pytest.raises(NotProved, match="CHK-001 is not saved"):
        workspace.accept("CHK-001", "violations = events.iloc[:0]")
    known = 'known = users["user_id"]\nviolations = events[~events["user_id"].isin(known)]'
    accepted = workspace.accept("CHK-001", known)
    assert accepted.code == known
    assert workspace.run_saved("CHK-001", code=known).run.notes == ()


def test_code_that_would_be_refused_is_named_before_it_runs(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001"))
    with pytest.raises(PandasMagicError, match=r"line 1, column 1: import of .subprocess. is refused"):
        workspace.run_saved("CHK-001", code="import subprocess\nviolations = events")


def test_what_is_not_understood_saves_nothing(workspace: Workspace) -> None:
    with pytest.raises(RuleNotUnderstood) as caught:
        workspace.check(asked("events must be frobnicated"))
    assert "frobnicated" in caught.value.unknown
    assert not (workspace.base_dir / "checks").exists()


def test_an_empty_rule_is_one_clear_line(workspace: Workspace) -> None:
    with pytest.raises(UsageMistake, match="the rule is empty"):
        workspace.check(asked("  \n "))


def test_an_unknown_table_is_named_with_the_nearest(workspace: Workspace) -> None:
    with pytest.raises(NoSuchName, match=r'no table "evnets".* Did you mean "events"'):
        workspace.check(asked(tables=("evnets", "users")))


def test_frames_of_the_notebook_are_tables(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, namespace={"users": USERS, "events": EVENTS.set_index("event_id", drop=False)})
    try:
        assert workspace.check(asked()).violations.index.tolist() == [2]
    finally:
        workspace.close()


def test_a_frame_is_described_once_for_a_check_and_anew_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described: list[int] = []

    def describe(name: str, frame: pd.DataFrame) -> Table:
        described.append(len(frame))
        return describe_frame(name, frame)

    monkeypatch.setattr("pandas_magic.catalog.sources.memory.describe_frame", describe)
    users = USERS.copy()
    with closing(Workspace.open(tmp_path, namespace={"users": users})) as workspace:
        assert workspace.check(asked("users.email must not be null")).run.rows == len(users)
        assert described == [len(users)]
        users.loc[len(users)] = users.iloc[0]
        assert workspace.check(asked("users.email must not be null")).run.rows == len(users)
        assert described == [len(users) - 1, len(users)]


def test_runs_are_chosen_by_id_and_by_tag(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001", tags=("join",)))
    workspace.check(asked("users.email must not be null", id="CHK-002", tags=("contact", "nightly")))
    assert [result.run.check_id for result in workspace.run()] == ["CHK-001", "CHK-002"]
    assert [result.run.check_id for result in workspace.run(tags=["nightly"])] == ["CHK-002"]
    with pytest.raises(NoSuchName, match='no check "CHK-009"'):
        workspace.run(["CHK-009"])


def test_entries_tell_the_last_verdict_and_what_is_stale(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001"))
    (entry,) = workspace.entries()
    assert entry.last_run is not None
    assert (entry.last_run.verdict, entry.stale) == ("FAIL", "")
    (workspace.base_dir / "data" / "users.csv").unlink()
    assert workspace.entries()[0].stale == 'table "users" is gone'


def test_a_disabled_check_is_skipped(workspace: Workspace) -> None:
    workspace.check(asked(id="CHK-001", enabled=False))
    assert workspace.run_saved("CHK-001").run.verdict == "SKIPPED"


def test_any_code_runs_confined_and_brings_one_frame_back(workspace: Workspace) -> None:
    execution, frame = workspace.sandbox("print(len(events))\nout = events.head(1)", ["events"], "out")
    assert execution.stdout == "3\n"
    assert frame is not None
    assert frame.to_dict("list") == {"event_id": [1], "user_id": [1]}


def test_rows_that_a_missing_value_leaves_open_are_counted(workspace: Workspace) -> None:
    people = pd.DataFrame({"age": [30.0, None, 5.0, None], "status": ["new", "new", "old", None]})
    people.to_csv(workspace.base_dir / "data" / "people.csv", index=False)
    ages = workspace.check(asked("age must be between 13 and 120", tables=("people",)))
    assert (ages.run.violation_count, ages.run.not_judged) == (1, 2)
    new = workspace.check(asked("If status is 'new', age must be at least 18", tables=("people",)))
    assert (new.run.violation_count, new.run.not_judged) == (0, 2)
    present = workspace.check(asked("age must not be missing", tables=("people",)))
    assert (present.run.violation_count, present.run.not_judged) == (2, 0)


def test_a_column_that_a_rule_demands_is_a_violation_when_it_goes(workspace: Workspace) -> None:
    rule = asked("events must have the columns event_id and user_id", id="CHK-001", tables=("events",))
    assert workspace.check(rule).run.verdict == "PASS"
    EVENTS.rename(columns={"user_id": "user"}).to_csv(workspace.base_dir / "data" / "events.csv", index=False)
    gone = workspace.run_saved("CHK-001")
    assert gone.run.verdict == "FAIL"
    assert "user_id" in gone.violations.to_string()


def test_columns_stand_in_the_order_of_the_file_cold_and_warm(workspace: Workspace) -> None:
    (workspace.base_dir / "data" / "z.csv").write_text("z,a,m\n1,2,3\n")
    cold = list(workspace.catalog.schema("z").columns)
    warm = list(Workspace.open(workspace.base_dir).catalog.schema("z").columns)
    assert cold == warm == ["z", "a", "m"]
