"""Rules on a table in parts find the rows that they find on the whole."""

import errno
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources.memory import describing_once
from pandas_magic.checking import keyed_parts, partitions
from pandas_magic.checking.partitions import can_be_parted, estimated_bytes, first_rows, parts
from pandas_magic.constraints import (
    Column,
    Compare,
    Constraint,
    Exists,
    Present,
    RowRule,
    Tolerance,
    Unique,
    Value,
    check_types,
    reads,
    render_code,
)
from tests.grids import Examples
from tests.pandas_magic.constraints import random_rules
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.constraints.random_rules import DTYPES, RandomRules
from tests.pandas_magic.constraints.run_code import found_by
from tests.pandas_magic.constraints.shop import NOW, UTC_NOW, shop

FEW_BYTES = 500  # of which parts are made here, so that small tables have many


@describing_once()  # as it is while checks run
def found_in_parts(
    rule: Constraint, code: str, catalog: Catalog, now: pd.Timestamp, utc_now: pd.Timestamp
) -> tuple[list[int], int]:
    found: list[int] = []
    count = 0
    for part in parts(rule, catalog, reads(rule), part_bytes=FEW_BYTES):
        rows = found_by(code, part.frames, now, utc_now)
        found += [int(part.positions[position]) for position in rows.index]
        count += 1
    return sorted(found), count


def test_most_kinds_of_rules_can_be_parted() -> None:
    parted = {name for name, rule in GALLERY.items() if can_be_parted(rule, SHOP)}
    assert len(parted) > len(GALLERY) / 2


@pytest.mark.parametrize("name", GALLERY)
def test_rules_of_every_kind_find_the_same_rows_in_parts(name: str, tmp_path: Path) -> None:
    rule = GALLERY[name]
    frames = shop(1)
    catalog = Catalog(given=frames, cache=tmp_path)
    if not can_be_parted(rule, catalog.schemas()):
        with pytest.raises(ValueError, match="needs its tables whole"):
            list(parts(rule, catalog, reads(rule), part_bytes=FEW_BYTES))
        return
    code = render_code(rule, SHOP)
    whole = sorted(int(position) for position in found_by(code, frames, NOW, UTC_NOW).index)
    assert found_in_parts(rule, code, catalog, NOW, UTC_NOW)[0] == whole


@pytest.mark.parametrize("dtypes", DTYPES)
@settings(
    max_examples=Examples.of(15),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 10**9))
def test_random_rules_find_the_same_rows_in_parts(
    dtypes: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = RandomRules(seed, DTYPES[dtypes])
    rule, frames = chance.rule(), chance.frames()
    tables = random_rules.tables(DTYPES[dtypes])
    # Without a cache there is nowhere to put the parts: each is filtered out by itself.
    catalog = Catalog(given=frames, cache=tmp_path_factory.getbasetemp() if seed % 2 else None)
    if check_types(rule, tables) or not can_be_parted(rule, catalog.schemas()):
        return
    code = render_code(rule, tables)
    now, utc_now = random_rules.NOW, random_rules.UTC_NOW
    whole = sorted(int(position) for position in found_by(code, frames, now, utc_now).index)
    assert found_in_parts(rule, code, catalog, now, utc_now)[0] == whole, code


def orders(tmp_path: Path, rows: int = 5_000) -> Mapping[str, pd.DataFrame]:
    ids = [number if number % 999 else number + 1 for number in range(rows)]
    frame = pd.DataFrame({"id": ids, "user_id": [n % 97 if n % 50 else None for n in range(rows)], "amount": 1.0})
    frame.to_parquet(tmp_path / "orders.parquet", row_group_size=500)
    users = pd.DataFrame({"user_id": range(90)})
    users.to_csv(tmp_path / "users.csv", index=False)
    return {"orders": frame, "users": users}


@pytest.mark.feature("B17")
@pytest.mark.parametrize(
    "rule",
    [
        RowRule(table="orders", must=Unique(by=(Column(name="id"),))),
        RowRule(table="orders", must=Exists(of=(Column(name="user_id"),), table="users", keys=("user_id",))),
        RowRule(table="orders", must=Present(of=Column(name="user_id"))),
    ],
)
def test_files_are_read_part_by_part(tmp_path: Path, rule: RowRule) -> None:
    frames = orders(tmp_path)
    catalog = Catalog(tmp_path, cache=tmp_path / ".kept")
    code = render_code(rule, catalog.schemas())
    whole = sorted(int(position) for position in found_by(code, frames, NOW, UTC_NOW).index)
    found, count = found_in_parts(rule, code, catalog, NOW, UTC_NOW)
    assert (found == whole, len(whole) > 0, count > 20) == (True, True, True)


def test_a_part_has_the_dtypes_of_the_whole(tmp_path: Path) -> None:
    orders(tmp_path)
    catalog = Catalog(tmp_path)
    rule = RowRule(table="orders", must=Present(of=Column(name="user_id")))
    dtypes = {str(part.frames["orders"]["user_id"].dtype) for part in parts(rule, catalog, reads(rule), part_bytes=100)}
    assert dtypes == {"float64"}


def test_a_tolerance_needs_the_whole_table() -> None:
    must = Compare(relation=">", left=Column(name="amount"), right=Value(value=0))
    schemas = Catalog(given={"orders": pd.DataFrame({"amount": [1.0]})}).schemas()
    assert can_be_parted(RowRule(table="orders", must=must), schemas)
    assert not can_be_parted(RowRule(table="orders", must=must, tolerance=Tolerance(max_share=0.1)), schemas)


def test_memory_is_estimated_from_rows_and_kinds() -> None:
    table = Catalog(given={"t": pd.DataFrame({"n": [1, 2], "s": ["a", "b"], "b": [True, False]})}).schema("t")
    assert estimated_bytes(table, ["n", "s", "b"]) == 2 * (8 + 60 + 1)


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "no space left")


@pytest.mark.parametrize(
    ("owner", "name", "instead", "passes"),
    [
        (keyed_parts, "BATCH_ROWS", 300, 1),
        (shutil, "disk_usage", lambda _: SimpleNamespace(free=0), 80),
        (tempfile, "TemporaryFile", full_disk, 80),
        (pa.RecordBatchStreamWriter, "write_table", full_disk, 81),
    ],
)
def test_tables_are_divided_in_one_pass_and_where_there_is_no_room_in_as_many_as_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, instead: object, passes: int
) -> None:
    frames, rule = orders(tmp_path), RowRule(table="orders", must=Unique(by=(Column(name="id"),)))
    catalog, read = Catalog(tmp_path, cache=tmp_path / ".kept"), list[str]()
    batches = catalog.batches

    def noted(table: str, columns: Sequence[str], *, rows: int) -> Iterator[pa.Table]:
        read.append(table)
        return batches(table, columns, rows=rows)

    monkeypatch.setattr(catalog, "batches", noted)
    monkeypatch.setattr(owner, name, instead)
    code = render_code(rule, catalog.schemas())
    found, _ = found_in_parts(rule, code, catalog, NOW, UTC_NOW)
    assert found == sorted(int(position) for position in found_by(code, frames, NOW, UTC_NOW).index)
    assert len(read) == passes
    assert not [path for path in (tmp_path / ".kept").iterdir() if path.suffix not in (".json", ".arrow", ".lock")]


def test_of_a_large_table_only_the_first_rows_are_looked_at_with_the_dtypes_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = orders(tmp_path)
    monkeypatch.setattr(partitions, "BATCH_ROWS", 40)
    catalog = Catalog(tmp_path)
    few = first_rows(catalog, "orders", ["id", "user_id"], most_bytes=1000)
    pd.testing.assert_frame_equal(few, frames["orders"][["id", "user_id"]].head(len(few)))
    assert 40 <= len(few) < 5_000
    assert len(first_rows(catalog, "orders", ["id"], most_bytes=10**6)) == 5_000


def test_rows_of_many_columns_are_kept_together_by_one_that_tells_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    many = pd.DataFrame({"name": ["a", "b"] * 100, "number": [*range(199), 0], "half": [1.5, None] * 100})
    rows = pd.concat([many, many.head(7)], ignore_index=True)
    by = tuple(Column(name=name) for name in rows)
    rule = RowRule(table="rows", must=Unique(by=by))
    catalog = Catalog(given={"rows": rows})
    hashed: list[tuple[str, ...]] = []
    bucket = keyed_parts._bucket

    def noted(batch: pa.Table, columns: Sequence[str], count: int) -> object:
        hashed.append(tuple(columns))
        return bucket(batch, columns, count)

    monkeypatch.setattr(keyed_parts, "_bucket", noted)
    code = render_code(rule, catalog.schemas())
    found, count = found_in_parts(rule, code, catalog, NOW, UTC_NOW)
    assert found == found_by(code, {"rows": rows}, NOW, UTC_NOW).index.tolist()
    assert (count > 1, set(hashed)) == (True, {("number",)})
