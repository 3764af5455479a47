"""DuckDB stands in for the pandas of a check where it was proved, behind the wall, and the run names it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from kernel_sandbox import Policy
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines import deputy, duckdb_kernel
from pandas_magic.checking.engines.confined_duckdb import TablesInDuckDb
from pandas_magic.checking.engines.dialects import DUCKDB
from pandas_magic.checking.engines.writing import POSITION
from pandas_magic.checking.result import Result
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.card import card_of
from pandas_magic.workspace import Workspace
from tests.grids import also_thorough

ENGINE = f"DuckDB {duckdb_kernel.duckdb_version()}"
USERS = pd.DataFrame({"user_id": [1, 2, 3], "name": ["Ann", "Bé", None], "age": [30.0, None, 200.0]})
ORDERS = pd.DataFrame({"order_id": [1, 2, 2, 4], "user_id": [1, 9, 3, 2], "total": [1.0, -2.0, 3.0, 4.0]})
RULES = (
    ("users", "age must be between 0 and 120"),
    ("orders", "user_id must exist in users"),
    ("orders", "order_id must be unique"),
    ("orders", "the average total must be between 5 and 10"),
    ("users", "there must be at least 1 row"),
)


@pytest.fixture
def workspace(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    said = getattr(request, "param", {"engine": "duckdb"})
    opened = Workspace.open(tmp_path, tables={"users": USERS, "orders": ORDERS}, settings=said)
    yield opened
    opened.close()


def checked(workspace: Workspace, *rules: tuple[str, str]) -> list[Result]:
    return [workspace.check(CheckRequest(rule, target=table)) for table, rule in rules]


def outcome(result: Result) -> tuple[Any, ...]:
    run = result.run
    found = None if run.violations is None else run.violations.to_dict("records")
    return run.verdict, run.violation_count, run.not_judged, run.positions, run.summary, found


def test_an_engine_finds_what_the_pandas_finds(tmp_path: Path, workspace: Workspace) -> None:
    by_engine = checked(workspace, *RULES)
    plain = Workspace.open(tmp_path, tables={"users": USERS, "orders": ORDERS}, settings={"engine": "pandas"})
    try:
        by_pandas = [plain.run_saved(result.run.check_id) for result in by_engine]
    finally:
        plain.close()
    assert [outcome(result) for result in by_engine] == [outcome(result) for result in by_pandas]
    assert {result.run.engine for result in by_engine} == {ENGINE}
    assert {result.run.engine for result in by_pandas} == {""}


@pytest.mark.parametrize("seconds", [60.0, -1.0])
def test_checks_of_a_batch_are_asked_together(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    alone = checked(workspace, *RULES, ("users", "name must be unique ignoring case"))
    USERS.loc[0, "name"] = "Աբ"  # of which DuckDB does not know the case
    asked: list[object] = []
    ask = duckdb_kernel.DuckDbKernel.ask
    monkeypatch.setattr(duckdb_kernel, "_TOGETHER_SECONDS", seconds)
    monkeypatch.setattr(duckdb_kernel.DuckDbKernel, "ask", lambda *args: asked.append(args[-1]) or ask(*args))
    try:
        batch = workspace.run()
    finally:
        USERS.loc[0, "name"] = "Ann"
    assert [outcome(result)[:4] for result in batch] == [outcome(result)[:4] for result in alone]
    assert [result.run.engine for result in batch] == [ENGINE] * len(RULES) + [""]
    assert "case of such letters" in batch[-1].run.notes[0]
    assert len(asked) == 1


def test_the_record_and_the_card_name_the_engine(workspace: Workspace) -> None:
    (result,) = checked(workspace, RULES[0])
    (saved,) = workspace.registry.load().values()
    assert saved.proof is not None
    assert saved.proof.engines == (ENGINE,)
    assert ("Ran in", ENGINE) in card_of(result).facts
    assert result.run.notes == ()


def test_a_proof_in_another_version_is_made_anew(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (result,) = checked(workspace, RULES[0])
    monkeypatch.setattr(deputy, "duckdb_version", lambda: "0.0.1")
    asked: list[object] = []
    ask_of_each = duckdb_kernel.DuckDbKernel.ask_of_each
    monkeypatch.setattr(
        duckdb_kernel.DuckDbKernel, "ask_of_each", lambda *args: asked.append(args) or ask_of_each(*args)
    )
    runs = [workspace.run_saved(result.run.check_id).run for _ in range(2)]
    assert [run.engine for run in runs] == ["DuckDB 0.0.1"] * 2
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("(length({0}) + 1)", "it finds other rows than the rule means in the case"),
        ("error('no such day')", "Invalid Input Error: no such day"),
    ],
)
def test_what_an_engine_gets_wrong_on_planted_rows_runs_as_pandas(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, broken: str, why: str
) -> None:
    monkeypatch.setattr(deputy, "DUCKDB", DUCKDB.but("DuckDB", length=broken))
    (result,) = checked(workspace, ("users", "the length of name must be 3"))
    assert (result.run.verdict, result.run.violation_count, result.run.engine) == ("FAIL", 1, "")
    (note,) = result.run.notes
    assert note.startswith(f"ran as pandas and in no engine: not proved in {ENGINE}: ")
    assert why in note


def test_what_cannot_be_said_in_sql_runs_as_pandas_and_says_so(workspace: Workspace) -> None:
    (result,) = checked(workspace, ("users", "name must match /Ann|^B.*/"))
    assert (result.run.verdict, result.run.engine) == ("PASS", "")
    assert "ran as pandas and in no engine: ^ within a pattern" in result.run.notes[0]


def test_a_value_that_an_engine_reads_otherwise_is_read_by_pandas(workspace: Workspace) -> None:
    (result,) = checked(workspace, ("users", "name must be unique ignoring case"))
    assert result.run.engine == ENGINE
    cased = Workspace.open(
        workspace.base_dir, tables={"users": USERS.assign(name=["Աբ", "x", None])}, settings={"engine": "duckdb"}
    )
    try:
        run = cased.run_saved(result.run.check_id).run
    finally:
        cased.close()
    assert (run.verdict, run.engine) == ("PASS", "")
    assert "case of such letters" in run.notes[0]


@pytest.mark.parametrize("times", [10_000, *also_thorough(100_000)])
def test_auto_is_pandas_at_every_size_as_measured(tmp_path: Path, times: int) -> None:
    tables = {"users": pd.concat([USERS] * times, ignore_index=True)}
    opened = Workspace.open(tmp_path, tables=tables, settings={"engine": "auto"})
    try:
        rules = (RULES[0], ("users", "the average age must be between 0 and 200"))
        results = checked(opened, *rules) + opened.run()
    finally:
        opened.close()
    assert {(each.run.verdict, each.run.engine, each.run.notes) for each in results} == {
        ("FAIL", "", ()),
        ("PASS", "", ()),
    }


def test_without_the_extra_it_is_pandas_and_says_so(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deputy, "duckdb_version", lambda: "")
    (result,) = checked(workspace, RULES[0])
    assert (result.run.verdict, result.run.engine, len(result.run.notes)) == ("FAIL", "", 1)


def test_duckdb_reaches_no_file_and_no_setting(workspace: Workspace) -> None:
    checked(workspace, RULES[0])
    kernel = workspace.bench.beside(duckdb_kernel._MEMORY_OF_THE_GROUP).sandbox()
    for statement, refusal in [
        ("SELECT * FROM read_csv('/proc/self/cgroup')", "disabled"),
        ("COPY (SELECT 1) TO 'x.csv'", "disabled"),
        ("SET enable_external_access = true", "locked"),
        ("INSTALL httpfs", "disabled"),
    ]:
        execution = kernel.execute(f"_in_duckdb._connection.execute({statement!r}).fetchall()")
        assert execution.status == "error", statement
        assert refusal in execution.error_text, statement


def test_duckdb_spills_into_its_own_folder(tmp_path: Path) -> None:
    many = pd.DataFrame({"a": range(1_000_000)})
    many["b"] = many["a"].astype("str") + "-with-a-longer-text"
    tables = TablesInDuckDb(POSITION, memory_bytes=60_000_000, threads=1, spill=str(tmp_path / "own"))
    select = f'SELECT "{POSITION}" AS position, 0 AS left_open FROM many ORDER BY b, a DESC'
    assert len(tables.found(select, {"many": many}, {"many": ["a", "b"]})[0]) == len(many)
    assert (tmp_path / "own").is_dir()  # made by the first spill
    tables = TablesInDuckDb(POSITION, memory_bytes=60_000_000, threads=1, spill="")
    with pytest.raises(duckdb.OutOfMemoryException):
        tables.found(select, {"many": many}, {"many": ["a", "b"]})


def test_a_disk_that_is_full_while_it_spills_costs_the_engine_one_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"engine": "duckdb", "memory_bytes": 400_000_000}
    opened = Workspace.open(tmp_path, tables={"users": USERS, "orders": ORDERS}, settings=settings)
    broken, *others = [result.run for result in checked(opened, *RULES[:2])]
    policy_of, select_of = Bench._policy, deputy.select_for

    def small(bench: Bench) -> Policy:
        policy = policy_of(bench)
        return replace(policy, limits=replace(policy.limits, file_bytes=4 * 1024**2))

    def spilling(constraint: Any, *rest: Any, **how: Any) -> str:
        if constraint != broken.constraint:
            return select_of(constraint, *rest, **how)
        texts = "SELECT range AS n, md5(range::text) || repeat('x', 300) AS b FROM range(1000000)"
        return f"SELECT min(n) AS position, 0 AS left_open FROM ({texts}) GROUP BY b HAVING count(*) > 1"

    opened.bench.close()
    monkeypatch.setattr(Bench, "_policy", small)
    monkeypatch.setattr(deputy, "select_for", spilling)
    again, *kept = [result.run for result in opened.run([run.check_id for run in (broken, *others)])]
    opened.close()
    assert (again.verdict, again.engine, again.positions) == (broken.verdict, "", broken.positions)
    assert [(run.verdict, run.engine) for run in kept] == [(run.verdict, ENGINE) for run in others]
    (note,) = again.notes
    assert note.startswith(f"ran as pandas and in no engine: {ENGINE}: ")
    assert "IO Error: " in note
    assert "File too large" in note
    assert "\n" not in note


def test_the_time_of_a_check_is_over_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (result,) = checked(workspace, RULES[0])
    endless = "SELECT count(*) AS position, 0 AS left_open FROM range(10000000000) a, range(10000000000) b"
    monkeypatch.setattr(deputy, "select_for", lambda *_, **__: endless)
    settings = workspace.settings.model_copy(update={"wall_seconds": 1.0})
    run = replace(workspace, settings=settings).run_saved(result.run.check_id).run
    assert (run.verdict, run.engine) == ("ERROR", ENGINE)
    assert "1" in run.error
