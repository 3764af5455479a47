"""What a refusal asks: the readings that the words may have, judged by the guards, in canonical words."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import log

from pandas_magic.constraints import describe
from pandas_magic.constraints.algebra.conditions import Matches
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.errors import Reading, RuleNotUnderstood
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import (
    as_held,
    as_spelt,
    by_days,
    by_names,
    by_numbers,
    by_twins,
    exactly_one,
    functions_left,
    grave_objections,
    in_all_spellings,
    misread_signs,
    more_than_none,
    never_blank,
    pointless_parts,
)
from pandas_magic.planner.language.leaving_out import left_out, left_undone
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.logic import all_of, any_of, opposite

_MOST_ASKED = 3
# Of more candidates than are shown some are doubted, and most rows break some: the others still make three.
_MOST_CANDIDATES = 12
# Below it parts of the sentence are looked at by themselves.
_LIKELY = 0.5
# Of a line with more stretches that are not understood nothing is guessed; of each the likeliest are.
_MOST_UNREAD, _MOST_EACH = 2, 2
# One that a person sees at once: the number of a ticket, the wrong value of a story, when it was, of how many a price
# is. It halves the likelihood.
_LEFT_OUT = re.compile(
    r'nothing in it stands for (?!what follows)|"[^"]+": nothing in it (looks at|knows what) '
    r'|"per (?:\d[^"]*|dozen|hundred|thousand)": nothing in it takes rows together'
)
_HALVED = 0.5
Left = Callable[[Constraint, Linked], tuple[str, ...]]


def doubted(
    linked: Linked, constraint: Constraint, doubts: Sequence[str], others: Iterable[Constraint | Reading] = ()
) -> RuleNotUnderstood:
    """The question about a reading that is doubted: it is shown first, and taken only when a person chooses it.

    `others` are looked at when somebody asks for them.
    """
    told = "; ".join(linked.quoted(doubt) for doubt in doubts)
    reason = f'I read this as "{describe(constraint)}", but {told}.'
    offered: list[Constraint] = []
    wider = (turn(constraint, linked) for turn in (in_all_spellings, more_than_none, exactly_one, as_spelt))
    turned = (turn(constraint, linked.tables) for turn in (as_held, by_days, by_names, by_numbers, by_twins))
    for one in (constraint, *wider, *turned):
        offered += [one] if one is not None and one not in offered else []  # not all of them can be hashed
    return RuleNotUnderstood(
        linked.rule,
        reason,
        readings=_askable(offered, linked, left_undone),
        propose=lambda: _askable(others, linked, besides=offered),
    )


def several(linked: Linked, constraints: Sequence[Constraint], problem: str = "") -> RuleNotUnderstood:
    """The question which of several readings is meant; `problem` says why there are several."""
    able = _askable(constraints, linked, left_undone)[:_MOST_ASKED]
    readings = able or tuple(Reading(describe(one), one) for one in constraints)[:_MOST_ASKED]
    listed = "; ".join(f"({number}) {one}" for number, one in enumerate(readings, 1))
    reason = f"the rule can mean different things, write the one that is meant as the rule: {listed}"
    return RuleNotUnderstood(linked.rule, problem or reason, readings=readings)


def asking(refusal: RuleNotUnderstood, linked: Linked | None, problem: str = "") -> RuleNotUnderstood:
    """The refusal with what may be meant, in the person's own names; `problem` is what a door found wrong."""
    if refusal.is_ambiguous:
        return refusal
    return RuleNotUnderstood(
        refusal.rule,
        problem or refusal.reason,
        unknown=refusal.unknown,
        suggest=lambda: _own_words(refusal.suggestions),
        propose=_proposing(linked) if linked is not None else tuple,
        advice=refusal.advice,
    )


def likeliest(linked: Linked) -> Iterator[Reading]:
    """What the sentence may mean and no guard doubts, best first; some readings that leave a number or text out."""
    # The ranking needs numpy, which a rule that is understood at once does not.
    from pandas_magic.planner.language.loose import telling_parts, told, without_label

    linked = without_label(linked)
    found = list(_undoubted(linked, or_leaving_out=True))
    if not found or found[0][0] < _LIKELY:
        for part in telling_parts(linked):
            # What a part leaves out of the names makes it less likely that it is all that is meant.
            found += (
                (likely * told(part, linked), rule)
                for likely, rule in _undoubted(part, or_leaving_out=True)
                if not any((*functions_left(rule, linked), *misread_signs(rule, linked)))
            )
    best: list[Reading] = []
    for likely, rule in sorted(found, key=lambda one: -one[0]):
        if all(rule != known.constraint for known in best):
            best.append(Reading(describe(rule), rule, surprise=-log(likely)))
    filled = never_blank(best[0].constraint, linked.tables) if best and best[0].constraint is not None else None
    if filled is not None and all(filled != known.constraint for known in best):
        best.insert(2, replace(best[0], sentence=describe(filled), constraint=filled))
    yield from best


def _undoubted(linked: Linked, *, or_leaving_out: bool = False) -> Iterator[tuple[float, Constraint]]:
    """The proposals to which a guard objects at most that one of several is not said, with their probabilities.

    With `or_leaving_out` the likeliest of those as well that only leave out a number, a text or a time of the sentence.
    """
    from pandas_magic.planner.language.loose import propose

    leaving_out: list[Constraint] = []

    def fits(constraint: Constraint) -> bool:
        doubts = grave_objections(constraint, linked)
        if doubts and or_leaving_out and len(leaving_out) < _MOST_ASKED and all(map(_LEFT_OUT.match, doubts)):
            leaving_out.append(constraint)
            return True
        return not doubts

    for proposal in propose(linked, most=_MOST_CANDIDATES, fits=fits):
        share = _HALVED if proposal.constraint in leaving_out else 1.0
        told = by_days(proposal.constraint, linked.tables)
        for constraint in (told, proposal.constraint) if told is not None else (proposal.constraint,):
            yield share * proposal.probability, constraint


def completed(constraint: Constraint, unread: Sequence[Linked]) -> Iterator[Constraint]:
    """The rule with what the stretches that no door understood may demand besides, the likeliest first."""
    if not isinstance(constraint, RowRule) or constraint.where is not None or len(unread) > _MOST_UNREAD:
        return
    proposed = ([rule for _, rule in islice(_undoubted(stretch), _MOST_EACH)] for stretch in unread)
    for rules in product(*proposed):
        demands = [
            rule.must if rule.where is None else any_of((opposite(rule.where), rule.must))
            for rule in rules
            if isinstance(rule, RowRule) and rule.tolerance is None
        ]
        if len(demands) == len(unread):
            yield constraint.model_copy(update={"must": all_of((constraint.must, *demands))})


def in_whole_form(constraint: Constraint, text: str) -> Constraint | None:
    """The rule with the form that the words describe, where it holds a piece of it, cut at a comma; else None."""
    from pandas_magic.planner.language.loose import makeups

    parts = conjuncts(constraint.must) if isinstance(constraint, RowRule) else ()
    for part in parts:
        piece = part.pattern if isinstance(part, Matches) else ""
        for form in makeups(text) if piece else ():
            if piece != form and piece in form:
                told = Matches.model_validate({**part.model_dump(), "pattern": form, "format": None})
                return constraint.model_copy(update={"must": all_of(told if one is part else one for one in parts)})
    return None


def _proposing(linked: Linked) -> Callable[[], tuple[Reading, ...]]:
    return lambda: _askable(likeliest(linked), linked)


def _askable(
    proposed: Iterable[Constraint | Reading],
    linked: Linked,
    left: Left = left_out,
    *,
    besides: Sequence[Constraint] = (),
) -> tuple[Reading, ...]:
    """The first of the readings whose canonical words are read back as themselves, and which a row can break.

    More than are shown: the rows tell which are the less likely. `left` tells what of the sentence each leaves out.
    """
    known, able = [*besides], []
    for reading in (one if isinstance(one, Reading) else Reading(describe(one), one) for one in proposed):
        rule = reading.constraint
        if rule is None or rule in known or read_canonical(reading.sentence) != rule or pointless_parts(rule):
            continue
        known.append(rule)
        able.append(replace(reading, leaves_out=left(rule, linked)))
        if len(able) == _MOST_CANDIDATES:
            break
    return tuple(able)


def _own_words(suggestions: Sequence[str]) -> tuple[str, ...]:
    """The suggestions that are the rule itself, mended; forms with the names of other tables stand in quotes."""
    return tuple(suggestion for suggestion in suggestions if not suggestion.startswith('"'))
