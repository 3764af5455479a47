"""Queries whose rows are those at fault, and EXISTS: what a rule demands instead."""

from dataclasses import replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, Not, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group, Join, Lookup, Rollup, Value
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.doors.correlating import Correlation, correlated, is_single, join_of
from pandas_magic.planner.language.doors.names import NamedSource, Names, StatisticScope
from pandas_magic.planner.language.doors.terms import (
    JoinedTable,
    NothingHolds,
    NotMeant,
    RowQuery,
    SyntaxTerm,
    conjuncts,
)
from pandas_magic.planner.language.doors.truth import surely
from pandas_magic.planner.language.doors.values import value
from pandas_magic.planner.language.logic import all_of, any_of, opposite

_ONE = Value(value=1)


def exists_condition(query: RowQuery, names: Names) -> Condition:
    """What EXISTS says of the row at hand: a row of the query belongs to it. Raises: NotMeant, NothingHolds."""
    if query.by or query.having is not None:
        raise NothingHolds("groups behind EXISTS are nothing that a rule can hold")
    found = correlated(query, names)
    if not (found.keys or found.compared or found.said_here) and found.there.target == names.target:
        return found.where() or all_of([])
    if not found.keys:
        raise NothingHolds(f"what a row of {found.there.target} has in common with the row is not said by an equality")
    said_here = [replace(found.here, is_demanded=False).condition(term) for term in found.said_here]
    if found.there.target == found.here.target and found.compared:
        parts = _other_rows(found, said_here)
    else:
        parts = [*said_here, _partner(found)]
    held = all_of(parts)
    return surely(held, names) if names.is_demanded else held


def _partner(found: Correlation) -> Condition:
    """That there is a row with the keys, and in which the one comparison with the row outside holds."""
    if not found.compared:
        return Exists(of=found.of, table=found.there.target, keys=found.keys, where=found.where())
    if len(found.compared) > 1:
        raise NothingHolds(f"two comparisons with the same row of {found.there.target}, besides its keys")
    ((relation, there, here),) = found.compared
    outside = value(here, found.here)

    def extreme(statistic: str) -> Condition:
        given = {"statistic": statistic, "join": found.join(), "of": value(there, found.there), "where": found.where()}
        return Compare(relation=relation, left=Rollup.model_validate(given), right=outside)

    if relation == "==":
        raise NothingHolds("a key that is computed")
    if relation == "!=":
        return any_of([extreme("min"), extreme("max")])
    return extreme("min" if relation in ("<", "<=") else "max")


def _other_rows(found: Correlation, said_here: list[Condition]) -> list[Condition]:
    """That another row of the same table shares the keys: one whose own key is not this row's."""
    here, table = found.here, found.here.tables[found.here.target]
    sides = [(relation, value(there, found.there), value(own, here)) for relation, there, own in found.compared]
    own_keys = {of for relation, of, other in sides if relation == "!=" and of == other and isinstance(of, Column)}
    if len(sides) != 1 or len(own_keys) != 1 or found.of != tuple(Column(name=key) for key in found.keys):
        raise NothingHolds("rows of one table can be compared in pairs only by what they share and that they differ")
    (own,) = own_keys
    where = found.where()
    if own.name in table.keys and where is None:
        return [*said_here, opposite(Unique(by=found.of))]
    counted = {"of": None, "statistic": "count"} if own.name in table.keys else {"of": own, "statistic": "distinct"}
    others = Group.model_validate({**counted, "by": found.of, "where": where})
    if where is not None and not set(_parts(where)) <= {each for part in said_here for each in _parts(part)}:
        is_counted = surely(where, here)
        more, any_ = (Compare(relation=">", left=others, right=Value(value=least)) for least in (1, 0))
        return [*said_here, any_of([all_of([is_counted, more]), all_of([opposite(is_counted), any_])])]
    is_there = [] if own.name in table.keys else [Present(of=own)]
    return [*said_here, *is_there, Compare(relation=">", left=others, right=_ONE)]


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return tuple(getattr(condition, "conditions", (condition,))) if condition.node == "all" else (condition,)


def query_demand(query: RowQuery, names: Names) -> tuple[Condition | None, Condition]:
    """Of which rows the rule is whose violations the query finds, and what it demands of them. Raises: NotMeant."""
    query = _rooted(query, names)
    names = replace(names, is_demanded=False, scope={query.alias.casefold(): NamedSource(names.target)})
    if query.by:
        return _grouped(query, names)
    if query.having is not None:
        raise NothingHolds("HAVING without groups")
    return None, opposite(_found(query, names))


def _rooted(query: RowQuery, names: Names) -> RowQuery:
    """The query as one of the target's rows, to which the other table is joined."""
    if names.table(query.table) == names.target:
        return query
    mine = [one for one in query.joined if names.table(one.table) == names.target]
    if len(query.joined) != 1 or not mine or mine[0].is_left:
        raise NotMeant("a query of another table")
    other = JoinedTable(query.table, query.alias, mine[0].on, mine[0].using)
    return replace(query, table=mine[0].table, alias=mine[0].alias, joined=(other,))


def _found(query: RowQuery, names: Names) -> Condition:
    """What is true of a row that the query finds."""
    if not query.joined:
        if query.where is None:
            raise NotMeant("a query of all rows")
        return names.condition(query.where)
    joins = [(one, *join_of(one, names)) for one in query.joined] if len(query.joined) == 1 else []
    if joins and joins[0][0].is_left and (absent := _anti_join(query, joins[0], names)) is not None:
        return absent
    if joins and not joins[0][0].is_left and not is_single(joins[0][1], names):
        return exists_condition(_as_exists(query), names)
    required: list[Condition] = []
    for one in query.joined:
        join, rest = join_of(one, names)
        names = _with_source(names, one, join, has_more=bool(rest))
        mine = tuple(Column(name=column) for column in join.columns)
        required += [] if one.is_left else [Exists(of=mine, table=join.table, keys=join.keys)]
    found = names.condition(query.where) if query.where is not None else None
    return all_of([*(each for each in required if not _implied(each, found)), *([found] if found else [])])


def _with_source(names: Names, one: JoinedTable, join: Join, *, has_more: bool) -> Names:
    if has_more:
        raise NothingHolds("a join on more than keys, but for a single one")
    if not is_single(join, names):
        raise NothingHolds(f"several rows of {join.table} may belong to one row, as far as the data tell")
    return replace(names, scope={**names.scope, one.alias.casefold(): NamedSource(join.table, join)})


def _implied(required: Condition, found: Condition | None) -> bool:
    """Whether a comparison of something looked up in the other table says that there is a row of it."""
    if found is None or not isinstance(required, Exists):
        return False
    return any(
        isinstance(node, Lookup) and node.join.table == required.table
        for part in _parts(found)
        if not isinstance(part, Not) and part.node in ("compare", "one_of", "matches", "has_text", "present")
        for node in nodes(part)
    )


def _as_exists(query: RowQuery) -> RowQuery:
    """The one joined table as a query of its own, in which the row outside is what it was selected from."""
    (one,) = query.joined
    shared = tuple(
        SyntaxTerm("==", (SyntaxTerm("name", said=(one.alias, key)), SyntaxTerm("name", said=(query.alias, key))))
        for key in one.using
    )
    parts = (*shared, *conjuncts(one.on), *conjuncts(query.where))
    return RowQuery(one.table, one.alias, (), where=SyntaxTerm("and", parts))


def _anti_join(
    query: RowQuery, joined: tuple[JoinedTable, Join, tuple[SyntaxTerm, ...]], names: Names
) -> Condition | None:
    """`LEFT JOIN b ON b.k = a.k WHERE b.k IS NULL`: no row of b; None when it is no such query."""
    one, join, _ = joined
    rest: list[SyntaxTerm] = []
    is_absent = False
    for part in conjuncts(query.where):
        path = cast("tuple[str, ...]", part.parts[0].said) if part.op == "is" and part.parts[0].op == "name" else ()
        is_key = len(path) == 2 and path[0].casefold() == one.alias.casefold() and path[1] in join.keys
        is_absent = is_absent or is_key
        rest += [] if is_key else [part]
    if not is_absent:
        return None
    partner = exists_condition(_as_exists(replace(query, where=None)), replace(names, is_demanded=True))
    return all_of([*(names.condition(part) for part in rest), opposite(partner)])


def _grouped(query: RowQuery, names: Names) -> tuple[Condition | None, Condition]:
    """`GROUP BY k HAVING …`: what is demanded of each group, of those rows that WHERE leaves."""
    if query.having is None:
        raise NothingHolds("groups of which nothing is said")
    if query.joined:
        return _rolled_up(query, names)
    by = tuple(value(term, names) for term in query.by)
    where = names.condition(query.where) if query.where is not None else None
    found = opposite(replace(names, over=StatisticScope(by=by, needs_rows=True)).condition(query.having))
    return where, _as_unique(found, by)


def _as_unique(found: Condition, by: tuple[Expression, ...]) -> Condition:
    """At most one row in each group: the values are unique."""
    alone = (("<=", 1), ("<", 2), ("==", 1))
    rows = Group(statistic="count", by=by)
    for relation, limit in alone:
        if found == Compare.model_validate({"relation": relation, "left": rows, "right": Value(value=limit)}):
            return Unique(by=by)
    return found


def _rolled_up(query: RowQuery, names: Names) -> tuple[Condition | None, Condition]:
    """`FROM orders o JOIN lines l ON … GROUP BY o.id HAVING SUM(l.amount) <> o.total`."""
    if len(query.joined) > 1:
        raise NothingHolds("groups of more than two tables are nothing that a rule can hold")
    (one,) = query.joined
    join, rest = join_of(one, names)
    keys = [of.name for of in (value(term, names) for term in query.by) if isinstance(of, Column)]
    if not set(keys) & set(names.tables[names.target].keys):
        raise NothingHolds(f"the groups are not those of single rows of {names.target}")
    there = replace(names, target=join.table, scope={one.alias.casefold(): NamedSource(join.table)}, over=None)
    sides: dict[bool, list[Condition]] = {True: [], False: []}
    is_left = one.is_left
    for part, is_filter in (*((part, True) for part in conjuncts(query.where)), *((part, False) for part in rest)):
        is_there = {_is_of(path, one.alias) for path in part.names()}
        if len(is_there) != 1:
            raise NothingHolds("a WHERE that compares both tables, besides groups")
        is_left = is_left and not (is_filter and is_there == {True})  # such a WHERE leaves no row without partner
        sides[next(iter(is_there))].append((there if is_there == {True} else names).condition(part))
    if is_left and SyntaxTerm("rows") in _operands(cast(SyntaxTerm, query.having)):
        raise NothingHolds("COUNT(*) counts a row without partner as one; count a column")
    chosen = all_of(sides[True]) if sides[True] else None
    over = StatisticScope(join=join, there=there, where=chosen, needs_rows=True)
    found = replace(names, over=over).condition(cast(SyntaxTerm, query.having))
    partner = Exists(of=tuple(Column(name=key) for key in join.columns), table=join.table, keys=join.keys, where=chosen)
    required = [] if is_left or partner in _parts(found) else [partner]
    return (all_of(sides[False]) if sides[False] else None), opposite(all_of([*required, found]))


def _operands(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    return (*term.parts, *(inner for part in term.parts for inner in _operands(part)))


def _is_of(path: tuple[str, ...], alias: str) -> bool:
    if len(path) < 2:
        raise NothingHolds(f"of which table {path[-1]} is, is not said")
    return path[-2].casefold() == alias.casefold()
