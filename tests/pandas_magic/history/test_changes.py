"""New, still failing, fixed: rows known again by key, by whole rows, or honestly not at all."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.clock import stopped_at
from pandas_magic.history.comparison import NotComparable, compare
from pandas_magic.history.failing_rows import kept_positions
from pandas_magic.history.journal import Journal
from pandas_magic.history.keys import key_of
from pandas_magic.history.pruning import Keeping
from pandas_magic.history.run import Changes, Run

MakeRun = Callable[..., Run]


def orders(*ids: int, total: float = -1.0) -> pd.DataFrame:
    return pd.DataFrame({"order_id": list(ids), "total": total}, index=list(ids))


def changed(run: Run) -> tuple[int | None, int | None, int | None]:
    assert run.changes is not None
    return run.changes.new, run.changes.still, run.changes.fixed


def test_failing_rows_are_known_again_by_key_although_they_moved_and_changed(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    first = journal.keep(a_run("FAIL", rows=orders(1, 2, 3, 4, 5, 6), key=("order_id",)))
    assert first.changes is None
    again = journal.keep(a_run("FAIL", rows=orders(6, 9, 5, total=-7.5), key=("order_id",)))
    assert changed(again) == (1, 2, 4)
    assert again.changes is not None
    assert again.changes.in_words() == "1 new, 2 still failing, 4 fixed since 2026-11-01 02:00 (by order_id)"
    found = journal.compared(again)
    assert found.new["order_id"].tolist() == [9]
    assert found.still["order_id"].tolist() == [6, 5]
    assert found.fixed["order_id"].tolist() == [1, 2, 3, 4]


def test_without_a_key_a_row_is_all_that_it_holds(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    journal.keep(a_run("FAIL", rows=pd.DataFrame({"a": [1, 1, 2, None], "b": ["x", "x", None, "y"]})))
    again = journal.keep(a_run("FAIL", rows=pd.DataFrame({"a": [None, 1, 3, 1, 1], "b": ["y", "x", None, "x", "x"]})))
    assert changed(again) == (2, 3, 1)


def test_the_same_rows_again_are_all_still_failing_and_are_not_read_to_know_it(
    tmp_path: Path, a_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "j")
    journal.keep(a_run("FAIL", rows=orders(1, 2, 3), key=("order_id",)))
    with monkeypatch.context() as patch:
        patch.setattr(journal, "kept_rows", lambda _: pytest.fail("the earlier rows were read"))
        again = journal.keep(a_run("FAIL", rows=orders(1, 2, 3), key=("order_id",)))
    assert changed(again) == (0, 3, 0) and again.changes is not None and again.changes.by == ("order_id",)
    assert journal.compared(again).still["order_id"].tolist() == [1, 2, 3]


def test_a_pass_fixes_all_and_a_failure_after_it_is_all_new(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    journal.keep(a_run("FAIL", rows=orders(1, 2)))
    assert changed(journal.keep(a_run("PASS", rows=orders()))) == (0, 0, 2)
    journal.keep(a_run("ERROR"))
    assert changed(journal.keep(a_run("FAIL", rows=orders(1)))) == (1, 0, 0)


@pytest.mark.parametrize(
    ("said", "rows", "reason"),
    [
        ({"rule_digest": "other"}, orders(1), "the rule changed"),
        ({"code_digest": "other"}, orders(1), "the code changed"),
        (
            {"fingerprints": {"orders": ""}},
            orders(1),
            "orders was the workspace's own and is a DataFrame",
        ),
        ({"key": ("order_id",)}, pd.DataFrame({"id": [1]}), 'the failing rows now have no column "order_id"'),
        ({"key": ("uuid",)}, orders(1).assign(uuid="a"), 'the failing rows then have no column "uuid"'),
        (
            {"key": ("order_id",)},
            pd.DataFrame({"order_id": ["A1"], "total": [-1.0]}),
            'column "order_id" was int64 and is now str',
        ),
        ({}, orders(1).assign(note="x"), "the table has no key, and its columns changed"),
    ],
)
def test_what_cannot_be_compared_says_why(
    tmp_path: Path, a_run: MakeRun, said: dict[str, object], rows: pd.DataFrame, reason: str
) -> None:
    journal = Journal(tmp_path / "j")
    journal.keep(a_run("FAIL", rows=orders(1, 2), fingerprints={"orders": "of a file"}))
    again = journal.keep(a_run("FAIL", rows=rows, **said))
    assert again.changes == Changes(
        against="run-0001",
        since="2026-11-01T02:00:00Z",
        incomparable=again.changes.incomparable if again.changes else "",
    )
    assert again.changes.incomparable == reason
    assert again.changes.in_words() == f"not comparable with the run of 2026-11-01 02:00: {reason}"
    with pytest.raises(NotComparable, match=reason.split('"')[0]):
        journal.compared(again)


def test_rows_that_were_deleted_are_not_compared(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    first = journal.keep(a_run("FAIL", rows=orders(1, 2)))
    (tmp_path / first.artifact).unlink()
    again = journal.keep(a_run("FAIL", rows=orders(1)))
    assert again.changes is not None
    assert again.changes.incomparable == "the failing rows of that run are gone"


def test_rows_that_are_no_rows_of_the_table_are_not_compared(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    totals = pd.DataFrame({"sum": [5]})
    journal.keep(a_run("FAIL").holding(totals, None))
    assert journal.keep(a_run("FAIL").holding(totals, None)).changes is None


def test_integers_that_became_floats_are_the_same_keys() -> None:
    before = pd.DataFrame({"id": [1, 2]})
    now = pd.DataFrame({"id": [2.0, None]})
    found = compare(before, now, ("id",))
    assert (len(found.new), len(found.still), len(found.fixed)) == (1, 1, 1)


@pytest.mark.feature("E08")
@pytest.mark.feature("C31")
def test_every_failing_row_is_kept_with_reason_position_and_key(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path / "j")
    run = a_run("FAIL", rows=orders(7, 9), positions=(3, 12), key=("order_id",), reason="an order below zero")
    kept = journal.keep(run)
    assert kept.artifact == f"j/artifacts/{run.run_id}/violations.parquet"
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / kept.artifact), orders(7, 9))
    keys = pd.read_parquet(tmp_path / "j" / "artifacts" / run.run_id / "failing_keys.parquet")
    assert keys.to_dict("list") == {
        "reason": ["an order below zero"] * 2,
        "position": [3, 12],
        "order_id": [7, 9],
    }
    assert kept_positions(tmp_path / "j", run.run_id) == [3, 12]


def test_a_key_is_unique_and_looks_like_an_id() -> None:
    columns = {"name": "str", "line_no": "int64", "order_id": "int64", "weight": "float64", "id_date": "datetime64[us]"}
    table = Table(name="orders", columns=columns, keys=("name", "line_no", "order_id", "weight", "id_date"))
    assert key_of(table, {}) == ("order_id",)
    assert key_of(table.model_copy(update={"keys": ("name", "line_no")}), {}) == ("line_no",)
    assert key_of(table.model_copy(update={"keys": ("name", "weight")}), {}) == ()
    assert key_of(table, {"orders": ("name", "line_no")}) == ("name", "line_no")


def test_old_rows_are_deleted_but_never_those_of_the_last_failure_or_the_last_run(
    tmp_path: Path, a_run: MakeRun
) -> None:
    journal = Journal(tmp_path / "j")
    runs = [journal.keep(a_run("FAIL", rows=orders(day), at=f"2026-11-{day:02d}T02:00:00Z")) for day in range(1, 6)]
    journal.keep(a_run("PASS", rows=orders(), at="2026-11-06T02:00:00Z"))
    other = journal.keep(a_run("FAIL", rows=orders(1), check_id="CHK-002", at="2026-10-01T02:00:00Z"))
    # Runs aside go by themselves.
    days = ["2026-10-30T02:00:00Z", "2026-10-31T02:00:00Z"]
    parts = [journal.keep(a_run("FAIL", rows=orders(1), at=day, since="day=2026-10-29")) for day in days]
    edited = journal.keep(a_run("FAIL", rows=orders(1), check_id="CHK-003", at=days[0], edited=True))
    with stopped_at(datetime(2026, 11, 7, tzinfo=UTC)):
        assert journal.prune(Keeping(runs=0, days=0)) == []
        assert journal.prune(Keeping(days=3.5)) == [run.run_id for run in (*runs[:3], parts[0])]
        assert journal.prune(Keeping(runs=1)) == [runs[3].run_id]
        assert journal.prune(Keeping(runs=1, days=0.5)) == []
    assert journal.kept_rows(runs[4].run_id) is not None
    assert journal.kept_rows(other.run_id) is not None
    assert journal.kept_rows(parts[1].run_id) is not None
    assert journal.kept_rows(edited.run_id) is not None
    assert [run.run_id for run in journal.history.runs("CHK-001")][:5] == [run.run_id for run in runs]
    assert len(journal.history.runs("CHK-001")) == 6
