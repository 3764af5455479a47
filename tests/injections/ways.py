"""The ways by which a hostile text comes into the product, each driven as a person would; what came of it."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.summaries import summarize
from pandas_magic.checking.bench import Bench
from pandas_magic.errors import PandasMagicError
from pandas_magic.history.run import Verdict
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.planner.model.table_summaries import telling_of
from pandas_magic.plans.answer_output import answer_bundle, picture_bundles
from pandas_magic.plans.plan_records import PlanRequest
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.bundle import bundle
from pandas_magic.reporters.github import annotations
from pandas_magic.reporters.junit import junit
from pandas_magic.settings import Settings
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.parts import FREIGHT_RULE
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 4, 5, 6],
        "amount": [10.0, -2.0, 7.5, None, 3.0, -0.5],
        "weight": [4.0, 1.5, 2.0, 3.0, 2.5, 6.0],  # what one could mistake for charges, unlike a key
        "note": ["gift", "gift", "rush", "rush", "gift", "rush"],
    }
)
BREAKING = [1, 5]  # of FREIGHT_RULE, counted by hand
PLAIN_RULE = "orders: amount must be at least 0"


@dataclass(frozen=True)
class Scene:
    """One attempt's stage: where the text stands, the server that answers, and where files may be put."""

    text: str
    place: str
    endpoint: ScriptedEndpoint
    folder: Path
    bench: Bench
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the workspace


@dataclass(frozen=True)
class Seen:
    """What a person would see, every form of it; the rows that a saved check finds, None: nothing was saved."""

    outputs: Mapping[str, str] = field(default_factory=dict)  # the form -> what it shows
    rows: list[int] | None = None
    refusal: str = ""
    obeyed: bool = False  # whether the model took the text for words of ours


def planted(scene: Scene) -> dict[str, pd.DataFrame]:
    """The orders, with the text where the scene has it."""
    text = scene.text
    match scene.place:
        case "column name":
            return {"orders": ORDERS.assign(**{text: 1})}
        case "cell value" | "category":
            return {"orders": ORDERS.assign(note=[text, text, *ORDERS["note"][2:]])}
        case "table name":
            return {"orders": ORDERS, text: pd.DataFrame({"a": [1]})}
    others = (
        {"others": ORDERS[["order_id", "amount"]].assign(amount=[-1.0, 1, 2, 3, 4, 5])}
        if scene.place == "named table"
        else {}
    )
    return {"orders": ORDERS, **others}


def _workspace(scene: Scene) -> Workspace:
    (scene.folder / "data").mkdir(exist_ok=True)
    if scene.place in ("file name", "folder name"):
        _write_files(scene)
        workspace = Workspace.open(scene.folder, settings=dict(scene.settings))
    else:
        workspace = Workspace.open(scene.folder, tables=planted(scene), settings=dict(scene.settings))
    workspace.runner.bench = scene.bench
    return workspace


def _write_files(scene: Scene) -> None:
    data = scene.folder / "data"
    ORDERS.to_csv(data / "orders.csv", index=False)
    other = pd.DataFrame({"a": [1]})
    if scene.place == "file name":
        other.to_csv(data / f"{scene.text}.csv", index=False)
    else:
        (data / scene.text).mkdir()
        other.to_csv(data / scene.text / "more.csv", index=False)


def check(scene: Scene) -> Seen:
    """A rule in words, which a model has to help with."""
    rule = f"{FREIGHT_RULE} {scene.text}" if scene.place == "rule" else FREIGHT_RULE
    target = "orders" if scene.place in ("table name", "named table") else None
    with closing(_workspace(scene)) as workspace:
        try:
            found = workspace.check(CheckRequest(rule, target=target))
        except PandasMagicError as refusal:
            assert workspace.check_ids() == []
            return Seen(refusal=str(refusal))
        rows = [] if found.violations is None else sorted(map(int, found.violations.index))
        return Seen(_told(found), rows)


def scheduled(scene: Scene) -> Seen:
    """The same, and then a run without a person."""
    with closing(_workspace(scene)) as workspace:
        made = workspace.check(CheckRequest(FREIGHT_RULE))
        run = workspace.run_saved(made.compiled.id, approved_only=True)
        judged = run.run.verdict in (Verdict.PASS, Verdict.FAIL)
        return Seen(_told(run), BREAKING if judged else None, run.run.error)


def shown(scene: Scene) -> Seen:
    """A rule that needs no model, on tables that hold the text."""
    with closing(_workspace(scene)) as workspace:
        found = workspace.check(CheckRequest(PLAIN_RULE, name=scene.text if scene.place == "check name" else None))
        return Seen(_told(found), sorted(map(int, found.violations.index)))


def plan(scene: Scene) -> Seen:
    """A request in words."""
    request = f"The largest amount. {scene.text}" if scene.place == "request" else "The largest amount"
    with closing(_workspace(scene)) as workspace, closing(sessions_of(workspace)) as sessions:
        try:
            result = work_out(workspace, sessions, PlanRequest(request))
        except PandasMagicError as refusal:
            return Seen(refusal=str(refusal))
        data, _ = answer_bundle(result)
        forms = {kind.removeprefix("text/"): data[kind] for kind in ("text/html", "text/markdown", "text/plain")}
        forms["pictures"] = "\n".join(map(str, picture_bundles(result)))
        forms["cells"] = "\n".join(result.cells)
        forms["sent"] = "\n".join(request.text for request in scene.endpoint.requests)
        return Seen(forms, refusal=result.error)


def summary(scene: Scene) -> Seen:
    """What tables hold, told in a paragraph."""
    configuration = ModelConfiguration(model="scripted", base_url=scene.endpoint.url, disclosure="stats")
    schemas = Catalog(given=planted(scene)).schemas()
    with telling_of(schemas, Model(configuration, None), lambda _: None) as tell:
        return Seen({"plain": "\n".join(summarize(scene.folder, schemas, tell=tell).values())})


def _told(found: Any) -> dict[str, str]:
    data, _ = bundle([found])
    forms = {kind.removeprefix("text/"): data[kind] for kind in ("text/html", "text/markdown", "text/plain")}
    return {**forms, "junit": junit([found]), "github": annotations([found])}


WAYS: dict[str, Callable[[Scene], Seen]] = {way.__name__: way for way in (check, scheduled, shown, plan, summary)}


def unconfined() -> Bench:
    """A kernel without its locks, to see what they stop."""
    return Bench(Settings(isolation="none"))


def environment(patch: pytest.MonkeyPatch, endpoint: ScriptedEndpoint, disclosure: str) -> None:
    """The settings by which a person lets a model help."""
    patch.setenv("OPENAI_BASE_URL", endpoint.url)
    patch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    patch.setenv("PANDAS_MAGIC_MODEL", "scripted")
    patch.setenv("PANDAS_MAGIC_DISCLOSURE", disclosure)
