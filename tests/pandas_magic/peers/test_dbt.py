"""What we export to dbt is judged there as here; files of others are read, and what is not understood is listed."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
import yaml

from pandas_magic.cli.demo_shop import PLANTED, make_tables
from pandas_magic.errors import UsageMistake
from pandas_magic.peers import import_checks
from pandas_magic.peers.dbt import write
from tests.pandas_magic.peers.compiled import check_for, example_checks, found, gallery_checks, shops

DBT = os.environ.get("PANDAS_MAGIC_DBT", "")
# The SQL of each generic test as its documentation states it, written from that and not from our code.
QUERIES = {
    "not_null": "SELECT * FROM {model} WHERE {column} IS NULL",
    "unique": "SELECT {column} FROM {model} WHERE {column} IS NOT NULL GROUP BY {column} HAVING count(*) > 1",
    "accepted_values": "SELECT DISTINCT {column} FROM {model} WHERE {column} NOT IN ({values})",
    "relationships": (
        "SELECT c.{column} FROM {model} c LEFT JOIN {to} p ON c.{column} = p.{field} "
        "WHERE c.{column} IS NOT NULL AND p.{field} IS NULL"
    ),
    "dbt_utils.expression_is_true": "SELECT 1 FROM {model} WHERE NOT ({expression})",
    "dbt_utils.unique_combination_of_columns": (
        "SELECT {combination} FROM {model} GROUP BY {combination} HAVING count(*) > 1"
    ),
    "dbt_utils.relationships_where": (
        "WITH p AS (SELECT {field} AS id FROM {to} WHERE {field} IS NOT NULL AND {to_condition}) "
        "SELECT c.{column} FROM {model} c LEFT JOIN p ON c.{column} = p.id "
        "WHERE c.{column} IS NOT NULL AND p.id IS NULL"
    ),
}
# The macros of dbt_utils that we export, with the SQL above; a project of dbt is given them as a local package.
MACROS = """
{% test expression_is_true(model, expression) %}
select 1 as one from {{ model }} where not({{ expression }})
{% endtest %}
{% test unique_combination_of_columns(model, combination_of_columns) %}
select {{ combination_of_columns | join(', ') }} from {{ model }}
group by {{ combination_of_columns | join(', ') }} having count(*) > 1
{% endtest %}
{% test relationships_where(model, column_name, to, field, to_condition) %}
with p as (select {{ field }} as id from {{ to }} where {{ field }} is not null and {{ to_condition }})
select c.{{ column_name }} from {{ model }} c left join p on c.{{ column_name }} = p.id
where c.{{ column_name }} is not null and p.id is null
{% endtest %}
"""


def passes(text: str, frames: Mapping[str, pd.DataFrame]) -> dict[str, bool]:
    """Whether all tests of each check pass, by the id in their mark."""
    outcome: dict[str, bool] = {}
    with duckdb.connect() as connection:
        for name, frame in frames.items():
            connection.register(f"{name}_frame", frame)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM {name}_frame")
        for model in yaml.safe_load(text)["models"]:
            columns = [("", model.get("data_tests", []))]
            columns += [(column["name"], column["data_tests"]) for column in model.get("columns", [])]
            for column, tests in columns:
                for test in tests:
                    ((kind, given),) = test.items()
                    mark = given["config"]["meta"]["pandas_magic"]["id"]
                    good = _passes(connection, model["name"], column, kind, given)
                    outcome[mark] = outcome.get(mark, True) and good
    return outcome


def _passes(connection: Any, model: str, column: str, kind: str, given: Mapping[str, Any]) -> bool:
    arguments, config = given.get("arguments", {}), given["config"]
    where = config.get("where")
    values = [f"'{value}'" if arguments.get("quote", True) else str(value) for value in arguments.get("values", [])]
    words = {
        **arguments,
        "model": f"(SELECT * FROM {model} WHERE {where})" if where else model,
        "column": column,
        "values": ", ".join(values),
        "to": str(arguments.get("to", "")).removeprefix("ref('").removesuffix("')"),
        "combination": ", ".join(arguments.get("combination_of_columns", [])),
    }
    (count,) = connection.execute(f"SELECT count(*) FROM ({QUERIES[kind].format(**words)})").fetchone()
    (failed,) = connection.execute(f"SELECT {count} {config.get('error_if', '!= 0')}").fetchone()
    return not failed


def test_the_example_checks_have_the_same_verdict_there() -> None:
    exported = write(example_checks())
    assert [one.check_id for one in exported.not_expressed] == ["CHK-009"]
    assert passes(exported.text, make_tables()) == {name: PLANTED[name] == 0 for name in exported.expressed}


@pytest.mark.parametrize("size", range(len(shops())))
def test_every_rule_of_the_gallery_has_the_same_verdict_there(size: int) -> None:
    frames = shops()[size]
    checks = gallery_checks()
    exported = write(checks)
    ours = {
        check.id: not found(check.constraint, frames)
        for check in checks
        if check.constraint is not None and check.id in exported.expressed
    }
    assert passes(exported.text, frames) == ours


@pytest.mark.skipif(not DBT, reason="set PANDAS_MAGIC_DBT to a dbt executable with dbt-duckdb, in its own environment")
def test_dbt_itself_has_the_same_verdicts(tmp_path: Path) -> None:
    frames, checks = shops()[0], gallery_checks()
    exported = write(checks)
    (tmp_path / "models").mkdir()
    (tmp_path / "dbt_utils" / "macros").mkdir(parents=True)
    (tmp_path / "dbt_utils" / "macros" / "tests.sql").write_text(MACROS)
    (tmp_path / "dbt_utils" / "dbt_project.yml").write_text("name: dbt_utils\nversion: '1.0'\n")
    (tmp_path / "dbt_project.yml").write_text("name: shop\nversion: '1.0'\nprofile: shop\n")
    (tmp_path / "packages.yml").write_text("packages:\n  - local: dbt_utils\n")
    profile = {"shop": {"target": "dev", "outputs": {"dev": {"type": "duckdb", "path": ":memory:", "threads": 1}}}}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profile))
    (tmp_path / "models" / "schema.yml").write_text(exported.text)
    for name, frame in frames.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
        (tmp_path / "models" / f"{name}.sql").write_text(f"select * from read_parquet('{tmp_path}/{name}.parquet')")
    environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"}
    for command in ("deps", "build"):
        subprocess.run([DBT, command, "--quiet"], cwd=tmp_path, env=environment, capture_output=True, check=False)
    results = json.loads((tmp_path / "target" / "run_results.json").read_text())["results"]
    nodes = json.loads((tmp_path / "target" / "manifest.json").read_text())["nodes"]
    verdicts: dict[str, bool] = {}
    for result in results:
        node = nodes[result["unique_id"]]
        if node["resource_type"] == "test":
            name = node["config"]["meta"]["pandas_magic"]["id"]
            verdicts[name] = verdicts.get(name, True) and result["status"] == "pass"
    rules = {check.id: check.constraint for check in checks if check.constraint is not None}
    assert verdicts == {name: not found(rules[name], frames) for name in exported.expressed}


def test_a_text_with_a_quote_is_not_given_to_a_test_that_would_break_on_it() -> None:
    (model,) = yaml.safe_load(write([check_for("users: status must be one of 'it''s', 'b'")]).text)["models"]
    ((kind, given),) = model["data_tests"][0].items()
    assert (kind, given["arguments"]) == (
        "dbt_utils.expression_is_true",
        {"expression": "status IN ('it''s', 'b')"},
    )


@pytest.mark.parametrize("text", ["{{ 1 }}", "a\\b", "a\nb"])
def test_a_text_that_a_template_or_a_database_would_change_is_not_exported(text: str) -> None:
    exported = write([check_for(f"users: status must not be '{text}'")])
    assert "is read in different ways there" in exported.not_expressed[0].reason


FILE = """
version: 2
models:
  - name: orders
    description: Orders of the shop.
    tests:
      - dbt_utils.unique_combination_of_columns:
          combination_of_columns: [order_id, line]
      - dbt_utils.expression_is_true:
          expression: "total >= amount - discount"
          config: {where: "status <> 'cancelled'", severity: warn}
      - dbt_utils.recency: {field: day, datepart: day, interval: 1}
    columns:
      - name: order_id
        tests: [unique, not_null]
      - name: status
        data_tests:
          - accepted_values:
              name: known_statuses
              arguments: {values: [paid, shipped]}
              config: {tags: [values], meta: {owner: team@example.com}}
          - not_null: {error_if: ">10"}
      - name: user_id
        tests:
          - relationships: {to: ref('users'), field: id}
          - relationships: {to: "source('crm', 'people')", field: id, where: "user_id > 0"}
          - dbt_expectations.expect_column_values_to_be_between:
              {min_value: 1, max_value: 9, strictly: true, row_condition: "status = 'paid'"}
          - my_own_test
          - accepted_values: {values: [1, 2], where: "{{ var('x') }}"}
          - not_null: {error_if: "between 1 and 2"}
sources:
  - name: crm
    tables:
      - name: people
        columns:
          - name: age
            tests:
              - dbt_utils.accepted_range: {min_value: 0, max_value: 150, inclusive: false}
              - dbt_utils.not_null_proportion: {at_least: 0.95}
"""


def test_a_schema_file_is_read() -> None:
    imported = import_checks(FILE, "dbt")
    assert [check.rule for check in imported.checks] == [
        "orders: (order_id, line) must be unique counting missing values as equal",
        "orders where status is not 'cancelled': total must be >= amount - discount (up to rounding)",
        "orders: order_id must be unique",
        "orders: order_id must be present",
        "orders: status must be one of 'paid', 'shipped'",
        "orders: status must be present; at most 10 rows may break this",
        "orders: user_id must be among users.id",
        "orders where user_id is greater than 0: user_id must be among people.id",
        "orders where status is 'paid': user_id must be greater than 1 and user_id must be less than 9",
        "people: age must be greater than 0 and age must be less than 150",
        "people: age must be present; at most 5 % of rows may break this",
    ]
    assert [check.severity for check in imported.checks][:3] == ["medium", "low", "medium"]
    known = imported.checks[4]
    assert (known.id, known.owner, known.tags) == ("known_statuses", "team@example.com", ("values",))


def test_each_test_that_is_not_understood_is_listed_with_its_line() -> None:
    lost = {one.where: (one.what, one.reason) for one in import_checks(FILE, "dbt").not_understood}
    assert lost == {
        "line 12": ("orders dbt_utils.recency", "the test dbt_utils.recency is not understood"),
        "line 29": ("orders user_id my_own_test", "the test my_own_test is not understood"),
        "line 30": ("orders user_id accepted_values", "it holds a template, which only dbt fills in"),
        "line 31": ("orders user_id not_null", "error_if: between 1 and 2 is not understood for this test"),
    }


def test_one_model_of_a_file_can_be_named() -> None:
    assert {check.rule.split(":")[0] for check in import_checks(FILE, "dbt", table="people").checks} == {"people"}
    with pytest.raises(UsageMistake, match="the file has no model shops; it has orders, people"):
        import_checks(FILE, "dbt", table="shops")
