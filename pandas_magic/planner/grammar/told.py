"""What a row has to tell: "must say who validated it", "why they were rejected", "when it was paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import claims, events, moods, nouns, phrases, rows
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import all_in
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.measuring_verbs import named_by_verb
from pandas_magic.planner.grammar.morphology import name_words, word_forms
from pandas_magic.planner.grammar.nominals import verbs_of

Told = Iterator[tuple[Position, Column]]
_BE = "be|have been"
_PRONOUN = "it|they|he|she"
_HOW = ("method", "mode", "channel", "kind", "type", "way")


@rule
def tells(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "say who validated them", said of rows."""
    for start in p.phrase(i, phrases.TELL):
        for end, column in _answer(p, start, table):
            present = Present(of=column)
            yield p.note(i, end, f"{column.name} is there"), present
            verb = name_words(column.name)[0]
            dates = [date for date in p.schema.dates(table) if word_forms(verb) & event_verbs(date)]
            for last in p.phrase(end, "and when") if name_words(column.name)[1:] == ("by",) and len(dates) == 1 else ():
                yield p.note(i, last, "both are there"), all_in((present, Present(of=Column(name=dates[0]))))


@rule
def done_by_somebody(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "have been validated" for validated_by, where nothing else tells whether it was."""
    for start in p.phrase(i, "have been"):
        verb = p.at(start)
        told = any(True for _ in (*events.event(p, start, table), *rows.adjectives(p, start, table)))
        for column in _column_by(p, table, verb.forms) if verb is not None and not told else ():
            yield p.note(i, start + 1, f"{column.name} is there"), Present(of=column)


def must_be_known(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "it must be recorded who validated the test", "it has to be clear why it was rejected"."""
    for middle in p.phrase(i, "it"):
        for start, negated in moods.head(p, middle, "must"):
            for after in p.phrase(start, phrases.BE_KNOWN) if not negated and int(start) > int(middle) else ():
                for end, column in _answer(p, after, table):
                    yield p.note(i, end, f"{column.name} is there"), claims.demand(table, Present(of=column))


def _answer(p: Parse, i: Position, table: str) -> Told:
    """The column that answers a question: "who validated them", "by whom it was validated", "why", "when", "how"."""
    for start in p.phrase(i, "who|by whom"):
        for end, word in _done(p, start, table):
            yield from ((end, found) for found in _column_by(p, table, word))
    for start in p.phrase(i, "why|the reason why|for what reason"):
        for end, word in _done(p, start, table):
            yield from ((end, found) for found in _reason(p, table, word))
    for start in p.phrase(i, "when|since when|on which day|on what day|on which date"):
        for end, date in events.event_clause(p, start, table):
            if isinstance(date, Column) and p.schema.kind(table, date.name) == "datetime":
                yield end, date
    for start in p.phrase(i, "how"):
        for end, word in _done(p, start, table):
            yield from ((end, found) for found in _way(p, table, word))


def _done(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, frozenset[str]]]:
    """The verb of what was done, in its forms: "validated them", "they were validated", "the test was validated by"."""
    token = p.at(i)
    if token is not None and token.kind == "word":
        here = position(i + 1, i.trace)
        for end in (here, *p.phrase(here, "it|them"), *nouns.this_table(p, here, table)):
            yield end, token.forms
    for start in (*p.phrase(i, _PRONOUN), *nouns.this_table(p, i, table), i):
        for middle in p.phrase(start, _BE):
            if (verb := p.at(middle)) is not None and verb.kind == "word":
                here = position(middle + 1, middle.trace)
                yield from ((end, verb.forms) for end in (here, *p.phrase(here, "by")))


def _column_by(p: Parse, table: str, verb: frozenset[str]) -> list[Column]:
    """The column of who does so: validated_by."""
    names = ((name, name_words(name)) for name in p.schema.tables[table].columns)
    return [Column(name=name) for name, said in names if said[1:] == ("by",) and word_forms(said[0]) & verb]


def _reason(p: Parse, table: str, verb: frozenset[str]) -> list[Column]:
    """The column of the reason: rejection_reason, reject_reason, reason_rejected."""
    names = ((name, name_words(name)) for name in p.schema.tables[table].columns)
    return [
        Column(name=name)
        for name, said in names
        if len(said) == 2
        and "reason" in said
        and any((word_forms(word) | verbs_of(word)) & verb for word in said if word != "reason")
    ]


def _way(p: Parse, table: str, verb: frozenset[str]) -> list[Column]:
    """The column of the way in which it is done: payment_method for "how they were paid"."""
    texts = (name for name in p.schema.tables[table].columns if p.schema.kind(table, name) == "text")
    named = (name for name in texts if len(name_words(name)) == 2 and name_words(name)[1] in _HOW)
    return [Column(name=name) for name in named if named_by_verb(name) & verb]
