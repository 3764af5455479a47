"""How values follow each other: "odometers must never go down per vehicle", "invoice numbers are without gaps"."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Exists, Present, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Group, Previous, Value
from pandas_magic.planner.grammar import claims, counting, moods, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import KEY_ENDINGS
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression
from pandas_magic.planner.grammar.morphology import last_word
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Claim]]
Keys = tuple[Expression, ...]
_OPENING = (
    "per|for each|for every|for any|within each|within every|within one|for a given|within a|inside a|in each|for one"
)
_STEP = Value(value=1)
_AS_IT_STANDS = Value(value="row")  # in place of a column to order by


@rule
def sequence(p: Parse, i: Position, table: str) -> Found:
    """A value compared with the one before it, in the order of the row's date, per group where one is said."""
    for start, opened in (
        (i, ()),
        *_opening_keys(p, i, table),
        *((end, ()) for end in p.phrase(i, phrases.THE_SERIES_OF)),
    ):
        for middle, (x, where) in claims.value_subject(p, start, table):
            if kind_of_expression(p.schema, table, x) not in ("integer", "number", "datetime"):
                continue
            for after, inner in ((middle, ()), *scope(p, middle, table)):
                keys = (*opened, *inner)
                for begin in (after, *p.phrase(after, ":")):
                    yield from _in_one_direction(p, begin, table, x, where, keys)
                    yield from _without_gaps(p, begin, table, x, where, keys)
    yield from _order_first(p, i, table)
    yield from _rows_first(p, i, table)
    yield from _no_fall(p, i, table)
    yield from _none_below(p, i, table)


def _order_first(p: Parse, i: Position, table: str) -> Found:
    """Like "Going by order id, the order date must never go backwards"."""
    for start in p.phrase(i, phrases.IN_THE_ORDER_OF):
        for middle, order in nouns.own_column(p, start, table):
            for begin in p.phrase(middle, ","):
                for after, (x, where) in claims.value_subject(p, begin, table):
                    for last, keys in ((after, ()), *scope(p, after, table)):
                        if x != order:
                            yield from _in_one_direction(p, last, table, x, where, keys, order)


def _rows_first(p: Parse, i: Position, table: str) -> Found:
    """Like "For accounts of the same branch ordered by opened_on, the contract number must never drop"."""
    for start in p.phrase(i, "for|among|within|in|if|when|whenever"):
        for middle, _ in rows.same_rows(p, start, table):
            for begin in p.phrase(middle, f"{phrases.WITH_THE_SAME}|{phrases.OF_ONE}|of a|of an|in a|in one|in each"):
                for after, keys in counting.group_keys(p, begin, table):
                    for last, order in _said_order(p, after, table):
                        for comma in p.phrase(last, ","):
                            for claim_at, (x, where) in claims.value_subject(p, comma, table):
                                yield from _in_one_direction(p, claim_at, table, x, where, keys, order)


def _said_order(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression | None]]:
    yield i, None
    for start in p.phrase(
        i, f"{phrases.ORDERED_BY}|be sorted by|be ordered by|be taken in order of|be put in order of"
    ):
        yield from nouns.own_column(p, start, table)


def _no_fall(p: Parse, i: Position, table: str) -> Found:
    """Like "There must be no decrease of the contract number within a branch, in order of opening date"."""
    sides: tuple[tuple[str, Relation], ...] = ((phrases.NO_FALL, ">="), (phrases.NO_RISE, "<="))
    for said, relation in sides:
        for start in p.seq_ends(i, phrases.THERE_IS_NO, said, "of|in"):
            for middle, x in nouns.own_column(p, start, table):
                yield from _followed(p, i, middle, table, x, relation)


def _none_below(p: Parse, i: Position, table: str) -> Found:
    """Like "No receipt number may be smaller than the one before"."""
    for start in p.phrase(i, words.NO):
        for middle, x in nouns.own_column(p, start, table):
            for begin in p.phrase(middle, words.MAY):
                if kind_of_expression(p.schema, table, x) in ("integer", "number", "datetime"):
                    for after, relation in _direction(p, begin, table, x, negated=True):
                        yield from _against_previous(p, begin, after, table, x, relation, None, (), None)


def _followed(p: Parse, i: Position, middle: Position, table: str, x: Expression, relation: Relation) -> Found:
    if kind_of_expression(p.schema, table, x) in ("integer", "number", "datetime"):
        yield from _against_previous(p, i, middle, table, x, relation, None, (), None)


def _opening_keys(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    for start in p.phrase(
        i,
        _OPENING,
    ):
        for middle, keys in counting.group_keys(p, start, table):
            if any(mark.text == "," and after.low == "the" for mark, after in pairwise(p.tokens[start:middle])):
                continue  # in "per machine, the planned start …" the claim begins behind the comma
            for end in (middle, *p.phrase(middle, ",|, the")):
                yield end, keys


def scope(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    """What the rows share that follow each other: "per vehicle", "of each meter"."""
    for start in p.phrase(i, f"{phrases.PER}|of each|of the|of any given|of a given|of any"):
        yield from counting.group_keys(p, start, table)


def _in_one_direction(
    p: Parse,
    i: Position,
    table: str,
    x: Expression,
    where: Condition | None,
    keys: Keys,
    said_before: Expression | None = None,
) -> Found:
    for start, negated in moods.head(p, i, "must"):
        if negated and moods.half_negated(p, i):
            continue  # "must not always increase"
        for middle, relation in _direction(p, start, table, x, negated):
            yield from _against_previous(p, start, middle, table, x, relation, where, keys, said_before)
        in_steps = kind_of_expression(p.schema, table, x) != "datetime" and not negated
        for middle, step in _in_steps(p, start, table, x) if in_steps else ():
            for end, found in _against_previous(p, start, middle, table, x, "==", where, keys, said_before):
                if said_before is not None or _order_is_said(p, middle, end, found):
                    yield end, _further_by(step, found)


def _in_steps(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, int]]:
    """Like "be exactly one higher than the one before"."""
    for start in p.phrase(i, "be|be exactly|be always|be always exactly"):
        for middle, step in whole(p, start):
            for said, sign in ((phrases.MORE_BY_SO_MUCH, 1), (phrases.LESS_BY_SO_MUCH, -1)):
                for after in p.phrase(middle, said):
                    yield from ((end, sign * step) for end in _the_one_before(p, after, table, x))
    for start in p.phrase(i, phrases.GO_UP_BY):
        for middle, step in whole(p, start):
            if any(True for _ in p.phrase(middle, phrases.ROW_BY_ROW)):
                yield middle, step


def _order_is_said(p: Parse, i: Position, end: Position, found: Claim) -> bool:
    """Rows of one day have no order by their date, in which each could be one higher than the one before."""
    before = found.must.right if isinstance(found.must, Compare) else None
    order = before.order if isinstance(before, Previous) else None
    if order is None or any(
        True for start in range(int(i), int(end)) for _ in p.phrase(Position(start), phrases.ORDERED_BY)
    ):
        return True
    p.refuse('in which order? Write "than in the row above", or "ordered by" and the column')
    return False


def _further_by(step: int, found: Claim) -> Claim:
    must = found.must
    assert isinstance(must, Compare)
    further = Arithmetic(sign="+" if step > 0 else "-", left=must.right, right=Value(value=abs(step)))
    return replace(found, must=must.model_copy(update={"right": further}))


def _against_previous(
    p: Parse,
    start: Position,
    middle: Position,
    table: str,
    x: Expression,
    relation: Relation,
    where: Condition | None,
    keys: Keys,
    said_before: Expression | None,
) -> Found:
    above = any(token.low == "above" for token in p.tokens[start:middle])
    stands = said_before is None and _as_rows_stand(p, start, middle, table, x)
    for end, order, more in _tail(p, middle, table):
        every = (*keys, *(key for key in more if key not in keys))
        if above and (every or order or said_before):
            continue  # the row above can be one of another group, or one of another time
        if stands and not every and order is None and (end == middle or above):
            by_date: Expression | None = _AS_IT_STANDS
        else:
            by_date = order or said_before or _own_order(p, table, x)
        numbered = by_date in (Column(name=p.schema.key(table) or ""), _AS_IT_STANDS)
        if by_date is None or by_date in every or not _can_follow(p, table, x, every):
            continue
        if not (numbered or _scope_is_known(p, table, x, every)):
            continue
        column = None if by_date in (x, _AS_IT_STANDS) else by_date
        before = Previous(of=x, order=column, by=every)
        scope = both(where, Present(of=x), *(() if column is None else (Present(of=column),)))
        noted = p.note(start, end, f"{relation} the value before, by {_shown(column)}")
        yield noted, Claim(table, Compare(relation=relation, left=x, right=before), scope)


def _as_rows_stand(p: Parse, i: Position, end: Position, table: str, x: Expression) -> bool:
    """Like "be in ascending order", "be higher than in the row before"; and what is said of the row's own number."""
    order = f"{phrases.BE_IN_RISING_ORDER}|{phrases.BE_IN_FALLING_ORDER}"
    if any(last == end for last in p.phrase(i, order)):
        return kind_of_expression(p.schema, table, x) == "datetime" or _scope_is_known(p, table, x, ())
    said_row = any(token.low in ("row", "record", "line", "above") for token in p.tokens[i:end])
    return said_row or _is_key(p, table, x)


def _is_key(p: Parse, table: str, x: Expression) -> bool:
    return x == Column(name=p.schema.key(table) or "")


def _shown(order: Expression | None) -> str:
    return order.name if isinstance(order, Column) else "the order in which the table stands"


_BEYOND: tuple[tuple[str, Relation], ...] = (
    (words.AT_LEAST, ">="),
    (words.GREATER, ">"),
    (words.AFTER, ">"),
    (words.LESS, "<"),
)
_NOT_BEYOND: tuple[tuple[str, Relation], ...] = (
    ("less/lower/smaller/earlier than", ">="),
    ("greater/higher/larger/more than", "<="),
)


def _direction(p: Parse, i: Position, table: str, x: Expression, negated: bool) -> Iterator[tuple[Position, Relation]]:
    down, up = phrases.FALLS, phrases.RISES
    if negated:
        yield from ((end, ">=") for end in p.phrase(i, down))
        yield from ((end, "<=") for end in p.phrase(i, up))
        for said, relation in _NOT_BEYOND:
            for start in p.phrase(i, after_be_or_not(said)):
                yield from ((end, relation) for end in _the_one_before(p, start, table, x))
        return
    yield from ((end, ">=") for end in p.phrase(i, f"{phrases.NEVER_FALLS}|{phrases.BE_IN_RISING_ORDER}"))
    yield from ((end, "<=") for end in p.phrase(i, f"{phrases.NEVER_RISES}|{phrases.BE_IN_FALLING_ORDER}"))
    yield from ((end, ">") for end in p.seq_ends(i, "strictly|be strictly", phrases.RISING))
    yield from ((end, "<") for end in p.seq_ends(i, "strictly|be strictly", phrases.FALLING))
    for said, relation in _BEYOND:
        for start in p.seq_ends(i, "be|be always", said):
            yield from ((end, relation) for end in _the_one_before(p, start, table, x))
    if _is_key(p, table, x):  # two rows with one number would be wrong anyway
        yield from ((end, ">") for end in p.phrase(i, phrases.RISES))
        yield from ((end, "<") for end in p.phrase(i, phrases.FALLS))
    elif any(True for _ in p.phrase(i, phrases.RISING + "|" + phrases.FALLING)):
        p.refuse('may equal values follow each other? Write "never decrease" or "strictly increase"')


def after_be_or_not(pattern: str) -> str:
    """The pattern's alternatives behind "be"."""
    return "|".join(f"be {alternative}" for alternative in pattern.split("|"))


def _the_one_before(p: Parse, i: Position, table: str, x: Expression) -> Iterator[Position]:
    """Where "the previous reading", "that of the row before" ends."""
    for start in p.phrase(i, phrases.THE_PREVIOUS):
        yield from p.phrase(start, "one|value|row|record|entry|reading|measurement")
        for end, noun in nouns.table_noun(p, start):
            if noun == table:
                yield end
        yield from (end for end, column in nouns.own_column(p, start, table) if column == x)
    yield from p.phrase(i, "the one before|the value before|the one before it")
    yield from p.phrase(i, f"{phrases.THE_ROW_ABOVE}|{phrases.THE_ROW_BEFORE}")
    for middle, column in nouns.own_column(p, i, table):
        if column == x:
            yield from p.phrase(middle, phrases.OF_THE_ROW_BEFORE)


def _tail(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression | None, Keys]]:
    """What follows: "over time", "from one trip to the next", "per vehicle", "ordered by date"."""
    for end, order in _ordered(p, i, table):
        yield end, order, ()
        for last, keys in scope(p, end, table):
            yield last, order, keys
            if order is None:
                for final, later in _ordered(p, last, table):
                    if final != last:
                        yield final, later, keys


def _ordered(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression | None]]:
    ends = [i, *p.phrase(i, phrases.OVER_TIME)]
    for start in p.phrase(i, "from one|from"):
        for middle, noun in nouns.table_noun(p, start):
            if noun == table:
                ends += [*p.phrase(middle, "to the next|to the next one")]
                ends += [e for after in p.phrase(middle, "to") for e, n in nouns.table_noun(p, after) if n == table]
    for end in ends:
        yield end, None
        for start in p.phrase(end, phrases.ORDERED_BY):
            yield from nouns.own_column(p, start, table)
        yield from _in_brackets(p, end, table) if int(end) > int(i) else ()
    for end in p.phrase(i, phrases.ROW_BY_ROW):
        yield p.note(i, end, "in the order in which the table stands"), _AS_IT_STANDS
        for start in p.phrase(end, phrases.ORDERED_BY):
            yield from nouns.own_column(p, start, table)
    for start in p.phrase(i, "from one"):
        for middle, order in nouns.own_column(p, start, table):
            yield from ((end, order) for end in p.phrase(middle, "to the next|to the next one"))


def _in_brackets(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "(opened_on)" behind "over time"."""
    for start in p.phrase(i, "("):
        for middle, order in nouns.own_column(p, start, table):
            yield from ((last, order) for last in p.phrase(middle, ")"))


def _own_order(p: Parse, table: str, x: Expression) -> Expression | None:
    """The date of the row; `x` itself stands for the order of the table, where there is no date."""
    dates = p.schema.dates(table)
    if kind_of_expression(p.schema, table, x) == "datetime" or not dates:
        return x
    date = p.schema.first_date(table)
    if date is None:
        p.refuse(f'in which order? Write "ordered by" and one of {", ".join(dates)}')
        return None
    return Column(name=date)


def _scope_is_known(p: Parse, table: str, x: Expression, keys: Keys) -> bool:
    """Readings of several meters do not follow each other: what they are read per has to be said."""
    links = p.schema.links(table)
    if keys or not links or _is_number_of_row(p, table, x):
        return True
    p.refuse(f'per what? Write "per {last_word(links[0].parent)}", or "for the whole table"')
    return False


def _can_follow(p: Parse, table: str, x: Expression, keys: Keys) -> bool:
    """Rows that share the key are one row, which nothing follows: "per account, booking numbers" name no booking."""
    return x not in keys and not any(_is_key(p, table, key) for key in keys)


def _is_number_of_row(p: Parse, table: str, x: Expression) -> bool:
    if not isinstance(x, Column) or any(link.column == x.name for link in p.schema.links(table)):
        return False
    return x.name == p.schema.key(table) or last_word(x.name) in KEY_ENDINGS


def _without_gaps(p: Parse, i: Position, table: str, x: Expression, where: Condition | None, keys: Keys) -> Found:
    for start, negated in moods.head(p, i, "must"):
        if negated and moods.half_negated(p, i):
            continue
        said = phrases.GAPS if negated else phrases.GAPLESS
        for middle in p.phrase(start, said):
            for after in (middle, *p.phrase(middle, f"{phrases.AND_GAPLESS}|{phrases.FIRST_TO_LAST}")):
                yield from _gapless(p, start, after, table, x, where, keys)
                for end, more in scope(p, after, table):
                    yield from _gapless(p, start, end, table, x, where, (*keys, *more))


def gapless(p: Parse, i: Position, end: Position, table: str, x: Expression, keys: Keys = ()) -> Found:
    """The claim that the numbers of the column follow each other without gaps, said from `i` to `end`."""
    yield from _gapless(p, i, end, table, x, None, keys)


def _gapless(
    p: Parse, i: Position, end: Position, table: str, x: Expression, where: Condition | None, keys: Keys
) -> Found:
    kind = kind_of_expression(p.schema, table, x)
    if kind not in ("integer", "number") or not _can_follow(p, table, x, keys):
        return
    if not _scope_is_known(p, table, x, keys):
        return
    noted = p.note(i, end, "every number but the first has the one before it")
    if isinstance(x, Column) and all(isinstance(key, Column) for key in keys):
        before = Arithmetic(sign="-", left=x, right=_STEP)
        named = tuple(part.name for part in (*keys, x) if isinstance(part, Column))
        there = Exists(of=(*keys, before), table=table, keys=named)
        first = Group(statistic="min", of=x, by=keys)
        made = Claim(table, there, Compare(relation=">", left=x, right=first))
        yield noted, made if where is None else among_these(made, where)
    else:
        p.refuse("numbers without gaps are understood per column; name the column of the group")


def among_these(found: Claim, scope: Condition) -> Claim:
    """The claim that numbers follow each other, for the rows in which `scope` is true: others fill no gap."""
    must, where = found.must, found.where
    assert isinstance(must, Exists)
    parts = where.conditions if isinstance(where, All) else (where,)
    counted = [_counted_in(part, scope) for part in parts if part is not None]
    return Claim(found.table, must.model_copy(update={"where": both(must.where, scope)}), both(scope, *counted))


def _counted_in(part: Condition, scope: Condition) -> Condition:
    if isinstance(part, Compare) and isinstance(part.right, Group):
        return part.model_copy(update={"right": part.right.model_copy(update={"where": both(part.right.where, scope)})})
    return part


def follows_its_own(found: Claim) -> bool:
    """The claim demands that the number before is there, in another row of the same table."""
    must = found.must
    return isinstance(must, Exists) and must.table == found.table and isinstance(must.of[-1], Arithmetic)
