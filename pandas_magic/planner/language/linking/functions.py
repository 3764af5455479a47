"""Functions of a column as code writes them within a sentence: "LOWER(email)", "DATE(read_at)"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Column,
    DatePart,
    Expression,
    Folded,
    ReadAs,
    TextLength,
)
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import DefinedMeant, Linked, TableMeant
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS, names_data

_PARTS = ("date", "year", "quarter", "month", "week", "day", "hour", "minute")
_MAKERS: dict[str, Callable[[Expression], Expression]] = {
    **dict.fromkeys(("abs", "absolute"), lambda of: Absolute(of=of)),
    **dict.fromkeys(("length", "len", "char_length", "character_length"), lambda of: TextLength(of=of)),
    **dict.fromkeys(("lower", "lcase", "upper", "ucase"), lambda of: Folded(of=of, fold="case")),
    **dict.fromkeys(("trim", "strip", "btrim"), lambda of: Folded(of=of, fold="space")),
    **{part: lambda of, part=part: DatePart.model_validate({"part": part, "of": of}) for part in _PARTS},  # type: ignore[misc]
}


@dataclass(frozen=True)
class ColumnCall:
    """Functions round a column, the outermost first: `TRIM(LOWER(email))`; `at` is the column's token."""

    functions: tuple[str, ...]
    at: int

    @property
    def end(self) -> int:
        """The token behind its last parenthesis."""
        return self.at + 1 + len(self.functions)

    def of(self, column: Expression, kind: ValueKind | None) -> Expression | None:
        """What they make of the column; None where a function is not known here."""
        found = column
        for function in reversed(self.functions):
            make = _MAKERS.get(function.lower())
            if make is None:
                return None
            found = make(ReadAs(of=found, type="date") if function.lower() in _PARTS and kind == "text" else found)
        return found


def call_at(tokens: Sequence[RuleToken], start: int) -> ColumnCall | None:
    """The functions that begin at the token, round one word or one name in backticks; None where there are none."""
    functions: list[str] = []
    at = start
    while at + 2 < len(tokens) and tokens[at].kind == "word" and tokens[at + 1].text == "(" and _is_call(tokens, at):
        functions.append(tokens[at].text)
        at += 2
    closing = [token.text for token in tokens[at + 1 : at + 1 + len(functions)]]
    is_name = at < len(tokens) and (tokens[at].kind == "word" or tokens[at].text.startswith("`"))
    return ColumnCall(tuple(functions), at) if functions and is_name and closing == [")"] * len(functions) else None


def _is_call(tokens: Sequence[RuleToken], at: int) -> bool:
    """Whether the word is a function, by its name or as no space follows; in "the date (paid_on)" it is none."""
    said = tokens[at]
    is_known = said.low in reckoning() or (said.text.isupper() and said.low in _MAKERS)
    return is_known or said.end == tokens[at + 1].start


def reckoning() -> frozenset[str]:
    """Words that make another value of one, so that they are no part of what a column is called."""
    return frozenset(names_data()["reckoning"])


def made_at(tokens: Sequence[RuleToken], start: int, names: SchemaNames) -> Iterator[tuple[int, DefinedMeant]]:
    """What the functions that begin at the token make of a column, with the token behind them."""
    call = call_at(tokens, start)
    if call is None:
        return
    for table, column in names.exact.get(tokens[call.at].text.strip("`"), ()):
        made = call.of(Column(name=column), names.tables[table].kind(column))
        if made is not None:
            said = f"{'('.join(call.functions)}({column}{')' * len(call.functions)}"
            yield call.end, DefinedMeant(table, "", said, quantity=made)


def calls(linked: Linked) -> Iterator[ColumnCall]:
    """The functions round a column alone, from left to right; those within others as well."""
    for at in range(len(linked.tokens)):
        call = call_at(linked.tokens, at)
        if call is not None and _is_column(linked, call.at):
            yield call


def unknown_functions(linked: Linked) -> Iterator[str]:
    """The functions of a column of which nothing is known here: FOO(email), ROUND(price, 2).

    A table is none, nor what the language itself says before brackets: "unique(email)".
    """
    for at, token in enumerate(linked.tokens[:-2]):
        if token.low in FUNCTION_WORDS or token.low in names_data()["gathering"]:
            continue
        call = call_at(linked.tokens, at)
        is_adjacent = linked.text[token.end : token.end + 1] == "(" and token.kind == "word"
        if _is_column(linked, call.at) if call is not None else is_adjacent and _is_column(linked, at + 2):
            is_said = any(span.cues or span.of(TableMeant) for span in linked.at(at) if span.end == at + 1)
            if (call is None or token.low not in _MAKERS) and not is_said:
                yield token.text


def _is_column(linked: Linked, at: int) -> bool:
    return linked.tokens[at].text.strip("`") in linked.names.exact
