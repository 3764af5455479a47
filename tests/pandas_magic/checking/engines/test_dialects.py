"""The SQL of each kind of rule can be read by its engine's grammar; Snowflake and BigQuery run nowhere here."""

import pytest
import sqlglot

from pandas_magic.checking.engines.dialect import EngineDialect, NotExpressible
from pandas_magic.checking.engines.dialects import BIGQUERY, DUCKDB, POSTGRES, SNOWFLAKE, SPARK, SQLITE
from pandas_magic.checking.engines.rule_sql import select_for
from pandas_magic.clock import Instant
from pandas_magic.constraints import ColumnsRule
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP

AT = Instant.at("2026-03-30T12:00")
# Of the kinds of the gallery, how many each engine has an equal of.
EXPRESSED = {DUCKDB: 1.0, POSTGRES: 1.0, SPARK: 1.0, BIGQUERY: 0.9, SNOWFLAKE: 0.7, SQLITE: 0.55}


@pytest.mark.parametrize("dialect", EXPRESSED, ids=lambda dialect: dialect.name)
def test_sql_of_every_kind_is_one_select_of_two_columns(dialect: EngineDialect) -> None:
    rules = {name: rule for name, rule in GALLERY.items() if not isinstance(rule, ColumnsRule)}
    written = {}
    for name, rule in rules.items():
        try:
            written[name] = select_for(rule, SHOP, AT, dialect)
        except NotExpressible:
            continue
    assert len(written) >= EXPRESSED[dialect] * len(rules), sorted(set(rules) - set(written))
    for name, sql in written.items():
        (tree,) = sqlglot.parse(sql, read=dialect.name.lower().replace("postgresql", "postgres"))
        assert isinstance(tree, sqlglot.exp.Query), name
        assert len(tree.selects) == 2, name


def test_a_rule_about_columns_is_not_for_engines() -> None:
    with pytest.raises(NotExpressible, match="the schema alone"):
        select_for(ColumnsRule(table="users", required=("email",)), SHOP, AT, DUCKDB)
