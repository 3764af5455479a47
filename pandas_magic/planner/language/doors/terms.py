"""What SQL and Python have in common, once their syntax is gone: operations on names and literals."""

from collections.abc import Iterator
from dataclasses import dataclass

Literal = bool | int | float | str | None


class NotMeant(Exception):
    """The text is nothing that this door reads."""


class UnknownName(NotMeant):
    """The text is of the door's kind, but names something that is not there."""


@dataclass(frozen=True)
class SyntaxTerm:
    """An operation with its operands: "<=" with a name and a literal, or "not" with another operation.

    `said` is the path of a name ("orders", "amount"), the value of a literal, or the word that an operation needs
    besides: the unit of a span, the part of a date, the statistic.
    """

    op: str
    parts: tuple["SyntaxTerm", ...] = ()
    said: object = None
    quoted: bool = False  # a name in the quotes that some databases take for a text's

    def names(self) -> Iterator[tuple[str, ...]]:
        """The paths of all names in the term."""
        if self.op == "name":
            assert isinstance(self.said, tuple)
            yield self.said
        for part in self.parts:
            yield from part.names()


def name(*path: str, quoted: bool = False) -> SyntaxTerm:
    """A name, with the table before it where it is said."""
    return SyntaxTerm("name", said=path, quoted=quoted)


def literal(value: Literal) -> SyntaxTerm:
    """A literal."""
    return SyntaxTerm("literal", said=value)
