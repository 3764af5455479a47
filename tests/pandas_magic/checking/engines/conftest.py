"""Workspaces whose tables DuckDB reads in their files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.engines import in_files
from pandas_magic.workspace import Workspace


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table takes more than the kernel's memory has room for."""
    monkeypatch.setattr(in_files, "is_better_left_in_files", lambda *_, **__: True)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    made: list[Workspace] = []

    def open_workspace(engine: str, **settings: object) -> Workspace:
        made.append(Workspace.open(tmp_path, settings={"engine": engine, **settings}))
        return made[-1]

    yield open_workspace
    for each in made:
        each.close()
