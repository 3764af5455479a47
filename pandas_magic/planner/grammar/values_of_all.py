"""Values that all rows have, said of the rows: "our customers live in DE or AT", "we sell tickets in EUR and USD"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, OneOf
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import claims, nouns, phrases, rows, values
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import among
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Claim]]
Listed = Iterator[tuple[Position, Condition]]
# Which of two columns with the same values is meant.
_SIDES = (
    (frozenset(("to", "into")), frozenset(("origin", "from", "source", "sender", "departure", "pickup", "start"))),
    (frozenset(("from",)), frozenset(("destination", "to", "target", "recipient", "arrival", "delivery", "end"))),
)


def stated(p: Parse, i: Position, table: str) -> Found:
    """Like "Our customers live in DE or AT", "orders have low or high priority", "no product may be anything but …"."""
    for start in (i, *p.phrase(i, "our|all our|all|the|each|every")):
        for middle, where in things(p, start, table):
            for end, one_of in _standing_there(p, middle, table):
                for last in (end, *p.phrase(end, phrases.AND_NO_OTHER)):
                    yield p.note(middle, last, "one of these"), claims.demand(table, one_of, where)
    for start in p.phrase(i, words.NO):
        for middle, where in things(p, start, table):
            for after in p.seq_ends(middle, f"{words.MAY}|{words.MUST}", "?ever", "be", phrases.ANYTHING_BUT):
                for end, (_, one_of) in listed(p, after, table):
                    yield p.note(middle, end, "only these"), claims.demand(table, one_of, where)


def _standing_there(p: Parse, i: Position, table: str) -> Listed:
    """Behind the rows: "live in DE or AT", "have low, medium or high priority"."""
    modal = f"?{words.MUST}|{words.MUST_ONLY}|all|always"
    for after in p.seq_ends(i, modal, phrases.STAND_THERE):
        if not any(tells_rows_apart(p, token, table) for token in p.tokens[i:after]):
            adverbs = ((end, one_of) for end, (_, one_of) in listed(p, after, table))
            yield from (found for found in (*placed(p, after, table), *adverbs) if isinstance(found[1], OneOf))
    for after in p.seq_ends(i, modal, "have|have a|have an"):
        for middle, (_, one_of) in listed(p, after, table):
            for end, name in nouns.named_column(p, middle, table):
                if isinstance(one_of, OneOf) and one_of.of == Column(name=name):
                    yield end, one_of


def things(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition | None]]:
    """The rows, by the table's name or by a word that nothing in the tables is called: "tickets" of bookings."""
    for end, found in rows.subject_rows(p, i):
        if found.table == table:
            yield end, found.where
    token = p.at(i)
    if token is not None and token.kind == "word" and token.text.isalpha() and not token.text.isupper():
        known = p.schema.words() | words.VOCABULARY
        alone = token.forms.isdisjoint(known) or _is_short_for(p, i, table)
        if token.low.endswith("s") and alone and p.target == table:
            yield p.note(i, position(i + 1, i.trace), f'taken to be the rows of "{table}"'), None


def _is_short_for(p: Parse, i: Position, table: str) -> bool:
    """Like "tickets" for ticket_orders: the first word of the table's name, which is no other table's."""
    first, *rest = name_words(table) or ("",)
    others = any(True for there in p.schema.tables for _ in nouns.named_column(p, i, there))
    return bool(rest) and first in p.tokens[i].forms and not others and not any(True for _ in nouns.table_noun(p, i))


def placed(p: Parse, i: Position, table: str) -> Listed:
    """Like "in EUR, USD or CHF", "to AT and DE"."""
    for start in p.phrase(i, phrases.WITH_VALUE):
        said = p.tokens[start - 1].low
        for end, (named, one_of) in listed(p, start, table):
            other_side = any(said in prepositions and named & others for prepositions, others in _SIDES)
            if not other_side:
                yield end, one_of


def placed_by_name(p: Parse, i: Position, table: str) -> Listed:
    """Like "bills in en or de" for bill_language, where the word begins the name of the values' column."""
    token = p.at(i)
    if (
        token is None
        or token.kind != "word"
        or not token.low.endswith("s")
        or any(True for _ in nouns.table_noun(p, i))
    ):
        return
    for start in p.phrase(position(i + 1, i.trace), phrases.WITH_VALUE):
        for name in p.schema.tables[table].columns if p.target == table else ():
            if len(name_words(name)) > 1 and name_words(name)[0] in token.forms:
                yield from ((end, one_of) for end, (_, one_of) in listed(p, start, table) if _is_of(one_of, name))


def _is_of(one_of: Condition, name: str) -> bool:
    return isinstance(one_of, OneOf) and one_of.of == Column(name=name)


def listed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[frozenset[str], Condition]]]:
    """Values of one column, most of which occur there, and the words of its name; also behind the name itself."""
    named = [(end, name) for start in (i, *p.phrase(i, "the")) for end, name in nouns.named_column(p, start, table)]
    begun = [(i, name) for name in p.schema.tables[table].columns] + named
    for start, name in begun:
        known = set(p.schema.occurring(table, name))
        for end, listed in values.literals(p, start, table, Column(name=name), True) if known else ():
            found = known & set(listed)
            if len(found) == len(listed) or (len(found) > 1 and 2 * len(found) > len(listed)):
                yield end, (frozenset(name_words(name)), among(Column(name=name), listed))
