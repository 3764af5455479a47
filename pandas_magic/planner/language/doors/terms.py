"""What SQL and Python have in common, once their syntax is gone: operations on names and literals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Literal = bool | int | float | str | None


class NotMeant(Exception):
    """The text is nothing that this door reads."""


class UnknownName(NotMeant):
    """The text is of the door's kind, but names something that is not there."""


class NothingHolds(NotMeant):
    """The text is of the door's kind, but says what no rule can hold; the message says what, in one clause."""


@dataclass(frozen=True)
class SyntaxTerm:
    """An operation with its operands: "<=" with a name and a literal, or "not" with another operation.

    `said` is the path of a name ("orders", "amount"), the value of a literal, or what an operation needs besides: the
    unit of a span, the part of a date, the ends of a slice, the query behind EXISTS.
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


@dataclass(frozen=True)
class JoinedTable:
    """A table joined to the rows of a query: under which name, on what, and whether rows without partner stay."""

    table: str
    alias: str
    on: SyntaxTerm | None
    using: tuple[str, ...] = ()
    is_left: bool = False


@dataclass(frozen=True)
class RowQuery:
    """A SELECT: which rows of which tables, grouped by what, and what is selected of them."""

    table: str
    alias: str
    selected: tuple[SyntaxTerm, ...]
    joined: tuple[JoinedTable, ...] = ()
    where: SyntaxTerm | None = None
    by: tuple[SyntaxTerm, ...] = ()
    having: SyntaxTerm | None = None
    binds_all: bool = True  # False: a bare name is one of the row outside, as behind the sign for "there is"


def conjuncts(term: SyntaxTerm | None) -> tuple[SyntaxTerm, ...]:
    """The parts that must all hold."""
    if term is None:
        return ()
    if term.op == "same":
        return conjuncts(term.parts[0])
    return tuple(part for each in term.parts for part in conjuncts(each)) if term.op == "and" else (term,)


def replaced(term: SyntaxTerm | None, by_name: Mapping[str, SyntaxTerm]) -> SyntaxTerm | None:
    """The term with bare names replaced by what they stand for."""
    if term is None:
        return None
    if term.op == "name" and isinstance(term.said, tuple) and len(term.said) == 1 and term.said[0] in by_name:
        return by_name[term.said[0]]
    parts = tuple(new for part in term.parts if (new := replaced(part, by_name)) is not None)
    return SyntaxTerm(term.op, parts, term.said, term.quoted)


def rooted(term: SyntaxTerm, said: str, frame: SyntaxTerm) -> SyntaxTerm:
    """The term with `said` as another name of the frame: `r.a` of a row r of df is `df.a`."""
    if term.op == "name" and isinstance(term.said, tuple) and term.said[0] == said and len(term.said) > 1:
        assert isinstance(frame.said, tuple)
        return SyntaxTerm("name", said=(*frame.said, *term.said[1:]))
    return SyntaxTerm(term.op, tuple(rooted(part, said, frame) for part in term.parts), term.said, term.quoted)
