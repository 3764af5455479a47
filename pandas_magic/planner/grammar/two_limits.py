"""Limits before what they limit: "at least 2 and at most 9 seats", "less than 1 or more than 10 ml"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import bounds, measures, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.measuring_verbs import named_by_verb
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Condition]]
_COUNTS = (("count",), ("cnt",), ("num",), ("number",), ("qty",), ("quantity",))


@rule
def before_name(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Column, Condition]]]:
    """Two limits before the column that they are about: "at least 2 and at most 9 seats"; "more than 50 parcels"."""
    for end, (x, limits) in _limited(p, i, table):
        counted = _counts(x, tuple(name_words(p.tokens[end - 1].text)))
        if counted or isinstance(limits, (All, Any_)):
            yield end, (x, limits)


@rule
def _limited(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Column, Condition]]]:
    for x in _numbers(p, table):
        for middle, limits in bounds.bounded(p, i, table, x):
            for end, name in (*nouns.named_column(p, middle, table), *_counted(p, middle, table)):
                if name == x.name:
                    yield p.note(i, end, f"of {name}"), (x, limits)
            # "20 items" of item_count, where "items" is read as what is counted.
            if int(middle) > int(i) + 1 and _counts(x, tuple(name_words(p.tokens[middle - 1].text))):
                yield p.note(i, middle, f"of {x.name}"), (x, limits)


@rule
def _counted(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "parcels" for parcel_count, where no table is called so."""
    if any(True for _ in nouns.table_noun(p, i)):
        return
    for end, spoken in nouns.spans(p, i):
        for x in _numbers(p, table):
            if _counts(x, spoken):
                yield p.note(i, position(end, i.trace), f'the column "{x.name}" of "{table}"'), x.name


def _counts(x: Column, spoken: tuple[str, ...]) -> bool:
    name = name_words(x.name)
    return (name[-1:] in _COUNTS and name[:-1] == spoken) or (name[:1] in _COUNTS and name[1:] == spoken)


def permitted(p: Parse, i: Position, table: str) -> Found:
    """Behind "may": "have no more than 5 bags", "have 50 to 250 seats"; "have at least 2 bags" asks for nothing."""
    for start in p.phrase(i, f"{words.HAVE}|{phrases.COUNTED_BY}"):
        for end, (_, limits) in _limited(p, start, table):
            upper = isinstance(limits, Compare) and limits.relation in ("<", "<=")
            if upper or isinstance(limits, All):
                yield end, limits


@rule
def before_unit(p: Parse, i: Position, table: str) -> Found:
    """Limits before the unit in which only one column is measured: "less than 1 or more than 10 ml"."""
    for x in _numbers(p, table):
        for end, limits in bounds.bounded(p, i, table, x):
            if measures.only_one_in_unit(p, end - 1, table) == x.name:
                yield p.note(i, end, f"of {x.name}, by its unit"), limits


@rule
def kept_within(p: Parse, i: Position, table: str) -> Found:
    """Like "be stored below 2 or above 8 degrees": a verb that says nothing of its own, and the unit says which."""
    for start in p.phrase(i, "be|be always|be ever|have been"):
        yield from before_unit(p, start, table)
    for start in (i, *p.phrase(i, "be|be always|be ever|have been")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        neutral = any(True for _ in p.phrase(start, phrases.KEPT)) and not tells_rows_apart(p, token, table)
        for after in (Position(start + 1), *p.phrase(Position(start + 1), phrases.AT_A_TEMPERATURE)):
            for end, limits in before_unit(p, after, table):
                of = measures.only_one_in_unit(p, end - 1, table)
                if neutral or (of and token.forms & named_by_verb(of)):
                    yield p.note(start, end, f"of {of}, by its unit"), limits


def _numbers(p: Parse, table: str) -> list[Column]:
    """The table's columns of numbers that are neither a key nor a reference."""
    keys = {p.schema.key(table), *(link.column for link in (*p.schema.links(table), *p.schema.roles(table)))}
    columns = p.schema.tables[table].columns
    return [
        Column(name=one) for one in columns if one not in keys and p.schema.kind(table, one) in ("integer", "number")
    ]
