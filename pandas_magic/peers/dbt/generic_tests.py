"""One rule as generic tests of dbt: the built-in ones, and those of dbt_utils."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pandas_magic.constraints import (
    Aggregate,
    All,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    Exists,
    OneOf,
    Present,
    RowRule,
    TableRule,
    Unique,
    Value,
)
from pandas_magic.constraints.algebra.conditions import OPPOSITE
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.peers.demands import Demand, column_of, demands
from pandas_magic.peers.marks import Mark
from pandas_magic.peers.schemas import Schemas, Types
from pandas_magic.peers.sql_text import number, sql_condition, sql_literal, sql_name
from pandas_magic.peers.transfers import CannotSay


@dataclass(frozen=True)
class GenericTest:
    """A test of a column, or of the whole model when `column` is empty, with its arguments and its config."""

    model: str
    column: str
    test: str
    arguments: dict[str, Any] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)  # where, error_if, warn_if; when read, all that is set

    @property
    def shape(self) -> str:
        """What must be the same for two tests to be the same."""
        parts = [self.model, self.column, self.test, self.arguments, self.config]
        return json.dumps(parts, sort_keys=True, default=str)


def generic_tests(constraint: Constraint, mark: Mark) -> list[GenericTest]:
    """The tests that say the rule. Raises: CannotSay when none says it faithfully."""
    if isinstance(constraint, RowRule):
        return [_confined(_row_test(part, mark.types), part, mark.types) for part in demands(constraint)]
    if isinstance(constraint, TableRule):
        return list(_row_counts(constraint, mark.types))
    assert isinstance(constraint, ColumnsRule)
    raise CannotSay("no generic test is about the columns of a model; a model contract is")


def _confined(test: GenericTest, demand: Demand, schemas: Schemas) -> GenericTest:
    """The test on the rows in scope only, with as many violations as are tolerated."""
    where = [] if demand.where is None else [demand.where]
    if isinstance(demand.must, Unique) and len(demand.must.by) > 1 and not demand.must.missing_equal:
        # Rows with a missing value would form groups there.
        where += [Present(of=part) for part in demand.must.by]
    config = {}
    if where:
        scope = where[0] if len(where) == 1 else All(conditions=tuple(where))
        _refuse_references(scope)
        config["where"] = sql_condition(scope, demand.table, schemas)
    if demand.tolerance is not None:
        if demand.tolerance.max_share is not None or demand.tolerance.max_rows is None:
            raise CannotSay("a test of dbt tolerates a number of rows, not a share of them")
        if isinstance(demand.must, (Unique, OneOf)) and test.test != "dbt_utils.expression_is_true":
            raise CannotSay("that test counts values, not rows")
        config |= {"error_if": f">{demand.tolerance.max_rows}", "warn_if": f">{demand.tolerance.max_rows}"}
    return GenericTest(test.model, test.column, test.test, test.arguments, config)


def _row_test(demand: Demand, schemas: Schemas) -> GenericTest:
    table, must = demand.table, demand.must
    types = Types(table, schemas)
    match must:
        case Present(of=Column(name=name)) if _is_plain(name):
            return GenericTest(table, name, "not_null")
        case Unique():
            return _unique(table, must)
        case OneOf(of=Column(name=name)) if _is_plain(name) and types.of(must.of).kind != "datetime":
            return _accepted(name, must, demand, schemas)
        case Exists(of=(Column(name=name),), keys=(key,)) if _is_plain(name) and _is_plain(key):
            return _relationship(table, name, must, schemas)
        case Exists():
            raise CannotSay("no generic test follows a reference by several columns")
    _refuse_references(must)
    expression = sql_condition(must, table, schemas)
    return GenericTest(table, "", "dbt_utils.expression_is_true", {"expression": expression})


def _refuse_references(condition: Condition) -> None:
    if any(isinstance(part, Exists) for part in nodes(condition)):
        raise CannotSay("a test of dbt reaches another model only as a reference that has to be there")


def _is_plain(name: str) -> bool:
    return sql_name(name) == name


def _unique(table: str, must: Unique) -> GenericTest:
    names = [column_of(part) for part in must.by]
    known = [name for name in names if name is not None and _is_plain(name)]
    if len(known) < len(names):
        raise CannotSay("no generic test is about the uniqueness of computed values, or of names that need quotes")
    if len(known) == 1 and not must.missing_equal:
        return GenericTest(table, known[0], "unique")
    return GenericTest(table, "", "dbt_utils.unique_combination_of_columns", {"combination_of_columns": known})


def _accepted(name: str, must: OneOf, demand: Demand, schemas: Schemas) -> GenericTest:
    quoted = all(isinstance(value, str) for value in must.values)
    literal = [sql_literal(value) for value in must.values]
    # The test puts texts in quotes as they are, and it shows values, not rows.
    if demand.tolerance is not None or any("'" in value[1:-1] for value in literal):
        expression = sql_condition(must, demand.table, schemas)
        return GenericTest(demand.table, "", "dbt_utils.expression_is_true", {"expression": expression})
    quote = {} if quoted else {"quote": False}
    return GenericTest(demand.table, name, "accepted_values", {"values": list(must.values), **quote})


def _relationship(table: str, name: str, must: Exists, schemas: Schemas) -> GenericTest:
    to = {"to": f"ref('{must.table}')", "field": must.keys[0]}
    if "'" in must.table:
        raise CannotSay(f"a model cannot be called {must.table}")
    if must.where is None:
        return GenericTest(table, name, "relationships", to)
    _refuse_references(must.where)
    chosen = {"to_condition": sql_condition(must.where, must.table, schemas)}
    return GenericTest(table, name, "dbt_utils.relationships_where", {**to, **chosen})


def _row_counts(rule: TableRule, schemas: Schemas) -> Iterator[GenericTest]:
    """A test that returns every row, and fails by how many there are."""
    parts = conjuncts(rule.must)
    for part in parts:
        found = part.left if isinstance(part, Compare) and part.within is None else None
        counts = isinstance(found, Aggregate) and found.of is None and found.statistic == "count"
        if not isinstance(part, Compare) or not isinstance(found, Aggregate) or not counts or found.table != rule.table:
            raise CannotSay("no generic test compares a statistic of a model")
        if not isinstance(part.right, Value) or part.relation == "!=":
            raise CannotSay("no generic test compares a count with that")
        limit = number(part.right.value)
        failing = f"{OPPOSITE[part.relation]}{limit!r}"
        config = {"error_if": failing, "warn_if": failing}
        if found.where is not None:
            config["where"] = sql_condition(found.where, rule.table, schemas)
        yield GenericTest(rule.table, "", "dbt_utils.expression_is_true", {"expression": "1 = 0"}, config)
