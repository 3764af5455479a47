"""A scripted endpoint for each test, and ladders that begin at their top."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.planner.model import endpoint as wire
from pandas_magic.planner.model import ladders
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.scripted import Script, ScriptedEndpoint

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def _no_settings_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "PANDAS_MAGIC_MODEL", "CODE_EXEC_MODEL_NAME", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(wire, "_FIRST_WAIT_SECONDS", 0.01)
    ladders.forget()


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedEndpoint]]:
    with ExitStack() as stack:

        def start(*steps: Script, always: Script | None = None) -> ScriptedEndpoint:
            return stack.enter_context(ScriptedEndpoint(steps, always=always))

        yield start


@pytest.fixture
def configured() -> Callable[..., ModelConfiguration]:
    def configure(endpoint: ScriptedEndpoint, **said: Any) -> ModelConfiguration:
        fields = {"model": "scripted", "base_url": endpoint.url, "key": KEY, "answer_seconds": 20.0, **said}
        return ModelConfiguration(**fields)

    return configure


@pytest.fixture
def model_of(tmp_path: Path, configured: Callable[..., ModelConfiguration]) -> Callable[..., Model]:
    def make(endpoint: ScriptedEndpoint, **said: Any) -> Model:
        return Model(configured(endpoint, **said), tmp_path / ".pandas_magic")

    return make


@pytest.fixture
def workspace_with(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[ScriptedEndpoint, dict[str, pd.DataFrame]], Workspace]:
    """A workspace over these tables that asks this endpoint."""

    def open_with(endpoint: ScriptedEndpoint, tables: dict[str, pd.DataFrame]) -> Workspace:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("PANDAS_MAGIC_MODEL", "scripted")
        workspace = Workspace.open(tmp_path, tables=tables)
        workspace.runner.bench = bench
        return workspace

    return open_with
