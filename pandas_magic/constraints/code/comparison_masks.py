"""Comparisons as pandas masks: exact ones, truth values, and computed numbers that are equal up to rounding."""

from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import OPPOSITE, Compare, Relation
from pandas_magic.constraints.algebra.expressions import Expression, Value
from pandas_magic.constraints.algebra.shapes import (
    ROUNDING,
    ROUNDING_SHARE,
    TERMS_SHARE,
    cancelling_terms,
    clock_of,
    is_rounded,
)
from pandas_magic.constraints.code.python_text import (
    ATOM,
    COMPARISON,
    PRODUCT,
    SUM,
    Code,
    both,
    either,
    is_short,
    joined_by,
    literal,
    negated,
)
from pandas_magic.constraints.code.writer import At, Writer
from pandas_magic.constraints.types.value_types import ValueType

_NEAR = f"{ROUNDING:g}".replace("e-0", "e-")


def compare_mask(writer: Writer, compare: Compare, at: At, truth: bool) -> Code:
    """The rows in which the comparison is true (`truth`), or in which it is false; missing values are in neither."""
    left_type, right_type = writer.type_of(compare.left, at), writer.type_of(compare.right, at)
    left = _clock(compare.left, compare.right) or writer.value(compare.left, at, right_type)
    right = _clock(compare.right, compare.left) or writer.value(compare.right, at, left_type)
    relation = compare.relation if truth else OPPOSITE[compare.relation]
    whole = left_type.kind == right_type.kind == "integer"
    if compare.within is not None and whole:
        test = _whole_within(left, relation, right, compare.within)
        return _per_row(replace(test, holey=not (left_type.is_numpy and right_type.is_numpy)), at)
    if compare.within is not None or (is_rounded(compare) and not whole):
        sides = (
            _number(writer, compare.left, left, left_type, stem="actual"),
            _number(writer, compare.right, right, right_type, stem="expected"),
        )
        close = _closeness(writer, compare, at, sides)
        return _per_row(_rounded(sides[0], relation, sides[1], close), at)
    if isinstance(compare.right, Value) and isinstance(compare.right.value, bool) and not left.scalar:
        return _truth_value(left, left_type, relation, truth=compare.right.value)
    left, left_type = _beside(left, left_type, right_type)
    right, right_type = _beside(right, right_type, left_type)
    holey = not (left_type.is_numpy and right_type.is_numpy)
    if relation == "!=":
        left, right = _named(writer, left, "actual"), _named(writer, right, "expected")
    return _per_row(_exact(left, relation, right, holey=holey), at)


def _clock(side: Expression, other: Expression) -> Code | None:
    """A length of time beside a time of day, as people write the time: pd.Timedelta("08:30:00")."""
    clock = clock_of(side, other)
    return Code(f"pd.Timedelta({literal(f'{clock}:00'[:8])})", scalar=True, sure=True) if clock else None


def _beside(code: Code, found: ValueType, other: ValueType) -> tuple[Code, ValueType]:
    """Decimals beside a fraction as fractions: Arrow would multiply, and make 0.35000000000000003 of 0.35."""
    if not found.is_decimal or other.is_decimal or other.kind not in ("number", "mixed"):
        return code, found
    return (code if code.scalar else Code(f'{code.within(ATOM)}.astype("float64")')), ValueType("number", "float64")


def _exact(left: Code, relation: Relation, right: Code, *, holey: bool) -> Code:
    test = replace(joined_by(relation, left, right, COMPARISON), holey=holey)
    # Alone among the relations, != is true beside a missing value.
    return both([*_present(left), *_present(right), test]) if relation == "!=" else test


def _truth_value(code: Code, found: ValueType, relation: Relation, *, truth: bool) -> Code:
    if found.kind == "boolean":
        code = replace(code, holey=not found.is_numpy)
        return code if truth is (relation == "==") else negated(code)
    # Among values of no one type, what is not true may be no truth value at all.
    same = Code(f"{code.within(ATOM)}.eq({truth})")
    return same if relation == "==" else both([*_present(code), negated(same)])


def _whole_within(left: Code, relation: Relation, right: Code, within: float) -> Code:
    difference = joined_by("-", left, right, SUM)
    size = f"abs({difference.text})" if difference.scalar else f"{difference.within(ATOM)}.abs()"
    return Code(f"{size} {'<=' if relation == '==' else '>'} {literal(within)}", COMPARISON, scalar=difference.scalar)


def _closeness(writer: Writer, compare: Compare, at: At, sides: tuple[Code, Code]) -> Code:
    """Whether the two numbers are equal up to rounding, or up to the tolerance that the rule names."""
    (left, right), terms = sides, cancelling_terms(compare)
    scalar = left.scalar and right.scalar
    if terms is None:
        slack = _NEAR if compare.within is None else f"{literal(compare.within)} + {_NEAR}"
        return Code(f"np.isclose({left.text}, {right.text}, rtol={ROUNDING_SHARE:g}, atol={slack})", scalar=scalar)
    found = writer.type_of(terms, at)
    size = _number(writer, terms, writer.value(terms, at, found), found, stem="terms")
    off = f"np.abs({left.text}) - {TERMS_SHARE:g} * {size.within(PRODUCT)}"
    return Code(f"({off} <= {_NEAR})", scalar=scalar)  # infinite less infinite is NaN, which is not close


def _rounded(left: Code, relation: Relation, right: Code, close: Code) -> Code:
    match relation:
        case "==":
            return close
        case "!=":
            return both([*_present(left), *_present(right), negated(close)])
        case "<=" | ">=":
            return either([joined_by(relation, left, right, COMPARISON), close])
        case _:
            return both([joined_by(relation, left, right, COMPARISON), negated(close)])


def _number(writer: Writer, expression: Expression, code: Code, found: ValueType, *, stem: str) -> Code:
    if code.scalar:
        return code
    if not found.is_numpy or found.kind == "mixed":
        # np.isclose takes plain numbers only, in which a missing one is NaN.
        code = Code(f'{code.within(ATOM)}.astype("float64")')
    return _named(writer, code, stem)


def _named(writer: Writer, code: Code, stem: str) -> Code:
    """A name for what is used more than once, unless it is as short as one."""
    return code if code.scalar or is_short(code) else writer.bind(stem, code)


def _present(code: Code) -> list[Code]:
    if code.sure:
        return []
    return [Code(f"pd.notna({code.text})", scalar=True) if code.scalar else Code(f"{code.within(ATOM)}.notna()")]


def _per_row(mask: Code, at: At) -> Code:
    """The mask as one truth value for each row, where both sides are one value for the whole table."""
    return Code(f"pd.Series({mask.text}, index={at.frame}.index)") if mask.scalar else mask
