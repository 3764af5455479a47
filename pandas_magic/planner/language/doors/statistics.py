"""Counts, sums and other statistics of terms: of whole tables, of groups of rows, of the rows of another table."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import Compare, Exists, Present
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Group,
    Join,
    Lookup,
    Rollup,
    Value,
)
from pandas_magic.planner.language.doors.correlating import correlated, is_single
from pandas_magic.planner.language.doors.names import Names, StatisticScope
from pandas_magic.planner.language.doors.terms import (
    NothingHolds,
    NotMeant,
    RowQuery,
    SyntaxTerm,
    UnknownName,
    literal,
    name,
)
from pandas_magic.planner.language.logic import all_of

STATISTICS = frozenset({"sum", "mean", "median", "min", "max", "std", "count", "distinct", "rows"})
# There is always one of these, were it 0, where pandas and SQL may know of none.
_OF_NOTHING = ("count", "sum", "distinct")
Evaluate = Callable[[SyntaxTerm, Names], Expression]


def is_table(term: SyntaxTerm, names: Names) -> bool:
    """Whether the name alone is one of a table, or of the frame at hand."""
    path = cast("tuple[str, ...]", term.said)
    return len(path) == 1 and (path[0] == "df" or any(path[0].lower() == table.lower() for table in names.tables))


def statistic(term: SyntaxTerm, names: Names, value: Evaluate) -> Expression:
    """The statistic; `value` evaluates what it is taken of. Raises: NotMeant, UnknownName, NothingHolds."""
    match term.op:
        case "query":
            return _of_query(cast(RowQuery, term.said), names, value)
        case "mapped":
            return _mapped(term, names, value)
        case "joined column":
            return _of_either(term, names, value)
        case "over":
            by = tuple(value(part, names) for part in term.parts[1:])
            return statistic(term.parts[0], replace(names, over=StatisticScope(by=by)), value)
        case "filtered":
            return _taken(*_parts(term.parts[0], names), term.parts[1], names=names, value=value)
    said, of = _parts(term, names)
    if of.op == "grouped":
        return _per_group(said, of, names, value)
    if of.op == "case" and len(of.parts) in (2, 3) and said in ("sum", "count"):
        return _counted(said, of, names, value)
    return _taken(said, of, None, names=names, value=value)


def _parts(term: SyntaxTerm, names: Names) -> tuple[str, SyntaxTerm]:
    """Which statistic, and of what: of rows, unless of a column."""
    (of,) = term.parts or (SyntaxTerm("rows"),)
    said = "count" if term.op == "rows" else term.op
    if term.op == "rows" and of.op == "grouped":  # of a group of one column, too, `.size()` counts the rows
        of = replace(of, parts=of.parts[:1])
    if of.op == "distinct" and said == "count" and len(of.parts) == 1:
        return "distinct", of.parts[0]
    if of.op == "rows" and said != "count":
        raise NotMeant("a statistic of no column")
    return said, of


def _counted(said: str, of: SyntaxTerm, names: Names, value: Evaluate) -> Expression:
    """`SUM(CASE WHEN c THEN 1 ELSE 0 END)` counts the rows with c; with a column instead of 1 it sums theirs."""
    test, chosen, *rest = of.parts
    if rest and (said == "count" or rest[0] not in (literal(0), literal(None))):
        raise NothingHolds("a sum of what is chosen row by row")
    if chosen.op == "literal" and (said == "count" or chosen == literal(1)):
        return _taken("count", SyntaxTerm("rows"), test, names=names, value=value)
    return _taken(said, chosen, test, names=names, value=value)


def _taken(said: str, of: SyntaxTerm, where: SyntaxTerm | None, *, names: Names, value: Evaluate) -> Expression:
    """The statistic over what the query at hand speaks of, or of a whole table."""
    over = names.over
    if over is None:
        return _of_table(said, of, where, names)
    place = over.there or replace(names, over=None)
    taken_of = None if of.op == "rows" else value(of, place)
    chosen = replace(place, is_demanded=False).condition(where) if where is not None else None
    if over.join is None:
        given = {"statistic": said, "of": taken_of, "by": over.by, "where": chosen}
        if said == "sum" and over.needs_rows and _may_be_missing(taken_of, names, names.target):
            some = Group.model_validate({**given, "statistic": "count"})
            names.needs.append(Compare(relation=">", left=some, right=Value(value=0)))
        return Group.model_validate(given)
    both = [each for each in (over.where, chosen) if each is not None]
    found = Rollup.model_validate(
        {"statistic": said, "join": over.join, "of": taken_of, "where": all_of(both) if both else None}
    )
    if over.needs_rows:
        _need_rows(found, names)
    return found


def _may_be_missing(of: Expression | None, names: Names, table: str) -> bool:
    return of is not None and (not isinstance(of, Column) or of.name in names.tables[table].missing)


def _need_rows(found: Rollup, names: Names) -> None:
    """Where there is no row, or of a sum no value, the code knows no statistic."""
    join, where = found.join, [found.where] if found.where is not None else []
    if found.statistic not in _OF_NOTHING:
        return
    if found.statistic == "sum" and found.of is not None and _may_be_missing(found.of, names, join.table):
        where.append(Present(of=found.of))
    here = tuple(Column(name=column) for column in join.columns)
    names.needs.append(Exists(of=here, table=join.table, keys=join.keys, where=all_of(where) if where else None))


def _of_table(said: str, of: SyntaxTerm, where: SyntaxTerm | None, names: Names) -> Aggregate:
    if where is not None or of.op not in ("rows", "name", "where"):
        raise NothingHolds("a statistic of a whole table is taken of a column")
    if of.op == "where":
        raise NothingHolds("a number of rows that are filtered can only be held to be 0")
    path = cast("tuple[str, ...]", of.said) if of.op == "name" else ()
    if of.op == "rows" or is_table(of, names):
        table = names.target if not path or path[0] == "df" else names.table(path[0])
        return Aggregate(statistic="count", table=table)
    *before, column = path
    table = names.target if not before or names.is_here(before[-1]) else names.table(before[-1])
    given = {"statistic": said, "table": table, "of": Column(name=names.key(table, column))}
    return Aggregate.model_validate(given)


def _per_group(said: str, grouped: SyntaxTerm, names: Names, value: Evaluate) -> Group:
    """`df.groupby("k")["x"].sum()`, of the frame at hand."""
    by, *of = grouped.parts
    if not _is_frame_at_hand(grouped, names):
        raise NothingHolds("groups of another table are looked up by .map(…)")
    columns = tuple(value(_column(key), names) for key in (by.parts if by.op == "list" else (by,)))
    counted = value(of[0], names) if of else None
    if counted is None and said != "count":
        raise NotMeant("a statistic of no column")
    return Group.model_validate({"statistic": said, "of": counted, "by": columns})


def _column(key: SyntaxTerm) -> SyntaxTerm:
    return name(str(key.said)) if key.op == "literal" else key


def _frame(grouped: SyntaxTerm) -> tuple[SyntaxTerm, SyntaxTerm | None]:
    """The table that is grouped, and of which of its rows."""
    frame = cast(SyntaxTerm, grouped.said)
    return (frame.parts[0], frame.parts[1]) if frame.op == "where" else (frame, None)


def _is_frame_at_hand(grouped: SyntaxTerm, names: Names) -> bool:
    table, where = _frame(grouped)
    path = cast("tuple[str, ...]", table.said)
    if len(path) != 1 or not names.is_here(path[0]):
        return False
    if where is not None:
        found = replace(names, is_settled=True).condition(where)
        names.filters.extend([found] if found not in names.filters else [])
    return True


def _of_query(query: RowQuery, names: Names, value: Evaluate) -> Expression:
    """A subquery that is one value: `(SELECT SUM(x) FROM lines l WHERE l.k = orders.k)`."""
    if len(query.selected) != 1 or query.by or query.having is not None:
        raise NothingHolds("a query stands for a value only where it selects one column or one statistic")
    found = correlated(query, names)
    if found.compared or found.said_here or not found.keys:
        raise NothingHolds(f"what the rows of {found.there.target} have in common with the row is no plain key")
    (selected,) = query.selected
    if selected.op not in (*STATISTICS, "filtered"):
        if found.where() is not None or not any(key in names.tables[found.there.target].keys for key in found.keys):
            raise NothingHolds(f"which of several rows of {found.there.target} is meant is not said")
        return Lookup(join=found.join(), of=value(selected, found.there))
    needs_rows = selected.op == "sum"
    over = StatisticScope(join=found.join(), there=found.there, where=found.where(), needs_rows=needs_rows)
    return statistic(selected, replace(names, over=over), value)


def _of_either(term: SyntaxTerm, names: Names, value: Evaluate) -> Expression:
    """`m.x` of `m = a.merge(b, on="k")`: the column of the one table that has it."""
    own, other = term.parts
    is_own = names.has(cast("tuple[str, ...]", own.said))
    try:
        found = value(other, names)
    except UnknownName:
        return value(own, names)
    if is_own:
        raise NothingHolds(f"which table's {cast('tuple[str, ...]', own.said)[-1]} is meant, where both have one")
    if isinstance(found, Lookup) and not is_single(found.join, names):
        raise NothingHolds(f"several rows of {found.join.table} may belong to one row, as far as the data tell")
    return found


def _mapped(term: SyntaxTerm, names: Names, value: Evaluate) -> Expression:
    """`a.k.map(b.set_index("k").x)` and `a.k.map(b.groupby("k").x.sum())`."""
    mine, series = value(term.parts[0], names), term.parts[1]
    if not isinstance(mine, Column):
        raise NothingHolds("what is looked up by .map(…) is a column of the row")
    if series.op == "indexed":
        table, key, column = (cast("tuple[str, ...]", _column(part).said)[-1] for part in series.parts)
        join = Join(columns=(mine.name,), table=names.table(table), keys=(names.key(names.table(table), key),))
        return Lookup(join=join, of=Column(name=names.key(join.table, column)))
    if series.op not in STATISTICS or not series.parts or series.parts[0].op != "grouped":
        raise NothingHolds("what is looked up by .map(…) is a column by its key, or a statistic by groups")
    said, grouped = _parts(series, names)
    frame, where = _frame(grouped)
    there = replace(names, target=names.table(cast("tuple[str, ...]", frame.said)[-1]), scope={}, is_settled=True)
    by, *counted = grouped.parts
    keys = tuple(there.own(cast("tuple[str, ...]", _column(key).said)) for key in (by,))
    join = Join(columns=(mine.name,), table=there.target, keys=keys)
    chosen = there.condition(where) if where is not None else None
    taken_of = value(counted[0], there) if counted else None
    given = {"statistic": said, "join": join, "of": taken_of, "where": chosen}
    found = Rollup.model_validate(given)
    # pandas sums no values to 0, but knows nothing of a key that is not there.
    _need_rows(found.model_copy(update={"statistic": "count"} if said == "sum" else {}), names)
    return found
