"""SQL as the syntax tree that sqlglot makes of it, once nothing stands in it that a row filter cannot hold."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pandas_magic.peers.transfers import CannotRead, unread_from
from pandas_magic.planner.language.doors.sql_syntax import NotSql, SqlNode, sql_condition, sql_words

if TYPE_CHECKING:
    from sqlglot import Token

_LITERALS = frozenset({"STRING", "NUMBER", "IDENTIFIER"})
_PIECE = re.compile(r"[^\W\d]\w*|[-+*=<>(),.]|<=|>=|<>|!=|==|::")
# Words that begin what no rule of ours says, refused where they stand.
_REFUSED = frozenset(
    {"select", "where", "exists", "any", "all", "ilike", "similar", "rlike", "regexp", "interval", "over", "if"}
    | {"current_date", "current_timestamp", "now"}
)
# MySQL runs `/*! … */`, subtracts in `1--1`, and ends a comment at the first `*/` whatever was opened inside.
_BETWEEN_TOKENS = re.compile(r"(?:\s|--(?=\s|$)[^\r\n]*|/\*(?![!+])(?:(?!/\*|\*/).)*\*/)*", re.DOTALL)
# Deeper nesting than this is no filter that a person wrote, and would exhaust the stack.
_DEEPEST = 40


def parse_sql(text: str) -> SqlNode:
    """The tree of the filter, which may still hold nodes that mean nothing here.

    Raises: CannotRead naming the words and their place.
    """
    try:
        _refuse_tokens(text, sql_words(text))
        return sql_condition(text)
    except NotSql as error:
        if error.at is None:
            raise CannotRead(f"{text!r} is not understood: {error}") from error
        raise unread_from(text, error.at) from error


def _refuse_tokens(text: str, tokens: "Sequence[Token]") -> None:
    """Nothing when each token may stand in a filter. Raises: CannotRead at the first that may not."""
    if _depth(tokens) > _DEEPEST:
        raise CannotRead(f"{text[:40]!r}… is nested more than {_DEEPEST} deep")
    end, before = 0, ""
    for token in tokens:
        kind, word = token.token_type.name, token.text.lower()
        read = kind in _LITERALS or (_PIECE.fullmatch(token.text) and word not in _REFUSED)
        if not read or (kind == "NULL" and before not in ("is", "not")):
            raise unread_from(text, token.start)
        if not _BETWEEN_TOKENS.fullmatch(text[end : token.start]):
            raise unread_from(text, end)
        end, before = token.end + 1, word
    if not tokens or not _BETWEEN_TOKENS.fullmatch(text[end:]):
        raise unread_from(text, end)


def _depth(tokens: "Iterable[Token]") -> int:
    """How deep the parentheses go, every negation taken for one more."""
    depth = deepest = negations = 0
    for token in tokens:
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        negations += kind == "NOT"
        deepest = max(deepest, depth)
    return deepest + negations
