"""Training of the weights by which proposals are put in order: a model of atoms, then one of whole rules."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.atoms import Atom, Scored
from pandas_magic.planner.language.loose.candidate import Candidate
from pandas_magic.planner.language.loose.composing import candidates_of
from pandas_magic.planner.language.loose.context import Context
from pandas_magic.planner.language.loose.enumerating import atoms_of
from pandas_magic.planner.language.loose.features import BITS, features_of
from pandas_magic.planner.language.loose.judging import Judge
from pandas_magic.planner.language.loose.nodes import Node, conjuncts, meaning_key, negated, normal, text_of
from pandas_magic.planner.language.loose.ranking import RankingModel, scored
from pandas_magic.planner.language.loose.scene import Scene

EPOCHS, RATE, DECAY = 5, 0.08, 2e-3
_PART_WAY = 0.7  # how far settled weights go from those begun: all the way some that were taught are forgotten
_SETTLED = 1.0  # how slowly begun weights move: what Adagrad has seen of each
_RULE_FEATURES = 1 << 17
_NOTHING = RankingModel(np.zeros(1 << BITS, dtype=np.float32), np.zeros(1 << BITS, dtype=np.float32), 0.0, {})


@dataclass
class Lesson:
    """A sentence with its atoms and the rule that it means, in normal form."""

    source: str
    scene: Scene
    context: Context
    atoms: list[Atom]
    features: dict[str, list[np.ndarray]]
    meant: Node
    scored: list[Scored] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)

    @property
    def right(self) -> list[int]:
        """The candidates that say what is meant."""
        key = meaning_key(self.meant)
        return [number for number, candidate in enumerate(self.candidates) if meaning_key(candidate.rule) == key]


def lesson(source: str, sentence, tables, meant: Node) -> Lesson:  # noqa: ANN001 - a frozen sentence and its tables
    """The sentence taken apart."""
    linked = link(sentence.text, tables, target=meant["table"], locale=sentence.locale)
    scene = Scene(linked, meant["table"])
    context, atoms = Context(scene), atoms_of(scene)
    features = features_of(atoms, context)
    return Lesson(source, scene, context, atoms, features, meant)


def meant_atoms(rule: Node, keys: set[str]) -> tuple[set[str], set[str]] | None:
    """The atoms of which the rule consists, as which rows and as what must hold; None when one is not known."""
    whole = text_of(rule["must"])
    if rule["shape"] == "table":
        return (set(), {whole + "T"}) if whole + "T" in keys else None
    must = [whole]
    if whole not in keys:
        parts = rule["must"]["conditions"] if rule["must"]["node"] == "any" else conjuncts(rule["must"])
        must = [text_of(part) for part in parts]
    if "tolerance" in rule and not all(key in keys for key in must):
        must = [text_of(normal(negated(json.loads(key)))) for key in must]
    must = [each for key in must for each in _split(key, keys)]
    where = [text_of(part) for part in conjuncts(rule.get("where"))]
    return (set(where), set(must)) if all(key in keys for key in (*where, *must)) else None


def _split(key: str, keys: set[str]) -> list[str]:
    node = json.loads(key)
    if key in keys or node.get("node") != "all":
        return [key]
    return [text_of(part) for part in node["conditions"]]


def train_atoms(lessons: Iterable[Lesson]) -> tuple[np.ndarray, float]:
    """The weights of features of atoms by which those that are meant stand out."""
    rows: list[np.ndarray] = []
    meant: list[bool] = []
    for one in lessons:
        found = meant_atoms(one.meant, {atom.key for atom in one.atoms})
        for number, atom in enumerate(one.atoms) if found is not None else ():
            for keys, role in zip(found or (), "wm", strict=True):
                if role == "m" or atom.chooses_rows:
                    rows.append(one.features[role][number])
                    meant.append(atom.key in keys)
    lengths = [len(row) for row in rows]
    matrix = sp.csr_matrix(
        (np.ones(sum(lengths), dtype=np.float32), np.concatenate(rows), np.cumsum([0, *lengths])),
        shape=(len(rows), 1 << BITS),
    )
    found_model = SGDClassifier(loss="log_loss", alpha=2e-6, max_iter=8, tol=None, average=True, random_state=1)
    found_model.fit(matrix, np.array(meant))
    return found_model.coef_[0].astype(np.float32), float(found_model.intercept_[0])


def compose(lessons: Iterable[Lesson], pruning: np.ndarray, bias: float) -> None:
    """Join the atoms of each sentence to rules."""
    weights = RankingModel(pruning, _NOTHING.joint, bias, {})
    for one in lessons:
        one.scored = scored(one.atoms, one.features, weights)
        one.candidates = candidates_of(one.scene, one.scored)


@dataclass
class _Packed:
    rules: sp.csr_matrix
    parts: sp.csr_matrix
    atoms: sp.csr_matrix
    right: list[int]


def _packed(one: Lesson, names: dict[str, int]) -> _Packed | None:
    right = one.right
    if not right:
        return None
    judge = Judge(one.scene, one.context)
    ids: list[int] = []
    amounts: list[float] = []
    ends = [0]
    for candidate in one.candidates:
        for name, amount in judge.features(candidate).items():
            ids.append(names.setdefault(name, len(names)))
            amounts.append(amount)
        ends.append(len(ids))
    rules = sp.csr_matrix((amounts, ids, ends), shape=(len(one.candidates), _RULE_FEATURES))
    place = {atom.key: number for number, atom in enumerate(one.atoms)}
    known: dict[tuple[int, str], int] = {}
    uses: list[int] = []
    use_ends = [0]
    for candidate in one.candidates:
        for parts, role in ((candidate.where, "w"), (candidate.must, "m")):
            uses += [known.setdefault((place[part.atom.key], role), len(known)) for part in parts]
        use_ends.append(len(uses))
    parts = sp.csr_matrix((np.ones(len(uses)), uses, use_ends), shape=(len(one.candidates), len(known)))
    features = [one.features[role][number] for number, role in known]
    atoms = sp.csr_matrix(
        (np.ones(sum(map(len, features))), np.concatenate(features), np.cumsum([0, *map(len, features)])),
        shape=(len(known), 1 << BITS),
    )
    return _Packed(rules, parts, atoms, right)


def train_rules(lessons: Sequence[Lesson], begun: RankingModel | None = None) -> tuple[dict[str, float], np.ndarray]:
    """The weights of rules and, with them, of atoms: softmax over each sentence's candidates, Adagrad, averaged.

    Weights that are `begun` are gone on with, in smaller steps, and stay near to what they were.
    """
    names: dict[str, int] = {"lw": 0, "lm": 1} | {name: at for at, name in enumerate(begun.rules if begun else ())}
    packed = [found for one in lessons if (found := _packed(one, names)) is not None]
    w, u = np.zeros(_RULE_FEATURES), np.zeros(1 << BITS)
    w[:2] = 5.0
    w2, u2 = np.full_like(w, 0.1), np.ones_like(u)
    if begun is not None:
        w[: len(begun.rules)], u[:] = list(begun.rules.values()), begun.joint
        w2[:], u2[:] = _SETTLED, 3 * _SETTLED
    start = (w.copy(), u.copy()) if begun is not None else (np.zeros_like(w), np.zeros_like(u))
    w_mean, u_mean = np.zeros_like(w), np.zeros_like(u)
    order, random = np.arange(len(packed)), np.random.default_rng(1)
    for epoch in range(EPOCHS):
        random.shuffle(order)
        for at in order:
            _step(packed[at], (w, w2), (u, u2), start)
        if epoch >= EPOCHS // 2:
            w_mean += w
            u_mean += u
    taken = EPOCHS - EPOCHS // 2
    return {name: float(w_mean[number] / taken) for name, number in names.items()}, (u_mean / taken).astype(np.float32)


def _step(
    one: _Packed,
    rule_weights: tuple[np.ndarray, np.ndarray],
    atom_weights: tuple[np.ndarray, np.ndarray],
    start: tuple[np.ndarray, np.ndarray],
) -> None:
    (w, w2), (u, u2) = rule_weights, atom_weights
    scores = one.rules @ w + one.parts @ (one.atoms @ u)
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    wanted = np.zeros_like(likely)
    wanted[one.right] = likely[one.right] / max(likely[one.right].sum(), 1e-12)
    wrong = likely - wanted
    told = np.unique(one.rules.indices)
    gradient = (one.rules.T @ wrong)[told] + DECAY * (w[told] - start[0][told])
    w2[told] += gradient * gradient
    w[told] -= RATE * gradient / np.sqrt(w2[told])
    told = np.unique(one.atoms.indices)
    by_atom = np.repeat(one.parts.T @ wrong, np.diff(one.atoms.indptr))
    gradient = np.bincount(one.atoms.indices, weights=by_atom, minlength=1)[told] + DECAY * (u[told] - start[1][told])
    u2[told] += gradient * gradient
    u[told] -= 0.4 * RATE * gradient / np.sqrt(u2[told])


def train(lessons: Sequence[Lesson]) -> RankingModel:
    """The whole model; rules are learnt from sentences whose atoms were judged by sentences of other sources."""
    half = {source: number % 2 for number, source in enumerate(sorted({one.source for one in lessons}))}
    halves = [[one for one in lessons if half[one.source] == side] for side in (0, 1)]
    for learnt, used in (halves, halves[::-1]):
        compose(used, *train_atoms(learnt))
    rules, joint = train_rules(lessons)
    pruning, bias = train_atoms(lessons)
    return RankingModel(pruning, joint, bias, rules)


def settle(model: RankingModel, lessons: Sequence[Lesson]) -> RankingModel:
    """The model gone on with on sentences of another kind: what it was taught stays where these say nothing."""
    compose(lessons, model.pruning, model.bias)
    rules, joint = train_rules(lessons, begun=model)
    far = {name: _PART_WAY * rules.get(name, 0) + (1 - _PART_WAY) * model.rules.get(name, 0) for name in rules}
    return RankingModel(model.pruning, _PART_WAY * joint + (1 - _PART_WAY) * model.joint, model.bias, far)
