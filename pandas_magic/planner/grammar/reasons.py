"""Why a rule is there, said beside it: "Because refunds are booked by hand, …", "…, otherwise nobody finds it".

A reason is not checked, whatever its words. So it may demand nothing, it may not be what could be a condition, and it
may not say which rows are meant: the values and numbers in it have to come again in the rule.
"""

from collections.abc import Callable, Iterator, Sequence

from pandas_magic.planner.grammar import phrases, spoken_of, statements
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.remarks import FUNCTION_WORDS
from pandas_magic.planner.grammar.tokens import Token

Demands = Callable[[Parse, Position, str], Iterator[tuple[Position, Claim]]]
_LONGEST = 30  # tokens
_STOPS = (".", ";", "!")
# Words of a demand, a condition or a part of the rows.
_TELLING = frozenset(
    ["must", "should", "shall", "if", "unless", "except", "whenever", "some", "most", "certain", "these", "those"]
)
_LACKING = frozenset(["null", "nulls", "nan", "blank", "empty", "missing", "zero", "none", "nothing", "whatever"])
_SUCH_AS = (["such", "as"], ["for", "example"], ["for", "instance"])


def rule_begins(p: Parse, i: Position, table: str, demands: Demands) -> Iterator[Position]:
    """Where the rule begins behind the reason that stands at `i`."""
    if i > 0 and p.tokens[i - 1].text not in _STOPS:
        return
    yield from p.phrase(i, phrases.BY_LAW)
    furthest = p.furthest
    begun = [
        start
        for end, start in (*_because(p, i), *_consequences(p, i))
        if _is_a_reason(p, range(i, end), range(start, len(p.tokens)), table)
        and not _says_something(p, i, end, table, demands)
    ]
    p.furthest = furthest  # looking for the end of a reason is not reading
    yield from (p.note(i, start, "a reason, which is not checked") for start in begun)


def _because(p: Parse, i: Position) -> Iterator[tuple[int, Position]]:
    for begun in p.phrase(i, phrases.BECAUSE_AHEAD):
        if (after := p.at(begun)) is not None and after.kind == "word":
            for place in range(int(begun) + 1, min(len(p.tokens) - 2, int(i) + _LONGEST)):
                if p.tokens[place].text == ",":
                    yield place, position(place + 1, i.trace)


def _consequences(p: Parse, i: Position) -> Iterator[tuple[int, Position]]:
    for place in range(int(i) + 2, min(len(p.tokens) - 2, int(i) + _LONGEST)):
        if p.tokens[place].text in _STOPS[::2]:
            return
        yield from ((place, position(start, i.trace)) for start in p.phrase(Position(place), phrases.CONSEQUENTLY))


def _says_something(p: Parse, i: Position, end: int, table: str, demands: Demands) -> bool:
    """The words could be a condition, "the order is paid", or a rule of their own."""
    begun = (i, *p.phrase(i, phrases.BECAUSE_AHEAD))
    conditions = (last for start in begun for last, _ in statements.condition(p, start, table))
    return any(int(last) == end for last in conditions) or any(int(last) == end for last, _ in demands(p, i, table))


def follows(p: Parse, i: Position, table: str, *, conditional: bool) -> Iterator[Position]:
    """Where the reason behind a rule ends: ", because we bill by it", ", otherwise they are cut off"."""
    yield from p.phrase(i, phrases.BY_LAW_BEHIND)
    for start in p.phrase(i, f"{phrases.BECAUSE}|{phrases.SINCE}"):
        after = p.at(start)
        if p.tokens[start - 1].low not in ("since", "as") or (after is not None and after.kind == "word"):
            yield from _to_the_stop(p, i, start, table)
    for start in p.phrase(i, phrases.OR_ELSE_IT_HAPPENS):
        yield from _to_the_stop(p, i, start, table, other_case=conditional)


def _to_the_stop(p: Parse, i: Position, start: Position, table: str, *, other_case: bool = False) -> Iterator[Position]:
    end = _stop(p, start)
    for begin in (start, position(start - 1, start.trace)):
        if any(int(last) == end for last, _ in statements.condition(p, begin, table)):
            return  # "because the status is paid" may say for which rows
    if other_case and not _is_plain(p, p.tokens[start:end]):
        return  # "otherwise it is empty" is what holds for the others
    if end > start and _is_a_reason(p, range(start, end), range(i), table):
        yield p.note(i, end, "a reason, which is not checked")


def aside(p: Parse) -> frozenset[int]:
    """The places of the words that only give a reason, in a rule that is not understood otherwise."""
    furthest = p.furthest
    found: set[int] = set()
    for end, start in (*_because(p, position(0)), *_consequences(p, position(0))):
        if _is_a_reason(p, range(end), range(start, len(p.tokens)), p.default):
            found.update(range(end))
    for place in range(len(p.tokens)):
        for start in p.phrase(Position(place), f"{phrases.BECAUSE}|{phrases.SINCE}|{phrases.OR_ELSE_IT_HAPPENS}"):
            end = _stop(p, start)
            if _is_a_reason(p, range(start, end), range(place), p.default):
                found.update(range(place, end))
    p.furthest = furthest
    return frozenset(found)


def _stop(p: Parse, i: int) -> int:
    return next((place for place in range(i, len(p.tokens)) if p.tokens[place].text in _STOPS), len(p.tokens))


def _is_a_reason(p: Parse, places: range, of_rule: range, table: str) -> bool:
    said, rule = p.tokens[places.start : places.stop], p.tokens[of_rule.start : of_rule.stop]
    columns = spoken_of.columns_named(p, places.start, places.stop, table)
    again_it = any(True for _ in p.phrase(Position(of_rule.start), phrases.THAT_VALUE))
    if not again_it and not columns <= spoken_of.columns_named(p, of_rule.start, of_rule.stop, table):
        return False  # "a coupon was entered, so …" may say for which rows
    again = {form for token in rule for form in (*token.forms, *name_words(token.text))}
    numbers = [token.value for token in rule if token.kind != "word"]
    examples = set(_behind_examples(said))
    for place, token in enumerate(said):
        if token.low in _TELLING or _narrows_a_noun(p, said, place, again):
            return False
        if place in examples:
            continue
        if token.kind not in ("word", "mark") and token.value not in numbers:
            return False
        if _is_a_value(p, said, place) and again.isdisjoint((*token.forms, *name_words(token.text))):
            return False
    return True


def _is_plain(p: Parse, said: Sequence[Token]) -> bool:
    """No value, no number, no column and nothing of what a value can lack: it cannot be a demand of its own."""
    named = {form for token in said for form in token.forms}
    columns = any(p.schema.column_words(table) & named for table in p.schema.tables)
    literal = any(token.kind not in ("word", "mark") for token in said)
    values = any(_is_a_value(p, said, place) for place in range(len(said)))
    return not (columns or literal or values or named & _LACKING)


def _behind_examples(said: Sequence[Token]) -> Iterator[int]:
    """The places behind "codes such as" up to the next comma, where any value is one of many."""
    example = False
    for place, token in enumerate(said):
        if example:
            yield place
        begins = token.low == "like" or [one.low for one in said[max(place - 1, 0) : place + 1]] in _SUCH_AS
        example = (example or begins) and token.text != ","


def _is_a_value(p: Parse, said: Sequence[Token], place: int) -> bool:
    """A text that occurs, or a truth that some rows have, begins or ends there."""
    word = name_words(said[place].text)
    longer = [word + name_words(after.text) for after in said[place + 1 : place + 2]]
    longer += [name_words(before.text) + word for before in said[max(place - 1, 0) : place]]
    for table in p.schema.tables:
        values = p.schema.values(table)
        if word and any(words in values for words in (word, *longer)):
            return True
        if any(set(word) & set(name_words(column)) for column in p.schema.truths(table)):
            return True
    return False


def _narrows_a_noun(p: Parse, said: Sequence[Token], place: int, again: set[str]) -> bool:
    """Like "foreign" before "customers", where no other word of the rule says which customers are meant."""
    if place == 0 or said[place].kind != "word" or name_words(said[place].text) not in p.schema.nouns:
        return False
    before = said[place - 1]
    return before.kind == "word" and before.low not in FUNCTION_WORDS and before.forms.isdisjoint(again)
