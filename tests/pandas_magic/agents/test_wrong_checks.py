"""Wrong checks that an agent writes: what stops each, as the file beside this one says; a page explains what passes."""

import re
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.errors import CodeRefused, NotProved, PandasMagicError, RuleNotUnderstood
from pandas_magic.history.run import Verdict
from pandas_magic.registry.check import Check
from pandas_magic.workspace import Workspace
from pandas_magic.workspace.compiling import compiled_check, with_code

WRONG = tomllib.loads((Path(__file__).parent / "wrong_checks.toml").read_text(encoding="utf-8"))
WAYS = ("question", "refusal", "proof", "second author", "nothing")
MANY, FEW = 1300, 2  # rows; wrong codes of a rule and a way that are tried by default: the others take as long each


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, bench: Bench) -> Workspace:
    """Orders and users; among the orders one that is not positive, in the last row."""
    numbers = pd.RangeIndex(1, MANY + 1)
    orders = pd.DataFrame({"order_id": numbers, "user_id": numbers % 7 + 1, "amount": 20.0, "discount": 0.5})
    orders["status"] = ["open", "open", "paid", "open"] * (MANY // 4)
    orders.loc[MANY - 1, ["amount", "discount"]] = [-4.0, None]
    users = pd.DataFrame({"user_id": range(1, 9), "country": "de"})
    return Workspace.open(tmp_path_factory.mktemp("shop"), tables={"orders": orders, "users": users}, bench=bench)


def what_stops(workspace: Workspace, sentence: str, codes: tuple[str, ...]) -> list[str]:
    """What stops each code that is said to find what breaks the sentence; without any, what stops the sentence."""
    check = Check(id="CHK-001", rule=sentence)
    try:
        made = compiled_check(workspace, check, workspace.catalog.schemas(), on_progress=lambda _: None).compiled
    except PandasMagicError as error:
        return ["question" if isinstance(error, RuleNotUnderstood) else type(error).__name__]
    stopped = []
    for code in codes:
        try:
            run = workspace.runner.run(with_code(workspace, made, code))
            stopped.append("second author" if run.verdict == Verdict.ERROR else "nothing")
        except PandasMagicError as error:
            stopped.append({CodeRefused: "refusal", NotProved: "proof"}.get(type(error), type(error).__name__))
    return stopped if codes else ["nothing"]


@pytest.mark.parametrize("at_most", [FEW, pytest.param(MANY, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("rule", WRONG["rule"], ids=[rule["sentence"] for rule in WRONG["rule"]])
def test_wrong_code_is_stopped_as_is_said(workspace: Workspace, rule: dict[str, dict[str, str]], at_most: int) -> None:
    said = [(name, way, code) for way in WAYS for name, code in list(rule.get(way, {}).items())[:at_most]]
    found = what_stops(workspace, str(rule["sentence"]), tuple(code for _, _, code in said))
    stopped = {name: way for (name, _, _), way in zip(said, found, strict=True)}
    assert stopped == {name: way for name, way, _ in said}


@pytest.mark.parametrize(
    ("way", "sentence"), [(way, one) for way, of in WRONG["sentences"].items() for one in of.values()]
)
def test_a_wrong_sentence_is_asked_about_or_shown_as_it_is(workspace: Workspace, way: str, sentence: str) -> None:
    assert what_stops(workspace, sentence, ()) == [way]


def test_nine_of_ten_are_stopped_and_a_page_explains_the_others() -> None:
    groups = [*WRONG["rule"], WRONG["sentences"]]
    counted = {way: sum(len(group.get(way, {})) for group in groups) for way in WAYS}
    passed = [name for group in groups for name in group.get("nothing", {})]
    whole = sum(counted.values())
    assert whole >= 40
    assert len(passed) <= whole / 10
    page = (Path(__file__).parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")
    assert re.search(rf"Of {whole} wrong checks .*? {whole - len(passed)} are stopped", " ".join(page.split()))
    for way in WAYS:
        assert re.search(rf"^\| {way} \| {counted[way]} \|", page, re.MULTILINE), (way, counted[way])
    assert [name for name in passed if f"*{name}*" not in page] == []
