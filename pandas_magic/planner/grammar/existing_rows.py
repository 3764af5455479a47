"""Rows of another table that are said to be there: "an existing user", "one from the users table", "a user we know"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import children, modifiers, neutral_verbs, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import all_in, has_window, without_presence
from pandas_magic.planner.grammar.meaning import comparable
from pandas_magic.planner.grammar.morphology import name_words, word_forms
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Condition]]
_DENIED = frozenset(("no", "not", "never", "nobody", "none", "neither", "without", "unless", "except"))
_ASKED = frozenset(("if", "when", "whenever", "once", "while", "flag", "find", "list", "show", "report"))


def tied_by_any_verb(p: Parse, i: Position, table: str) -> Found:
    """Like "bill an existing subscription", "be flown by a known pilot", "bill an unknown subscription".

    That the row referred to is there, or is one of some kind, is said anyway, so that the verb can be any.
    """
    before = {token.low for token in p.tokens[:i]}
    if "only" in before and p.tokens[i - 1].low != "only":
        return  # "only drivers of class C may drive trucks" demands something of the drivers
    if only_goes_to(p, i):
        return
    if before.isdisjoint(_DENIED | _ASKED):
        yield from _done_by_one_of(p, i, table)
    for middle in neutral_verbs.does(p, i, table):
        noted = p.note(i, middle, "refers to")
        yield from modifiers.of_unknown(p, noted, table)
        if before.isdisjoint(_DENIED | _ASKED):
            for end, (link, where) in said_to_be_there(p, noted, table):
                refers = children.refers(link, where)
                yield end, without_presence(refers) if "only" in before else refers


def only_goes_to(p: Parse, i: Position) -> bool:
    """Like "(may only) be given to active carriers", which is read as a whole."""
    only = any(token.low == "only" for token in p.tokens[:i])
    return only and any(True for _ in p.phrase(i, phrases.ONLY_GOES_TO))


def _done_by_one_of(p: Parse, i: Position, table: str) -> Found:
    """Like "be approved by an existing employee" for approved_by, whose values are the keys of employees."""
    for start in p.phrase(i, "be|have been"):
        token, by = p.at(start), p.at(Position(int(start) + 1))
        if token is None or by is None or by.low != "by":
            continue
        for name in p.schema.tables[table].columns:
            said = name_words(name)
            if len(said) != 2 or said[1] != "by" or token.forms.isdisjoint(word_forms(said[0])):
                continue
            noted = p.note(i, int(start) + 2, f'the column "{name}"')
            for begin in p.phrase(position(int(start) + 2, noted.trace), f"{words.ARTICLE}|one|some|any|one of our"):
                for end, there in _known_rows(p, begin):
                    key = p.schema.key(there)
                    if key and comparable(p.schema.kind(table, name), p.schema.kind(there, key)):
                        of = Column(name=name)
                        exists = Exists(of=(of,), table=there, keys=(key,))
                        yield end, all_in((Present(of=of), exists))


def _known_rows(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "existing employee", "employee from the employees table"."""
    for middle in p.phrase(i, words.EXISTING):
        yield from nouns.table_noun(p, middle)
    for middle, there in nouns.table_noun(p, i):
        yield from ((end, there) for end in children.that_exists(p, middle, there))


def said_to_be_there(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Link, Condition | None]]]:
    """Like "an existing user", "a user that is in the users table", "an active user", but not "a user" alone."""
    for start in (i, *p.phrase(i, f"{words.ARTICLE}|one|exactly one|some|any|one of our|our|{words.EVERY}")):
        for middle, known in ((start, False), *((end, True) for end in p.phrase(start, words.EXISTING))):
            for end, found in rows.plain_rows(p, middle):
                roles = [link for link in p.schema.roles(table) if link.parent == found.table != table]
                links = [*p.schema.links_to(table, found.table), *roles]
                if len(links) != 1 or (found.where is not None and has_window(found.where)):
                    continue
                if known or found.where is not None:
                    yield end, (links[0], found.where)
                for last in children.that_exists(p, end, found.table):
                    yield p.note(end, last, "that is there"), (links[0], found.where)


def one_of_them(p: Parse, i: Position, parent: str) -> Iterator[Position]:
    """Behind "must be": "one from the users table", "one of our users", "one of those listed in users"."""
    yield from p.phrase(i, phrases.A_KNOWN_ONE)
    for start in p.phrase(i, phrases.ONE_OF_THEM):
        yield from children.that_exists(p, start, parent)
        for middle in (start, *p.phrase(start, "of|among|out of")):
            for begin in (middle, *p.phrase(middle, f"{nouns.DETERMINER}|those|the ones")):
                for end in nouns.this_table(p, begin, parent) if begin > start else ():
                    yield end
                    yield from children.that_exists(p, end, parent)
                yield from children.that_exists(p, begin, parent)
