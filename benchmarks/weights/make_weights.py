"""Train the weights of proposals, and score them on sets of sentences that they were not trained on.

`python benchmarks/weights/make_weights.py` writes weights.npz and scores.json beside the code; `--held a,b` names other
sets to score on, `--weights` another place. The same sentences give the same weights.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.weights.calibrating import Judged, calibrated
from benchmarks.weights.training import Lesson, lesson, train
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.nodes import Node, meaning_key, rule_form
from pandas_magic.planner.language.loose.ranking import WEIGHTS, Ranked, RankingModel, likelihoods
from pandas_magic.planner.language.loose.scene import Scene
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, meant, sentences, sources, tables_of

# One of the sets of every few writers.
HELD = ("strangers_5", "strangers_10", "strangers_15", "strangers_20", "strangers_25")
# How sure proposals may be is learnt from these, which teach nothing else.
TEMPERED = ("strangers_7", "strangers_12", "strangers_17", "strangers_22", "strangers_27")
# Weights below it change no order worth having, and cost most of the file.
LEAST_WEIGHT = 0.0235
SURE = 0.5


def understood(some: Sequence[str]) -> list[tuple[str, FrozenSentence]]:
    """The sentences of the sets that were understood."""
    found = [(source, sentence) for source in some for sentence in sentences(source)]
    return [(source, one) for source, one in found if meant(one) is not None]


def lessons_of(some: Sequence[str]) -> list[Lesson]:
    """The sentences of the sets that say something about rows, taken apart."""
    found = ((source, one, _form(one)) for source, one in understood(some))
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


def scores(model: RankingModel, some: Sequence[str]) -> dict[str, float]:
    """How often what is meant comes first, among the first three, or is built at all; milliseconds of the median.

    "sure" counts the sentences whose first proposal has a probability of a half, "sure and wrong" those not meant so.
    """
    found: Counter[str] = Counter()
    began = time.process_time()
    for one in judged(model, some):
        order = np.argsort([-score for score in one.ranked.scores], kind="stable")
        keys = list(dict.fromkeys(meaning_key(one.ranked.candidates[at].rule) for at in order))
        key = meaning_key(one.ranked.candidates[one.right[0]].rule) if one.right else ""
        place = keys.index(key) if one.right else None
        sure = bool(keys) and bool(likelihoods([one.ranked]).max() >= SURE)
        found.update({"sentences": 1, "first": place == 0, "in three": place in (0, 1, 2), "built": place is not None})
        found.update({"sure": sure, "sure and wrong": sure and place != 0})
    mean = (time.process_time() - began) / max(1, found["sentences"])
    return {**found, "mean ms": round(1000 * mean)}


def main() -> None:
    """Train, learn from other sets how sure to be, and score on others again: the scores are of the very weights."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--held", default=",".join(HELD))
    asked.add_argument("--weights", type=Path, default=WEIGHTS)
    given = asked.parse_args()
    held = given.held.split(",")
    made = train(lessons_of([source for source in sources() if source not in (*held, *TEMPERED)]))
    made = calibrated(made, list(judged(made, TEMPERED)))
    made.save(given.weights, least=LEAST_WEIGHT)
    report = {"held out": held, "scores": scores(made, held), "bytes": given.weights.stat().st_size}
    given.weights.with_name("scores.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
