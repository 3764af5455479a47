"""A rule as pandas code that binds `violations`: short, idiomatic, and the same bytes for the same rule and tables.

The code finds a namespace with `pd`, `np`, each table by its `identifier` as a DataFrame with a RangeIndex, `now` (a
naive local Timestamp) and `utc_now` (the same moment with its zone). `violations` holds rows of the rule's table under
their own index, for a `TableRule` one row with the statistics found, for a `ColumnsRule` one row per column at fault.

`code_masks` renders conditions, `code_compare` comparisons, `code_values` expressions, `code_reach` those that look at
other rows; they call each other through `code_writer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.tree import has_window
from pandas_magic.constraints.code.condition_masks import render_mask
from pandas_magic.constraints.code.expression_code import render_value
from pandas_magic.constraints.code.python_text import both, frame_of, listing, selection
from pandas_magic.constraints.code.schema_code import columns_code
from pandas_magic.constraints.code.writer import At, Writer

if TYPE_CHECKING:
    from pandas_magic.catalog.table import Table


def render_code(constraint: Constraint, tables: Mapping[str, Table]) -> str:
    """Pandas code, without a comment, that binds `violations`.

    >>> from pandas_magic.catalog.table import Table
    >>> from pandas_magic.constraints import Column, Unique
    >>> orders = Table(name="orders", columns={"order_id": "int64"})
    >>> render_code(RowRule(table="orders", must=Unique(by=(Column(name="order_id"),))), {"orders": orders})
    'violations = orders[orders["order_id"].notna() & orders["order_id"].duplicated(keep=False)]'

    Raises: NoSuchName for a table or column that is not there.
    """
    writer = Writer(tables, render_value, render_mask)
    match constraint:
        case RowRule():
            return _rows_code(writer, constraint)
        case TableRule():
            return _table_code(writer, constraint)
        case ColumnsRule():
            return _columns_code(writer, constraint)


def _rows_code(writer: Writer, rule: RowRule) -> str:
    rows = writer.whole(rule.table)
    scope = [] if rule.where is None else [writer.mask(rule.where, rows, True)]
    # Windows see only the rows in scope, and a tolerated share is a share of them.
    if scope and (has_window(rule.must) or rule.tolerance is not None):
        writer.statements.append(selection("scope", rows.frame, scope.pop()))
        rows = At(rows.table, "scope")
    broken = both([*scope, writer.mask(rule.must, rows, False)])
    limit = _limit(rule.tolerance, rows)
    name = "violations" if limit is None else "broken"
    lines = [*writer.statements, selection(name, rows.frame, broken)]
    if limit is not None:
        lines.append(f"violations = broken if {limit} else broken.iloc[:0]")
    return "\n".join(lines)


def _limit(tolerance: Tolerance | None, rows: At) -> str | None:
    if tolerance is None:
        return None
    limits = []
    if tolerance.max_rows is not None:
        limits.append(f"len(broken) > {tolerance.max_rows}")
    if tolerance.max_share is not None:
        # A quotient is rounded once, so that 29 of 100 rows are not more than 0.29 of them.
        limits.append(f"len(broken) / max(len({rows.frame}), 1) > {tolerance.max_share!r}")
    return " or ".join(limits) or None


def _table_code(writer: Writer, rule: TableRule) -> str:
    writer.statistics = {}
    before = len(writer.statements)
    mask = writer.mask(rule.must, At(writer.whole(rule.table).table, "found"), False)
    found = frame_of({label: listing([code.text]) for label, code in writer.statistics.items()})
    needed = [line for line in writer.statements[before:] if "found[" not in line]
    derived = [line for line in writer.statements[before:] if "found[" in line]
    return "\n".join([*needed, f"found = {found}", *derived, selection("violations", "found", mask)])


def _columns_code(writer: Writer, rule: ColumnsRule) -> str:
    return columns_code(rule, writer.whole(rule.table).frame)
