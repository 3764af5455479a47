"""What speaks for a whole rule: its parts, what of the sentence it leaves unexplained, how its parts stand in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pandas_magic.planner.language.loose.candidate import Candidate
from pandas_magic.planner.language.loose.context import Context
from pandas_magic.planner.language.loose.demands import DEMANDS
from pandas_magic.planner.language.loose.scene import Mention, Scene


@dataclass(frozen=True)
class RuleWeights:
    """How much each feature of a rule counts."""

    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """The weighted sum."""
        known = self.weights
        return sum([known[name] * amount for name, amount in features.items() if name in known])


def left_over(mention: Mention, scene: Scene) -> str | None:
    """What a mention is that a rule does not rest on, or None when it need not be explained."""
    if mention.number is not None:
        return "un:N"
    if mention.is_text or mention.date:
        return "un:Q"
    plain = not mention.tables
    if mention.columns and plain and mention.tier <= 0.5:
        return "un:C0"
    if mention.columns and plain and mention.tier <= 2 and not mention.cues:
        return "un:C2"
    if mention.values and plain:
        return "un:V"
    if mention.truths or mention.defined:
        return "un:B"
    if mention.columns and plain and not mention.cues:
        return "un:C5"
    if mention.tables and scene.target not in mention.tables:
        return "un:T"
    return "un:word" if mention.is_word else None


class Judge:
    """The features of the candidates of one rule; what is the same for all of them is worked out once."""

    def __init__(self, scene: Scene, context: Context) -> None:
        self.scene, self.context = scene, context
        self.left = {
            at: left for at, mention in enumerate(scene.mentions) if (left := left_over(mention, scene)) is not None
        }
        self.demands = {f"open|{cue}": DEMANDS[cue] for cue in context.cues if cue in DEMANDS}
        self._of_shapes: dict[str, dict[str, float]] = {}
        self.nots = min(2, sum("NOT" in mention.cues for mention in scene.mentions))

    def features(self, candidate: Candidate) -> dict[str, float]:
        """What speaks for and against the candidate, by name."""
        found: dict[str, float] = {}
        wheres = [part.as_where for part in candidate.where]
        musts = [part.as_must for part in candidate.must]
        found["lw"], found["lm"] = sum(wheres) / 10, sum(musts) / 10
        found["least"] = min([*wheres, *musts]) / 10
        places = candidate.places
        used = set(places)
        shape = f"{len(candidate.where)}{candidate.mode}{len(candidate.must)}"
        found.update(self._shaped(shape))
        musts_said, wheres_said = (
            "+".join(sorted(_family(part.atom.family) for part in some)) for some in (candidate.must, candidate.where)
        )
        found[f"kinds|{musts_said}<{wheres_said}"] = 1
        found["over"] = len(places) - len(used)
        for at, left in self.left.items():
            if at not in used:
                found[left] = found.get(left, 0) + 1
        found.update({name: 1 for name, is_met in self.demands.items() if not is_met(candidate.key)})
        self._order(candidate, found)
        found["tier"] = sum(min(part.atom.tier, 6) for part in (*candidate.where, *candidate.must))
        found["slots"] = len(used)
        denials = min(2, candidate.key.count('"not"') + candidate.key.count("!="))
        found[f"neg{self.nots}|{denials}|{candidate.must[0].atom.family}"] = 1
        return found

    def _shaped(self, shape: str) -> dict[str, float]:
        if shape not in self._of_shapes:
            cues = {f"{cue}|{shape}": 1.0 for cue in self.context.cues}
            self._of_shapes[shape] = {f"shape|{shape}": 1.0, **cues}
        return self._of_shapes[shape]

    def nothing(self, judged: Sequence[Mapping[str, float]]) -> dict[str, float]:
        """What speaks for none of the candidates being meant; `judged` are their features."""
        found = {"nothing": 1.0, "nothing|words": sum(left == "un:word" for left in self.left.values()) / 3}
        for sign, names in (("un:", {*self.left.values()}), ("open|", self.demands)):
            least = min((sum(one.get(name, 0) for name in names) for one in judged), default=9)
            found[f"nothing|{sign}{min(4, int(least))}"] = 1
        found |= {f"nothing|{cue}": 1 for cue in self.context.cues}
        return found

    def _order(self, candidate: Candidate, found: dict[str, float]) -> None:
        where = [at for part in candidate.where for _, at in part.atom.slots]
        must = [at for part in candidate.must for _, at in part.atom.slots]
        if not where:
            return
        found["w<m" if max(where) < min(must) else "w>m" if min(where) > max(must) else "wxm"] = 1
        context = self.context
        for name, at in (("if", context.condition), ("un", context.exception), ("mu", context.must)):
            if at is not None:
                found[f"{name}{'<' if at < min(where) else '>'}w{'<' if at < min(must) else '>'}m"] = 1


def _family(family: str) -> str:
    return family.rstrip("<>=!")
