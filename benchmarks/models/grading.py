"""Whether what a model said of a rule or a request is right: held against what its writer stated, never against us."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd

from pandas_magic.checking.by_model.trials import rows_flagged
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.meaning.violations import violating_rows

Grade = Literal["right", "refused", "wrong"]
Frames = Mapping[str, pd.DataFrame]
_CLOSE = 1e-6


def grade_constraint(constraint: Constraint, target: str, frames: Frames, breaking: frozenset[int]) -> Grade:
    """Whether the typed rule is broken by just these rows of the target."""
    if not isinstance(constraint, RowRule) or constraint.table != target:
        return "wrong"
    now = pd.Timestamp("2026-11-01").to_pydatetime()
    try:
        found = violating_rows(constraint, frames, now, now)
    except (KeyError, TypeError, ValueError):
        return "refused"  # it cannot be judged, which a run says
    return "right" if frozenset(found) == breaking else "wrong"


def grade_code(runner: Runner, code: str, frames: Frames, target: str, breaking: frozenset[int]) -> Grade:
    """Whether the code, confined, finds just these rows of the target; code that fails is as good as a refusal."""
    found = rows_flagged(runner, code, frames, target)
    if found.problem:
        return "refused"
    return "right" if found.rows == breaking else "wrong"


def worst(grades: list[Grade]) -> Grade:
    """One grade of those on several sets of tables."""
    return next((grade for grade in ("wrong", "refused") if grade in grades), "right")  # type: ignore[return-value]


def answers(result: Any, expected: Any) -> bool:  # noqa: ANN401 - whatever code bound, whatever pandas answers
    """Whether a request's result holds what was expected: a number alone, or each label with its number."""
    if isinstance(expected, pd.Series):
        return _holds_series(result, expected)
    return any(_close(number, float(expected)) for number in _numbers(result, most=2))


def _numbers(result: Any, *, most: int) -> list[float]:  # noqa: ANN401 - whatever code bound
    """The few numbers of a result that is to be one number; none where it is a table of many."""
    if isinstance(result, pd.DataFrame):
        found = [value for row in result.itertuples(index=False) for value in row]
        found += [label for label in result.index if not isinstance(result.index, pd.RangeIndex)]
    elif isinstance(result, dict):
        found = list(result.values())
    else:
        found = [result]
    numbers = [float(value) for value in found if isinstance(value, (int, float)) and not isinstance(value, bool)]
    return numbers if len(numbers) <= most else []


def _holds_series(result: Any, expected: pd.Series) -> bool:  # noqa: ANN401 - whatever code bound
    if isinstance(result, dict):
        result = pd.DataFrame({"label": list(result), "value": list(result.values())})
    if not isinstance(result, pd.DataFrame):
        return False
    flat = result.reset_index() if not isinstance(result.index, pd.RangeIndex) else result
    long = _sorted_floats(expected)
    columns = [flat[name] for name in flat.columns if pd.api.types.is_numeric_dtype(flat[name])]
    # A table of one row for each label, or a cross table of the same numbers.
    crossed = _sorted_floats(
        pd.Series([v for column in columns for v in column if not _is_missing(v)], dtype="float64")
    )
    return any(_same(_sorted_floats(column), long) for column in columns) or _same(crossed, long)


def _sorted_floats(values: pd.Series) -> list[float]:
    return sorted(float(value) for value in values)


def _same(left: list[float], right: list[float]) -> bool:
    return len(left) == len(right) and all(_close(one, other) for one, other in zip(left, right, strict=True))


def _is_missing(value: Any) -> bool:  # noqa: ANN401 - a cell
    return value is None or value != value


def _close(left: float, right: float) -> bool:
    """The same number, or the same one rounded to two places, or a share said in percent."""
    near = any(math.isclose(left, said, rel_tol=_CLOSE) for said in (right, right / 100))
    return near or (abs(left - right) <= 0.005 + _CLOSE and abs(right) > 1)
