"""A cell of another kind than the rest of its column is named where a rule would be judged on it."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.errors import TableUnreadable

ROWS = [{"id": at, "x": at * 1.5} for at in range(1, 9)]
ROWS[5]["x"] = "n.v."  # type: ignore[assignment]
SAID = "holds 'n.v.' (str) in row 5 among numbers, so no rule can be judged on it; correct that cell"


def written(kind: str, tmp_path: Path) -> Any:
    frame = pd.DataFrame(ROWS)
    if kind == "frame":
        return frame
    path = tmp_path / f"t.{kind}"
    frame.to_excel(path, index=False) if kind == "xlsx" else path.write_text(json.dumps(ROWS))
    return path


@pytest.mark.parametrize("kind", ["frame", "json", "xlsx"])
def test_the_first_odd_cell_is_named_and_other_columns_are_judged(tmp_path: Path, kind: str) -> None:
    given = {"t": written(kind, tmp_path)}
    with pytest.raises(TableUnreadable) as caught:
        pandas_magic.check("x must be positive", tables=given)
    assert str(caught.value).startswith(f'column "x" of table "t" {SAID}')
    assert pandas_magic.check("id must be unique", tables=given).verdict == "PASS"


def test_a_sheet_is_named_by_its_table(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for sheet in ("Jan", "Feb"):
            pd.DataFrame(ROWS[: 5 if sheet == "Jan" else None]).to_excel(book, sheet_name=sheet, index=False)
    catalog = Catalog(tmp_path)
    assert len(catalog.frame("book_Jan", ["x"])) == 5
    with pytest.raises(TableUnreadable, match='of table "book_Feb" holds'):
        catalog.frame("book_Feb", ["x"])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([dt.date(2026, 1, 1), 45_000, dt.date(2026, 1, 2)], r"holds 45000 \(int\) in row 1 among dates"),
        ([1, True, 2], r"holds True \(bool\) in row 1 among numbers"),
        ([None, "a", 3.5, "b"], r"holds 3.5 \(float\) in row 2 among texts"),
        (["a" * 99, 1, 2], r"holds 'a{39}… \(str\) in row 0 among numbers"),
    ],
)
def test_the_kind_of_most_cells_is_that_of_the_column(values: list[object], said: str) -> None:
    catalog = Catalog(given={"t": pd.DataFrame({"x": pd.Series(values, dtype=object)})})
    with pytest.raises(TableUnreadable, match=said):
        catalog.frame("t", ["x"])


@pytest.mark.parametrize("values", [[[1], [2, 3]], [1, 2.5], [b"a", None], [{"a": 1}, {"b": 2}]])
def test_objects_of_one_kind_are_not_refused(values: list[object]) -> None:
    frame = pd.DataFrame({"x": pd.Series(values, dtype=object)})
    assert len(Catalog(given={"t": frame}).frame("t", ["x"])) == 2
