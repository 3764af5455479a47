"""Comparisons of what is made of a text: slices, upper case, how often and where something stands in it."""

import re
from typing import cast

from pandas_magic.constraints.algebra.conditions import Compare, Condition, HasText, Matches, Relation
from pandas_magic.constraints.algebra.expressions import Folded, Value
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, SyntaxTerm
from pandas_magic.planner.language.doors.values import value
from pandas_magic.planner.language.logic import opposite

_CHARACTER = r"[\s\S]"


def sliced(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`x[:2] == "AB"` and LEFT(x, 2) = 'AB': how a text begins, ends, or what stands at a place in it."""
    of, (start, stop) = value(left.parts[0], names), cast("tuple[int, int | None]", left.said)
    if relation not in ("==", "!=") or right.op != "literal" or not isinstance(right.said, str):
        raise NothingHolds("a part of a text can be compared with a text that is written out, and with nothing else")
    text = right.said
    length = -start if start < 0 and stop is None else None if stop is None else stop - start
    if start < 0 and stop is not None and stop >= 0:
        raise NothingHolds("a part of a text from its end and to its beginning is nothing that a rule can hold")
    if length is not None and length != len(text):
        raise NothingHolds(f"{length} characters never equal {text!r}, which has {len(text)}")
    if start == 0 and stop is not None:
        found: Condition = HasText(of=of, where="start", text=text)
    elif start < 0 and stop is None:
        found = HasText(of=of, where="end", text=text)
    elif start < 0:
        found = Matches(of=of, pattern=f"{_CHARACTER}*{re.escape(text)}{_CHARACTER}{{{-cast('int', stop)}}}")
    else:
        behind = "" if stop is None else f"{_CHARACTER}*"
        found = Matches(of=of, pattern=f"{_CHARACTER}{{{start}}}{re.escape(text)}{behind}")
    return found if relation == "==" else opposite(found)


def in_upper_case(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`upper(a) = a` and `upper(a) = 'ABC'`."""
    of = value(left.parts[0], names)
    if right.op == "literal" and isinstance(right.said, str) and right.said == right.said.upper():
        folded = Folded(of=of, fold="case")
        return Compare(relation=relation, left=folded, right=Value(value=right.said.lower()))
    if right == left.parts[0] and relation in ("==", "!="):
        found = Matches(of=of, pattern="[^a-zß-öø-ÿ]*")
        return found if relation == "==" else opposite(found)
    if right.op == "fold case up" and relation in ("==", "!="):
        sides = (Folded(of=value(side.parts[0], names), fold="case") for side in (left, right))
        return Compare(relation=relation, left=next(sides), right=next(sides))
    raise NothingHolds("a text in upper case can be compared with itself, with another so, or with one written out")


def found_in(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`POSITION('@' IN x) > 0`: the text contains it."""
    of, text = left.parts if left.op == "position" else reversed(left.parts)
    if (relation, right.said) not in ((">", 0), (">=", 1), ("==", 0), ("!=", 0)) or not isinstance(text.said, str):
        raise NothingHolds("at which place a text stands in another is nothing that a rule can hold")
    found = HasText(of=value(of, names), where="anywhere", text=text.said)
    return opposite(found) if (relation, right.said) == ("==", 0) else found


def occurring(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`x.count("@") == 1`: how often a character stands in a text."""
    of, sign = left.parts
    number = right.said
    if len(str(sign.said)) != 1 or not isinstance(number, int) or relation != "==":
        raise NothingHolds("how often a text stands in another can be held equal to a number, for one character")
    other = f"[^{re.escape(str(sign.said))}]*"
    return Matches(of=value(of, names), pattern=other + f"{re.escape(str(sign.said))}{other}" * number)


def not_blank(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """The length of a text without outer spaces is 0 where nothing but spaces is in it."""
    inner = left.parts[0]
    if inner.op != "fold space" or (relation, right.said) not in ((">", 0), (">=", 1)):
        return None
    return Compare(relation="!=", left=value(inner, names), right=Value(value=""))
