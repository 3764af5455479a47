"""How texts are folded, and what they are compared with alike: 'Berlin' is no text that ignores case."""

from typing import Literal

from pandas_magic.constraints.algebra.expressions import Expression, Folded, Lookup, Previous, Value


def lower_case(text: str) -> str:
    """Each letter by itself in lower case, as Arrow does it: no final sigma, and a dotted I is one letter."""
    return text.lower() if text.isascii() else "".join(letter.lower()[:1] for letter in text)


def folded(text: str, fold: Literal["case", "space"]) -> str:
    """The text as `Folded` has it."""
    return lower_case(text) if fold == "case" else text.strip()


def folded_as(literal: bool | int | float | str, of: Expression) -> bool | int | float | str:
    """What a value of the expression is compared with, folded as the expression is."""
    if not isinstance(of, (Folded, Lookup, Previous)) or not isinstance(literal, str):
        return literal
    inner = folded_as(literal, of.of)
    return folded(str(inner), of.fold) if isinstance(of, Folded) else inner


def folded_value(side: Expression, other: Expression) -> Expression:
    """A side of a comparison, folded as the other side is where it is a text as it is written."""
    return Value(value=folded_as(side.value, other)) if isinstance(side, Value) else side
