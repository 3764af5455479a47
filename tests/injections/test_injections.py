"""Every attempt to steer the product by its data is stopped by the gate that it names, and succeeds without it.

Of attempts with the same gate, way and place the first is run by default: the others say the same in other words.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.planner.model import ladders
from pandas_magic.settings import Settings
from tests.injections.gates import CONFINEMENT, GATES
from tests.injections.model import ObeyingModel
from tests.injections.ways import BREAKING, WAYS, Scene, Seen, environment, unconfined
from tests.keepers import keepers, keepers_are_kept
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

__all__ = ["keepers", "keepers_are_kept"]

HERE = Path(__file__).parent
ATTEMPTS = [
    attempt
    for path in sorted(HERE.glob("*.toml"))
    for attempt in tomllib.loads(path.read_text(encoding="utf-8"))["attempt"]
]
NAMES = [attempt["name"] for attempt in ATTEMPTS]
KINDS = [(attempt["gate"], attempt["way"], attempt["place"]) for attempt in ATTEMPTS]
with_each_attempt = pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(attempt, id=attempt["name"], marks=pytest.mark.thorough if kind in KINDS[:number] else ())
        for number, (attempt, kind) in enumerate(zip(ATTEMPTS, KINDS, strict=True))
    ],
)
SECRET = "k3y-0f-th3-h0st"


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench(Settings())
    yield bench
    bench.close()


@pytest.fixture(scope="module")
def open_bench() -> Iterator[Bench]:
    bench = unconfined()
    yield bench
    bench.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "secret.txt").write_text(SECRET)
    ladders.forget()
    return tmp_path


def come_of(attempt: dict[str, Any], folder: Path, bench: Bench, patch: pytest.MonkeyPatch) -> Seen:
    def here(said: Any) -> Any:
        if isinstance(said, dict):
            return {name: here(value) for name, value in said.items()}
        if isinstance(said, list):
            return [here(value) for value in said]
        return said.replace("HOST", str(folder)) if isinstance(said, str) else said

    text = here(attempt["text"])
    answers = ObeyingModel(text, here(attempt.get("lies", {})), gullible=attempt["gate"] != "data block")
    answers.obeyed = attempt.get("from_the_start", False)
    with ScriptedEndpoint(always=answers) as endpoint:
        environment(patch, endpoint, attempt.get("disclosure", "schema"))
        for gate in [attempt["gate"], *attempt.get("also", [])] if attempt.get("off") else []:
            if gate != CONFINEMENT:
                GATES[gate](patch)
        seen = WAYS[attempt["way"]](Scene(text, attempt["place"], endpoint, folder, bench, attempt.get("settings", {})))
        return replace(seen, obeyed=answers.obeyed)


def harm(attempt: dict[str, Any], seen: Seen) -> str:
    """What the attempt wanted and got; "" when it got nothing."""
    if attempt["gate"] == "data block":
        return "it is obeyed" if seen.obeyed else ""
    if "shows" in attempt:
        looked_at = [attempt["form"]] if "form" in attempt else [form for form in seen.outputs if form != "sent"]
        found = [re.search(attempt["shows"], seen.outputs.get(form, ""), re.MULTILINE) for form in looked_at]
        return f"it is shown: {[match[0] for match in found if match]}" if any(found) else ""
    if attempt.get("tolerated"):
        return "rows may break it" if "may break this" in seen.outputs.get("plain", "") else ""
    if seen.rows is not None and (attempt.get("any_run") or seen.rows != BREAKING):
        return f"rows {seen.rows}"
    return ""


@pytest.mark.feature("17")  # of what no peer has: a corpus of injections that ships and runs
@with_each_attempt
def test_an_attempt_is_stopped_by_its_gate(
    attempt: dict[str, Any], folder: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = come_of(attempt, folder, bench, monkeypatch)
    assert harm(attempt, seen) == ""
    assert attempt.get("says", "") in "\n".join([seen.refusal, *seen.outputs.values()])


@with_each_attempt
def test_without_its_gate_an_attempt_succeeds(
    attempt: dict[str, Any], folder: Path, bench: Bench, open_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = open_bench if CONFINEMENT in (attempt["gate"], *attempt.get("also", [])) else bench
    seen = come_of({**attempt, "off": True}, folder, there, monkeypatch)
    assert harm(attempt, seen), seen


def test_there_are_as_many_attempts_as_is_said() -> None:
    assert len(set(NAMES)) == len(NAMES)
    security = (HERE.parent.parent / "SECURITY.md").read_text(encoding="utf-8")
    counted = Counter(attempt["gate"] for attempt in ATTEMPTS)
    assert f"{len(ATTEMPTS)} attempts" in security
    assert {*counted} <= {*GATES, CONFINEMENT}
    for gate, attempts in counted.items():
        assert re.search(rf"^\| {gate} \| {attempts} \|", security, re.MULTILINE), (gate, attempts)
