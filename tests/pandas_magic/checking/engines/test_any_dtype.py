"""The same values in any dtype that pandas has: by meaning, as pandas and in DuckDB a rule finds the same rows."""

import random
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.overflows import overflow_of
from pandas_magic.clock import Instant
from pandas_magic.constraints import check_types, describe, render_code, violating_rows
from tests.pandas_magic.checking.engines.at_hand import DuckDbAtHand
from tests.pandas_magic.checking.engines.comparing import compared
from tests.pandas_magic.constraints import random_rules
from tests.pandas_magic.constraints.random_rules import DTYPES, ODD_POOLS, ZONE, RandomRules
from tests.pandas_magic.constraints.run_code import found_by

# What numpy says of a missing value in a comparison, which is false.
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
SOME, MANY = 60, 6_000
NOW = Instant(random_rules.NOW.to_pydatetime(), random_rules.UTC_NOW.to_pydatetime())
DRESSES: dict[str, tuple[str, ...]] = {
    "n": ("float64", "float32", "Float32", "double[pyarrow]", "float[pyarrow]", "object", "category", "decimal"),
    "i": ("int8", "int64", "Int8", "UInt64", "float64", "int16[pyarrow]", "object", "category", "decimal"),
    "k": ("int64", "uint64", "UInt64", "int64[pyarrow]", "uint64[pyarrow]", "object", "category", "decimal"),
    "s": ("str", "string[pyarrow]", "large_string", "string_view", "dictionary", "object", "category"),
    "d": ("datetime64[s]", "datetime64[us]", "timestamp[ns][pyarrow]", "date32", "dates", "object", "category"),
    "z": (f"datetime64[ns, {ZONE}]", f"timestamp[us, tz={ZONE}][pyarrow]", "object", "category"),
    "b": ("bool", "bool[pyarrow]", "object", "category"),
}
ARROW = {
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}
DRESSES |= {twin: DRESSES[name] for twin, name in {"m": "n", "r": "s", "f": "d", "c": "b"}.items()}


class OddRules(RandomRules):
    pools = ODD_POOLS


def dressed(column: "pd.Series[Any]", dress: str) -> "pd.Series[Any]":
    """The values in another dtype. Raises: ValueError, TypeError, OverflowError where it does not hold them all."""
    values = [None if pd.isna(each) else each for each in column.tolist()]
    if dress == "object":
        return pd.Series(values, dtype=object)
    if dress == "category":
        return column.astype("category")
    if dress in ("date32", "dates"):
        if any(each is not None and each != each.normalize() for each in values):
            raise ValueError("not all are days")
        days = [each and each.date() for each in values]
        return of_arrow(days, pa.date32()) if dress == "date32" else pd.Series(days, dtype=object)
    if dress == "decimal":
        return of_arrow([None if each is None else Decimal(repr(each)) for each in values], pa.decimal128(18, 9))
    if dress in ARROW:
        return of_arrow(values, ARROW[dress])
    return (
        column.astype(dress)
        if dress.endswith("[pyarrow]") or dress.startswith("datetime")
        else pd.Series(values, dtype=dress)
    )


def of_arrow(values: list[Any], kind: pa.DataType) -> "pd.Series[Any]":
    return pd.Series(pd.array(pa.array(values, kind), dtype=pd.ArrowDtype(kind)))


def cases(seeds: range) -> Iterator[tuple[str, Any, dict[str, pd.DataFrame], dict[str, pd.DataFrame]]]:
    """A name, a rule, its tables in nullable dtypes, and the same values as anything that holds them."""
    for seed in seeds:
        drawn = OddRules(seed, DTYPES["nullable"])
        rule, frames = drawn.rule(), drawn.frames()
        chance, others, used = random.Random(seed), {}, []
        for table, frame in frames.items():
            others[table] = frame.copy()
            for name in frame.columns:
                dress = chance.choice((*DRESSES[name], str(frame[name].dtype)))
                try:
                    other = dressed(frame[name], dress)
                except (ValueError, TypeError, OverflowError, ArithmeticError):
                    continue
                if other.isna().tolist() == frame[name].isna().tolist():  # numpy's truth values take a gap for false
                    others[table][name] = other
                    used.append(f"{table}.{name} {dress}")
        yield f"{seed}: {describe(rule)}\n{', '.join(used)}", rule, frames, others


def outcomes(seeds: range) -> Counter[str]:
    """How often all accounts agreed, and why some gave none; a difference is said with the rule and the dtypes."""
    engine, counts = DuckDbAtHand(), Counter[str]()
    for name, rule, frames, others in cases(seeds):
        catalog = Catalog(given=others)
        tables, held = catalog.schemas(catalog.names()), {table: catalog.frame(table) for table in others}
        if check_types(rule, tables):
            counts["refused"] += 1
            continue
        meant = violating_rows(rule, frames, NOW.local, NOW.utc)
        code = render_code(rule, tables)
        if overflow_of(rule, held, code):  # which a run tells as an ERROR
            counts["refused"] += 1
            continue
        try:
            found = list(found_by(code, held, random_rules.NOW, random_rules.UTC_NOW).index)
        except (TypeError, AttributeError, pa.ArrowException):  # which a run would tell as an ERROR
            counts["raised"] += 1
            continue
        assert found == violating_rows(rule, held, NOW.local, NOW.utc), name
        assert found == meant or "decimal" in name, name
        seen = compared(rule, tables, held, NOW, engine)
        assert seen.agrees, f"{name}: meant {seen.meant}, DuckDB found {seen.found}"
        counts[seen.why_not or "same"] += 1
    return counts


def test_random_rules_find_the_same_rows_in_any_dtype() -> None:
    counts = outcomes(range(SOME))
    assert counts["same"] > SOME / 3, counts
    assert counts["raised"] < SOME / 10, counts


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:You are merging on int and float")  # which is right of 1.5 beside 1 and 2
def test_many_random_rules_find_the_same_rows_in_any_dtype() -> None:
    counts = outcomes(range(50_000, 50_000 + MANY))
    print(counts.most_common(12))
    assert counts["same"] > MANY / 3, counts
    assert counts["raised"] < MANY / 30, counts
