"""From a sentence to its one meaning, or to a refusal that says why: canonical words, doors, prose, in this order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, describe
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import NoSuchName, RuleNotUnderstood
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.dialogue import (
    asking,
    completed,
    doubted,
    in_whole_form,
    likeliest,
    several,
)
from pandas_magic.planner.language.doors import DoorAnswer, read_by_doors
from pandas_magic.planner.language.fitting import nearly_canonical
from pandas_magic.planner.language.guards import (
    all_repeated,
    called_alike,
    grave_objections,
    in_all_spellings,
    joins_in_doubt,
    objections,
    pointless_parts,
    untyped_elsewhere,
    values_missed,
)
from pandas_magic.planner.language.linking import Linked, link
from pandas_magic.planner.language.named_outright import named_outright
from pandas_magic.planner.language.openings import of_its_table, without_label
from pandas_magic.planner.language.passing_over import nearest
from pandas_magic.planner.language.refusing import not_understood
from pandas_magic.planner.language.second_opinion import second_opinion
from pandas_magic.planner.language.strict import read_by_content, read_strictly
from pandas_magic.planner.language.strict.sameness import sense

Explanation = tuple[tuple[str, str], ...]
# A longer text is not one rule; reading it would only take time.
MAX_CHARACTERS = 1_000


@dataclass(frozen=True)
class Understood:
    """A rule's meaning: the constraint, the rule in canonical words, and how each piece of the sentence was read."""

    constraint: Constraint
    echo: str
    explanation: tuple[tuple[str, str], ...]


def compile_rule(
    rule: str, tables: Mapping[str, Table], *, target: str | None = None, locale: str = "en"
) -> Understood:
    """The one meaning of the rule on these tables.

    `target` names the table whose rows are checked when the sentence does not say; with one table it is that one.
    `locale` says how numbers are written ("de": 1.000,5).

    Raises: RuleNotUnderstood when a word is not explained, when no reading is left, or when there are several;
    NoSuchName for a target that is not there.
    """
    _refuse_by_size(rule)
    if target is not None and target not in tables:
        raise NoSuchName("table", target, tables)
    canonical = read_canonical(rule)
    if canonical is not None and not check_types(canonical, tables):
        return _sensible(rule, canonical, ((rule.strip(), "canonical words"),))
    said = of_its_table(without_label(rule, tables), tables)
    if said != rule:
        return _as_said(said, rule, compile_rule(said, tables, target=target, locale=locale))
    answer = read_by_doors(rule, tables, target=target) if locale == "en" else None
    if answer is not None and answer.is_settled:
        return _settled(rule, answer, tables, target)
    linked = link(rule, tables, target=target, locale=locale)
    readings = read_strictly(linked) or read_by_content(linked, locale=locale)
    if answer is not None and answer.constraint is not None and not readings:
        return _settled(rule, answer, tables, target)
    if len(readings) > 1:
        # What a guard objects to is a misreading, and leaves the others; what is merely not said leaves both.
        readings = tuple(one for one in readings if not grave_objections(one.constraint, linked)) or readings
    if len(readings) > 1:
        spelt = in_all_spellings(readings[0].constraint, linked)
        raise several(linked, [*([spelt] if spelt is not None else ()), *(reading.constraint for reading in readings)])
    if not readings:
        return _put_or_asked(linked, answer, locale)
    return _undoubted(linked, readings[0].constraint, readings[0].explanation, seconded=True)


def _put_or_asked(linked: Linked, answer: DoorAnswer | None, locale: str) -> Understood:
    """The sentence with names put for what they are called. Raises: RuleNotUnderstood where that is no rule either."""
    if answer is not None:
        raise _unread(linked, answer.problem, locale=locale)
    said = named_outright(linked.rule, linked.tables, linked.target)
    put = _with_names_put(linked, said, locale) if said else None
    if put is None:
        there = link(said, linked.tables, target=linked.target, locale=locale) if said else linked
        raise _nearly_read(there, linked, locale) or _unread(linked, "", locale=locale)
    return put


def _nearly_read(there: Linked, linked: Linked, locale: str) -> RuleNotUnderstood | None:
    """The question about what the sentence says, `there` in other words, but for words that name nothing; else None."""
    meant, doubts = nearest(there, locale)
    if not meant:
        return None
    there = replace(there, rule=linked.rule)
    return doubted(there, meant[0], doubts, others=chain(meant[1:], likeliest(there)))


def _with_names_put(linked: Linked, said: str, locale: str) -> Understood | None:
    """The rule as it reads with names in place of what they are called; None where that is a question."""
    try:
        return _as_said(said, linked.rule, compile_rule(said, linked.tables, target=linked.target, locale=locale))
    except RuleNotUnderstood:
        return None


def _as_said(said: str, rule: str, found: Understood) -> Understood:
    """What was found of the rule in other words, which the explanation tells."""
    return replace(found, explanation=((rule.strip(), f"the same as {said}"), *found.explanation))


def _unread(linked: Linked, problem: str, *, locale: str) -> RuleNotUnderstood:
    """What is asked about a sentence that no reader takes; `problem` is what a door found wrong."""
    nearly = nearly_canonical(linked.rule, linked.tables) if locale == "en" else None
    if nearly is not None:
        return doubted(linked, nearly, ("it is put nearly in canonical words, and not wholly",))
    return asking(not_understood(linked, lambda other: _is_understood(other, linked)), linked, problem)


def restated_rule(sentence: str, tables: Mapping[str, Table], *, target: str | None = None) -> Constraint:
    """What a sentence means that a model says in place of a rule: in nearly canonical words, too.

    Whether it says what the rule says is for others to judge.

    Raises: RuleNotUnderstood as `compile_rule`, and with the reading as a question where the data leave it in doubt.
    """
    nearly = nearly_canonical(sentence, tables)
    if nearly is None:
        return compile_rule(sentence, tables, target=target).constraint
    if doubts := _doubts_of(nearly, tables):
        raise doubted(link(sentence, tables, target=target), nearly, doubts)
    return _sensible(sentence, nearly, ()).constraint


def _is_understood(rule: str, linked: Linked) -> bool:
    """Whether the strict reader has one meaning for the rule on the same tables."""
    return len(_strict_readings(rule, linked.tables, linked.target)) == 1


def _strict_readings(rule: str, tables: Mapping[str, Table], target: str | None) -> list[Constraint]:
    try:
        return [reading.constraint for reading in read_strictly(link(rule, tables, target=target))]
    except RuleNotUnderstood:  # it may be no text for it: "decimal(8,2)"
        return []


def _settled(rule: str, answer: DoorAnswer, tables: Mapping[str, Table], target: str | None) -> Understood:
    """The rule as a door read it.

    Code has nothing that guards made for prose could object to; of a line of a data dictionary they judge the words
    that demand something: "DECIMAL(8,1)" alone holds no number.

    Raises: RuleNotUnderstood with what was read as a question when some of it is in doubt, or left.
    """
    if answer.constraint is None and answer.is_code and answer.others:
        raise several(link(rule, tables, target=target), answer.others, answer.problem)
    if answer.constraint is None:
        refusal = RuleNotUnderstood(rule, answer.problem)
        raise refusal if answer.is_code else asking(refusal, link(rule, tables, target=target))
    doubts = _doubts_of(answer.constraint, tables, answer.doubts) if answer.is_code else answer.doubts
    doubts = (*doubts, *called_alike(answer.constraint, tables, rule))
    if target is None:
        doubts = (*doubts, *untyped_elsewhere(answer.constraint, tables, rule))
    if answer.is_code and not doubts:
        return _sensible(rule, answer.constraint, answer.explanation)
    linked = replace(link(answer.claims or rule, tables, target=target), rule=rule)
    if doubts:
        unread = [link(text, tables, target=target) for text in answer.unread]
        whole = in_whole_form(answer.constraint, rule)
        others = (
            *answer.others,
            *((whole,) if whole is not None else ()),
            *islice(completed(answer.constraint, unread), 2),
        )
        raise doubted(linked, answer.constraint, doubts, others=others)
    # Sentences pass through doors, too: what the reader of sentences takes otherwise is asked.
    read = [one for one in _strict_readings(rule, tables, target) if one.table == answer.constraint.table]
    if read and all(sense(one) != sense(answer.constraint) for one in read):
        doubts = (f'it may as well mean "{describe(read[0])}"',)
        raise doubted(linked, answer.constraint, doubts, others=read)
    return _undoubted(linked, answer.constraint, answer.explanation)


def _doubts_of(constraint: Constraint, tables: Mapping[str, Table], known: Sequence[str] = ()) -> tuple[str, ...]:
    """What must be asked of a rule in code, or nearly; guards made for prose have nothing to object to it."""
    if pointless_parts(constraint):
        return ()
    return (*known, *joins_in_doubt(constraint, tables), *values_missed(constraint, tables), *all_repeated(constraint))


def _undoubted(
    linked: Linked, constraint: Constraint, explanation: Explanation, *, seconded: bool = False
) -> Understood:
    """The understood rule; with `seconded`, only where the proposals do not clearly say something else.

    Raises: RuleNotUnderstood with the reading as a question when a guard doubts it.
    """
    if pointless_parts(constraint):
        return _sensible(linked.rule, constraint, explanation)
    doubts = (*objections(constraint, linked), *(_of_other_rows(constraint, linked) if seconded else ()))
    other = second_opinion(linked, constraint) if seconded and not doubts else None
    if other is not None:
        doubts = (f'it may as well mean "{describe(other)}"',)
    if doubts:
        raise doubted(linked, constraint, doubts, others=(other,) if other is not None else likeliest(linked))
    return Understood(constraint, describe(constraint), explanation)


def _of_other_rows(constraint: Constraint, linked: Linked) -> tuple[str, ...]:
    """The doubt about a reading of another table than the target, unless the sentence says "table.column"."""
    if linked.target is None or constraint.table == linked.target:
        return ()
    if re.search(rf"\b{re.escape(constraint.table.lower())}(?:\.\w|\s*:)", linked.text.lower()):
        return ()
    return (f"it is about the rows of {constraint.table}, not of {linked.target}",)


def _refuse_by_size(rule: str) -> None:
    """Raises: RuleNotUnderstood for a text that is empty, or longer than one rule."""
    if not rule.strip(" .!;\n\t"):
        raise RuleNotUnderstood(rule, "the rule is empty; write a sentence such as: email must not be missing")
    if len(rule) > MAX_CHARACTERS:
        raise RuleNotUnderstood(
            rule, f"the rule has {len(rule)} characters, more than {MAX_CHARACTERS}; write several rules"
        )


def _sensible(rule: str, constraint: Constraint, explanation: Explanation) -> Understood:
    """The understood rule.

    Raises: RuleNotUnderstood when no row can break it.
    """
    pointless = pointless_parts(constraint)
    if pointless:
        raise RuleNotUnderstood(rule, "; ".join(pointless))
    return Understood(constraint, describe(constraint), explanation)
