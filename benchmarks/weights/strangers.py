"""Sentences of strangers, each with the rule that its writer meant: that which of the proposals breaks the right rows.

`PYTHONPATH=. python benchmarks/weights/strangers.py` writes chosen.json beside this file: of the first sixty proposals
for each sentence of `benchmarks/sentences` the likeliest that finds the rows which the writer computed, and to which
no guard objects. That a rule finds them for another reason happens, in some 15 of 300.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import numpy as np

from benchmarks.sentences.measure import HERE, NOW, frames_of, right_answers, tables_of
from benchmarks.weights.training import Lesson, lesson
from pandas_magic.constraints import ColumnsRule, Constraint, describe
from pandas_magic.constraints.meaning.plain_rows import World, world_of
from pandas_magic.constraints.meaning.violations import violations_in
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import grave_objections
from pandas_magic.planner.language.linking import Linked, link
from pandas_magic.planner.language.loose import without_label
from pandas_magic.planner.language.loose.nodes import rule_form
from pandas_magic.planner.language.loose.proposing import sensible
from pandas_magic.planner.language.loose.ranking import Ranked, model
from pandas_magic.planner.language.loose.scene import Scene

CHOSEN = Path(__file__).with_name("chosen.json")
# The businesses of one writer: what is learnt from some is scored on those of another.
WRITERS = (
    ("ferry", "vet", "hire", "bakery", "meters"),
    ("orchestra", "seedlab", "waterworks", "ski", "film", "court", "auction"),
    ("imkerei", "balloons", "huitres"),
    ("fietsen", "pharmacy", "molino"),
    ("kehrbezirk", "bloodcourier", "costumestore"),
    ("grain", "fauna", "steril"),
    ("wagon", "marmo", "dialyse"),
    ("lifts", "diving", "cortica"),
    ("oyster_farm", "crane_hire", "reindeer_herding"),
)
_MOST_LOOKED_AT = 60


@dataclass(frozen=True)
class ChosenSentence:
    """A sentence as `training.lesson` takes it."""

    text: str
    locale: str = "en"


def lessons_of_strangers(businesses: tuple[str, ...]) -> list[Lesson]:
    """The sentences about these businesses for which a rule is chosen, taken apart."""
    chosen = json.loads(CHOSEN.read_text(encoding="utf-8"))
    found = []
    for business in businesses:
        tables = tables_of(business, frames_of(business))
        for text, echo in chosen[business].items():
            rule = read_canonical(echo)
            assert rule is not None, echo
            form = rule_form(rule.model_dump(mode="json"))
            found.append(lesson(business, ChosenSentence(text), tables, form))
    return found


def _chosen(business: str) -> Iterator[tuple[str, str]]:
    frames = frames_of(business)
    tables, world = tables_of(business, frames), world_of(frames, NOW, NOW.replace(tzinfo=UTC))
    for sentence in json.loads((HERE / f"{business}.json").read_text(encoding="utf-8"))["sentences"]:
        try:
            linked = without_label(link(sentence["text"], tables, target=sentence["target"]))
        except RuleNotUnderstood:
            continue
        # Of rows that all keep the rule, any rule finds none.
        wanted = right_answers(sentence) if sentence["breaks"] else []
        rule = next((one for one in _likely(linked, sentence["target"]) if _flagged(one, world) in wanted), None)
        if rule is not None:
            yield sentence["text"], describe(rule)


def _flagged(rule: Constraint, world: World) -> tuple[str, list[int]]:
    """The same as `flagged` finds, in rows that were read before; nothing where values cannot be compared."""
    world.found.clear()
    try:
        return rule.table, [] if isinstance(rule, ColumnsRule) else violations_in(world, rule)
    except (TypeError, ValueError, KeyError, ArithmeticError):
        return "", []


def _likely(linked: Linked, table: str) -> Iterator[Constraint]:
    ranked = Ranked(Scene(linked, table), model())
    order = np.argsort([-score for score in ranked.scores], kind="stable")[:_MOST_LOOKED_AT]
    for rule in (one for at in order for one in sensible(ranked.candidates[at], linked)):
        if not grave_objections(rule, linked):
            yield rule


if __name__ == "__main__":
    found = {business: dict(_chosen(business)) for writer in WRITERS for business in writer}
    CHOSEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
