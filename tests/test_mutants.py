"""Every row of the feature inventory has a fault that can be planted; `python tests/mutants/plant.py` plants them."""

import pytest

from tests.mutants.plant import ROOT, Copy, Mutant, inventory, marked_tests, outcome_of, read_rows

ROWS = read_rows()
MARKED = marked_tests()


def test_every_row_of_the_inventory_is_there_once() -> None:
    assert list(ROWS) == inventory()


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_a_fault_that_can_be_planted_or_says_why_none(row: str) -> None:
    said = ROWS[row]
    assert said.text and bool(said.mutants) != bool(said.none)
    assert [problem for mutant in said.mutants if (problem := mutant.problem())] == []


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_marked_tests_among_them_those_that_its_faults_name(row: str) -> None:
    marked = {test.rpartition("::")[2] for test in MARKED[row]}
    named = {test.partition("[")[0] for mutant in ROWS[row].mutants for test in mutant.tests}
    assert marked and named <= marked


def test_a_text_that_is_not_there_once_and_one_that_is_no_python_are_said() -> None:
    assert "stands 0 times" in Mutant("A01", "tests/mutants/plant.py", "no such text", "").problem()
    assert "is no Python" in Mutant("A01", "tests/mutants/plant.py", "import argparse", "import").problem()


def test_a_fault_that_cannot_be_planted_is_no_killed_one() -> None:
    gone, copy = Mutant("A01", "tests/mutants/plant.py", "no such text", ""), Copy.__new__(Copy)
    copy.root = ROOT
    assert outcome_of(gone, copy, MARKED["A01"])[0] == "not planted"
