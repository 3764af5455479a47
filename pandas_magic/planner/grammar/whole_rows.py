"""Rows that are alike in all columns: "no duplicate rows in orders", "apart from the id no two rows are identical"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Unique
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, nouns, phrases, possession, rows, verdicts
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def duplicates(p: Parse, i: Position, table: str) -> Found:
    """That no two rows are alike in all columns, or in all but those that the sentence leaves out first."""
    yield from _whole_rows(p, i, table, ())
    for start in p.phrase(i, phrases.APART_FROM):
        for middle, names in possession.column_list(p, start, table):
            for begin in (middle, *p.phrase(middle, ",")):
                yield from _whole_rows(p, p.note(i, begin, "these columns do not count"), table, names)


def _alike(p: Parse, table: str, without: tuple[Expression, ...]) -> Condition:
    columns = (Column(name=name) for name in p.schema.tables[table].columns)
    return Unique(by=tuple(column for column in columns if column not in without), missing_equal=True)


def _whole_rows(p: Parse, i: Position, table: str, without: tuple[Expression, ...]) -> Found:
    """Like "no duplicate rows in orders", "orders must not contain duplicates"."""
    unique, alike = _alike(p, table, without), phrases.DUPLICATE_ROWS
    said = f"{alike}|{phrases.ALIKE_ROWS}"
    for start in p.phrase(i, phrases.NO_SUCH):
        for middle in p.phrase(start, alike):
            for after in p.phrase(middle, "in|among|within|in the list of"):
                yield from ((end, claims.demand(table, unique)) for end in nouns.this_table(p, after, table))
    if p.target == table or len(p.schema.tables) == 1:
        for end in p.seq_ends(i, phrases.NO_SUCH, phrases.DUPLICATE_ROWS_ONLY):
            yield p.note(i, end, f"compared in all columns of {table}"), claims.demand(table, unique)
    for middle in nouns.this_table(p, i, table):
        for end in p.seq_ends(middle, f"{phrases.MUST_NOT}|must be", "contain|have|free of", "?any", alike):
            if ("be" in p.tokens[middle + 1].forms) == ("free" in {token.low for token in p.tokens[middle:end]}):
                yield end, claims.demand(table, unique)
        for end in p.seq_ends(middle, f"?{words.MUST}|{words.MAY}", "contain|have|include|show", "no", said):
            yield end, claims.demand(table, unique)
    yield from _copies_are_bad(p, i, table, unique)
    yield from _entire_rows(p, i, table, unique)
    yield from _no_two(p, i, table, unique)
    yield from _two_differ(p, i, table, unique)
    yield from _once(p, i, table, unique)
    yield from _rows_alike(p, i, table, unique)
    yield from _duplicates_are_bad(p, i, table, unique)
    yield from _entered_twice(p, i, table, unique)


def _entered_twice(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "There must be no loans that were entered twice, with all columns identical"; "twice" alone says less."""
    for start in p.phrase(i, phrases.NO_SUCH):
        for middle, _ in rows.same_rows(p, start, table):
            for after in p.seq_ends(middle, f"?{words.RELATIVE}", phrases.ENTERED_TWICE):
                behind = (
                    *p.seq_ends(after, "?,", "with", phrases.SAME_IN_ALL),
                    *p.seq_ends(after, ",", phrases.THAT_IS_ROWS, phrases.COMPLETELY_ALIKE),
                )
                for end in behind:
                    yield p.note(i, end, "alike in all columns"), claims.demand(table, unique)


def _copies_are_bad(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "Completely duplicated entries are not allowed in the shift plan", "duplicate rows in it are forbidden"."""
    for middle in p.phrase(i, f"{phrases.DUPLICATE_ROWS}|{phrases.MORE_DUPLICATE_ROWS}"):
        for start in (middle, *_in_table(p, middle, table)):
            for bad in (*p.seq_ends(start, phrases.TO_BE_BAD, words.BAD), *p.phrase(start, words.BE_BAD)):
                for end in (bad, *_behind(p, bad, table)):
                    known = int(start) > int(middle) or int(end) > int(bad)
                    if known or p.target == table or len(p.schema.tables) == 1:
                        yield p.note(i, end, "alike in all columns"), claims.demand(table, unique)


def _entire_rows(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "Entire rows in the shift plan must be unique", "find all rows in it that occur more than once"."""
    for row in p.seq_ends(i, "?the|all", "entire/whole/complete/full row/record/entry/line"):
        for middle in _in_table(p, row, table):
            for end in p.seq_ends(
                middle, f"{words.MUST}|{words.MAY}", f"be {words.UNIQUE.replace('|', '|be ')}|{words.APPEARS_ONCE}"
            ):
                yield p.note(row, end, "alike in these columns"), claims.demand(table, unique)
    for row in p.seq_ends(i, words.FLAG, f"?{words.EVERY}|the", "row|record|entry|line"):
        for middle in _in_table(p, row, table):
            for end in p.seq_ends(middle, words.RELATIVE, words.REPEATS):
                for last in (end, *p.seq_ends(end, "?,", phrases.COMPLETELY_ALIKE)):
                    yield p.note(row, last, "alike in these columns"), claims.demand(table, unique)


def _once(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "each row of the shift plan may appear only once", "no row in loans should occur twice"."""
    for row in p.seq_ends(i, words.EVERY, "row|record|entry|line"):
        yield from _said_of_row(p, i, row, table, f"{words.MUST}|{words.MAY}", unique, _ONCE)
    for row in p.seq_ends(i, words.NO, "row|record|entry|line"):
        yield from _said_of_row(p, i, row, table, f"?{words.MUST}|{words.MAY}", unique, _TWICE)
    for row in p.seq_ends(i, phrases.THE_SAME_ROW):
        yield from _said_of_row(p, i, row, table, phrases.MUST_NOT, unique, _TWICE)


_ONCE = (f"{words.APPEARS_ONCE}|{phrases.UNLIKE_OTHER_ROWS}", "only once|just once|at most once|no more than once")
_TWICE = (words.REPEATS, "twice|more than once|several times|two times|repeatedly")


def _said_of_row(
    p: Parse, i: Position, row: Position, table: str, mood: str, unique: Condition, said: tuple[str, str]
) -> Found:
    """Behind "no row": "of loans may occur twice", "may occur twice in loans", "may be in loans twice"."""
    for middle in (*_in_table(p, row, table), row):
        known = int(middle) > int(row) or p.target == table or len(p.schema.tables) == 1
        for start in p.seq_ends(middle, mood, f"?{words.ADVERBS}"):
            for end in p.phrase(start, said[0]):
                alike = p.seq_ends(end, "with", phrases.SAME_IN_ALL)
                for last in (*((end,) if known else ()), *_behind(p, end, table), *(alike if known else ())):
                    yield p.note(row, last, "alike in these columns"), claims.demand(table, unique)
            for begin in p.phrase(start, "be|occur|appear|exist|stand|be listed|be stored|be contained|be found"):
                for after in _behind(p, begin, table):
                    for last in p.phrase(after, said[1]):
                        yield p.note(i, last, "alike in these columns"), claims.demand(table, unique)


def _rows_alike(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "loans must not contain rows that are completely identical", "there are no two identical rows in loans"."""
    for middle in nouns.this_table(p, i, table):
        for end in p.seq_ends(middle, phrases.MUST_NOT, "contain|have|include", phrases.ALIKE_ROWS):
            yield p.note(middle, end, "alike in these columns"), claims.demand(table, unique)
    for start in p.phrase(i, phrases.NO_SUCH):
        for middle in p.phrase(start, phrases.ALIKE_ROWS):
            for end in _in_table(p, middle, table):
                yield p.note(i, end, "alike in these columns"), claims.demand(table, unique)
        for middle in p.phrase(start, "row|record|entry"):
            for begin in _in_table(p, middle, table):
                for end in p.seq_ends(
                    begin, words.RELATIVE, "be", f"{phrases.COMPLETELY_ALIKE}|{phrases.EXACT_COPIES}"
                ):
                    yield p.note(i, end, "alike in these columns"), claims.demand(table, unique)


def _duplicates_are_bad(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "Duplicate rows in loans are not allowed", "fully duplicated records shall not occur in loans"."""
    for middle in p.phrase(i, phrases.DUPLICATE_ROWS_ONLY):
        for after in _in_table(p, middle, table):
            for end in (*p.seq_ends(after, phrases.TO_BE_BAD, words.BAD), *p.phrase(after, words.BE_BAD)):
                yield p.note(i, end, "alike in these columns"), claims.demand(table, unique)
        for after in p.phrase(middle, words.BE_BAD):
            for end in _behind(p, after, table):
                yield p.note(i, end, "alike in these columns"), claims.demand(table, unique)
    yield from _two_alike(p, i, table, unique)


def _two_alike(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "Whenever two rows of loans agree in every column, it is an error"."""
    for start in p.seq_ends(i, words.IF, "?any", "two|several|2|two or more", "row|record|entry|line"):
        for middle in _in_table(p, start, table):
            for after in p.phrase(middle, phrases.AGREE_IN_ALL):
                for comma in p.phrase(after, phrases.THEN_AT_ONCE):
                    for end in verdicts.verdict(p, comma, table):
                        yield p.note(i, end, "alike in these columns"), claims.demand(table, unique)


def complained(p: Parse, i: Position, table: str) -> Found:
    """Like "Loans contains full duplicates. Each row may appear only once", where both speak of whole rows."""
    unique = _alike(p, table, ())
    for middle in nouns.this_table(p, i, table):
        for after in p.seq_ends(
            middle, "contain|have|include", "?some|several|many", f"{phrases.DUPLICATE_ROWS}|{phrases.ALIKE_ROWS}"
        ):
            for start in p.phrase(after, phrases.BUT_IT):
                yield from _whole_rows(p, p.note(i, start, "what is wrong today"), table, ())
                yield from _once(p, start, table, unique)


def _no_two(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "no two rows in measurements may be completely identical"."""
    for start in p.phrase(i, phrases.NO_TWO):
        found = [end for middle in p.phrase(start, "row|record|entry") for end in _in_table(p, middle, table)]
        for middle in (*found, *nouns.this_table(p, start, table)):
            for end in p.seq_ends(
                middle, "with|have|share|may have|may share|should have|can have|must have", phrases.SAME_IN_ALL
            ):
                for last in (end, *_behind(p, end, table)):
                    yield p.note(middle, last, "alike in these columns"), claims.demand(table, unique)
            for end in p.seq_ends(middle, "may be|be|should be|can be|must be", f"{phrases.COMPLETELY_ALIKE}|the same"):
                yield p.note(middle, end, "alike in these columns"), claims.demand(table, unique)


def _two_differ(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "Two rows of loans must not be identical"."""
    for start in p.phrase(i, "two|any two"):
        found = [end for middle in p.phrase(start, "row|record|entry") for end in _in_table(p, middle, table)]
        for middle in (*found, *nouns.this_table(p, start, table)):
            for end in p.seq_ends(middle, phrases.MUST_NOT, "be", phrases.COMPLETELY_ALIKE):
                yield p.note(middle, end, "alike in these columns"), claims.demand(table, unique)


def _behind(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "in the table" ends, said at the end."""
    for start in p.phrase(i, "in|within|of"):
        yield from nouns.this_table(p, start, table)
        yield from p.phrase(start, "the table|the data|the file|the whole table|this table")


def _in_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    if p.target == table or len(p.schema.tables) == 1:
        yield i
    for start in p.phrase(i, "in|of|among|within"):
        yield from nouns.this_table(p, start, table)
