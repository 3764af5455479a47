"""What is among listed values, in a column of another table or in a query."""

from dataclasses import replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import Condition, Exists, HasText, OneOf
from pandas_magic.constraints.algebra.expressions import Expression, Moment, Value
from pandas_magic.planner.language.doors.branches import BRANCHING
from pandas_magic.planner.language.doors.comparing import DAY_NUMBERS, is_special, iso_day
from pandas_magic.planner.language.doors.correlating import correlated
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, RowQuery, SyntaxTerm, literal
from pandas_magic.planner.language.doors.values import value
from pandas_magic.planner.language.logic import any_of


def listed_test(term: SyntaxTerm, names: Names) -> Condition:
    """What `x in (…)` says of listed values. Raises: NotMeant, NothingHolds."""
    subject, items = term.parts
    if subject.op in DAY_NUMBERS:
        items = replace(items, parts=tuple(iso_day(subject, item) for item in items.parts))
        subject = subject.parts[0]
    if is_special(subject) or subject.op in BRANCHING:
        return any_of([names.condition(SyntaxTerm("==", (subject, item))) for item in items.parts])
    of = value(subject, names)
    words = [part for part in items.parts if part.op == "name"]
    if any(names.has(cast("tuple[str, ...]", word.said)) for word in words):
        return any_of([names.condition(SyntaxTerm("==", (subject, item))) for item in items.parts])
    listed = tuple(_list_value(part, of, names) for part in items.parts)
    if term.said == "bracketed" and len(listed) == 2 and names.kind(of) in ("number", "integer"):
        raise NotMeant("two values, or all between them")
    return OneOf(of=of, values=listed)


def _list_value(part: SyntaxTerm, of: Expression, names: Names) -> bool | int | float | str:
    if part.op == "name" and names.kind(of) == "text":
        (said,) = cast("tuple[str, ...]", part.said)[-1:]
        return said
    if part == literal(None):
        raise NothingHolds("NULL in a list is equal to nothing; say IS NULL besides")
    found = value(part, names, of)
    if isinstance(found, Moment):
        return found.iso
    if not isinstance(found, Value):
        raise NotMeant("a list of what are no values")
    return found.value


def among_test(term: SyntaxTerm, names: Names) -> Condition:
    """What `x in table.column` says. Raises: NotMeant, NothingHolds."""
    subject, there = term.parts
    if subject.op == "literal" and isinstance(subject.said, str):
        return HasText(of=value(there, names), where="anywhere", text=subject.said)
    paths = [cast("tuple[str, ...]", part.said) for part in each_of(subject) if part.op == "name"]
    keys = [cast("tuple[str, ...]", part.said) for part in each_of(there) if part.op == "name"]
    if len(paths) != len(each_of(subject)) or len(keys) != len(each_of(there)):
        raise NotMeant("in what is no column")
    if len(keys) == 1 and len(keys[0]) == 1:
        return names.reference(paths, keys[0][0], ())
    if len({key[-2] for key in keys}) != 1:
        raise NotMeant("columns of several tables")
    return names.reference(paths, keys[0][-2], [key[-1] for key in keys])


def query_test(term: SyntaxTerm, names: Names) -> Condition:
    """`x IN (SELECT k FROM t WHERE …)`, which asks for a row of t with that k."""
    query, subject = cast(RowQuery, term.said), each_of(term.parts[0])
    if query.by or query.having is not None or len(query.selected) != len(subject):
        raise NothingHolds("values can be looked up in the columns of a query, and in no statistic of groups")
    there = names.table(query.table)
    paths = [cast("tuple[str, ...]", part.said) for part in query.selected if part.op == "name"]
    if len(paths) != len(subject):
        raise NothingHolds("values can be looked up in columns, and in nothing computed")
    if not names.is_demanded and any(path[-1] in names.tables[there].missing for path in paths):
        names.doubts.append(f"{there} has a missing value there, with which NOT IN finds nothing, and this does")
    found = correlated(query, names)
    if found.keys or found.said_here or found.compared:
        raise NothingHolds("a query behind IN that speaks of the row outside; write EXISTS")
    of = tuple(value(part, names) for part in subject)
    keys = tuple(names.key(there, path[-1]) for path in paths)
    return Exists(of=of, table=there, keys=keys, where=found.where())


def each_of(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    """The parts of a list, or the one thing that stands for a list."""
    return term.parts if term.op == "list" else (term,)
