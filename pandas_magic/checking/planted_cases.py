"""What a rule is proved on: cases planted in a sample of the real tables."""

from collections.abc import Mapping
from typing import Protocol

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import EXACT_IN_FLOAT
from pandas_magic.catalog.described_dtypes import with_dtypes
from pandas_magic.checking.partitions import first_rows
from pandas_magic.checking.prover import Case, cases, cell_by_cell, real_cases, show_both
from pandas_magic.clock import Instant
from pandas_magic.constraints import plan, reads
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.settings import Settings

# Enough to meet the odd rows of a real table, few enough that a proof takes well under a second.
_SAMPLE_ROWS = 40
_SAMPLE_SEED = 0


class RealTables(Protocol):
    """Where a sample is taken from, and how much of it may be read."""

    catalog: Catalog
    settings: Settings


def planted_cases(
    constraint: Constraint,
    tables: RealTables,
    instant: Instant,
    schemas: Mapping[str, Mapping[str, str]],
    *,
    of_others: bool = False,
    most_bytes: int | None = None,
) -> tuple[Case, ...]:
    """The cases from a sample; where they show no violation or nothing else, the real tables as one more case.

    `schemas` says for tables, and columns of them, as what dtypes they are to be read. `of_others` adds what only code
    that is not our rendering may stumble over. Of a table whose columns take more than `most_bytes` (None: half of what
    the settings allow) it is a sample of the first million rows.
    """
    real = _real(constraint, tables, schemas, tables.settings.memory_bytes // 2 if most_bytes is None else most_bytes)
    sample = {name: sample_of(frame) for name, frame in real.items()}
    times = {"now": instant.local, "utc_now": instant.utc}
    planted = cases(constraint, sample, seed=_SAMPLE_SEED, **times)
    if not show_both(planted):
        # Integers and truth values have no missing value; a table that gets a gap has another dtype from then on.
        wider = {name: with_room_for_gaps(frame) for name, frame in sample.items()}
        planted = cases(constraint, wider, seed=_SAMPLE_SEED, **times)
    if of_others:
        planted += cell_by_cell(constraint, sample, **times)
    return planted if show_both(planted) else (*planted, *real_cases(constraint, real, **times))


def _real(
    constraint: Constraint, tables: RealTables, schemas: Mapping[str, Mapping[str, str]], most_bytes: int
) -> dict[str, pd.DataFrame]:
    columns_read = plan(constraint, tables.catalog.schemas(tuple(reads(constraint)))).reads
    read = {
        name: first_rows(tables.catalog, name, columns, most_bytes=most_bytes) for name, columns in columns_read.items()
    }
    return {name: with_dtypes(frame, schemas.get(name, {})) for name, frame in read.items()}


def with_room_for_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the dtypes that its columns would have, read from a file, if a value were missing in each."""
    kinds = {name: frame[name].dtype.kind for name in frame.columns}
    exact = {
        name: bool((frame[name].dropna().abs() <= EXACT_IN_FLOAT).all()) for name, kind in kinds.items() if kind in "iu"
    }
    wider = {name: "float64" if fits else "Int64" for name, fits in exact.items()}
    return frame.astype({**wider, **{name: "boolean" for name, kind in kinds.items() if kind == "b"}})


def sample_of(frame: pd.DataFrame) -> pd.DataFrame:
    """A few rows of the table, the same ones each time, on a new RangeIndex."""
    if len(frame) <= _SAMPLE_ROWS:
        return frame.reset_index(drop=True)
    return frame.sample(_SAMPLE_ROWS, random_state=_SAMPLE_SEED).sort_index().reset_index(drop=True)
