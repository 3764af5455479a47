"""Corrections of values: typed by the column's kind, kept in a patch, and made only in rows that are what they were."""

import json
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.corrections.applying import corrected, pandas_lines, standings
from pandas_magic.corrections.correction import Correction, plain
from pandas_magic.corrections.patch_file import PatchFile
from pandas_magic.corrections.typed_values import kind_in, shown_for_typing, typed
from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace
from pandas_magic.workspace.trying import correct
from tests.commands import run_command

FRAME = pd.DataFrame(
    {
        "id": [1, 2, 2, 4],
        "small": pd.array([1, 2, 3, 4], dtype="uint8"),
        "paid": [1.5, None, -2.0, 3.0],
        "name": ["a", None, "", "d"],
        "flag": [True, False, True, True],
        "at": pd.to_datetime(["2024-01-01", None, "2024-03-01", "2024-02-01"]),
        "zoned": pd.to_datetime(["2024-01-01T08:00"] * 4).tz_localize("Europe/Berlin"),
        "day": [date(2024, 1, 2), None, date(2023, 1, 1), date(2024, 1, 1)],
        "price": [Decimal("1.10"), Decimal("2.20"), None, Decimal("0.30")],
        "kind": pd.Categorical(["b", "a", None, "b"]),
        "mixed": ["x", 5, None, [1, 2]],
    },
    index=pd.Index([10, 11, 12, 13], name="key"),
)


def correction(column: str, position: int, text: str, *, key: bool = True) -> Correction:
    old = FRAME[column].iloc[position]
    kind = kind_in(FRAME[column], old)
    others = ["id"] if key else [name for name in FRAME.columns if name != column]
    return Correction(
        table="orders",
        position=position,
        row={name: plain(FRAME[name].iloc[position]) for name in others if name != column},
        column=column,
        kind=kind,
        old=plain(old),
        new=typed(text, kind, FRAME[column]),
        by="jo@example.com",
        at="2026-11-24T08:00:00Z",
    )


# column, row, what is typed, and what the column has there then
TYPED = [
    ("id", 0, "-7", -7),
    ("id", 1, "", pd.NA),
    ("small", 1, "255", 255),
    ("paid", 1, "2.50", 2.5),
    ("paid", 0, "", None),
    ("name", 0, " with spaces ", " with spaces "),
    ("name", 1, '""', ""),
    ("name", 2, "", None),
    ("flag", 0, "No", False),
    ("at", 1, "2024-05-01T10:30", pd.Timestamp("2024-05-01T10:30")),
    ("zoned", 1, "2024-05-01T10:30+02:00", pd.Timestamp("2024-05-01T10:30", tz="Europe/Berlin")),
    ("day", 1, "2024-02-29", date(2024, 2, 29)),
    ("price", 2, "12.50", Decimal("12.50")),
    ("kind", 2, "a", "a"),
    ("mixed", 0, "y", "y"),
]


@pytest.mark.parametrize(("column", "position", "text", "expected"), TYPED)
def test_what_is_typed_becomes_a_value_of_the_column_in_a_copy_and_by_the_lines_of_pandas(
    column: str, position: int, text: str, expected: Any
) -> None:
    before = FRAME.copy(deep=True)
    made = Correction.from_dict(correction(column, position, text).model_dump(mode="json"))
    copy = corrected(FRAME, [made])
    mine = {"orders": FRAME.copy(deep=True)}
    exec(pandas_lines([made]), mine)
    for frame in (copy, mine["orders"]):
        value = frame[column].iloc[position]
        assert (pd.isna(value) and pd.isna(expected)) or value == expected
        pd.testing.assert_frame_equal(frame.drop(columns=column), before.drop(columns=column))
    others = [place for place in range(len(FRAME)) if place != position]
    pd.testing.assert_series_equal(copy[column].iloc[others], before[column].iloc[others], check_dtype=False)
    pd.testing.assert_frame_equal(FRAME, before)


@pytest.mark.parametrize(
    ("column", "position", "text", "said"),
    [
        ("id", 0, "1.5", '"1.5" is not a whole number, such as 12, which "id" holds'),
        ("id", 0, "1,000", '"1,000" is not a whole number, such as 12, which "id" holds'),
        ("id", 0, "9" * 20, f'"id" (int64) cannot hold {"9" * 20}'),
        ("small", 0, "256", '"small" (uint8) cannot hold 256'),
        ("paid", 0, "nan", '"nan" is not a number, such as 12.5, which "paid" holds'),
        ("paid", 0, "1e999", '"paid" (float64) cannot hold inf'),
        ("flag", 0, "maybe", '"maybe" is not true or false, which "flag" holds'),
        ("at", 0, "01/02/2024", '"01/02/2024" is not a time, such as 2026-01-31 or 2026-01-31T08:00, which "at" holds'),
        ("at", 0, "2024-01-01T00:00Z", 'times of "at" are written without an offset'),
        ("zoned", 0, "2024-01-01", 'times of "zoned" are written with their offset, such as 2026-01-31T08:00+00:00'),
        ("kind", 0, "c", '"c" is none of the categories of "kind": "a", "b"'),
        ("mixed", 2, "y", 'the values of "mixed" (object) are of no one kind that can be typed; correct it in code'),
        ("mixed", 3, "y", 'the values of "mixed" (object) are of no one kind that can be typed; correct it in code'),
    ],
)
def test_what_the_column_cannot_hold_gets_one_line(column: str, position: int, text: str, said: str) -> None:
    with pytest.raises(UsageMistake) as refused:
        correction(column, position, text)
    assert str(refused.value) == said


def test_a_value_of_several_lines_is_not_typed_in_a_field() -> None:
    assert [shown_for_typing(value) for value in (None, "", "a b", 2.5)] == ["", '""', "a b", "2.5"]
    with pytest.raises(UsageMistake, match="line breaks"):
        shown_for_typing("a\nb")


def _moved(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[[1, 0, 2, 3]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda frame: frame, ""),
        (lambda frame: frame.assign(name="other"), ""),
        (lambda frame: frame.assign(paid=[9.0, None, -2.0, 3.0]), "it is 9.0 now, and was 1.5"),
        (lambda frame: frame.assign(paid=[5, 0, -2, 3]), "it is 5 already"),
        (_moved, "another row stands there now: id is 2, and was 1"),
        (lambda frame: frame.drop(columns="paid"), 'orders has no column "paid" of its own any more'),
        (lambda frame: frame.iloc[:0], "orders has 0 rows now, and no row 0"),
        (lambda frame: None, 'no table "orders"'),
    ],
)
def test_a_row_that_moved_and_a_value_that_changed_are_told(change: Any, said: str) -> None:
    made = correction("paid", 0, "5")
    now = change(FRAME.drop(columns="mixed"))
    why_not = standings([made], Catalog(given={} if now is None else {"orders": now}))[made.cell]
    assert why_not.startswith(said) and bool(why_not) == bool(said)
    if said and now is not None:
        mine = {"orders": now.copy(deep=True)}
        with pytest.raises((ValueError, KeyError, IndexError)):
            exec(pandas_lines([made]), mine)
        pd.testing.assert_frame_equal(mine["orders"], now)


def test_without_a_key_a_row_is_known_by_all_its_other_values_even_where_several_are_corrected() -> None:
    frame = FRAME.drop(columns="mixed")
    made = [correction(column, 1, text, key=False) for column, text in (("paid", "2"), ("name", "b"))]
    made = [one.model_copy(update={"row": {c: v for c, v in one.row.items() if c != "mixed"}}) for one in made]
    assert set(standings(made, Catalog(given={"orders": frame})).values()) == {""}
    mine = {"orders": frame.copy(deep=True)}
    exec(pandas_lines(made), mine)
    assert list(mine["orders"].iloc[1][["paid", "name"]]) == [2.0, "b"]
    twins = frame.assign(day=None)
    assert (
        "day is missing, and was 2024-01-02"
        in standings(
            [correction("paid", 0, "5", key=False).model_copy(update={"row": {"day": "2024-01-02"}})],
            Catalog(given={"orders": twins}),
        )["orders", 0, "paid"]
    )


def test_a_patch_keeps_the_first_old_value_and_forgets_what_is_as_it_was(tmp_path: Path) -> None:
    patch = PatchFile(tmp_path / "checks", lock_folder=tmp_path)
    first, other = correction("paid", 0, "5"), correction("name", 0, "b")
    assert patch.put(first) == first and patch.put(other) == other
    again = first.model_copy(update={"old": 5.0, "new": 6.0})
    assert patch.put(again) == first.model_copy(update={"new": 6.0})
    assert [one.new for one in patch.read()] == ["b", 6.0]
    assert patch.put(first.model_copy(update={"new": 1.5})) is None
    with pytest.raises(UsageMistake, match="no correction 2; patch lists the 1 there are"):
        patch.take_back(2)
    assert patch.take_back(1) == other and not patch.path.exists()
    patch.path.write_text('{"corrections": [{"table": "orders"}]}')
    with pytest.raises(StateUnreadable, match=r"patch\.json is no patch that can be read"):
        patch.read()


def test_a_key_of_many_digits_is_kept_beside_fractions_as_it_is(tmp_path: Path) -> None:
    orders = pd.DataFrame({"order_id": [2**53 + 1, 2**53], "total": [1.5, 2.5]})
    with closing(Workspace.open(tmp_path, tables={"orders": orders})) as workspace:
        made = correct(workspace, "orders", orders, at=0, position=0, column="total", text="2")
    assert made is not None
    assert made.row == {"order_id": 2**53 + 1}
    assert isinstance(made.row["order_id"], int)


def test_a_terminal_sets_lists_tries_and_takes_back_corrections(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order_id,amount\n7,5\n8,-1\n9,-3\n")
    with closing(Workspace.open(tmp_path)) as workspace:
        workspace.check(CheckRequest(rule="orders.amount must not be negative", id="CHK-001"))

    def said(*words: str) -> str:
        done = run_command(*words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert said("patch").startswith("nothing is corrected")
    assert said("patch", "set", "orders", "amount", "1", "--key", "order_id=8").startswith(
        "corrected: orders, row 1, amount: -1 → 1"
    )
    assert "row 2, amount: -3 → 3" in said("patch", "set", "orders", "amount", "3", "--row", "2")
    listed = json.loads(said("patch", "--json"))
    assert [(row["row of"], row["new"], row["today"]) for row in listed["rows"]] == [
        ("order_id 8", "1", "fits"),
        ("order_id 9", "3", "fits"),
    ]
    tried = said("patch", "try")
    assert "1 of 1 check would pass that did not" in tried and "2 → 0 failing rows" in tried
    mine: dict[str, Any] = {"orders": pd.read_csv(tmp_path / "orders.csv")}
    exec(said("patch", "code"), mine)
    assert mine["orders"]["amount"].tolist() == [5, 1, 3]
    assert said("patch", "undo", "1").startswith("taken back: orders, row 1")
    assert said("patch", "set", "orders", "amount", "-3", "--row", "2").strip() == "orders, row 2, amount: as it was"
    assert not (tmp_path / "checks" / "patch.json").exists()

    refusals = {
        ("patch", "set", "orders", "amount", "1"): "takes the row by --key COLUMN=VALUE or by --row POSITION",
        ("patch", "set", "orders", "amount", "1", "--row", "3"): "orders has 3 rows, and no row 3; the first is 0",
        ("patch", "set", "orders", "amount", "1", "--key", "amount=5", "--row", "0"): "takes the row by --key",
        ("patch", "set", "orders", "amount", "1", "--key", "order_id=10"): "0 rows of orders have order_id 10",
        ("patch", "set", "orders", "amount", "one", "--row", "0"): '"one" is not a whole number',
        ("patch", "set", "orders", "size", "1", "--row", "0"): 'orders has no column "size"',
        ("patch", "set", "orders", "amount", "1", "--key", "size=1"): 'no column "size"',
        ("patch", "apply"): "behind it may stand try, code, undo NUMBER",
    }
    for words, why in refusals.items():
        done = run_command(*words, folder=tmp_path)
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr
    assert (tmp_path / "orders.csv").read_text() == "order_id,amount\n7,5\n8,-1\n9,-3\n"
