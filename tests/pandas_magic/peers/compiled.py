"""Rules of the gallery as compiled checks, without a kernel: what writers for peers are given."""

from collections.abc import Mapping

from pandas_magic.catalog.tables import Table
from pandas_magic.checks import Check, CompiledCheck, Plan
from pandas_magic.constraints import Constraint, describe, reads, render_code
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP


def compiled_check(check_id: str, rule: Constraint, tables: Mapping[str, Table] = SHOP) -> CompiledCheck:
    """The rule as the registry would hold it."""
    found = reads(rule)
    check = Check(
        id=check_id,
        rule=f"The rule {check_id}.",
        name=f"Name of {check_id}",
        severity="high",
        owner="o@example.com",
        tags=("a", "b"),
    )
    return CompiledCheck(
        check=check,
        plan=Plan(goal=describe(rule), steps=(), reads=found, violation_means=""),
        constraint=rule,
        code=render_code(rule, tables),
        proof=None,
        planner="rules",
        compiled_at="2026-01-01T00:00:00Z",
        schemas={name: {column: tables[name].columns[column] for column in columns} for name, columns in found.items()},
        rule_digest="",
        code_digest="",
    )


def gallery_checks(table: str | None = None) -> list[CompiledCheck]:
    """Every rule of the gallery, or those about one table, under its name as the id."""
    return [compiled_check(name, rule) for name, rule in GALLERY.items() if table is None or rule.table == table]
