"""The functions that meanings in the data are written with, by their names there."""

from collections.abc import Callable
from typing import Any

from pandas_magic.planner.language.strict import claims, conditions, expressions, shapes

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **expressions.FUNCTIONS,
    **conditions.FUNCTIONS,
    **shapes.FUNCTIONS,
    **claims.FUNCTIONS,
}
