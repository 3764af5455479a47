"""SQL as the syntax tree that sqlglot makes of it, once nothing stands in it that a row filter cannot hold."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pandas_magic.errors import UsageMistake
from pandas_magic.peers.transfers import CannotRead, unread_from

if TYPE_CHECKING:
    from sqlglot import Token
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.expressions import Expr

Node: TypeAlias = "Expr"

_NO_SQLGLOT = "reading the SQL of a row filter needs a package that is missing: pip install 'pandas-magic[peers]'"
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


def parse_sql(text: str) -> Node:
    """The tree of the filter, which may still hold nodes that mean nothing here.

    Raises: CannotRead naming the words and their place; UsageMistake when sqlglot is not installed.
    """
    dialect = _dialect()
    from sqlglot import exp
    from sqlglot.errors import ParseError, TokenError

    try:
        tokens = dialect.tokenize(text)
        _refuse_tokens(text, tokens)
        tree = next(iter(dialect.parse_into(exp.Condition, text)), None)
    except TokenError as error:
        raise CannotRead(f"{text!r} is not understood: {error.__cause__ or error}") from error
    except ParseError as error:
        last = error.errors[0] if error.errors else {}
        starts = (token.start for token in tokens if (token.line, token.col) == (last.get("line"), last.get("col")))
        raise unread_from(text, next(starts, len(text))) from error
    if tree is None:
        raise unread_from(text, 0)
    return tree


def _dialect() -> "Dialect":
    try:
        from sqlglot import parser, tokens
        from sqlglot.dialects.dialect import Dialect
    except ImportError as error:
        raise UsageMistake(_NO_SQLGLOT) from error

    class AnyDatabase(Dialect):
        """SQL as the standard has it, with names quoted as any database quotes them."""

        class Tokenizer(tokens.Tokenizer):
            IDENTIFIERS: ClassVar = ['"', "`", ("[", "]")]
            COMMANDS: ClassVar = set()  # a column may be called "show"

        class Parser(parser.Parser):
            NESTED_TYPE_TOKENS: ClassVar = set()  # and "range", which "<" makes no type

    return AnyDatabase()


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
