"""How sure proposals may be: fitted on sentences of which the weights know nothing, so that they are not too sure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pandas_magic.planner.language.loose.ranking import TEMPER, Ranked, RankingModel

_TEMPERS = np.linspace(1.0, 4.0, 31)
_STEPS, _RATE, _DECAY = 3_000, 0.5, 0.01


@dataclass(frozen=True)
class Judged:
    """The ranked candidates of a sentence, and the numbers of those that are meant; none where that is not built."""

    ranked: Ranked
    right: tuple[int, ...]


def calibrated(model: RankingModel, judged: Sequence[Judged]) -> RankingModel:
    """The model with a temper for its scores, and weights for what speaks for no candidate being meant."""
    built = [one for one in judged if one.right]
    temper = max(_TEMPERS, key=lambda temper: sum(_likelihood(one, float(temper)) for one in built))
    names = sorted({name for one in judged for name in one.ranked.doubts})
    doubts = np.array([[one.ranked.doubts.get(name, 0.0) for name in names] for one in judged])
    against = np.array([_log_sum(np.array(one.ranked.scores) / temper) for one in judged])
    lost = np.array([not one.right for one in judged], dtype=float)
    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        wrong = 1 / (1 + np.exp(against - doubts @ weights)) - lost
        weights -= _RATE * (doubts.T @ wrong / len(judged) + _DECAY * weights)
    told = {name: float(weight) for name, weight in zip(names, weights, strict=True)}
    return replace(model, rules={**model.rules, **told, TEMPER: float(temper)})


def _likelihood(one: Judged, temper: float) -> float:
    scores = np.array(one.ranked.scores) / temper
    return _log_sum(scores[list(one.right)]) - _log_sum(scores)


def _log_sum(scores: np.ndarray) -> float:
    return float(scores.max() + np.log(np.exp(scores - scores.max()).sum())) if len(scores) else -50.0
