"""DuckDB reads Parquet files itself for tables that are too large for the kernel, and finds what the rule means."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.checking.engines import duckdb_kernel
from pandas_magic.checking.engines.confined_duckdb import TablesInDuckDb
from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.dialects import DUCKDB
from pandas_magic.checking.engines.parquet_rows import rows_in_files
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.checking.engines.writing import POSITION
from pandas_magic.checking.result import Result
from pandas_magic.clock import Instant
from pandas_magic.constraints import ColumnsRule, check_types, describe, reads, violating_rows
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.history.run import Verdict
from pandas_magic.registry.check_request import CheckRequest
from tests.pandas_magic.checking.engines.comparing import rows_left_open
from tests.pandas_magic.constraints import random_rules, shop
from tests.pandas_magic.constraints.gallery import GALLERY
from tests.pandas_magic.constraints.random_rules import DTYPES, ODD_POOLS, RandomRules

ENGINE = f"DuckDB {duckdb_kernel.duckdb_version()}"
NOW = Instant(random_rules.NOW.to_pydatetime(), random_rules.UTC_NOW.to_pydatetime())
AT_THE_SHOP = Instant(shop.NOW.to_pydatetime(), shop.UTC_NOW.to_pydatetime())
SOME, MANY = 60, 6_000
KINDS = list(GALLERY)
Frames = Mapping[str, pd.DataFrame]


class OddRules(RandomRules):
    pools = ODD_POOLS


def in_parquet(frames: Frames, folder: Path, *, files: int) -> Catalog:
    """The frames as tables of one file each, or of several in a folder, in row groups of two rows."""
    given = {}
    for name, frame in frames.items():
        given[name] = folder / (f"{name}.parquet" if files == 1 else name)
        if files > 1:
            given[name].mkdir(parents=True, exist_ok=True)
        for number in range(files):
            path = given[name] if files == 1 else given[name] / f"{number}.parquet"
            frame.iloc[number::files].to_parquet(path, index=False, row_group_size=2)
    return Catalog(given=given)


def in_folders(frames: Frames, folder: Path, rule: Constraint) -> Catalog:
    """The same, where a column that the rule reads of each table stands in the names of folders, if one can."""
    given = {}
    for name, columns in reads(rule).items():
        frame = frames[name]
        kinds = {each: pd.api.types.infer_dtype(frame[each]) for each in columns}
        able = [
            each
            for each, kind in kinds.items()
            if kind in ("integer", "string") and any(frame[each].dropna().astype("str"))
        ]
        given[name] = folder / f"{name}.parquet"
        folder.mkdir(parents=True, exist_ok=True)
        by = able[:1] if len(frame) and len(frame.columns) > 1 else None
        frame.to_parquet(given[name], index=False, partition_cols=by or None, row_group_size=2)
    return Catalog(given=given)


def found_in_files(rule: Constraint, catalog: Catalog, instant: Instant, folder: Path) -> tuple[list[int], int]:
    columns, tables = reads(rule), catalog.schemas(tuple(reads(rule)))
    stored = {}
    for name in columns:
        source = catalog.source(name)
        assert isinstance(source, DatasetTable)
        stored[name] = rows_in_files(source, columns[name], tables[name], DUCKDB)
    select = select_for(rule, tables, instant, DUCKDB, sources=stored)
    reader = TablesInDuckDb(POSITION, memory_bytes=10**9, threads=2, spill="", files=[str(folder)])
    positions, left_open = reader.found(select, {}, {})
    return positions.tolist(), left_open


def outcomes(seeds: range, folder: Path, *, named: bool = False) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        chance = OddRules(seed, DTYPES[tuple(DTYPES)[seed % len(DTYPES)]])
        rule, written = chance.rule(), chance.frames()
        try:
            files = 1 + seed % 3 if len(written) else 1
            catalog = (
                in_folders(written, folder / str(seed), rule)
                if named
                else in_parquet(written, folder / str(seed), files=files)
            )
        except (pa.ArrowException, OSError):
            (folder / str(seed)).mkdir(exist_ok=True)
            catalog = in_parquet(written, folder / str(seed), files=1)
        frames = {name: catalog.frame(name) for name in reads(rule)}
        if check_types(rule, catalog.schemas()):
            continue
        meant = violating_rows(rule, frames, NOW.local, NOW.utc), rows_left_open(rule, frames, NOW)
        try:
            found = found_in_files(rule, catalog, NOW, folder)
        except (NotExpressible, duckdb.Error) as why:
            counts[type(why).__name__] += 1
            continue
        assert found == meant, f"{seed}: {describe(rule)}: meant {meant}, found {found}"
        counts["same"] += 1
    return counts


def test_random_rules_mean_the_same_in_files(tmp_path: Path) -> None:
    assert outcomes(range(SOME), tmp_path)["same"] > SOME / 4


def test_random_rules_mean_the_same_of_what_folders_name(tmp_path: Path) -> None:
    assert outcomes(range(900, 900 + SOME), tmp_path, named=True)["same"] > SOME / 4


@pytest.mark.thorough
def test_many_random_rules_mean_the_same_of_what_folders_name(tmp_path: Path) -> None:
    counts = outcomes(range(30_000, 30_000 + MANY // 4), tmp_path, named=True)
    print(counts)
    assert counts["same"] > MANY / 16


@pytest.mark.thorough
def test_many_random_rules_mean_the_same_in_files(tmp_path: Path) -> None:
    counts = outcomes(range(20_000, 20_000 + MANY), tmp_path)
    print(counts)
    assert counts["same"] > MANY / 4


@pytest.mark.parametrize(
    ("files", "names"),
    [
        pytest.param(1, KINDS[::2], id="1, every other kind"),
        pytest.param(3, KINDS[1::2], id="3, the other kinds"),
        *(pytest.param(files, KINDS, id=str(files), marks=pytest.mark.thorough) for files in (1, 3)),
    ],
)
def test_every_kind_means_the_same_in_files(tmp_path: Path, files: int, names: list[str]) -> None:
    catalog = in_parquet(shop.shop(0), tmp_path, files=files)
    why_not = {}
    for name in names:
        rule = GALLERY[name]
        if isinstance(rule, ColumnsRule):
            continue
        frames = {table: catalog.frame(table) for table in reads(rule)}
        meant = violating_rows(rule, frames, AT_THE_SHOP.local, AT_THE_SHOP.utc)
        try:
            found, _ = found_in_files(rule, catalog, AT_THE_SHOP, tmp_path)
        except (NotExpressible, duckdb.Error) as why:
            why_not[name] = str(why)
            continue
        assert found == meant, name
    assert len(why_not) < len(names) / 4, why_not


def lying_file(path: Path, told: pd.DataFrame, held: pd.DataFrame) -> None:
    """A file that holds one frame and has the footer, with its statistics, of another one that is laid out alike."""
    contents = []
    for frame in (held, told):
        frame.to_parquet(path, index=False, compression="none", use_dictionary=False)
        contents.append(path.read_bytes())
    ends = [len(content) - 8 - int.from_bytes(content[-8:-4], "little") for content in contents]
    assert ends[0] == ends[1]
    path.write_bytes(contents[0][: ends[0]] + contents[1][ends[1] :])


LIED_OF = (
    "t: x must be between 0 and 100",
    "t: x must be at most 100",
    "t: x must be unique",
    "t: s must be one of 'aa', 'bb'",
    "t as a whole: the maximum of x in t must be at most 100",
    "t: the number of rows per x must be at most 2",
    "t where s is 'zz': x must be at most 100",
    "t: x must be among u.x",  # the last, since it reads another file, for which a kernel starts
)


def test_what_a_file_says_of_its_values_is_not_believed(tmp_path: Path, large: None, opened: Any) -> None:
    told = pd.DataFrame({"x": np.arange(100) % 90, "y": 1.5, "s": ["aa", "bb"] * 50})
    held = pd.DataFrame({"x": np.arange(100) * 9, "y": 1.5, "s": ["aa", "zz"] * 50}).assign(s=["aa", "zz"] * 50)
    held.loc[7, "x"] = held.loc[8, "x"]
    (tmp_path / "data").mkdir()
    lying_file(tmp_path / "data" / "t.parquet", told, held)
    told.iloc[:50].to_parquet(tmp_path / "data" / "u.parquet", index=False)
    in_engine = opened("duckdb")
    found = {rule: in_engine.check(CheckRequest(rule, target="t")) for rule in LIED_OF}
    in_engine.close()
    in_pandas = opened("pandas")
    for rule, by_engine in found.items():
        assert by_engine.run.engine in (ENGINE, ""), by_engine.run.notes
        by_pandas = in_pandas.run_saved(by_engine.run.check_id)
        assert outcome(by_engine)[:2] == outcome(by_pandas)[:2], rule
        assert by_pandas.run.engine == "", rule


def outcome(result: Result) -> tuple[Any, ...]:
    run = result.run
    found = "" if run.violations is None or not len(run.violations) else str(run.violations.to_dict())
    return run.verdict, run.positions, run.not_judged, run.rows_digest, run.summary, run.rows, found


RULES = (  # those of the same files beside each other, since for others a kernel starts
    ("users", "age must be between 0 and 120"),
    ("users", "users where name is present: age must be present"),
    ("users", "users: no two rows may be identical"),
    ("orders", "order_id must be unique"),
    ("orders", "orders where part is 'b': total must be present"),
    ("orders", "orders: (order_id, part) must be unique"),
    ("orders", "the average total must be between 0 and 5"),
    ("orders", "user_id must exist in users.user_id"),
)


def write_tables(folder: Path) -> None:
    users = pd.DataFrame({"user_id": [1, 2, 3], "name": ["Ann", "Bé", None], "age": [30.0, None, 200.0]})
    orders = pd.DataFrame({"order_id": [1, 2, 2, 4], "user_id": [1, 9, 3, 2], "total": [1.0, -2.0, 3.0, np.nan]})
    orders["day"] = pd.Timestamp("2026-01-01").date()
    folder.mkdir()
    users.to_parquet(folder / "users.parquet", index=False)
    for part, rows in {"a": orders.iloc[:3], "b": orders.iloc[3:]}.items():
        (folder / "orders" / f"part={part}").mkdir(parents=True)
        rows.to_parquet(folder / "orders" / f"part={part}" / "rows.parquet", index=False)


@pytest.mark.parametrize(
    ("engine", "rules"),
    [
        pytest.param("auto", RULES[:2], id="auto"),
        pytest.param("duckdb", RULES, id="duckdb"),
        pytest.param("auto", RULES, id="auto, all", marks=pytest.mark.thorough),
    ],
)
def test_large_tables_of_parquet_are_read_by_duckdb(
    tmp_path: Path, large: None, opened: Any, engine: str, rules: Sequence[tuple[str, str]]
) -> None:
    write_tables(tmp_path / "data")
    workspace = opened(engine)
    alone = [workspace.check(CheckRequest(rule, target=table)) for table, rule in rules]
    batch = workspace.run()
    by_pandas = opened("pandas").run()
    assert [outcome(each) for each in batch] == [outcome(each) for each in by_pandas]
    assert [outcome(each)[:5] for each in alone] == [outcome(each)[:5] for each in by_pandas]
    assert [each.run.engine for each in batch] == [ENGINE] * len(rules)
    assert all(each.run.notes == () and each.run.confined.layers for each in batch)


def test_a_column_that_files_have_beside_the_names_of_their_folders_is_left_to_pandas(
    tmp_path: Path, large: None, opened: Any
) -> None:
    for day in (1, 2):
        path = tmp_path / "data" / "days" / f"day={day}" / "rows.parquet"
        path.parent.mkdir(parents=True)
        pd.DataFrame({"x": [1, 2], "day": np.array([7, day], dtype="int32")}).to_parquet(path, index=False)
    result = opened("auto").check(CheckRequest("day must be between 1 and 3", target="days"))
    assert (result.run.engine, result.run.verdict) == ("", Verdict.PASS)
    assert "and the name of its folder as well" in result.run.notes[0]


def test_its_kernel_reads_these_files_and_no_others(tmp_path: Path, large: None, opened: Any) -> None:
    write_tables(tmp_path / "data")
    (tmp_path / "data" / "other.parquet").write_bytes((tmp_path / "data" / "users.parquet").read_bytes())
    workspace = opened("duckdb")
    workspace.check(CheckRequest(RULES[0][1], target="users"))
    files = (str(tmp_path / "data" / "users.parquet"),)
    bench = duckdb_kernel.bench_of_duckdb(workspace.bench, workspace.settings.memory_bytes, files)
    kernel = bench.sandbox()
    assert kernel.execute(f"open({files[0]!r}, 'rb').read(4)").status == "ok"
    assert kernel.execute(f"open({files[0]!r}, 'ab')").error_name == "PermissionError"
    assert kernel.execute(f"open({str(tmp_path / 'data' / 'other.parquet')!r})").error_name == "PermissionError"
    read = f"_in_duckdb._connection.execute(\"FROM read_parquet('{tmp_path}/data/other.parquet')\")"
    refused = kernel.execute(read)
    assert "disabled" in refused.error_text


def test_tables_that_fit_and_other_files_stay_with_pandas(tmp_path: Path, opened: Any) -> None:
    write_tables(tmp_path / "data")
    result = opened("auto").check(CheckRequest(RULES[0][1], target="users"))
    assert (result.run.engine, result.run.notes) == ("", ())


def test_types_that_are_read_otherwise_are_left_to_pandas(tmp_path: Path, large: None, opened: Any) -> None:
    (tmp_path / "data").mkdir()
    odd = pd.DataFrame(
        {"kind": pd.Categorical(["a", "b", "a"]), "at": pd.date_range("2026-01-01", periods=3, tz="UTC")}
    )
    odd.to_parquet(tmp_path / "data" / "odd.parquet", index=False)
    workspace = opened("auto")
    for rule in ("kind must be one of 'a', 'c'", "at must be unique"):
        run = workspace.check(CheckRequest(rule, target="odd")).run
        assert run.engine == ""
        assert run.notes[0].startswith("ran as pandas and in no engine: the column"), run.notes
