"""How the rows of a query belong to the row outside: by which keys, and what else is said of either."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import MIRRORED, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression, Join, Lookup
from pandas_magic.planner.language.doors.names import NamedSource, Names
from pandas_magic.planner.language.doors.terms import (
    JoinedTable,
    NothingHolds,
    RowQuery,
    SyntaxTerm,
    UnknownName,
    conjuncts,
)
from pandas_magic.planner.language.logic import all_of

_RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


@dataclass(frozen=True)
class Correlation:
    """A query about `there`, seen from a row of `here`: `of[i]` here equals `keys[i]` there."""

    here: Names
    there: Names
    of: tuple[Expression, ...]
    keys: tuple[str, ...]
    said_here: tuple[SyntaxTerm, ...]
    said_there: tuple[SyntaxTerm, ...]
    compared: tuple[tuple[Relation, SyntaxTerm, SyntaxTerm], ...]  # something there with something here

    def where(self) -> Condition | None:
        """What the query demands of its rows besides the keys; None: nothing."""
        found = [self.there.condition(term) for term in self.said_there]
        return all_of(found) if found else None

    def join(self) -> Join:
        """The keys as a join. Raises: NothingHolds when the row refers by what is no column of its own."""
        columns = tuple(of.name for of in self.of if isinstance(of, Column))
        if not columns or len(columns) != len(self.of):
            raise NothingHolds("rows of two tables belong together by columns, and by nothing computed")
        return Join(columns=columns, table=self.there.target, keys=self.keys)


def correlated(query: RowQuery, names: Names) -> Correlation:
    """The query as seen from the row at hand. Raises: NothingHolds, UnknownName."""
    table = names.table(query.table)
    scope = {query.alias.casefold(): NamedSource(table)}
    there = replace(names, target=table, scope=scope, over=None, is_demanded=False, is_settled=False, needs=[])
    there = looking_up(there, query.joined)
    parts = conjuncts(query.where)
    here = _with_strange_alias(names, there, parts)
    sides: dict[str, list[SyntaxTerm]] = {"here": [], "there": []}
    keys: list[tuple[Expression, str]] = []
    compared: list[tuple[Relation, SyntaxTerm, SyntaxTerm]] = []
    for part in parts:
        placed = {_side(path, query, here, there) for path in part.names()}
        if len(placed) < 2:
            _refuse_own_shadow(part, here, there)
            sides[next(iter(placed), "there")].append(part)
            continue
        relation, of, other = _turned(part, query, here, there)
        found = there.value(cast("tuple[str, ...]", of.said)) if of.op == "name" else None
        if relation == "==" and isinstance(found, Column) and other.op == "name":
            keys.append((here.value(cast("tuple[str, ...]", other.said)), found.name))
        else:
            compared.append((relation, of, other))
    of_here, of_there = tuple(of for of, _ in keys), tuple(key for _, key in keys)
    return Correlation(here, there, of_here, of_there, tuple(sides["here"]), tuple(sides["there"]), tuple(compared))


def _with_strange_alias(names: Names, there: Names, parts: tuple[SyntaxTerm, ...]) -> Names:
    """The names outside; the one alias that nothing explains is the row at hand, where no query stands around."""
    said = {path[-2].casefold() for part in parts for path in part.names() if len(path) > 1}
    known = {*there.scope, *names.scope, *(table.casefold() for table in names.tables)}
    strange = [alias for alias in said - known if not names.is_here(alias)]
    if len(strange) != 1 or names.scope:
        return names
    return replace(names, scope={strange[0]: NamedSource(names.target)})


def _side(path: tuple[str, ...], query: RowQuery, here: Names, there: Names) -> str:
    if len(path) > 1:
        if path[-2].casefold() in there.scope:
            return "there"
        if path[-2].casefold() in here.scope or here.is_here(path[-2]) or not here.scope:
            return "here"
        raise UnknownName(f'the query has no table "{path[-2]}"')
    order = ("there", "here") if query.binds_all else ("here", "there")
    for side in order:
        if (there if side == "there" else here).has(path):
            return side
    raise UnknownName(f'no column of {there.target} or {here.target} "{path[-1]}"')


def _refuse_own_shadow(part: SyntaxTerm, here: Names, there: Names) -> None:
    """Raises: NothingHolds for `WHERE p.k = k`, where k is p's own column and not that of the row outside."""
    if part.op == "==" and all(side.op == "name" for side in part.parts):
        first, second = (cast("tuple[str, ...]", side.said) for side in part.parts)
        if first[-1] == second[-1] and len(first) != len(second):
            raise NothingHolds(f"{first[-1]} alone is the column of {there.target}; write {here.target}.{first[-1]}")


def _turned(part: SyntaxTerm, query: RowQuery, here: Names, there: Names) -> tuple[Relation, SyntaxTerm, SyntaxTerm]:
    """A comparison of the two sides as one of something there with something here."""
    if part.op not in _RELATIONS or len(part.parts) != 2:
        raise NothingHolds(f"{there.target} and {here.target} can only be compared, one column with another")
    relation = cast(Relation, part.op)
    first, second = ({_side(path, query, here, there) for path in side.names()} for side in part.parts)
    if first == {"there"} and second == {"here"}:
        return relation, part.parts[0], part.parts[1]
    if first == {"here"} and second == {"there"}:
        return MIRRORED[relation], part.parts[1], part.parts[0]
    raise NothingHolds(f"columns of {there.target} and {here.target} stand on one side of a comparison")


def looking_up(names: Names, joined: tuple[JoinedTable, ...]) -> Names:
    """The names with those of joined tables, of each of which a row has at most one. Raises: NothingHolds."""
    for one in joined:
        join, rest = join_of(one, names)
        if rest or not is_single(join, names):
            raise NothingHolds(f"several rows of {join.table} may belong to one row, as far as the data tell")
        names = replace(names, scope={**names.scope, one.alias.casefold(): NamedSource(join.table, join)})
    return names


def is_single(join: Join, names: Names) -> bool:
    """Whether no two rows of the joined table have the same key."""
    return any(key in names.tables[join.table].keys for key in join.keys)


def join_of(one: JoinedTable, names: Names) -> tuple[Join, tuple[SyntaxTerm, ...]]:
    """By which columns the table is joined to the row at hand, and what else its ON says. Raises: NothingHolds."""
    table = names.table(one.table)
    pairs = [(names.own((column,)), names.key(table, column)) for column in one.using]
    rest = []
    for part in conjuncts(one.on):
        pair = next(_pairs(part, one.alias, table, names), None)
        if pair is None:
            rest.append(part)
        else:
            pairs.append(pair)
    if not pairs:
        raise NothingHolds(f"what a row of {table} has in common with one of {names.target} is not said")
    columns, keys = zip(*pairs, strict=True)
    return Join(columns=columns, table=table, keys=keys), tuple(rest)


def _pairs(part: SyntaxTerm, alias: str, table: str, names: Names) -> Iterator[tuple[str, str]]:
    if part.op != "==" or any(side.op != "name" for side in part.parts):
        return
    first, second = (cast("tuple[str, ...]", side.said) for side in part.parts)
    for there, here in ((first, second), (second, first)):
        if len(there) == 2 and there[0].casefold() == alias.casefold() and len(here) == 2 and here[0] != there[0]:
            found = names.value(here)
            if isinstance(found, Lookup):
                raise NothingHolds("a table is joined to one that is joined itself; only the first is read")
            if isinstance(found, Column):
                yield found.name, names.key(table, there[1])
