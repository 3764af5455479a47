"""Answers for `examples/plans_with_a_model.ipynb`, written by hand, and the log in which its readers find them.

The answers stand in `plan_answers.json`. They are served by the scripted endpoint, so that the log holds what is asked
today, whatever was asked when they were written.
"""

import json
from pathlib import Path
from typing import Any

from pandas_magic.planner.model.exchanges import LOG
from tests.pandas_magic.planner.model.parts import data_blocks, judging, part_of
from tests.pandas_magic.planner.model.scripted import Script, Step

ANSWERS = Path(__file__).with_name("plan_answers.json")
_CONTENT = json.dumps({"answers": True, "problem": ""})  # a reviewer who has nothing to say
_LEFT_OUT = ("request", "host", "seconds")  # of a line: what differs from day to day, or is long and not needed


def play_by_hand() -> Script:
    """A server that gives the answers in their order, its last one for ever."""
    left = [dict(told) for told in json.loads(ANSWERS.read_text(encoding="utf-8"))]

    def play(body: dict[str, Any]) -> Step:
        part, said = part_of(body), _said(body)
        if part == "judge":
            return Step(judging(_shipped_too_soon)(body["messages"][-1]["content"]))
        told = next((told for told in left if told["part"] == part and told["about"] in said), None)
        if told is None:
            return Step(_CONTENT) if part == "review" else Step(status=400, error={"message": f"no {part} of {said}"})
        return Step(told["answers"].pop(0) if len(told["answers"]) > 1 else told["answers"][0])

    return play


def keep_log(folder: Path, path: Path) -> None:
    """Write what was answered in the workspace at `folder` to `path`, without what differs from day to day."""
    lines = []
    for line in (folder / ".pandas_magic" / LOG).read_text(encoding="utf-8").splitlines():
        exchange = json.loads(line)
        if exchange["outcome"] == "answered":
            kept = {name: value for name, value in exchange.items() if name not in _LEFT_OUT}
            lines.append(json.dumps(kept | {"at": "", "host": "127.0.0.1"}, ensure_ascii=False))
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _said(body: dict[str, Any]) -> str:
    """The request or the rule that is asked about; earlier requests of the session stand in blocks of their own."""
    for message in reversed(body["messages"]):
        for block in data_blocks(message["content"]):
            if message["role"] == "user" and (said := block.get("request") or block.get("rule")):
                return str(said)
    return ""


def _shipped_too_soon(row: dict[str, Any]) -> bool:
    return bool(row["ship_date"] and row["order_date"]) and row["ship_date"] < row["order_date"]
