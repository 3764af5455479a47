"""Tables and columns by their names as they are written. A name that is not there ends the attempt."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pandas_magic.catalog.table import Table, ValueKind
from pandas_magic.catalog.text.content import ContentKind
from pandas_magic.constraints.algebra.conditions import Condition, Exists
from pandas_magic.constraints.algebra.expressions import Column, Expression, Join, Lookup, ReadAs
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, UnknownName
from pandas_magic.planner.language.linking.linker import names_of

# What people call the frame at hand.
_THIS_FRAME = frozenset({"df", "frame", "data", "row", "rows", "self", "this", "new", "t"})
_KEY_ENDINGS = ("id", "code", "no", "nr", "number", "key")


@dataclass(frozen=True)
class NamedSource:
    """A table under its name in a query; `join` says in which of its rows a value is looked up, None: this row."""

    table: str
    join: Join | None = None


@dataclass(frozen=True)
class StatisticScope:
    """Over which rows a query takes its statistics: those of the group `by`, or those joined from another table."""

    by: tuple[Expression, ...] = ()
    join: Join | None = None
    there: "Names | None" = None  # None without a join: the names of the joined table
    where: Condition | None = None  # None: every joined row
    needs_rows: bool = False  # whether a sum over no row is nothing, as in SQL


@dataclass(frozen=True)
class Names:
    """What the names in a rule about `target` can stand for, and how what is said of them is to be taken.

    `scope` holds the names that a query gives to tables. `is_settled`: a comparison with a missing value is false, as
    in pandas. `is_demanded`: what is unknown passes, as in a CHECK; otherwise only what is surely true counts, as in
    a WHERE. `doubts` collects what has to be asked, `needs` the rows that must be there for a value to be known.
    `read` reads a condition within a value, such as the WHERE of a subquery.
    """

    tables: Mapping[str, Table]
    target: str
    scope: Mapping[str, NamedSource] = field(default_factory=dict)
    over: StatisticScope | None = None
    is_settled: bool = False
    is_demanded: bool = True
    doubts: list[str] = field(default_factory=list)
    needs: list[Condition] = field(default_factory=list)
    filters: list[Condition] = field(default_factory=list)  # of frames that are grouped: `df[…].groupby(…)`
    read: "Callable[[SyntaxTerm, Names], Condition] | None" = None

    def turned(self) -> "Names":
        """The same names under a "not"."""
        return replace(self, is_demanded=not self.is_demanded)

    def condition(self, term: SyntaxTerm) -> Condition:
        """The condition that the term is. Raises: NotMeant."""
        if self.read is None:
            raise NotMeant("a condition within a value")
        return self.read(term, self)

    def table(self, said: str) -> str:
        """The table of that name. Raises: UnknownName."""
        return _named(said, self.tables, "table")

    def key(self, table: str, said: str) -> str:
        """The table's column of that name. Raises: UnknownName."""
        here = self.tables[table]
        return called(here).get(spelt(said)) or _named(said, here.columns, f"column of {table}")

    def own(self, path: tuple[str, ...]) -> str:
        """The target's own column. Raises: UnknownName when it is not there, or in another table."""
        *before, last = path
        if before and not self.is_here(before[-1]):
            raise UnknownName(f"{'.'.join(path)} is no column of {self.target}")
        return self.key(self.target, last)

    def value(self, path: tuple[str, ...]) -> Expression:
        """The column, in this table or looked up in the row of another that this row refers to.

        Raises: UnknownName.
        """
        *before, last = path
        source = self._source(before[-1] if before else None, last)
        if source is not None:
            of = Column(name=self.key(source.table, last))
            return of if source.join is None else Lookup(join=source.join, of=of)
        if not before or self.is_here(before[-1]):
            return Column(name=self.key(self.target, last))
        if self.scope:
            raise UnknownName(f'the query has no table "{before[-1]}"')
        there = self.table(before[-1])
        return Lookup(join=self.way_to(there), of=Column(name=self.key(there, last)))

    def has(self, path: tuple[str, ...]) -> bool:
        """Whether the path names a column that this row has or refers to."""
        try:
            self.value(path)
        except UnknownName:
            return False
        return True

    def _source(self, said: str | None, column: str) -> NamedSource | None:
        """The table of the query that is called so, or the one that has the column when none is said."""
        if said is not None:
            return self.scope.get(said.casefold())
        known = [source for source in self.scope.values() if self._has_column(source.table, column)]
        if len(known) > 1 and not any(source.join is not None and column in source.join.keys for source in known):
            raise UnknownName(f"{column} is a column of {' and '.join(source.table for source in known)}")
        return next(iter(known), None)

    def _has_column(self, table: str, said: str) -> bool:
        return any(said.casefold() == column.casefold() for column in self.tables[table].columns)

    def is_here(self, said: str) -> bool:
        """Whether the name before a dot stands for the row at hand."""
        if said.casefold() in self.scope:
            return self.scope[said.casefold()].join is None
        low, target, tables = said.lower(), self.target.lower(), [table.lower() for table in self.tables]
        if low in tables:
            return low == target
        # As in a query the beginning of a name may stand for it, here of no more than one: "o.amount" of orders.
        return low in _THIS_FRAME or [table for table in tables if table.startswith(low)] == [target]

    def way_to(self, there: str) -> Join:
        """How a row refers to the other table. Raises: UnknownName when no column or more than one does."""
        ways = [
            (column, key)
            for key in self.tables[there].columns
            for column in self.tables[self.target].columns
            if _refers(column, there, key)
        ] or [(link.column, link.key) for link in names_of(self.tables).references.links_to(self.target, there)]
        if len(ways) != 1:
            raise UnknownName(f"{self.target} refers to {there} by {'several columns' if ways else 'no column'}")
        return Join(columns=(ways[0][0],), table=there, keys=(ways[0][1],))

    def reference(self, paths: Iterable[tuple[str, ...]], table: str, keys: Iterable[str]) -> Exists:
        """That the values occur in the other table, under `keys` or, when none are said, under its key.

        Raises: UnknownName.
        """
        there = self.table(table)
        columns = tuple(self.own(path) for path in paths)
        named = tuple(self.key(there, key) for key in keys) or self._key_for(columns, there)
        if len(named) != len(columns):
            raise UnknownName(f"{len(columns)} columns refer to {len(named)} of {there}")
        return Exists(of=tuple(Column(name=column) for column in columns), table=there, keys=named)

    def _key_for(self, columns: tuple[str, ...], there: str) -> tuple[str, ...]:
        known = self.tables[there].columns
        if there != self.target and all(column in known for column in columns):
            return columns
        found = [key for key in known if any(_refers(column, there, key) for column in columns)]
        own = [key for key in self.tables[there].keys if _is_key_name(key, there)]
        single = found or own
        if len(single) != 1:
            raise UnknownName(f"which column of {there} is meant is not said")
        return (single[0],)

    def kind(self, of: Expression) -> ValueKind | None:
        """What kind of values a column holds, looked up or not; None for anything else."""
        place = self._place(of)
        return None if place is None else self.tables[place[0]].kind(place[1])

    def values(self, of: Expression) -> tuple[str, ...]:
        """The texts that are known to occur in a column."""
        place = self._place(of)
        return () if place is None else self.tables[place[0]].values.get(place[1], ())

    def as_told(self, of: Expression, *kinds: ContentKind) -> Expression:
        """The column read as a date or as a time of day, where it holds texts nearly all of which are of that kind."""
        place = self._place(of)
        kind = self.tables[place[0]].read_as.get(place[1]) if place is not None else None
        return ReadAs(of=of, type=kind) if kind is not None and kind in kinds else of

    def _place(self, of: Expression) -> tuple[str, str] | None:
        if isinstance(of, Column):
            return self.target, of.name
        if isinstance(of, Lookup) and isinstance(of.of, Column):
            return of.join.table, of.of.name
        return None


@lru_cache(maxsize=65536)
def spelt(name: str) -> str:
    """The name without regard to case, spaces and underscores."""
    return re.sub(r"[\W_]+", "_", name).strip("_").casefold()


def called(table: Table) -> dict[str, str]:
    """The table's columns by what the glossary calls them, without regard to case and spaces."""
    return {spelt(term): column for term, column in table.called.items() if term not in table.columns}


def _named(said: str, known: Iterable[str], what: str) -> str:
    known = tuple(known)
    if said in known:
        return said
    for same in (str.casefold, spelt):
        found = [name for name in known if same(name) == same(said)]
        if len(found) == 1:
            return found[0]
    raise UnknownName(f'no {what} "{said}"')


def _refers(column: str, table: str, key: str) -> bool:
    """Whether the column's name says that it holds the key of the table: customer_id of customers.id."""
    if not _is_key_name(key, table):
        return False
    short = spelt(key)
    return spelt(column) in {f"{one}_{short}" for one in _singulars(table)} | ({short} if "_" in short else set())


def _is_key_name(key: str, table: str) -> bool:
    short = spelt(key)
    ends = {f"{one}_{ending}" for one in _singulars(table) for ending in _KEY_ENDINGS}
    return short in ends or short in ("id", "code", "key")


def _singulars(table: str) -> set[str]:
    word = spelt(table)
    found = {word, word.removesuffix("s"), word.removesuffix("es")}
    return found | ({word.removesuffix("ies") + "y"} if word.endswith("ies") else set())
