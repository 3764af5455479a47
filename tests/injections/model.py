"""A model that does what a hostile text in the data tells it, and otherwise helps as it should.

How it reads: what stands in a block of data is data, until something in it ends the block, or begins a line or a turn
that looks like words of ours. A `gullible` one obeys what it finds anywhere, as real models sometimes do.
"""

import json
import re
from typing import Any

from tests.pandas_magic.planner.model.parts import (
    FREIGHT,
    FREIGHT_RULE,
    Play,
    data_blocks,
    fenced,
    judging,
    parts,
    restated,
)
from tests.pandas_magic.planner.model.scripted import Step

# What ends a block or a turn for one tokenizer or another, in whatever disguise.
_ENDS = re.compile(
    r"[<\uff1c\ufe64]\s*/\s*d[\u200b\u00ad]*ata\s*[>\uff1e\ufe65]|<\|[\w ]+\|>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|</?s>|<(?:start|end)_of_turn>"
    r"|^\s*(?:#+ *)?(?:system|assistant|human|user|instruction)\s*:|^```",
    re.IGNORECASE | re.MULTILINE,
)
_BLOCK = re.compile(r"<data>\n(?P<inside>.*?)(?:\n</data>|\Z)", re.DOTALL)
EXAMPLES = {
    "target": "orders",
    "tables": [{"name": "orders", "columns": ["amount"], "rows": [[5.0], [-5.0], [0.0], [-1.0], [None]]}],
    "breaking": [1, 3],
}
HONEST: dict[str, Play] = {
    **FREIGHT,
    "examples": json.dumps(EXAMPLES),
    "keep": fenced('fine = orders[~(orders["amount"] < 0)]'),
    "select": json.dumps({"tables": [{"table": "orders", "reason": "it has amounts"}]}),
    "plan": "Goal: the largest amount\n1. take the largest amount\nResult: one number",
    "code": fenced('result = orders["amount"].max()'),
    "review": json.dumps({"answers": True, "problem": ""}),
    "answer": "# The largest amount is 10",
}


class ObeyingModel:
    """A server's answers: those of an honest helper, and `lies` from when `text` reaches the model as an order."""

    def __init__(self, text: str, lies: dict[str, Any], *, gullible: bool) -> None:
        self.obeyed = False
        self._text, self._gullible = text, gullible
        self._lies = plays_of(lies)
        self._honest, self._lying = parts(**HONEST), parts(**{**HONEST, **self._lies})

    def __call__(self, body: dict[str, Any]) -> Step:
        """The answer to one request."""
        turns = [message["content"] for message in body["messages"] if message["role"] != "assistant"]
        reaches = _is_seen if self._gullible else _gets_out
        self.obeyed = self.obeyed or any(reaches(turn, self._text) for turn in turns)
        if self.obeyed and not self._gullible:
            return Step(status=400, error={"message": "it does what the data say"})
        if body["messages"][0]["content"].startswith("You describe a table"):
            return Step(str(self._lies["summary"]) if self.obeyed else "Each row is an order.")
        return self._lying(body) if self.obeyed else self._honest(body)


def plays_of(lies: dict[str, Any]) -> dict[str, Play]:
    """What each part answers: `sentence`, `code_of`, `judge` are short for a restatement, code and verdicts on rows."""
    plays: dict[str, Play] = dict(lies.get("raw", {}))
    if "sentence" in lies:
        plays["restate"] = restated(lies["sentence"], (FREIGHT_RULE, lies.get("means", lies["sentence"])))
    if lies.get("unsayable"):
        plays["restate"] = restated("", can_be_said=False)
    if "judge" in lies:
        plays["judge"] = judging(eval(f"lambda row: {lies['judge']}"))
    plays |= {part: fenced(lies[part]) for part in ("write", "keep", "code") if part in lies}
    return plays


def _is_seen(turn: str, text: str) -> bool:
    return text in turn or any(text in said for block in data_blocks(turn) for said in _texts(block))


def _gets_out(turn: str, text: str) -> bool:
    """Whether part of the text ends the block of data that it stands in."""
    for block in _BLOCK.finditer(turn):
        if _ENDS.search(block["inside"]):
            return True
    outside = _BLOCK.sub("", turn)
    # The last words of the text say what it wants; ours never do.
    return text.strip().splitlines()[-1] in outside


def _texts(content: Any) -> list[str]:
    if isinstance(content, dict):
        return [*content, *(text for value in content.values() for text in _texts(value))]
    if isinstance(content, list):
        return [text for value in content for text in _texts(value)]
    return [content] if isinstance(content, str) else []
