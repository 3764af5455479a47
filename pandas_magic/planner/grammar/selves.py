"""Rows that must not refer to themselves: "nobody can be their own manager", "a category may not contain itself"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import moods, nouns, phrases, rows
from pandas_magic.planner.grammar.aliases import KEY_ENDINGS
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import for_where
from pandas_magic.planner.grammar.meaning import Claim, comparable
from pandas_magic.planner.grammar.morphology import last_word, name_words, word_forms
from pandas_magic.planner.grammar.naming import PEOPLE

Found = Iterator[tuple[Position, Claim]]


@rule
def self_reference(p: Parse, i: Position, table: str) -> Found:
    """The claim that a column which refers to a row is not that row's own key."""
    for middle, key, where, denied in _subjects(p, i, table):
        for start, negated in moods.head(p, middle, "may" if denied else "must"):
            if negated == denied:
                continue
            for end, column in (
                *_own(p, start, table),
                *_reflexive(p, start, table, key),
                *_in_two_roles(p, start, table, key),
            ):
                if column != key and comparable(p.schema.kind(table, column), p.schema.kind(table, key)):
                    apart = Compare(relation="!=", left=Column(name=column), right=Column(name=key))
                    yield p.note(start, end, f"{column} is another than {key}"), Claim(table, apart, for_where(where))
    yield from own_work(p, i, table)


def own_work(p: Parse, i: Position, table: str) -> Found:
    """Like "Employees must not approve their own absences" for approved_by and employee_id."""
    for middle, key, denied in _doers(p, i, table):
        for start, negated in moods.head(p, middle, "may" if denied else "must"):
            token = p.at(start)
            if token is None or negated == denied:
                continue
            for column in p.schema.tables[table].columns:
                name = name_words(column)
                if len(name) != 2 or name[1] != "by" or not word_forms(name[0]) & token.forms or column == key:
                    continue
                for after in p.phrase(position(start + 1, start.trace), "their/his/her own|his or her own"):
                    for end in nouns.this_table(p, after, table):
                        if comparable(p.schema.kind(table, column), p.schema.kind(table, key)):
                            apart = Compare(relation="!=", left=Column(name=column), right=Column(name=key))
                            yield p.note(start, end, f"{column} is another than {key}"), Claim(table, apart)


def _doers(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str, bool]]:
    """Whose rows they are, as (end, the column that says so, whether "no" came first)."""
    for start, denied in ((i, False), *((end, True) for end in p.phrase(i, words.NO))):
        yield from ((end, link.column, denied) for end, link in nouns.parent(p, start, table))
    people = [link for link in p.schema.links(table) if last_word(link.parent) in PEOPLE]
    for start in p.phrase(i, "nobody|no one") if len(people) == 1 else ():
        yield start, people[0].column, True


def _subjects(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str, Condition | None, bool]]:
    """Who must not be related to itself, as (end, column that says who it is, which rows, whether "no" came first)."""
    own = p.schema.key(table)
    for start, denied in ((i, False), *((end, True) for end in p.phrase(i, words.NO))):
        for middle, found in rows.rows(p, start):
            if found.table == table and own is not None:
                yield middle, own, found.where, denied
        for middle, link in nouns.parent(p, start, table):
            yield middle, link.column, None, denied
        for link in p.schema.roles(table)[:1] if len(p.schema.roles(table)) == 2 else ():
            yield from ((end, link.column, None, denied) for end in nouns.this_table(p, start, link.parent))
    if own is not None:
        for start in p.phrase(i, words.NOTHING):
            yield start, own, None, True


def _own(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "be their own manager"."""
    for start in p.seq_ends(i, "be|have|act as|become|serve as", f"?as|{words.POSSESSIVE}", phrases.OWN):
        yield from nouns.named_column(p, start, table)


def _reflexive(p: Parse, i: Position, table: str, key: str) -> Iterator[tuple[Position, str]]:
    """Like "refer to itself", "manage themselves": the verb names the column, or there is only one."""
    for middle in p.phrase(i, phrases.REFERS_SOMEHOW):
        for end in p.phrase(middle, phrases.ITSELF):
            references = p.schema.self_references(table)
            if len(references) == 1 and key == p.schema.key(table):
                yield end, references[0]
    yield from _by_its_name(p, i, table)
    for start in (i, *p.phrase(i, "be")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        behind = p.note(i, start + 1, "the verb of a column")
        for middle in (behind, *p.phrase(behind, "to|by|for|from|with")):
            for end in p.phrase(middle, phrases.ITSELF):
                yield from ((end, column) for column in _columns_of_verb(p, table, token.forms))


def _by_its_name(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "be a duplicate of itself" for duplicate_of."""
    for start in (i, *p.phrase(i, "be|be a|be the|be an")):
        for end, spoken in nouns.spans(p, start):
            for column in p.schema.tables[table].columns:
                if name_words(column) == spoken:
                    noted = p.note(start, end, f'the column "{column}"')
                    yield from ((last, column) for last in p.phrase(noted, phrases.ITSELF))


def _in_two_roles(p: Parse, i: Position, table: str, key: str) -> Iterator[tuple[Position, str]]:
    """Like "play against itself", where home_team_id and away_team_id are the only two teams of a match."""
    for middle in p.phrase(i, phrases.WITH_ITSELF):
        for end in p.phrase(middle, phrases.ITSELF):
            roles = [link for link in p.schema.roles(table) if link.parent != table]
            if len(roles) == 2 and roles[0].parent == roles[1].parent and key == roles[0].column:
                yield end, roles[1].column


def _columns_of_verb(p: Parse, table: str, forms: frozenset[str]) -> list[str]:
    """The columns that name who does what the verb says: manager_id for "manage", reports_to for "report"."""
    found = []
    for column in p.schema.tables[table].columns:
        name = [word for word in name_words(column) if word not in (*KEY_ENDINGS, "to", "by")]
        if len(name) == 1 and any(_does(name[0], verb) for verb in forms):
            found.append(column)
    return found if len(found) == 1 else []


def _does(noun: str, verb: str) -> bool:
    stem = verb.removesuffix("e")
    return noun in (stem + "er", stem + "or", verb + "er", verb + verb[-1:] + "er") or verb in word_forms(noun)
