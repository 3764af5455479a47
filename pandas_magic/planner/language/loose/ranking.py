"""A linear model over atoms and rules: which atoms are worth joining, and which rule the words most likely mean."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from pandas_magic.planner.language.loose.atoms import Atom, Scored
from pandas_magic.planner.language.loose.candidate import Candidate
from pandas_magic.planner.language.loose.composing import MOST_CANDIDATES, candidates_of
from pandas_magic.planner.language.loose.context import Context
from pandas_magic.planner.language.loose.enumerating import atoms_of
from pandas_magic.planner.language.loose.features import BITS, Features, features_of
from pandas_magic.planner.language.loose.judging import Judge, RuleWeights
from pandas_magic.planner.language.loose.scene import Scene

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
WEIGHTS = Path(__file__).parent / "weights.npz"
_NEVER = -20.0
TEMPER = "temper"  # the name of what scores are divided by, so that they are not too sure


@dataclass(frozen=True)
class RankingModel:
    """The weights: `pruning` and `joint` of hashed features of atoms, `rules` of features of whole rules by name."""

    pruning: Numbers
    joint: Numbers
    bias: float
    rules: Mapping[str, float]

    def save(self, path: Path, *, least: float) -> None:
        """Write what weighs at least so much; half precision is enough to put rules in order."""
        told = np.flatnonzero((np.abs(self.pruning) >= least) | (np.abs(self.joint) >= least)).astype(np.uint32)
        names = {name: round(weight, 3) for name, weight in sorted(self.rules.items()) if abs(weight) >= least}
        np.savez_compressed(
            path,
            places=np.diff(told, prepend=np.uint32(0)),
            pruning=self.pruning[told].astype(np.float16),
            joint=self.joint[told].astype(np.float16),
            bias=np.float32(self.bias),
            rules=np.frombuffer(json.dumps(names, separators=(",", ":")).encode(), dtype=np.uint8),
        )


@cache
def model() -> RankingModel:
    """The trained model, as it lies beside this file."""
    with np.load(WEIGHTS) as stored:
        places = np.cumsum(stored["places"], dtype=np.uint32)
        dense = [np.zeros(1 << BITS, dtype=np.float32) for _ in range(2)]
        for weights, name in zip(dense, ("pruning", "joint"), strict=True):
            weights[places] = stored[name]
        return RankingModel(dense[0], dense[1], float(stored["bias"]), json.loads(bytes(stored["rules"])))


class Ranked:
    """The candidates of a rule about one table, with their scores."""

    def __init__(self, scene: Scene, weights: RankingModel, breadth: int = MOST_CANDIDATES) -> None:
        self.scene = scene
        self.context = Context(scene)
        self.atoms = atoms_of(scene)
        features = features_of(self.atoms, self.context)
        self.scored = scored(self.atoms, features, weights)
        self.candidates = candidates_of(scene, self.scored, breadth)
        judge = Judge(scene, self.context)
        self.features = [judge.features(candidate) for candidate in self.candidates]
        self.doubts = judge.nothing(self.features)
        joint = {role: _sums(features[role], weights.joint) for role in "wm"}
        place = {atom.key: number for number, atom in enumerate(self.atoms)}
        rules = RuleWeights(weights.rules)
        self.nothing, self.temper = rules.score(self.doubts), weights.rules.get(TEMPER, 1.0)
        self.scores = [
            rules.score(found) + _joint(candidate, joint, place)
            for candidate, found in zip(self.candidates, self.features, strict=True)
        ]


def likelihoods(some: Sequence[Ranked]) -> Numbers:
    """How likely each candidate is, one table's after another's; what is left is that none of them is meant."""
    scores = np.array([score / one.temper for one in some for score in one.scores])
    nothing = max(one.nothing for one in some)
    highest = max(nothing, scores.max())
    with np.errstate(under="ignore"):
        likely: Numbers = np.exp(scores - highest)
        likely /= likely.sum() + np.exp(nothing - highest)
    return likely


def scored(atoms: Sequence[Atom], features: Mapping[str, list[Features]], weights: RankingModel) -> list[Scored]:
    """The atoms with how well they would do in each role."""
    as_where, as_must = (_sums(features[role], weights.pruning) for role in "wm")
    return [
        Scored(atom, float(where) + weights.bias if atom.chooses_rows else _NEVER, float(must) + weights.bias)
        for atom, where, must in zip(atoms, as_where, as_must, strict=True)
    ]


def _sums(features: list[Features], weights: Numbers) -> Numbers:
    if not features:
        return np.zeros(0, dtype=np.float32)
    starts = np.cumsum([0, *map(len, features[:-1])])
    sums: Numbers = np.add.reduceat(weights[np.concatenate(features)], starts)
    return sums


def _joint(candidate: Candidate, joint: Mapping[str, Numbers], place: Mapping[str, int]) -> float:
    total = sum(float(joint["w"][place[part.atom.key]]) for part in candidate.where)
    return total + sum(float(joint["m"][place[part.atom.key]]) for part in candidate.must)
