"""Rules that a sentence may mean, the likeliest first: to ask a person with, never to accept."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from pydantic import TypeAdapter, ValidationError

from pandas_magic.constraints import Constraint, check_types, contradictions
from pandas_magic.planner.language.linking import Linked, NumberMeant, TextMeant
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.loose.candidate import Candidate, in_order_said
from pandas_magic.planner.language.loose.composing import MOST_CANDIDATES, SIGNLESS
from pandas_magic.planner.language.loose.nodes import Node, conjuncts, meaning_key
from pandas_magic.planner.language.loose.ranking import Ranked, likelihoods, model
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.openings import LABEL

# A sentence that names no table is tried on so many of those whose names it uses.
_MOST_TABLES = 3
# Candidates that are looked at until enough of them make sense.
_MOST_TRIED = 80
# Less likely ones are no help: chosen where nonsense gets nothing, with the rows to tell which of the others are meant.
FLOOR = 0.004
_MOST_ALIKE = 2
# Clauses of one stretch, and stretches that are looked at by themselves.
_MOST_CLAUSES, _MOST_STRETCHES = 4, 2
_CODE = frozenset(("=", "==", "<", ">", "<=", ">=", "!=", "<>", "~", "|", "::", "*"))
_MARKS = frozenset((",", ";", ":", ".", "!", "?", "–", "(", ")"))


@dataclass(frozen=True)
class ProposedRule:
    """A rule that the sentence may mean.

    `undischarged` are the words of the language that it does no justice to: "percentile" where it has no quantile.
    """

    constraint: Constraint
    probability: float
    undischarged: tuple[str, ...]


def propose(
    linked: Linked,
    *,
    most: int = 3,
    fits: Callable[[Constraint], bool] = lambda _: True,
    breadth: int = MOST_CANDIDATES,
) -> tuple[ProposedRule, ...]:
    """The likeliest meanings that fit, best first; none when nothing is likely.

    The probabilities compare the candidates with each other and with none of them being meant; of less `breadth` are
    fewer of them.
    """
    ranked = [Ranked(Scene(linked, table), model(), breadth) for table in likely_tables(linked)]
    pool = [(one, number) for one in ranked for number in range(len(one.scores))]
    if not pool:
        return ()
    likely = likelihoods(ranked)
    floor = FLOOR * likely.sum()
    found: dict[str, ProposedRule] = {}
    alike: Counter[object] = Counter()
    for at in np.argsort(-likely, kind="stable")[:_MOST_TRIED]:
        one, number = pool[at]
        if likely[at] < floor or len(found) == most:
            break
        meaning = meaning_key(one.candidates[number].rule)
        for constraint in sensible(one.candidates[number], linked) if meaning not in found else ():
            if fits(constraint) and alike[_kind_of(one.candidates[number])] < _MOST_ALIKE:
                alike[_kind_of(one.candidates[number])] += 1
                found[meaning] = ProposedRule(constraint, float(likely[at]), _undischarged(one, number))
    return tuple(found.values())


def _kind_of(candidate: Candidate) -> object:
    """What the rule asks, of what, but for how: of rules that differ in a sign alone, few are worth a question."""
    return [
        sorted((part.atom.shape.replace("NOWm", "NOW").translate(SIGNLESS), part.atom.slots) for part in parts)
        for parts in (candidate.where, candidate.must)
    ].__repr__()


def without_label(linked: Linked) -> Linked:
    """The sentence without the number of the ticket before it: "REG-22:", "Ticket #88:"; unless it is of the data."""
    found = LABEL.match(linked.text)
    if found is None or found[1] in linked.names.literals:
        return linked
    start = next((at for at, token in enumerate(linked.tokens) if token.start >= found.end()), 0)
    return linked.part(start, len(linked.tokens)) if start else linked


def telling_parts(linked: Linked) -> Iterator[Linked]:
    """The stretches of whole clauses that name the most, without what is told around them, the shortest first."""
    if any(token.text in _CODE for token in linked.tokens):
        return
    clauses = list(_clauses(linked))
    naming = [bool(_worth(linked, *clause)) for clause in clauses]
    stretches = [
        (clauses[first][0], clauses[last][1])
        for first in range(len(clauses))
        for last in range(first, min(first + _MOST_CLAUSES, len(clauses)))
        if naming[first] and naming[last] and last - first + 1 < len(clauses)
    ]
    worth = {stretch: _worth(linked, *stretch) for stretch in stretches}
    least = max(worth.values(), default=0) / 2  # what names less is a condition, or a story
    telling = (stretch for stretch in stretches if worth[stretch] >= least)
    best = sorted(telling, key=lambda one: (-worth[one], one[1] - one[0]))
    yield from (linked.part(*stretch) for stretch in best[:_MOST_STRETCHES])


def told(part: Linked, whole: Linked) -> float:
    """How much of what the whole names the part names, 0 to 1."""
    named = [_worth(one, 0, len(one.tokens)) for one in (part, whole)]
    return min(1.0, named[0] / named[1]) if named[1] else 1.0


def _clauses(linked: Linked) -> Iterator[tuple[int, int]]:
    marks = [place for place, token in enumerate(linked.tokens) if token.text in _MARKS]
    for start, end in pairwise((-1, *marks, len(linked.tokens))):
        if end > start + 1:
            yield start + 1, end


def _worth(linked: Linked, start: int, end: int) -> int:
    """How many names and constants are said there, and whether something is demanded."""
    spans = [span for span in linked.segments() if start <= span.start and span.end <= end]
    naming = sum((span.is_mention and span.tier <= PART) or bool(span.of(NumberMeant, TextMeant)) for span in spans)
    return naming + any("MUST" in span.cues for span in spans) if naming else 0


def likely_tables(linked: Linked) -> list[str]:
    """The target; without one the tables whose rows, columns or values the sentence names, the most named first."""
    if linked.target is not None:
        return [linked.target]
    named: dict[str, float] = {}
    for span in linked.segments():
        for meaning in span.meanings:
            table = getattr(meaning, "table", None)
            if table is not None:
                named[table] = named.get(table, 0) + 1 / (1 + span.tier)
    return sorted(named, key=lambda table: -named[table])[:_MOST_TABLES] or list(linked.tables)[:1]


@cache
def _constraints() -> TypeAdapter[Constraint]:
    return TypeAdapter(Constraint)


def sensible(candidate: Candidate, linked: Linked) -> Iterator[Constraint]:
    """The candidate as a constraint, when its types fit, it can be broken, and no part of it says what another does."""
    if _says_twice(conjuncts(candidate.rule["must"])):
        return
    try:
        constraint = _constraints().validate_python(in_order_said(candidate))
    except ValidationError:
        return
    if not check_types(constraint, linked.tables) and not contradictions(constraint):
        yield constraint


def _says_twice(parts: list[Node]) -> bool:
    """Like "is in orders, and is in the paid orders"."""
    known = [part for part in parts if part["node"] == "exists"]
    places = [[part["of"], part["table"]] for part in known]
    return any(part.get("where") is None and places.count(place) > 1 for part, place in zip(known, places, strict=True))


def _undischarged(ranked: Ranked, number: int) -> tuple[str, ...]:
    open_cues = {name.removeprefix("open|") for name in ranked.features[number] if name.startswith("open|")}
    return tuple(mention.text for mention in ranked.scene.mentions if not open_cues.isdisjoint(mention.cues))
