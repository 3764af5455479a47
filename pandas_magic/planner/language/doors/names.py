"""Tables and columns by their names as they are written. A name that is not there ends the attempt."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pandas_magic.catalog.table import Table, ValueKind
from pandas_magic.constraints.algebra.conditions import Exists
from pandas_magic.constraints.algebra.expressions import Column, Expression, Join, Lookup
from pandas_magic.planner.language.doors.terms import UnknownName

# What people call the frame at hand.
_THIS_FRAME = frozenset({"df", "frame", "data", "row", "rows", "self", "this", "new", "t"})
_KEY_ENDINGS = ("id", "code", "no", "nr", "number", "key")


@dataclass(frozen=True)
class Names:
    """What the names in a rule about `target` can stand for."""

    tables: Mapping[str, Table]
    target: str

    def table(self, said: str) -> str:
        """The table of that name. Raises: UnknownName."""
        return _named(said, self.tables, "table")

    def key(self, table: str, said: str) -> str:
        """The table's column of that name. Raises: UnknownName."""
        return _named(said, self.tables[table].columns, f"column of {table}")

    def own(self, path: tuple[str, ...]) -> str:
        """The target's own column. Raises: UnknownName when it is not there, or in another table."""
        *before, last = path
        if before and not self._is_here(before[-1]):
            raise UnknownName(f"{'.'.join(path)} is no column of {self.target}")
        return self.key(self.target, last)

    def value(self, path: tuple[str, ...]) -> Expression:
        """The column, in this table or looked up in the row of another that this row refers to.

        Raises: UnknownName.
        """
        *before, last = path
        if not before or self._is_here(before[-1]):
            return Column(name=self.key(self.target, last))
        there = self.table(before[-1])
        return Lookup(join=self.way_to(there), of=Column(name=self.key(there, last)))

    def has(self, path: tuple[str, ...]) -> bool:
        """Whether the path names a column that this row has or refers to."""
        try:
            self.value(path)
        except UnknownName:
            return False
        return True

    def _is_here(self, said: str) -> bool:
        if said.lower() == self.target.lower():
            return True
        return said.lower() in _THIS_FRAME and said.lower() not in (table.lower() for table in self.tables)

    def way_to(self, there: str) -> Join:
        """How a row refers to the other table. Raises: UnknownName when no column or more than one does."""
        ways = [
            (column, key)
            for key in self.tables[there].columns
            for column in self.tables[self.target].columns
            if _refers(column, there, key)
        ]
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

    def _place(self, of: Expression) -> tuple[str, str] | None:
        if isinstance(of, Column):
            return self.target, of.name
        if isinstance(of, Lookup) and isinstance(of.of, Column):
            return of.join.table, of.of.name
        return None


def spelt(name: str) -> str:
    """The name without regard to case, spaces and underscores."""
    return re.sub(r"[\W_]+", "_", name).strip("_").casefold()


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
