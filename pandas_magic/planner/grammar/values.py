"""Numbers, lengths of time, points in time, and the values and lists that a rule names."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import (
    Arithmetic,
    Column,
    Expression,
    Lookup,
    Moment,
    Now,
    Span,
    Statistic,
)
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, compiled, position, rule
from pandas_magic.planner.grammar.lexicon import (
    FALSE_WORDS,
    MULTIPLIERS,
    NUMBER_WORDS,
    STATISTICS,
    SUFFIXES,
    TIME_UNITS,
    TRUE_WORDS,
    VOCABULARY,
)
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words

Literal = bool | int | float | str
_LONGEST_VALUE = 5  # words
_FIRST_OF_STATISTICS = frozenset(first for said in STATISTICS for first in compiled(said))


@rule
def number(p: Parse, i: Position) -> Iterator[tuple[Position, int | float]]:
    """A number: 5, -5, 1,000.5, five, twenty five, two hundred, 10k, a dozen."""
    token = p.at(i)
    if token is None:
        p.expected.add("number")
        return
    if token.text in ("-", "−", "+") and (following := p.at(i + 1)) and following.kind == "number":
        if following.start == token.end:
            sign = 1 if token.text == "+" else -1
            yield from ((p.note(i, end, "number"), sign * found) for end, found in _scaled(p, i + 1, following.value))
        return
    if token.kind == "number":
        yield from ((p.note(i, end, "number"), found) for end, found in _scaled(p, i, token.value))
    elif token.kind == "word":
        yield from ((p.note(i, end, "number"), found) for end, found in _spoken_number(p, i))


def _scaled(p: Parse, i: int, found: object) -> Iterator[tuple[int, int | float]]:
    assert isinstance(found, (int, float))
    token = p.at(i + 1)
    scale = MULTIPLIERS.get(token.low) if token else None
    if scale is None:
        yield i + 1, found
    else:
        yield i + 2, found * scale


def _goes_on(total: int, more: int) -> bool:
    """Like "twenty" before "five", "a hundred" before "twenty"."""
    return (total % 10 == 0 and more < 10 <= total) or (total % 100 == 0 and total >= 100)


def _spoken_number(p: Parse, i: Position) -> Iterator[tuple[int, int | float]]:
    token = p.at(i)
    assert token is not None
    if token.low[-1:] in SUFFIXES and token.low[:-1].isdigit():
        yield i + 1, int(token.low[:-1]) * SUFFIXES[token.low[-1]]
    words, end, total = 0, int(i), 0
    while (token := p.at(end)) and token.kind == "word":
        if token.low in NUMBER_WORDS and (words == 0 or _goes_on(total, NUMBER_WORDS[token.low])):
            total += NUMBER_WORDS[token.low]
        elif token.low in MULTIPLIERS and words:
            total *= MULTIPLIERS[token.low]
        elif token.low in ("a", "one") and words == 0 and (after := p.at(end + 1)) and after.low in MULTIPLIERS:
            total = 1
        else:
            break
        words, end = words + 1, end + 1
        joint, rest = p.at(end), p.at(end + 1)
        if token.low == "hundred" and joint and rest and joint.low == "and" and rest.low in NUMBER_WORDS:
            yield end, total  # "between a hundred and twenty thousand"
            end += 1
    if words:
        yield end, total


@rule
def whole(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    """A whole number that is not negative, for counting."""
    for end, found in number(p, i):
        if isinstance(found, int) and found >= 0:
            yield end, found


_FRACTIONS = {"half|one half": 0.5, "a/one quarter|a/one fourth": 0.25, "three quarter/quarters/fourths": 0.75}


@rule
def percentage(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    """A share, 0 to 1: 5 %, 5 percent, five per cent, three quarters (of …)."""
    for end, (found,) in p.seq(i, number, "%|percent|per cent|pct"):
        if 0 <= found <= 100:
            yield p.note(i, end, f"{found} of a hundred"), found / 100
    for said, share in _FRACTIONS.items():
        for end in p.phrase(i, said):
            if (after := p.at(end)) is not None and after.low == "of":
                yield p.note(i, end, f"{share} of the whole"), share


@rule
def span(p: Parse, i: Position) -> Iterator[tuple[Position, Span]]:
    """A length of time: 30 days, a week, 1.5 hours, one year."""
    for middle, amount in [*number(p, i), *((end, 1) for end in p.phrase(i, "a|an|one"))]:
        for unit in TIME_UNITS:
            for end in p.phrase(middle, unit):
                length = Span(amount=amount, unit=TIME_UNITS[unit])
                yield p.note(i, end, f"a length of {amount} {length.unit}"), length


@rule
def moment(p: Parse, i: Position) -> Iterator[tuple[Position, Expression]]:
    """A point in time: a date, today, now, yesterday, 30 days ago, 2 weeks from now."""
    for start in (i, *p.phrase(i, "the date|the day|date|the")):
        token = p.at(start)
        if token and token.kind == "date":
            yield p.note(start, start + 1, f"the date {token.value}"), Moment(iso=str(token.value))
    for end in p.phrase(i, phrases.TODAY):
        yield p.note(i, end, "today, the start of the day of the run"), Now(midnight=True)
    for end in p.phrase(i, phrases.NOW):
        yield p.note(i, end, "now, the time of the run"), Now()
    for word, sign in (("yesterday", "-"), ("tomorrow", "+")):
        for end in p.phrase(i, word):
            yield p.note(i, end, f"the start of {word}"), shifted(Now(midnight=True), sign, Span(amount=1, unit="days"))
    for end, (length,) in () if says_how_long(p, i) else p.seq(i, span, "ago|before now|in the past|before today"):
        yield p.note(i, end, "that long before the run"), shifted(Now(), "-", length)
    for end, (length,) in p.seq(i, span, "from now|in the future|from today|after today|after now|ahead"):
        yield p.note(i, end, "that long after the run"), shifted(Now(), "+", length)


def says_how_long(p: Parse, i: Position) -> bool:
    """Whether the words before say how much: "more than 30 days ago" is further back, not later, than that moment."""
    before = [token.low for token in p.tokens[max(int(i) - 2, 0) : int(i)]]
    return before[-1:] in (["least"], ["most"], ["over"], ["under"]) or before in (
        ["more", "than"],
        ["less", "than"],
        ["fewer", "than"],
    )


def shifted(of: Expression, sign: str, length: Span) -> Expression:
    """The point in time, earlier ("-") or later ("+") by the length."""
    return Arithmetic(sign=sign, left=of, right=length)


def occurring_in(p: Parse, table: str, of: Expression) -> tuple[str, ...]:
    """The texts known to occur in a column, also one of another table that is looked up."""
    if isinstance(of, Lookup):
        return occurring_in(p, of.join.table, of.of)
    return p.schema.occurring(table, of.name) if isinstance(of, Column) else ()


@rule
def literal(p: Parse, i: Position, table: str, of: Expression, bare: bool) -> Iterator[tuple[Position, Literal]]:
    """A value that `of` could have: a number, 'a text', a word that occurs in its column; any word when `bare`."""
    kind = kind_of_expression(p.schema, table, of)
    token = p.at(i)
    if token is None:
        p.expected.update(f"'{text}'" for text in occurring_in(p, table, of))
        return
    if kind in ("integer", "number", "mixed") and not (isinstance(of, Column) and _is_one_of_them(p, i, table, of)):
        yield from number(p, i)
    if kind in ("text", "mixed") and token.kind == "text":
        yield p.note(i, i + 1, f"the text '{token.value}'"), str(token.value)
    if kind == "boolean":
        for words, truth in ((TRUE_WORDS, True), (FALSE_WORDS, False)):
            for end in p.phrase(i, words):
                yield p.note(i, end, f"the truth value {truth}"), truth
    if kind == "text":
        yield from _unquoted(p, i, table, of, bare)


def _is_one_of_them(p: Parse, i: Position, table: str, of: Column) -> bool:
    """Like "one from the accounts table", "one we know": a row, and not the number 1."""
    token, after = p.at(i), p.at(position(int(i) + 1))
    refers = of.name == p.schema.key(table) or any(
        link.column == of.name for link in (*p.schema.links(table), *p.schema.roles(table))
    )
    goes_on = after is not None and after.low in phrases.BEHIND_ONE_OF_THEM
    return token is not None and token.low == "one" and (goes_on or refers)


def _unquoted(p: Parse, i: Position, table: str, of: Expression, bare: bool) -> Iterator[tuple[Position, str]]:
    occurring = occurring_in(p, table, of)
    found = (_known_value(p, start, occurring) for start in (i, *p.phrase(i, "the|a|an")))  # "the box office"
    known = next((one for one in found if one), None)
    if known:
        end, text = known
        yield p.note(i, end, f"the value '{text}', which occurs"), text
        return
    token = p.at(i)
    if token is None or token.low in VOCABULARY or (token.kind == "word" and name_words(token.text) in p.schema.nouns):
        return
    if set(name_words(token.text)) <= p.schema.column_words(table):
        return
    code_like = token.kind == "word" and (token.text[0].isupper() or any(letter.isdigit() for letter in token.text))
    shouted = code_like and (token.text.isupper() or any(letter.isdigit() for letter in token.text))
    if (bare and token.kind in ("word", "number")) or (shouted and len(token.text) > 1):
        end = _end_of_bare(p, i) if bare else i + 1
        text = p.source(i, end)
        yield p.note(i, end, f"the text '{text}'"), text


def _known_value(p: Parse, i: Position, texts: tuple[str, ...]) -> tuple[int, str] | None:
    """The longest text that occurs and stands at `i`: as written when it occurs so, else up to case and joining."""
    for end in range(min(len(p.tokens), i + _LONGEST_VALUE), i, -1):
        source = p.source(i, end)
        if source in texts:
            return end, source
        words = tuple(word for token in p.tokens[i:end] for word in name_words(token.text))
        if not words or any(token.kind not in ("word", "number") for token in p.tokens[i:end]):
            continue
        same = [text for text in texts if name_words(text) == words]
        if len(same) == 1:
            return end, same[0]
    return None


def _end_of_bare(p: Parse, i: Position) -> int:
    """Where an unquoted text ends: one word, or several joined by hyphens. Others need quotes."""
    end = i + 1
    while (
        end < len(p.tokens)
        and p.text[p.tokens[end - 1].end : p.tokens[end].start] in ("-", "")
        and p.tokens[end].kind != "mark"
    ):
        end += 1
    return end


@rule
def literals(
    p: Parse, i: Position, table: str, of: Expression, bare: bool
) -> Iterator[tuple[Position, tuple[Literal, ...]]]:
    """One or more values, parted by commas, "and" or "or": 'a', 'b' or 'c'."""
    for end, first in literal(p, i, table, of, bare):
        yield end, (first,)
        bar = p.at(end)
        barred = (position(end + 1, end.trace),) if bar is not None and bar.text == "|" else ()
        for separator in (*barred, *p.phrase(end, ",|, or|, and|or|and|/|or else|, or else|nor|, nor")):
            for last, others in literals(p, separator, table, of, bare):
                yield last, (first, *others)


@rule
def value_list(
    p: Parse, i: Position, table: str, of: Expression, bare: bool
) -> Iterator[tuple[Position, tuple[Literal, ...]]]:
    """A list of values, with or without brackets around it. A word that is not known to occur stands never alone."""
    alone = {end for end, _ in literal(p, i, table, of, True)} - {end for end, _ in literal(p, i, table, of, False)}
    for end, values in literals(p, i, table, of, bare):
        if end not in alone:
            yield end, values
    for opening, closing in (("(", ")"), ("[", "]"), ("{", "}")):
        for start in p.phrase(i, opening):
            for middle, values in literals(p, start, table, of, True):
                for end in p.phrase(middle, closing):
                    yield end, values


@rule
def statistic_word(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, Statistic]]]:
    """A word for a statistic, and the statistic: "average" is the mean."""
    token = p.at(i)
    if token is not None and token.forms.isdisjoint(_FIRST_OF_STATISTICS):
        return
    for said, name in STATISTICS.items():
        yield from ((end, (said, name)) for end in p.phrase(i, said))
