"""Values that are narrowed down or judged by a column beside them: "discounts over 20 %", "is paid" of a fine."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Value
from pandas_magic.planner.grammar import comparisons, nouns, rows, text_lengths
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.morphology import name_words

Found = Iterator[tuple[Position, Condition]]


@rule
def such_values(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Column, Condition]]]:
    """A column of numbers with a limit behind it: "discounts over 20 %", "a fee of more than 50 euros"."""
    for middle, x in nouns.own_column(p, i, table):
        for start in (
            p.phrase(middle, "of|with|having|that be|which be|that have|which have") if _is_text(p, table, x) else ()
        ):
            for end, condition in text_lengths.so_long(p, start, table, x):
                if isinstance(x, Column) and isinstance(condition, Compare) and condition.relation not in ("==", "!="):
                    yield end, (x, condition)
        if isinstance(x, Column) and p.schema.kind(table, x.name) in ("integer", "number"):
            for start in (middle, *p.phrase(middle, "of|that be|which be")):
                for end, condition in comparisons.comparison(p, start, table, x):
                    if isinstance(condition, Compare) and condition.relation not in ("==", "!="):
                        yield end, (x, condition)


def _is_text(p: Parse, table: str, x: Expression) -> bool:
    return isinstance(x, Column) and p.schema.kind(table, x.name) == "text"


@rule
def truth_of_value(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Behind "a fine": "is paid", "be not paid" for fine_paid."""
    for column in p.schema.truths(table):
        name = name_words(column)
        if len(name) > 1 and p.schema.called(table, name[:-1]) == [x.name]:
            for end, truth in rows.last_word_true(p, i, table, column):
                is_so = Compare(relation="==", left=Column(name=column), right=Value(value=truth))
                yield p.note(i, end, f"{column} is {truth}"), is_so


@rule
def able(p: Parse, i: Position, table: str) -> Found:
    """Like "can operate", "can not operate" for can_operate."""
    for column in p.schema.truths(table):
        yes, no = p.schema.truth_values(table, column) or (True, False)
        name = name_words(column)
        for said, truth in (("can|may|be able to", yes), ("can not|may not|be not able to|be unable to", no)):
            for start in p.phrase(i, said) if name[0] in ("can", "may") and len(name) > 1 else ():
                for end, spoken in nouns.spans(p, start):
                    if spoken == name[1:]:
                        is_so = Compare(relation="==", left=Column(name=column), right=Value(value=truth))
                        yield p.note(i, end, f"{column} is {truth}"), is_so
