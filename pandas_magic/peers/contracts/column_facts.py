"""What contracts demand of one column: limits, lengths, patterns, lists, types; each fact is a rule of its own.

A fact that is not known here is a piece that cannot be read, so that it is listed and never dropped.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from pandas_magic.constraints import (
    Column,
    ColumnsRule,
    Condition,
    Constraint,
    Matches,
    Present,
    TextLength,
    Unique,
)
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.peers.importing import Piece
from pandas_magic.peers.ranges import compared, one_of
from pandas_magic.peers.regexes import How, pattern_remark, whole_text
from pandas_magic.peers.rule_parts import column, row_rule
from pandas_magic.peers.transfers import CannotRead

Kind = Literal["integer", "number", "text", "boolean", "datetime"]
_LIMITS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<", "const": "=="}
_LENGTHS = {"minLength": ">=", "maxLength": "<="}
_KINDS: dict[str, Kind] = {
    "integer": "integer",
    "number": "number",
    "string": "text",
    "boolean": "boolean",
    "date": "datetime",
    "datetime": "datetime",
    "timestamp": "datetime",
}
_FORMATS = {"email": "email address", "uuid": "UUID", "ipv4": "IPv4 address", "ipv6": "IPv6 address"}
GAPS_IN_INTEGERS = (
    "a column of whole numbers that has gaps holds fractions in pandas; say that it is required, or check its values"
)


def pieces(where: str, table: str, name: str, facts: Mapping[str, Any], *, how: How = "search") -> Iterator[Piece]:
    """A piece for each fact; `how` is the way in which the contract applies patterns."""
    required = facts.get("required") is True
    for fact, value in facts.items():
        if fact in ("required", "unique") and value is False:
            continue  # nothing is demanded

        def constraint(fact: str = fact, value: Any = value) -> Constraint:  # noqa: ANN401 - of a file
            if fact == "type":
                return ColumnsRule(table=table, types={column(name).name: kind_of_type(value, required=required)})
            if fact not in _MEANINGS:
                raise CannotRead("no rule of ours says this")
            return row_rule(table, _MEANINGS[fact](column(name), value, how))

        note = pattern_remark(str(value)) if fact == "pattern" else ""
        yield Piece(where=where, what=f"{table}.{name} {fact}: {value!r}"[:80], read=constraint, remarks=(note,))


def kind_of_type(said: object, *, required: bool) -> Kind:
    """The kind of a column of that type. Raises: CannotRead where a table has no such columns."""
    if not isinstance(said, str) or said not in _KINDS:
        raise CannotRead("no column of a table is of that type")
    if said == "integer" and not required:
        raise CannotRead(GAPS_IN_INTEGERS)
    return _KINDS[said]


def _limit(relation: str) -> Callable[[Column, Any, How], Condition]:
    return lambda of, value, _: compared(of, relation, value)


def _length(relation: str) -> Callable[[Column, Any, How], Condition]:
    return lambda of, value, _: compared(TextLength(of=of), relation, value)


def _true(condition: Callable[[Column], Condition]) -> Callable[[Column, Any, How], Condition]:
    def read(of: Column, value: object, _: How) -> Condition:
        if value is not True:
            raise CannotRead(f"{value!r} is neither true nor false")
        return condition(of)

    return read


def _format(of: Column, value: object, _: How) -> Condition:
    named = FORMATS.get(_FORMATS.get(str(value), ""))
    if named is None:
        raise CannotRead("no rule of ours says this format")
    return Matches(of=of, pattern=named.pattern, format=named.name)


_MEANINGS: dict[str, Callable[[Column, Any, How], Condition]] = {
    **{fact: _limit(relation) for fact, relation in _LIMITS.items()},
    **{fact: _length(relation) for fact, relation in _LENGTHS.items()},
    "required": _true(lambda of: Present(of=of)),
    "unique": _true(lambda of: Unique(by=(of,))),
    "pattern": lambda of, value, how: whole_text(of, str(value), how),
    "enum": lambda of, value, _: one_of(of, value),
    "format": _format,
}
