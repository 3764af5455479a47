"""What a refusal asks: the readings that the words may have, judged by the guards, in canonical words."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import log

from pandas_magic.constraints import ColumnsRule, describe, reads
from pandas_magic.constraints.algebra.conditions import Any_, Compare, Condition, Exists, Matches, Present
from pandas_magic.constraints.algebra.expressions import Column, Now, Value
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
    objections,
    pointless_parts,
)
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.leaving_out import left_out, left_undone
from pandas_magic.planner.language.linking import DefinedMeant, Linked
from pandas_magic.planner.language.linking.spans import EVENT
from pandas_magic.planner.language.logic import all_of, any_of, opposite, replaced
from pandas_magic.planner.language.strict.sameness import sense

_MOST_ASKED = 3
# Of more candidates than are shown some are doubted, and most rows break some: the others still make three.
_MOST_CANDIDATES = 12
# From this probability on a proposal that differs makes a question of a reading: on the frozen sentences it asks about
# most of those read wrongly, and about one in twenty of those read rightly.
_CLEAR = 0.6
# Candidates that a second opinion weighs: with the 280 of a question it objects to the same frozen sentences.
_OPINION_BREADTH = 60
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
        propose=lambda: _askable((one for one in others if one not in offered), linked),
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
        piece = part.pattern.replace(r"\d", "[0-9]") if isinstance(part, Matches) else ""
        for form in makeups(text) if piece else ():
            if piece != form and piece in form:
                told = Matches.model_validate({**part.model_dump(), "pattern": form, "format": None})
                return constraint.model_copy(update={"must": all_of(told if one is part else one for one in parts)})
    return None


def second_opinion(linked: Linked, constraint: Constraint) -> Constraint | None:
    """What the proposals take the sentence for, where that is clearly something else; None where they do not object.

    The ranking shares no line with the reader: what one of them misreads, the other seldom misreads alike. One that
    does a word like "median" no justice says nothing against a reading that does, nor does one that counts nothing
    against "the number of orders".
    """
    from pandas_magic.planner.language.loose import propose

    reckoned = (meant for span in linked.segments() for meant in span.of(DefinedMeant))
    # Proposals are about rows, and know no quantity that the glossary defines.
    if isinstance(constraint, ColumnsRule) or any(getattr(meant, "quantity", None) for meant in reckoned):
        return None
    first = next(iter(propose(linked, most=1, breadth=_OPINION_BREADTH)), None)
    if first is None or first.probability < _CLEAR or first.undischarged:
        return None
    said = {cue for span in linked.segments() for cue in span.cues}
    if "COUNT" in said and _counts(constraint) and not _counts(first.constraint):
        return None
    mine, theirs = _of_references(constraint), _of_references(first.constraint)
    if sense(mine) == sense(theirs) or sense(_by_the_day(mine)) == sense(_by_the_day(theirs)):
        return None
    if _passes_over(first.constraint, constraint, linked) or _says_less_or_unsaid(first.constraint, constraint, linked):
        return None
    return None if objections(first.constraint, linked) else first.constraint


def _passes_over(other: Constraint, constraint: Constraint, linked: Linked) -> bool:
    """Whether the other looks at nothing that some words name, and the reading does."""
    named = [{meant.column for meant in span.columns if meant.tier <= EVENT} for span in linked.segments()]
    mine, theirs = ({one for some in reads(rule).values() for one in some} for rule in (constraint, other))
    return any(columns & mine and not columns & theirs for columns in named)


def _says_less_or_unsaid(other: Constraint, constraint: Constraint, linked: Linked) -> bool:
    """Whether the other differs in what the sentence does not say, or in what it says and the other leaves out.

    A limit where a number is told, a column that no word names; one of the conditions, one half of "closed ones have
    it, and all others don't", and that a text is more than nothing where it is not empty.
    """
    if not isinstance(other, RowRule) or not isinstance(constraint, RowRule):
        return False
    ways = (part for part in conjuncts(constraint.must) if isinstance(part, Any_))
    if any(sense(constraint.model_copy(update={"must": part})) == sense(other) for part in ways):
        return True
    if not _conditions(other) <= _conditions(constraint):
        return False
    mine, theirs = _demands(constraint), _demands(other)
    named = {meant.column for span in linked.segments() for meant in span.columns if meant.tier <= EVENT}
    theirs = {one for one in theirs if one in mine or not _is_of_another(one, named)}
    mine -= {one for one in mine - theirs if isinstance(one, Compare) and one.right == Value(value="")}
    cues = {cue for span in linked.segments() for cue in span.cues}
    if cues.isdisjoint(("GE", "LE", "GT", "LT")):
        mine, theirs = ({_as_equal(one) for one in parts} for parts in (mine, theirs))
    return mine == theirs


def _conditions(rule: RowRule) -> set[Condition]:
    return {*conjuncts(rule.where)} if rule.where is not None else set()


def _demands(rule: RowRule) -> set[Condition]:
    plain = _of_references(rule)
    return {*conjuncts(plain.must)} if isinstance(plain, RowRule) else set()


def _is_of_another(part: Condition, named: set[str]) -> bool:
    return isinstance(part, Present) and isinstance(part.of, Column) and part.of.name not in named


def _as_equal(part: Condition) -> Condition:
    is_limit = isinstance(part, Compare) and part.relation in ("<=", ">=") and isinstance(part.right, Value)
    return part.model_copy(update={"relation": "=="}) if is_limit else part


def _counts(constraint: Constraint) -> bool:
    return any(getattr(node, "statistic", "") in ("count", "distinct") for node in every_node(constraint))


def _of_references(constraint: Constraint) -> Constraint:
    """The rule without the demand that what refers to other rows is there: which of both is meant the grammar knows."""
    if not isinstance(constraint, RowRule):
        return constraint
    parts = conjuncts(constraint.must)
    referring = [key for part in parts if isinstance(part, Exists) for key in part.of]
    kept = [part for part in parts if not (isinstance(part, Present) and part.of in referring)]
    return constraint.model_copy(update={"must": all_of(kept)}) if len(kept) < len(parts) else constraint


def _by_the_day(constraint: Constraint) -> Constraint:
    """The rule with the run's day for its time: which of both "today" and "in the future" are the grammar knows."""
    return replaced(constraint, Now(), Now(midnight=True))


def _proposing(linked: Linked) -> Callable[[], tuple[Reading, ...]]:
    return lambda: _askable(likeliest(linked), linked)


def _askable(proposed: Iterable[Constraint | Reading], linked: Linked, left: Left = left_out) -> tuple[Reading, ...]:
    """The first of the readings whose canonical words are read back as themselves, and which a row can break.

    More than are shown: the rows tell which are the less likely. `left` tells what of the sentence each leaves out.
    """
    able = (
        reading
        for reading in (one if isinstance(one, Reading) else Reading(describe(one), one) for one in proposed)
        if reading.constraint is not None
        and read_canonical(reading.sentence) == reading.constraint
        and not pointless_parts(reading.constraint)
    )
    asked = islice(able, _MOST_CANDIDATES)
    return tuple(replace(one, leaves_out=left(one.constraint, linked)) for one in asked if one.constraint is not None)


def _own_words(suggestions: Sequence[str]) -> tuple[str, ...]:
    """The suggestions that are the rule itself, mended; forms with the names of other tables stand in quotes."""
    return tuple(suggestion for suggestion in suggestions if not suggestion.startswith('"'))
