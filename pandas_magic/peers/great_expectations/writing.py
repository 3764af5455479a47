"""Checks as an expectation suite for Great Expectations 1.x and its pandas engine."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pandas_magic.checks import CompiledCheck
from pandas_magic.constraints import ColumnsRule, Constraint, RowRule
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.great_expectations.names import SEVERITIES, STATISTICS
from pandas_magic.peers.great_expectations.row_expectations import row_expectations
from pandas_magic.peers.great_expectations.table_expectations import column_expectations, table_expectations
from pandas_magic.peers.marks import Mark, mark_of, marked
from pandas_magic.peers.records import CannotSay, Exported, NotExpressed, Remark
from pandas_magic.peers.schemas import Schemas

Expectation = dict[str, Any]
_MISSING_WITHOUT_VALUES = tuple(STATISTICS[name] for name in ("mean", "median", "std", "min", "max"))
_EMPTY = "a column without any value fails it there and passes here"


def write(checks: Sequence[CompiledCheck]) -> Exported:
    """The suite in JSON. One suite is about one table; each check gives one expectation or several.

    Raises: UsageMistake when the checks are about several tables.
    """
    about = sorted({check.constraint.table for check in checks if check.constraint is not None})
    if len(about) > 1:
        raise UsageMistake(f"a suite is about one table, and these checks are about {', '.join(about)}; name one")
    expectations: list[Expectation] = []
    expressed, missing, remarks = [], [], []
    for check in checks:
        try:
            if check.constraint is None:
                raise CannotSay("it has code but no typed rule")
            found = expectations_of(check.constraint, mark_of(check))
        except CannotSay as reason:
            missing.append(NotExpressed(check_id=check.id, reason=str(reason)))
            continue
        expectations += found
        expressed.append(check.id)
        if any(one["type"] in _MISSING_WITHOUT_VALUES for one in found):
            remarks.append(Remark(check_id=check.id, text=_EMPTY))
    suite = {"name": about[0] if about else "checks", "expectations": expectations, "meta": {}}
    return Exported(
        text=json.dumps(suite, indent=2, ensure_ascii=False) + "\n",
        expressed=tuple(expressed),
        not_expressed=tuple(missing),
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
