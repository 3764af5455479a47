"""Checks of a batch whose code is the compiler's own share a kernel and its tables; all other code runs alone."""

import dataclasses
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from kernel_sandbox import Execution, Sandbox
from pandas_magic.checking import ahead, own_code
from pandas_magic.checking.abstentions import Beside
from pandas_magic.checking.batch import Onlooker
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.record import digest
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace

ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 3, 5],
        "status": ["paid", "open", "lost", "lost", None],
        "total": [5.0, -7.0, 9.0, 9.0, None],
        "quantity": [1, 2, 3, 3, 0],
    }
)
RULES = {
    "TOTAL": "orders.total must not be negative",
    "STATUS": "orders.status must be one of 'paid', 'open'",
    "ALIKE": "no two rows of orders may be identical",
    "MEAN": "the average total of orders must be between 0 and 3",
}
FOUND = {"TOTAL": 1, "STATUS": 2, "ALIKE": 2, "MEAN": 1}


class Seen:
    """What was staged and executed in the kernels, in order; `fail` lets the next executions of such code end so."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.staged: list[tuple[str, int]] = []
        self.renewed = 0
        self.executed: list[str] = []
        self.fail: dict[str, list[str]] = {}
        stage, execute, renew = Sandbox.stage, Sandbox.execute, Sandbox.renew

        def seen_stage(sandbox: Sandbox, name: str, table: pd.DataFrame, *, lend: bool = False) -> object:
            self.staged.append((name, len(table.columns)))
            return stage(sandbox, name, table, lend=lend)

        def seen_execute(sandbox: Sandbox, code: str, **options: object) -> Execution:
            self.executed.append(code)
            for instead in [instead for part, instead in self.fail.items() if instead and part in code]:
                code = instead.pop()
            return execute(sandbox, code, **options)  # type: ignore[arg-type] # as they came

        def seen_renew(sandbox: Sandbox) -> None:
            self.renewed += 1
            renew(sandbox)

        patch.setattr(Sandbox, "stage", seen_stage)
        patch.setattr(Sandbox, "execute", seen_execute)
        patch.setattr(Sandbox, "renew", seen_renew)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, bench: Bench) -> Path:
    folder = tmp_path_factory.mktemp("compiled")
    opened = dataclasses.replace(Workspace.open(folder, tables={"orders": ORDERS}), bench=bench)
    for check_id, rule in RULES.items():
        opened.check(CheckRequest(rule, id=check_id))
    return folder


@pytest.fixture
def workspace(compiled: Path, tmp_path: Path, bench: Bench) -> Workspace:
    folder = shutil.copytree(compiled, tmp_path, dirs_exist_ok=True)
    return dataclasses.replace(Workspace.open(folder, tables={"orders": ORDERS}), bench=bench)


@pytest.fixture
def seen(workspace: Workspace) -> Iterator[Seen]:
    workspace.bench.forget()
    with pytest.MonkeyPatch.context() as patch:
        yield Seen(patch)


def counts(workspace: Workspace) -> dict[str, int | None]:
    return {result.run.check_id: result.run.violation_count for result in workspace.run()}


def edit(workspace: Workspace, check_id: str, code: str) -> None:
    """Code that somebody accepted in place of the compiler's."""
    compiled = workspace.registry.load()[check_id]
    workspace.registry.save(compiled.model_copy(update={"code": code, "code_digest": digest(code)}))


def test_a_table_is_staged_once_with_what_all_checks_read(workspace: Workspace, seen: Seen) -> None:
    assert counts(workspace) == FOUND
    assert seen.staged == [("orders", 4)]
    assert seen.renewed == 1


def test_nothing_that_was_staged_before_is_judged_again(workspace: Workspace) -> None:
    # A single check, a batch, a batch on other tables, and a batch on tables that changed in place.
    assert workspace.run_saved("TOTAL").run.violation_count == FOUND["TOTAL"]
    orders = ORDERS.copy()
    now = Workspace.open(workspace.base_dir, tables={"orders": orders})
    later = dataclasses.replace(now, bench=workspace.bench)
    assert counts(workspace) == counts(later) == FOUND
    orders["total"] = 1.0
    assert counts(later) == {**FOUND, "TOTAL": 0, "MEAN": 0}
    orders["total"] = -1.0
    assert later.run_saved("TOTAL").run.violation_count == len(orders)
    orders["total"] = 1.0
    assert counts(later) == {**FOUND, "TOTAL": 0, "MEAN": 0}


def test_other_code_gets_a_kernel_in_which_nothing_has_run_and_leaves_none_to_ours(
    workspace: Workspace, seen: Seen
) -> None:
    spoiling = (
        'violations = orders[orders["order_id"].duplicated(keep=False)]\n'
        'orders.loc[:, "status"] = "paid"\n'
        "pd.Series.mean = None"
    )
    edit(workspace, "ALIKE", spoiling)
    assert counts(workspace) == FOUND
    # For the edited code, for the rule's own beside it, and for all of ours after them.
    assert seen.renewed == 3


@pytest.mark.parametrize(
    "instead", ["raise ValueError('no')", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"]
)
def test_what_dies_beside_others_is_tried_by_itself_and_then_alone(
    workspace: Workspace, seen: Seen, instead: str
) -> None:
    for times, kernels in ((1, 2), (2, 4)):
        seen.renewed, seen.fail['orders["status"].isin'] = 0, [instead] * times
        workspace.bench.forget()
        assert counts(workspace) == FOUND
        # The kernel in which it died and the next; the one for itself alone, and one for the checks that follow.
        assert seen.renewed == kernels


def test_what_takes_too_long_is_an_error_and_the_others_are_judged(workspace: Workspace, seen: Seen) -> None:
    seen.fail['orders["status"].isin'] = ["while True: pass"] * 2
    quick = workspace.settings.model_copy(update={"wall_seconds": 1.0})
    results = {each.run.check_id: each.run for each in dataclasses.replace(workspace, settings=quick).run()}
    assert results["STATUS"].verdict == Verdict.ERROR
    assert "longer than its 1 s" in results["STATUS"].error
    assert {name: run.violation_count for name, run in results.items() if name != "STATUS"} == {
        name: count for name, count in FOUND.items() if name != "STATUS"
    }


def test_side_by_side_they_find_the_same(workspace: Workspace) -> None:
    batch = workspace.run_batch(workspace.chosen(), jobs=2)
    assert {each.run.check_id: each.run.violation_count for each in batch.results} == FOUND


def test_rows_keep_the_index_and_columns_of_their_owner(tmp_path: Path, bench: Bench) -> None:
    named = ORDERS.set_axis(list("abcde"), axis=0).assign(note="x")
    opened = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": named}), bench=bench)
    result = opened.check(CheckRequest(RULES["STATUS"]))
    pd.testing.assert_frame_equal(result.violations, named.loc[["c", "d"]])


def test_a_check_that_runs_again_keeps_its_kernel_and_files_that_did_not_change(tmp_path: Path, bench: Bench) -> None:
    path = tmp_path / "orders.csv"
    ORDERS.to_csv(path, index=False)
    opened = dataclasses.replace(Workspace.open(tmp_path), bench=bench)
    opened.check(CheckRequest(RULES["TOTAL"], id="TOTAL"))
    with pytest.MonkeyPatch.context() as patch:
        seen = Seen(patch)
        found = [opened.run_saved("TOTAL").run.violation_count for _ in range(3)]
        assert (found, seen.renewed, seen.staged) == ([1, 1, 1], 0, [])
        ORDERS.assign(total=-1.0).to_csv(path, index=False)
        assert opened.run_saved("TOTAL").run.violation_count == len(ORDERS)
        assert (seen.renewed, seen.staged) == (0, [("orders", 1)])


def test_a_frame_is_staged_anew_in_the_same_kernel(tmp_path: Path, bench: Bench) -> None:
    orders = ORDERS.copy()
    opened = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": orders}), bench=bench)
    opened.check(CheckRequest(RULES["TOTAL"], id="TOTAL"))
    with pytest.MonkeyPatch.context() as patch:
        seen = Seen(patch)
        orders.loc[:1, "total"] = [-1.0, -1.0]
        assert opened.run_saved("TOTAL").run.violation_count == 2
        assert (seen.renewed, seen.staged) == (0, [("orders", 1)])


def test_edited_code_between_two_runs_of_ours_leaves_nothing_in_the_kernel(workspace: Workspace, seen: Seen) -> None:
    assert workspace.run_saved("STATUS").run.violation_count == FOUND["STATUS"]
    spoiling = 'violations = orders.head(0)\norders.loc[:, "status"] = "paid"\npd.Series.isin = None'
    edited = workspace.run_saved("STATUS", code=spoiling, allow_edited=True)
    assert edited.run.violation_count == 0
    assert workspace.run_saved("STATUS").run.violation_count == FOUND["STATUS"]
    # For the first run, for the edited code, and for ours after it.
    assert seen.renewed == 3


def test_tables_that_are_used_no_more_do_not_pile_up_in_the_kernel(tmp_path: Path, bench: Bench) -> None:
    users = ORDERS.rename(columns={"order_id": "user_id"})
    opened = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": ORDERS, "users": users}), bench=bench)
    for table in ("orders", "users"):
        opened.check(CheckRequest(f"{table}.total must not be negative", id=table))
    with pytest.MonkeyPatch.context() as patch:
        seen = Seen(patch)
        assert opened.run_saved("orders").run.violation_count == 1
        assert seen.renewed == 0
        patch.setattr(bench, "_settings", bench._settings.model_copy(update={"memory_bytes": 1}))
        assert opened.run_saved("users").run.violation_count == 1
        assert seen.renewed == 1


def test_checks_on_small_tables_are_looked_at_together(workspace: Workspace, seen: Seen) -> None:
    assert counts(workspace) == FOUND
    assert len([code for code in seen.executed if "position" in code]) == 1


def test_checks_on_large_tables_run_one_by_one(
    workspace: Workspace, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_code, "MOST_ROWS", len(ORDERS))
    assert counts(workspace) == FOUND
    assert len([code for code in seen.executed if "position" in code]) == 3


def test_a_check_that_raises_beside_others_is_run_by_itself(
    workspace: Workspace, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_raises(checks: Sequence[tuple[CompiledCheck, Beside]]) -> str:
        first = checks[0][0].model_copy(update={"code": "raise ValueError"})
        return ahead.gathering_code([(first, checks[0][1]), *checks[1:]])

    monkeypatch.setattr(own_code, "gathering_code", one_raises)
    assert counts(workspace) == FOUND
    assert len([code for code in seen.executed if "position" in code]) == 2
    assert seen.renewed == 1


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("few = orders.head(2)\nviolations = few[~(few['a'] > 1)]", "violations = few.index[~(few['a'] > 1)]"),
        ("violations = orders[\n    orders['a'] > 1\n]", "violations = orders.index[orders['a'] > 1]"),
        ("violations = broken if len(broken) else broken.iloc[:0]", "violations = broken if"),
        ("violations = found[['a']]", "violations = found[['a']]"),
    ],
)
def test_rows_that_are_only_counted_are_not_copied(code: str, counted: str) -> None:
    assert counted in ahead.counting_code("_other", code)


def test_what_a_check_keeps_and_leaves_open_is_counted_as_it_runs(tmp_path: Path, bench: Bench) -> None:
    orders = pd.DataFrame({"status": ["paid", "open", None, "paid"], "total": [1.0, None, 2.0, 3.0]})
    opened = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": orders}), bench=bench)
    rules = {
        "PAID": "orders where status is 'paid': total must not be negative",
        "LARGE": "orders where total is above 100: status must be 'paid'",
        "SMALL": "orders where total is present: total must be at least 2",
    }
    for check_id, rule in rules.items():
        opened.check(CheckRequest(rule, id=check_id))
    with pytest.MonkeyPatch.context() as patch:
        seen = Seen(patch)
        runs = [opened.run_saved(check_id).run for check_id in rules]
        assert [(run.violation_count, run.not_judged, run.nothing_judged) for run in runs] == [
            (0, 1, False),
            (0, 1, True),
            (1, 0, False),
        ]
        assert len(seen.executed) == len(rules)
        found = {result.run.check_id: result.run for result in opened.run()}
        together = [found[check_id] for check_id in rules]
        assert [(run.summary, run.not_judged) for run in together] == [(run.summary, run.not_judged) for run in runs]
        assert len(seen.executed) == len(rules) + 1


def test_edited_and_stale_checks_are_not_looked_at_together(workspace: Workspace, seen: Seen) -> None:
    edit(workspace, "STATUS", 'violations = orders[~orders["status"].isin(["paid", "open", None])]')
    compiled = workspace.registry.load()["TOTAL"]
    schemas = {"orders": {**compiled.schemas["orders"], "total": "str"}}
    workspace.registry.save(compiled.model_copy(update={"schemas": schemas}))
    results = {each.run.check_id: each.run for each in workspace.run()}
    assert (results["TOTAL"].verdict, results["ALIKE"].violation_count) == (Verdict.ERROR, 2)
    assert results["STATUS"].violation_count == FOUND["STATUS"]
    assert not any("_check_1" in code for code in seen.executed)


def test_a_table_that_changes_after_its_rows_were_found_is_told(tmp_path: Path, bench: Bench) -> None:
    path = tmp_path / "orders.csv"
    ORDERS.to_csv(path, index=False)
    opened = dataclasses.replace(Workspace.open(tmp_path), bench=bench)
    for check_id in ("TOTAL", "STATUS"):
        opened.check(CheckRequest(RULES[check_id], id=check_id))

    def change(result: Result) -> None:
        ORDERS.assign(total=-1.0).to_csv(path, index=False)

    batch = opened.run_batch(opened.chosen(), watch=Onlooker(on_finished=change))
    first, second = (each.run for each in batch.results)
    assert first.verdict == Verdict.FAIL
    assert (second.verdict, "changed while the checks ran" in second.error) == (Verdict.ERROR, True)


def test_all_that_a_batch_reads_is_staged_while_its_kernel_comes_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_code, "MOST_ROWS", 0)
    (tmp_path / "data").mkdir()
    ORDERS.to_csv(tmp_path / "data" / "orders.csv", index=False)
    ORDERS[["order_id", "total"]].to_csv(tmp_path / "data" / "sums.csv", index=False)
    with closing(Workspace.open(tmp_path)) as workspace:
        for table in ("orders", "sums"):
            workspace.check(CheckRequest(f"{table}.total must not be negative", target=table))
    order: list[str] = []
    monkeypatch.setattr(Bench, "hand_over", _noting(order, Bench.hand_over))
    monkeypatch.setattr(own_code.OwnCode, "_execute", _noting(order, own_code.OwnCode._execute))
    with closing(Workspace.open(tmp_path)) as workspace:
        assert [result.run.violation_count for result in workspace.run()] == [1, 1]
    assert order == ["hand_over", "hand_over", "_execute", "_execute"]


def _noting(order: list[str], act: Callable[..., object]) -> Callable[..., object]:
    def noted(*what: object, **how: object) -> object:
        order.append(act.__name__)
        return act(*what, **how)

    return noted
