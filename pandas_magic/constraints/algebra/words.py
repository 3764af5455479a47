"""Canonical words for expressions and conditions: unambiguous, and read back to the same tree by the rule compiler.

Names are bare where they cannot be mistaken, else in backticks; texts are in single quotes. A condition has two moods:
"quantity is at least 1" inside other conditions, "quantity must be at least 1" where a rule demands it.
"""

from collections.abc import Iterable

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
from pandas_magic.constraints.algebra.shapes import between_bounds, clock_of, is_computed, value_nodes
from pandas_magic.constraints.algebra.spelling import literal_words, name_words

_STATISTICS = {
    "count": "the count of",
    "sum": "the sum of",
    "mean": "the mean of",
    "median": "the median of",
    "min": "the minimum of",
    "max": "the maximum of",
    "std": "the standard deviation of",
    "distinct": "the distinct count of",
}
_COMPARED = {"<": "less than", "<=": "at most", ">": "greater than", ">=": "at least"}
_IN_TIME = {"<": "before", "<=": "no later than", ">": "after", ">=": "no earlier than"}
_READABLE = {kind: f"a {kind}" for kind in ("number", "date", "boolean")}
_READABLE |= {"integer": "an integer", "text": "text", "time": "a time of day"}
_TEXT_VERBS = {
    "start": ("starts with", "start with"),
    "end": ("ends with", "end with"),
    "anywhere": ("contains", "contain"),
}
_SUMS, _PRODUCTS, _ATOMS = 0, 1, 2


def expression_words(expression: Expression) -> str:
    """The expression in canonical words: "amount - discount", "the number of rows per user_id"."""
    match expression:
        case Column(name=name):
            return name_words(name)
        case Value(value=value):
            return literal_words(value)
        case Moment(iso=iso):
            return iso
        case Now(midnight=midnight):
            return "today" if midnight else "now"
        case Span(amount=amount, unit=unit):
            return f"{_short(amount)} {unit[:-1] if amount == 1 else unit}"
        case Arithmetic():
            return _arithmetic_words(expression)
        case Lookup() | Rollup() | Group() | Previous() | Aggregate() | Share():
            return _reach_words(expression)
        case _:
            return _part_words(expression)


def _part_words(expression: Expression) -> str:
    match expression:
        case Absolute(of=of):
            return f"the absolute value of {_tight(of)}"
        case TextLength(of=of):
            return f"the length of {_tight(of)}"
        case Folded(of=of, fold=fold):
            return f"{_tight(of)} ignoring {'case' if fold == 'case' else 'outer spaces'}"
        case DatePart(of=of, part=part):
            return f"the {'time of day' if part == 'time' else part} of {_tight(of)}"
        case ReadAs(of=of, type=kind):
            return f"{_tight(of)} read as {_READABLE[kind]}"
        case HowMany(conditions=conditions):
            return f"the number of true ones among ({'; '.join(map(condition_words, conditions))})"
    raise TypeError(f"no words for a {type(expression).__name__}")


def _reach_words(expression: Expression) -> str:
    match expression:
        case Lookup(join=join, of=of):
            return f"the {_tight(of)} of {name_words(join.table)} by {_join_words(join)}"
        case Rollup(join=join):
            rows = f"{name_words(join.table)}{_where_words(expression.where)}"
            return f"{_statistic_words(expression)} in {rows} by {_join_words(join)}"
        case Group(by=by):
            over = f" per {_list_words(by)}" if by else " over all rows"
            return f"{_statistic_words(expression)}{_where_words(expression.where)}{over}"
        case Previous(of=of, order=order, by=by):
            in_order = f" in order of {_tight(order)}" if order is not None else ""
            return f"the previous {_tight(of)}{in_order}{f' per {_list_words(by)}' if by else ''}"
        case Aggregate(table=table, where=where):
            return f"{_statistic_words(expression)} in {name_words(table)}{_where_words(where)}"
        case Share(table=table, condition=condition, where=where):
            within = f"{name_words(table)}{_where_words(where)}"
            return f"the share of rows in {within} with ({condition_words(condition)})"
    raise TypeError(f"no words for a {type(expression).__name__}")


def _statistic_words(of: Rollup | Group | Aggregate) -> str:
    if of.of is None:
        return "the number of rows"
    stem = f"the {of.quantile!r} quantile of" if of.statistic == "quantile" else _STATISTICS[of.statistic]
    return f"{stem} {_tight(of.of)}"


def _where_words(where: Condition | None) -> str:
    return "" if where is None else f" (where {condition_words(where)})"


def _join_words(join: Join) -> str:
    pairs = [
        name_words(here) if here == there else f"{name_words(here)} = {name_words(there)}"
        for here, there in zip(join.columns, join.keys, strict=True)
    ]
    return pairs[0] if len(pairs) == 1 else f"({', '.join(pairs)})"


def _list_words(expressions: Iterable[Expression]) -> str:
    words = [(expression, expression_words(expression)) for expression in expressions]
    return _tight(words[0][0]) if len(words) == 1 else f"({', '.join(text for _, text in words)})"


def _tight(expression: Expression) -> str:
    text = expression_words(expression)
    return text if isinstance(expression, (Column, Value, Moment, Now, Span)) else f"({text})"


def _arithmetic_words(expression: Arithmetic) -> str:
    level = _level(expression)
    left, right = expression.left, expression.right
    left_words = expression_words(left) if _level(left) >= level else f"({expression_words(left)})"
    right_words = expression_words(right) if _level(right) > level else f"({expression_words(right)})"
    return f"{left_words} {expression.sign} {right_words}"


def _level(expression: Expression) -> int:
    if isinstance(expression, Arithmetic):
        return _SUMS if expression.sign in "+-" else _PRODUCTS
    # Words that end in "of x" would swallow what follows, so they stand in parentheses like a sum inside a product.
    return _ATOMS if isinstance(expression, (Column, Value, Moment, Now, Span)) else -1


def _short(number: float) -> str:
    return repr(int(number)) if float(number).is_integer() else repr(number)


def condition_words(condition: Condition) -> str:
    """The condition as a statement: "status is one of 'paid', 'shipped'"."""
    return _words(condition, must=False)


def demand_words(condition: Condition) -> str:
    """The condition as a demand: "quantity must be between 1 and 100"."""
    if _is_leaf(condition):
        return _words(condition, must=True)
    if isinstance(condition, All) and all(map(_is_leaf, condition.conditions)):
        return " and ".join(_words(part, must=True) for part in condition.conditions)
    return f"it must hold that {condition_words(condition)}"


def _words(condition: Condition, *, must: bool) -> str:
    bounds = between_bounds(condition)
    if bounds is not None:
        low, high = (clock_of(bound, bounds[0]) or expression_words(bound) for bound in bounds[1:])
        return f"{expression_words(bounds[0])} {'must be' if must else 'is'} between {low} and {high}"
    match condition:
        case All(conditions=conditions):
            return " and ".join(_nested(part) for part in conditions)
        case Any_(conditions=conditions):
            return " or ".join(_nested(part) for part in conditions)
        case Compare():
            return _compare_words(condition, must=must)
        case Not(condition=negated) if _negatable(negated):
            return _leaf_words(negated, must=must, no=True)
        case Not(condition=negated):
            return f"not ({condition_words(negated)})"
        case _:
            return _leaf_words(condition, must=must, no=False)


def _nested(condition: Condition) -> str:
    text = condition_words(condition)
    joins = isinstance(condition, (All, Any_)) and between_bounds(condition) is None
    return f"({text})" if joins else text


def _is_leaf(condition: Condition) -> bool:
    if isinstance(condition, Not):
        return _negatable(condition.condition)
    return not isinstance(condition, (All, Any_)) or between_bounds(condition) is not None


def _negatable(condition: Condition) -> bool:
    return not isinstance(condition, (Compare, All, Any_, Not))


def _leaf_words(condition: Condition, *, must: bool, no: bool) -> str:
    be = ("must not be" if no else "must be") if must else ("is not" if no else "is")
    match condition:
        case Present(of=of):
            return f"{expression_words(of)} {'must be' if must else 'is'} {'missing' if no else 'present'}"
        case OneOf(of=of, values=values):
            among = f"{'none' if no else 'one'} of {', '.join(map(literal_words, values))}{_rounding(of)}"
            return f"{expression_words(of)} {'must be' if must else 'is'} {among}"
        case Matches(of=of, pattern=pattern, format=named):
            has, match = _verb("has", "have", must=must, no=no), _verb("matches", "match", must=must, no=no)
            what = f"{has} the format {named}" if named else f"{match} /{_slashed(pattern)}/"
            return f"{expression_words(of)} {what}"
        case HasText(of=of, where=where, text=text):
            verb = _verb(*_TEXT_VERBS[where], must=must, no=no)
            case = " ignoring case" if condition.ignore_case else ""
            return f"{expression_words(of)} {verb} {literal_words(text)}{case}"
        case Parses(of=of, type=kind):
            return f"{expression_words(of)} {be} readable as {_READABLE[kind]}{_rounding(of) * (kind == 'integer')}"
        case Unique(by=by, missing_equal=missing_equal):
            counting = " counting missing values as equal" if missing_equal else ""
            return f"{_subject_words(by)} {be} unique{counting}"
        case Exists(of=of, table=table, keys=keys, where=where):
            there = [f"{name_words(table)}.{name_words(key)}" for key in keys]
            among = there[0] if len(there) == 1 else f"({', '.join(there)})"
            return f"{_subject_words(of)} {be} among {among}{_where_words(where)}"
    raise TypeError(f"no words for a {type(condition).__name__}")


def _subject_words(expressions: tuple[Expression, ...]) -> str:
    words = [expression_words(expression) for expression in expressions]
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def _verb(says: str, bare: str, *, must: bool, no: bool) -> str:
    if must:
        return f"must not {bare}" if no else f"must {bare}"
    return f"does not {bare}" if no else says


def _slashed(pattern: str) -> str:
    return pattern.replace("/", r"\/")


def _compare_words(compare: Compare, *, must: bool) -> str:
    sides = (compare.left, compare.right), (compare.right, compare.left)
    left, right = (clock_of(*pair) or expression_words(pair[0]) for pair in sides)
    return f"{left} {_relation_words(compare, must=must)} {right}{_closeness_words(compare)}"


def _relation_words(compare: Compare, *, must: bool) -> str:
    relation, right = compare.relation, compare.right
    be = "must be" if must else "is"
    if relation in ("==", "!="):
        no = relation == "!="
        if isinstance(right, Value) and isinstance(right.value, (bool, str)):
            return ("must not be" if no else "must be") if must else ("is not" if no else "is")
        return _verb("equals", "equal", must=must, no=no)
    if clock_of(right, compare.left) or any(isinstance(part, (Moment, Now)) for part in value_nodes(right)):
        return f"{be} {_IN_TIME[relation]}"
    if isinstance(right, (Value, Span)):
        return f"{be} {_COMPARED[relation]}"
    return f"{be} {relation}"


def _closeness_words(compare: Compare) -> str:
    if compare.within is not None:
        return f" within {compare.within!r}"
    return _rounding(compare.left, compare.right)


def _rounding(*expressions: Expression) -> str:
    return " (up to rounding)" if is_computed(*expressions) else ""
