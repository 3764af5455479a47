"""How many rows a table has: "we sell exactly five plans", "there must be at least one cancelled order"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Aggregate, Value
from pandas_magic.planner.grammar import children, claims, clauses, comparisons, moods, nouns, phrases, rows, values
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, has_window, negate


def there_are(p: Parse, i: Position, table: str, count: Aggregate) -> Iterator[tuple[Position, Condition]]:
    """Like "There must be at least 20 rooms", "there are never fewer than 20", "there may not be more than 20"."""
    for start in p.phrase(i, "there"):
        said = (
            (begin, negated)
            for mood in ("must", "may")
            for after, negated in moods.head(p, start, mood)
            for begin in p.phrase(after, "be")
        )
        plainly = ((begin, False) for begin in p.phrase(start, "be"))
        denied = ((begin, True) for begin in p.phrase(start, "be never|be not ever"))
        for begin, negated in {int(begin): (begin, negated) for begin, negated in (*plainly, *said, *denied)}.values():
            for end, condition in so_many(p, begin, table, count):
                if not says_none(p, i, end) and (not negated or _is_strict(condition)):
                    yield p.note(i, end, "the number of rows"), negate(condition) if negated else condition


def _is_strict(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.relation in ("<", ">")


def so_many(p: Parse, i: Position, table: str, count: Aggregate) -> Iterator[tuple[Position, Condition]]:
    """Like "at least 20 rows", "between 20 and 40 rooms", "20 rows or more"."""
    for middle, condition in comparisons.counted(p, i, table, count):
        yield from ((end, condition) for end in _counted_things(p, middle, table))
    sides: tuple[tuple[Relation, str], ...] = ((">=", phrases.OR_MORE), ("<=", phrases.OR_LESS))
    for middle, number in values.number(p, i):
        for after in _counted_things(p, middle, table):
            for relation, said in sides:
                for end in p.phrase(after, said):
                    yield p.note(i, end, relation), Compare(relation=relation, left=count, right=Value(value=number))


def _counted_things(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "rows", or the table's own noun behind a number ends."""
    for end in p.phrase(i, "row|record|entry|line|observation"):
        yield end
        yield from (last for start in p.phrase(end, "in|of") for last in nouns.this_table(p, start, table))
    yield from (end for end, _ in rows.same_rows(p, i, table))


def we_have(p: Parse, i: Position, table: str, count: Aggregate) -> Iterator[tuple[Position, Condition]]:
    """Like "We sell exactly five plans", "we expect no more than 100 rows in the orders table"."""
    for middle, condition in (
        (end, condition)
        for start in p.phrase(i, phrases.WE_HAVE)
        for end, condition in comparisons.counted(p, start, table, count)
    ):
        for end, noun in nouns.table_noun(p, middle):
            if noun == table:
                for last in (
                    end,
                    *p.phrase(
                        end,
                        f"{phrases.ON_RECORD}|{phrases.IN_THE_TABLE}|in total|in all|overall|{phrases.NO_MORE_NO_LESS}",
                    ),
                ):
                    yield p.note(i, last, "the number of rows"), condition
    yield from _list_holds(p, i, table, count)
    for middle, condition in (
        (end, condition)
        for start in (i, *p.phrase(i, phrases.WE_EXPECT))
        for end, condition in comparisons.counted(p, start, table, count)
    ):
        for after in p.seq_ends(middle, "row|record|entry", "in|within"):
            for end in nouns.this_table(p, after, table):
                yield p.note(i, end, "the number of rows"), condition


def _list_holds(p: Parse, i: Position, table: str, count: Aggregate) -> Iterator[tuple[Position, Condition]]:
    """Like "The catalogue should never hold more than 10 plans"."""
    for start in p.seq_ends(i, "the|our|this", phrases.LIST_OF_ROWS):
        for after, negated in moods.head(p, start, "must"):
            for begin in p.phrase(after, phrases.HOLD_ROWS):
                for middle, condition in comparisons.counted(p, begin, table, count):
                    for end in (last for last, noun in nouns.table_noun(p, middle) if noun == table):
                        yield p.note(i, end, "the number of rows"), negate(condition) if negated else condition


def some_of_a_kind(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "There must be at least one cancelled order"."""
    probe = Aggregate(statistic="count", table=table)
    said = "there must be|there should be|there have to be|there be|there shall be"
    for start in p.phrase(i, f"{said}|we need|we want|we expect|we must have|we should have|{words.SOMEBODY_WANTS}"):
        for middle, judged in comparisons.counted(p, start, table, probe):
            for end, found in rows.plain_rows(p, middle):
                if any(token.low in ("every", "each", "per", "any") for token in p.tokens[middle:end]):
                    continue  # "for every active grant": of each of them
                if found.table == table and found.where is not None and not says_none(p, start, middle):
                    count = Aggregate(statistic="count", table=table, where=found.where)
                    yield p.note(i, end, "in the whole table"), children.on(judged, count)


def so_many_are(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "At least one booking must have been made in the last 7 days", "at least 10 flights must have landed"."""
    for middle, (least,) in p.seq(i, words.AT_LEAST, values.whole):
        for after, found in rows.plain_rows(p, p.note(i, middle, "so many rows at least")):
            if found.table != table:
                continue
            for end, condition in claims.not_negated(p, after, clauses.row_phrase(p, after, table, "must")):
                where = both(found.where, condition)
                if int(end) > int(after) and not has_window(condition):
                    count = Aggregate(statistic="count", table=table, where=where)
                    yield end, Compare(relation=">=", left=count, right=Value(value=least))


def says_none(p: Parse, i: Position, end: Position) -> bool:
    """The words say "no", other than in "no more than"."""
    # "there must be no orders" is about forbidden rows.
    return any(
        token.low == "no" and p.tokens[place + 1].low not in ("fewer", "less", "more")
        for place, token in enumerate(p.tokens[i:end], int(i))
    )
