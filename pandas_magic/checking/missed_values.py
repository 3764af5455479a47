"""Values that a rule passes over: written otherwise than it names them, or in letters that it does not look at."""

from collections.abc import Iterator, Mapping
from itertools import islice

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import Matches
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.constraints.algebra.polarity import is_alike, passing_texts
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes

# What "in lower case" and "in upper case" are read as, and the letters that break them beside those of the pattern.
_WRONG_CASE = {"[^A-Z]*": str.isupper, "[^a-z]*": str.islower}


def missed_value_notes(
    constraint: Constraint | None, frames: Mapping[str, pd.DataFrame], table: Table
) -> tuple[str, ...]:
    """For each text that a rule forbids, or picks rows by: that some rows have what looks the same, and is passed over.

    Where no row has it the rule finds nothing, and a PASS would say that all is well: "must not be 'lost'" of 'LOST'.
    Where the rows of the rule's `table` are not at hand and it is not described as having the text, that is said.
    """
    if not isinstance(constraint, RowRule):
        return ()
    return (*_notes(constraint, frames, table), *_letters_passed_over(constraint, frames))


def unlisted_texts(rule: RowRule, table: Table) -> Iterator[tuple[str, str]]:
    """Each column and text that the rule forbids, or picks rows by, and that the table is not described as having."""
    for column, said in dict.fromkeys(passing_texts(rule)):
        if said not in table.values.get(column, ()):
            yield column, said


def _notes(rule: RowRule, frames: Mapping[str, pd.DataFrame], table: Table) -> Iterator[str]:
    for column, said in unlisted_texts(rule, table):
        if rule.table not in frames:
            yield f"whether a row has {said!r} in {column}, or only what looks the same, was not looked up"
            continue
        values = frames[rule.table][column]
        if (values == said).any():
            continue
        counts = values[values.map(lambda value: isinstance(value, str))].value_counts()
        for text, count in counts.items():
            if count and is_alike(str(text), said):
                yield f"no row has {said!r} in {column}: {count:,} {'has' if count == 1 else 'have'} {text!r}"
    named = dict.fromkeys(passing_texts(rule))
    for column, said in named:
        known = table.values.get(column, ())
        alike = [text for text in known if said in known and is_alike(text, said) and (column, text) not in named]
        if alike:
            others = " or ".join(map(repr, alike))
            yield f"{column} is {others} in other rows, which the rule does not take for {said!r}"


def _letters_passed_over(rule: RowRule, frames: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """For each column that must be in one case: that it has letters beside A to Z in the other, as É is one."""
    for node in nodes(rule.must) if rule.table in frames else ():
        if not isinstance(node, Matches) or not isinstance(node.of, Column) or node.pattern not in _WRONG_CASE:
            continue
        is_wrong = _WRONG_CASE[node.pattern]
        texts = (text for text in frames[rule.table][node.of.name].unique() if isinstance(text, str))
        odd = (text for text in texts if not text.isascii() and any(is_wrong(one) for one in text if one > "z"))
        yield from (f"{node.of.name} has {text!r}: letters beside A to Z are not looked at" for text in islice(odd, 1))
