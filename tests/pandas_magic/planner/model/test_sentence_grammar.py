"""What the grammar lets a model write is in the rule language and fits the tables; what is shown to models is in it."""

import json
import random
import re
from functools import cache
from typing import Any

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.rule_prompts import FORMS, RestatedRule
from pandas_magic.planner.model.sentence_grammar import Alternatives, sentence_grammar, sentence_parts
from tests.pandas_magic.constraints.gallery import SHOP
from tests.pandas_magic.planner.model.parts import FREIGHT, parts, restated
from tests.pandas_magic.planner.model.scripted import Step

TERMINALS = {
    "number": ("3", "-0.25", "1000"),
    "count": ("2", "12"),
    "share": ("1", "0.5"),
    "day": ("2024-02-29",),
    "quoted": ("'paid'", "'<b>'"),
    "pattern": ("[A-Z]{3}-\\d{4}", "a.c"),
}
# Regular expressions of the same terminals, to find out whether a sentence is in the language.
WRITTEN = {
    "number": r"-?\d{1,9}(?:\.\d{1,4})?",
    "count": r"\d{1,4}",
    "share": r"\d{1,2}(?:\.\d{1,2})?",
    "day": r"\d{4}-\d{2}-\d{2}",
    "quoted": r"'[^'\"\\]{1,40}'",
    "pattern": r"(?:[A-Za-z0-9\[\]{}()^$+*?.,_@-]|\\[dws.]){1,40}",
}
TABLES = {"users": SHOP["users"], "orders": SHOP["orders"]}


def one_of(found: Alternatives, name: str, chance: random.Random) -> str:
    """A sentence that the grammar lets through."""
    if name in TERMINALS:
        return chance.choice(TERMINALS[name])
    way = chance.choice(found[name])
    return "".join(one_of(found, part[1:-1], chance) if part[1:-1] in {*found, *TERMINALS} else part for part in way)


def lets_through(found: Alternatives, sentence: str) -> bool:
    """Whether the sentence is one that the grammar can make."""
    known: dict[tuple[str, int], frozenset[int]] = {}

    def ends(name: str, at: int) -> frozenset[int]:
        if name in WRITTEN:
            longest = re.compile(WRITTEN[name]).match(sentence, at)
            return frozenset(range(at + 1, longest.end() + 1)) if longest else frozenset()
        if (name, at) not in known:
            known[name, at] = frozenset()
            known[name, at] = frozenset(end for way in found[name] for end in through(way, at))
        return known[name, at]

    def through(way: list[str], at: int) -> set[int]:
        places = {at}
        for part in way:
            inner = part[1:-1] in found or part[1:-1] in WRITTEN
            places = {
                end
                for place in places
                for end in (ends(part[1:-1], place) if inner else [place + len(part)])
                if inner or sentence.startswith(part, place)
            }
        return places

    return len(sentence) in ends("rule", 0)


@cache
def parts_of_the_tables() -> Alternatives:
    return sentence_parts(TABLES)


@pytest.mark.parametrize("seed", range(300))
def test_every_sentence_of_the_grammar_is_read_and_fits_the_tables(seed: int) -> None:
    sentence = one_of(parts_of_the_tables(), "rule", random.Random(seed))
    constraint = read_canonical(sentence)
    assert constraint is not None, sentence
    about = [problem for problem in check_types(constraint, TABLES) if "no column" in problem or "no table" in problem]
    assert about == [], sentence


# What only larger models are asked for: the grammar is kept small.
LEFT_OUT = ("the number of rows per (", "the previous order_date", "orders as a whole")


@pytest.mark.parametrize("form", [form for form in FORMS if not any(said in form for said in LEFT_OUT)])
def test_what_is_shown_to_models_can_be_said_by_the_grammar(form: str) -> None:
    users = SHOP["users"].model_copy(update={"columns": {**SHOP["users"].columns, "phone": "str"}})
    assert lets_through(sentence_parts({**SHOP, "users": users}), form)


def test_a_sentence_of_other_names_is_kept_out() -> None:
    found = sentence_parts(TABLES)
    assert lets_through(found, "orders: amount must be at least 0")
    for other in ("orders: amonut must be at least 0", "payments: amount must be at least 0", "orders: amount >= 0"):
        assert not lets_through(found, other)


def test_only_the_target_can_be_spoken_of() -> None:
    found = sentence_parts(TABLES, target="orders")
    assert lets_through(found, "orders: amount must be at least 0")
    assert not lets_through(found, "users: email must be present")
    assert lets_through(found, "orders: user_id must be among users.user_id")


def test_no_name_can_end_a_text_of_the_grammar() -> None:
    name = 'a" | root ::= "x\\\n`<b>'
    grammar = sentence_grammar({name: Table(name=name, columns={name: "int64"}, values={name: ("secret",)})})
    assert len(re.findall(r"^root ::=", grammar, re.MULTILINE)) == 1
    # A text is all that stands between two quotes that no backslash precedes.
    for line in grammar.splitlines():
        rest = re.sub(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]', "", line)
        assert '"' not in rest
        assert "root ::=" not in rest.removeprefix("root ::=")
    assert "secret" not in grammar
    assert "<b>" in grammar


@pytest.mark.parametrize(
    ("kind", "field"),
    [("llama.cpp", lambda body: body["grammar"]), ("vllm", lambda body: body["structured_outputs"]["grammar"])],
)
def test_a_grammar_is_handed_over_as_the_server_takes_it(
    serve: Any, workspace_with: Any, monkeypatch: pytest.MonkeyPatch, kind: str, field: Any
) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    monkeypatch.setenv("PANDAS_MAGIC_GRAMMAR", kind)
    check_freight(workspace_with, endpoint)
    first = endpoint.requests[0].body
    assert field(first).startswith("root ::=")
    assert "response_format" not in first  # servers take one of the two
    others = [request.body for request in endpoint.requests[1:]]
    assert all("grammar" not in body and "structured_outputs" not in body for body in others)


def test_without_the_setting_no_grammar_is_sent(serve: Any, workspace_with: Any) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    check_freight(workspace_with, endpoint)
    assert all("grammar" not in request.body for request in endpoint.requests)
    assert endpoint.requests[0].body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("kind", "message"),
    [("llama.cpp", "failed to parse grammar"), ("vllm", "structured_outputs: extra fields not permitted")],
)
def test_a_server_that_refuses_the_grammar_is_asked_by_schema(
    serve: Any, workspace_with: Any, monkeypatch: pytest.MonkeyPatch, kind: str, message: str
) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_GRAMMAR", kind)
    endpoint = serve(Step(status=400, error={"message": message}), always=parts(**FREIGHT))
    check_freight(workspace_with, endpoint)
    second = endpoint.requests[1].body
    assert "grammar" not in second
    assert "structured_outputs" not in second
    assert second["response_format"]["type"] == "json_schema"


def check_freight(workspace_with: Any, endpoint: Any) -> None:
    import pandas as pd

    from pandas_magic.registry.check_request import CheckRequest
    from tests.pandas_magic.planner.model.parts import FREIGHT_RULE

    orders = pd.DataFrame({"order_id": [1, 2, 3, 4, 5, 6], "amount": [10.0, -2.0, 7.5, None, 3.0, -0.5]})
    found = workspace_with(endpoint, {"orders": orders}).check(CheckRequest(FREIGHT_RULE))
    assert list(found.violations.index) == [1, 5]


def test_an_answer_of_the_grammar_is_an_answer_of_the_schema() -> None:
    said = RestatedRule.model_validate_json(restated("orders: amount must be at least 0", ("Freight", "amount")))
    assert json.loads(said.model_dump_json()).keys() == {"sentence", "words", "can_be_said"}
    order = re.findall(r'\\"(\w+)\\"', sentence_grammar(TABLES).splitlines()[0])
    assert order == ["sentence", "words", "can_be_said"]


def test_a_prompt_without_a_grammar_is_the_prompt_that_was_recorded() -> None:
    plain = Prompt.of("restate", "You.", "What?")
    assert "grammar" not in plain.canonical("m", 0.0)
    assert plain.model_copy(update={"grammar": "root ::= x"}).sha256("m", 0.0) != plain.sha256("m", 0.0)
