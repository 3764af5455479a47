"""The Python interface: one function."""

import atexit
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.given import named_tables, refuse_other_type
from pandas_magic.catalog.sources.memory import describing_once
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.compiler import compile_check
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import UsageMistake
from pandas_magic.history.run import Run
from pandas_magic.planner import AUTO, RULES, first_planner, planner_for
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.settings import Settings
from pandas_magic.workspace import Workspace

_UNSAVED = "rule"  # the id of a check that is kept nowhere


def check(
    rule: str,
    *,
    tables: Mapping[str, pd.DataFrame | str | Path] | None = None,
    target: str | None = None,
    planner: str = RULES,
    workspace: Workspace | Path | str | None = None,
) -> Run:
    """Compile a rule, prove it, run it in the confined kernel, and give the run.

    `tables` maps names to DataFrames or to paths of files; `target` names the table whose rows are checked where the
    rule does not say. Without a `workspace` no file is written; with one (a folder, or an open `Workspace`) its tables
    can be named too, and the check and its run are kept there. `Run.violations` holds every failing row with the index
    of the table. With the planner "auto" the model that `PANDAS_MAGIC_MODEL` names is asked about a rule that the rule
    compiler refuses; other names are those of planners that packages bring.

    >>> orders = pd.DataFrame({"order_id": [1, 2, 2], "amount": [9.5, 4.0, -1.0]})
    >>> run = check("amount must be positive", tables={"orders": orders})
    >>> run.summary
    'FAIL: 1 of 3 rows of orders breaks the rule'
    >>> run.violations
       order_id  amount
    2         2    -1.0
    >>> print(run.code)
    violations = orders[orders["amount"] <= 0]

    Raises: RuleNotUnderstood (with `.unknown` and `.suggestions`), NotProved, NoSuchName, TableUnreadable,
    UsageMistake, kernel_sandbox.SandboxUnavailable.
    """
    for what, value in (("the rule", rule), ("target", "" if target is None else target), ("planner", planner)):
        refuse_other_type(what, value, str)
    first = first_planner(planner)
    planner_for(first)
    given = named_tables(tables)
    if workspace is not None:
        request = CheckRequest(rule=rule, tables=tuple(given), target=target)
        return _check_in(workspace, request, tables, planner)
    if not given:
        raise UsageMistake("no table to check; give tables={'orders': frame} or a workspace")
    if not rule.strip():
        raise UsageMistake("the rule is empty; write it as a sentence")
    catalog = Catalog(given=tables)
    runner = Runner(catalog, _settings(), _bench())
    asked = Check(id=_UNSAVED, rule=rule.strip(), target=target or "")
    model = _model if planner == AUTO else lambda: None
    with describing_once():
        schemas = catalog.schemas(catalog.names())
        return runner.run(compile_check(asked, schemas, runner, planner=first, model=model).compiled)


def _model() -> Model | None:
    configuration = ModelConfiguration.load(Path.cwd())
    return None if configuration is None else Model(configuration, None)


def _check_in(
    workspace: Workspace | Path | str,
    asked: CheckRequest,
    tables: Mapping[str, pd.DataFrame | str | Path] | None,
    planner: str,
) -> Run:
    if isinstance(workspace, Workspace):
        if tables:
            raise UsageMistake("an open workspace has its tables already; give them to Workspace.open(tables=…)")
        return workspace.check(asked).run
    opened = Workspace.open(workspace, tables=tables, settings={"planner": planner})
    try:
        return opened.check(asked).run
    finally:
        opened.close()


def _settings() -> Settings:
    return Settings.load(Path.cwd())


@cache
def _bench() -> Bench:
    # Starting a kernel costs more than most checks: all calls of a process share one, each in a fresh kernel of it.
    bench = Bench(_settings())
    atexit.register(bench.close)
    return bench
