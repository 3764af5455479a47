"""How a sentence begins that speaks of every row: "For every order, …", "Whenever an order is recorded, …".

Also the value that is spoken of where there is one: "If a note is given for an order, it …".
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Present
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Group, Share, Value
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.grammar import clauses, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, after_be, rule
from pandas_magic.planner.grammar.logic import expressions_in
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import name_words, word_forms

_WHEN = "if|when|whenever|once|as soon as|every time|each time|where"
_GIVEN = (
    after_be(f"{words.PRESENT}|written|stored|saved|put in|logged|made|typed in|added|chosen|held|kept|included")
    + "|exist|have a value"
)


@rule
def every_row(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, None]]:
    """Where "For every order," or "Whenever an order is recorded," ends, which narrows nothing down."""
    for start in p.phrase(i, phrases.FOR_EACH_ROW):
        for end in _these_rows(p, start, table):
            yield from ((last, None) for last in _comma(p, p.note(i, end, f"every row of {table}")))
    for start in p.phrase(i, "for each|for every|for any|for all|in each|in every|on each|on every"):
        for end in _these_rows(p, start, table):
            if (token := p.at(end)) is not None and token.low in ("the", "its", "their", "a", "an", "there", "exactly"):
                yield p.note(i, end, f"every row of {table}"), None
    for end in recorded(p, i, table):
        yield from ((last, None) for last in _comma(p, p.note(i, end, f"every row of {table}")))


def _these_rows(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, noun in nouns.table_noun(p, start):
            if noun == table:
                yield from (end, *p.phrase(end, phrases.OF_OURS))
        yield from p.phrase(start, "row|record|entry")


def _comma(p: Parse, i: Position) -> Iterator[Position]:
    yield from p.phrase(i, phrases.THEN_AT_ONCE)


def recorded(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "when an order is recorded" ends, where recording is no date, value or step of the order's own."""
    for start in p.phrase(i, _WHEN):
        for middle in _these_rows(p, start, table):
            own = {int(end) for end, said in clauses.row_phrase(p, middle, table, "is") if not _made(p, end, said)}
            for end in p.phrase(middle, phrases.IS_RECORDED):
                if int(end) not in own:
                    yield from (end, *p.phrase(end, phrases.IN_THE_SYSTEM), *_in_this_table(p, end, table))


def _made(p: Parse, end: Position, said: Condition) -> bool:
    """Like "recorded" of an order with an order_date: that there is such an order, whatever is known of the date."""
    of = said.of if isinstance(said, Present) else None
    return isinstance(of, Column) and p.tokens[end - 1].forms.isdisjoint(event_verbs(of.name))


def _in_this_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "in|into|to|among"):
        yield from nouns.this_table(p, start, table)


def for_a_parent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind "if": "a claim is made on a policy", where each claim names one."""
    for middle in _these_rows(p, i, table):
        for after in p.phrase(middle, phrases.IS_RECORDED):
            for start in p.phrase(after, "for|on|by|to|from|with|at|under|in"):
                for end, link in nouns.parent(p, start, table):
                    yield p.note(i, end, f"{link.column} is given"), Present(of=Column(name=link.column))


@rule
def given_value(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "If a note is given for an order", "Whenever an order has a note": where the value is there."""
    for start in p.phrase(i, _WHEN):
        for end, x in value_spoken_of(p, start, table):
            yield p.note(i, end, f"where {x.name} is present"), Present(of=x)
        for end, where in for_a_parent(p, start, table):
            if any(True for _ in _comma(p, end)):
                yield end, where


@rule
def value_spoken_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """Like "a note is given for an order", "there is a note on the order": the value that "it" is, later on."""
    for middle, x in nouns.own_column(p, i, table):
        for end in p.phrase(middle, _GIVEN) if isinstance(x, Column) else ():
            yield from ((last, x) for last in (end, *_of_the_row(p, end, table)))
    for start in p.phrase(i, "there be"):
        for end, x in nouns.own_column(p, start, table):
            if isinstance(x, Column):
                yield from ((last, x) for last in (end, *_of_the_row(p, end, table)))


def _of_the_row(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "for|on|in|with|at|to|by|of|from"):
        yield from _these_rows(p, start, table)


def speaks_of_rows(p: Parse, i: Position, table: str) -> bool:
    """The sentence up to `i` begins by speaking of every row, so that "it" is the row."""
    return any(int(end) == int(i) for end, _ in every_row(p, Position(0), table))


def happened(p: Parse, table: str, where: Condition, must: Condition) -> Condition | None:
    """That the date is known which the rule is about: "when it is shipped" can mean its status, or its ship date."""
    value = where.right.value if isinstance(where, Compare) and isinstance(where.right, Value) else None
    if not isinstance(where, Compare) or where.relation != "==" or not isinstance(value, str):
        return None
    if isinstance(must, Present):
        return None
    verbs = {form for word in name_words(value) for form in word_forms(word)}
    judged = set(expressions_in(must))
    for date in p.schema.dates(table):
        if event_verbs(date) & verbs and Column(name=date) in judged:
            return Present(of=Column(name=date))
    return None


def is_about_each(found: Claim) -> bool:
    """The claim can be said of each row; "for every order, the mean amount" would be another mean than that of all."""
    inside = [node for part in (found.must, found.where) if part is not None for node in nodes(part)]
    of_all = any(isinstance(node, Aggregate | Share) or (isinstance(node, Group) and not node.by) for node in inside)
    return not of_all and found.tolerance is None
