"""Values that rows have: "students only have the grades A, B and C", "has a scholarship"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.planner.grammar import claims, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import among
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.values import literals

Found = Iterator[tuple[Position, Condition]]
_SHORTEST = 4  # letters


def only_these(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "Students may only have the grades A, B and C", where the "and" lists."""
    for middle, found in rows.subject_rows(p, i):
        if found.table != table:
            continue
        for start in p.seq_ends(middle, f"{words.MUST_ONLY}|only|exclusively", words.HAVE, "?the|one of the"):
            for after, name in nouns.named_column(p, start, table):
                for end, listed in literals(p, after, table, Column(name=name), True):
                    if len(listed) > 1 and any(token.low == "and" for token in p.tokens[after:end]):
                        one_of = OneOf(of=Column(name=name), values=listed)
                        yield p.note(start, end, "only these"), claims.demand(table, one_of, found.where)


def exclude_each_other(parts: list[Condition]) -> bool:
    """Like "grade A and grade B", of which a row can have one only."""
    known: dict[object, set[object]] = {}
    for whole in parts:
        for part in whole.conditions if isinstance(whole, All) else (whole,):
            values: set[object] = set()
            if isinstance(part, OneOf):
                of, values = part.of, set(part.values)
            elif isinstance(part, Compare) and part.relation == "==" and isinstance(part.right, Value):
                of, values = part.left, {part.right.value}
            else:
                continue
            if of in known and known[of].isdisjoint(values):
                return True
            known[of] = values
    return False


def as_things(p: Parse, i: Position, table: str) -> Found:
    """Behind "has a": "scholarship" where a funding is called so; "scholarship as funding"."""
    for column in p.schema.tables[table].columns:
        of = Column(name=column)
        for end, listed in literals(p, i, table, of, False) if p.schema.occurring(table, column) else ():
            if not set(listed) <= set(p.schema.occurring(table, column)):
                continue
            for start in p.phrase(end, phrases.AS_A):
                for last, name in nouns.named_column(p, start, table):
                    if name == column:
                        yield p.note(i, last, f"{column} is one of these"), among(of, listed)
            if len(listed) == 1 and _stands_alone(p, i, end, table):
                yield p.note(i, end, f"{column} is {listed[0]}"), among(of, listed)


def _stands_alone(p: Parse, i: Position, end: Position, table: str) -> bool:
    """A word after "a" or "an" that names nothing else: no table, no column, no other column's value."""
    article = p.tokens[i - 1].low in ("a", "an") if i > 0 else False
    plain = all(token.kind == "word" and len(token.text) >= _SHORTEST for token in p.tokens[i:end])
    named = any(True for _ in nouns.table_noun(p, i)) or any(
        True for there in p.schema.tables for _ in nouns.named_column(p, i, there)
    )
    after = p.at(end)
    goes_on = after is not None and (after.kind == "number" or any(True for _ in nouns.table_noun(p, end)))
    return article and plain and not named and not goes_on
