"""Sentences with their tables and what they were understood to say, or that they were refused.

One JSON line each: `text`, the `world` whose tables it is about, the `target` table, the canonical sentence as `echo`
or null, and where a writer stated it a pandas mask of the rows that break it as `ref`. A world in tables.json has
tables as the planner sees them, or a description by which `made_rows` makes frames.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.planner.language.frozen.made_rows import described, frames

HERE = Path(__file__).parent


@dataclass(frozen=True)
class FrozenSentence:
    """A rule as somebody wrote it; `echo` is None where it was refused, `ref` where no rows were stated."""

    text: str
    world: str
    target: str | None
    echo: str | None
    ref: str | None = None
    locale: str = "en"


def sources() -> list[str]:
    """The names of the sets of sentences."""
    return sorted(path.stem for path in HERE.glob("*.jsonl"))


@cache
def sentences(source: str) -> tuple[FrozenSentence, ...]:
    """The sentences of one set."""
    lines = (HERE / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(FrozenSentence(**json.loads(line)) for line in lines)


@cache
def meant(sentence: FrozenSentence) -> dict[str, Any] | None:
    """The rule that the sentence was understood to say, as JSON."""
    constraint = read_canonical(sentence.echo) if sentence.echo is not None else None
    return constraint.model_dump(mode="json") if constraint is not None else None


@cache
def _described() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "tables.json").read_text(encoding="utf-8"))
    return found


@cache
def tables_of(world: str) -> dict[str, Table]:
    """The tables of a world as the planner sees them."""
    content = _described()["worlds"][world]
    if "made" in content:
        return described(rows_of(world, 1), content["made"])
    tables = [Table.model_validate(_described()["tables"][name]) for name in content["tables"]]
    return {table.name: table for table in tables}


@cache
def rows_of(world: str, seed: int) -> dict[str, pd.DataFrame]:
    """Rows for the tables of a world that is described by how its rows are made; none for the others."""
    made = _described()["worlds"][world].get("made")
    return frames(made, seed) if made is not None else {}
