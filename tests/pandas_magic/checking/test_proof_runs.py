"""The compiler's own code is proved on all cases at once, in the kernel that it shares with other code of our own."""

from pathlib import Path

import pandas as pd
import pytest

from kernel_sandbox import Sandbox
from pandas_magic.catalog import Catalog
from pandas_magic.checking import compilation
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.compiler import compile_check
from pandas_magic.checking.runner import Runner
from pandas_magic.errors import NotProved
from pandas_magic.registry.check import Check
from pandas_magic.settings import Settings

ORDERS = pd.DataFrame({"order_id": [1, 2, 2], "amount": [9.5, 4.0, -1.0]})
CHECK = Check(id="CHK-001", rule="amount must be positive")


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done to the kernel, in order."""
    done: list[str] = []
    execute, renew = Sandbox.execute, Sandbox.renew
    monkeypatch.setattr(Sandbox, "execute", lambda *said, **more: done.append("execute") or execute(*said, **more))
    monkeypatch.setattr(Sandbox, "renew", lambda sandbox: done.append("renew") or renew(sandbox))
    return done


def runner(bench: Bench, orders: pd.DataFrame | Path = ORDERS) -> Runner:
    return Runner(Catalog(given={"orders": orders}), Settings(), bench)


def test_a_proof_of_our_own_code_is_one_execution_in_the_kernel_of_our_own_code(
    bench: Bench, executed: list[str]
) -> None:
    for rule, count in (("amount must be positive", 1), ("order_id must be unique", 2)):
        here = runner(bench)
        made = compile_check(Check(id="CHK-001", rule=rule), here.catalog.schemas(), here).compiled
        assert made.proof.holds and len(made.proof.cases) >= 7
        assert here.run(made).violation_count == count
    # The proof and the run of each, all in one process.
    assert executed[-4:] == ["execute"] * 4 and executed.count("renew") <= 1


def test_the_tables_of_a_proof_take_the_place_of_no_table_and_are_gone(bench: Bench) -> None:
    here = runner(bench)
    made = compile_check(CHECK, here.catalog.schemas(), here).compiled
    assert here.run(made).violation_count == 1
    compile_check(CHECK, here.catalog.schemas(), here)
    left = bench.sandbox().execute("print(len(orders), [name for name in globals() if name.startswith('_planted')])")
    assert left.stdout == "3 []\n"


def test_code_that_raises_in_a_case_is_told_by_that_case(
    bench: Bench, executed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "assert len(orders), 'no row'\nviolations = orders[orders['amount'] <= 0]"
    monkeypatch.setattr(compilation, "render_code", lambda *_: code)
    with pytest.raises(NotProved, match="an empty table: AssertionError in line 1: no row"):
        compile_check(CHECK, runner(bench).catalog.schemas(), runner(bench))
    assert executed.count("execute") > 7 and executed[:2] == ["execute", "renew"]


@pytest.mark.parametrize("index", ["['a'] * len(found)", "[True] * len(found)", "[1.0] * len(found)"])
def test_an_index_that_numbers_no_rows_is_no_proof(bench: Bench, monkeypatch: pytest.MonkeyPatch, index: str) -> None:
    code = f"found = orders[orders['amount'] <= 0]\nviolations = found.set_axis(pd.Index({index}))"
    monkeypatch.setattr(compilation, "render_code", lambda *_: code)
    with pytest.raises(NotProved, match="the index of violations is not that of the table"):
        compile_check(CHECK, runner(bench).catalog.schemas(), runner(bench))
