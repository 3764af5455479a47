"""Rules that a sentence may mean, the likeliest first: to ask a person with, never to accept."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from pydantic import TypeAdapter, ValidationError

from pandas_magic.constraints import Constraint, check_types, contradictions
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.loose.composing import Candidate, in_order_said
from pandas_magic.planner.language.loose.nodes import meaning_key
from pandas_magic.planner.language.loose.ranking import Ranked, model
from pandas_magic.planner.language.loose.scene import Scene

# A sentence that names no table is tried on so many of those whose names it uses.
_MOST_TABLES = 3
# Candidates that are looked at until enough of them make sense.
_MOST_TRIED = 40
# Less likely ones are no help: chosen where nonsense gets nothing.
FLOOR = 0.02


@dataclass(frozen=True)
class ProposedRule:
    """A rule that the sentence may mean; `unexplained` are the words that it does not account for."""

    constraint: Constraint
    probability: float
    unexplained: tuple[str, ...]


def propose(linked: Linked, *, most: int = 3) -> tuple[ProposedRule, ...]:
    """The likeliest meanings, best first; none when nothing is likely.

    The probabilities compare the candidates with each other and with none of them being meant.
    """
    ranked = [Ranked(Scene(linked, table), model()) for table in likely_tables(linked)]
    pool = [(score, one, number) for one in ranked for number, score in enumerate(one.scores)]
    if not pool:
        return ()
    scores = np.array([score for score, _, _ in pool])
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    nothing = np.array([one.nothing for one in ranked if one.scores])
    sure = 1 / (1 + np.exp(_log_sum(nothing) - _log_sum(scores)))
    found: dict[str, ProposedRule] = {}
    for at in np.argsort(-likely, kind="stable")[:_MOST_TRIED]:
        _, one, number = pool[at]
        if likely[at] < FLOOR or len(found) == most:
            break
        meaning = meaning_key(one.candidates[number].rule)
        for constraint in _sensible(one.candidates[number], linked) if meaning not in found else ():
            found[meaning] = ProposedRule(constraint, float(sure * likely[at]), _unexplained(one, number))
    return tuple(found.values())


def _log_sum(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(scores.max() + np.log(np.exp(scores - scores.max()).sum()))


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


def _sensible(candidate: Candidate, linked: Linked) -> Iterator[Constraint]:
    """The candidate as a constraint, when its types fit and it can be broken."""
    try:
        constraint = _constraints().validate_python(in_order_said(candidate))
    except ValidationError:
        return
    if not check_types(constraint, linked.tables) and not contradictions(constraint):
        yield constraint


def _unexplained(ranked: Ranked, number: int) -> tuple[str, ...]:
    used = set(ranked.candidates[number].places)
    return tuple(
        m.text for m in ranked.scene.mentions if m.place not in used and (m.is_word or (m.names and not m.cues))
    )
