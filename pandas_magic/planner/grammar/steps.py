"""Days and months of what happens to a row: "3 shipments dispatched on the same day", "at most two pickups per day"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Value
from pandas_magic.planner.grammar import counting, events, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.morphology import NOMINAL, name_words, singular, word_forms

Keys = tuple[Expression, ...]
_AGAIN = "be|have been|get|be being"


@rule
def keys_of_a_step(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    """Behind rows: "dispatched on the same day", "that were opened in one month": the day of that very date."""
    for start in (i, *p.seq_ends(i, f"?{words.RELATIVE}", _AGAIN)):
        for middle, date in events.event(p, start, table):
            for begin in p.phrase(middle, phrases.PER):
                for end, keys in counting.group_keys(p, begin, table, date.name):
                    if tells_the_time_of(keys, date.name):
                        yield end, keys


def tells_the_time_of(keys: Keys, date: str) -> bool:
    """One of the keys is the day, month or year of the date."""
    return any(isinstance(key, DatePart) and key.of == Column(name=date) for key in keys)


def is_another_day(p: Parse, table: str, where: Condition | None, keys: Keys) -> bool:
    """Like "delivered orders on the same day", which could be the day of the order, or of its delivery."""
    value = where.right.value if isinstance(where, Compare) and isinstance(where.right, Value) else None
    if not isinstance(value, str):
        return False
    verbs = {form for word in name_words(value) for form in word_forms(word)}
    days = {key.of.name for key in keys if isinstance(key, DatePart) and isinstance(key.of, Column)}
    told = [date for date in p.schema.dates(table) if event_verbs(date) & verbs]
    return bool(days) and bool(told) and days.isdisjoint(told)


def dates_of_a_noun(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    """Like "pickups" for pickup_on, "departures" for departure_date: what is counted once for each row that has it."""
    token, before = p.at(i), p.at(Position(max(int(i) - 1, 0)))
    if token is None or before is None or (not token.low.endswith("s") and before.low not in ("one", "single", "1")):
        return
    if name_words(token.text) in p.schema.nouns:
        return
    dated = {date.name: int(end) for end, date in events.event(p, i, table)}
    verb = NOMINAL.get(singular(token.low), "")
    dated |= {name: int(i) + 1 for name in p.schema.dates(table) if verb in event_verbs(name)}
    for name, end in dated.items():
        yield p.note(i, end, f'how often there is a "{name}"'), name
