"""Missing values spoken of by a part of their column's name: "tests without a result", "unrated tickets"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Column]]


def left_out(p: Parse, i: Position, table: str, judged: frozenset[Column]) -> Found:
    """Behind a rule about the columns: "tests without a result are ignored", "unrated tickets are allowed"."""
    for end, x in _missing(p, i, table, judged):
        for last in p.seq_ends(end, f"?{phrases.WE_JUST}", f"{phrases.LEFT_ALONE}|{words.IGNORED_MISSING}"):
            yield p.note(i, last, f"{x.name} may be missing"), x
    for start in p.phrase(i, phrases.LEAVE_ALONE):
        yield from _missing(p, start, table, judged)


def _missing(p: Parse, i: Position, table: str, judged: frozenset[Column]) -> Found:
    for middle in (*nouns.this_table(p, i, table), *p.phrase(i, "those|rows|records|the rows")):
        for start in p.seq_ends(middle, phrases.WITHOUT_A, "?a|an|any|the|such a|such an"):
            yield from _by_part(p, start, table, judged)
    for start in p.seq_ends(i, "?a|an|the", f"{words.MISSING}|empty|blank"):
        yield from _by_part(p, start, table, judged)
    referring = {link.column for link in (*p.schema.links(table), *p.schema.roles(table))}
    for start in p.seq_ends(i, "?a|an|the", "unknown"):
        yield from ((end, x) for end, x in _by_part(p, start, table, judged) if x.name not in referring)
    token = p.at(i)
    if len(judged) == 1 and token is not None and not tells_rows_apart(p, token, table):
        for start in p.phrase(i, phrases.NOT_RATED):
            stem = frozenset((token.low.removeprefix("un"),))
            if not any(stem & set(name_words(column)) for column in p.schema.tables[table].columns):
                behind = (*nouns.this_table(p, start, table), *p.phrase(start, "ones|values|rows|records"))
                yield from ((end, next(iter(judged))) for end in behind)


def _by_part(p: Parse, i: Position, table: str, judged: frozenset[Column]) -> Found:
    """Like "result" for result_value, where that is judged and no other column is called so."""
    for end, spoken in nouns.spans(p, i):
        named = [x for x in judged if _begins_or_ends(name_words(x.name), spoken)]
        others = [
            name for at, name in nouns.named_column(p, i, table) if int(at) == end and Column(name=name) not in named
        ]
        if len(named) == 1 and not others:
            yield p.note(i, position(end, i.trace), f'the column "{named[0].name}"'), named[0]


def _begins_or_ends(name: tuple[str, ...], spoken: tuple[str, ...]) -> bool:
    return len(spoken) < len(name) and spoken in (name[: len(spoken)], name[-len(spoken) :])
