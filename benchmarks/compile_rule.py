"""The time to understand a rule on a schema of 50 tables with 40 columns each. The limit is 20 ms a rule.

Every round has tables of its own, so that nothing is remembered from the round before. Wall and CPU medians; no peer
turns sentences into checks, so the limit is the other side.
"""

import statistics
import sys
import time

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.page import EXAMPLE_TABLES, FORMS

ROUNDS = 5
TABLES, COLUMNS = 50, 40
LIMIT_MS = 20.0
DTYPES = ("int64", "float64", "str", "datetime64[us]", "bool")


def wide_schema(round_number: int) -> dict[str, Table]:
    tables = dict(EXAMPLE_TABLES)
    for number in range(TABLES - len(tables)):
        name = f"branch_{number}_{round_number}"
        columns = {f"{word}_{column}": DTYPES[column % 5] for column in range(COLUMNS) for word in ("reading",)}
        tables[name] = Table(name=name, columns={"id": "int64", "status_code": "str", **columns})
    return tables


def main() -> int:
    walls, cpus, understood, number_of = [], [], 0, 0
    for round_number in range(ROUNDS):
        tables = wide_schema(round_number)
        for form in FORMS:
            for sentence, target in ((said, target) for said in form.sentences for target in (form.table, None)):
                wall, cpu = time.perf_counter(), time.process_time()
                try:
                    compile_rule(sentence, tables, target=target)
                except RuleNotUnderstood:
                    understood -= 1
                walls.append(1000 * (time.perf_counter() - wall))
                cpus.append(1000 * (time.process_time() - cpu))
                understood, number_of = understood + 1, number_of + 1
    median = statistics.median(cpus)
    print(f"{understood} of {number_of} sentences, with and without a target, on {TABLES} tables of {COLUMNS} columns")
    print(f"CPU: median {median:.1f} ms, worst {max(cpus):.1f} ms; wall: median {statistics.median(walls):.1f} ms")
    print(f"ratio to the limit of {LIMIT_MS:.0f} ms: {median / LIMIT_MS:.2f}")
    return 0 if median <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
