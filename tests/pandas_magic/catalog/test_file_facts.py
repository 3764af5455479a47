"""A table of many files is described by what is kept of each, as all of its rows together would be."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pandas_magic.catalog.arrow import PROBE_ROWS, describe_arrow
from pandas_magic.catalog.cache.columnar import ColumnarCache
from pandas_magic.catalog.formats import parquet
from pandas_magic.catalog.sources import file_pieces
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import OpenFiles
from pandas_magic.catalog.table import Table

OLD = 1_000_000_000  # seconds since 1970: a time of change that is long ago
SCHEMA = pa.schema(
    {
        "id": pa.int64(),
        "code": pa.string(),
        "few": pa.string(),
        "many": pa.large_string(),
        "wide": pa.int64(),
        "flag": pa.bool_(),
        "share": pa.float64(),
        "at": pa.timestamp("ms"),
        "day_text": pa.string(),
        "list": pa.list_(pa.int64()),
    }
)


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written a moment ago count as settled."""
    monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", 0.0)


def write_file(folder: Path, number: int, chance: random.Random, *, rows: int, apart: str) -> None:
    """One file; its numbers are `apart` from those of others, between them, or among them; some values are missing."""
    first, step = {"apart": (number * rows, 1), "between": (number, 10), "among": (chance.randrange(rows + 1), 1)}[
        apart
    ]
    letter = chance.choice("tu")
    texts = [f"{letter}{n}" for n in range(chance.choice([1, 2, 49, 50, 51]))]
    columns: dict[str, list[object]] = {
        "id": [first + step * n for n in range(rows)],
        "code": [f"c{first + step * n}" for n in range(rows)],
        "few": [texts[n % len(texts)] for n in range(rows)],
        "many": [f"{number} {n % 60}" for n in range(rows)],
        "wide": [chance.choice([1, 2**53, chance.choice([2**53, 2**53 + 1, -(2**60)])]) for _ in range(rows)],
        "flag": [chance.random() < 0.5 for _ in range(rows)],
        "share": [chance.choice([0.5, float("nan")]) for _ in range(rows)],
        "at": [chance.choice([0, 86_400_000, 86_400_001]) for _ in range(rows)],
        "day_text": [chance.choice(["2026-01-31", "2026-02-28"]) for _ in range(rows)],
        "list": [[n] for n in range(rows)],
    }
    for name in columns:
        gone = chance.choice([0, 0, 0, 1, rows])
        columns[name][len(columns[name]) - gone :] = [None] * min(gone, rows)
    path = folder / f"day={number:03}" / "rows.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns, SCHEMA), path)
    os.utime(path, (OLD, OLD + chance.randrange(10**6)))


def facts(table: Table) -> dict[str, object]:
    """What of a description is about rows, the order of the columns with it."""
    said = ("columns", "values", "keys", "missing", "read_as", "moments", "row_count")
    return {name: getattr(table, name) for name in said} | {"order": list(table.columns)}


@pytest.mark.parametrize(
    ("seed", "trials"), [(1, 24), *(pytest.param(seed, 60, marks=pytest.mark.thorough) for seed in (1, 2))]
)
def test_whatever_the_files_hold_they_are_described_as_all_their_rows_would_be(
    tmp_path: Path, seed: int, trials: int
) -> None:
    chance, seen = random.Random(seed), set[str]()
    for trial in range(trials):
        folder, apart = tmp_path / str(trial), chance.choice(["apart", "between", "among"])
        # Where the first file alone has the rows that are looked at first, the others are known by their facts only.
        for number in range(3):
            rows = PROBE_ROWS if number == 0 and trial % 3 == 0 else chance.choice([0, 1, 60, 60])
            write_file(folder, number, chance, rows=rows, apart=apart)
        for _ in range(2):
            table = DatasetTable("sales", folder, parquet.dataset, ColumnarCache(tmp_path / "staged"))
            whole = describe_arrow("sales", parquet.dataset(folder).to_table())
            assert facts(table.schema()) == facts(whole), trial
            seen |= {*(f"key {name}" for name in whole.keys), *(f"few {name}" for name in whole.values)}
            seen |= set(whole.columns.values())
            write_file(folder, chance.randrange(4), chance, rows=60, apart=apart)
    told = {"key id", "key code", "few few", "few day_text", "Int64", "int64", "float64", "boolean", "bool", "empty"}
    assert seen >= told, told - seen


def test_of_many_files_only_the_new_one_is_read_again_and_a_damaged_word_of_the_others_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(number: int) -> None:
        path = tmp_path / "sales" / f"{number}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.table({"id": [2 * number, 2 * number + 1], "kind": ["a", "b"]}), path)
        os.utime(path, (OLD, OLD))

    read: list[range] = []
    rows_of = OpenFiles.rows_of

    def noted(files: OpenFiles, numbers: range, columns: Sequence[str]) -> pa.Table:
        read.append(numbers)
        return rows_of(files, numbers, columns)

    monkeypatch.setattr(OpenFiles, "rows_of", noted)

    def described() -> Table:
        read.clear()
        return DatasetTable("sales", tmp_path / "sales", parquet.dataset, ColumnarCache(tmp_path / "staged")).schema()

    for number in range(5):
        write(number)
    described()
    write(5)
    assert described().keys == ("id",)
    assert [numbers for numbers in read if len(numbers) == 1] == [range(5, 6)]
    (kept,) = (tmp_path / "staged" / "described").glob("*.json")
    kept.write_text(kept.read_text(encoding="utf-8").replace('"rows": 2', '"rows": 3', 1), encoding="utf-8")
    write(6)
    assert described().row_count == 14
    assert len([numbers for numbers in read if len(numbers) == 1]) == 7
