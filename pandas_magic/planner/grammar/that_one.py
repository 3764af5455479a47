"""The row that a sentence named before: "If a flight has an aircraft, it must be one from the aircraft table"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import claims, clauses, neutral_verbs, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import without_presence
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Claim]]


def must_be_there(p: Parse, i: Position, table: str) -> Found:
    """Claims that the row which a row may refer to is there."""
    yield from _where_one_is_named(p, i, table)
    yield from _if_given(p, i, table)


def _where_one_is_named(p: Parse, i: Position, table: str) -> Found:
    """Like "If a flight has an aircraft assigned, it must be one from the aircraft table"."""
    for start in p.phrase(i, "if|when|whenever|where"):
        for middle, link in (
            *_named(p, start, table),
            *_done_by_another(p, start, table),
            *_does_to_another(p, start, table),
        ):
            x = Column(name=link.column)
            for after in p.seq_ends(middle, "?,", "?then"):
                for begin in (*p.phrase(after, "it|that one|they"), *_again(p, after, table, link)):
                    for end, condition in clauses.value_phrase(p, begin, table, x, "must"):
                        exists = without_presence(condition, x)
                        if _is_there(exists, link):
                            noted = p.note(i, end, f"where {link.column} is present")
                            yield noted, claims.demand(table, exists, Present(of=x))


def _named(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link]]:
    """Like "a flight has an aircraft assigned", "a test is run on an instrument", "an account has a parent account"."""
    for middle in nouns.this_table(p, i, table):
        verbs = {*map(int, p.phrase(middle, f"{words.HAVE}|{words.REFERS_TO}|use"))}
        for after in (*map(Position, verbs), *neutral_verbs.does(p, middle, table)):
            roles = [link for link in p.schema.roles(table) if link.parent == table]
            columns = [
                (end, name)
                for start in (after, *p.phrase(after, "a|an"))
                for end, name in nouns.named_column(p, start, table)
            ]
            own = [(end, link) for end, name in columns for link in roles if link.column == name]
            for end, link in (*nouns.parent(p, after, table), *own):
                yield from ((last, link) for last in (end, *p.phrase(end, phrases.GIVEN_BEHIND)))


def _again(p: Parse, i: Position, table: str, link: Link) -> Iterator[Position]:
    for start in p.phrase(i, "that|the|this"):
        yield from nouns.this_table(p, start, link.parent)
        for end, spoken in nouns.spans(p, start):
            noun = name_words(link.parent)[-1:]
            if spoken and spoken in (link.role, link.role[-1:], link.role + noun):
                yield p.note(i, end, f'the row of "{link.parent}" that {link.column} names')
    for end, name in nouns.named_column(p, i, table):
        if name == link.column and "_" in p.tokens[i].text:
            yield end


def _does_to_another(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link]]:
    """Like "a performance replaces another one", for replaces_id."""
    for middle in nouns.this_table(p, i, table):
        token = p.at(middle)
        for link in p.schema.roles(table):
            verb = name_words(link.column)[:1]
            if token is None or link.parent != table or verb not in (("replace",), ("supersede",)):
                continue
            if verb[0] in token.forms and token.low.endswith(("e", "es")):
                for other in p.phrase(position(middle + 1, middle.trace), "another"):
                    for end in (*p.phrase(other, "one"), *nouns.this_table(p, other, table)):
                        yield p.note(middle, end, f"{link.column} is present"), link


def _done_by_another(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link]]:
    """Like "a client was referred by another client", "a tenant was recruited by somebody", for referred_by."""
    for middle in nouns.this_table(p, i, table):
        for start in p.phrase(middle, "be|have been"):
            for link in p.schema.roles(table):
                said = name_words(link.column)
                token = p.at(start)
                if said[1:] != ("by",) or link.parent != table or token is None or token.low != said[0]:
                    continue
                for by in p.phrase(position(start + 1, start.trace), "by"):
                    others = (
                        end
                        for other in p.phrase(by, "another|an existing|some other|one of the other|a")
                        for end in nouns.this_table(p, other, table)
                    )
                    for end in (
                        *p.phrase(by, "someone|somebody|another one|someone else|somebody else|anyone|anybody"),
                        *others,
                    ):
                        yield p.note(start, end, f"{link.column} is present"), link


def _if_given(p: Parse, i: Position, table: str) -> Found:
    """Like "An instrument, where given, is always one from the instruments table"."""
    for middle, link in nouns.parent(p, i, table):
        x = Column(name=link.column)
        for start, closing in (
            *((end, ",") for end in p.phrase(middle, ",")),
            *((end, ")") for end in p.phrase(middle, "(")),
        ):
            for after in p.seq_ends(start, words.IF_GIVEN, closing):
                for end, condition in clauses.value_phrase(p, after, table, x, "must"):
                    exists = without_presence(condition, x)
                    if _is_there(exists, link):
                        yield p.note(i, end, f"where {link.column} is present"), claims.demand(table, exists)


def _is_there(condition: Condition, link: Link) -> bool:
    return (
        isinstance(condition, Exists) and condition.table == link.parent and condition.of == (Column(name=link.column),)
    )
