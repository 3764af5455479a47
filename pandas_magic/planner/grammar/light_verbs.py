"""Nouns for what happened at a date, behind a verb that says no more: "have shown activity within the last week"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import comparisons, nouns, phrases
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import all_in
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.nominals import verbs_of


@rule
def seen_happening(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "have had an inspection within the last year", "show activity since 2024": it must have happened."""
    yield from _uses(p, i, table)
    for start in (i, *p.phrase(i, "have")):
        for after in p.phrase(start, phrases.SHOW if start == i else f"{phrases.SHOW}|{phrases.UNDERGO}"):
            for begin in (after, *p.phrase(after, f"{nouns.DETERMINER}|some|at least one|at least an")):
                for middle, date in _happening(p, begin, table):
                    for end, condition in comparisons.comparison(p, middle, table, date):
                        yield p.note(i, end, f'by the date "{date.name}"'), all_in((Present(of=date), condition))


def _uses(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "use a voucher", where a column of texts says which."""
    for start in p.phrase(i, "use"):
        for begin in p.phrase(start, "a|an|any|the|no"):
            for end, name in nouns.named_column(p, begin, table):
                if p.schema.kind(table, name) == "text" and p.tokens[begin - 1].low != "no":
                    yield p.note(i, end, f"{name} is there"), Present(of=Column(name=name))


def _happening(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """A noun for what happened at one of the row's dates, and not for rows of another table."""
    for end, name in nouns.named_column(p, i, table):
        if p.schema.kind(table, name) == "datetime":
            yield end, Column(name=name)
    token = p.at(i)
    if token is None or token.kind != "word" or name_words(token.text) in p.schema.nouns:
        return
    said = token.forms | verbs_of(token.low)
    dates = [date for date in p.schema.dates(table) if said & event_verbs(date)]
    if len(dates) == 1 and not any(True for _ in nouns.named_column(p, i, table)):
        yield p.note(i, position(i + 1, i.trace), f'the date "{dates[0]}"'), Column(name=dates[0])
