"""What can be computed in a row: columns, numbers, dates, + - * /, functions, and statistics of other rows."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    DatePart,
    Expression,
    Folded,
    TextLength,
    Value,
)
from pandas_magic.planner.grammar import counting, nouns, occasions, phrases, shared_heads, time_between
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.lexicon import DATE_PARTS
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import moment, number, percentage, says_how_long, shifted, span


@rule
def expression(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """What can be computed in the row at hand: columns, numbers, dates, + - * /, and statistics of other rows."""
    for end, first in product_of(p, i, table):
        yield end, first
        yield from _in_any_case(p, end, table, first)
        yield from _sum_from(p, end, table, first)


def _in_any_case(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    """Behind "the email": ", ignoring case," and what follows is said of it in any case."""
    token = p.at(i)
    if token is None or token.text != "," or kind_of_expression(p.schema, table, x) != "text":
        return
    for end in p.phrase(i, phrases.IGNORING_CASE):
        if p.tokens[end - 1].text == ",":
            yield p.note(i, end, "upper and lower case are the same"), Folded(of=x, fold="case")


def _and_from(p: Parse, i: Position, table: str, left: Expression, sign: str) -> Iterator[tuple[Position, Expression]]:
    """Like "gross less tax and social", where nothing follows that the "and" could belong to."""
    for middle in p.phrase(i, "and|, and|,"):
        for end, right in nouns.column(p, middle, table):
            joined = calculated(p, table, left, sign, right)
            following = p.at(end)
            if joined is not None and (following is None or following.text in (".", ";", ",", "and", "!")):
                yield end, joined
                yield from _and_from(p, end, table, joined, sign)


def _sum_from(p: Parse, i: Position, table: str, left: Expression) -> Iterator[tuple[Position, Expression]]:
    for sign, words in (("+", "+|plus"), ("-", "-|−|minus|less")):
        for middle in p.phrase(i, words):
            for end, right in [*product_of(p, middle, table), *span(p, middle)]:
                joined = calculated(p, table, left, sign, right)
                if joined is not None:
                    yield end, joined
                    yield from _sum_from(p, end, table, joined)
                    if p.tokens[i].kind == "word":
                        yield from _and_from(p, end, table, joined, sign)


@rule
def product_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Factors, multiplied or divided."""
    for end, first in factor(p, i, table):
        yield end, first
        yield from _product_from(p, end, table, first)


def _product_from(p: Parse, i: Position, table: str, left: Expression) -> Iterator[tuple[Position, Expression]]:
    for sign, words in (("*", "*|times|multiplied by|×|x"), ("/", "/|divided by|÷")):
        for middle in p.phrase(i, words):
            for end, right in factor(p, middle, table):
                joined = calculated(p, table, left, sign, right)
                if joined is not None:
                    yield end, joined
                    yield from _product_from(p, end, table, joined)


def calculated(p: Parse, table: str, left: Expression, sign: str, right: Expression) -> Expression | None:
    """The two joined by the sign, or None when their kinds cannot be (texts, the sum of two dates)."""
    kinds = kind_of_expression(p.schema, table, left), kind_of_expression(p.schema, table, right)
    numbers = all(kind in ("integer", "number", "mixed") for kind in kinds)
    dates = (kinds in (("datetime", "datetime"), ("duration", "duration")) and sign == "-") or (
        kinds in (("datetime", "duration"), ("duration", "duration")) and sign in "+-"
    )
    lengths = kinds in (("duration", "number"), ("duration", "integer")) and sign in "*/"
    if not (numbers or dates or lengths) or (isinstance(left, Value) and isinstance(right, Value)):
        return None
    return Arithmetic(sign=sign, left=left, right=right)


@rule
def factor(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A column, number, date or something in parentheses, or a function of one: "twice the tax", "the year of …"."""
    yield from nouns.column(p, i, table)
    yield from occasions.day_of_clause(p, i, table)
    yield from moment(p, i)
    for end, found in number(p, i):
        yield end, Value(value=found)
    for end, (inside,) in p.seq(i, "(", lambda p, i: expression(p, i, table), ")"):
        yield end, inside
    yield from _functions(p, i, table)
    yield from time_between.expressed(p, i, table)
    yield from counting.statistic(p, i, table)


def _functions(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    def numbers(p: Parse, i: Position) -> Iterator[tuple[Position, Expression]]:
        return (
            (end, x)
            for end, x in product_of(p, i, table)
            if kind_of_expression(p.schema, table, x) in ("integer", "number")
        )

    for words, times in (("twice|double", 2), ("half|half of|half the", 0.5), ("triple", 3)):
        for end, (x,) in p.seq(i, words, numbers):
            yield end, Arithmetic(sign="*", left=x, right=Value(value=times))
    for end, (share, x) in p.seq(i, percentage, "of", numbers):
        yield end, Arithmetic(sign="*", left=x, right=Value(value=share))
    yield from _moved_date(p, i, table)
    for end, (x,) in p.seq(i, "the absolute value of|the magnitude of|absolute value of|abs of", numbers):
        yield end, Absolute(of=x)
    for end, (x,) in p.seq(i, "abs (", numbers, ")"):
        yield end, Absolute(of=x)
    yield from _of_text_or_date(p, i, table)
    yield from _of_columns(p, i, table)


def _of_columns(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the sum of tax and fee", "net and tax together", "the product of a, b and c"."""
    for said, sign in ((phrases.SUM_OF, "+"), (phrases.PRODUCT_OF, "*")):
        for start in p.phrase(i, said):
            yield from _joined(p, start, table, sign)
            # "The sum of tare and net weight": the last column lends its noun.
            for end, names in shared_heads.columns(p, start, table):
                total: Expression | None = names[0]
                for name in names[1:]:
                    total = calculated(p, table, total, sign, name) if total is not None else None
                if total is not None and not any(token.low == "or" for token in p.tokens[start:end]):
                    yield end, total
    for start in (i, *p.phrase(i, "both")):
        for middle, joined in _joined(p, start, table, "+"):
            yield from ((end, joined) for end in p.phrase(middle, phrases.TOGETHER_AS_A_SUM))


@rule
def _joined(p: Parse, i: Position, table: str, sign: str) -> Iterator[tuple[Position, Expression]]:
    """Two columns or more, the last after "and"."""
    for end, first in nouns.column(p, i, table):
        for middle in p.phrase(end, "and|, and|plus"):
            for last, second in nouns.column(p, middle, table):
                joined = calculated(p, table, first, sign, second)
                if joined is not None:
                    yield last, joined
        for middle in p.phrase(end, ","):
            for last, rest in _joined(p, middle, table, sign):
                joined = calculated(p, table, first, sign, rest)
                if joined is not None:
                    yield last, joined


def _moved_date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "3 days before the ship date", "60 days after it was lent"."""
    from pandas_magic.planner.grammar.events import event_clause

    for said, sign in (("after", "+"), ("before|prior to", "-")):
        if sign == "-" and says_how_long(p, i):
            continue  # "at least 3 days before it" is earlier, not later, than that moment
        for end, (length, x) in p.seq(i, span, said, lambda p, i: product_of(p, i, table)):
            if kind_of_expression(p.schema, table, x) == "datetime":
                yield end, shifted(x, sign, length)
        for end, (length, x) in p.seq(i, span, said, lambda p, i: event_clause(p, i, table)):
            if kind_of_expression(p.schema, table, x) == "datetime":
                yield end, shifted(x, sign, length)


def _of_text_or_date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, (x,) in p.seq(i, "the length of|length of|length (", lambda p, i: nouns.column(p, i, table), "?)"):
        if kind_of_expression(p.schema, table, x) == "text" and _balanced(p, i, end):
            yield end, TextLength(of=x)
    for end, (x,) in p.seq(i, lambda p, i: nouns.column(p, i, table), "length|text length"):
        if kind_of_expression(p.schema, table, x) == "text":
            yield end, TextLength(of=x)
    for words, part in DATE_PARTS.items():
        for end, (x,) in p.seq(i, "?the", f"{words} of|{words} part of", lambda p, i: nouns.column(p, i, table)):
            if kind_of_expression(p.schema, table, x) == "datetime":
                yield end, DatePart(part=part, of=x)
    for end, (x,) in p.seq(i, "lower/lowercase (", lambda p, i: nouns.column(p, i, table), ")"):
        yield end, Folded(of=x, fold="case")


def _balanced(p: Parse, start: Position, end: Position) -> bool:
    texts = [token.text for token in p.tokens[start:end]]
    return texts.count("(") == texts.count(")")
