"""Checks on tables of a database, looked at where they lie: one SELECT, and only failing rows travel.

Proved by values that stand in the SELECT itself, so that a role which may only read is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.sources.database import (
    StatementRefused,
    StatementTooLong,
    declared_types,
    primary_key,
    rows_found,
    schema_of,
)
from pandas_magic.catalog.sources.sql import SqlTable
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.answer import EngineAnswer
from pandas_magic.checking.engines.database_rows import planted_rows, stored_rows
from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible
from pandas_magic.checking.engines.dialects import POSTGRES, SQLITE
from pandas_magic.checking.engines.engine_proof import why_unproved
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.checking.executors import CONFINED
from pandas_magic.checking.found import Found
from pandas_magic.checking.text_readings import reads_texts
from pandas_magic.clock import Instant
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, TableRule
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pandas_magic.checking.prover import Case

_DIALECTS = {"postgresql": POSTGRES, "sqlite": SQLITE}
_VERSION = {"PostgreSQL": "SHOW server_version", "SQLite": "SELECT sqlite_version()"}
_WHOLE_NUMBERS = frozenset({"SMALLINT", "INTEGER", "BIGINT"})
# Failing rows whose places in the table are asked for in one statement, which reads its key once.
_KEYS_AT_ONCE = 10_000


@dataclass(frozen=True)
class _Asked:
    """A database that is being asked, in one snapshot."""

    connection: Connection
    dialect: EngineDialect
    engine: str
    sources: Mapping[str, SqlTable]
    tables: Mapping[str, Table]
    columns: Mapping[str, Sequence[str]]

    def lacks_values(self, stored: tuple[str, str]) -> bool:
        """Whether a value is missing in the columns read of the table, given by its name and what stands after FROM."""
        name, rows = stored
        missing = []
        for column in self.columns[name]:
            cell = self.dialect.quote(column)
            is_number = self.tables[name].kind(column) == "number"
            missing.append(f"{self.dialect.say('no_nan', cell) if is_number else cell} IS NULL")
        return bool(
            missing and rows_found(self.connection, f"SELECT 1 FROM {rows} q WHERE {' OR '.join(missing)} LIMIT 1")
        )


class InDatabase:
    """Databases in place of the pandas of checks whose tables are in one."""

    def __init__(self, catalog: Catalog, settings: Settings, bench: Bench) -> None:
        self.catalog, self.settings = catalog, settings
        self._proofs = bench.proofs

    def find(self, compiled: CompiledCheck, instant: Instant) -> Found | str:
        """What the database of the tables finds; why it gives no answer; "" when nobody wants one of it.

        Rows have their position in the order of the primary key. Raises: TableUnreadable when the database cannot be
        reached or is gone.
        """
        constraint = compiled.constraint
        if constraint is None or not (sources := self._wanted(constraint)):
            return ""
        try:
            with self._asking(sources, constraint) as asked:
                if said := self._why_not_yet(compiled, asked, instant):
                    return f"not proved in {asked.engine}: {said}"
                return self._found(constraint, asked, instant)
        except NotExpressible as why:
            return str(why)
        except StatementRefused as why:
            return f"its database: {why}"
        except StatementTooLong:
            return Found(None, None, f"its database took more than {self.settings.wall_seconds:g} s, so it was ended")

    def proved(self, constraint: Constraint, cases: Sequence[Case], instant: Instant) -> tuple[str, ...]:
        """The database's engine, where it is wanted for the rule and finds what the rule means in these cases.

        Raises: TableUnreadable when it cannot be reached or is gone.
        """
        try:
            if sources := self._wanted(constraint):
                with self._asking(sources, constraint) as asked:
                    return () if self._why_unproved(constraint, asked, instant, cases) else (asked.engine,)
        except (NotExpressible, StatementRefused, StatementTooLong):
            return ()
        return ()

    def _wanted(self, constraint: Constraint) -> dict[str, SqlTable]:
        """The tables where the settings want their database for the rule; none where they do not.

        Never where another executor is to run the checks.
        """
        wanted = self.settings.in_database if self.settings.executor == CONFINED else "never"
        if wanted == "never" or isinstance(constraint, ColumnsRule):
            return {}
        read = reads(constraint)
        found = {name: source for name in read if isinstance(source := self.catalog.source(name), SqlTable)}
        # Tables are not counted beyond a million rows.
        is_large = any(self.catalog.schema(name).row_count is None for name in found)
        return found if found and (wanted == "always" or is_large) else {}

    @contextmanager
    def _asking(self, sources: Mapping[str, SqlTable], constraint: Constraint) -> Iterator[_Asked]:
        """Raises: NotExpressible, TableUnreadable, StatementRefused."""
        database = next(iter(sources.values())).database
        with database.snapshot(most_seconds=self.settings.wall_seconds) as connection:
            dialect = _DIALECTS.get(connection.dialect.name)
            if dialect is None:
                raise NotExpressible(f"a database of {connection.dialect.name}")
            version = str(rows_found(connection, _VERSION[dialect.name])[0][0]).split()[0]
            tables = self.catalog.schemas(tuple(sources))
            yield _Asked(connection, dialect, f"{dialect.name} {version}", sources, tables, reads(constraint))

    def _found(self, constraint: Constraint, asked: _Asked, instant: Instant) -> Found | str:
        if elsewhere := asked.columns.keys() - asked.sources.keys():
            raise NotExpressible(f"{min(elsewhere)} is not in a database")
        stored = {name: self._stored(name, columns, asked) for name, columns in asked.columns.items()}
        select = select_for(constraint, asked.tables, instant, asked.dialect, sources=stored)
        answer = _sorted_out(rows_found(asked.connection, select))
        place, key = self._place(constraint.table, asked)
        count = int(rows_found(asked.connection, f"SELECT count(*) FROM {place}")[0][0])
        facts: dict[str, Any] = {"engine": asked.engine, "row_count": count}
        if isinstance(constraint, TableRule):
            if answer.positions:
                return f"broken in {asked.engine}, and pandas shows what breaks it"
            return Found(None, pd.DataFrame(), positions=(), left_open=0, **facts)
        positions = _positions(asked, place, key, answer.positions)
        rows = asked.sources[constraint.table].rows_of_keys(asked.connection, key, answer.positions)
        found = rows.set_axis(pd.Index(list(positions)), axis=0)
        # As in pandas: where no value is missing, none is said to leave a row open.
        is_open = answer.left_open and (reads_texts(constraint) or any(map(asked.lacks_values, stored.items())))
        return Found(None, found, positions=positions, left_open=answer.left_open if is_open else 0, **facts)

    def _stored(self, name: str, columns: Sequence[str], asked: _Asked) -> str:
        source = asked.sources[name]
        if source.database.address != next(iter(asked.sources.values())).database.address:
            raise NotExpressible("tables of several databases")
        place, key = self._place(name, asked)
        types = declared_types(asked.connection, source.table)
        return stored_rows(place, key, columns, asked.tables[name], types=types, dialect=asked.dialect)

    def _place(self, name: str, asked: _Asked) -> tuple[str, str]:
        """Where a table stands, and its primary key. Raises: NotExpressible without one of one whole number."""
        table, quote = asked.sources[name].table, asked.dialect.quote
        key = primary_key(asked.connection, table)
        if len(key) != 1 or declared_types(asked.connection, table).get(key[0], "") not in _WHOLE_NUMBERS:
            raise NotExpressible(f"{name} has no primary key of one whole number")
        return ".".join(map(quote, schema_of(asked.connection, table))), key[0]

    def _why_unproved(self, constraint: Constraint, asked: _Asked, instant: Instant, cases: Sequence[Case]) -> str:
        """Raises: NotExpressible, StatementTooLong."""
        tables = self.catalog.schemas(tuple(asked.columns))

        def ask(case: Case) -> EngineAnswer:
            planted = {
                name: planted_rows(case.frames[name], columns, tables[name], asked.dialect)
                for name, columns in asked.columns.items()
            }
            select = select_for(constraint, tables, instant, asked.dialect, sources=planted)
            return _sorted_out(rows_found(asked.connection, select))

        def ask_of_each(judged: Sequence[Case]) -> Sequence[EngineAnswer] | str:
            try:
                return [ask(case) for case in judged]
            except StatementRefused as why:
                return str(why)

        return why_unproved(cases, ask_of_each)

    def _why_not_yet(self, compiled: CompiledCheck, asked: _Asked, instant: Instant) -> str:
        """As recorded when it was compiled, else proved on first use, once for a bench."""
        if compiled.proof is not None and asked.engine in compiled.proof.engines:
            return ""
        assert compiled.constraint is not None
        what = digest(f"{asked.engine}{compiled.constraint}{compiled.schemas}")
        if what not in self._proofs:
            from pandas_magic.checking.planted_cases import planted_cases

            cases = planted_cases(compiled.constraint, self, instant, compiled.schemas)
            self._proofs[what] = self._why_unproved(compiled.constraint, asked, instant, cases)
        return self._proofs[what]


def _sorted_out(rows: Sequence[Sequence[int | None]]) -> EngineAnswer:
    positions = sorted(int(position) for position, _ in rows if position is not None)
    return EngineAnswer(tuple(positions), sum(int(left_open or 0) for _, left_open in rows))


def _positions(asked: _Asked, place: str, key: str, keys: Sequence[int]) -> tuple[int, ...]:
    """Where the rows of these keys, ascending, stand in the order of the key.

    Raises: NotExpressible where one repeats.
    """
    quoted, found = asked.dialect.quote(key), list[int]()
    numbered = f"SELECT {quoted} AS k, row_number() OVER (ORDER BY {quoted}) - 1 AS n FROM {place}"
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        among = ", ".join(map(str, keys[start : start + _KEYS_AT_ONCE]))
        statement = f"SELECT n FROM ({numbered}) q WHERE k IN ({among}) ORDER BY k"
        found += [int(n) for (n,) in rows_found(asked.connection, statement)]
    # A table that others inherit from has their rows, too, and its key holds for its own alone.
    if len(found) != len(keys) or len(set(keys)) != len(keys):
        raise NotExpressible("a primary key that repeats")
    return tuple(found)
