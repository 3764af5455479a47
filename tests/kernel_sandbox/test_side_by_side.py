"""Honest cells come out of the confined kernel as out of a plain one, but for what the README lists."""

from pathlib import Path

import pytest

from tests.kernel_sandbox.side_by_side import Example, differences, examples, tasks

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ImportWarning", "ignore:.*TCP.*:UserWarning"
)

# Markdown is shown with its source, models of scikit-learn as text, a value that fails to be shown on standard error;
# pandas.HDFStore has lines that a plain kernel takes for its magic %store.
BY_DESIGN = {"markdown", "a model as HTML", "a pipeline as HTML", "an object that fails to be shown", "pandas.HDFStore"}


def different(found: list[Example], folder: Path) -> list[str]:
    return [
        f"{one.name}: {one.plain} | {one.confined}"
        for one in differences(found, folder)
        if one.name not in BY_DESIGN and not one.is_told
    ]


def test_some_tasks_and_examples_of_pandas_come_out_as_in_a_plain_kernel(short_folder: Path) -> None:
    found = [*list(tasks())[::12], *examples("pandas.core.reshape.merge")]

    assert len(found) > 15
    assert different(found, short_folder) == []


def test_a_difference_is_found_and_what_is_never_the_same_is_not(short_folder: Path) -> None:
    found = [Example("home", ("import os\nos.environ['HOME']",)), Example("clock", ("import time; time.time_ns()",))]

    assert [one.name for one in differences(found, short_folder)] == ["home"]


@pytest.mark.thorough
@pytest.mark.parametrize("cells", ["tasks", "pandas"])
def test_all_tasks_and_examples_of_pandas_come_out_as_in_a_plain_kernel(short_folder: Path, cells: str) -> None:
    found = list(tasks() if cells == "tasks" else examples("pandas"))

    assert different(found, short_folder) == []
