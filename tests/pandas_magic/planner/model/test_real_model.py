"""Rules of a dozen kinds through a real model alone, as an opt-in.

PANDAS_MAGIC_REAL_MODEL_URL=http://127.0.0.1:8080/v1 .venv/bin/pytest -m real_model tests/pandas_magic/planner/model
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.by_model import compile_with_model
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import PandasMagicError
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits
from pandas_magic.registry.check import Check
from pandas_magic.settings import Settings

URL = os.environ.get("PANDAS_MAGIC_REAL_MODEL_URL", "")
pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(not URL, reason="opt-in: PANDAS_MAGIC_REAL_MODEL_URL=http://… pytest -m real_model"),
]

ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 4, 4, 6],
        "user_id": [1, 2, 9, 1, 2, None],
        "status": ["paid", "shipped", "lost", "paid", None, "shipped"],
        "amount": [10.0, -2.0, 7.5, None, 3.0, 250.0],
        "discount": [1.0, 0.0, 9.0, 1.0, None, 0.0],
    }
)
USERS = pd.DataFrame({"user_id": [1, 2, 3], "email": ["a@x.org", None, "no address"]})

# A rule, and the positions of the rows that break it, counted by hand.
RULES = {
    "The amount of an order must not be negative.": {1},
    "Each order id may appear once only.": {3, 4},
    "Orders are either paid or shipped.": {2},
    "No order without a status.": {4},
    "The discount never exceeds the amount.": {1, 2},
    "Amounts above 200 are not accepted.": {5},
    "Every order needs a user, and one that the users table has.": {2, 5},
    "Every user needs an email.": {1},
}


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    settings = Settings()
    bench = Bench(settings)
    yield Runner(Catalog(given={"orders": ORDERS, "users": USERS}), settings, bench)
    bench.close()


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_ends_right_or_refused_but_never_wrong(rule: str, runner: Runner, tmp_path: Path) -> None:
    unlimited = ModelLimits(None, None, None, None, None, None)
    configuration = ModelConfiguration(model="real", base_url=URL, answer_seconds=900, limits=unlimited)
    tables = runner.catalog.schemas(["orders", "users"])
    try:
        made = compile_with_model(Check(id="R", rule=rule), tables, runner, Model(configuration, tmp_path))
    except PandasMagicError as refusal:
        print(f"refused: {refusal}")
        return
    print(f"understood: {made.echo}")
    run = runner.run(made.compiled)
    assert run.violations is not None
    assert set(run.violations.index) == RULES[rule]
