"""Rules about the rows that rows of this table refer to: "male patients may not be admitted to ward MAT"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, Not, Present
from pandas_magic.constraints.algebra.expressions import Column, Lookup
from pandas_magic.planner.grammar import (
    children,
    claims,
    clauses,
    done_lately,
    events,
    modifiers,
    moods,
    neutral_verbs,
    nouns,
    phrases,
    rows,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import has_window, negate
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim, join_along, lifted
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Claim]]


def parent_of_some(p: Parse, i: Position, table: str, link: Link) -> Found:
    """Behind "patients": "in ward MAT must be female", where the ward is this table's and the sex is the patients'."""
    if any(True for _ in modifiers.modifier(p, i, link.parent)):
        return
    for middle, where in modifiers.modifier(p, i, table):
        for end, condition in clauses.row_phrase(p, middle, link.parent, "must"):
            seen = lifted(condition, join_along(link))
            if seen is not None and not has_window(condition):
                yield end, claims.demand(table, seen, where)


def rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Like "Readers who are children may not have a fine", where the fine is in this table."""
    for middle, where in _belonging(p, i, table):
        told = _said_of_themselves(p, i, middle, table) if p.target != table else set()
        for end, condition in clauses.row_phrase(p, middle, table, "must"):
            if int(end) in told or done_lately.asks_for_one(condition) or _of_the_subject(p, middle, end):
                continue  # "animals should not be older than 16 years" is about them, not about their visits
            if any(isinstance(part, Exists) for part in getattr(condition, "conditions", (condition,))):
                continue  # "each order must contain a product" asks for a row, not for something in one
            denied = condition.condition if isinstance(condition, Not) else None
            if not _about_others(condition) and not _is_the_row(p, table, denied):
                yield end, claims.demand(table, condition, where)


def _said_of_themselves(p: Parse, i: Position, middle: Position, table: str) -> set[int]:
    """Where what is said of the other rows ends, when read of them alone."""
    others = {found.table for end, found in rows.rows(p, i) if int(end) == int(middle) and found.table != table}
    return {int(end) for other in others for end, _ in clauses.row_phrase(p, middle, other, "must")}


def _of_the_subject(p: Parse, i: Position, end: Position) -> bool:
    """Like "be older than 30 days", "weigh at most 5 kg": whoever is spoken of is that old, not what refers to it."""
    low = {token.low for token in p.tokens[i:end]}
    compared = "than" in low and not low.isdisjoint((*words.COMPARATIVES, "newer"))
    return compared or not low.isdisjoint(("old", "weigh", "weighs"))


def _is_the_row(p: Parse, table: str, condition: Condition | None) -> bool:
    """Like "be lent": that there is such a loan, rather than that its date is known."""
    of = condition.of if isinstance(condition, Present) else None
    if not isinstance(of, Column) or of.name not in p.schema.dates(table):
        return False
    return not event_verbs(of.name).isdisjoint(p.schema.verbs(table))


def never_done_by_some(p: Parse, i: Position, table: str) -> Found:
    """Like "Reference-only items may not be lent", where lending makes a row of this table."""
    for middle, where in _belonging(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for begin in (start, *p.phrase(start, "be|get|have been")) if negated else ():
                for end in events.done_to_rows(p, begin, table):
                    onto = (end, *p.phrase(end, "for|to|in|at|on"))
                    objects = (last for at in onto for last, link in nouns.parent(p, at, table) if p.target == table)
                    for last in (end, *p.phrase(end, "anything|anymore|any more|any longer"), *objects):
                        yield p.note(middle, last, f"no row of {table}"), as_claim(Rows(table), where)


def no_rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Behind "no": "blocked reader may have a fine"."""
    for middle, where in _belonging(p, i, table):
        for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
            if _of_the_subject(p, middle, end):
                continue
            if _is_the_row(p, table, condition):
                yield end, as_claim(Rows(table), where)
            elif not _about_others(condition):
                yield end, as_claim(Rows(table, where), condition)


def only_rows_of_some(p: Parse, i: Position, table: str) -> Found:
    """Behind "only": "female patients may be admitted to ward MAT"."""
    for middle, needed in lifted_rows(p, i, table):
        for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
            if not _about_others(condition) and not _of_the_subject(p, middle, end):
                yield p.note(i, end, "whoever does so is one of these"), claims.demand(table, needed, condition)


def only_some_do(p: Parse, i: Position, table: str) -> Found:
    """Behind "only": "vets who can operate may be assigned to surgery visits"."""
    for middle, needed in lifted_rows(p, i, table):
        for start in p.seq_ends(middle, words.MAY, f"{words.HAVE}|{phrases.HOLDS}|{phrases.WORK_ON}"):
            for end, found in rows.subject_rows(p, start):
                if found.table == table and found.where is not None:
                    noted = p.note(i, end, "whoever does so is one of these")
                    yield noted, claims.demand(table, needed, found.where)


def some_never_do(p: Parse, i: Position, table: str) -> Found:
    """Like "Vets who are retired must not be assigned to surgery visits"."""
    for middle, where in _belonging(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for after in p.phrase(start, phrases.WORK_ON) if negated else ():
                for end, found in rows.subject_rows(p, after):
                    if found.table == table:
                        yield p.note(middle, end, f"no such row of {table}"), as_claim(found, where)


def belonging_to_others(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows of another table that are narrowed down, as the condition that a row refers to one that is not of them."""
    for middle, found in rows.rows(p, i):
        links = p.schema.links_to(table, found.table)
        if found.table != table and found.where is not None and len(links) == 1 and not has_window(found.where):
            yield middle, modifiers.belongs(links[0], negate(found.where))


def lifted_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows of another table that are narrowed down, as a condition on the row referred to."""
    for middle, found in rows.rows(p, i):
        links = p.schema.links_to(table, found.table)
        if found.table != table and found.where is not None and len(links) == 1:
            needed = lifted(found.where, join_along(links[0]))
            if needed is not None:
                yield middle, needed


def _belonging(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows of another table that are narrowed down, as a condition on the rows that refer to them."""
    for middle, found in rows.rows(p, i):
        if found.table != table and found.where is not None and not has_window(found.where):
            links = p.schema.links_to(table, found.table)
            if len(links) == 1:
                yield middle, modifiers.belongs(links[0], found.where)


def _about_others(condition: Condition) -> bool:
    """The condition looks at other rows, or at rows that refer to these."""
    return has_window(condition) or children.without_child(condition) is not None


def same_through_parent(p: Parse, i: Position, table: str) -> Found:
    """Like "The reward of a pledge belongs to the same campaign as the pledge itself"."""
    for middle, link in nouns.parent(p, i, table):
        of_it = (end for of in p.phrase(middle, "of|for|on|in") for end in nouns.this_table(p, of, table))
        for start in (middle, *of_it):
            verbs = {*map(int, p.seq_ends(start, f"?{words.MUST}", f"{words.REFERS_TO}|be in|be from|have"))}
            verbs |= {int(end) for must in p.phrase(start, words.MUST) for end in neutral_verbs.does(p, must, table)}
            for begin in (
                end for verb in sorted(verbs) for end in p.phrase(position(verb, start.trace), phrases.THE_SAME)
            ):
                for after, mine in _shared_with_parent(p, begin, table, link):
                    for last in p.phrase(after, "as"):
                        for end in nouns.this_table(p, last, table):
                            for final in (end, *p.phrase(end, "itself|themselves")):
                                there = Lookup(join=join_along(link), of=Column(name=mine[1]))
                                same = Compare(relation="==", left=there, right=Column(name=mine[0]))
                                yield p.note(i, final, "the same in both"), Claim(table, same)


def same_as_parent(p: Parse, i: Position, table: str) -> Found:
    """Like "A transaction must be in the same currency as its account"."""
    for middle, found in rows.subject_rows(p, i):
        if found.table != table:
            continue
        for begin in _has_the_same(p, middle, table):
            yield from _as_its_parent(p, begin, table, found.where)


def _has_the_same(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "must be in the same", "has the same" ends."""
    own = f"{words.REFERS_TO}|{words.HAVE}|be in|use"
    verbs = [*p.seq_ends(i, f"?{words.ADVERBS}", own)]
    for must in p.phrase(i, words.MUST):
        verbs += [*p.phrase(must, own), *neutral_verbs.does(p, must, table)]
    for verb in {int(end): end for end in verbs}.values():
        yield from p.phrase(verb, phrases.THE_SAME)


def _as_its_parent(p: Parse, i: Position, table: str, where: Condition | None) -> Found:
    for link in p.schema.links(table):
        for middle, mine in _shared_with_parent(p, i, table, link):
            for last in p.phrase(middle, "as"):
                for end, again in nouns.parent(p, last, table):
                    if again == link:
                        there = Lookup(join=join_along(link), of=Column(name=mine[1]))
                        same = Compare(relation="==", left=Column(name=mine[0]), right=there)
                        yield p.note(i, end, "the same in both"), claims.demand(table, same, where)


def _shared_with_parent(p: Parse, i: Position, table: str, link: Link) -> Iterator[tuple[Position, tuple[str, str]]]:
    """What both rows have: (own column, the column of the row referred to)."""
    for end, own in nouns.parent(p, i, table):
        yield from (
            (end, (own.column, there.column)) for there in p.schema.links(link.parent) if there.parent == own.parent
        )
    for end, name in nouns.named_column(p, i, table):
        if name in p.schema.tables[link.parent].columns and name != link.column:
            yield end, (name, name)
