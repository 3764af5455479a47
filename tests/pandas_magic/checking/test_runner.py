"""The runner: the code finds rows, we count them and judge; whatever goes wrong is an ERROR with its reason."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.snapshot import Snapshot
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.compiler import compile_check
from pandas_magic.checking.result import Result
from pandas_magic.checking.runner import Runner
from pandas_magic.history.run import Run, Verdict
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings
from tests.doubles import CODE, unknown_users

EVENTS = pd.DataFrame({"event_id": [1, 2, 3, 4], "user_id": [1, 9, 2, 8]}, index=["a", "b", "c", "d"])
USERS = pd.DataFrame({"user_id": [1, 2]})


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench(Settings(wall_seconds=3))
    yield bench
    bench.close()


def runner_on(bench: Bench, **tables: pd.DataFrame | Path) -> Runner:
    return Runner(Catalog(given=tables), Settings(wall_seconds=3), bench)


SUMMARY = "FAIL: 2 of 4 rows of events break the rule"


def run(bench: Bench, code: str = CODE, compiled: CompiledCheck | None = None, **tables: pd.DataFrame | Path) -> Run:
    """The run of a check with this code; no typed rule says what the code is to find, unless it is the check's own."""
    check = compiled or unknown_users()
    if code != check.code:
        check = check.model_copy(update={"code": code, "constraint": None})
    return runner_on(bench, **{"events": EVENTS, "users": USERS, **tables}).run(check)


@pytest.mark.feature("A02")
@pytest.mark.feature("A04")
@pytest.mark.feature("B21")
@pytest.mark.feature("E02")
def test_failing_rows_come_whole_and_with_the_owners_index(bench: Bench) -> None:
    found = run(bench)
    assert found.verdict == "FAIL"
    assert found.violation_count == 2
    assert found.rows == 4
    assert found.violations is not None
    pd.testing.assert_frame_equal(found.violations, EVENTS.loc[["b", "d"]])
    assert found.summary == "FAIL: 2 of 4 rows of events break the rule"


@pytest.mark.feature("A03")
@pytest.mark.feature("B18")
def test_a_run_as_a_dict_has_the_keys_of_the_source_system(bench: Bench) -> None:
    content = run(bench, f"print('looking')\n{CODE}").to_dict()
    assert set(content) == {"python_repls", "result"}
    assert content["python_repls"] == [
        {"python_repl": f"print('looking')\n{CODE}", "stdout": f"looking\n{SUMMARY}\n", "exit_code": 0}
    ]
    assert content["result"] == {"status": "FAIL", "summary": SUMMARY}


@pytest.mark.feature("A03")
def test_the_last_line_that_a_run_printed_is_our_verdict_whatever_its_code_prints(bench: Bench) -> None:
    content = run(bench, f"{CODE}\nprint('PASS: all is well', end='')").to_dict()
    assert content["python_repls"][0]["stdout"].splitlines() == ["PASS: all is well", SUMMARY]


@pytest.mark.feature("A03")
def test_the_result_of_a_check_is_a_dict_with_the_keys_of_the_source_system(bench: Bench) -> None:
    found = Result(run(bench), unknown_users())
    assert found.to_dict() == {
        "python_repls": [{"python_repl": CODE, "stdout": f"{SUMMARY}\n", "exit_code": 0}],
        "result": {"status": "FAIL", "summary": SUMMARY},
    }


@pytest.mark.feature("A04")
def test_no_rows_is_pass(bench: Bench) -> None:
    found = run(bench, users=pd.DataFrame({"user_id": [1, 2, 8, 9]}))
    assert (found.verdict, found.violation_count) == ("PASS", 0)
    assert found.summary == "PASS: 0 of 4 rows of events break the rule"
    assert found.violations is not None
    assert found.violations.empty


@pytest.mark.parametrize("events", [EVENTS.iloc[:0], EVENTS.iloc[:1]])
def test_a_table_without_or_with_one_row_is_judged(bench: Bench, events: pd.DataFrame) -> None:
    found = run(bench, events=events)
    assert (found.verdict, found.rows) == ("PASS", len(events))


@pytest.mark.feature("A04")
def test_a_disabled_check_is_skipped_and_runs_nothing(bench: Bench) -> None:
    compiled = unknown_users()
    disabled = compiled.model_copy(update={"check": compiled.check.model_copy(update={"enabled": False})})
    found = run(bench, "1/0", disabled)
    assert (found.verdict, found.violation_count, found.confined) == ("SKIPPED", None, None)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("violations = events[events['nope'] > 1]", "KeyError in line 1: 'nope'"),
        ("x = 1", "violations"),
        ("violations = 3", "violations"),
        ("violations = events[", "SyntaxError"),
        ("import os\nos._exit(0)", "its process ended"),
        ("while True: pass", "3 s"),
    ],
)
def test_code_that_finds_no_rows_is_an_error_and_the_next_check_works(bench: Bench, code: str, said: str) -> None:
    found = run(bench, code)
    assert found.verdict is Verdict.ERROR
    assert said in found.error
    assert "\n" not in found.error
    assert found.violation_count is None
    assert run(bench).verdict == "FAIL"


def test_code_cannot_announce_its_own_success(bench: Bench) -> None:
    forged = f"{CODE}\nverdict = 'PASS'\nprint('PASS: 0 of 4 rows')\nraise SystemExit(0)"
    assert run(bench, forged).verdict != "PASS"


def test_nothing_of_one_check_is_left_for_the_next(bench: Bench) -> None:
    run(bench, "import pandas\npandas.DataFrame.isin = None\nleft = 1\nviolations = events")
    assert run(bench, f"assert 'left' not in globals()\n{CODE}").violation_count == 2


def test_rows_of_another_frame_are_shown_and_never_counted(bench: Bench) -> None:
    merged = "violations = events.merge(users, on='user_id').assign(extra=1)"
    found = run(bench, merged)
    assert (found.verdict, found.violation_count) == ("ERROR", None)
    assert "no rows of events" in found.error
    assert found.violations is not None
    assert "extra" in found.violations
    renumbered = run(bench, CODE + "\nviolations = violations.reset_index(drop=True)")
    assert renumbered.violations is not None
    assert renumbered.violations["user_id"].tolist() == [9, 8]


def test_code_that_changes_a_table_cannot_change_what_is_shown(bench: Bench) -> None:
    found = run(bench, "events['user_id'] = 7\nviolations = events")
    assert found.violations is not None
    assert EVENTS["user_id"].tolist() == [1, 9, 2, 8]


@pytest.mark.feature("C33", "E02")
def test_a_run_says_how_it_was_confined(bench: Bench) -> None:
    confined = run(bench).confined
    assert confined is not None
    assert {"landlock", "seccomp"} <= set(confined.layers)


def test_a_file_that_vanished_is_an_error_that_names_it(bench: Bench, tmp_path: Path) -> None:
    found = run(bench, users=tmp_path / "users.csv")
    assert found.verdict is Verdict.ERROR
    assert "users.csv is gone" in found.error


@pytest.mark.parametrize("name", ["events.csv", "events.parquet"])
@pytest.mark.parametrize("replaced", ["events", "users"])
def test_tables_that_change_while_a_check_runs_are_an_error_that_names_them(
    bench: Bench, tmp_path: Path, name: str, replaced: str
) -> None:
    files = {"events": tmp_path / name, "users": tmp_path / f"users{Path(name).suffix}"}

    def write(table: str, frame: pd.DataFrame) -> None:
        new = tmp_path / "new"
        frame.to_csv(new, index=False) if name.endswith("csv") else frame.to_parquet(new, index=False)
        new.replace(files[table])

    write("events", EVENTS)
    write("users", USERS)

    def replace(said: str) -> None:
        if said == "running":
            write(replaced, {"events": EVENTS[::-1], "users": USERS + 7}[replaced])

    found = runner_on(bench, **files).run(unknown_users(), on_progress=replace)
    assert (found.verdict, found.error) == (
        Verdict.ERROR,
        f'table "{replaced}" changed while the check ran; run it again',
    )
    assert runner_on(bench, **files).run(unknown_users()).verdict is Verdict.FAIL


def test_a_column_that_lost_all_its_values_still_has_its_type(bench: Bench) -> None:
    compiled = unknown_users(
        plan=unknown_users().plan.model_copy(update={"reads": {"events": ("note",)}}),
        constraint=None,
        schemas={"events": {"note": "str"}},
    )
    code = 'violations = events[events["note"].str.len() > 3]'
    assert run(bench, code, compiled, events=pd.DataFrame({"note": [None, None]})).verdict == "PASS"


def test_what_is_read_as_missing_or_left_out_of_a_file_is_told_by_the_run(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "users.csv").write_text("A list\nuser_id;land;sort\n1;NA;x\n2;DE;NA\n# 3;DE\n")
    check = unknown_users(
        plan=unknown_users().plan.model_copy(update={"reads": {"users": ("user_id", "land")}}), constraint=None
    )
    code = 'violations = users[users["land"] == "FR"]'
    found = Runner(Catalog(tmp_path), Settings(), bench).run(
        check.model_copy(update={"code": code, "target": "users"}), edited=None
    )
    assert any('"NA" is read as missing' in note and '"land"' in note for note in found.notes)
    assert any("left out" in note for note in found.notes)
    assert not any('"sort"' in note or "header" in note or "semicolons" in note for note in found.notes)


def test_rows_of_a_notebook_that_stand_before_a_file_are_told_as_such(bench: Bench, tmp_path: Path) -> None:
    EVENTS.to_csv(tmp_path / "events.csv", index=False)
    USERS.to_csv(tmp_path / "users.csv", index=False)
    told = "events is the DataFrame of the notebook, not events.csv"
    for namespace, notes in (({"events": EVENTS, "other": USERS}, (told,)), ({}, ())):
        catalog = Catalog(tmp_path, namespace=namespace)
        for tables in (catalog, Snapshot(catalog)):
            assert Runner(tables, Settings(), bench).run(unknown_users()).notes == notes


@pytest.mark.feature("B17")
def test_a_table_too_large_for_the_memory_is_looked_at_in_parts(bench: Bench) -> None:
    from pandas_magic.constraints import Column, Exists
    from pandas_magic.constraints.algebra.rules import RowRule

    events = pd.DataFrame({"event_id": range(4000), "user_id": [n % 3 for n in range(4000)]})
    rule = RowRule(table="events", must=Exists(of=(Column(name="user_id"),), table="users", keys=("user_id",)))
    compiled = unknown_users().model_copy(update={"constraint": rule})
    catalog = Catalog(given={"events": events, "users": USERS})
    found = Runner(catalog, Settings(wall_seconds=3, memory_bytes=64_000), bench).run(compiled)
    assert found.verdict == "FAIL"
    assert (found.violation_count, found.rows) == (1334, 4000)
    assert found.violations is not None
    assert found.violations.index.tolist() == list(range(0, 4000, 3))
    assert found.notes == ("large: about 0.0 GB of columns, looked at in parts",)


@pytest.mark.feature("B17")
def test_what_needs_a_file_whole_that_is_over_the_memory_is_refused_before_it_is_read(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(wall_seconds=3, memory_bytes=64_000)
    path = tmp_path / "events.parquet"
    pd.DataFrame({"user_id": [n % 3 for n in range(20_000)]}).to_parquet(path)
    plan = unknown_users().plan.model_copy(update={"reads": {"events": ("user_id",)}})
    compiled = unknown_users(plan=plan, constraint=None, schemas={"events": {"user_id": "int64"}})
    catalog = Catalog(given={"events": path})
    catalog.schema("events")
    monkeypatch.setattr(DatasetTable, "frame", lambda *_: pytest.fail("it was read"))
    found = Runner(catalog, settings, bench).run(compiled)
    assert found.verdict == "ERROR"
    assert found.error == (
        "its rule needs events whole, about 0.0 GB of columns, and the setting memory_bytes allows 0.0 GB; raise it, "
        "or say the rule of single rows or of rows that share a key"
    )


@pytest.mark.feature("B17")
@pytest.mark.parametrize(("over_bytes", "said"), [(10, True), (1000**3, False)])
def test_an_estimate_above_the_setting_is_said_before_anything_is_read(
    bench: Bench, over_bytes: int, said: bool
) -> None:
    settings = Settings(wall_seconds=3, warn_bytes=over_bytes)
    steps: list[str] = []
    found = Runner(Catalog(given={"events": EVENTS, "users": USERS}), settings, bench).run(
        unknown_users(), on_progress=steps.append
    )
    words = "large: about 0.0 GB of events, users are read (the setting warn_bytes)"
    assert (words in found.notes, words in steps) == (said, said)
    assert not said or steps.index(words) < steps.index("reading events")


@pytest.mark.parametrize(
    ("rule", "verdict", "statistics"),
    [
        ("the number of rows in trips must be at least 3", "PASS", {"number of rows in trips": 3}),
        ("the mean of n in trips must be at least 5", "FAIL", {"mean of n in trips": 1.5}),
        ("the maximum of begun in trips must be no earlier than 2026-01-02", "PASS",
         {"maximum of begun in trips": "2026-01-03T00:00:00"}),
        ("the mean of empty_one in trips must be at least 5", "PASS", {}),
    ],
)  # fmt: skip
def test_a_rule_about_a_whole_table_tells_its_statistics_whether_it_holds_or_not(
    bench: Bench, rule: str, verdict: str, statistics: dict[str, object]
) -> None:
    begun = pd.to_datetime(["2026-01-01", "2026-01-03", "2026-01-02"])
    runner = runner_on(
        bench, trips=pd.DataFrame({"n": [1.0, 2.0, None], "begun": begun, "empty_one": [float("nan")] * 3})
    )
    check = Check(id="rule", rule=f"trips as a whole: {rule}")
    found = runner.run(compile_check(check, runner.catalog.schemas(), runner).compiled)
    assert (found.verdict, found.statistics) == (verdict, statistics)
    assert found.violations is not None
    assert found.violations.to_dict("records") == ([statistics] if verdict == "FAIL" else [])
