"""Random rules, in files that come, change and go: what is found by looking at new ones is what the rules mean."""

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import file_pieces
from pandas_magic.checking import touched_keys
from pandas_magic.checking.abstentions import may_abstain
from pandas_magic.checking.found import Found
from pandas_magic.checking.looking import InFull
from pandas_magic.checking.meetings import met_by
from pandas_magic.checking.only_new import OnlyNew
from pandas_magic.constraints import RowRule, check_types, describe, reads, render_code, violating_rows
from pandas_magic.settings import Settings
from tests.pandas_magic.checking.engines.comparing import rows_left_open
from tests.pandas_magic.constraints import random_rules
from tests.pandas_magic.constraints.random_rules import DTYPES, ODD_POOLS, ZONE, RandomRules

SOME, MANY, STEPS = 70, 6_000, 3
FORMS = ("numpy", "nullable", "gaps")
NOW = SimpleNamespace(local=random_rules.NOW.to_pydatetime(), utc=random_rules.UTC_NOW.to_pydatetime())
KINDS = {"float": pa.float64(), "int": pa.int64(), "bool": pa.bool_(), "datetime": pa.timestamp("us")}


class OddRules(RandomRules):
    pools = ODD_POOLS


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written a moment ago count as settled, and any share of the rows may share a key."""
    monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", 0.0)
    monkeypatch.setattr(touched_keys, "_MOST_SHARE", 1.0)


def write(frame: pd.DataFrame, path: Path) -> None:
    kinds = {
        str(name): next((kind for word, kind in KINDS.items() if str(dtype).lower().startswith(word)), pa.string())
        for name, dtype in frame.dtypes.items()
    }
    schema = pa.schema([*(kinds | ({"z": pa.timestamp("us", ZONE)} if "z" in kinds else {})).items()])
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pandas(frame, schema, preserve_index=False), path)


def change(table: Path, chance: RandomRules) -> None:
    """A file comes behind the others or between them, or, more rarely, one is written anew or goes."""
    names = sorted(path.stem for path in table.iterdir())
    what = chance.pick("come", "come", "come", "between", "anew", "go", "other")
    if what == "other":
        write(chance.frames()["o"], table.with_name("o.parquet"))
    elif what == "go" and len(names) > 1:
        (table / f"{chance.pick(*names)}.parquet").unlink()
    else:
        name = {"come": f"{names[-1]}5", "between": f"{names[0]}3", "anew": chance.pick(*names)}.get(what, "9")
        write(chance.frames()["t"], table / f"{name}.parquet")


def run_here(code: str, frames: Mapping[str, pd.DataFrame]) -> Found:
    names = {**frames, "pd": pd, "np": np}
    exec(code, names)  # our own, as the compiler writes it
    return Found(None, names["violations"])


def found_and_meant(rule: RowRule, folder: Path) -> tuple[tuple[tuple[int, ...], int | None], str]:
    """What is found, and of which files; it is held against what the rule means. Raises: InFull."""
    catalog = Catalog(given={name: folder / f"{name}.parquet" for name in ("t", "o")}, cache=folder / "cache")
    read, tables = reads(rule), catalog.schemas(("t", "o"))
    schemas = {name: {column: tables[name].columns[column] for column in columns} for name, columns in read.items()}
    compiled = SimpleNamespace(
        id="R", code=render_code(rule, tables), constraint=rule, target="t", plan=SimpleNamespace(reads=read),
        schemas=schemas,
    )  # fmt: skip
    found, said = OnlyNew(compiled, catalog, Settings(), run_here).find()  # type: ignore[arg-type] # as much as it reads
    frames = {name: catalog.frame(name, columns) for name, columns in read.items()}
    left_open = rows_left_open(rule, frames, NOW) if may_abstain(frames) else 0  # type: ignore[arg-type] # two moments
    meant = tuple(violating_rows(rule, frames, NOW.local, NOW.utc)), left_open
    assert (found.positions, found.left_open) == meant, f"{describe(rule)}: meant {meant}, found {found}, {said}"
    assert found.rows is not None
    whole = catalog.frame("t").iloc[list(found.positions or ())]
    pd.testing.assert_frame_equal(found.rows.reset_index(drop=True), whole.reset_index(drop=True), check_dtype=False)
    return meant, said


def outcomes(seeds: range, folder: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        chance, place = OddRules(seed, DTYPES[FORMS[seed % len(FORMS)]]), folder / str(seed)
        rule = chance.rule()
        for number in range(3):
            write(chance.frames(12)["t"], place / "t.parquet" / f"{number}.parquet")
        write(chance.frames()["o"], place / "o.parquet")
        for _ in range(STEPS):
            try:
                if check_types(rule, Catalog(given={each: place / f"{each}.parquet" for each in ("t", "o")}).schemas()):
                    break
                said = found_and_meant(rule, place)[1]
            except InFull as why:
                counts[str(why)[:30]] += 1
                break
            looks = "keys" if met_by(rule) else "others" if len(reads(rule)) > 1 else "rows"
            counts[f"{looks}, {said.split()[2]} of {said.split()[5]}{', shared' * ('share a key' in said)}"] += 1
            change(place / "t.parquet", chance)
        shutil.rmtree(place)
    return counts


def same(counts: Counter[str], looks: str) -> int:
    return sum(count for word, count in counts.items() if word.startswith(looks))


def test_random_rules_find_in_new_files_what_they_mean(tmp_path: Path) -> None:
    counts = outcomes(range(SOME), tmp_path)
    assert min(same(counts, looks) for looks in ("keys", "others", "rows")) > SOME / 100, counts


@pytest.mark.thorough
def test_many_random_rules_find_in_new_files_what_they_mean(tmp_path: Path) -> None:
    counts = outcomes(range(10_000, 10_000 + MANY), tmp_path)
    print(counts)
    assert min(same(counts, looks) for looks in ("keys", "others", "rows")) > MANY / 100, counts
