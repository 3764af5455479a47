"""A column that a table must have: "a currency column", "the column currency must exist in orders"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.lexicon import RESERVED_VALUES
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.tokens import Token

Names = Iterator[tuple[Position, tuple[str, ...]]]
_COLUMN = "column|field"
_NAMED = "named|called|with the name|by the name of"


def described(p: Parse, i: Position, table: str) -> Names:
    """Like "a currency column", "a column called currency"."""
    for start in p.phrase(i, "a|an|the|some|its own"):
        for middle, name in _name(p, start, table):
            yield from ((end, (name,)) for end in p.phrase(middle, _COLUMN))
        for middle in p.phrase(start, _COLUMN):
            for begin in p.phrase(middle, _NAMED):
                yield from ((end, (name,)) for end, name in _name(p, begin, table))
            token = p.at(middle)
            if token is not None and (token.kind == "text" or "_" in token.text or token.text in _own(p, table)):
                yield from ((end, (name,)) for end, name in _name(p, middle, table))


def _own(p: Parse, table: str) -> tuple[str, ...]:
    return tuple(p.schema.tables[table].columns)


def forbidden(p: Parse, i: Position, table: str) -> Names:
    """Like "There must be no column named password in users", "a column called password must not exist in users"."""
    for start in p.phrase(i, phrases.THERE_IS_NO):
        for middle in p.phrase(start, _COLUMN):
            for begin in p.phrase(middle, _NAMED):
                for after, name in _name(p, begin, table):
                    yield from ((end, (name,)) for end in _in_the_table(p, after, table))
    for middle, said in described(p, i, table):
        for start in p.seq_ends(
            middle, phrases.MUST_NOT, "exist|be present|be there|be contained|be included|be found"
        ):
            yield from ((end, said) for end in _in_the_table(p, start, table))


def existing(p: Parse, i: Position, table: str) -> Names:
    """Like "There must be a currency column in orders", "the column currency must exist in orders"."""
    for start in p.phrase(i, phrases.THERE_IS_FOR_EACH):
        for middle, names in described(p, start, table):
            yield from ((end, names) for end in _in_the_table(p, middle, table))
            if p.target == table:
                yield middle, names
    named = [(e, (n,)) for start in p.phrase(i, f"the {_COLUMN}|{_COLUMN}") for e, n in _name(p, start, table)]
    listed = [
        found for start in p.phrase(i, "the columns|columns|the fields|fields") for found in _names(p, start, table)
    ]
    for start in p.phrase(i, f"the {_COLUMN}"):
        for end in p.seq_ends(position(start + 1), words.MUST, "?always", "exist") if p.at(start) else ():
            there, _, name = p.tokens[start].text.rpartition(".")
            if there == table and name:
                yield p.note(i, end, f'a column named "{name}"'), (name,)
    for middle, said in (*described(p, i, table), *named, *listed):
        for start in p.seq_ends(
            middle, words.MUST, "?always", "exist|be present|be there|be contained|be included|be found"
        ):
            yield from ((end, said) for end in _in_the_table(p, start, table))
            if p.target == table and "exist" in p.tokens[start - 1].forms:
                yield start, said


def _names(p: Parse, i: Position, table: str) -> Names:
    """Like "seat and cabin", "seat, cabin and currency"."""
    token = p.at(i)
    if token is not None and (token.kind == "text" or "_" in token.text or token.text in _own(p, table)):
        end, name = p.note(i, i + 1, f'a column named "{token.value}"'), str(token.value)
        yield end, (name,)
        for middle in p.phrase(end, ",|and|, and"):
            yield from ((last, (name, *others)) for last, others in _names(p, middle, table))


def _in_the_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "in|on"):
        yield from nouns.this_table(p, start, table)


def _name(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, str]]:
    token = p.at(i)
    if token is None or token.kind not in ("word", "text") or (token.kind == "word" and "." in token.text):
        return
    said = i > 0 and any(near.low in ("column", "field", "called", "named") for near in p.tokens[i - 1 : i + 2])
    if not said or not _may_be_a_name(p, token, table):
        return
    yield p.note(i, i + 1, f'a column named "{token.value}"'), str(token.value)


def _may_be_a_name(p: Parse, token: Token, table: str) -> bool:
    """The word does not name a column of another name; whether "currency" is "currency_code" is left open."""
    name = str(token.value)
    others = [column for column in p.schema.called(table, name_words(name)) if column.lower() != name.lower()]
    if others and token.kind == "word":
        p.refuse(f'"{table}" has "{others[0]}"; put the name in quotes if a column named \'{name}\' is meant')
    return token.kind == "text" or (not others and token.low not in RESERVED_VALUES)


def lacking(p: Parse, i: Position, table: str) -> Names:
    """Like "Report it if the orders table has no column currency", "orders may not come without a column currency"."""
    for start in p.seq_ends(i, f"{words.FLAG}|{words.FORBID_THAT}", "?it", "?if|when|whenever|where"):
        for middle in nouns.this_table(p, start, table):
            for begin in p.phrase(
                middle, "have/contain no|lack|lack the|miss|miss the|be missing [the]|do not have/contain [a/the]"
            ):
                yield from _named(p, begin, table)
    for middle in nouns.this_table(p, i, table):
        for begin in p.seq_ends(
            middle,
            "must/may/should/can/shall not/never",
            "be delivered/loaded/stored/sent/imported/used/kept|come|exist|be",
            "without",
        ):
            yield from _named(p, begin, table)


def noted(p: Parse, i: Position, table: str) -> Names:
    """Behind the table's name and a colon: "column currency required to exist", "columns a and b mandatory"."""
    if i == 0 or p.tokens[i - 1].text != ":":
        return
    for middle, said in _named(p, i, table):
        for end in p.phrase(
            middle, "required to exist|required|mandatory|must exist|has to exist|needed|obligatory|expected"
        ):
            yield end, said


def _named(p: Parse, i: Position, table: str) -> Names:
    """Like "a column currency", "column currency", "a currency column"."""
    yield from described(p, i, table)
    for start in p.phrase(
        i, "[a/the/any] column/field|[a/the/any] column/field named/called|[a/the/any] column/field with the name"
    ):
        yield from ((end, (name,)) for end, name in _name(p, start, table))
