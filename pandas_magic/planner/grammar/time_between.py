"""The time between two dates of a row: "the time from a to b", "no more than 14 days between a and b"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression
from pandas_magic.planner.grammar import comparisons, events, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.meaning import kind_of_expression

Found = Iterator[tuple[Position, Condition]]
_LONGEST_LIMIT = 9  # tokens of "a maximum of 14 calendar days"
_TO = "to|until|till|up to|through"


def expressed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Arithmetic]]:
    """Like "the time between order_date and ship_date", "the number of days from order date to ship date"."""
    for start in p.phrase(i, phrases.THE_TIME):
        for after in (start, *nouns.of_this_row(p, start, table)):
            yield from between_dates(p, after, table)


@rule
def between_dates(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Arithmetic]]:
    """Like "between order date and ship date", "from check-in to check-out": from the first to the second."""
    for said, joint in (
        ("between|( between", "and"),
        ("from|( from|counted from|, counted from|, from", _TO),
        ("after", "until|till|before"),
    ):
        for start in p.phrase(i, said):
            for middle, begun in _date(p, start, table):
                for after in p.phrase(middle, joint):
                    for end, ended in _date(p, after, table):
                        if begun != ended:
                            lasted = Arithmetic(sign="-", left=ended, right=begun)
                            for last in _closed(p, i, end, table):
                                yield p.note(i, last, f"from {_called(begun)} to {_called(ended)}"), lasted


def _closed(p: Parse, i: Position, end: Position, table: str) -> Iterator[Position]:
    """Where the second date, the row that both are of, and what was opened before the first one ends."""
    opened = any(token.text == "(" for token in p.tokens[i : i + 2])
    for last in (end, *nouns.of_this_row(p, end, table)):
        yield from p.phrase(last, ")") if opened else (last,)
        if p.tokens[i].text == ",":
            yield from p.phrase(last, ",")


def _called(x: Expression) -> str:
    return x.name if isinstance(x, Column) else "the date of another row"


def _date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, x in nouns.column(p, i, table):
        if kind_of_expression(p.schema, table, x) == "datetime":
            yield end, x
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, date in events.event(p, start, table):  # "signing a contract", "the hiring"
            for end in (middle, *nouns.this_table(p, middle, table)):
                if p.schema.kind(table, date.name) == "datetime":
                    yield end, date
    for start in (i, *p.phrase(i, phrases.THE_DAY_WHEN)):
        yield from comparisons.date_of_event(p, start, table)


def limited(p: Parse, i: Position, table: str) -> Found:
    """Like "no more than 14 days between check_in and check_out", "14 nights or fewer from a to b"."""
    yield from limited_behind(p, i, table, ())


def so_long_passes(p: Parse, i: Position, table: str) -> Found:
    """Like "more than 90 days lie between a and b", said of a row in a condition."""
    yield from limited_behind(p, i, table, (phrases.PASS,))


@rule
def limited_behind(p: Parse, i: Position, table: str, verbs: tuple[str, ...]) -> Found:
    """A limit, these verbs and the two dates: "at most 14 days", "may", "lie", "between a and b"."""
    for place in range(int(i) + 1, min(int(i) + _LONGEST_LIMIT, len(p.tokens))) if _names_two(p, i) else ():
        for start in p.seq_ends(position(place, i.trace), *verbs):
            for end, lasted in between_dates(p, start, table):
                for last, condition in comparisons.comparison(p, i, table, lasted):
                    if int(last) == place:
                        yield p.note(last, end, "how long it is"), condition


def _names_two(p: Parse, i: Position) -> bool:
    """Whether two dates could stand behind a limit that begins here."""
    return any(token.low in ("between", "from", "after") for token in p.tokens[i : i + 2 * _LONGEST_LIMIT])
