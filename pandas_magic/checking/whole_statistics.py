"""What a rule about a table as a whole compares, seen in every run: from these a band is learned that fits its past."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from pandas_magic.checking.found import Found
from pandas_magic.history.run import StatisticValue

_BREAKS = "breaks the rule"
# Behind the code of such a rule: its one row of statistics, whether it breaks the rule or not.
WITH_STATISTICS = f"\nviolations = found.assign(**{{{_BREAKS!r}: found.index.isin(violations.index)}})"


def taken_out(found: Found) -> Found:
    """What was found by code with that behind it: the violations alone, and the statistics beside them."""
    assert found.rows is not None
    broken = found.rows[found.rows[_BREAKS]].drop(columns=_BREAKS)
    shown: dict[Any, Any] = found.rows.drop(columns=_BREAKS).iloc[0].to_dict() if len(found.rows) else {}
    return replace(found, rows=broken, statistics=_known(shown))


def _known(values: Mapping[Any, Any]) -> dict[str, StatisticValue]:
    """Those that are numbers or moments."""
    plain = {str(name): getattr(value, "item", lambda value=value: value)() for name, value in values.items()}
    moments = {name: value.isoformat() for name, value in plain.items() if isinstance(value, pd.Timestamp)}
    numbers = {name: value for name, value in plain.items() if type(value) in (int, float) and math.isfinite(value)}
    return {**moments, **numbers}
