"""Sentences made to be misread: refused, or read exactly as they are meant."""

import json
from functools import cache

import pandas as pd
import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from tests.pandas_magic.planner.grammar.strangers import HERE, described, frames, intended
from tests.pandas_magic.planner.grammar.test_strangers import flagged

FROZEN = json.loads((HERE / "adversarial.json").read_text(encoding="utf-8"))


@cache
def tables_of(seed: int) -> dict[str, pd.DataFrame]:
    return frames(FROZEN["tables"], seed)


@cache
def schema_of_all() -> dict[str, Table]:
    return described(tables_of(1), FROZEN["tables"])


@pytest.mark.parametrize("with_target", [True, False], ids=["target", "no target"])
@pytest.mark.parametrize("rule", FROZEN["rules"], ids=[rule["id"] for rule in FROZEN["rules"]])
def test_a_trap_is_refused_or_read_exactly(rule: dict, with_target: bool) -> None:
    target = rule["table"] if with_target else None
    schema = schema_of_all()
    try:
        found = compile_rule(rule["text"], schema, target=target)
    except RuleNotUnderstood as refusal:
        assert refusal.rule == rule["text"]
        assert str(refusal)
        return
    assert rule["ref"] is not None, f"not refused: {found.echo}"
    for seed in (1, 2, 3):
        tables = tables_of(seed)
        assert flagged(found, tables, schema) == intended(rule["ref"], tables, rule["table"]), found.echo


def test_understood_traps_are_still_understood() -> None:
    schema = schema_of_all()
    plain = [rule for rule in FROZEN["rules"] if rule["ref"] is not None]
    understood = 0
    for rule in plain:
        try:
            compile_rule(rule["text"], schema, target=rule["table"])
        except RuleNotUnderstood:
            continue
        understood += 1
    assert understood >= 0.6 * len(plain)
