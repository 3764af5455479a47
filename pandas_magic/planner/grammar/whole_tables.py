"""Rules about a table as a whole: its number of rows, statistics of its columns, which columns it has."""

from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    Column,
    Expression,
    Share,
    Statistic,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, TableRule
from pandas_magic.planner.grammar import (
    bounds,
    children,
    column_names,
    comparisons,
    freshness,
    kinds_of_rows,
    limits,
    margins,
    moods,
    nouns,
    phrases,
    qualities,
    row_counts,
    row_predicates,
    rows,
    shares,
    table_notes,
    table_statements,
    whole_sums,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Rows, compare, kind_of_expression
from pandas_magic.planner.grammar.values import number, percentage, statistic_word

_VERBS: tuple[tuple[Relation, str], ...] = (
    (">", words.EXCEED),
    ("==", f"{words.EQUALS}|be equal to|be the same as"),
    (">=", "≥|>="),
    ("<", "<"),
    (">", ">"),
    ("<=", "<="),
)

_SHARE_VERBS: tuple[tuple[Relation, str], ...] = ((">", words.EXCEED), ("<", words.UNDERCUT), (">=", words.REACH))


@dataclass(frozen=True)
class ColumnNames:
    """Columns that a table must have, or must not have."""

    table: str
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    def rule(self) -> ColumnsRule:
        """The same as a constraint."""
        return ColumnsRule(table=self.table, required=self.required, forbidden=self.forbidden)


Found = Iterator[tuple[Position, TableRule | ColumnNames]]


@rule
def about_whole_tables(p: Parse, i: Position, table: str) -> Found:
    """Every reading as a rule about the table as a whole."""
    for start in (i, *p.phrase(i, words.CEREMONY)):
        for end, condition in _row_count(p, start, table):
            yield end, TableRule(table=table, must=condition)
        for end, condition in _statistic_claim(p, start, table):
            yield end, TableRule(table=table, must=condition)
        for end, condition in (
            *_distinct(p, start, table),
            *_so_few(p, start, table),
            *_all_together(p, start, table),
            *freshness.latest_happened(p, start, table),
            *table_notes.about_the_table(p, start, table),
            *whole_sums.adding_up(p, start, table),
        ):
            yield end, TableRule(table=table, must=condition)
        for end, condition in (*shares.share_of_rows(p, start, table), *table_statements.judged(p, start, table)):
            yield end, TableRule(table=table, must=condition)
        yield from _columns(p, start, table)


def _row_count(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    count = Aggregate(statistic="count", table=table)
    yield from table_with_rows(p, i, table, "must")
    yield from row_counts.there_are(p, i, table, count)
    yield from row_counts.we_have(p, i, table, count)
    yield from row_counts.some_of_a_kind(p, i, table)
    yield from row_counts.so_many_are(p, i, table)


def table_with_rows(p: Parse, i: Position, table: str, mood: str) -> Iterator[tuple[Position, Condition]]:
    """Like "The courses table must hold 20 to 40 records"."""
    count = Aggregate(statistic="count", table=table)
    known = p.target == table or len(p.schema.tables) == 1
    for middle in (*nouns.this_table(p, i, table), *(p.phrase(i, phrases.THE_TABLE) if known else ())):
        for after, negated in moods.head(p, middle, mood):
            for end, condition in has_rows(p, after, table, count):
                yield p.note(middle, end, "the number of rows"), negate(condition) if negated else condition


def has_rows(p: Parse, i: Position, table: str, count: Aggregate) -> Iterator[tuple[Position, Condition]]:
    """Behind a table: "has at least 20 rows", "is empty"."""
    for start in p.phrase(i, phrases.HOLD_SO_MANY):
        yield from row_counts.so_many(p, start, table, count)
    for end in p.phrase(i, "be empty"):
        yield end, negate(_some(count))
    for end in p.phrase(i, phrases.NOT_EMPTY_TABLE):
        yield end, _some(count)


def _some(count: Expression) -> Condition:
    return Compare(relation=">=", left=count, right=Value(value=1))


@rule
def aggregate(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A statistic of a whole table: "the average amount of shipped orders", "the number of orders"."""
    for start in (i, *p.phrase(i, "the|overall|the overall")):
        for middle in p.phrase(start, "number of|count of|total number of|row count of"):
            for end, found in rows.rows(p, middle):
                yield (
                    p.note(start, end, "how many rows the table has"),
                    Aggregate(statistic="count", table=found.table, where=found.where),
                )
        yield from _latest(p, start, table)
        for end, (there,) in p.seq(start, nouns.table_noun, "'s row count|row count|'s number of rows"):
            yield end, Aggregate(statistic="count", table=there)
        for middle in p.phrase(start, phrases.NUMBER_OF_DISTINCT):
            for end, of in nouns.own_column(p, middle, table):
                yield end, Aggregate(statistic="distinct", table=table, of=of)
        for middle, (_, name) in statistic_word(p, start):
            if name not in ("min", "max") or not _is_a_name(p, start, table):
                yield from _statistic_of(p, p.note(start, middle, f"the {name} of the whole table"), table, name)
    yield from _on_average(p, i, table)
    yield from whole_sums.quantile(p, i, table)
    yield from _share(p, i, table)


def _is_a_name(p: Parse, i: Position, table: str) -> bool:
    """Like "the last login" for the column last_login of any table, which is not the latest of all logins."""
    said = [words for _, words in nouns.spans(p, i) if len(words) > 1]
    return any(
        p.schema.called(there, words) and not p.schema.is_part(there, words)
        for words in said
        for there in p.schema.tables
    )


def _on_average(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "On average a tip (should be between 5 and 15 euros)"."""
    for start in p.phrase(i, "on average ,|on average|on the average"):
        for middle in (start, *p.phrase(start, nouns.DETERMINER)):
            yield from _statistic_of(p, p.note(i, middle, "the mean of the whole table"), table, "mean")


def _latest(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the latest reading", which stands for its date."""
    date = p.schema.first_date(table)
    for end, name in freshness.the_last(p, i, table) if date is not None else ():
        of = Aggregate(statistic=name, table=table, of=Column(name=date))
        yield p.note(i, end, f"the {name} of {date}"), of


def _statistic_of(p: Parse, i: Position, table: str, name: Statistic) -> Iterator[tuple[Position, Expression]]:
    yield from _of_some_values(p, i, table, name)
    for there in p.schema.tables:
        for start in (i, *p.phrase(i, "of|of the|of all|over|the")):
            for middle, of in nouns.own_column(p, start, there):
                kind = kind_of_expression(p.schema, there, of)
                if not (kind in ("integer", "number", "duration") or (kind == "datetime" and name in ("min", "max"))):
                    continue
                if there == table or _names_table(p, i, middle, there):
                    yield middle, Aggregate(statistic=name, table=there, of=of)
                for end in _per_row(p, middle, table) if there == table else ():
                    yield end, Aggregate(statistic=name, table=there, of=of)
                for after in p.phrase(middle, "of|in|over|across|for|among|from"):
                    for end, found in (*rows.rows(p, after), *_of_a_kind(p, after, table)):
                        if found.table == there:
                            yield end, Aggregate(statistic=name, table=there, of=of, where=found.where)


def _of_a_kind(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    """Like "a pick", "picks" behind "the mean quantity of", where a movement can be one."""
    for start in (i, *p.phrase(i, "a|an|the|all|all the")):
        yield from kinds_of_rows.counted_rows(p, start, table)


def _of_some_values(p: Parse, i: Position, table: str, name: Statistic) -> Iterator[tuple[Position, Expression]]:
    """Behind "the average": "potassium value", the value of those rows alone."""
    for middle, where in rows.adjectives(p, i, table):
        for end, of in nouns.own_column(p, middle, table):
            if kind_of_expression(p.schema, table, of) in ("integer", "number", "duration"):
                yield p.note(i, end, "of these rows alone"), Aggregate(statistic=name, table=table, of=of, where=where)


def _per_row(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "per ticket" ends, behind "the average price" of tickets, each of which has one."""
    for start in p.phrase(i, phrases.PER):
        yield from (p.note(i, end, "over all rows") for end in nouns.this_table(p, start, table))


def _names_table(p: Parse, i: Position, end: Position, table: str) -> bool:
    return any(nouns.dotted_table(p, Position(k)) == table for k in range(i, end)) or any(
        True for k in range(i, end) for _, noun in nouns.table_noun(p, Position(k)) if noun == table
    )


def _share(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    share = phrases.SHARE_OF
    for middle in p.phrase(i, share):
        noted = p.note(i, middle, "how many of the rows, 0 to 1")
        for end, found in rows.plain_rows(p, noted):
            if found.table == table and found.where is not None:
                yield end, Share(table=table, condition=found.where)
        for start in range(int(noted) + 1, min(int(noted) + 4, len(p.tokens))):
            for end, x in nouns.own_column(p, Position(start), table):
                for last, condition in qualities.quality(p, noted, table, x):
                    if int(last) == start:
                        yield p.note(last, end, "of that column"), Share(table=table, condition=condition)


def _statistic_claim(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for middle, left in aggregate(p, i, table):
        if isinstance(left, Aggregate) and left.table != table:
            continue  # a rule about that table
        for start, negated in moods.head(p, middle, "must"):
            for end, condition in said_of(p, start, table, left):
                if not bounds.of_each_row(condition):  # "total hours" cannot be the sum where each row says what it is
                    yield end, negate(condition) if negated else condition


def said_of(p: Parse, i: Position, table: str, left: Expression) -> Iterator[tuple[Position, Condition]]:
    """Behind a statistic: "is at least 5", "exceeds the total of the other table"."""
    for start in p.phrase(i, "be|lie|stay|fall|remain|:"):
        if isinstance(left, Share):
            yield from _a_share(p, start, left)
        else:
            yield from bounds.bounded(p, start, table, left)
            yield from _against_another(p, start, table, left)
            yield from qualities.by_word(p, start, left, kind_of_expression(p.schema, table, left))
    if isinstance(left, Share):
        yield from _a_share(p, i, left)
        yield from _share_by_verb(p, i, left)
        return
    for relation, said in _VERBS:
        for start in p.phrase(i, said):
            yield from comparisons.compared(p, start, table, left, relation)
            for end, right in aggregate(p, start, table):
                found = compare(p.schema, table, left, relation, right)
                if found is not None:
                    yield end, found
                    for last, tolerance in margins.tolerated(p, end, table, left):
                        if relation == "==":
                            yield last, found.model_copy(update={"within": tolerance})


def _against_another(p: Parse, i: Position, table: str, left: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "3", "higher than the average price of economy seats", "below 10 % of it" behind "the average … must be"."""
    for end, exactly in number(p, i):
        yield p.note(i, end, "=="), Compare(relation="==", left=left, right=Value(value=exactly))
    for relation, said in comparisons.RELATIONS[:5]:
        for start in p.phrase(i, said):
            for end, right in aggregate(p, start, table):
                found = compare(p.schema, table, left, relation, right)
                if found is not None and right != left:
                    yield p.note(i, end, relation), found
            for middle, (share,) in p.seq(start, percentage, "of|of the"):
                for end, right in aggregate(p, middle, table):
                    part = Arithmetic(sign="*", left=right, right=Value(value=share))
                    if right != left and compare(p.schema, table, left, relation, right) is not None:
                        yield p.note(i, end, relation), Compare(relation=relation, left=left, right=part)


def _share_by_verb(p: Parse, i: Position, left: Share) -> Iterator[tuple[Position, Condition]]:
    """Like "exceed 5 percent"."""
    for relation, said in _SHARE_VERBS:
        for end, (share,) in p.seq(i, said, percentage):
            yield p.note(i, end, relation), Compare(relation=relation, left=left, right=Value(value=share))


def _so_few(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "Fewer than 5 % of all transactions may be reversed", "more than 90 % of the orders must be paid"."""
    sides: tuple[tuple[Relation, str, str], ...] = (
        ("<", words.LESS, f"{words.MAY}|{words.MUST}"),
        (">", words.GREATER, words.MUST),
    )
    for relation, said, mood in sides:
        for middle, (share, _) in p.seq(
            i, said, percentage, "of|of all|of the|of all the", lambda p, i: rows.same_rows(p, i, table)
        ):
            for start in p.phrase(middle, mood):
                for end, condition in row_predicates.row_predicate(p, start, table):
                    of = Share(table=table, condition=condition)
                    yield (
                        p.note(i, end, "how many of the rows"),
                        Compare(relation=relation, left=of, right=Value(value=share)),
                    )


def _all_together(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "All readings together should come to at least 130,000 kWh of energy"."""
    for start in (i, *p.phrase(i, "all|all the|all our|the")):
        for middle in (end for last, _ in rows.same_rows(p, start, table) for end in p.phrase(last, phrases.IN_TOTAL)):
            for after, negated in moods.head(p, middle, "must"):
                for begin in p.phrase(after, f"{phrases.ADD_UP_TO}|{words.HAVE}"):
                    for last, judge in children.counts_ahead(p, begin, table):
                        for said, of in (*limits.of_unit(p, last, table), *nouns.own_column(p, last, table)):
                            if kind_of_expression(p.schema, table, of) in ("integer", "number"):
                                total = Aggregate(statistic="sum", table=table, of=of)
                                for end, condition in judge(total, said):
                                    noted = p.note(i, end, "the sum in the whole table")
                                    yield noted, negate(condition) if negated else condition


def _a_share(p: Parse, i: Position, left: Share) -> Iterator[tuple[Position, Condition]]:
    for relation, said in (*comparisons.RELATIONS, *_VERBS):
        for end, (share,) in p.seq(i, said, percentage):
            yield p.note(i, end, relation), Compare(relation=relation, left=left, right=Value(value=share))
    sides: tuple[tuple[Relation, str], ...] = ((">=", phrases.OR_MORE), ("<=", phrases.OR_LESS))
    for middle, share in percentage(p, i):
        for relation, said in sides:
            for end in p.phrase(middle, said):
                yield p.note(i, end, relation), Compare(relation=relation, left=left, right=Value(value=share))


def _distinct(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "There must be at least 3 different currencies"."""
    for column in p.schema.tables[table].columns:
        count = Aggregate(statistic="distinct", table=table, of=Column(name=column))
        for start in p.phrase(i, "there must be|there should be|there be|there have to be"):
            for end, (condition, name) in p.seq(
                start,
                lambda p, i, count=count: comparisons.counted(p, i, table, count),
                "distinct|different|unique",
                lambda p, i: nouns.named_column(p, i, table),
            ):
                if name == column:
                    yield end, condition


# ---- which columns the table has -----------------------------------------------------------------------------------


def _columns(p: Parse, i: Position, table: str) -> Found:
    for middle in _the_table(p, i, table):
        for start in p.phrase(middle, phrases.MUST_HAVE_COLUMNS):
            for end, names in (*_column_names(p, start), *column_names.described(p, start, table)):
                yield p.note(middle, end, "columns of the table"), ColumnNames(table, required=names)
        for start in p.phrase(middle, phrases.MUST_NOT_HAVE_COLUMNS):
            for end, names in (*_column_names(p, start), *column_names.described(p, start, table)):
                yield p.note(middle, end, "columns the table must not have"), ColumnNames(table, forbidden=names)
    for end, names in column_names.forbidden(p, i, table):
        yield p.note(i, end, "columns the table must not have"), ColumnNames(table, forbidden=names)
    for end, names in (
        *column_names.existing(p, i, table),
        *column_names.lacking(p, i, table),
        *column_names.noted(p, i, table),
    ):
        yield p.note(i, end, "columns of the table"), ColumnNames(table, required=names)


def _the_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in (i, *p.phrase(i, "the|the table|table|the dataset|our")):
        for end, noun in nouns.table_noun(p, start):
            if noun == table:
                yield end


def _column_names(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    for start in p.phrase(i, phrases.COLUMN_NAMED):
        for begin in (start, *p.phrase(start, "named|called|:")):
            yield from _names(p, begin)
    for end, names in _names(p, i):
        for last in p.phrase(end, "column|field|columns|fields"):
            yield last, names


@rule
def _names(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    token = p.at(i)
    if token is None or token.kind not in ("word", "text"):
        return
    end = p.note(i, i + 1, f'a column named "{token.value}"')
    yield end, (str(token.value),)
    for middle in p.phrase(end, ",|and|, and"):
        for last, others in _names(p, middle):
            yield last, (str(token.value), *others)
