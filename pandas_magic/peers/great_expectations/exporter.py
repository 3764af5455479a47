"""Checks as an expectation suite for Great Expectations 1.x and its pandas engine."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pandas_magic.constraints import ColumnsRule, Constraint, RowRule
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.exporting import express, tables_of
from pandas_magic.peers.great_expectations.names import MISSING_WITHOUT_VALUES, SEVERITIES, WITHOUT_VALUES
from pandas_magic.peers.great_expectations.row_expectations import row_expectations
from pandas_magic.peers.great_expectations.table_expectations import column_expectations, table_expectations
from pandas_magic.peers.marks import Mark, marked
from pandas_magic.peers.schemas import Schemas
from pandas_magic.peers.transfers import Exported, Remark
from pandas_magic.registry.compiled_check import CompiledCheck

Expectation = dict[str, Any]


def write(checks: Sequence[CompiledCheck]) -> Exported:
    """The suite in JSON. One suite is about one table; each check gives one expectation or several.

    Raises: UsageMistake when the checks are about several tables.
    """
    about = tables_of(checks)
    if len(about) > 1:
        raise UsageMistake(f"a suite is about one table, and these checks are about {', '.join(about)}; name one")
    told, missing = express(checks, expectations_of)
    remarks = [
        Remark(check_id=mark.id, text=WITHOUT_VALUES)
        for _, mark, found in told
        if any(one["type"] in MISSING_WITHOUT_VALUES for one in found)
    ]
    expectations = [one for _, _, found in told for one in found]
    suite = {"name": about[0] if about else "checks", "expectations": expectations, "meta": {}}
    return Exported(
        text=json.dumps(suite, indent=2, ensure_ascii=False) + "\n",
        expressed=tuple(mark.id for _, mark, _ in told),
        not_expressed=missing,
        remarks=tuple(remarks),
    )


def expectations_of(constraint: Constraint, mark: Mark) -> list[Expectation]:
    """The expectations that say the rule, each with the mark.

    Raises: CannotSay when none says it faithfully.
    """
    return [
        {
            "type": kind,
            "kwargs": kwargs,
            "meta": marked(mark),
            "severity": SEVERITIES[mark.severity],
            **({"notes": mark.sentence} if mark.sentence else {}),
        }
        for kind, kwargs in _stated(constraint, mark.types)
    ]


def _stated(constraint: Constraint, schemas: Schemas) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(constraint, RowRule):
        return list(row_expectations(constraint, schemas))
    if isinstance(constraint, ColumnsRule):
        return list(column_expectations(constraint))
    return list(table_expectations(constraint, schemas))
