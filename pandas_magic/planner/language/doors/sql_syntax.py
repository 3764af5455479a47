"""SQL as the tree that sqlglot makes of it; the one place that loads sqlglot."""

from functools import cache
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from sqlglot import Token
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.expressions import Expr

SqlNode: TypeAlias = "Expr"


class NotSql(Exception):
    """The text is no SQL condition. `at` is where it stops being one; None: it cannot even be cut into words."""

    def __init__(self, message: str, at: int | None) -> None:
        self.at = at
        super().__init__(message)


@cache
def any_database() -> "Dialect":
    """SQL as the standard has it, with names quoted as any database quotes them."""
    from sqlglot import parser, tokens
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.dialects.postgres import Postgres

    class AnyDatabase(Dialect):
        class Tokenizer(tokens.Tokenizer):
            IDENTIFIERS: ClassVar = ['"', "`", ("[", "]")]
            KEYWORDS: ClassVar = {**tokens.Tokenizer.KEYWORDS, "~*": Postgres.Tokenizer.KEYWORDS["~*"]}
            COMMANDS: ClassVar = set()  # a column may be called "show"
            SINGLE_TOKENS: ClassVar = tokens.Tokenizer.SINGLE_TOKENS | {"~": tokens.Tokenizer.KEYWORDS["RLIKE"]}

        class Parser(parser.Parser):
            NESTED_TYPE_TOKENS: ClassVar = set()  # and "range", which "<" makes no type
            NO_PAREN_FUNCTION_PARSERS: ClassVar = {  # "if" is no function here, nor a command to be warned of
                word: read for word, read in parser.Parser.NO_PAREN_FUNCTION_PARSERS.items() if word != "IF"
            }

    return AnyDatabase()


def sql_words(text: str) -> "list[Token]":
    """The words of the text. Raises: NotSql."""
    from sqlglot.errors import TokenError

    try:
        return any_database().tokenize(text)
    except TokenError as error:
        raise NotSql(str(error.__cause__ or error), None) from error


def sql_condition(text: str) -> SqlNode:
    """The tree of a condition, which may hold nodes that mean nothing here. Raises: NotSql."""
    from sqlglot import exp

    return _parsed(text, exp.Condition)


def sql_statement(text: str) -> SqlNode:
    """The tree of a whole statement, such as a query. Raises: NotSql."""
    return _parsed(text, None)


def _parsed(text: str, into: "type[SqlNode] | None") -> SqlNode:
    from sqlglot.errors import ParseError

    words, database = sql_words(text), any_database()
    try:
        trees = database.parse_into(into, text) if into is not None else database.parse(text)
        tree = trees[0] if len(trees) == 1 else None
    except ParseError as error:
        last = error.errors[0] if error.errors else {}
        starts = (word.start for word in words if (word.line, word.col) == (last.get("line"), last.get("col")))
        raise NotSql(str(error), next(starts, len(text))) from error
    if tree is None:
        raise NotSql("there is not one condition", 0)
    return tree
