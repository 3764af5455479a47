"""Readings that take one thing for another: what one piece costs for the whole, a date for an amount, a part for all.

They are dropped where the table has what the sentence is as likely to be about.
"""

from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import Compare, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column, Group, Now, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes, own_nodes
from pandas_magic.planner.grammar import nouns
from pandas_magic.planner.grammar.aliases import KEY_ENDINGS, event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.unit_prices import PRICES, counted_beside
from pandas_magic.record import Record

_COSTING = frozenset(("cost", "expensive", "cheap", "cheaper", "pricier", "pricy"))
_DONE_WITH = frozenset((
    "removed", "deleted", "purged", "archived", "erased", "dropped", "rejected", "refused", "flagged", "reported",
    "checked", "reviewed", "investigated", "corrected", "listed",
))  # fmt: skip
_COUNTED_WITHIN = frozenset(("line", "item", "position", "row"))
_BEING = ("be", "been", "is", "are")
_DONE = ("ed", "sold", "paid", "sent", "left", "taken", "lent", "spent", "given")
_COUNTED = ("integer", "number")
_NUMBERS = ("no", "nr", "number", "num")


def price_of_one(p: Parse, constraint: Constraint) -> bool:
    """Like "no purchase costs more than 5000" by a unit_price, where the quantity stands beside it."""
    if not any(not _COSTING.isdisjoint((token.low, *token.forms)) for token in p.tokens):
        return False
    spoken = {form for token in p.tokens for form in token.forms}
    for node in own_nodes(constraint):
        of = node.left if isinstance(node, Compare) else None
        if isinstance(of, Column):
            counted = counted_beside(p.schema, constraint.table, of.name)
            is_said = not spoken.isdisjoint({*name_words(of.name)} - PRICES) or _is_written(p, of.name)
            if counted is not None and not is_said:
                p.refuse(f'what one costs, or all of "{counted}"? Write "{of.name} …" for one')
                return True
    return False


def part_as_whole(p: Parse, constraint: Constraint) -> bool:
    """Like "at most 5 % of the packages may be damaged" as packages and packages_damaged that do not agree."""
    spoken = [form for token in p.tokens for form in {*token.forms, *name_words(token.text)}]
    for node in own_nodes(constraint):
        if not isinstance(node, Compare) or node.relation not in ("==", "!="):
            continue
        names = [side.name for side in (node.left, node.right) if isinstance(side, Column)]
        if len(names) != 2 or any(p.schema.kind(constraint.table, name) not in _COUNTED for name in names):
            continue
        shared, longer = sorted((set(name_words(name)) for name in names), key=len)
        is_part = shared < longer and all(spoken.count(word) < 2 for word in shared)
        if is_part or _is_done(p, names):
            p.refuse(f'"{names[0]}" and "{names[1]}" are two numbers; write how they are compared')
            return True
    return False


def _is_done(p: Parse, names: list[str]) -> bool:
    """Like "may be booked" for the column booked: that it is done, not that two numbers are equal."""
    words = {word for name in names for word in name_words(name)}
    low = [token.low for token in p.tokens]
    return any(before in _BEING and after in words and after.endswith(_DONE) for before, after in pairwise(low))


def used_as_there(p: Parse, constraint: Constraint) -> bool:
    """Like "guest passes must be used" as guest_passes that are there, where guest_passes_used counts those."""
    spoken = {token.low for token in p.tokens}
    for node in own_nodes(constraint):
        of = node.of if isinstance(node, Present) else None
        if not isinstance(of, Column) or p.schema.kind(constraint.table, of.name) not in _COUNTED:
            continue
        for other in p.schema.tables[constraint.table].columns:
            more = set(name_words(other)) - set(name_words(of.name))
            if set(name_words(of.name)) < set(name_words(other)) and more and more <= spoken and _is_done(p, [other]):
                p.refuse(f'"{of.name}", or "{other}"? Write the one that is meant, and what it must be')
                return True
    return False


def dates_as_amounts(p: Parse, constraint: Constraint) -> bool:
    """Like "nobody pays more than is due" as a date paid_on that is not after due_on."""
    low = [token.low for token in p.tokens]
    measured = zip(pairwise(low), p.tokens[2:], strict=False)  # "more than 30 days after it" is a length of time
    if not any(pair in (("more", "than"), ("less", "than")) and of.kind != "number" for pair, of in measured):
        return False
    for node in own_nodes(constraint):
        if isinstance(node, Compare) and isinstance(node.left, Column) and isinstance(node.right, Column):
            names, dates = (node.left.name, node.right.name), p.schema.dates(constraint.table)
            if all(name in dates for name in names) and not any(_is_written(p, name) for name in names):
                p.refuse(f'more of what? "{names[0]}" and "{names[1]}" are dates; write "later than" or "earlier than"')
                return True
    return False


def state_as_verdict(p: Parse, constraint: Constraint) -> bool:
    """Like "faulty meters must be removed" as that there are none, where a meter can be removed: a state says so."""
    low = [*(token.low for token in p.tokens), "."]
    for (before, verb), behind in zip(pairwise(low), low[2:], strict=False):
        if before not in ("be", "been", "was", "were") or verb not in _DONE_WITH or behind not in (".", "!", ";", ","):
            continue
        named = [date for date in p.schema.dates(constraint.table) if verb in name_words(date)]
        named += [name for name in p.schema.truths(constraint.table) if verb in name_words(name)]
        states = [column for column, _ in p.schema.values(constraint.table).get((verb,), ())]
        is_read = verb in _texts(constraint) or _columns(constraint) & set(named)
        named += states
        if named and not is_read:
            p.refuse(f'that they are {verb}, or that there are none? Write it of "{named[0]}", or "there must be no …"')
            return True
    return False


def counted_within(p: Parse, constraint: Constraint) -> bool:
    """Like "all lines of a bill are in one currency" per line_no, which every bill begins anew."""
    for node in own_nodes(constraint):
        by = node.by[0] if isinstance(node, Group) and len(node.by) == 1 else None
        if not isinstance(by, Column):
            continue
        *what, last = name_words(by.name) or ("",)
        if last not in _NUMBERS or len(what) != 1 or _is_numbered(p, by.name, what[0]):
            continue
        if what[0] in _COUNTED_WITHIN or _is_counted_above(p, constraint.table, what[0]):
            p.refuse(f'"{by.name}" counts within something else; write "per … and {by.name}"')
            return True
    return False


def _is_numbered(p: Parse, column: str, what: str) -> bool:
    """The sentence speaks of the number: "the line number", "line_no"."""
    behind = pairwise(p.tokens)
    said = any(what in token.forms and not after.forms.isdisjoint(_NUMBERS) for token, after in behind)
    return said or _is_written(p, column)


def _is_counted_above(p: Parse, table: str, what: str) -> bool:
    """A row referred to says how many there are of it: sites have a number of strings."""
    parents = [link.parent for link in p.schema.links(table)]
    counts = {(what,), (what, "count"), ("number", "of", what)}
    return any(name_words(column) in counts for parent in parents for column in p.schema.tables[parent].columns)


def rows_of_another(p: Parse, constraint: Constraint) -> bool:
    """Like "at most 100 bottles per day", of shipments with a number of bottles, as rows with a date bottled_on."""
    if not isinstance(constraint, RowRule) or p.target in (None, constraint.table):
        return False
    must = constraint.must.left if isinstance(constraint.must, Compare) else None
    if not isinstance(must, Group) or must.statistic != "count":
        return False
    places = [Position(place) for place in range(len(p.tokens))]
    if any(noun == constraint.table for place in places for _, noun in nouns.table_noun(p, place)):
        return False
    for token in p.tokens:
        for name in p.schema.called(str(p.target), name_words(token.text)) if token.kind == "word" else ():
            if p.schema.kind(str(p.target), name) in ("integer", "number"):
                p.refuse(f'the rows of "{constraint.table}", or the sum of "{name}"? Write which is meant')
                return True
    return False


def number_of_something_else(p: Parse, constraint: Constraint) -> bool:
    """Like "draft invoices have no number" of a cheque_number, where there is an invoice_number."""
    spoken = {form for token in p.tokens for form in token.forms} | {token.low for token in p.tokens}
    for node in own_nodes(constraint):
        of = node.of if isinstance(node, Present) else None
        if not isinstance(of, Column) or last_word(of.name) not in (*KEY_ENDINGS, "name"):
            continue
        *what, last = name_words(of.name)
        own = [name for name in p.schema.tables[constraint.table].columns if _is_own(constraint.table, name, last)]
        if what and own and of.name not in own and spoken.isdisjoint(what) and not _is_written(p, of.name):
            p.refuse(f'which {last}? Write "{own[0]}" or "{of.name}"')
            return True
    return False


def _is_own(table: str, column: str, last: str) -> bool:
    return name_words(column) == (last_word(table), last)


def ahead_of_what(p: Parse, constraint: Constraint) -> bool:
    """Like "bookings are made at most a year ahead" as ahead of now, where the row has the day that is booked."""
    if not any(token.low in ("ahead", "advance", "beforehand") for token in p.tokens):
        return False
    dates = p.schema.dates(constraint.table)
    for node in own_nodes(constraint):
        of = node.left if isinstance(node, Compare) else None
        if isinstance(of, Column) and of.name in dates and len(dates) > 1 and _reads_now(node):
            p.refuse(f'ahead of what? Write "at most … before" and the date, or name "{of.name}"')
            return not _is_written(p, of.name)
    return False


def _reads_now(node: Record) -> bool:
    return isinstance(node, Compare) and any(isinstance(part, Now) for part in nodes(node.right))


def day_of_another_event(p: Parse, constraint: Constraint) -> bool:
    """Like "receives at most 60 bottles a month" by the day of sending, where the day of delivery is there."""
    spoken = {form for token in p.tokens for form in token.forms}
    if spoken.isdisjoint(("receive", "received")):
        return False
    used, dates = _columns(constraint), p.schema.dates(constraint.table)
    later = [date for date in dates if not event_verbs(date).isdisjoint(("deliver", "arrive", "receive"))]
    taken = [date for date in dates if date in used and date not in later]
    is_named = used & set(later) or any(not event_verbs(date).isdisjoint(spoken) for date in taken)
    if later and taken and not is_named:
        p.refuse(f'by "{taken[0]}", or by "{later[0]}"? Write the one that is meant')
        return True
    return False


def one_who_is(p: Parse, constraint: Constraint) -> bool:
    """Like "every department has exactly one manager" as one manager_id, where is_manager says who is one."""
    if any(token.low in ("same", "different", "distinct", "identical") for token in p.tokens):
        return False
    for node in own_nodes(constraint):
        of = node.of if isinstance(node, Group) and node.statistic == "distinct" else None
        who = name_words(of.name)[:-1] if isinstance(of, Column) and last_word(of.name) in KEY_ENDINGS else ()
        flags = [name for name in p.schema.truths(constraint.table) if name_words(name)[1:] == who]
        if isinstance(of, Column) and who and flags and of.name not in p.text:
            p.refuse(f'rows with "{flags[0]}", or values of "{of.name}"? Write which are counted')
            return True
    return False


def flag_as_person(p: Parse, constraint: Constraint) -> bool:
    """Like "no manager may have more than ten people" per is_manager, where manager_id says whose they are."""
    people = {name_words(link.column)[:-1] for link in p.schema.links(constraint.table)}
    people |= {name_words(link.column)[:-1] for link in p.schema.roles(constraint.table)}
    for node in own_nodes(constraint):
        for of in (*node.by, node.of) if isinstance(node, Group) else ():
            if not isinstance(of, Column) or of.name not in p.schema.truths(constraint.table) or of.name in p.text:
                continue
            if name_words(of.name)[1:] in people:
                p.refuse(f'"{of.name}" is true or false; name it if that is meant')
                return True
    return False


def _is_written(p: Parse, column: str) -> bool:
    """The column's name stands in the rule, also behind its table: orders.user_id."""
    return column.lower() in p.text.lower()


def _texts(constraint: Constraint) -> set[str]:
    found = [node for node in own_nodes(constraint) if isinstance(node, (Value, OneOf))]
    return {str(text).lower() for node in found for text in (node.values if isinstance(node, OneOf) else (node.value,))}


def _columns(constraint: Constraint) -> set[str]:
    return {node.name for node in own_nodes(constraint) if isinstance(node, Column)}


JUDGES = (
    price_of_one,
    part_as_whole,
    used_as_there,
    dates_as_amounts,
    state_as_verdict,
    counted_within,
    rows_of_another,
    number_of_something_else,
    ahead_of_what,
    day_of_another_event,
    one_who_is,
    flag_as_person,
)
