"""Train the weights of proposals, and score them on sets of sentences that they were not trained on.

`python benchmarks/weights/make_weights.py` writes weights.npz and scores.json beside the code; `--held a,b` names other
sets to score on, `--weights` another place. The same sentences give the same weights. What is learnt from sentences
that are understood is settled on those of strangers; for their score each writer's are left out in turn. `--begun`
settles the weights that are there, which takes minutes and not an hour.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.weights.calibrating import Judged, calibrated
from benchmarks.weights.strangers import WRITERS, lessons_of_strangers
from benchmarks.weights.training import Lesson, lesson, settle, train
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.nodes import Node, meaning_key, rule_form
from pandas_magic.planner.language.loose.ranking import WEIGHTS, Ranked, RankingModel, likelihoods
from pandas_magic.planner.language.loose.ranking import model as shipped
from pandas_magic.planner.language.loose.scene import Scene
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, meant, sentences, sources, tables_of

# One of the sets of every few writers.
HELD = ("strangers_5", "strangers_10", "strangers_15", "strangers_20", "strangers_25")
# How sure proposals may be is learnt from these, which teach nothing else.
TEMPERED = ("strangers_7", "strangers_12", "strangers_17", "strangers_22", "strangers_27")
# Weights below it change no order worth having, and cost most of the file.
LEAST_WEIGHT = 0.028
# Of the sentences that are understood every so manieth is said again among those of strangers, lest they be forgotten.
SAID_AGAIN = 6
SURE = 0.5


def understood(some: Sequence[str]) -> list[tuple[str, FrozenSentence]]:
    """The sentences of the sets that were understood."""
    found = [(source, sentence) for source in some for sentence in sentences(source)]
    return [(source, one) for source, one in found if meant(one) is not None]


def lessons_of(some: Sequence[str], every: int = 1) -> list[Lesson]:
    """The sentences of the sets that say something about rows, taken apart; every so manieth of them."""
    found = ((source, one, _form(one)) for source, one in understood(some)[::every])
    told = ((source, one, rule) for source, one, rule in found if rule["shape"] != "columns")
    return [lesson(source, one, tables_of(one.world), rule) for source, one, rule in told]


def _form(one: FrozenSentence) -> Node:
    rule = meant(one) or {}
    return rule if rule["shape"] == "columns" else rule_form(rule)


def judged(model: RankingModel, some: Sequence[str]) -> Iterator[Judged]:
    """The candidates of each sentence as the model ranks them."""
    for _, one in understood(some):
        rule = _form(one)
        linked = link(one.text, tables_of(one.world), target=rule["table"], locale=one.locale)
        ranked = Ranked(Scene(linked, rule["table"]), model)
        key = meaning_key(rule) if rule["shape"] != "columns" else ""
        right = [at for at, candidate in enumerate(ranked.candidates) if meaning_key(candidate.rule) == key]
        yield Judged(ranked, tuple(right))


def _place(ranked: Ranked, key: str) -> int | None:
    """How many other meanings are the likelier; None where it is not built."""
    order = np.argsort([-score for score in ranked.scores], kind="stable")
    keys = list(dict.fromkeys(meaning_key(ranked.candidates[at].rule) for at in order))
    return keys.index(key) if key in keys else None


def scores(model: RankingModel, some: Sequence[str]) -> dict[str, float]:
    """How often what is meant comes first, among the first three, or is built at all; milliseconds of the median.

    "sure" counts the sentences whose first proposal has a probability of a half, "sure and wrong" those not meant so.
    """
    found: Counter[str] = Counter()
    began = time.process_time()
    for one in judged(model, some):
        key = meaning_key(one.ranked.candidates[one.right[0]].rule) if one.right else ""
        place = _place(one.ranked, key)
        sure = bool(one.ranked.candidates) and bool(likelihoods([one.ranked]).max() >= SURE)
        found.update({"sentences": 1, "first": place == 0, "in three": place in (0, 1, 2), "built": place is not None})
        found.update({"sure": sure, "sure and wrong": sure and place != 0})
    mean = (time.process_time() - began) / max(1, found["sentences"])
    return {**found, "mean ms": round(1000 * mean)}


def scores_of_strangers(begun: RankingModel, again: list[Lesson]) -> dict[str, int]:
    """How often what strangers meant comes first, or among three, before and after the others' sentences settle it."""
    found: Counter[str] = Counter()
    for writer in WRITERS:
        own = lessons_of_strangers(writer)
        others = lessons_of_strangers(tuple(one for other in WRITERS if other != writer for one in other))
        for when, model in (("before", begun), ("after", settle(begun, [*others, *again]))):
            for one in own:
                ranked = Ranked(one.scene, model)
                place = _place(ranked, meaning_key(one.meant))
                found.update({f"first {when}": place == 0, f"in three {when}": place in (0, 1, 2)})
        found["sentences"] += len(own)
    return {name: int(count) for name, count in sorted(found.items())}


def main() -> None:
    """Train, learn from other sets how sure to be, and score on others again: the scores are of the very weights."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--held", default=",".join(HELD))
    asked.add_argument("--weights", type=Path, default=WEIGHTS)
    asked.add_argument("--begun", action="store_true")
    given = asked.parse_args()
    held = given.held.split(",")
    taught = [one for one in sources() if one not in (*held, *TEMPERED)]
    again = lessons_of(taught, every=SAID_AGAIN)
    begun = shipped() if given.begun else train(lessons_of(taught))
    made = settle(begun, [*lessons_of_strangers(tuple(one for writer in WRITERS for one in writer)), *again])
    made = calibrated(made, list(judged(made, TEMPERED)))
    made.save(given.weights, least=LEAST_WEIGHT)
    report = {"held out": held, "scores": scores(made, held), "bytes": given.weights.stat().st_size}
    report["strangers, each writer left out"] = scores_of_strangers(begun, again)
    given.weights.with_name("scores.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
