"""Rules of the gallery and of the example shop as compiled checks, as writers for peers are given them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Constraint, describe, reads, render_code, violating_rows
from pandas_magic.constraints.plans import Plan
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.registry import Registry
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.constraints.shop import NOW, UTC_NOW, shop

ROOT = Path(__file__).parents[3]
# Users, orders and prices of the shops that verdicts are compared on; the empty ones are odd on purpose.
SIZES = ((12, 25, 8), (40, 60, 30), (1, 1, 1), (0, 0, 0))


@cache
def shops() -> tuple[dict[str, pd.DataFrame], ...]:
    return tuple(
        shop(seed, users=users, orders=orders, prices=prices) for seed, (users, orders, prices) in enumerate(SIZES)
    )


def found(rule: Constraint, frames: Mapping[str, pd.DataFrame]) -> list[int]:
    """The rows that break the rule, by its meaning in plain Python."""
    return violating_rows(rule, frames, NOW, UTC_NOW)


def compiled_check(check_id: str, rule: Constraint, tables: Mapping[str, Table] = SHOP, **said: Any) -> CompiledCheck:
    """The rule as the registry would hold it."""
    read = reads(rule)
    told = {"severity": "high", "owner": "o@example.com", "tags": ("a", "b"), **said}
    return CompiledCheck(
        check=Check(id=check_id, rule=f"The rule {check_id}.", name=f"Name of {check_id}", **told),
        plan=Plan(goal=describe(rule), steps=(), reads=read, violation_means=""),
        constraint=rule,
        code=render_code(rule, tables),
        planner="rules",
        compiled_at="2026-01-01T00:00:00Z",
        schemas={name: {column: tables[name].columns[column] for column in columns} for name, columns in read.items()},
        rule_digest="",
        code_digest="",
    )


def gallery_checks(table: str | None = None) -> list[CompiledCheck]:
    """Every rule of the gallery, or those about one table, under its name as the id."""
    return [compiled_check(name, rule) for name, rule in GALLERY.items() if table in (None, rule.table)]


def check_for(sentence: str, tables: Mapping[str, Table] = SHOP) -> CompiledCheck:
    """The canonical sentence as a compiled check CHK-1."""
    rule = read_canonical(sentence)
    assert rule is not None, sentence
    return compiled_check("CHK-1", rule, tables)


def example_checks(table: str | None = None) -> list[CompiledCheck]:
    """The checks of `examples/checks`."""
    known = Registry(ROOT / "examples" / "checks" / "registry").load().values()
    return [check for check in known if check.constraint is not None and table in (None, check.constraint.table)]


def without_marks(text: str, peer: str) -> str:
    """The exported file as one that somebody else might have written."""
    if peer == "great-expectations":
        suite = json.loads(text)
        return json.dumps({**suite, "expectations": [{**one, "meta": {}} for one in suite["expectations"]]})
    if peer == "soda":
        return "\n".join(line for line in text.splitlines() if not line.startswith("# pandas_magic"))
    if peer == "odcs":
        return text.replace("property: pandas_magic", "property: other")
    if peer == "pandera":
        return text.replace('metadata={"pandas_magic"', 'metadata={"other"')
    return text.replace("pandas_magic:", "other:")
