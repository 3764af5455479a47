"""Nouns: tables, columns, the rows that refer and are referred to, and arithmetic over columns."""

from collections.abc import Iterator
from itertools import islice

from pandas_magic.constraints.algebra.expressions import (
    Column,
    Expression,
    Lookup,
)
from pandas_magic.planner.grammar import aliases, column_kinds, phrases
from pandas_magic.planner.grammar.chart import VAGUELY, Parse, Position, position, rule
from pandas_magic.planner.grammar.lexicon import ALTERNATIVE_ROW, ARTICLE, EVERY, POSSESSIVE, STATISTICS, VOCABULARY
from pandas_magic.planner.grammar.meaning import join_along
from pandas_magic.planner.grammar.morphology import agents_of, name_words, singular, word_forms
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.tokens import Token

_LONGEST_NAME = 6  # words
# Words that say nothing by themselves before a column in brackets: "the actual time of arrival (ata)".
_PLAIN_IN_A_GLOSS = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "for",
        "at",
        "time",
        "date",
        "number",
        "name",
        "code",
        "actual",
        "value",
        "id",
        "type",
        "kind",
        "no",
    ]
)
_OF_THE_ROW = (
    "of|in|on|for|from|taken at/in/on|measured at/in/on|recorded at/in/on/for|noted at/in/on/for|"
    "stored/kept/given/shown/entered/stated for/on/in/with|"
    "we store/keep/hold/record/show/note for/on/in/with|noted/listed/recorded on|on the record of|on record for"
)
_LONGEST_PART = 3  # words of a name that "of" takes apart
DETERMINER = f"{ARTICLE}|{EVERY}|{POSSESSIVE}|each of the|all of its|every one of the|an individual|any of the|both"


def spans(p: Parse, i: Position) -> list[tuple[int, tuple[str, ...]]]:
    """The stretches of words from `i` on that could be a name, longest last: (end, words in the singular)."""
    if int(i) not in p.spans:
        p.spans[int(i)] = list(_spans(p, int(i)))
    return p.spans[int(i)]


def _spans(p: Parse, i: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    words: tuple[str, ...] = ()
    whole_words: tuple[str, ...] = ()  # "kWh produced" for kwh_produced
    if p.tokens[i : i + 1] and p.tokens[i].text.lower() == "no" and i > 0 and "be" in p.tokens[i - 1].forms:
        return  # "there must be no flights" does not speak of a column no_fly
    for end in range(i + 1, min(len(p.tokens), i + _LONGEST_NAME) + 1):
        token = p.tokens[end - 1]
        if token.kind not in ("word", "number") and not token.text.startswith("`"):
            return
        p.at(end - 1)
        apart = name_words(str(token.value))
        mixed = token.kind == "word" and (whole := (singular(token.low),)) != name_words(token.text)
        whole_words += whole if mixed else apart
        if mixed:
            yield end, words + whole  # "PhD" is one word, not "Ph D"
        words += apart
        yield end, words
        if not mixed and whole_words != words:
            yield end, whole_words


@rule
def table_noun(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A table's name or noun, in the singular or plural: "orders", "order line", "the users table"."""
    if p.at(i) is None:
        p.expected.update(p.schema.tables)
        return
    for end, words in spans(p, i):
        for table in p.schema.nouns.get(words, ()):
            after = p.note(i, end, f'the table "{table}"')
            yield after, table
            for last in p.phrase(after, phrases.TABLE_WORDS):
                if not p.tokens[last - 1].low.endswith("ed"):  # "enrolments registered" are no register
                    yield last, table
    yield from _named_behind(p, i)


def _named_behind(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "the opening hours table (branch_hours)": the name in brackets, behind words that are in its names."""
    for end, words in spans(p, i):
        table = p.at(end + 1)
        known = table is not None and table.text in p.schema.tables and (mark := p.at(end)) and mark.text == "("
        closing = p.at(end + 2) if known else None
        if table is not None and closing is not None and closing.text == ")":
            said = words[:-1] if words[-1] in ("table", "list", "sheet", "file") else words
            if said and all(_is_in_its_names(p, table.text, word) for word in said):
                yield p.note(i, end + 3, f'the table "{table.text}"'), table.text


def _is_in_its_names(p: Parse, table: str, word: str) -> bool:
    """The word only says what the table is about: "opening" with opens_at, but not "shipped" or "active"."""
    columns = [name for name in p.schema.tables[table].columns if p.schema.truth_values(table, name) is None]
    told = p.schema.values(table)
    if (word,) in told or word.endswith("ed") or not word.isalpha():
        return word in name_words(table)
    plain = [name for name in columns if p.schema.kind(table, name) != "datetime" or word.endswith("ing")]
    named = {form for name in (table, *plain) for part in name_words(name) for form in word_forms(part)}
    return not word_forms(word).isdisjoint(named)


def this_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where a mention of the table ends, with its determiner: "the users table", "users"."""
    for start in (i, *p.phrase(i, f"{DETERMINER}|the table|table|the dataset|dataset")):
        for end, noun in table_noun(p, start):
            if noun == table:
                yield end


@rule
def named_column(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """One of the table's own columns by its name: "ship_date", "shipping dates", "email address"."""
    token = p.at(i)
    if token is None:
        p.expected.update(p.schema.tables[table].columns)
        return
    if str(token.value) in p.schema.tables[table].columns and token.kind in ("word", "text"):
        after = p.note(i, i + 1, f'the column "{token.value}" of "{table}"')
        yield after, str(token.value)
        if p.schema.kind(table, str(token.value)) == "datetime":
            yield from ((last, str(token.value)) for last in p.phrase(after, "date|time|timestamp"))
        if token.kind == "text" or "_" in token.text:
            return
    if token.kind == "word" and "." in token.text:
        yield from _dotted(p, i, table)
        return
    if "_" in token.text and token.text in p.schema.tables:
        return  # "opening_hours" is that table, whatever else is called an opening hour
    yield from _glossed(p, i, table)
    yield from _put_apart(p, i, table)
    for end, words in spans(p, i):
        vaguely = VAGUELY if p.schema.is_part(table, words) else ""
        for column in p.schema.called(table, words):
            after = p.note(i, end, f'the column "{column}" of "{table}"{vaguely}')
            yield after, column
            yield from ((last, column) for last in _per_unit(p, after, column))
            if p.schema.kind(table, column) == "datetime":
                yield from ((last, column) for last in p.phrase(after, "date|time|timestamp"))


def _per_unit(p: Parse, i: Position, column: str) -> Iterator[Position]:
    """Behind "price", for price_ct_kwh: "per kWh"."""
    for start in p.phrase(i, "per"):
        unit, name = p.at(start), name_words(column)
        if unit is not None and unit.kind == "word" and len(name) > 1 and unit.low == name[-1]:
            yield position(start + 1, i.trace)


def _glossed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "Signal strength (signal_db)": words of no other meaning, and the column that they stand for."""
    columns = p.schema.tables[table].columns
    for end in range(int(i) + 1, min(len(p.tokens) - 2, int(i) + _LONGEST_NAME) + 1):
        token = p.tokens[end - 1]
        if token.kind != "word":
            return
        name = str(p.tokens[end + 1].value)
        if token.end == p.tokens[end].start:
            return  # "sqrt(amount)" is a function of the column
        if p.tokens[end].text == "(" and p.tokens[end + 2].text == ")" and name in columns:
            said = p.tokens[i:end]
            # In "Approved rentals (rental_id)" the first word may say which rentals.
            of_rows = any(name_words(word.text) in p.schema.nouns for word in said)
            if not of_rows and all(_says_nothing_else(p, word, name) for word in said):
                yield p.note(i, end + 3, f'the column "{name}" of "{table}"'), name
            return


def _put_apart(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "the name of a guardian" for guardian_name, "odometer at pickup" for pickup_odometer, "the lead's email"."""
    for middle, said in islice(spans(p, i), _LONGEST_PART):
        here = position(middle, i.trace)
        owned = (found for start in p.phrase(here, "'s|'") for found in islice(spans(p, start), _LONGEST_PART))
        for end, behind in owned:
            yield from _of_both(p, i, end, table, said + behind)
        for start in p.phrase(here, "of|at|for|on"):
            for after in (start, *p.phrase(start, ARTICLE)):
                for end, behind in islice(spans(p, after), _LONGEST_PART):
                    yield from _of_both(p, i, end, table, behind + said)
                    yield from _of_both(p, i, end, table, said + behind)


def _of_both(p: Parse, i: Position, end: int, table: str, name: tuple[str, ...]) -> Iterator[tuple[Position, str]]:
    for column in p.schema.called(table, name) if not p.schema.is_part(table, name) else ():
        yield p.note(i, end, f'the column "{column}" of "{table}"'), column


def _says_nothing_else(p: Parse, word: Token, column: str) -> bool:
    if word.low in _PLAIN_IN_A_GLOSS:
        return True
    means_something = any(
        not word.forms.isdisjoint(known) for known in (VOCABULARY, phrases.PHRASE_WORDS, p.schema.words())
    )
    return not means_something or not word.forms.isdisjoint(name_words(column))


def _dotted(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    left, right = p.tokens[i].text.split(".", 1)
    if name_words(left) in (name_words(table),):
        for column in p.schema.tables[table].columns:
            if column.lower() == right.lower():
                yield p.note(i, i + 1, f'the column "{column}" of "{table}"'), column


def dotted_table(p: Parse, i: Position) -> str | None:
    """The table of a name such as "users.email", or None."""
    token = p.at(i)
    if token and token.kind == "word" and "." in token.text:
        for table in p.schema.nouns.get(name_words(token.text.split(".", 1)[0]), ()):
            return table
    return None


@rule
def own_column(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A column of the row at hand: "its amount", "the order's amount", "order amount", "the value of amount"."""
    for start in (i, *p.phrase(i, DETERMINER)):
        for end, column in named_column(p, start, table):
            yield end, Column(name=column)
            if p.tokens[end - 1].low in ("gross", "net", "total", "tare", "base"):  # "the gross payout"
                yield from ((last, Column(name=column)) for last, noun in table_noun(p, end) if noun == table)
                yield from ((last, Column(name=column)) for last in p.phrase(end, phrases.WHAT_IS_GROSS))
            if p.tokens[end - 1].low in ("before", "after"):  # "the balance after the booking" for balance_after
                yield from ((last, Column(name=column)) for last in this_table(p, end, table))
            for last in p.phrase(end, phrases.COLUMN_WORDS_BEHIND):
                # "the declared value" is declared_value, and not the value of units_declared.
                if not any(int(last) == int(longer) for longer, _ in named_column(p, start, table)):
                    yield last, Column(name=column)
            for last in column_kinds.said_behind(p, end, table, column):
                yield last, Column(name=column)
        for middle in p.phrase(start, phrases.COLUMN_WORDS_BEFORE):
            yield from own_column(p, middle, table)
        yield from column_kinds.said_before(p, start, table)
    yield from _who_did(p, i, table)
    yield from agent(p, i, table)
    for middle in this_table(p, i, table):
        yield from _owned(p, middle, table)


def _who_did(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the person who approves a payment" for approved_by."""
    for start in p.phrase(i, "the person/one/user/employee/colleague who/that|whoever|who|the person/one"):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        for column in p.schema.tables[table].columns:
            name = name_words(column)
            if len(name) == 2 and name[1] == "by" and word_forms(name[0]) & token.forms:
                noted = p.note(i, start + 1, f'the column "{column}"')
                for end in (noted, *p.phrase(noted, "it|them"), *this_table(p, noted, table)):
                    yield end, Column(name=column)


def agent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the approver" for approved_by."""
    for start in (i, *p.phrase(i, DETERMINER)):
        token = p.at(start)
        if token is None or not token.low.removesuffix("s").endswith(("er", "or")):
            continue
        for column in p.schema.tables[table].columns:
            name = name_words(column)
            if len(name) == 2 and name[1] == "by" and token.low.removesuffix("s") in agents_of(name[0]):
                yield p.note(start, start + 1, f'the column "{column}"'), Column(name=column)


def _owned(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start in (i, *p.phrase(i, "'s|'|'s own")):
        own = list(_with_noun(p, start, table))
        for end, column in own or named_column(p, start, table):
            yield end, Column(name=column)
            for last in (
                *p.phrase(end, "column|field|value|values"),
                *column_kinds.said_behind(p, Position(end), table, column),
            ):
                yield last, Column(name=column)


def _with_noun(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Columns whose name begins with the table's noun: "the order's date" is order_date, whatever else is a date."""
    noun = name_words(table)
    yield from _worth(p, i, table)
    for end, words in spans(p, i):
        for form in dict.fromkeys((noun, noun[-1:])):
            if not p.schema.is_part(table, form + words):
                for column in p.schema.called(table, form + words):
                    yield p.note(i, end, f'the column "{column}" of "{table}"'), column


def _worth(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Behind "order": "value" for order_total_eur, where no column is called so."""
    totals = p.schema.called(table, ("total",)) if not p.schema.called(table, ("value",)) else []
    for end in p.phrase(i, "value|worth") if len(totals) == 1 else ():
        yield p.note(i, end, f'the column "{totals[0]}" of "{table}"'), totals[0]


@rule
def parent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link]]:
    """A noun for the row that rows of the table refer to: "the user", "its user", "that order"."""
    determined = (i, *p.phrase(i, DETERMINER))
    made = [position(start + 1, start.trace) for start in determined if column_kinds.is_made(p, start, table)]
    for start in (*determined, *made):
        for end, noun in table_noun(p, start):
            links = p.schema.links_to(table, noun)
            for link in links:
                noted = p.note(start, end, f'the row of "{noun}" with {link.key} = {table}.{link.column}')
                yield from ((last, link) for last in (noted, *p.phrase(noted, phrases.WHICH_IT_REFERS_TO)))
        yield from _in_a_role(p, start, table)


def term(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """What lasts until a date of the row: "the licence" for licence_expires_on, "contracts" for contract_until."""
    for start in (i, *p.phrase(i, DETERMINER)):
        for end, words in spans(p, start):
            for column in p.schema.dates(table):
                if aliases.is_a_term(column) and words == aliases.term_noun(column):
                    yield p.note(start, end, f'the term "{column}"'), Column(name=column)


def _in_a_role(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link]]:
    """Like "the home team" for home_team_id, "the manager" for manager_id."""
    roles = p.schema.roles(table)
    for end, words in spans(p, i) if roles else ():
        for link in roles:
            noun = name_words(link.parent)[-1:]
            own = link.parent == table and not link.role[-1].endswith("ed")  # "replaced" rows are some of them
            alone = own or link.role[-1].endswith(("er", "or", "ee"))
            if words == link.role + noun or (alone and words == link.role):
                yield p.note(i, end, f'the row of "{link.parent}" with {link.key} = {table}.{link.column}'), link


@rule
def column(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A column of the row at hand or of a row that it refers to: "amount", "the user's credit limit", "users.age"."""
    yield from own_column(p, i, table)
    for end, of in own_column(p, i, table):
        if p.tokens[end - 1].low in STATISTICS and any(True for _ in p.phrase(end, "of all|over all|of all the")):
            p.refuse(
                f'"{p.tokens[end - 1].text} of all" could be that of each row or of all together; say "each" or "sum"'
            )
            continue
        yield from ((last, of) for last in of_this_row(p, end, table))
    yield from _looked_up(p, i, table)


def of_this_row(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Behind a column: "of an order", "in each row"."""
    for start in p.phrase(i, _OF_THE_ROW):
        yield from _the_row_itself(p, start, table)


def _the_row_itself(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in (i, *p.phrase(i, f"{DETERMINER}|the same|that same|the very same|one and the same")):
        for end, noun in table_noun(p, start):
            if noun == table:
                yield end
        yield from p.phrase(start, ALTERNATIVE_ROW)


def _looked_up(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, link, name in _columns_of_parents(p, i, table):
        if name != link.key:
            yield end, Lookup(join=join_along(link), of=Column(name=name))
    yield from _looked_up_far(p, i, table)
    yield from _parent_of_the_parent(p, i, table)


def _parent_of_the_parent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the park of its inverter": the one that the inverter's own row refers to."""
    for near in p.schema.links(table):
        for middle, far in parent(p, i, near.parent):
            for start in p.phrase(middle, "of|for"):
                for end, again in parent(p, start, table):
                    if again == near and far.parent != table:
                        yield end, Lookup(join=join_along(near), of=Column(name=far.column))


def _columns_of_parents(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link, str]]:
    """Like "the user's age", "users.age", "the age of the user"."""
    for middle, link in parent(p, i, table):
        for start in (middle, *p.phrase(middle, "'s|'")):
            own = list(_with_noun(p, start, link.parent))  # "the event's date" is event_date
            yield from ((end, link, name) for end, name in own or named_column(p, start, link.parent))
    dotted = dotted_table(p, i)
    yield from _of_the_parent_spoken_of(p, i, table)
    for link in (*p.schema.links(table), *p.schema.roles(table)):
        if link.parent == dotted and not link.role:
            yield from ((end, link, name) for end, name in named_column(p, i, dotted))
        for end, (name, owner) in p.seq(
            i,
            f"?{DETERMINER}|number of|the number of",
            lambda p, i, link=link: named_column(p, i, link.parent),
            phrases.OF_THE_PARENT,
            lambda p, i: parent(p, i, table),
        ):
            if owner == link:
                yield end, link, name


def _of_the_parent_spoken_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Link, str]]:
    """Like "their date of birth", "its maximum load", where only the row referred to has such a column."""
    for start in p.phrase(i, "their|his|her|its|his or her|the"):
        if any(True for _ in named_column(p, start, table)):
            continue
        found = [
            (end, link, name) for link in p.schema.links(table) for end, name in named_column(p, start, link.parent)
        ]
        parents = {link.parent for _, link, _ in found}
        if len({link for _, link, _ in found}) == 1 and (p.tokens[i].low != "the" or _is_spoken_of(p, i, *parents)):
            yield from found


def _is_spoken_of(p: Parse, i: Position, table: str) -> bool:
    """The words before name the table's row: "the date of death" behind "a patient"."""
    return any(noun == table for place in range(i) for _, noun in table_noun(p, Position(place)))


def _looked_up_far(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the customer's country" of an order line, whose order has a customer."""
    for near in p.schema.links(table):
        for far in p.schema.links(near.parent):
            if p.schema.links_to(table, far.parent) or far.parent == table:
                continue
            for end, name in _of_far_parent(p, i, far):
                if name != far.key:
                    there = Lookup(join=join_along(far), of=Column(name=name))
                    noted = p.note(i, end, f"of {far.parent} by way of {near.parent}")
                    yield noted, Lookup(join=join_along(near), of=there)


def _of_far_parent(p: Parse, i: Position, far: Link) -> Iterator[tuple[Position, str]]:
    for start in (i, *p.phrase(i, DETERMINER)):
        for middle, noun in table_noun(p, start):
            if noun == far.parent:
                for after in (middle, *p.phrase(middle, "'s|'")):
                    yield from list(_with_noun(p, after, noun)) or named_column(p, after, noun)
        for middle, name in named_column(p, start, far.parent):
            for after in p.phrase(middle, "of|for|from|in"):
                yield from ((end, name) for end in this_table(p, after, far.parent))
