"""Only what another table knows: "Only registered users may have orders", "only existing user ids may be used as …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import children, claims, nouns, phrases, references
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def only_known(p: Parse, i: Position, table: str) -> Found:
    """Claims that every reference is to a row that there is."""
    for start in p.phrase(i, "only|nothing but|nobody but|no one but"):
        noted = p.note(i, start, "there are no others")
        yield from _rows_of_known(p, noted, table)
        yield from _used_as(p, noted, table)


def _rows_of_known(p: Parse, i: Position, table: str) -> Found:
    """Behind "only": "users listed in the users table may have orders", "known users may place orders"."""
    for middle, (link, where) in children.referred_rows(p, i, table):
        said = int(middle) > int(i) + 1 and where is None
        some = p.tokens[i].low in ("some", "any", "one", "a", "an", "exactly", "at")
        if some or not said or not _is_said_to_exist(p, i, middle):
            continue
        for after in p.seq_ends(middle, words.MAY, f"{words.HAVE}|{phrases.HOLDS}|be on|be used for|appear in/on"):
            for end in nouns.this_table(p, after, table):
                yield p.note(i, end, f"a row of {link.parent}"), claims.demand(table, children.refers(link))


def _is_said_to_exist(p: Parse, i: Position, end: Position) -> bool:
    """Like "registered users", "users in the users table": more than the bare noun."""
    return any(True for _ in p.phrase(i, words.EXISTING)) or any(
        token.low in ("in", "from", "listed", "known", "registered", "recorded", "exist", "exists", "know", "have")
        for token in p.tokens[i:end]
    )


def _used_as(p: Parse, i: Position, table: str) -> Found:
    """Behind "only": "existing user ids may be used as referrer_id", "values of users.user_id are allowed as …"."""
    for column in p.schema.tables[table].columns:
        x = Column(name=column)
        if all(link.column != column for link in (*p.schema.links(table), *p.schema.roles(table))):
            continue
        for middle, (there, key, where) in references.elsewhere(p, i, table, x):
            for after in p.seq_ends(middle, phrases.VALUES_ALLOWED, "as|for|in", f"?{words.ARTICLE}"):
                for end, named in nouns.own_column(p, after, table):
                    if named == x:
                        known = references.known(x, there, key, where, table=table)
                        yield p.note(i, end, f"a value of {there}.{key}"), claims.demand(table, known)
