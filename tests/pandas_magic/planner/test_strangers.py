"""The frozen sentences of strangers: most are understood, and none is misread."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.tables import Table
from pandas_magic.constraints import render_code
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.rules import Understood, compile_rule
from tests.pandas_magic.planner.strangers import HERE, NOW, described, domains, frames, intended

DOMAINS = domains()
# The share of each set's sentences; a set may only ever be understood better.
LEAST_UNDERSTOOD = {"1": 0.9, "2": 0.9, "3": 0.85, "4": 0.77, "5": 0.78, "6": 0.78, "7": 0.85}
SEEDS = (1, 2)


@cache
def schema_of(domain: str) -> dict[str, Table]:
    specs = DOMAINS[domain]["tables"]
    return described(frames(specs, 1), specs)


@cache
def compiled(domain: str, with_target: bool = True) -> dict[str, Understood]:
    """What is understood, by the sentence."""
    found = {}
    for rule in DOMAINS[domain]["rules"]:
        try:
            target = rule["table"] if with_target else None
            found[rule["text"]] = compile_rule(rule["text"], schema_of(domain), target=target)
        except RuleNotUnderstood:
            continue
    return found


def flagged(understood: Understood, tables: dict[str, pd.DataFrame], schema: dict) -> list[int]:
    """The positions of the rows that the rule's code finds; [0] for a broken rule about a whole table."""
    names = {**tables, "pd": pd, "np": np, "now": NOW, "utc_now": NOW.tz_localize("UTC")}
    exec(render_code(understood.constraint, schema), names)
    found = names["violations"]
    return list(found.index) if understood.constraint.shape == "rows" else [0] * bool(len(found))


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_sentence_of_a_stranger_is_misread(domain: str) -> None:
    specs = DOMAINS[domain]["tables"]
    for seed in SEEDS:
        tables = frames(specs, seed)
        for rule in DOMAINS[domain]["rules"]:
            found = compiled(domain).get(rule["text"])
            if found is None:
                continue
            assert found.constraint.table == rule["table"], (rule["text"], found.echo)
            rows = flagged(found, tables, schema_of(domain))
            assert rows == intended(rule["ref"], tables, rule["table"]), (rule["text"], found.echo)


@pytest.mark.parametrize("number", LEAST_UNDERSTOOD)
def test_most_sentences_of_each_set_are_understood(number: str) -> None:
    own = json.loads((HERE / f"strangers_{number}.json").read_text(encoding="utf-8"))
    understood = sum(len(compiled(domain)) for domain in own)
    assert understood >= LEAST_UNDERSTOOD[number] * sum(len(domain["rules"]) for domain in own.values())


@pytest.mark.parametrize("domain", DOMAINS)
def test_without_a_target_a_sentence_means_the_same_or_has_the_same_verdict(domain: str) -> None:
    aimed, specs = compiled(domain), DOMAINS[domain]["tables"]
    for text, alone in compiled(domain, False).items():
        if alone.constraint == aimed[text].constraint:
            continue
        # "No user may have more than 3 orders" is about users, or about their orders: it fails for the same users.
        assert alone.constraint.table != aimed[text].constraint.table, text
        for seed in SEEDS:
            tables = frames(specs, seed)
            one, other = (flagged(found, tables, schema_of(domain)) for found in (alone, aimed[text]))
            assert bool(one) == bool(other), text


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_echo_of_a_sentence_is_read_as_the_same_constraint(domain: str) -> None:
    for text, found in compiled(domain).items():
        again = compile_rule(found.echo, schema_of(domain))
        assert (again.constraint, again.echo) == (found.constraint, found.echo), text


def test_nearly_all_intended_meanings_flag_some_rows() -> None:
    flagging, number_of = 0, 0
    for domain in DOMAINS.values():
        several = [frames(domain["tables"], seed) for seed in SEEDS]
        for rule in domain["rules"]:
            number_of += 1
            flagging += any(intended(rule["ref"], tables, rule["table"]) for tables in several)
    assert flagging >= 0.9 * number_of
