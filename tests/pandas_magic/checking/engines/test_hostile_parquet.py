"""Parquet files that were made to be read otherwise by DuckDB than by pandas get no verdict of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pandas_magic.checking.engines.answer import EngineAnswer
from pandas_magic.checking.engines.duckdb_kernel import DuckDbKernel
from pandas_magic.errors import TableUnreadable
from pandas_magic.history.run import Run
from pandas_magic.registry.check_request import CheckRequest
from tests.pandas_magic.checking.engines.test_in_files import outcome


def lying_table(path: Path, held: pa.Table, told: pa.Table) -> None:
    """A file that holds one table and has the footer, with its statistics, of another one that is laid out alike."""
    contents = []
    for table in (held, told):
        pq.write_table(table, path, compression="none", use_dictionary=False)
        contents.append(path.read_bytes())
    ends = [len(content) - 8 - int.from_bytes(content[-8:-4], "little") for content in contents]
    assert ends[0] == ends[1]
    path.write_bytes(contents[0][: ends[0]] + contents[1][ends[1] :])


def refused_by_duckdb(opened: Any, rule: str) -> Run:
    """The run of a rule with DuckDB wanted, which has to leave the table to pandas and find the same."""
    wanted = opened("auto").check(CheckRequest(rule, target="t"))
    by_pandas = opened("pandas").run_saved(wanted.run.check_id)
    assert outcome(wanted) == outcome(by_pandas)
    assert wanted.run.engine == ""
    assert wanted.run.notes[0].startswith("ran as pandas and in no engine: "), wanted.run.notes
    return wanted.run


@pytest.mark.parametrize("name", ["X", "file_row_number", "File_Index"])
def test_names_of_one_file_that_duckdb_takes_for_others(tmp_path: Path, large: None, opened: Any, name: str) -> None:
    first, second = pd.DataFrame({"x": [1, 2]}), pd.DataFrame({name: [1, 2], "x": [100, 200]})
    for part, rows in {"a": first, "b": second}.items():
        (tmp_path / "data" / "t" / f"part={part}").mkdir(parents=True)
        rows.to_parquet(tmp_path / "data" / "t" / f"part={part}" / "rows.parquet", index=False)
    assert refused_by_duckdb(opened, "t: x must be at most 50").positions == (2, 3)


def test_a_dictionary_elsewhere_than_before_its_column(tmp_path: Path, large: None, opened: Any) -> None:
    (tmp_path / "data").mkdir()
    path, rows = tmp_path / "data" / "t.parquet", 300
    held = pa.table({"x": np.arange(rows) * 7 % 1000, "y": np.arange(rows) % 3})
    pq.write_table(held, path, compression="none", use_dictionary=["y"])
    group = pq.read_metadata(path).row_group(0)
    pages, dictionary = group.column(0).data_page_offset, group.column(1).dictionary_page_offset
    # Before the statistics (field 12), behind where the pages begin (9), comes where the dictionary is said to be (11).
    old = b"\x26" + varint(pages) + b"\x3c"
    edit_footer(path, old, b"\x26" + varint(pages) + b"\x26" + varint(dictionary) + b"\x1c")
    run = refused_by_duckdb(opened, "t: x must be at most 50")
    assert run.violation_count == int((held["x"].to_numpy() > 50).sum())


@pytest.mark.parametrize("said", [0, 1, 500])
@pytest.mark.parametrize("engine", ["duckdb", "pandas"])
def test_a_footer_that_contradicts_itself(tmp_path: Path, large: None, opened: Any, said: int, engine: str) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "t.parquet"
    pq.write_table(pa.table({"x": [1, 200, 3]}), path)
    edit_footer(path, b"\x16" + varint(3) + b"\x19", b"\x16" + varint(said) + b"\x19")
    with pytest.raises(TableUnreadable, match=f"it says that it has {said} rows, and its row groups hold 3"):
        opened(engine).catalog.schema("t")


@pytest.mark.parametrize(
    "rule",
    [
        "x must be present",
        *(
            pytest.param(rule, marks=pytest.mark.thorough)
            for rule in ("the year of x must be at most 2100", "x must be unique")
        ),
    ],
)
def test_moments_that_duckdb_has_other_meanings_for(tmp_path: Path, large: None, opened: Any, rule: str) -> None:
    (tmp_path / "data").mkdir()
    usual = list(range(0, 20_000 * 10**9, 10**9))
    held = pa.table({"x": pa.array([*usual, 2**63 - 1, -(2**63), -(2**63) + 1], pa.int64())})
    path = tmp_path / "data" / "t.parquet"
    lying_table(path, held, pa.table({"x": pa.array(range(len(held)), pa.timestamp("us"))}))
    refused_by_duckdb(opened, rule)
    of_frames = opened("duckdb").run_saved(opened("pandas").run()[0].run.check_id)
    assert outcome(of_frames) == outcome(opened("pandas").run()[0])


def test_dates_beyond_what_pandas_holds_are_told(tmp_path: Path, opened: Any) -> None:
    (tmp_path / "data").mkdir()
    dates = pa.array([1] * 20_000 + [2**31 - 1], pa.date32())
    pq.write_table(pa.table({"x": dates}), tmp_path / "data" / "t.parquet")
    with pytest.raises(TableUnreadable, match='column "x" holds infinity, beyond the moments'):
        opened("pandas").check(CheckRequest("x must be before 2030-01-01", target="t"))


@pytest.mark.parametrize("positions", [(0, 3), (-1,), (1, 1), (2, 1)])
def test_an_answer_that_is_no_positions_of_rows(
    tmp_path: Path, large: None, opened: Any, monkeypatch: pytest.MonkeyPatch, positions: tuple[int, ...]
) -> None:
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"x": [1, 200, 3]}), tmp_path / "data" / "t.parquet")
    workspace = opened("duckdb")
    made = workspace.check(CheckRequest("t: x must be at most 50", target="t")).run
    monkeypatch.setattr(DuckDbKernel, "ask", lambda *_: EngineAnswer(positions, 0))
    run = workspace.run_saved(made.check_id).run
    assert (made.verdict, run.verdict) == ("FAIL", "ERROR")
    assert "gives positions that are none of t" in run.error


def varint(number: int) -> bytes:
    """A number as Thrift's compact protocol has it."""
    doubled, found = number << 1, b""
    while doubled > 0x7F:
        found, doubled = found + bytes([doubled & 0x7F | 0x80]), doubled >> 7
    return found + bytes([doubled])


def edit_footer(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    footer = content[begin:-8]
    assert footer.count(old) == 1
    footer = footer.replace(old, new)
    path.write_bytes(content[:begin] + footer + len(footer).to_bytes(4, "little") + content[-4:])
