"""Values worth trying in each column of a rule: at its limits, just beside them, missing, misspelt, orphaned."""

import random
from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from pandas_magic.checking.column_values import is_missing, made_up
from pandas_magic.checking.matching_texts import texts_matching
from pandas_magic.checking.solving import NOT_COMPUTABLE, PARSEABLE, UNLISTED, around, as_text, beside_moment, solved
from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, HasText, Matches, OneOf, Parses
from pandas_magic.constraints.algebra.expressions import (
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Lookup,
    Moment,
    ReadAs,
    Rollup,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import RowRule, TableRule
from pandas_magic.constraints.algebra.shapes import divided
from pandas_magic.constraints.algebra.tree import local_nodes, nodes, placed_nodes
from pandas_magic.constraints.meaning.plain_rows import Place, Scalar
from pandas_magic.constraints.meaning.row_meaning import value
from pandas_magic.constraints.meaning.scalars import arithmetic
from pandas_magic.constraints.types.named_formats import FORMATS

Pools = Mapping[tuple[str, str], list[Scalar]]
Links = frozenset[frozenset[tuple[str, str]]]
_SAMPLED = 8  # values of the sample that are tried in a column
_FEWEST_DIFFERENT = 2


def pools(rule: RowRule | TableRule, frames: Mapping[str, pd.DataFrame]) -> Pools:
    """For each column that the rule reads, the values to try: some of the sample, and those that matter to the rule."""
    found: dict[tuple[str, str], list[Scalar]] = {}
    parts = [part for part in (getattr(rule, "where", None), rule.must) if part is not None]
    for part in parts:
        for node, table in placed_nodes(part, rule.table):
            for column, values in _suggested(node, table):
                found.setdefault(column, []).extend(values)
    for link in links(rule):
        shared = [each for table, column in sorted(link) for each in _sampled(frames, table, column)[:_SAMPLED]]
        for column in link:
            found.setdefault(column, []).extend([*shared, *_strangers(shared)])
    columns = [(table, str(column)) for table, frame in frames.items() for column in frame.columns]
    return {
        column: _different(
            [*found.get(column, []), *_sampled(frames, *column)[:_SAMPLED], *_some(frames, *column), None]
        )
        for column in columns
    }


def _some(frames: Mapping[str, pd.DataFrame], table: str, column: str) -> list[Scalar]:
    """Made-up values for a column in which hardly any differ."""
    few = len(_sampled(frames, table, column)) < _FEWEST_DIFFERENT
    return made_up(frames[table][column], _FEWEST_DIFFERENT) if few else []


def links(rule: RowRule | TableRule) -> Links:
    """The pairs of columns that the rule matches with each other, across tables or within one."""
    parts = [part for part in (getattr(rule, "where", None), rule.must) if part is not None]
    return frozenset(
        frozenset(pair)
        for part in parts
        for node, table in placed_nodes(part, rule.table)
        for pair in _linked(node, table)
    )


def _linked(node: object, table: str) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    match node:
        case Exists(of=of, table=other, keys=keys):
            for part, key in zip(of, keys, strict=True):
                for column in _columns(part):
                    yield (table, column), (other, key)
        case Lookup(join=join) | Rollup(join=join):
            for column, key in zip(join.columns, join.keys, strict=True):
                yield (table, column), (join.table, key)
        case _:
            return


def _columns(expression: Expression) -> list[str]:
    return [node.name for node in local_nodes(expression) if isinstance(node, Column)]


def _sampled(frames: Mapping[str, pd.DataFrame], table: str, column: str) -> list[Scalar]:
    if table not in frames or column not in frames[table]:
        return []
    return [each for each in frames[table][column].drop_duplicates().tolist() if not is_missing(each)]


def _different(values: Iterable[Scalar]) -> list[Scalar]:
    return list({(type(each).__name__, str(each)): each for each in values}.values())


def _strangers(keys: list[Scalar]) -> list[Scalar]:
    """Keys like the others that are none of them."""
    sample = next(iter(keys), None)
    if isinstance(sample, bool) or sample is None:
        return []
    if isinstance(sample, (int, float)):
        return [max(key for key in keys if isinstance(key, (int, float))) + 1000]
    return [f"{sample}{UNLISTED}"] if isinstance(sample, str) else []


def _suggested(node: object, table: str) -> Iterator[tuple[tuple[str, str], list[Scalar]]]:
    match node:
        case OneOf(of=of, values=values):
            suggested = [other for each in values for other in _beside(each)]
            yield from (((table, column), suggested) for column in _columns(of))
        case Matches(of=of, pattern=pattern, format=named):
            known = FORMATS.get(named or "")
            texts = [*known.valid, *known.invalid] if known else texts_matching(pattern)
            yield from (((table, column), [*texts, "", "x"]) for column in _columns(of))
        case HasText(of=of, text=text):
            texts = [text, f"{text}x", f"x{text}", f"x{text}x", text.swapcase(), f"{text.upper()}x", "x", ""]
            yield from (((table, column), texts) for column in _columns(of))
        case Parses(of=of):
            yield from (((table, column), [*PARSEABLE, *_steps(of)]) for column in _columns(of))
        case Compare(left=left, right=right):
            for side, other in ((left, right), (right, left)):
                near = list(_near(side, other))
                if any(isinstance(part, ReadAs) for part in local_nodes(side)):
                    near = [*map(as_text, near), *PARSEABLE]
                yield from (((table, column), near) for column in _columns(side))
                if isinstance(side, Rollup) and side.of is not None:
                    # One child alone can bring the sum of a group, or its extreme, to the limit.
                    there = side.join.table
                    yield from (((there, column), list(_near(side.of, other))) for column in _columns(side.of))
        case Folded(of=of, fold=fold):
            texts = ["ann", "ANN", "Ann"] if fold == "case" else ["ann", " ann", "ann "]
            yield from (((table, column), texts) for column in _columns(of))
        case _:
            return


def _steps(of: Expression) -> list[Scalar]:
    """Numbers that are whole multiples of what the expression is divided by, or of 1, and numbers between them."""
    parts = divided(of)
    step = parts[1].value if parts is not None else 1
    if isinstance(step, str):
        return []
    between = [step + 1, 2 * step - 1] if isinstance(step, int) and step > 1 else []
    return [0, step, 3 * step, step * 1.5, step * 2.5, *between]


def _near(side: Expression, other: Expression) -> Iterator[Scalar]:
    """Values for the columns of one side of a comparison, from the literals of the other side."""
    for literal in nodes(other):
        if isinstance(side, TextLength) and isinstance(literal, Value) and isinstance(literal.value, (int, float)):
            yield from ("x" * size for size in range(max(int(literal.value) - 1, 0), int(literal.value) + 2))
        elif isinstance(literal, Value):
            yield from _beside(literal.value)
        elif isinstance(literal, Moment):
            yield from beside_moment(pd.Timestamp(literal.iso))
    if any(isinstance(part, DatePart) for part in nodes(side)):
        yield from (pd.Timestamp("2026-01-29 09:30") + pd.Timedelta(days=day, hours=day) for day in range(8))


def _beside(literal: Scalar) -> list[Scalar]:
    """The literal, values just beside it, and forms of it that are not the same."""
    if isinstance(literal, bool):
        return [literal, not literal]
    if isinstance(literal, int):
        return [literal, literal - 1, literal + 1, literal + 0.5, -literal, 0]
    if isinstance(literal, float):
        return [literal, literal - 1, literal + 1, literal * 1.001, literal * 0.999, -literal, 0]
    if isinstance(literal, str):
        return [literal, literal.swapcase(), f"{literal} ", UNLISTED, ""]
    return [literal]


def solutions(condition: Condition, place: Place, chance: random.Random) -> dict[str, Scalar]:
    """A value for one column of the row that brings a comparison of the condition to its limit, or just beside it."""
    compared = [node for node in local_nodes(condition) if isinstance(node, Compare)]
    chance.shuffle(compared)
    for compare in compared:
        for side, other in ((compare.left, compare.right), (compare.right, compare.left)):
            try:
                limit = value(other, place)
                found = None if limit is None else solved(side, chance.choice(around(limit, compare)), place)
                changes = _in_this_row(found, place)
            except NOT_COMPUTABLE:
                continue
            if changes:
                return changes
    return {}


def _in_this_row(found: tuple[Expression, Scalar] | None, place: Place) -> dict[str, Scalar]:
    """The change to this row alone with which something comes to what it must be; none when that is not plain."""
    match found:
        case (Column(name=name), wanted):
            return {name: wanted}
        case (Group(statistic="sum", of=Column(name=name)) as total, wanted):
            own, now = place.cell(name), value(total, place)
            return {} if own is None or now is None else {name: arithmetic("+", own, arithmetic("-", wanted, now))}
    return {}
