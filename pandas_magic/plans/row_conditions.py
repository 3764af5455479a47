"""The rows that a request is about: the words behind its "where" as a condition, and the code that keeps its rows."""

import re
from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import render_code
from pandas_magic.constraints.algebra.conditions import Condition, Not
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.plans.request_words import RequestWords, stems


def condition_behind_where(
    text: str, words: RequestWords, table: Table, tables: Mapping[str, Table]
) -> Condition | None:
    """The words behind "where", read by the rule compiler; None where there are none.

    Raises: Stuck when they are no condition on rows of `table`.
    """
    if not text:
        return None
    # What the condition itself says is present cannot be missing, and is no rule.
    said = set(stems(text))
    other = next((column for column in table.columns if not said & set(stems(column))), next(iter(table.columns)))
    sentence = f"{table.name} where {text}: {other} must be present"
    try:
        rule = compile_rule(sentence, tables, target=table.name).constraint
    except RuleNotUnderstood as error:
        raise words.stuck(f'behind "where": {error}') from None
    if not isinstance(rule, RowRule) or rule.where is None or rule.table != table.name:
        raise words.stuck(f'"{text}" is no condition on rows of {table.name}')
    return rule.where


def code_that_keeps(condition: Condition, table: str, tables: Mapping[str, Table]) -> str:
    """Code that binds `chosen` to the rows of the table in which the condition is true."""
    # What breaks "not C" are the rows in which C is true; where it is unknown they are left out, as in SQL.
    rule = RowRule(table=table, must=Not(condition=condition))
    return re.sub(r"\bviolations\b", "chosen", render_code(rule, tables))
