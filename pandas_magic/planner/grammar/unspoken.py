"""Readings that nobody meant: about rows never named, that cannot see the rows at fault, that take 0 for a value."""

from collections.abc import Iterator
from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, Matches, Not, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, DatePart, Group, Lookup, Rollup, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.grammar import having, measures, mix_ups, nouns, taken_for
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.by_day import by_day
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import replaced
from pandas_magic.planner.grammar.morphology import last_word, name_words, word_forms
from pandas_magic.planner.grammar.tokens import Token

# What is held of it can be nothing at all.
_HELD = frozenset((
    "stock", "inventory", "quantity", "balance", "debt", "seat", "passenger", "piece", "guest", "visitor", "unit",
))  # fmt: skip
_OWED = frozenset(("outstanding", "owed", "debt", "arrears"))
_SAID_TO_BE_MISSING = frozenset((
    "missing", "empty", "blank", "null", "none", "fill", "give", "record", "enter", "value", "present", "mandatory",
    "required", "lack", "without", "know", "always",
))  # fmt: skip
_ADDED_UP = frozenset(("cost", "amount", "revenue", "fee", "expense", "income", "charge", "turnover", "spending"))
_COUNTS = frozenset(("count", "total", "sum", "amount"))
_ANY_DIGITS = (r"\d+", "[0-9]+", r".*\d.*", ".*[0-9].*")
_QUANTITIES = frozenset((
    "value", "amount", "price", "cost", "fee", "total", "quantity", "count", "weight", "size", "length", "width",
    "height", "volume", "distance", "temperature", "rate", "score", "balance", "salary", "premium", "capacity",
    "age",
))  # fmt: skip
Reading = tuple[Position, Constraint]


def left_out(p: Parse, readings: Iterator[Reading]) -> Iterator[Reading]:
    """The readings without those that speak of rows the sentence never names, or miss those that it is about.

    "After the day" is compared by days. Beside a reading by a date stands the one by the status that tells of the same,
    and the other way round.
    """
    for end, found in readings:
        constraint = by_day(p, found)
        if not any(judge(p, constraint) for judge in _JUDGES):
            yield end, constraint
            yield from ((end, other) for other in _said_otherwise(p, constraint))


def _only_filled(p: Parse, constraint: Constraint) -> bool:
    """Like "a home branch that exists": a reference that is filled can still lead nowhere."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    of = must.of if isinstance(must, Present) else None
    role = next((link for link in p.schema.roles(constraint.table) if of == Column(name=link.column)), None)
    if role is None or not any(token.low in ("exist", "exists", "existing") for token in p.tokens):
        return False
    p.refuse(f'filled, or to be found? Write "{role.column} must exist in {role.parent}"')
    return True


def _leaves_zero_open(p: Parse, constraint: Constraint) -> bool:
    """Like "discontinued products must have no stock": a stock of nothing is 0, which is a value."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    present = must.condition if isinstance(must, Not) else must
    of = present.of if isinstance(present, Present) else None
    if not isinstance(of, Column) or p.schema.kind(constraint.table, of.name) not in ("integer", "number"):
        return False
    held = _OWED if present is must else _HELD | _OWED
    if held.isdisjoint(name_words(of.name)) or any(not _SAID_TO_BE_MISSING.isdisjoint(t.forms) for t in p.tokens):
        return False
    if "_" in of.name and of.name in p.text:
        return False
    other = f'"{of.name} must be above 0"' if present is must else f'"{of.name} must be 0"'
    p.refuse(f'zero, or missing? Write {other} or "{of.name} must be {"present" if present is must else "missing"}"')
    return True


def _misses_rows(p: Parse, constraint: Constraint) -> bool:
    """Like "at least two flights must be flown by each aircraft", asked of flights, where idle aircraft are not."""
    if not isinstance(constraint, RowRule) or not isinstance(constraint.must, Compare):
        return False
    count = constraint.must.left
    if not isinstance(count, Group) or count.statistic != "count" or constraint.must.relation not in (">", ">=", "=="):
        return False
    parents = {link.column: link.parent for link in p.schema.links(constraint.table)}
    key = count.by[0] if len(count.by) == 1 else None
    if not isinstance(key, Column) or key.name not in parents:
        return False
    parent = parents[key.name]
    p.refuse(
        f'rows of "{parent}" without any would not be seen: ask it of "{parent}", as in "each … must have at least …"'
    )
    return True


def _is_unspoken(p: Parse, constraint: Constraint) -> bool:
    """The reading takes statistics per row of a table that the sentence does not name and nobody asked about."""
    if not isinstance(constraint, RowRule) or constraint.table == p.target:
        return False
    must = constraint.must
    if not isinstance(must, Compare) or not isinstance(must.left, Rollup):
        return False
    places = (Position(place) for place in range(len(p.tokens)))
    if any(noun == constraint.table for place in places for _, noun in nouns.table_noun(p, place)):
        return False
    p.refuse(f'of the whole table, or per what? Write "per {last_word(constraint.table)}" if that is meant')
    return True


def _same_as_whom(p: Parse, constraint: Constraint) -> bool:
    """Like "the manager must be in the same department", as the employee, not as whoever else has that manager."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    values = must.left if isinstance(must, Compare) else None
    if not isinstance(values, Group) or values.statistic != "distinct" or len(values.by) != 1:
        return False
    for link in p.schema.roles(constraint.table):
        named = any(name_words(link.column)[0] in token.forms for token in _begun(p))
        if link.parent == constraint.table and values.by[0] == Column(name=link.column) and named:
            p.refuse(f'the same as what? "{link.column}" refers to another row of "{constraint.table}"')
            return True
    return False


def _begun(p: Parse) -> tuple[Token, ...]:
    """The noun that is spoken of first: "the manager", and behind "an employee's" what that one has."""
    of_them = next((place for place, token in enumerate(p.tokens[:4]) if token.low == "'s"), None)
    return p.tokens[:2] if of_them is None else p.tokens[of_them + 1 : of_them + 3]


def _digits_of_a_quantity(p: Parse, constraint: Constraint) -> bool:
    """Like "weekly_hours contains only numbers": 1.5 hours is a number, though not one of digits alone."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    if not isinstance(must, Matches) or must.pattern not in _ANY_DIGITS or not isinstance(must.of, Column):
        return False
    of_numbers = any("number" in token.forms for token in p.tokens)
    if not of_numbers or not (measures.has_unit(must.of) or last_word(must.of.name) in _QUANTITIES):
        return False
    p.refuse(f'write "{must.of.name} must be numeric", or "must consist of digits"')
    return True


def _count_as_reference(p: Parse, constraint: Constraint) -> bool:
    """Like "ticket_count must match the tickets": a number of rows is no row's key."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    of = must.of[0] if isinstance(must, Exists) and len(must.of) == 1 else None
    if not isinstance(of, Column):
        return False
    told_apart = p.schema.kind(constraint.table, of.name) not in ("datetime", "boolean")
    if told_apart and _COUNTS.isdisjoint(name_words(of.name)):
        return False
    p.refuse(f'write "{of.name} must equal the number of …"')
    return True


def _other_day(p: Parse, constraint: Constraint) -> bool:
    """Like "a table may be reserved once per day" by the day of booking, where reserved_for has a day as well."""
    if not isinstance(constraint, RowRule):
        return False
    parts = [node for node in nodes(constraint.must) if isinstance(node, DatePart)]
    days = {part.of.name for part in parts if isinstance(part.of, Column)}
    low = {token.low for token in p.tokens}
    for date in p.schema.dates(constraint.table):
        first = date.lower().split("_")[0]
        spoken = first.endswith("ed") and first in low
        if spoken and days and date not in days and not any(day.lower().split("_")[0] in low for day in days):
            p.refuse(f'the day of which date? Write "per day ({date})", or name the other one')
            return True
    return False


def _costs_of_all(p: Parse, constraint: Constraint) -> bool:
    """Like "the cost of all repairs must be below 50000", which can be what all of them cost together."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    if not isinstance(must, Compare) or not isinstance(must.left, Column) or must.relation not in ("<", "<="):
        return False
    low = [token.low for token in p.tokens]
    words = name_words(must.left.name)
    for place, word in enumerate(low[:-2]):
        if low[place + 1 : place + 3] == ["of", "all"] and word in _ADDED_UP and word in words:
            p.refuse(f'each, or all together? Write "each {word}" or "the total {word}"')
            return isinstance(must.right, Value) and must.right.value not in (0, "0")
    return False


def _past_what(p: Parse, constraint: Constraint) -> bool:
    """Like "overdue invoices must be past their due date": today is past it, not the date of the invoice."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    if not isinstance(must, Compare) or not isinstance(must.left, Column) or not isinstance(must.right, Column):
        return False
    low = {token.low for token in p.tokens}
    if "past" not in low or low & set(name_words(must.left.name)) or must.left.name.lower() in low:
        return False
    p.refuse(f'past when? Write "{must.right.name} must be in the past"')
    return True


def _less_a_percentage(p: Parse, constraint: Constraint) -> bool:
    """Like "the fee minus the discount" where the discount is so many percent of the fee."""
    if not isinstance(constraint, RowRule):
        return False
    for node in nodes(constraint.must):
        if isinstance(node, Arithmetic) and node.sign in ("+", "-"):
            names = [part.of if isinstance(part, Lookup) else part for part in (node.left, node.right)]
            shares = [isinstance(name, Column) and last_word(name.name) in _PERCENT for name in names]
            if shares == [False, True] and isinstance(names[0], Column):
                p.refuse(f'"{getattr(names[1], "name", "")}" is a percentage; write what it is a percentage of')
                return True
    return False


_PERCENT = frozenset(("pct", "percent", "percentage"))


def _rows_as_value(p: Parse, constraint: Constraint) -> bool:
    """Like "donations with a positive test", of a reason 'positive_test', where tests are rows that refer to them."""
    if not isinstance(constraint, RowRule):
        return False
    named = {noun for place in range(len(p.tokens)) for _, noun in nouns.table_noun(p, Position(place))}
    for node in (node for part in (constraint.must, constraint.where) if part is not None for node in nodes(part)):
        of, text = (node.left, node.right) if isinstance(node, Compare) else (None, None)
        if not isinstance(of, Column) or not isinstance(text, Value) or not isinstance(text.value, str):
            continue
        spoken, column = name_words(text.value), name_words(of.name)
        said = any(not token.forms.isdisjoint(column) or token.kind == "text" for token in p.tokens)
        others = set(p.schema.nouns.get(spoken[-1:], ())) - {constraint.table}
        if len(spoken) > 1 and not said and others & named:
            p.refuse(f'write "{of.name} is \'{text.value}\'", or say what is meant of the rows of "{min(others)}"')
            return True
    return False


def _texts(node: Value | OneOf) -> tuple[object, ...]:
    return node.values if isinstance(node, OneOf) else (node.value,)


def _said_otherwise(p: Parse, constraint: Constraint) -> Iterator[Constraint]:
    """Like "farms that have left", where a date left_on and a status 'left' both say so, and may not agree."""
    if not isinstance(constraint, RowRule):
        return
    if (other := _other_sign(p, constraint, constraint.table, constraint.where)) is not None:
        yield constraint.model_copy(update={"where": other})
    if (by_date := _date_for(p, constraint, constraint.table, constraint.must)) is not None:
        yield constraint.model_copy(update={"must": by_date})
    for node in nodes(constraint.must):
        if isinstance(node, Exists) and (other := _other_sign(p, constraint, node.table, node.where)) is not None:
            must = replaced(constraint.must, node, node.model_copy(update={"where": other}))
            yield constraint.model_copy(update={"must": must})


def _other_sign(p: Parse, constraint: RowRule, table: str, where: Condition | None) -> Condition | None:
    """The status that says what a date says, or the date that says what a status says."""
    if where is None:
        return None
    return _status_for(p, constraint, table, where) or _date_for(p, constraint, table, where)


def _status_for(p: Parse, constraint: RowRule, table: str, date_is_there: Condition) -> Condition | None:
    denied = isinstance(date_is_there, Not)  # "unpaid bills"
    present = date_is_there.condition if isinstance(date_is_there, Not) else date_is_there
    of = present.of if isinstance(present, Present) else None
    if not isinstance(of, Column) or p.schema.kind(table, of.name) != "datetime":
        return None
    # "Only cancelled policies can have a cancellation date" tells them apart.
    used = {value for node in nodes(constraint.must) if isinstance(node, (Value, OneOf)) for value in _texts(node)}
    low = {token.low for token in p.tokens}
    for spoken, ((column, value), *_) in p.schema.values(table).items():
        said = len(spoken) == 1 and ("un" * denied + spoken[0]) in low
        if said and event_verbs(of.name) & word_forms(spoken[0]) and value not in used:
            return Compare(relation="!=" if denied else "==", left=Column(name=column), right=Value(value=value))
    return None


def _date_for(p: Parse, constraint: RowRule, table: str, has_status: Condition) -> Present | None:
    """Of "orders that have been shipped": a delivered one has been, too, as its ship_date says."""
    status = has_status.right if isinstance(has_status, Compare) and has_status.relation == "==" else None
    if not isinstance(status, Value) or not isinstance(status.value, str):
        return None
    been = {after.low for token, after in pairwise(p.tokens) if token.low in ("been", "was", "were")}
    used = {node.name for node in nodes(constraint.must) if isinstance(node, Column)}
    dates = [date for date in p.schema.dates(table) if event_verbs(date) & word_forms(status.value.lower())]
    if status.value.lower() not in been or len(dates) != 1 or dates[0] in used:
        return None
    return Present(of=Column(name=dates[0]))


_JUDGES = (
    _is_unspoken,
    _misses_rows,
    _leaves_zero_open,
    _only_filled,
    _same_as_whom,
    _digits_of_a_quantity,
    _count_as_reference,
    _other_day,
    _past_what,
    _less_a_percentage,
    _costs_of_all,
    having.only_has_to_be_there,
    _rows_as_value,
    *mix_ups.JUDGES,
    *taken_for.JUDGES,
)
