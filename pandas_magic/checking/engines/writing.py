"""A SELECT in the making: its relations, each written once however often the rule needs it.

Every table is a relation with a column that orders and identifies its rows. Other rows are reached by GROUP BY and LEFT
JOIN on keys that are unique in what is joined, never by correlated sub-selects, so that engines can hash and spill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pandas_magic.catalog.table import Table
from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible
from pandas_magic.clock import Instant
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.constraints.types.value_types import ValueType, column_type, type_of

POSITION = "position of the row"
_UNLIKE = frozenset({"mixed", "duration"})


@dataclass
class Standing:
    """A table at hand: the relation that its rows come from, their alias, and what has been joined to them."""

    table: str
    relation: str
    alias: str
    # A relation and what of these rows its keys equal -> how it is joined, and its alias.
    joins: dict[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """What stands after FROM; to be asked for when every value has been written."""
        return f"{self.relation} {self.alias}" + "".join(text for text, _ in self.joins.values())


Truth = Callable[[Condition, "Writing", Standing], str]
ValueOf = Callable[[Expression, "Writing", Standing, str | None], str]


class Writing:
    """One rule on its way to SQL. `sources` are the FROM items of the tables, `columns` what the rule reads of each.

    `truth` and `value` write conditions and expressions, which hold each other.
    """

    def __init__(
        self,
        dialect: EngineDialect,
        tables: Mapping[str, Table],
        instant: Instant,
        *,
        sources: Mapping[str, str],
        columns: Mapping[str, Sequence[str]],
        may_hold_nan: bool,
        truth: Truth,
        value: ValueOf,
    ) -> None:
        self.dialect, self.tables, self.instant = dialect, tables, instant
        self._sources, self._columns = sources, columns
        self._truth, self._value = truth, value
        self._cleans = may_hold_nan and dialect.holds_nan
        self._named: dict[str, str] = {}  # the text of a relation -> its name
        self.from_others: dict[tuple[str, Expression], str] = {}  # values from other rows, as they stand in these rows
        self._aliases = 0
        self.position = dialect.quote(POSITION)
        for name, read in columns.items():
            self._refuse_alike(name, read)

    def _refuse_alike(self, name: str, read: Sequence[str]) -> None:
        folded = {column.casefold() for column in read}
        if len(folded) < len(read) or POSITION in folded:
            raise NotExpressible(f"columns of {name} whose names engines take for the same")

    def named(self, stem: str, text: str) -> str:
        """The name under which the SELECT stands before the whole one."""
        return self._named.setdefault(text, f"{stem}_{len(self._named)}")

    def whole(self, select: str) -> str:
        """The SELECT with all that it needs before it."""
        before = ",\n".join(f"{name} AS ({text})" for text, name in self._named.items())
        return f"WITH {before}\n{select}" if before else select

    def rows_of(self, table: str) -> str:
        """The relation of a table's rows: NaN is NULL there, and texts are ordered by their characters."""
        cleaned = {"number": "no_nan"} if self._cleans else {}
        cleaned |= {"text": "plain_text"} if "plain_text" in self.dialect.templates else {}
        names = self._columns.get(table, ())
        how = {name: cleaned.get(self.tables[table].kind(name), "as_it_is") for name in names}
        if set(how.values()) <= {"as_it_is"}:
            return self._sources[table]
        quoted = {name: self.dialect.quote(name) for name in names}
        items = [f"{self.dialect.say(how[name], quote)} AS {quote}" for name, quote in quoted.items()]
        return self.named("clean", f"SELECT {', '.join([self.position, *items])} FROM {self._sources[table]} q")

    def stand(self, table: str, relation: str) -> Standing:
        """The relation's rows at hand, under an alias of their own."""
        self._aliases += 1
        return Standing(table, relation, f"r{self._aliases}")

    def join(self, rows: Standing, relation: str, keys: Sequence[str], *, missing_equal: bool = False) -> str:
        """An alias for `relation`, joined to the rows by its columns k1, k2 …, which are unique in it."""
        what = (relation, *keys)
        if what not in rows.joins:
            self._aliases += 1
            alias = f"j{self._aliases}"
            pairs = [(mine, f"{alias}.k{number}") for number, mine in enumerate(keys, 1)]
            same = [self.dialect.say("same", *pair) if missing_equal else " = ".join(pair) for pair in pairs]
            rows.joins[what] = (f"\nLEFT JOIN {relation} {alias} ON {' AND '.join(same) or '1 = 1'}", alias)
        return rows.joins[what][1]

    def truth(self, condition: Condition, rows: Standing) -> str:
        """Whether the condition is true in the row; NULL when that is unknown. Raises: NotExpressible."""
        return self._truth(condition, self, rows)

    def value(self, expression: Expression, rows: Standing) -> str:
        """The expression's value in the row; NULL when it is missing. Raises: NotExpressible."""
        return self._value(expression, self, rows, None)

    def chosen(self, where: Condition | None, rows: Standing, stem: str = "chosen") -> Standing:
        """The rows in which the condition is true; all of them without one."""
        if where is None:
            return rows
        condition = self.truth(where, rows)
        read = [self.position, *(self.dialect.quote(name) for name in self._columns.get(rows.table, ()))]
        inner = ", ".join(f"{rows.alias}.{name}" for name in read)
        # A window cannot stand in WHERE.
        kept = f"SELECT {inner}, {condition} AS is_so FROM {rows.source}"
        return self.stand(rows.table, self.named(stem, f"SELECT {', '.join(read)} FROM ({kept}) q WHERE is_so"))

    def type_in(self, expression: Expression, table: str) -> ValueType:
        """The type of the expression in the table. Raises: NotExpressible for a column that engines hold otherwise."""
        return type_of(expression, self.tables[table], self.tables)

    def column(self, name: str, rows: Standing) -> str:
        """The column's value. Raises: NotExpressible for one that engines hold otherwise."""
        found = column_type(self.tables[rows.table], name)
        if found.kind not in self.dialect.kinds:
            raise NotExpressible(f"a column of {found.kind} values")
        if found.dtype.lower().startswith(("float32", "float16", "halffloat", "float[pyarrow]")):
            raise NotExpressible("a column of 32-bit fractions")
        return f"{rows.alias}.{self.dialect.quote(name)}"

    def keys(self, mine: Sequence[tuple[Expression, str]], here: str, *, table: str, keys: Sequence[str]) -> Keys:
        """Values of the table `here` and keys of another one, so written that they are equal where they are in Python.

        Raises: NotExpressible for kinds that are equal nowhere in Python, an error or a cast in SQL.
        """
        values, there = [], []
        for (expression, value), key in zip(mine, keys, strict=True):
            kinds = (self.type_in(expression, here).kind, self.type_in(Column(name=key), table).kind)
            mixed = set(kinds) == {"integer", "number"}
            if (kinds[0] != kinds[1] and not mixed) or set(kinds) & _UNLIKE:
                raise NotExpressible(f"a key of {kinds[0]} beside one of {kinds[1]}")
            values.append(self.dialect.say("exact_double", value) if mixed and kinds[0] == "integer" else value)
            there.append("exact_double" if mixed and kinds[1] == "integer" else "as_it_is")
        return Keys(self.dialect, tuple(values), tuple(there))


@dataclass(frozen=True)
class Keys:
    """Values here, and how the keys there are written to be compared with them."""

    dialect: EngineDialect
    here: tuple[str, ...]
    there: tuple[str, ...]

    def items(self, names: Sequence[str]) -> list[str]:
        """The keys of another table, as they are compared."""
        return [self.dialect.say(how, name) for how, name in zip(self.there, names, strict=True)]
