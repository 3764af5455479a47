"""What we export to Soda is judged as Soda judges it; checks of others are read, and what is not is listed."""

import json
import os
import re
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
from pandas_magic.peers.soda import write
from tests.pandas_magic.peers.compiled import example_checks, found, gallery_checks, shops

PYTHON = os.environ.get("PANDAS_MAGIC_SODA_PYTHON", "")
_VALID = {
    "valid min": "{column} >= {value}",
    "valid max": "{column} <= {value}",
    "valid min length": "length({column}) >= {value}",
    "valid max length": "length({column}) <= {value}",
    "valid values": "{column} IN ({value})",
    "valid regex": "regexp_matches({column}, {value})",
    "invalid values": "{column} NOT IN ({value})",
}
_SCAN = """
import json, pathlib, sys
import duckdb
from soda.scan import Scan

connection = duckdb.connect()
for path in pathlib.Path(".").glob("*.parquet"):
    connection.execute(f"create table {path.stem} as select * from read_parquet('{path}')")
scan = Scan()
scan.disable_telemetry()
scan.set_data_source_name("shop")
scan.add_duckdb_connection(connection, data_source_name="shop")
scan.add_sodacl_yaml_str(pathlib.Path("checks.yml").read_text())
scan.execute()
outcomes = [[check["name"], check["outcome"]] for check in scan.get_scan_results()["checks"]]
print("outcomes: " + json.dumps(outcomes))
"""


def passes(text: str, frames: Mapping[str, pd.DataFrame]) -> dict[str, bool]:
    """Whether all checks of each name pass, by what the documentation of SodaCL says of the metrics."""
    outcome: dict[str, bool] = {}
    with duckdb.connect() as connection:
        for name, frame in frames.items():
            connection.register(f"{name}_frame", frame)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM {name}_frame")
        for title, entries in yaml.safe_load(text).items():
            for entry in entries:
                ((line, below),) = entry.items()
                good = _passes(connection, title.removeprefix("checks for "), line, below)
                outcome[below["name"]] = outcome.get(below["name"], True) and good
    return outcome


def _passes(connection: Any, table: str, line: str, below: Mapping[str, Any]) -> bool:
    def count(query: str) -> Any:
        return connection.execute(query).fetchone()[0]

    reference = re.fullmatch(r"values in \((\w+)\) must exist in (\w+) \((\w+)\)", line)
    if reference is not None:
        mine, there, key = reference.groups()
        joined = f"{table} s LEFT JOIN {there} t ON s.{mine} = t.{key}"
        return bool(count(f"SELECT count(*) FROM {joined} WHERE t.{key} IS NULL AND s.{mine} IS NOT NULL") == 0)
    if line == "failed rows":
        return bool(count(f"SELECT count(*) FROM {table} WHERE ({below['fail condition']})") == 0)
    metric = re.fullmatch(r"(\w+?)(?:\((.*)\))? (=|<=|>=|<|>) (\S+)", line)
    assert metric is not None, line
    name, column, relation, limit = metric.groups()
    rows = f"(SELECT * FROM {table} WHERE {below.get('filter', 'TRUE')})"
    if name == "row_count":
        value = count(f"SELECT count(*) FROM {rows}")
    elif name == "missing_count":
        value = count(f"SELECT count(*) FROM {rows} WHERE {column} IS NULL")
    elif name == "duplicate_count":
        known = "" if "," in column else f"WHERE {column} IS NOT NULL"
        groups = f"SELECT {column} FROM {rows} {known} GROUP BY {column} HAVING count(*) > 1"
        value = count(f"SELECT count(*) FROM ({groups})")
    elif name == "invalid_count":
        said = [
            form.format(column=column, value=repr(below[key]).strip("[]"))
            for key, form in _VALID.items()
            if key in below
        ]
        value = count(f"SELECT count(*) FROM {rows} WHERE {column} IS NOT NULL AND NOT ({' AND '.join(said)})")
    else:
        value = count(f"SELECT {name}({column}) FROM {rows}")
    return value is None or bool(count(f"SELECT {value!r} {relation} {limit}"))


def test_the_example_checks_have_the_same_verdict_there() -> None:
    exported = write(example_checks())
    assert exported.not_expressed == ()
    assert passes(exported.text, make_tables()) == {name: PLANTED[name] == 0 for name in exported.expressed}


@pytest.mark.parametrize("size", range(len(shops())))
def test_every_rule_of_the_gallery_has_the_same_verdict_there(size: int) -> None:
    frames, checks = shops()[size], gallery_checks()
    exported = write(checks)
    rules = {check.id: check.constraint for check in checks if check.constraint is not None}
    assert passes(exported.text, frames) == {name: not found(rules[name], frames) for name in exported.expressed}


@pytest.mark.skipif(not PYTHON, reason="set PANDAS_MAGIC_SODA_PYTHON to a Python that has soda-core-duckdb and pytz")
def test_soda_itself_has_the_same_verdicts(tmp_path: Path) -> None:
    frames, checks = shops()[0], gallery_checks()
    exported = write(checks)
    (tmp_path / "checks.yml").write_text(exported.text)
    for name, frame in frames.items():
        frame.to_parquet(tmp_path / f"{name}.parquet")
    scanned = subprocess.run([PYTHON, "-c", _SCAN], cwd=tmp_path, capture_output=True, text=True, check=True)
    verdicts: dict[str, bool] = {}
    for name, outcome in json.loads(scanned.stdout.split("outcomes: ")[1]):
        verdicts[name] = verdicts.get(name, True) and outcome == "pass"
    rules = {check.id: check.constraint for check in checks if check.constraint is not None}
    assert verdicts == {name: not found(rules[name], frames) for name in exported.expressed}


FILE = """
checks for orders:
  - row_count between 10 and 1000
  - row_count > 0
  - missing_count(email) = 0:
      name: every order has an email
      attributes: {owner: team@example.com}
  - missing_count(note) < 5
  - missing_percent(phone) < 5 %
  - missing_count(city) = 0:
      missing values: [N/A, none]
  - invalid_count(status) = 0:
      valid values: [paid, shipped]
      filter: region = 'EU'
  - invalid_count(code) = 0:
      valid regex: ^[A-Z]{2}$
  - invalid_count(mail) = 0:
      valid format: email
  - duplicate_count(order_id) = 0
  - duplicate_count(a, b) = 0
  - duplicate_percent(order_id) < 1
  - avg(amount) between 10 and 20
  - max(amount) <= 500
  - values in (user_id) must exist in users (id)
  - failed rows:
      name: dates
      fail condition: ship_date < order_date
  - failed rows:
      fail query: SELECT * FROM orders WHERE x
  - schema:
      fail:
        when required column missing: [order_id, amount]
        when forbidden column present: [password]
  - freshness(day) < 1d
  - row_count:
      fail: when < 10
      warn: when < 100
  - missing_count(x) = ${LIMIT}
checks for orders [daily]:
  - row_count > 0
filter orders [daily]:
  where: day = 1
"""


def test_a_file_of_checks_is_read() -> None:
    imported = import_checks(FILE, "soda")
    assert [check.rule for check in imported.checks] == [
        "orders as a whole: the number of rows in orders must be between 10 and 1000",
        "orders as a whole: the number of rows in orders must be greater than 0",
        "orders: email must be present",
        "orders: note must be present; at most 4 rows may break this",
        "orders as a whole: the share of rows in orders with (phone is missing) must be less than 0.05 "
        "(up to rounding)",
        "orders: city must be present and city must be none of 'N/A', 'none'",
        "orders where region is 'EU': status must be one of 'paid', 'shipped'",
        "orders: code must match /[A-Z]{2}/",
        "orders: order_id must be unique",
        "orders: (`a`, b) must be unique counting missing values as equal",
        "orders as a whole: the mean of amount in orders must be at least 10 (up to rounding) and "
        "the mean of amount in orders must be at most 20 (up to rounding)",
        "orders as a whole: the maximum of amount in orders must be at most 500",
        "orders: user_id must be among users.id",
        "orders: it must hold that not (ship_date is < order_date)",
        "columns of orders: must have order_id, amount; must not have password",
        "orders as a whole: the number of rows in orders must be at least 10",
        "orders as a whole: the number of rows in orders must be at least 100",
    ]
    assert [check.severity for check in imported.checks][-2:] == ["medium", "low"]
    assert (imported.checks[2].name, imported.checks[2].owner) == ("every order has an email", "team@example.com")


def test_each_check_that_is_not_understood_is_listed_with_its_line() -> None:
    lost = {one.where: one.reason for one in import_checks(FILE, "soda").not_understood}
    assert lost == {
        "line 17": "it has valid format, which is not understood",
        "line 21": "it counts values that occur more than once, and a rule counts rows; only = 0 is both",
        "line 28": "it has fail query, which is not understood",
        "line 34": "the metric freshness is not understood",
        "line 38": "it holds a variable, which is only known when it runs",
        "line 40": "it is about a named part of a dataset; write the filter into the check",
        "line 41": "it narrows a dataset to a part that checks name; write the filter into each check",
    }


def test_what_holds_no_checks_is_refused() -> None:
    with pytest.raises(UsageMistake, match="holds no checks of Soda"):
        import_checks("- a\n- b\n", "soda")
