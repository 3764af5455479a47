"""Files as people have them: written dates, short rows, separators of two signs. What is decided is noted."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats.opening import read_file
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.errors import TableUnreadable


def reading(tmp_path: Path, content: str, name: str = "t.csv", **said: object) -> tuple[dict[str, Any], str]:
    path = tmp_path / name
    path.write_text(content)
    found = read_file(path, ReadOptions.model_validate(said))
    assert not isinstance(found.content, pd.DataFrame)
    return found.content.to_pydict(), " | ".join(found.notes)


@pytest.mark.parametrize(
    ("first", "second", "read", "noted"),
    [
        ("31.12.2026", "01.02.2026", datetime(2026, 2, 1), 'dates with the day first ("31.12.2026")'),
        ("01.02.2026", "03.04.2026", datetime(2026, 4, 3), "dates with the day first"),  # so with points everywhere
        ("31/12/2026", "01/02/2026", datetime(2026, 2, 1), "dates with the day first"),
        ("12/31/2026", "01/02/2026", datetime(2026, 1, 2), "dates with the month first"),
        ("31/12/2026 23:59", "01/02/2026 08:30", datetime(2026, 2, 1, 8, 30), "dates with the day first"),
        ("31-12-2026 23:59:58", "01-02-2026 08:30:01", datetime(2026, 2, 1, 8, 30, 1), "dates with the day first"),
        ("01/02/2026", "03/04/2026", "03/04/2026", 'say dates = "day first" or dates = "month first"'),
        ("31/12/2026", "12/31/2026", "12/31/2026", "are no dates in one and the same order"),
        ("31.12.2026", "31.02.2026", "31.02.2026", '"31.02.2026" is no date, so all its values stay text'),
        ("31.12.2026", "soon", "soon", ""),
        ("31.12.2026", "01/02/2026", "01/02/2026", ""),
    ],
)
def test_a_written_date_is_read_where_one_reading_is_left(
    tmp_path: Path, first: str, second: str, read: object, noted: str
) -> None:
    found, notes = reading(tmp_path, f"n,d\n1,{first}\n2,\n3,{second}\n")
    assert found["d"][2] == read
    assert found["d"][1] is None
    assert noted in notes
    assert bool(noted) == bool(notes)


@pytest.mark.parametrize(
    ("dates", "read"),
    [("day first", datetime(2026, 4, 3)), ("month first", datetime(2026, 3, 4)), ("text", "03/04/2026")],
)
def test_a_person_decides_what_may_be_read_in_two_ways(tmp_path: Path, dates: str, read: object) -> None:
    assert reading(tmp_path, "d\n01/02/2026\n03/04/2026\n", dates=dates)[0]["d"][1] == read


def test_dates_of_a_large_file_are_read_from_the_cache_as_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("d\n" + "31.12.2026\n" * 200_000)
    for _ in range(2):
        frame = Catalog(tmp_path, cache=tmp_path / "kept").frame("t")
        assert frame["d"].dtype == "datetime64[us]"
        assert frame["d"].iloc[-1] == pd.Timestamp(2026, 12, 31)


def test_what_short_rows_lack_is_missing_and_counted(tmp_path: Path) -> None:
    found, notes = reading(tmp_path, 'a,b,c\n1,x\n2,"y,\n",z\n3\n')
    assert found == {"a": [1, 2, 3], "b": ["x", "y,\n", None], "c": [None, "z", None]}
    assert "shorter rows (2): what they lack is missing" in notes


def test_long_rows_are_refused_with_their_lines(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadable, match=r"t\.csv has 2 columns, and more values in 2 of its lines \(3, 5\)"):
        reading(tmp_path, "a,b\n1\n1,2,3\n4,5\n6,7,8\n")


def test_short_rows_are_refused_where_a_person_says_so(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadable, match="Expected 2 columns, got 1"):
        reading(tmp_path, "a,b\n1\n2,3\n", ragged="refuse")


@pytest.mark.parametrize("name", ["t.dat", "t.data", "t.txt"])
@pytest.mark.parametrize(
    ("content", "second"),
    [
        ("1::Toy Story (1995)::Animation|Comedy\n2::Heat (1995)::Action\n", [2, "Heat (1995)", "Action"]),
        (
            '18.0   8   307.0\t"chevrolet chevelle"\n15.5   6   350.0\t"buick skylark"\n',
            [15.5, 6, 350.0, "buick skylark"],
        ),
        ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-virginica\n", [4.9, 3.0, "Iris-virginica"]),
    ],
)
def test_a_file_whose_suffix_does_not_tell_is_cut_as_it_is_written(
    tmp_path: Path, name: str, content: str, second: list[object]
) -> None:
    found, notes = reading(tmp_path, content, name)
    assert [values[1] for values in found.values()] == second
    assert "no line of column names" in notes
