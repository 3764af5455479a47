"""Functions of meanings about other rows: duplicates, rows referred to, rows that refer."""

from typing import Any

from pandas_magic.constraints import Column, Compare, Condition, Exists, Expression, Lookup, Not, Present, Unique
from pandas_magic.constraints.algebra.expressions import Join
from pandas_magic.constraints.algebra.polarity import texts_in
from pandas_magic.planner.language.strict.logic import EVERY_ROW, both, either, for_where, negate
from pandas_magic.planner.language.strict.scene import About, Kin, looked_up


def unique(about: About, of: Any) -> Condition | None:  # noqa: ANN401 - an expression or several
    """No other row has the same values."""
    by = of if isinstance(of, tuple) else (of,)
    fits = all(isinstance(part, Column) or getattr(part, "node", "") in ("folded", "part") for part in by)
    return Unique(by=tuple(dict.fromkeys(by))) if fits and by else None


def unique_rows(about: About) -> Condition:
    """No other row is the same in all columns."""
    columns = about.tables[about.table].columns
    return Unique(by=tuple(Column(name=name) for name in columns), missing_equal=True)


def exists(about: About, kin: Kin) -> Condition:
    """There is a row of the other table that belongs to this one."""
    of = tuple(Column(name=name) for name in kin.join.columns)
    where = None if kin.where == EVERY_ROW else for_where(kin.where)
    found = Exists(of=of, table=kin.join.table, keys=kin.join.keys, where=where)
    return both(*(Present(of=part) for part in of), found)


def same_kin(about: About, kin: Kin, same: Kin, other: Kin) -> Condition | None:
    """The row refers to the same row as another that it refers to: a fine to the member of its loan."""
    theirs = [join for own, join in about.joins if own == other.join.table and join.table == kin.join.table]
    if kin.join != same.join or not (kin.refers and other.refers) or len(theirs) != 1 or len(kin.join.columns) != 1:
        return None
    mine = Column(name=kin.join.columns[0])
    return Compare(relation="==", left=mine, right=Lookup(join=other.join, of=Column(name=theirs[0].columns[0])))


def joined_by(about: About, kin: Kin, of: Expression) -> Kin | None:
    """The rows of the other table, where they belong to this one by that column."""
    return kin if [of] == [Column(name=name) for name in kin.join.columns] else None


def known(about: About, of: Expression, kin: Kin) -> Condition | None:
    """The value is the key of a row of the other table."""
    if not isinstance(of, Column) or not kin.refers:
        return None
    own = about.names.references.self_references(about.table)
    if kin.join.columns == ("",) and of.name in own:
        # What refers to another row of its own table often refers to none.
        return Exists(of=(of,), table=about.table, keys=kin.join.keys)
    return exists(about, kin) if kin.join.columns == (of.name,) else None


def listed(about: About, of: Expression, table: str, key: Expression) -> Condition | None:
    """The value occurs in a column of another table."""
    named = isinstance(of, Column) and isinstance(key, Column)
    if not named or not isinstance(key, Column):
        return None
    return both(Present(of=of), Exists(of=(of,), table=table, keys=(key.name,)))


def unique_in(about: About, of: Any, where: Condition) -> Condition | None:  # noqa: ANN401 - as in `unique`
    """No other row of the table has the same value; nothing is known of a part of the table."""
    return unique(about, of) if where == EVERY_ROW else None


def unique_at(about: About, of: Any, table: str) -> Condition | None:  # noqa: ANN401 - as in `unique`
    """No other row has the same value, when the table named is the one at hand."""
    return unique(about, of) if table == about.table else None


def special(about: About, kin: Kin) -> Kin | None:
    """The other table's rows, when they are of some kind."""
    return kin if kin.where != EVERY_ROW else None


def excluding(about: About, kin: Kin, said: Kin) -> Kin | None:
    """The other table's rows that are not known to be like that."""
    found = said.where if kin.join == said.join and isinstance(said.where, Compare) else None
    if not isinstance(found, Compare):
        return None
    return Kin(kin.join, both(kin.where, either(Not(condition=Present(of=found.left)), negate(found))), kin.refers)


def narrowed_by_any(about: About, kin: Kin, said: tuple[Kin, ...]) -> Kin | None:
    """The other table's rows that one of the adjectives, all of one column, is said of."""
    columns = {getattr(one.where, "left", None) for one in said}
    if len(columns) > 1 or any(one.join != kin.join for one in said):
        return None
    return Kin(kin.join, both(either(*(one.where for one in said)), kin.where), kin.refers)


def narrowed_by_none(about: About, kin: Kin, said: Kin) -> Kin | None:
    """The other table's rows that the adjective is not said of."""
    return Kin(kin.join, both(negate(said.where), kin.where), kin.refers) if kin.join == said.join else None


def known_itself(about: About, of: Expression) -> Condition | None:
    """What the column refers to exists."""
    kin = own_rows(about)
    if isinstance(of, Column) and of.name in about.names.references.self_references(about.table) and kin is not None:
        return known(about, of, kin)
    joins = [join for own, join in about.joins if own == about.table and isinstance(of, Column)]
    found = [join for join in joins if isinstance(of, Column) and join.columns == (of.name,)]
    return exists(about, Kin(found[0], refers=True)) if len(found) == 1 else None


def exists_that(about: About, parent: Kin, said: Condition) -> Condition:
    """The row that the row at hand refers to is like that."""
    return looked_up(parent.join, both(parent.where, said)) or exists(about, Kin(parent.join, both(parent.where, said)))


def narrowed_by(about: About, kin: Kin, said: Kin) -> Kin | None:
    """The other table's rows that an adjective is said of."""
    return Kin(kin.join, both(said.where, kin.where), kin.refers) if kin.join == said.join else None


def called_by(about: About, said: Any) -> Kin | None:  # noqa: ANN401 - rows of one kind, or of several
    """Rows referred to that are called by what is said of them: the hygienists and dentists among the staff.

    None where the row at hand may be called so itself.
    """
    kinds: tuple[Kin, ...] = said if isinstance(said, tuple) else (said,)
    own = {value for values in about.tables[about.table].values.values() for value in values}
    if not kinds[0].refers or any(not own.isdisjoint(texts_in(one.where)) for one in kinds if one.where != EVERY_ROW):
        return None
    return narrowed_by_any(about, Kin(kinds[0].join, refers=True), kinds)


def own_rows(about: About) -> Kin | None:
    """Rows of the table at hand, as what one of its columns refers to."""
    key = about.names.references.key(about.table)
    return Kin(Join(columns=("",), table=about.table, keys=(key,)), refers=True) if key is not None else None


def unknown(about: About, parent: Kin) -> Condition:
    """The row names one of the other table, and there is none."""
    of = tuple(Column(name=name) for name in parent.join.columns)
    there = Exists(of=of, table=parent.join.table, keys=parent.join.keys)
    return both(*(Present(of=part) for part in of), Not(condition=there))


def known_key(about: About, of: Expression, key: Expression, kin: Kin) -> Condition | None:
    """The value is the key of another row of the same table, which is named as such."""
    return known(about, of, kin) if key == Column(name=kin.join.keys[0]) else None


def known_by(about: About, of: Expression, key: Expression, kin: Kin) -> Condition | None:
    """The value is the key of a row of the other table, which is named as such."""
    named = isinstance(key, Lookup) and key.join == kin.join and key.of == Column(name=kin.join.keys[0])
    return known(about, of, kin) if named else None
