"""An executor that another package brings: a real one, installed as packages are, that confines nothing."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.card import card_of
from pandas_magic.workspace import Workspace

ORDERS = pd.DataFrame({"order_id": [1, 2, 3], "amount": [5.0, -1.0, 7.0]})
RULE = "amount must be at least 0"
MODULE = '''
from kernel_sandbox import Sandbox


class Loud(Sandbox):
    """Our own kernel, with a word to say of each code that it ran."""

    ran = []

    def execute(self, code, **options):
        Loud.ran.append(code)
        return super().execute(code, **options)


class Blind(Sandbox):
    """Finds nothing, whatever the code."""

    def execute(self, code, **options):
        return super().execute("violations = orders.head(0)" if "violations" in code else code, **options)
'''
ENTRIES = "[pandas_magic.executors]\nloud = loud_kernels:Loud\nblind = loud_kernels:Blind\nbroken = no_such_module:x\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with executors, as an installer leaves it."""
    site = tmp_path / "site"
    facts = site / "loud_kernels-1.0.dist-info"
    facts.mkdir(parents=True)
    (site / "loud_kernels.py").write_text(MODULE)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: loud-kernels\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(site))
    base = tmp_path / "work"
    base.mkdir()
    return base


def opened(base: Path, executor: str) -> Workspace:
    return Workspace.open(base, tables={"orders": ORDERS}, settings={"executor": executor})


def check(workspace: Workspace) -> Any:
    return workspace.check(CheckRequest(rule=RULE, tables=("orders",)))


@pytest.mark.feature("A26")
def test_a_package_may_bring_an_executor_and_every_run_names_it(installed: Path) -> None:
    workspace = opened(installed, "loud")
    result = check(workspace)
    import loud_kernels  # type: ignore[import-not-found] # written by this test

    assert any("violations" in code for code in loud_kernels.Loud.ran)
    assert (result.run.verdict, result.run.violation_count) == ("FAIL", 1)
    assert result.run.confined.executor == "loud"
    assert 'run by the executor "loud" of another package' in " ".join(result.run.notes)
    assert workspace.journal.last_runs()["CHK-001"].confined.executor == "loud"
    facts = dict(card_of(result).facts)
    assert facts["Confined by"].startswith('not our kernel: the executor "loud" claims ')
    workspace.close()


@pytest.mark.feature("A26")
def test_the_confined_kernel_is_the_default_and_goes_without_saying(installed: Path) -> None:
    workspace = Workspace.open(installed, tables={"orders": ORDERS})
    result = check(workspace)
    assert result.run.confined.executor == ""
    assert "executor" not in " ".join(result.run.notes)
    workspace.close()


@pytest.mark.feature("A26")
def test_a_proof_does_not_rest_on_another_packages_executor(installed: Path) -> None:
    workspace = opened(installed, "blind")
    result = check(workspace)
    # It is proved, in our kernel, and then given the word of an executor that finds nothing, which is said.
    assert result.compiled.proof.holds
    assert (result.run.verdict, result.run.confined.executor) == ("PASS", "blind")
    workspace.close()


@pytest.mark.feature("A26")
def test_executors_that_are_not_there_or_do_not_load_are_named(installed: Path) -> None:
    with pytest.raises(NoSuchName, match=r'no executor "lout".* Did you mean "loud"'):
        check(opened(installed, "lout"))
    with pytest.raises(UsageMistake, match=r'executor "broken" .no_such_module:x. does not load'):
        check(opened(installed, "broken"))
