"""Planners: ours by default, others by entry point; whatever one says is proved all the same."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, EntryPoints

import pandas as pd
import pytest

import pandas_magic
from pandas_magic import NotProved, plug_ins
from pandas_magic.catalog import Table
from pandas_magic.constraints import Column, Compare, Present, RowRule, Value
from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.planner import first_planner, planner_for
from pandas_magic.planner.language import Understood, compile_rule

ORDERS = pd.DataFrame({"amount": [1.0, None, -2.0]})


def oracle(rule: str, tables: Mapping[str, Table], *, target: str | None = None) -> Understood:
    return Understood(RowRule(table="orders", must=Present(of=Column(name="amount"))), "present", ())


def fool(rule: str, tables: Mapping[str, Table], *, target: str | None = None) -> Understood:
    always = Compare(relation=">=", left=Value(value=1), right=Value(value=0))
    return Understood(RowRule(table="orders", must=always), "always", ())


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints(
        [
            EntryPoint("oracle", f"{__name__}:oracle", "pandas_magic.planners"),
            EntryPoint("broken", "no_such_module:plan", "pandas_magic.planners"),
        ]
    )
    monkeypatch.setattr(plug_ins, "entry_points", lambda group: points.select(group=group))
    monkeypatch.setattr(EntryPoint, "load", lambda self: {"oracle": oracle, "fool": fool}[self.name])


@pytest.mark.feature("A26")
def test_the_rule_compiler_is_the_default() -> None:
    assert planner_for("rules") is compile_rule
    assert first_planner("auto") == "rules"


@pytest.mark.feature("A26")
def test_a_package_may_bring_a_planner() -> None:
    run = pandas_magic.check("whatever the oracle says", tables={"orders": ORDERS}, planner="oracle")
    assert (run.verdict, run.violation_count) == ("FAIL", 1)


def test_an_unknown_planner_is_named_with_those_there_are() -> None:
    with pytest.raises(NoSuchName, match=r'no planner "orakle"; .* Did you mean "oracle"'):
        pandas_magic.check("x", tables={"orders": ORDERS}, planner="orakle")


def test_a_planner_that_does_not_load_is_named() -> None:
    with pytest.raises(UsageMistake, match=r'planner "broken" .no_such_module:plan. does not load'):
        planner_for("broken")


def test_a_planner_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_magic.checking.compiler.planner_for", lambda name: fool)
    with pytest.raises((NotProved, pandas_magic.RuleNotUnderstood)):
        pandas_magic.check("amount must be present", tables={"orders": ORDERS})
