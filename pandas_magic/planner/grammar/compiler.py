"""From a sentence to its one meaning, or to a refusal that names what is not understood."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, contradictions, describe
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar import sentences, unspoken
from pandas_magic.planner.grammar.chart import Parse, TooManyReadings, notes_of, position, vagueness
from pandas_magic.planner.grammar.logic import idle_parts
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.refusals import no_reading, several_readings
from pandas_magic.planner.grammar.sameness import apart
from pandas_magic.planner.grammar.schema import SchemaIndex, index_of
from pandas_magic.planner.grammar.tokens import Token, expand_contractions, tokenize

# A longer text is not one rule; reading it would only take time.
MAX_CHARACTERS = 1_000
_LONGEST_NAME = 6  # words


@dataclass(frozen=True)
class Understood:
    """A rule's meaning: the constraint, the rule in canonical words, and how each piece of the sentence was read."""

    constraint: Constraint
    echo: str
    explanation: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Reading:
    """One way to read the rule, how it came about, and how many columns it names only vaguely."""

    constraint: Constraint
    parse: Parse
    trace: object
    vagueness: int


def compile_rule(
    rule: str, tables: Mapping[str, Table], *, target: str | None = None, locale: str = "en"
) -> Understood:
    """The one meaning of the rule on these tables.

    `target` names the table whose rows are checked when the sentence does not say; with one table it is that one.
    `locale` says how numbers are written ("de": 1.000,5).

    Raises: RuleNotUnderstood when a word is not explained, when no reading is left, or when there are several.
    """
    text = expand_contractions(rule.strip())
    tokens = _tokens(rule, text, locale)
    index = index_of(tables)
    attempts: list[Parse] = []
    found: dict[str, Reading] = {}
    for table in _plausible(_order(tables, target), tokens, index, target):
        p = Parse(tokens, text, index, default=table, target=target)
        attempts.append(p)
        try:
            for end, constraint in unspoken.left_out(p, sentences.text(p, position(0), table)):
                reading = Reading(constraint, p, end.trace, vagueness(end.trace))
                known = found.setdefault(constraint.model_dump_json(), reading)
                if reading.vagueness < known.vagueness:
                    found[constraint.model_dump_json()] = reading
        except TooManyReadings as error:
            raise RuleNotUnderstood(
                rule, "the sentence can be taken apart in too many ways; split it in two rules"
            ) from error
        if found and table == target:
            break
    readings = _most_literal(list(found.values()))
    readings = [readings[place] for place in apart([reading.constraint for reading in readings])]
    if not readings:
        raise no_reading(rule, attempts, lambda other: _is_understood(other, tables, target, locale), index)
    if len(readings) > 1:
        raise several_readings(rule, [reading.constraint for reading in readings])
    constraint, p, trace = readings[0].constraint, readings[0].parse, readings[0].trace
    problems = check_types(constraint, tables)
    if problems:
        raise RuleNotUnderstood(rule, "; ".join(problems), readings=(describe(constraint),))
    return _sensible(rule, constraint, _explained(p, trace))


def _plausible(tables: list[str], tokens: tuple[Token, ...], index: SchemaIndex, target: str | None) -> list[str]:
    """The tables that the sentence names by a noun, a column or a value; all when it names none."""
    words = [name_words(str(token.value)) for token in tokens]
    spoken = frozenset(
        tuple(word for part in words[start:end] for word in part)
        for start in range(len(words))
        for end in range(start + 1, min(start + _LONGEST_NAME, len(words)) + 1)
    )
    forms = frozenset(form for token in tokens for form in token.forms)
    dotted = {word for token in tokens if "." in token.text for word in token.text.lower().split(".")}
    named = [
        table
        for table in tables
        if table == target
        or table.lower() in dotted
        or index.may_be_about(table, spoken)
        or not forms.isdisjoint(index.verbs(table))
    ]
    return named or tables


def _is_understood(rule: str, tables: Mapping[str, Table], target: str | None, locale: str) -> bool:
    index = index_of(tables)
    text = expand_contractions(rule)
    with suppress(RuleNotUnderstood, TooManyReadings):
        tokens = _tokens(rule, text, locale)
        for table in _plausible(_order(tables, target), tokens, index, target):
            p = Parse(tokens, text, index, default=table, target=target)
            if any(True for _ in sentences.text(p, position(0), table)):
                return True
    return False


def _sensible(rule: str, constraint: Constraint, explanation: tuple[tuple[str, str], ...]) -> Understood:
    """The understood rule.

    Raises: RuleNotUnderstood when no row can break it, or part of it says nothing.
    """
    pointless = (*contradictions(constraint), *idle_parts(constraint))
    if pointless:
        raise RuleNotUnderstood(rule, "; ".join(pointless), readings=(describe(constraint),))
    return Understood(constraint, describe(constraint), explanation)


def _most_literal(readings: list[Reading]) -> list[Reading]:
    """Without readings about another table that name its columns less literally."""
    least: dict[str, int] = {}
    for reading in readings:
        table = reading.constraint.table
        least[table] = min(reading.vagueness, least.get(table, reading.vagueness))
    best = min(least.values(), default=0)
    return [reading for reading in readings if least[reading.constraint.table] == best]


def _tokens(rule: str, text: str, locale: str) -> tuple[Token, ...]:
    if not text.strip(" .!;"):
        raise RuleNotUnderstood(rule, "the rule is empty; write a sentence such as: email must not be missing")
    if len(text) > MAX_CHARACTERS:
        raise RuleNotUnderstood(
            rule, f"the rule has {len(text)} characters, more than {MAX_CHARACTERS}; write several rules"
        )
    try:
        return tokenize(text, locale)
    except ValueError as error:
        raise RuleNotUnderstood(rule, str(error)) from error


def _order(tables: Mapping[str, Table], target: str | None) -> list[str]:
    if target is not None and target not in tables:
        from pandas_magic.errors import NoSuchName

        raise NoSuchName("table", target, tables)
    return sorted(tables, key=lambda name: name != target)


def _explained(p: Parse, trace: object) -> tuple[tuple[str, str], ...]:
    return tuple((p.source(start, end), meaning) for start, end, meaning in notes_of(trace) if end > start)


def completions(prefix: str, tables: Mapping[str, Table], *, target: str | None = None) -> tuple[str, ...]:
    """The words with which the unfinished rule can go on: names of tables and columns, values, words of the language.

    A last word that is not followed by a space is taken to be unfinished, and only words that begin so are given.
    Names and values come first, each group in alphabetical order.
    """
    text = expand_contractions(prefix)
    started = re.search(r"[\w.']*$", text)
    begun = started.group() if started else ""
    kept = text[: len(text) - len(begun)]
    try:
        tokens = tokenize(kept) if kept.strip() else ()
    except ValueError:
        return ()
    index = index_of(tables)
    expected: set[str] = set()
    for table in _plausible(_order(tables, target), tokens, index, target):
        p = Parse(tokens, kept, index, default=table, target=target)
        with suppress(TooManyReadings):
            for _ in sentences.text(p, position(0), table):
                pass
        expected |= p.expected
    fitting = {word for word in expected if word.lower().startswith(begun.lower()) and word != begun}
    names = index.names()
    return tuple(sorted(fitting, key=lambda word: (word.strip("'") not in names, word)))


_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+", re.MULTILINE)


def split_rules(text: str) -> tuple[str, ...]:
    """The rules in a text: one for each line that begins with "- ", else the whole text as one."""
    if not _BULLET.match(text.lstrip("\n")):
        return (" ".join(text.split()),) if text.strip() else ()
    parts = _BULLET.split(text)
    return tuple(" ".join(part.split()) for part in parts if part.strip())
