"""Good and bad rows in files of their own: none lost, none altered, each in its order; or an honest refusal."""

import dataclasses
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.result import Result
from pandas_magic.errors import UsageMistake
from pandas_magic.quarantine.splitting import quarantine
from pandas_magic.quarantine.table_files import parse_form

MakeResult = Callable[..., Result]
AWKWARD = (
    b"\xef\xbb\xbfid,name,amount\r\n"
    b'1,"a ""quoted"" name",01.50\r\n'
    b"\r\n"
    b'2,"two\nlines, and\r\none more",1e3\r\n'
    b"3, spaced ,\r\n"
    b'4,"",NA\r\n'
    b'5,"=1+1",9007199254740993'
)


def failed(
    make_result: MakeResult, make_compiled: Callable[..., Any], catalog: Catalog, *bad: int, **said: object
) -> Result:
    compiled = make_compiled().model_copy(
        update={"plan": make_compiled().plan.model_copy(update={"reads": {"orders": ("id",)}})}
    )
    fields = {"fingerprints": {"orders": catalog.identity("orders")}, "check_id": "CHK-001", **said}
    rows = catalog.rows("orders", bad)
    result = make_result(compiled=compiled, rows=rows, **fields)
    run = result.run.model_copy(update={"rows": len(catalog.frame("orders"))})
    return dataclasses.replace(result, run=run.holding(rows, None, bad))


@pytest.fixture
def splitting(make_result: MakeResult, make_compiled: Callable[..., Any]) -> Callable[..., Any]:
    def split(folder: Path, *bad: int, form: str | None = None, catalog: Catalog | None = None) -> Any:
        catalog = catalog or Catalog(folder)
        result = failed(make_result, make_compiled, catalog, *bad)
        return quarantine(catalog, [result], folder / "q", form=parse_form(form))

    return split


def interleaved(good: list[bytes], bad: list[bytes], positions: set[int]) -> bytes:
    rows = [(bad if at in positions else good).pop(0) for at in range(len(good) + len(bad))]
    return b"".join(rows)


@pytest.mark.parametrize("bad", [(), (0,), (1,), (4,), (0, 2, 4), (0, 1, 2, 3, 4)])
def test_awkward_text_is_copied_letter_by_letter(
    tmp_path: Path, splitting: Callable[..., Any], bad: tuple[int, ...]
) -> None:
    (tmp_path / "orders.csv").write_bytes(AWKWARD)
    _, problems = splitting(tmp_path, *bad)
    assert problems == []
    rows = [
        b'1,"a ""quoted"" name",01.50\r\n', b'2,"two\nlines, and\r\none more",1e3\r\n', b"3, spaced ,\r\n",
        b'4,"",NA\r\n', b'5,"=1+1",9007199254740993',
    ]  # fmt: skip
    head = b"\xef\xbb\xbfid,name,amount\r\n"
    assert (tmp_path / "q" / "orders.bad.csv").read_bytes() == head + b"".join(rows[at] for at in bad)
    good = [row for at, row in enumerate(rows) if at not in bad]
    assert (tmp_path / "q" / "orders.good.csv").read_bytes() == head + b"".join(good)
    told = json.loads((tmp_path / "q" / "quarantine.json").read_text())["tables"]["orders"]
    assert (told["rows"], told["good"]["rows"], told["bad"]["rows"]) == (5, 5 - len(bad), len(bad))


@pytest.mark.parametrize("seed", range(5))
def test_good_and_bad_together_are_the_table_in_order(tmp_path: Path, splitting: Callable[..., Any], seed: int) -> None:
    chance = random.Random(seed)
    frame = pd.DataFrame(
        {
            "id": range(200),
            "text": [chance.choice(["", "x", 'q"q', "a,b", "l\nl", "é"]) for _ in range(200)],
            "n": [chance.choice([None, chance.random(), 1e300, -0.0]) for _ in range(200)],
        }
    )
    frame.to_csv(tmp_path / "orders.csv", index=False)
    bad = tuple(sorted(chance.sample(range(200), chance.randrange(1, 199))))
    splitting(tmp_path, *bad)
    places = pd.read_csv(tmp_path / "q" / "orders.flagged.csv")["position"].tolist()
    assert places == list(bad)
    good_rows = pd.read_csv(tmp_path / "q" / "orders.good.csv", keep_default_na=False, dtype=str)
    bad_rows = pd.read_csv(tmp_path / "q" / "orders.bad.csv", keep_default_na=False, dtype=str)
    bad_rows.index = pd.Index(places)
    good_rows.index = pd.Index([at for at in range(200) if at not in set(places)])
    original = pd.read_csv(tmp_path / "orders.csv", keep_default_na=False, dtype=str)
    pd.testing.assert_frame_equal(pd.concat([good_rows, bad_rows]).sort_index(), original, check_index_type=False)


def test_parquet_keeps_its_types_and_values(tmp_path: Path, splitting: Callable[..., Any]) -> None:
    table = pa.table(
        {
            "id": pa.array([2**63 - 1, None, 3], pa.int64()),
            "when": pa.array([1, 2, None], pa.timestamp("ns", tz="Europe/Berlin")),
            "tags": pa.array([["a"], [], None], pa.list_(pa.string())),
            "amount": pa.array(["1.10", "2.20", None]).cast(pa.string()),
        }
    )
    parquet.write_table(table, tmp_path / "orders.parquet")
    splitting(tmp_path, 1)
    assert parquet.read_table(tmp_path / "q" / "orders.bad.parquet").equals(table.take([1]))
    assert parquet.read_table(tmp_path / "q" / "orders.good.parquet").equals(table.take([0, 2]))


def test_a_workbook_stays_a_workbook(tmp_path: Path, splitting: Callable[..., Any]) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3], "name": ["=1+1", None, "é"], "n": [0.1, 2.5, None]})
    frame.to_excel(tmp_path / "orders.xlsx", index=False)
    _, problems = splitting(tmp_path, 0, 2)
    assert problems == []
    found = pd.read_excel(tmp_path / "q" / "orders.good.xlsx")
    assert found.to_dict("list")["id"] == [2]
    kept = pd.read_excel(tmp_path / "q" / "orders.bad.xlsx")
    assert kept["n"].iloc[0] == 0.1
    assert kept["name"].iloc[1] == "é"


def test_a_frame_of_the_notebook_becomes_parquet_or_what_was_asked_for(
    tmp_path: Path, splitting: Callable[..., Any]
) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3], "d": pd.to_datetime(["2026-01-01", None, "2026-01-03"])}, index=[9, 8, 7])
    catalog = Catalog(given={"orders": frame})
    splitting(tmp_path, 1, catalog=catalog)
    assert pd.read_parquet(tmp_path / "q" / "orders.bad.parquet")["id"].tolist() == [2]
    splitting(tmp_path, 1, catalog=Catalog(given={"orders": frame[["id"]]}), form="csv")
    assert (tmp_path / "q" / "orders.good.csv").read_text() == "id\n1\n3\n"


def test_a_format_that_would_alter_values_is_refused_and_leaves_no_file(
    tmp_path: Path, splitting: Callable[..., Any]
) -> None:
    frame = pd.DataFrame({"id": ["007", "NA"]})
    _, problems = splitting(tmp_path, 1, catalog=Catalog(given={"orders": frame}), form="csv")
    assert problems == [
        "orders is not split: orders.bad.csv would not hold the very values that were read; use --format parquet"
    ]
    assert not (tmp_path / "q" / "orders.bad.csv").exists()


def test_text_that_cannot_be_cut_into_its_rows_is_refused(tmp_path: Path, splitting: Callable[..., Any]) -> None:
    (tmp_path / "orders.csv").write_text('id,size\n1,5" pipe\n2,7" pipe\n3,x\n')
    _, problems = splitting(tmp_path, 1)
    assert len(problems) == 1
    assert "orders.csv cannot be split line by line" in problems[0]
    splits, problems = splitting(tmp_path, 1, form="parquet")
    assert (len(splits), problems) == (1, [])


def test_a_table_that_changed_since_it_was_checked_is_not_split(
    tmp_path: Path, make_result: MakeResult, make_compiled: Callable[..., Any]
) -> None:
    (tmp_path / "orders.csv").write_text("id\n1\n2\n")
    catalog = Catalog(tmp_path)
    result = failed(make_result, make_compiled, catalog, 0)
    (tmp_path / "orders.csv").write_text("id\n1\n2\n3\n")
    splits, problems = quarantine(catalog, [result], tmp_path / "q")
    assert splits == []
    assert problems == ["orders is not split: it changed since it was checked; run the checks again"]


def test_a_check_without_a_verdict_is_named(
    tmp_path: Path, make_result: MakeResult, make_compiled: Callable[..., Any]
) -> None:
    (tmp_path / "orders.csv").write_text("id\n1\n2\n")
    catalog = Catalog(tmp_path)
    broken = failed(make_result, make_compiled, catalog, check_id="CHK-009", verdict="ERROR")
    (split,), _ = quarantine(catalog, [failed(make_result, make_compiled, catalog, 0), broken], tmp_path / "q")
    assert "CHK-009 gave no verdict, so rows that break it may be among the good" in split.in_words()


def test_an_unknown_format_names_the_known() -> None:
    with pytest.raises(UsageMistake, match='no format "doc"; there are csv, xlsx, parquet'):
        parse_form("doc")


def test_a_frame_that_was_changed_in_place_is_not_split(
    tmp_path: Path, make_result: MakeResult, make_compiled: Callable[..., Any]
) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3]})
    catalog = Catalog(given={"orders": frame})
    result = failed(make_result, make_compiled, catalog, 1)
    frame.loc[1, "id"] = 9
    _, problems = quarantine(catalog, [result], tmp_path / "q")
    assert problems == ["orders is not split: it changed since it was checked; run the checks again"]
    frame.loc[1, "id"] = 2
    frame.loc[3, "id"] = 4
    _, problems = quarantine(catalog, [result], tmp_path / "q")
    assert len(problems) == 1
    assert not list((tmp_path / "q").glob("orders.*"))
