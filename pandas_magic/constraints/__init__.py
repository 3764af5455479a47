"""Typed rules: an algebra of expressions and conditions, and what is known about it.

`rules` holds the three shapes of a constraint, `conditions` and `expressions` what they are made of. `describe` says a
rule in canonical words, `render_code` as pandas code, `violating_rows` is its meaning in plain Python; `reads`, `kind`,
`plan`, `check_types` and `contradictions` tell more about it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pandas_magic.constraints.algebra import conditions, expressions
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.describing import describe
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    HowMany,
    Join,
    Lookup,
    Moment,
    Now,
    Previous,
    ReadAs,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.kinds import kind, scale
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.tree import judges_columns, reads
from pandas_magic.constraints.code.python_text import identifier, identifiers
from pandas_magic.constraints.code.rendering import render_code
from pandas_magic.constraints.types.named_formats import FORMATS, NamedFormat
from pandas_magic.constraints.types.problems import check_types

if TYPE_CHECKING:
    from pandas_magic.constraints.meaning.violations import violating_rows
    from pandas_magic.constraints.plans import plan
    from pandas_magic.constraints.types.contradictions import contradictions

# Expressions and conditions refer to each other; the records are completed when the first one is read.
vars(expressions)["Condition"] = conditions.Condition

# What needs pandas, or the records of a check, is loaded on first use: importing the rules must stay cheap.
_LAZY = {"contradictions": "types.contradictions", "plan": "plans", "violating_rows": "meaning.violations"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the signature that Python gives this hook
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FORMATS",
    "Absolute",
    "Aggregate",
    "All",
    "Any_",
    "Arithmetic",
    "Column",
    "ColumnsRule",
    "Compare",
    "Condition",
    "Constraint",
    "DatePart",
    "Exists",
    "Expression",
    "Folded",
    "Group",
    "HasText",
    "HowMany",
    "Join",
    "Lookup",
    "Matches",
    "Moment",
    "NamedFormat",
    "Not",
    "Now",
    "OneOf",
    "Parses",
    "Present",
    "Previous",
    "ReadAs",
    "Rollup",
    "RowRule",
    "Share",
    "Span",
    "TableRule",
    "TextLength",
    "Tolerance",
    "Unique",
    "Value",
    "check_types",
    "contradictions",
    "describe",
    "identifier",
    "identifiers",
    "judges_columns",
    "kind",
    "plan",
    "reads",
    "render_code",
    "scale",
    "violating_rows",
]
