"""Rows that a noun phrase speaks of: "shipped orders", "orders without a ship date", "users who are banned"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.planner.grammar import definitions, events, modifiers, nouns, phrases, said_of_children, value_limits
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.beginnings import BEGINNINGS, ENDINGS
from pandas_magic.planner.grammar.chart import Parse, Position, after_be, position, rule
from pandas_magic.planner.grammar.logic import among, any_of, both, for_where, negate
from pandas_magic.planner.grammar.meaning import Rows
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.naming import EVENT_SYNONYMS, UNIT_WORDS
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.values import literals, number

Found = Iterator[tuple[Position, Condition]]
_BASE_FORMS = frozenset((*EVENT_SYNONYMS, *BEGINNINGS, *ENDINGS, "depart", "arrive"))
_NEW_MODIFIERS = ("and", "but", "with", "without", "that", "which", "who", "whose", "where", "for", "from", "in", ",")
_HAS_MADE = (
    "have|place|make|own|create|have placed|have made|have created|submit|have submitted|book|have booked|hold|keep|"
    "contain|carry|include|list|stock|house|employ"
)
_MOST_ADJECTIVES = 8  # words before the noun


@rule
def rows(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """A noun phrase for rows, with its determiner: "every shipped order", "the users", "any order whose total is 0"."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        yield from plain_rows(p, start)


@rule
def plain_rows(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """A noun phrase for rows, without determiner."""
    for table in _tables_ahead(p, i):
        for middle, where in adjectives_or_none(p, i, table):
            for end, noun in nouns.table_noun(p, middle):
                if noun == table:
                    yield from _modified(p, end, table, where)
    for end, found in definitions.defined(p, i):
        yield from _modified(p, end, found.table, found.where)
    yield from _of_a_value(p, i)
    for middle in p.phrase(i, "row|record|entry"):
        for end in _of_table(p, middle):
            yield from _modified(p, end[0], end[1], None)
        yield from _modified(p, middle, p.default, None)


def _of_a_value(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """Rows of another table by a value that only they have: "contractors", "an intern" of employees."""
    here = {end for end, _ in nouns.spans(p, i) for _ in _value_adjective(p, i, p.default)}
    if here or any(True for _ in nouns.table_noun(p, i)) or any(True for _ in nouns.named_column(p, i, p.default)):
        return
    found = [
        (end, table, where)
        for table in p.schema.tables
        if table != p.default and (p.schema.links_to(p.default, table) or p.schema.links_to(table, p.default))
        for end, where in _value_adjective(p, i, table)
        if p.tokens[end - 1].low.endswith("s") or p.tokens[max(i - 1, 0)].low in ("a", "an")
    ]
    if len(found) == 1:
        end, table, where = found[0]
        yield from _modified(p, p.note(i, end, f"rows of {table}"), table, where)


@rule
def subject_rows(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """Rows that a sentence is about; here a value can be the noun itself: "refunds must be negative"."""
    yield from rows(p, i)
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        nouns_of_rows = (*_value_adjective(p, start, p.default), *_truth_noun(p, start, p.default))
        several = (found for found in adjectives(p, start, p.default) if p.tokens[found[0] - 1].low.endswith("s"))
        for middle, where in dict.fromkeys((*nouns_of_rows, *several)):
            yield from _modified(p, middle, p.default, where)
            # "Temporary contracts" for rows whose contract is temporary.
            for end, name in nouns.named_column(p, middle, p.default):
                if isinstance(where, Compare) and where.left == Column(name=name) and p.tokens[end - 1].low != name:
                    yield from _modified(p, end, p.default, where)
    yield from _with_such_a_value(p, i, p.default)


def _with_such_a_value(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    """Like "Discounts over 20 %", "a fee of more than 50 euros" for the rows that have one."""
    for end, (_, condition) in value_limits.such_values(p, i, table):
        if any(True for _ in p.seq_ends(end, words.MUST, after_be(f"{words.PRESENT}|{words.MANDATORY}"))):
            continue  # that such a value must be there
        yield from _modified(p, p.note(i, end, "the rows with such a value"), table, condition)


def _of_table(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    for end, (table,) in p.seq(i, "of|in|from", f"?{words.ARTICLE}", nouns.table_noun):
        yield end, table


def _tables_ahead(p: Parse, i: Position) -> list[str]:
    found: dict[str, None] = {}
    for index in range(int(i), min(len(p.tokens), int(i) + _MOST_ADJECTIVES)):
        for _, words_here in nouns.spans(p, Position(index)):
            found.update(dict.fromkeys(p.schema.nouns.get(words_here, ())))
        if p.tokens[index].low in ("is", "are", "must", "may", "if", "that", "whose", "where", "with"):
            break
    return list(found)


def _modified(p: Parse, i: Position, table: str, where: Condition | None) -> Iterator[tuple[Position, Rows]]:
    yield i, Rows(table, where)
    for end, condition in modifiers.modifier(p, i, table):
        if _leaves_open(p, i, end) or _goes_on_about_it(p, end, condition):
            yield end, Rows(table, both(where, condition))
            continue
        for after in (end, *p.phrase(end, "and|but|, but|yet|, and|, yet")):
            yield from (
                _modified(p, after, table, both(where, condition))
                if after == end
                else (
                    (last, found) for last, found in _modified(p, after, table, both(where, condition)) if last != after
                )
            )


def _goes_on_about_it(p: Parse, i: Position, condition: Condition) -> bool:
    """Behind "with a tax", "of zero or less" is said of the tax, and "before the order" of a date."""
    after = p.at(i)
    return isinstance(condition, Present) and after is not None and after.low not in _NEW_MODIFIERS


def _leaves_open(p: Parse, i: Position, end: Position) -> bool:
    """Behind "in DE or US" a "who …" could belong to the last of them only."""
    after = p.at(end)
    return (
        after is not None
        and after.low in ("who", "that", "which")
        and any(token.low == "or" for token in p.tokens[i:end])
    )


def _truth_noun(p: Parse, i: Position, table: str) -> Found:
    """Like "Reefers" for rows with is_reefer."""
    token = p.at(i)
    if token is not None and token.low.endswith("s") and not token.low.endswith("ss"):
        for end, where in _truth_adjective(p, i, table):
            if int(end) == int(i) + 1:
                yield end, where


@rule
def truth_clause(p: Parse, i: Position, table: str) -> Found:
    """Like "damage was reported", "a prescription is required" for damage_reported, prescription_required."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, spoken in nouns.spans(p, start):
            here = position(end, start.trace)
            for column in p.schema.truths(table):
                name = name_words(column)
                if spoken == name:
                    truths = _whole_name_true(p, here, table, column)
                elif len(name) > 1 and spoken == name[:-1]:
                    truths = last_word_true(p, here, table, column)
                else:
                    continue
                for last, truth in truths:
                    is_so = Compare(relation="==", left=Column(name=column), right=Value(value=truth))
                    yield p.note(i, last, f"{column} is {truth}"), is_so


def part_of_truth(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """What a column of true and false is about: "a signature" of signature_required."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, spoken in nouns.spans(p, start):
            for column in p.schema.truths(table):
                name = name_words(column)
                if len(name) > 1 and spoken == name[:-1]:
                    yield position(end, start.trace), column


def _whole_name_true(p: Parse, i: Position, table: str, column: str) -> Iterator[tuple[Position, bool | str]]:
    """Behind "the discount": "was given", "is not applied"."""
    yes, no = p.schema.truth_values(table, column) or (True, False)
    for said, truth in (("be|have been|get", yes), ("be not|have not been", no)):
        yield from ((end, truth) for end in p.seq_ends(i, said, "apply|give|grant|use|set|check|tick|accept"))


def last_word_true(p: Parse, i: Position, table: str, column: str) -> Iterator[tuple[Position, bool | str]]:
    """Behind "damage", of damage_reported: "was reported", "is no longer reported"."""
    yes, no = p.schema.truth_values(table, column) or (True, False)
    last = last_word(column)
    for said, truth in (("be|have been|get", yes), ("be not|have not been|be not being|be no longer", no)):
        for middle in p.phrase(i, said):
            token = p.at(middle)
            if token is not None and last in (token.low, *name_words(token.text)):
                yield position(middle + 1, middle.trace), truth


@rule
def needs_by_truth(p: Parse, i: Position, table: str) -> Found:
    """Like "require a prescription" for prescription_required."""
    for start in p.phrase(i, "require|need|must have|have to have"):
        for begin in (start, *p.phrase(start, nouns.DETERMINER)):
            for column in p.schema.truths(table):
                yes, _ = p.schema.truth_values(table, column) or (True, False)
                name = name_words(column)
                for end, spoken in nouns.spans(p, begin) if name[-1] in ("required", "needed", "mandatory") else ():
                    if spoken == name[:-1]:
                        is_so = Compare(relation="==", left=Column(name=column), right=Value(value=yes))
                        yield p.note(i, end, f"{column} is {yes}"), is_so


@rule
def same_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, None]]:
    """Plain rows of this very table: "orders", "rows", "records"."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, noun in nouns.table_noun(p, start):
            if noun == table:
                yield end, None
        for end in p.phrase(start, "row|record|entry"):
            yield end, None


@rule
def children(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Link, Condition | None]]]:
    """Rows that refer to the row at hand: "the user's paid orders", "its events", "orders of the user"."""
    for start in _whose(p, i, table):
        for end, found in plain_rows(p, start):
            where = for_where(found.where)
            for link in _links_down(p, found.table, table):
                yield end, (link, where)
                for at in p.phrase(end, "in|from|listed in|recorded in|entered in|stored in"):
                    yield from ((last, (link, where)) for last in nouns.this_table(p, at, found.table))
                for last, which in said_of_children.told(p, end, link, table):
                    yield last, (link, for_where(both(where, which)))
                for last in _of_this(p, end, table):
                    yield last, (link, where)
                    for begin in p.phrase(last, "in|among"):
                        yield from ((stop, (link, where)) for stop in nouns.this_table(p, begin, found.table))
                    for final, more in modifiers.modifier(p, last, found.table):
                        yield final, (link, for_where(both(where, more)))
        yield from _named_by_value(p, start, table)


def _links_down(p: Parse, child: str, table: str) -> list[Link]:
    """How rows of the child refer to rows of the table; also by the one role in which they do: home_branch_id."""
    links = p.schema.links_to(child, table)
    roles = [link for link in p.schema.roles(child) if link.parent == table != child]
    return links or (roles if len(roles) == 1 else [])


def _named_by_value(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Link, Condition | None]]]:
    """Like "captain" for a player of which it is true, "goalkeepers" for those with that position."""
    if any(True for _ in plain_rows(p, i)):
        return
    for child in p.schema.tables:
        for link in p.schema.links_to(child, table):
            for end, where in (*_value_adjective(p, i, child), *_truth_adjective(p, i, child)):
                yield p.note(i, end, f"rows of {child}"), (link, where)


def _whose(p: Parse, i: Position, table: str) -> Iterator[Position]:
    yield i
    for start in (i, *p.phrase(i, nouns.DETERMINER + "|that same|this very")):
        yield start
        for middle, noun in nouns.table_noun(p, start):
            if noun == table:
                yield from p.phrase(middle, "'s|'|'s own")


def _of_this(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "of that user", "placed by the user", "that the user really has" add nothing."""
    for start in p.phrase(i, phrases.OF_THIS):
        for middle in (start, *p.phrase(start, nouns.DETERMINER)):
            for end, noun in nouns.table_noun(p, middle):
                if noun == table:
                    yield end
                    yield from p.seq_ends(end, "?really|actually|currently", _HAS_MADE)
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, noun in nouns.table_noun(p, start):
            if noun == table:
                yield from p.seq_ends(end, "?really|actually|currently", _HAS_MADE)
    yield from p.seq_ends(
        i, "it|they|he|she|he or she|that it|that they|that he|that she", "?really|actually|currently", _HAS_MADE
    )
    yield from p.phrase(i, f"{phrases.TO_IT}|for it|of it|with it|from it|assigned|linked|attached|on file|on record")
    yield from p.seq_ends(i, phrases.WE_HAVE_THEM, f"?{phrases.TO_IT}|for it|of it|with it|from it")


# ---- before the noun -----------------------------------------------------------------------------------------


def adjectives_or_none(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition | None]]:
    """Nothing, or the adjectives at `i`."""
    yield i, None
    yield from adjectives(p, i, table)


@rule
def adjectives(p: Parse, i: Position, table: str) -> Found:
    """Values used as adjectives: "shipped", "paid, shipped and delivered", "non-cancelled", "active premium"."""
    for end, first in _adjective_group(p, i, table):
        yield end, first
        for last, rest in adjectives(p, end, table):
            joined = both(first, rest)
            assert joined is not None
            yield last, joined


@rule
def _adjective_group(p: Parse, i: Position, table: str) -> Found:
    for end, first in adjective(p, i, table):
        yield end, first
        for middle in p.phrase(end, "or|and|,|, or|, and|and/or"):
            for last, rest in _adjective_group(p, middle, table):
                merged = any_of(first, rest)
                if isinstance(merged, OneOf):
                    yield last, merged


@rule
def adjective(p: Parse, i: Position, table: str) -> Found:
    """One value that occurs in a column, used as an adjective; with "non" in front its opposite."""
    for start in p.phrase(i, "non|not"):
        for end, condition in (*_value_adjective(p, start, table), *_truth_adjective(p, start, table)):
            yield end, negate(condition)
    found = [*_value_adjective(p, i, table), *_truth_adjective(p, i, table)]
    found = [*found, *_with_its_name(p, i, table)] or [*_so_many(p, i, table)]
    yield from found
    token = p.at(i)
    # "Orders" are no event, and "open" loans are not those that were opened.
    inflected = token is not None and token.low not in _BASE_FORMS and any(form != token.low for form in token.forms)
    inflected = inflected or (token is not None and token.low.startswith("un"))
    if not found and token is not None and inflected and token.low.endswith(("ed", "d", "t", "n")):
        yield from events.happened_at_all(p, i, table)
        yield from events.not_happened_yet(p, i, table)


def _with_its_name(p: Parse, i: Position, table: str) -> Found:
    """Like "high severity (complaints)": the value and the column it stands in, before the noun."""
    for column, known in p.schema.tables[table].values.items():
        for middle, listed in literals(p, i, table, Column(name=column), False) if known else ():
            for end, name in nouns.named_column(p, middle, table) if set(known).issuperset(listed) else ():
                if name == column and any(noun == table for _, noun in nouns.table_noun(p, end)):
                    yield p.note(i, end, f'the column "{name}"'), among(Column(name=column), listed)


def values_as_nouns(p: Parse, i: Position, table: str) -> Found:
    """Like "surgeries" for visits whose reason is surgery."""
    yield from _value_adjective(p, i, table)


def truths_as_nouns(p: Parse, i: Position, table: str) -> Found:
    """Like "captain" for the players of whom it is true, where the column is called so in full."""
    for end, where in _truth_adjective(p, i, table):
        token = p.tokens[end - 1]
        noun = not token.low.endswith(("ed", "able", "ible", "al", "ive", "ous", "y", "ic", "ary", "ant", "ent"))
        if int(end) == int(i) + 1 and noun and (token.low in p.schema.tables[table].columns or token.low.endswith("s")):
            yield end, where


def _value_adjective(p: Parse, i: Position, table: str) -> Found:
    for end, spoken in nouns.spans(p, i):
        for column, text in p.schema.values(table).get(spoken, ()):
            yield (
                p.note(i, end, f"{column} is '{text}'"),
                Compare(relation="==", left=Column(name=column), right=Value(value=text)),
            )


def _so_many(p: Parse, i: Position, table: str) -> Found:
    """Like "five-star", "one- and two-star" before "reviews": the number in a column."""
    for middle, first in number(p, i):
        for found, after in (
            ((first,), middle),
            *(((first, second), last) for last, (second,) in p.seq(middle, "?-", "and|or|,", number)),
        ):
            if "-" not in p.text[p.tokens[after - 1].end : p.tokens[after].start if after < len(p.tokens) else None]:
                continue  # "2 star reviews" are two of them
            for end, name in nouns.named_column(p, after, table):
                if p.schema.kind(table, name) in ("integer", "number") and not _is_measured(name):
                    column = Column(name=name)
                    yield p.note(i, end, f"{name} is {' or '.join(map(str, found))}"), among(column, found)


def _is_measured(column: str) -> bool:
    """The name ends in a unit, or in what would be counted in one: "30 days rentals" says how long, or in what unit."""
    return last_word(column) in UNIT_WORDS


def _truth_adjective(p: Parse, i: Position, table: str) -> Found:
    told = p.schema.truth_words(table)
    for end, spoken in nouns.spans(p, i) if told else ():
        for column, truth in told.get(spoken, ()):
            yes, no = p.schema.truth_values(table, column) or (True, False)
            yield (
                p.note(i, end, f"{column} is {truth}"),
                Compare(relation="==", left=Column(name=column), right=Value(value=yes if truth else no)),
            )


# ---- behind the noun -----------------------------------------------------------------------------------------
