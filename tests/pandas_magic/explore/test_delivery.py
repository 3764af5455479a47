"""The explorer in its confined process: what it answers, and the limits that hold it."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

from pandas_magic.explore.delivery import ConfinedExplorer
from pandas_magic.explore.exploration_request import Constraints
from pandas_magic.explore.explorer_answer import ExplorerAnswer
from tests.grids import also_thorough
from tests.pandas_magic.explore.conftest import PLANTED, sources_with

ASKED = {"name": "t", "data_path": "t", "max_columns_to_explore": 5, "missing_threshold_pct": 30}


@pytest.fixture
def ask() -> Iterator[Callable[..., ExplorerAnswer]]:
    made: list[ConfinedExplorer] = []

    def exploring(planted: str, *, heard: list[str] | None = None, **limits: Any) -> ExplorerAnswer:
        frame = pd.DataFrame({"a": [1, 2]})
        made.append(ConfinedExplorer(Constraints(**limits), frame=frame, sources=sources_with(planted)))
        return made[-1].explore(ASKED, on_progress=(heard if heard is not None else []).append, wall_seconds=60)

    yield exploring
    for explorer in made:
        explorer.close()


@pytest.mark.feature("C28", "C29")
def test_the_confined_process_answers_with_one_json_document_also_when_it_fails(
    ask: Callable[..., ExplorerAnswer],
) -> None:
    answer = ask(PLANTED)
    assert answer.problem is not None and answer.problem.kind == "error"
    assert "RuntimeError: planted" in answer.document["meta"]["error"]


@pytest.mark.feature("C03", "C33")
@pytest.mark.parametrize("cpu", [1, 3])
def test_libraries_compute_in_as_many_threads_as_there_are_processors_allowed(
    ask: Callable[..., ExplorerAnswer], cpu: int
) -> None:
    heard: list[str] = []
    answer = ask("import pyarrow; _say(f'threads {pyarrow.cpu_count()}')", heard=heard, cpu=cpu)
    assert answer.problem is None and f"threads {cpu}" in heard


@pytest.mark.feature("C03", "C33")
@pytest.mark.parametrize("cpu", [*also_thorough(1), 2])
def test_processor_time_is_that_of_so_many_processors_for_so_many_seconds(
    ask: Callable[..., ExplorerAnswer], cpu: int
) -> None:
    answer = ask("while True: pass", cpu=cpu, timeout_seconds=1)
    assert answer.problem is not None and answer.problem.kind == "cpu"
    assert f"over the limit of {cpu};" in answer.problem.text


@pytest.mark.feature("C33")
def test_memory_is_that_of_the_request(ask: Callable[..., ExplorerAnswer]) -> None:
    taking = "kept = bytearray(400 * 2**20); kept[:] = b'x' * len(kept)"
    refused, allowed = ask(taking, memory_mb=512), ask(taking, memory_mb=2048)
    assert refused.problem is not None and refused.problem.kind in ("memory", "error")
    assert allowed.problem is None
