"""Scripts for the parts that a model plays: who is asked shows in the words of the system's turn."""

import json
import re
from collections.abc import Callable
from typing import Any

from pandas_magic.planner.model.rule_prompts import verdict_name
from tests.pandas_magic.planner.model.scripted import Step

Play = str | Callable[[str], str]
# How the system's turn of each part begins.
_SIGNS = {
    "restate": "You restate",
    "judge": "You judge rows",
    "write": "You write pandas code that finds",
    "keep": "You write pandas code that takes",
    "examples": "You test business rules",
    "select": "You choose tables",
    "plan": "You plan",
    "code": "You write pandas code that answers",
    "review": "You review pandas code",
    "answer": "You report",
}


def part_of(body: dict[str, Any]) -> str:
    """The part that a request asks to be played."""
    system = body["messages"][0]["content"]
    return next(name for name, sign in _SIGNS.items() if system.startswith(sign))


def parts(**plays: Play | list[Play]) -> Callable[[dict[str, Any]], Step]:
    """A server that answers each part (`restate`, `judge`, `write`, …) as told.

    A list is played in order, its last answer for ever; a function gets the user's last turn.
    """

    def play(body: dict[str, Any]) -> Step:
        part, asked = part_of(body), body["messages"][-1]["content"]
        if part not in plays:
            return Step(status=400, error={"message": f"nobody plays {part}"})
        told = plays[part]
        if isinstance(told, list):
            told = told.pop(0) if len(told) > 1 else told[0]
        return Step(told(asked) if callable(told) else told)

    return play


def data_blocks(text: str) -> list[Any]:
    """The content of every data block of a turn."""
    return [json.loads(block) for block in re.findall(r"<data>\n(.*?)\n</data>", text, re.DOTALL)]


def restated(sentence: str, *words: tuple[str, str], can_be_said: bool = True) -> str:
    uses = [{"words": said, "means": means} for said, means in words]
    return json.dumps({"can_be_said": can_be_said, "sentence": sentence, "words": uses})


def judging(breaks: Callable[[dict[str, Any]], bool]) -> Callable[[str], str]:
    """A reader who judges every row by a Python function."""

    def judge(asked: str) -> str:
        (_, told) = data_blocks(asked)
        found = {}
        for case in told["cases"]:
            for row in case["tables"][case["judge_rows_of"]]:
                found[verdict_name(case["case"], row["row"])] = "breaks" if breaks(row) else "keeps"
        return json.dumps(found)

    return judge


def fenced(code: str) -> str:
    return f"Here is the code:\n```python\n{code}\n```"


# A rule that the rule compiler refuses, about orders with an amount, and a model that helps with it as it should.
FREIGHT_RULE = "Freight charges may never go below nil."
FREIGHT_SENTENCE = "orders.amount must be at least 0."
FREIGHT_WORDS = (("Freight charges", "orders.amount"), ("may never go below nil", "must be at least 0"))
FREIGHT_CODE = 'violations = orders[orders["amount"] < 0]'
FREIGHT: dict[str, Any] = {
    "restate": restated(FREIGHT_SENTENCE, *FREIGHT_WORDS),
    "judge": judging(lambda row: row["amount"] is not None and row["amount"] < 0),
    "write": fenced(FREIGHT_CODE),
}
