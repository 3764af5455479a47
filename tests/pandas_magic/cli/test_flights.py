"""Real tables: what the rules find among 336,776 flights is what SQL finds.

It runs what examples/flights/README.md shows of the first look and the whole year.
"""

import csv
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from pandas_magic.cli.main import main
from pandas_magic.workspace import Workspace

FLIGHTS = Path(__file__).parents[3] / "examples" / "flights"
# Each rule of checks.json as somebody else would ask for its violations.
SQL = {
    "NYC-001": "from flights where tailnum is null or tailnum not in (select tailnum from planes)",
    "NYC-002": "from flights where dest not in (select faa from airports)",
    "NYC-003": "from flights where origin not in (select faa from airports)",
    "NYC-004": "from flights where carrier is null or carrier not in (select carrier from airlines)",
    "NYC-005": "from planes where tailnum in (select tailnum from planes group by all having count(*) > 1)",
    "NYC-006": "from (select count(*) over (partition by origin, year, month, day, hour) n from weather) where n > 1",
    "NYC-007": "from planes where year is null",
    "NYC-008": "from planes where year < 1950 or year > 2013",
    "NYC-009": "from flights where arr_time is not null and dep_time is null",
    "NYC-010": "from flights where dep_time is not null and arr_time is null",
    "NYC-011": "from flights where air_time <= 20",
    "NYC-012": "from airports where length(faa) <> 3",
    "NYC-013": "from airports where tzone is null",
    "NYC-014": "from airports where abs(lat) > 90",
    "NYC-015": "from (select count(*) n from airlines) where n < 10",
}


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("flights", FLIGHTS / "flights.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.feature("A02")
@pytest.mark.feature("B21")
def test_the_rules_find_in_real_flights_what_sql_finds(tmp_path: Path) -> None:
    example().main(tmp_path)
    workspace = Workspace.open(tmp_path)
    found = {entry.compiled.id: entry.last_run for entry in workspace.entries()}
    database = duckdb.connect()
    for name in workspace.table_names():
        source = tmp_path / "data" / f"{name}.csv"
        database.execute(f"create table {name} as select * from read_csv('{source}', nullstr=['NA', ''])")
    expected = {}
    for check_id, query in SQL.items():
        row = database.execute(f"select count(*) {query}").fetchone()
        assert row is not None
        expected[check_id] = row[0]
    assert {check_id: run.violation_count if run else None for check_id, run in found.items()} == expected
    assert expected["NYC-001"] == 52_606
    assert expected["NYC-002"] == 7_602


@pytest.mark.thorough
def test_each_month_of_a_year_is_found_and_kept_in_the_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay = example().lay_tables
    lay(tmp_path / "data", 1)
    assert main(["start", str(tmp_path / "data" / "planes.csv")]) == 0
    assert "planes: `year` must be present\n     FAIL: 70 of 3,322 rows" in capsys.readouterr().out
    assert main(["add", "flights.dest must exist in airports.faa", "-C", str(tmp_path)]) == 0
    assert main(["compile", "-C", str(tmp_path)]) == 0
    with (tmp_path / "data" / "airports.csv").open() as airports:
        known = {row["faa"] for row in csv.DictReader(airports)}
    expected = []
    for month in range(1, 13):
        lay(tmp_path / "data", month)
        with (tmp_path / "data" / "flights.csv").open() as flights:
            rows = list(csv.DictReader(flights))
        expected.append((sum(row["dest"] not in known for row in rows), len(rows)))
        assert main(["run", "--allow-proposed", "-C", str(tmp_path)]) == 1
    capsys.readouterr()
    assert main(["history", "CHK-001", "--json", "-C", str(tmp_path)]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert sorted((run["violation_count"], run["rows"]) for run in runs) == sorted(expected)
    assert sum(count for _, count in expected) == 336_776
