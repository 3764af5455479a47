"""Verbs that name what is measured: "weigh less than 50 kg", "paid by card", "renewed three times", "last a week"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Value
from pandas_magic.planner.grammar import bounds, comparatives, comparisons, nouns, phrases, time_between
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.beginnings import from_and_to, is_undecided
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import among, columns_in
from pandas_magic.planner.grammar.meaning import compare
from pandas_magic.planner.grammar.morphology import NOMINAL, name_words, word_forms
from pandas_magic.planner.grammar.values import literals, number, span

Found = Iterator[tuple[Position, Condition]]

_LONGER: tuple[tuple[str, Relation], ...] = (("longer than", ">"), ("shorter than", "<"))
_NO_LONGER: tuple[tuple[str, Relation], ...] = (("no/not longer than", "<="), ("no/not shorter than", ">="))
_TERMS = frozenset(("term", "duration", "length", "runtime", "period"))  # of which a column can be the length itself
_TIMES_BEHIND: tuple[tuple[Relation, str], ...] = (
    ("<=", "time at most|time or less|time at the most"),
    (">=", "time or more|time at least"),
)


@rule
def measured_by_verb(p: Parse, i: Position, table: str) -> Found:
    """Like "Weigh less than 50 kg", "lasting longer than an hour": the verb says which column is compared."""
    yield from _lasting(p, i, table)
    yield from _so_many(p, i, table)
    for verb, names in words.COLUMN_VERBS.items():
        for middle in p.phrase(i, verb):
            for column in comparatives.named_one_of(p, table, names):
                noted = p.note(i, middle, f"the {names[0]}")
                yield from bounds.bounded(p, noted, table, column)
                for start in p.phrase(noted, "longer than"):
                    yield from comparisons.compared(p, start, table, column, ">")
                for start in p.phrase(noted, "shorter than"):
                    yield from comparisons.compared(p, start, table, column, "<")


def _so_many(p: Parse, i: Position, table: str) -> Found:
    """Like "work fewer than 35 weekly hours", "drive at most 500 km": the column of what is counted."""
    for start in p.phrase(i, phrases.COUNTED_BY):
        yield from so_many(p, start, table)
    for start in p.phrase(i, "last|last for"):  # of a column that is called minutes; one of term_months may not be all
        for end, condition in so_many(p, start, table):
            if all(len(name_words(column.name)) == 1 for column in columns_in(condition)):
                yield end, condition


@rule
def so_many(p: Parse, i: Position, table: str) -> Found:
    """Like "more than three days", "at most 500 km": a limit before the column of what is counted."""
    for place in range(int(i) + 1, min(int(i) + 10, len(p.tokens))):
        for end, name in nouns.named_column(p, Position(place), table):
            if p.schema.kind(table, name) in ("integer", "number"):
                for middle, condition in bounds.bounded(p, i, table, Column(name=name)):
                    if int(middle) == place:
                        yield p.note(i, end, f"of {name}"), condition


def done_by_value(p: Parse, i: Position, table: str) -> Found:
    """Like "paid by card" for payment_method, "stored in the fridge" for storage: the verb names the column."""
    for start in (i, *p.phrase(i, "be|get|have been|be being")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        for column, texts in p.schema.tables[table].values.items():
            if texts and p.schema.kind(table, column) == "text" and token.forms & named_by_verb(column):
                noted = p.note(start, start + 1, f'the column "{column}"')
                for after in p.phrase(noted, "in|at|by|via|with|on|through|as|from|to|into|using"):
                    for begin in (after, *p.phrase(after, words.ARTICLE)):
                        for end, listed in literals(p, begin, table, Column(name=column), False):
                            yield end, among(Column(name=column), listed)


def named_by_verb(column: str) -> frozenset[str]:
    """The verbs behind the first word of a name: "pay" for payment_method, "store" for storage."""
    words_of_name = name_words(column)
    if not words_of_name:
        return frozenset()
    first = words_of_name[0]
    return word_forms(NOMINAL.get(first, first)) - {first} | {NOMINAL.get(first, first)}


def so_many_times(p: Parse, i: Position, table: str) -> Found:
    """Like "be renewed three times at most" for renewals."""
    for start in (i, *p.phrase(i, "be|get|have been|be being")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        for column in p.schema.tables[table].columns:
            if p.schema.kind(table, column) not in ("integer", "number") or not token.forms & counted_verbs(column):
                continue
            count = Column(name=column)
            noted = p.note(start, start + 1, f'the column "{column}"')
            for middle, condition in comparisons.comparison(p, noted, table, count):
                for end in p.phrase(middle, "time"):
                    yield p.note(middle, end, "so many times"), condition
            for middle, times in number(p, noted):
                for relation, said in (
                    ("<=", "time at most|time or less|time at the most"),
                    (">=", "time or more|time at least"),
                ):
                    for end in p.phrase(middle, said):
                        yield (
                            p.note(middle, end, relation),
                            Compare(relation=relation, left=count, right=Value(value=times)),
                        )


def counted_verbs(column: str) -> frozenset[str]:
    """The verbs of what a column counts: "renew" for renewals and renewal_count."""
    name = [word for word in name_words(column) if word not in ("count", "cnt", "number", "num", "no", "total")]
    if len(name) != 1:
        return frozenset()
    return frozenset((NOMINAL.get(name[0], name[0]),))


def _lasting(p: Parse, i: Position, table: str) -> Found:
    """Like "last longer than 30 days", from the only date of a start to the only date of an end."""
    yield from _from_to(p, i, table)
    ends = _ends(p, i, table)
    if ends is None:
        return
    begun, ended = ends
    length = Arithmetic(sign="-", left=Column(name=ended), right=Column(name=begun))
    for start in p.phrase(i, phrases.LAST):
        noted = p.note(i, start, f"from {begun} to {ended}")
        yield from bounds.bounded(p, noted, table, length)
        yield from bounds.of_time(p, noted, table, length)
        for said, relation in _LONGER:
            for middle in p.phrase(noted, said):
                yield from comparisons.compared(p, middle, table, length, relation)
    for start in p.phrase(i, "be|have been"):
        for middle, condition in bounds.bounded(p, p.note(i, start, f"from {begun} to {ended}"), table, length):
            yield from ((end, condition) for end in p.phrase(middle, "long|in length"))
        for said, relation in _LONGER + _NO_LONGER:
            for middle in p.phrase(p.note(i, start, f"from {begun} to {ended}"), said):
                yield from comparisons.compared(p, middle, table, length, relation)


def _ends(p: Parse, i: Position, table: str) -> tuple[str, str] | None:
    """From which date to which the row lasts; None where that is a column of its own, or not known."""
    own = [name for name in p.schema.tables[table].columns if _TERMS & set(name_words(name))]
    if comparatives.named_one_of(p, table, words.COLUMN_VERBS["last"]) or any(
        p.schema.kind(table, name) in ("integer", "number") for name in own
    ):
        return None
    dates = p.schema.dates(table)
    if is_undecided(table, dates) and tuple(p.phrase(i, f"{phrases.LAST}|longer|shorter")):
        p.refuse("from the arrival to the departure, or the other way round? Name both dates")
    return from_and_to(table, dates)


def _from_to(p: Parse, i: Position, table: str) -> Found:
    """Like "take more than 5 days from order date to shipping date"."""
    for start in p.phrase(i, "last|take|stay|run|span|cover|extend over|comprise|go on for|last for|stay for"):
        yield from time_between.limited(p, start, table)
    sides = (*comparisons.RELATIONS[:4], *((relation, said) for said, relation in _LONGER))
    for start in p.phrase(i, "last|take|be|stay|run|remain"):
        for relation, said in sides:
            for end, (length, begun, ended) in p.seq(
                start,
                said,
                span,
                "from|between|( from|(",
                lambda p, i: nouns.own_column(p, i, table),
                "to|and|until|till",
                lambda p, i: nouns.own_column(p, i, table),
            ):
                if {p.schema.kind(table, of.name) for of in (begun, ended)} == {"datetime"} and begun != ended:
                    lasted = Arithmetic(sign="-", left=ended, right=begun)
                    found = compare(p.schema, table, lasted, relation, length)
                    if found is not None:
                        noted = p.note(i, end, f"{relation} from {begun.name} to {ended.name}")
                        yield from ((last, found) for last in (noted, *p.phrase(noted, ")")))
