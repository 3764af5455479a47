"""References between tables: a value that must exist elsewhere, a row that must belong to a known one."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import children, existing_rows, modifiers, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, after_be, rule
from pandas_magic.planner.grammar.logic import both, negate, without_presence
from pandas_magic.planner.grammar.meaning import comparable
from pandas_magic.planner.grammar.morphology import name_words

Found = Iterator[tuple[Position, Condition]]
_OF_ANY = ("a", "an", "any", "some", "one", "existing", "known", "valid", "the", "as", "real", "actual")


@rule
def reference(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a value: that it exists elsewhere, or does not, or "… or is null"."""
    for end, condition in _reference(p, i, table, x):
        yield end, condition
        for last in p.phrase(end, phrases.OR_IS_MISSING) if isinstance(condition, All) else ():
            yield p.note(end, last, "missing values are not judged"), without_presence(condition, x)


def _reference(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a value: "exist in users", "refer to an existing user", "be missing from users", "be a known user"."""
    if not isinstance(x, Column):
        return
    for middle in p.seq_ends(
        i, words.EXISTS_IN, "?also|as well", phrases.IN_THE_LIST_OF, "?the column|column|values of|the values of"
    ):
        for end, (there, key, where) in elsewhere(p, middle, table, x):
            yield p.note(middle, end, f"a value of {there}.{key}"), known(x, there, key, where, table=table)
    for middle in p.phrase(i, phrases.NOT_IN):
        for end, (there, key, where) in elsewhere(p, middle, table, x):
            yield p.note(i, end, f"not a value of {there}.{key}"), negate(known(x, there, key, where, table=table))
    yield from _refers_to(p, i, table, x)
    yield from _is_none_of(p, i, table, x)
    yield from _is_one_of_them(p, i, table, x)
    for end in p.phrase(i, "be an orphan|be orphaned|be dangling|be orphan"):
        for there, key in _linked(p, table, x):
            yield p.note(i, end, f"not a value of {there}.{key}"), negate(known(x, there, key, None, table=table))
    for end in p.phrase(i, "exist|be known|be valid|be existing|resolve"):
        for there, key in _linked(p, table, x):
            yield p.note(i, end, f"a value of {there}.{key}"), known(x, there, key, None, table=table)


def _refers_to(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Like "refer to an existing user", which says nothing of missing values, and "be a known user", which does."""
    for middle in p.phrase(i, words.REFERS_TO + "|" + phrases.HAVE_A_MATCH):
        for end, (there, key, where) in elsewhere(p, middle, table, x):
            if p.schema.links_to(table, there) and _is_its_own(p, middle, end) and not _links(p, table, x):
                continue  # "match the currency of its account": of that one, not of any
            if there == table and any(token.low == "one" for token in p.tokens[middle:end]):
                continue  # "each IBAN belongs to one account", where the rows are accounts
            if there == table and not _is_said_outright(p, middle, table, x):
                continue  # "a heart rate is recorded for a visit" says in which rows it stands
            yield p.note(i, end, f"a value of {there}.{key}"), Exists(of=(x,), table=there, keys=(key,), where=where)
        yield from _of_unknown_value(p, middle, table, x)
    for middle in p.phrase(
        i,
        f"{after_be(words.ARTICLE)}|be one of|{after_be(words.EXISTING)}|be among|be one of the",
    ):
        for end, (there, key, where) in elsewhere(p, middle, table, x):
            if not _is_of_its_own(p, middle, end, table, x, there):
                yield p.note(i, end, f"a value of {there}.{key}"), known(x, there, key, where, table=table)


def _is_its_own(p: Parse, i: Position, end: Position) -> bool:
    return any(token.low in ("its", "their", "his", "her") for token in p.tokens[i:end])


def _links(p: Parse, table: str, x: Column) -> bool:
    return any(link.column == x.name for link in (*p.schema.links(table), *p.schema.roles(table)))


def _is_none_of(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Like "be not the user_id of any user", "be not one of our users", "be no known user"."""
    for middle in p.phrase(i, "be not the|be not a|be not an|be not one of|be not any of|be not one of the|be no"):
        for end, (there, key, where) in elsewhere(p, middle, table, x):
            if not _is_of_its_own(p, middle, end, table, x, there):
                found = known(x, there, key, where, table=table)
                yield p.note(i, end, f"not a value of {there}.{key}"), negate(found)


def _is_of_its_own(p: Parse, i: Position, end: Position, table: str, x: Column, there: str) -> bool:
    """Like "the country of the depot", where each row refers to one depot: its value, and not that of any."""
    links = p.schema.links_to(table, there)
    singly = p.tokens[i - 1].low == "the" and not p.tokens[end - 1].low.endswith("s")
    return bool(links) and singly and all(link.column != x.name for link in links)


def _is_said_outright(p: Parse, i: Position, table: str, x: Column) -> bool:
    """The value is known to refer to rows of its own table, or these are said to exist."""
    own = any(
        link.column == x.name and link.parent == table for link in (*p.schema.links(table), *p.schema.roles(table))
    )
    return own or any(True for start in (i, *p.phrase(i, nouns.DETERMINER)) for _ in p.phrase(start, words.EXISTING))


def _of_unknown_value(p: Parse, i: Position, table: str, x: Column) -> Found:
    yield from _of_one_that_is_not_there(p, i, table, x)
    for end, condition in modifiers.of_unknown(p, i, table):
        if isinstance(condition, All) and Present(of=x) in condition.conditions:
            yield end, condition


def _of_one_that_is_not_there(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Like "an unknown hotel", "a hotel that does not exist", of a column that refers to hotels in a role."""
    for link in p.schema.roles(table):
        for start in p.phrase(i, "a|an|any|some") if link.column == x.name else ():
            for begin, said in ((start, False), *((end, True) for end in p.phrase(start, words.UNKNOWN))):
                for end in nouns.this_table(p, begin, link.parent):
                    for last in (end,) if said else p.phrase(end, phrases.THAT_IS_NOT_THERE):
                        yield p.note(i, last, f"not in {link.parent}"), modifiers.dangling(link)


def _is_one_of_them(p: Parse, i: Position, table: str, x: Column) -> Found:
    """Like "be one from the users table", "be always one of our users", "be listed as users themselves"."""
    for there, key in _where_it_can_be(p, table, x):
        one = (end for start in p.phrase(i, phrases.BE_ONE) for end in existing_rows.one_of_them(p, start, there))
        as_one = (
            end
            for start in p.phrase(i, phrases.BE_LISTED_AS)
            for begin in (start, *p.phrase(start, nouns.DETERMINER))
            for end in nouns.this_table(p, begin, there)
        )
        for end in (*one, *as_one):
            yield p.note(i, end, f"a value of {there}.{key}"), known(x, there, key, None, table=table)


def _where_it_can_be(p: Parse, table: str, x: Column) -> Iterator[tuple[str, str]]:
    """The table that the column refers to; any of which it could be a key, where its name does not say of which."""
    linked = [link for link in (*p.schema.links(table), *p.schema.roles(table)) if link.column == x.name]
    yield from ((link.parent, link.key) for link in linked)
    if not linked and x.name != p.schema.key(table) and name_words(x.name)[-1:] == ("id",):
        for there in p.schema.tables:
            key = key_for(p, table, x, there) if there != table else None
            if key is not None:
                yield there, key


def _linked(p: Parse, table: str, x: Column) -> Iterator[tuple[str, str]]:
    for link in (*p.schema.links(table), *p.schema.roles(table)):
        if link.column == x.name:
            yield link.parent, link.key


def known(x: Expression, there: str, key: str, where: Condition | None, *, table: str | None = None) -> Condition:
    """The value is there and another table has it; a missing one is not known.

    In the same `table` a missing one is left open: who has no manager is at the top.
    """
    if table == there:
        return Exists(of=(x,), table=there, keys=(key,), where=where)
    joined = both(Present(of=x), Exists(of=(x,), table=there, keys=(key,), where=where))
    assert joined is not None
    return joined


@rule
def elsewhere(
    p: Parse, i: Position, table: str, x: Column
) -> Iterator[tuple[Position, tuple[str, str, Condition | None]]]:
    """Where a value is to be found: "users", "users.user_id", "an existing user", "the user_id column of users"."""
    for start in (
        i,
        *p.phrase(
            i, f"{words.ARTICLE}|one of the|one|exactly one|any|some|{words.EVERY}|at least one|one of|our|our own"
        ),
    ):
        for middle in (start, *p.phrase(start, words.EXISTING)):
            for end, found in rows.plain_rows(p, middle):
                bare = int(middle) == int(i) and not _named_outright(p, middle, found.table)
                key = key_for(p, table, x, found.table)
                in_own_rows = found.table == table and not p.tokens[end - 1].forms.isdisjoint(
                    ("row", "record", "entry")
                )
                if key is None or (found.table, key) == (table, x.name) or in_own_rows:
                    continue  # "missing in some rows" looks nowhere else
                for last in (*(() if bare else (end,)), *children.that_exists(p, end, found.table)):
                    yield last, (found.table, key, found.where)
        for there in p.schema.tables:
            yield from _by_column(p, start, table, x, there)
    for start in p.phrase(i, "a value|a key|an id|an entry|a row|a record|the key of one|the id of one"):
        yield from _one_of_there(p, start, table, x)


def _one_of_there(
    p: Parse, i: Position, table: str, x: Column
) -> Iterator[tuple[Position, tuple[str, str, Condition | None]]]:
    """Behind "(must be) one": "from the users table", "that is in the users table"."""
    for link in p.schema.links(table):
        for end in children.that_exists(p, i, link.parent) if link.column == x.name else ():
            if any(noun == link.parent for back in (1, 2) for _, noun in nouns.table_noun(p, Position(end - back))):
                yield end, (link.parent, link.key, None)


def _named_outright(p: Parse, i: Position, table: str) -> bool:
    """Without an article a table is meant by its name or in the plural: "in users", but not "in order"."""
    low = p.tokens[i].low
    return (
        low == table.lower()
        or low.endswith("s")
        or "_" in low
        or (i + 1 < len(p.tokens) and p.tokens[i + 1].low == "table")
    )


def _by_column(
    p: Parse, i: Position, table: str, x: Column, there: str
) -> Iterator[tuple[Position, tuple[str, str, Condition | None]]]:
    if there == table:
        yield from _own_key(p, i, table, x)
        return
    for end, name in _column_there(p, i, there):
        if comparable(p.schema.kind(table, x.name), p.schema.kind(there, name)):
            yield end, (there, name, None)


def _own_key(p: Parse, i: Position, table: str, x: Column) -> Iterator[tuple[Position, tuple[str, str, None]]]:
    """Like "(a manager_id must be) an employee_id", "among the employee ids", in the table of employees."""
    key = p.schema.key(table)
    if key is None or key == x.name or not comparable(p.schema.kind(table, x.name), p.schema.kind(table, key)):
        return
    for middle, name in nouns.named_column(p, i, table):
        if name == key and (p.tokens[i - 1].low in _OF_ANY or p.tokens[middle - 1].low.endswith("s")):
            yield middle, (table, key, None)
            for after in p.phrase(middle, "in|of|from|column of|column in|values of|values in|column from"):
                for start in (after, *p.phrase(after, "any|another|some|an existing|one")):
                    yield from ((end, (table, key, None)) for end in nouns.this_table(p, start, table))


def _column_there(p: Parse, i: Position, there: str) -> Iterator[tuple[Position, str]]:
    """Like "users.user_id", "the user_id column of users", "users' user_id", "users (user_id)"."""
    dotted = nouns.dotted_table(p, i) == there
    for middle, name in nouns.named_column(p, i, there):
        if dotted:
            yield middle, name
        for after in p.phrase(middle, "in|of|from|column of|column in|values of|values in|column from"):
            yield from ((end, name) for end in nouns.this_table(p, after, there))
    for middle, noun in nouns.table_noun(p, i):
        if noun == there:
            for after in (middle, *p.phrase(middle, "'s|'")):
                yield from nouns.named_column(p, after, there)
            for end, (name,) in p.seq(middle, "(", lambda p, i: nouns.named_column(p, i, there), ")"):
                yield end, name


def key_for(p: Parse, table: str, x: Column, there: str) -> str | None:
    """The column of the other table in which the value is looked for: of the same name, else the other's key."""
    if there == table:
        key = p.schema.key(there)
        own = (
            link.column == x.name and link.parent == there for link in (*p.schema.links(table), *p.schema.roles(table))
        )
        return key if key != x.name and any(own) else None
    for link in p.schema.links_to(table, there):
        if link.column == x.name:
            return link.key
    if x.name in p.schema.tables[there].columns:
        return x.name
    if any(link.column == x.name for link in p.schema.links(table)):
        return None
    key = p.schema.key(there)
    if key is None:
        p.refuse(f'which column of "{there}" has the values of "{x.name}"? Say it as {there}.column')
        return None
    return key if comparable(p.schema.kind(table, x.name), p.schema.kind(there, key)) else None


@rule
def row_reference(p: Parse, i: Position, table: str) -> Found:
    """Said of a row: "belong to an existing user", "refer to a known order", "appear in invoices"."""
    for middle in p.phrase(i, words.REFERS_TO):
        for end, (link, where) in children.referred_rows(p, middle, table):
            yield end, children.refers(link, where)
        yield from modifiers.of_unknown(p, middle, table)
    tied = p.phrase(i, phrases.TIED_TO) if not existing_rows.only_goes_to(p, i) else ()
    for middle in tied:  # also denied: "must not be assigned to terminated carriers"
        for end, (link, where) in children.referred_rows(p, middle, table):
            if where is not None:
                yield end, children.refers(link, where)
    yield from existing_rows.tied_by_any_verb(p, i, table)
    for middle in p.seq_ends(i, words.EXISTS_IN, "in|among|within"):
        for start in (middle, *p.phrase(middle, nouns.DETERMINER)):
            for end, found in rows.plain_rows(p, start):
                for link in p.schema.links_to(found.table, table):
                    yield end, children.has_child(link, found.where)


def is_any_key(p: Parse, i: Position, table: str, x: Expression, found: Condition) -> bool:
    """Like "(a referrer_id must correspond to) a user_id", in the table of users: to that of any of them."""
    token, right = p.at(i), found.right if isinstance(found, Compare) else None
    links = (*p.schema.links(table), *p.schema.roles(table))
    linked = any(link.parent == table and Column(name=link.column) == x for link in links)
    named = isinstance(right, Column) and right.name == p.schema.key(table)
    return linked and named and token is not None and token.low in ("a", "an", "any", "some", "one", "the")
