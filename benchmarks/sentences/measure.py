"""How sentences about invented businesses are read: at once, within one click, otherwise in silence, or not at all.

`python benchmarks/sentences/measure.py [--unseen] [--glossary] [--restated] [business …]`. A reading is right when it
flags the rows that its writer computed without this program ("or": other answers that are as right); of the readings
that are asked about one may be, which is one click. Where people are asked, the rows tell which readings are shown;
`--unseen` leaves that out. With `--glossary` the tables come with the glossary of somebody who saw them, and no
sentence. With `--restated` a large model is asked for what the rule compiler refuses: its first restatements,
recorded in `restated`. "dates" names the columns that hold dates and no texts.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.catalog.glossary import NO_GLOSSARY, read_glossary
from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.restating import spoken_against
from pandas_magic.checking.readings_on_rows import doubted_by_rows, on_rows
from pandas_magic.constraints import Constraint, describe, violating_rows
from pandas_magic.errors import Reading, RuleNotUnderstood
from pandas_magic.planner.language import compile_rule, restated_rule
from pandas_magic.planner.model.rule_prompts import RestatedRule

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 24)
STATES = ("at once", "click", "wrong in silence", "asked otherwise", "nothing proposed")
Frames = dict[str, pd.DataFrame]


def frames_of(business: str) -> Frames:
    """The tables of a business."""
    content = json.loads((HERE / f"{business}.json").read_text(encoding="utf-8"))
    frames = {name: pd.DataFrame(columns) for name, columns in content["tables"].items()}
    for name, dates in content.get("dates", {}).items():
        frames[name] = frames[name].astype(dict.fromkeys(dates, "datetime64[ns]"))
    return frames


def flagged(constraint: Constraint, frames: Frames) -> tuple[str, list[int]]:
    """The table that the rule is about, and its rows that break it."""
    return constraint.table, violating_rows(constraint, frames, NOW, NOW.replace(tzinfo=UTC))


def right_answers(sentence: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """What `flagged` gives for a reading that is right."""
    return [(sentence["target"], rows) for rows in (sentence["breaks"], *sentence.get("or", ()))]


def tables_of(business: str, frames: Frames, *, called: bool = False) -> dict[str, Table]:
    """The schemas of a business's tables; `called` with the glossary of who owns them."""
    glossary = read_glossary(HERE / "glossaries" / f"{business}.toml") if called else NO_GLOSSARY
    described = {name: describe_frame(name, frame) for name, frame in frames.items()}
    return {name: table.model_copy(update={"glossary": glossary}) for name, table in described.items()}


def restatements_of(business: str) -> dict[str, RestatedRule]:
    """What a large model made of the rules that the rule compiler refused, by their texts."""
    content = json.loads((HERE / "restated" / f"{business}.json").read_text(encoding="utf-8"))
    return {rule: RestatedRule.model_validate(answer) for rule, answer in content.items()}


def understood(sentence: dict[str, Any], tables: dict[str, Table], restated: RestatedRule | None) -> Constraint:
    """What the sentence means, by the rule compiler or by a restatement to which no gate that asks nobody objects.

    Raises: RuleNotUnderstood with the readings of both.
    """
    try:
        return compile_rule(sentence["text"], tables, target=sentence["target"]).constraint
    except RuleNotUnderstood as refusal:
        if refusal.is_ambiguous or restated is None or not restated.can_be_said:
            raise
        return _restated(sentence, tables, restated, refusal)


def _restated(
    sentence: dict[str, Any], tables: dict[str, Table], restated: RestatedRule, refusal: RuleNotUnderstood
) -> Constraint:
    try:
        meant = restated_rule(restated.sentence, tables, target=sentence["target"])
        against = spoken_against(restated, meant, rule=sentence["text"], tables=tables, target=sentence["target"])
        if not against:
            return meant
        told: tuple[Reading, ...] = (Reading(describe(meant), meant),)
    except RuleNotUnderstood as doubt:
        told, against = doubt.readings[:1] if doubt.is_ambiguous else (), (str(doubt),)
    raise RuleNotUnderstood(sentence["text"], "; ".join(against), readings=told, propose=lambda: refusal.readings)


def state_of(
    sentence: dict[str, Any],
    frames: Frames,
    tables: dict[str, Table],
    *,
    unseen: bool = False,
    restated: RestatedRule | None = None,
) -> str:
    """How the sentence is read, one of STATES; with `unseen` no rows tell which readings are the likelier."""
    wanted = right_answers(sentence)
    try:
        found = understood(sentence, tables, restated)
    except RuleNotUnderstood as refusal:
        if not unseen:
            refusal.looked_at(on_rows(Catalog(given=frames), lambda asked: compile_rule(asked, tables).constraint))
        asked = [reading.constraint for reading in refusal.readings if reading.constraint is not None]
        if any(flagged(constraint, frames) in wanted for constraint in asked):
            return "click"
        return "asked otherwise" if asked else "nothing proposed"
    table, broken = answer = flagged(found, frames)
    reading = Reading(describe(found), found, count=len(broken), rows_seen=len(frames[table]))
    if doubted_by_rows(sentence["text"], reading, lambda counted: counted):
        return "click" if answer in wanted else "asked otherwise"
    return "at once" if answer in wanted else "wrong in silence"


def states(
    business: str, *, unseen: bool = False, called: bool = False, by_model: bool = False
) -> Iterator[tuple[str, str]]:
    """The way each sentence is written in, and how it is read."""
    answers = restatements_of(business) if by_model else {}
    content, frames = json.loads((HERE / f"{business}.json").read_text(encoding="utf-8")), frames_of(business)
    tables = tables_of(business, frames, called=called)
    for sentence in content["sentences"]:
        restated = answers.get(sentence["text"])
        yield sentence["way"], state_of(sentence, frames, tables, unseen=unseen, restated=restated)


def main() -> None:
    """Print the counts of each way of writing."""
    unseen, called, by_model = (f"--{name}" in sys.argv for name in ("unseen", "glossary", "restated"))
    named = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    businesses = named or sorted(path.stem for path in (HERE / "restated" if by_model else HERE).glob("*.json"))
    found = Counter(
        one for business in businesses for one in states(business, unseen=unseen, called=called, by_model=by_model)
    )
    print(f"{'':12} {' n':>4}  {'  '.join(STATES)}")
    for way in (*sorted({way for way, _ in found}), "all"):
        counts = [sum(n for (w, s), n in found.items() if way in (w, "all") and s == state) for state in STATES]
        print(f"{way:12} {sum(counts):4}  {'  '.join(f'{n:>{len(s)}}' for n, s in zip(counts, STATES, strict=True))}")


if __name__ == "__main__":
    main()
