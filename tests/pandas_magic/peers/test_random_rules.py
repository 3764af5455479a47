"""Random rules on random tables have the same verdict where they are exported to, and where they are imported again."""

from collections.abc import Iterator

import pandas as pd
import pytest

from pandas_magic.constraints import Constraint, check_types, describe, violating_rows
from pandas_magic.peers import export_checks, import_checks
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.constraints.random_rules import DTYPES, NOW, UTC_NOW, RandomRules, tables
from tests.pandas_magic.peers import test_dbt, test_soda
from tests.pandas_magic.peers.compiled import compiled_check, without_marks
from tests.pandas_magic.peers.test_pandera import failures

JUDGES = {"dbt": test_dbt.passes, "soda": test_soda.passes}


def drawn(count: int, dtypes: str) -> Iterator[tuple[Constraint, dict[str, pd.DataFrame]]]:
    """Rules that fit their tables, the same ones each time."""
    for seed in range(count):
        chance = RandomRules(seed, DTYPES[dtypes])
        rule, frames = chance.rule(), chance.frames()
        if not check_types(rule, tables(DTYPES[dtypes])):
            yield rule, frames


def broken(rule: Constraint, frames: dict[str, pd.DataFrame]) -> list[int]:
    return violating_rows(rule, frames, NOW, UTC_NOW)


@pytest.mark.parametrize("peer", JUDGES)
def test_sql_of_random_rules_has_the_same_verdict(peer: str) -> None:
    said = 0
    for rule, frames in drawn(60, "numpy"):
        exported = export_checks([compiled_check("X", rule, tables(DTYPES["numpy"]))], peer)
        if exported.expressed:
            said += 1
            assert JUDGES[peer](exported.text, frames)["X"] == (not broken(rule, frames)), describe(rule)
            imported = import_checks(without_marks(exported.text, peer), peer)
            again = [read_canonical(check.rule) for check in imported.checks]
            verdicts = [bool(broken(one, frames)) for one in again if one is not None]
            assert imported.not_understood or any(verdicts) == bool(broken(rule, frames)), describe(rule)
    assert said > 10


@pytest.mark.filterwarnings("ignore")  # pandera's own dependencies warn
@pytest.mark.parametrize("dtypes", DTYPES)
def test_pandera_finds_the_rows_of_random_rules(dtypes: str) -> None:
    said = 0
    for rule, frames in drawn(15, dtypes):
        exported = export_checks([compiled_check("X", rule, tables(DTYPES[dtypes]))], "pandera")
        if exported.expressed and "now" not in exported.text:
            said += 1
            namespace: dict[str, object] = {}
            exec(exported.text, namespace)
            reported = failures(namespace[rule.table], frames[rule.table])
            assert reported["index"].nunique() == len(broken(rule, frames)), describe(rule)
    assert said > 5
