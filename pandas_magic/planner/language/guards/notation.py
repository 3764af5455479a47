"""What is written in signs and not in words: lists are taken whole, limits on their side, patterns as patterns."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import Value
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.guards.denials import denies_something, has_ways
from pandas_magic.planner.language.guards.nodes_needed import each, values_told
from pandas_magic.planner.language.linking import Linked

_SIGNS = {"<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">", "==": "==", "=": "=="}
_LIMIT = re.compile(r"(?<![-=<>!])(<=|=<|≤|>=|≥|==|<|>|=)\s*(-?\d+(?:\.\d+)?)(?![\w.,]\d|\w|%)")
_LIST_MARKS = frozenset((",", "or", "and", "|", "/", ";"))
_SHORTEST = 3  # two numbers may be the ends of a range
_PATTERN = re.compile(r"^\^|(?<=.)\$$|\[[^\]]+\][+*{]|\\[dws]|\.\*")


def misread_signs(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the signs say and the rule says otherwise."""
    yield from _lists_cut(constraint, linked)
    yield from _turned_round(constraint, linked)
    yield from _patterns_as_texts(constraint, linked)


def _lists_cut(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "[15, 20, 25, 40]", taken for one of 20, 25, 40, or for what lies between 20 and 25."""
    held = {float(value) for value in _numbers_of(constraint)}
    for listed in _lists(linked):
        left = [one for one in listed if float(one) not in held]
        if left and len(left) < len(set(listed)):
            yield f"of the list {', '.join(f'{one:g}' for one in listed)} it leaves {left[0]:g} out"


def _lists(linked: Linked) -> Iterator[list[float]]:
    """The numbers that stand between marks of a list, three or more."""
    found: list[float] = []
    for token in (*linked.tokens, None):
        if token is not None and token.kind == "number":
            found.append(float(token.value))
        elif token is None or token.text.lower() not in _LIST_MARKS:
            if len(found) >= _SHORTEST:
                yield found
            found = []


def _numbers_of(constraint: Constraint) -> Iterator[float]:
    for value in (*(node.value for node in each(constraint, Value)), *(value for _, value in values_told(constraint))):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield value


def _turned_round(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "SUM(fee) per payer <= 500", taken for what is greater than 500, though nothing denies it."""
    is_choice = re.search(r"\w\[", linked.text)  # `df[df.fee < 0]` chooses rows, and does not say what must be
    if is_choice or denies_something(linked) or has_ways(constraint):
        return
    said: dict[float, set[str]] = {}
    for sign, number in _LIMIT.findall(linked.text):
        said.setdefault(float(number), set()).add(_SIGNS[sign])
    for node in each(constraint, Compare):
        if isinstance(node.right, Value) and isinstance(node.right.value, (int, float)):
            signs = said.get(float(node.right.value), set())
            if signs and node.relation not in signs:
                yield f"it turns the limit of {node.right.value:g} round"


def _patterns_as_texts(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "~ '^A'", taken for the text '^A'."""
    for _, value in values_told(constraint):
        is_known = any(value in known for table in linked.tables.values() for known in table.values.values())
        if isinstance(value, str) and _PATTERN.search(value) and not is_known:
            yield f"{value!r} is written as a pattern, and it takes it for a text"
