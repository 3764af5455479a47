"""Train the weights of proposals, and score them on sets of sentences that they were not trained on.

`python benchmarks/weights/make_weights.py` writes weights.npz and scores.json beside the code; `--held a,b` names other
sets to score on, `--weights` another place. The same sentences give the same weights.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.weights.training import Lesson, lesson, train
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose import propose
from pandas_magic.planner.language.loose.nodes import Node, meaning_key, rule_form
from pandas_magic.planner.language.loose.ranking import WEIGHTS, Ranked, model
from pandas_magic.planner.language.loose.scene import Scene
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, meant, sentences, sources, tables_of

# One of the sets of every few writers.
HELD = ("strangers_5", "strangers_10", "strangers_15", "strangers_20", "strangers_25")
# Weights below it change no order worth having, and cost most of the file.
LEAST_WEIGHT = 0.02
SURE = 0.5


def understood(some: Sequence[str]) -> list[tuple[str, FrozenSentence]]:
    """The sentences of the sets that were understood."""
    found = [(source, sentence) for source in some for sentence in sentences(source)]
    return [(source, one) for source, one in found if meant(one) is not None]


def lessons_of(some: Sequence[str]) -> list[Lesson]:
    """The sentences of the sets, taken apart."""
    return [lesson(source, one, tables_of(one.world), _form(one)) for source, one in understood(some)]


def _form(one: FrozenSentence) -> Node:
    rule = meant(one) or {}
    return rule if rule["shape"] == "columns" else rule_form(rule)


def scores(some: Sequence[str]) -> dict[str, float]:
    """How often what is meant comes first, among the first three, or is built at all; milliseconds of the median.

    "sure" counts the sentences whose first proposal has a probability of a half, "sure and wrong" those not meant so.
    """
    found: Counter[str] = Counter()
    seconds = []
    for _, one in understood(some):
        rule = _form(one)
        began = time.perf_counter()
        linked = link(one.text, tables_of(one.world), target=rule["table"], locale=one.locale)
        ranked = Ranked(Scene(linked, rule["table"]), model())
        seconds.append(time.perf_counter() - began)
        order = np.argsort([-score for score in ranked.scores], kind="stable")
        keys = list(dict.fromkeys(meaning_key(ranked.candidates[at].rule) for at in order))
        key = meaning_key(rule) if rule["shape"] != "columns" else ""
        place = keys.index(key) if key in keys else None
        found.update({"sentences": 1, "first": place == 0, "in three": place in (0, 1, 2), "built": place is not None})
        first = next(iter(propose(replace(linked, target=rule["table"]), most=1)), None)
        if first is not None and first.probability >= SURE:
            wrong = not keys or meaning_key(first.constraint.model_dump(mode="json")) != key
            found.update({"sure": 1, "sure and wrong": wrong})
    return {**found, "median ms": round(1000 * float(np.median(seconds)))}


def main() -> None:
    """Train without some sets, and score on them: the scores are those of the very weights."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--held", default=",".join(HELD))
    asked.add_argument("--weights", type=Path, default=WEIGHTS)
    given = asked.parse_args()
    held = given.held.split(",")
    made = train(lessons_of([source for source in sources() if source not in held]))
    made.save(given.weights, least=LEAST_WEIGHT)
    report = {"held out": held, "scores": scores(held), "bytes": given.weights.stat().st_size}
    given.weights.with_name("scores.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
