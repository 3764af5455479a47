"""What is no amount: the number of a row held against a limit, half a row, a count for a value, the year 8."""

import re
from collections.abc import Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Group,
    Lookup,
    Previous,
    ReadAs,
    Rollup,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import each, every_node, holds
from pandas_magic.planner.language.guards.units import units_mixed
from pandas_magic.planner.language.linking import Linked, LinkedSpan, NumberMeant
from pandas_magic.planner.language.linking.spans import EXACT, PART, SYNONYM
from pandas_magic.planner.language.linking.unit_scales import counts_percent
from pandas_magic.planner.language.linking.words import is_key_name, last_word, name_parts, names_data, parted, singular

_REACHED = (Absolute, Group, Rollup)
_BARE = re.compile(r"\W*(?:the|each|every|an?) number (?:must|should|has to|shall|may|can|cannot|needs?|is)\b")
_OLDEST, _FIRST_YEAR = 100, 1000
_WHOLE, _SO_MANY = frozenset(("total", "amount", "sum")), frozenset(("quantity", "qty", "pieces"))
_LATEST = re.compile(r"^(?!.*\bgaps?\b).*\b(latest|last|most recent|newest|first|earliest|oldest)\b")
_PLANNED = re.compile(r"(?:^|_)(?:due|planned|expected|scheduled|target|deadline)(?:_|$)")
_LONG = re.compile(r"(?:^|_)(?:duration|length|term|lasting|minutes|mins?|hours?|days|weeks|months|nights)(?:_|$)")
_TOTAL_ALONE = re.compile(
    r"^(?!.*\b(?:all|together|over|overall|altogether|across|whole|entire|every|sum)\b).*\btotal (?!of\b)"
)
# "1.000" is a thousand to those who write 1.000,50, and nobody writes the noughts of 1.000 for nothing.
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})*\.\d\d0(?![\w.,]*\d)")


def no_measure(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the rule measures that is no amount, or in a way that the words leave open."""
    text, table = linked.text.lower(), linked.tables[constraint.table]
    yield from units_mixed(constraint)
    for said in _THOUSANDS.findall(text):
        yield f"whether {said} is a number with decimals or one of thousands is not said"
    for compare in each(constraint, Compare):
        yield from _keys_ordered(compare, constraint, linked)
        yield from _keys_measured(compare, constraint, linked)
        yield from _no_year(compare)
        yield from _counted(compare, linked)
        yield from _rows_divided(compare)
        yield from _lasting(compare, constraint, linked)
        yield from _as_old_as_nobody(compare)
        yield from _of_one_or_all(compare, constraint, linked)
        yield from _no_moments(compare, text)
    for previous in each(constraint, Previous):
        yield from _in_no_order(previous, constraint, linked)
    for sum_ in each(constraint, Arithmetic):
        yield from _percent_moved(sum_)
    yield from _limited_twice(constraint)
    if _BARE.match(text) and sum(table.kind(name) in ("integer", "number") for name in table.columns) > 1:
        yield "which number is meant is not said"
    yield from _extremes(constraint, linked)
    yield from _totalled(constraint, linked)
    yield from _ages_unsaid(constraint, linked)


def _no_moments(compare: Compare, text: str) -> Iterator[str]:
    """Like "the stand must be later than the delay code", of texts that are numbers."""
    of_numbers = any(isinstance(side, ReadAs) and side.type == "number" for side in (compare.left, compare.right))
    if of_numbers and re.search(r"\b(?:later|earlier) than\b", text):
        yield "nothing in it is earlier or later than something else"


def _in_no_order(previous: Previous, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "higher than the one before" by a number that no word names: it may be by date, or as the rows stand."""
    order, table = previous.order, linked.tables[constraint.table]
    order = order.of if isinstance(order, ReadAs) else order
    if not isinstance(order, Column) or "date" in (table.kind(order.name)[:4], table.read_as.get(order.name)):
        return
    if all(meant.column != order.name for span in linked.segments() for meant in span.columns):
        yield f"that rows follow each other by {order.name} is not said"


def _limited_twice(constraint: Constraint) -> Iterator[str]:
    """Like "the sum by amount must be at most 5", taken for that of the rows where the same sum is at most amount."""
    if not isinstance(constraint, RowRule) or constraint.where is None:
        return
    chosen, demanded = (
        {part.left for part in nodes(where) if isinstance(part, Compare) and isinstance(part.left, _REACHED)}
        for where in (constraint.where, constraint.must)
    )
    if chosen & demanded:
        yield "the same quantity says of which rows it is, and what it must be"


def _of_one_or_all(compare: Compare, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like the total of a line held against the price of its product, beside a quantity that the rule leaves out."""
    there = {part.of.name for part in nodes(compare) if isinstance(part, Lookup) and isinstance(part.of, Column)}
    names = {part.name for part in nodes(compare) if isinstance(part, Column)} - there
    price = next((name for name in there if last_word(name) == "price"), None)
    if price is not None and len(names) == 1 and any(last_word(name) in _WHOLE for name in names):
        known = reads(constraint).get(constraint.table, ())
        for name in linked.tables[constraint.table].columns:
            if last_word(name) in _SO_MANY and name not in known:
                yield f"whether {price} is of one or of the whole {name} is not said"


def _as_old_as_nobody(compare: Compare) -> Iterator[str]:
    """A time of a hundred years or more, unless that is the most that is allowed: "nobody is older than 110"."""
    if compare.relation not in (">", ">="):
        for node in nodes(compare):
            if isinstance(node, Span) and node.unit == "years" and node.amount >= _OLDEST:
                yield f"a limit of {node.amount:g} years is unusual, so it is asked first"


def _keys_ordered(compare: Compare, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "no more than one head" taken for a head_id of at most 1, "under 18" for a guardian_no below 18."""
    if compare.relation in ("==", "!="):
        return
    keys = linked.names.references.telling_apart(constraint.table)
    for side, other in ((compare.left, compare.right), (compare.right, compare.left)):
        counts = isinstance(other, (Group, Rollup, Aggregate)) and other.statistic in ("count", "distinct")
        if isinstance(side, Column) and side.name in keys and counts:
            yield f"{side.name} tells rows apart, and is no number of rows"
        if not isinstance(side, Column) or _is_called(side.name, linked):
            continue
        if is_key_name(side.name) or (side.name in keys and isinstance(other, Value)):
            yield f"{side.name} tells rows apart, and is no amount"


def _is_called(column: str, linked: Linked) -> bool:
    """Whether the words call the column by its whole name: "guardian" alone is a person, no number."""
    named = (meant for span in linked.segments() for meant in span.columns if meant.tier <= SYNONYM)
    whole = spelt(column).replace("_", r"[\W_]*")
    return any(meant.column == column for meant in named) or re.search(whole, linked.text.lower()) is not None


def _rows_divided(compare: Compare) -> Iterator[str]:
    """Like "at least half of the rows" taken for a number of rows of at least 0.5."""
    left, right = compare.left, compare.right
    counted = isinstance(left, (Aggregate, Group, Rollup)) and left.statistic in ("count", "distinct")
    if counted and isinstance(right, Value) and isinstance(right.value, float) and not right.value.is_integer():
        yield f"{right.value:g} is no number of rows"


def _lasting(compare: Compare, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "no longer than two hours" taken for the time between two dates that the words do not name."""
    took = compare.left
    if not (isinstance(took, Arithmetic) and took.sign == "-" and isinstance(compare.right, Span)):
        return
    table, text = linked.tables[constraint.table], linked.text.lower()
    dates = [side.name for side in (took.left, took.right) if isinstance(side, Column)]
    if len(dates) != 2 or any(name_parts(name)[0][:4] in text for name in dates):
        return
    lengths = [name for name in table.columns if _LONG.search(parted(name)) and table.kind(name) != "datetime"]
    planned = [name for name in table.columns if _PLANNED.search(parted(name)) and table.kind(name) == "datetime"]
    for other in [*lengths, *(name for name in planned if name not in dates)][:1]:
        yield f"whether {other} or the time from {dates[1]} to {dates[0]} is meant is not said"


def _percent_moved(node: Arithmetic) -> Iterator[str]:
    """Like "the price less the discount", where the discount is in percent."""
    sides = (node.left, node.right)
    shares = [side.name for side in sides if isinstance(side, Column) and counts_percent(side.name)]
    if node.sign in "+-" and len(shares) == 1 and not any(isinstance(side, Value) for side in sides):
        yield f"{shares[0]} counts percent, and what it is added to or taken from does not"


def _keys_measured(compare: Compare, constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "a higher salary than their manager", taken for the manager's number."""
    if constraint.shape != "rows" or {getattr(side, "name", "") for side in (compare.left, compare.right)} <= _named(
        constraint.table, linked
    ):
        return
    references = linked.names.references
    for side, other in ((compare.left, compare.right), (compare.right, compare.left)):
        if not isinstance(side, Column) or side.name not in references.telling_apart(constraint.table):
            continue
        match other:
            case Column(name=name) if compare.relation not in ("==", "!="):
                if name not in references.telling_apart(constraint.table):
                    yield f"{side.name} tells rows apart, and is no measure for {name}"
            case Lookup(of=Column(name=name), join=join) if name not in references.telling_apart(join.table):
                yield f"{side.name} is compared with {name}, which says of what kind a row is"


def _named(table: str, linked: Linked) -> set[str]:
    """The columns of the table that the words name as they are spelt."""
    meant = (one for span in linked.segments() for one in span.columns)
    return {one.column for one in meant if one.tier == EXACT and one.table == table}


def _no_year(compare: Compare) -> Iterator[str]:
    """Like a time "between 8 and 18", taken for one of the years 8 to 18."""
    is_year = isinstance(compare.left, DatePart) and compare.left.part == "year"
    number = compare.right.value if is_year and isinstance(compare.right, Value) else None
    if isinstance(number, int) and number < _FIRST_YEAR:
        yield f"{number} may be no year"


def _counted(compare: Compare, linked: Linked) -> Iterator[str]:
    """Like "has two managers", taken for a manager_no of 2."""
    number = compare.right.value if isinstance(compare.right, Value) and compare.relation == "==" else None
    if not isinstance(compare.left, Column) or isinstance(number, (str, bool)) or number is None:
        return
    name, parts = compare.left.name, {*name_parts(compare.left.name)}
    for span in linked.segments():
        word = span.text.lower()
        is_many = word.endswith("s") and singular(word) != word and word not in parts
        if is_many and any(meant.column == name for meant in span.columns) and _follows_number(linked, span):
            yield f"whether {name} is that, or there are so many, is not said"


def _follows_number(linked: Linked, span: LinkedSpan) -> bool:
    return span.start > 0 and any(one.of(NumberMeant) for one in linked.at(span.start - 1))


def _extremes(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the latest pulse", which need not be the greatest."""
    said = _LATEST.search(linked.without_names)
    for node in every_node(constraint) if said else ():
        if not isinstance(node, (Aggregate, Group, Rollup)) or node.statistic not in ("max", "min"):
            continue
        other = node.join.table if isinstance(node, Rollup) else getattr(node, "table", constraint.table)
        if isinstance(node.of, Column) and linked.tables[other].kind(node.of.name) in ("integer", "number"):
            yield f"that {node.of.name} need not be the {'greatest' if node.statistic == 'max' else 'least'} one"
    if isinstance(constraint, TableRule) and holds(constraint, Lookup):
        yield "a whole table is compared with what each row refers to"


def _totalled(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "the total price", taken for the sum of all prices of a table in which each row has a total."""
    sums = [node.of for node in each(constraint, Aggregate) if node.statistic == "sum"]
    summed = [of.name for of in sums if isinstance(of, Column)]
    if isinstance(constraint, TableRule) and len(sums) == 1 and _TOTAL_ALONE.match(linked.text.lower()):
        yield "whether the total of each row, of some rows together or of all is meant is not said"
    if summed and re.search(r"\btotal (?!of\b)", linked.text.lower()):
        for name in linked.tables[constraint.table].columns:
            if "total" in name_parts(name) and name not in summed:
                yield f"whether {name} or the sum of {summed[0]} over all rows is meant is not said"


def _ages_unsaid(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "tickets over 10", taken for the age of who buys them; "students under 18" are young."""
    people = frozenset(names_data()["people"]) | {"child"}
    told = any("AGE" in span.cues for span in linked.segments()) or last_word(constraint.table) in people
    told = told or any(not token.forms.isdisjoint(people) for token in linked.tokens)
    named = {meant.column for span in linked.segments() for meant in span.columns if meant.tier <= PART}
    for node in () if told else each(constraint, Compare):
        of = node.left
        if isinstance(of, Column) and "age" in name_parts(of.name) and of.name not in named:
            yield f"that {of.name} is meant is not said"
