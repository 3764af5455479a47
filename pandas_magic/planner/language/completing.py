"""Words with which an unfinished rule can go on, and rules told apart in one text."""

import re
from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.strict import words_behind

_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+", re.MULTILINE)
# Behind these words five hundred others may stand, and a dozen do in most of the rules that people write.
_ASKING = {"must", "should", "be", "is", "are", "not"}
_USUAL = (
    "be",
    "not",
    "present",
    "between",
    "unique",
    "one",
    "at",
    "greater",
    "less",
    "positive",
    "match",
    "after",
    "before",
)


def completions(prefix: str, tables: Mapping[str, Table], *, target: str | None = None) -> tuple[str, ...]:
    """The words with which the unfinished rule can go on: names of tables and columns, values, words of the language.

    A last word that is not followed by a space is taken to be unfinished, and only words that begin so are given.
    Behind "must" and "be" the words that usually follow come first; then names and values, each group in alphabetical
    order.
    """
    started = re.search(r"[\w.']*$", prefix)
    begun = started.group() if started else ""
    try:
        linked = link(prefix[: len(prefix) - len(begun)], tables, target=target)
    except RuleNotUnderstood:
        return ()
    names, words = words_behind(linked)
    fitting = {word for word in names | words if word.lower().startswith(begun.lower()) and word != begun}
    before = re.search(r"(\w+)\W*$", prefix[: len(prefix) - len(begun)])
    asking = before[1].lower() if before and before[1].lower() in _ASKING else ""
    ranks = {word: rank for rank, word in enumerate(_USUAL) if asking and word != asking}
    return tuple(sorted(fitting, key=lambda word: (ranks.get(word, len(_USUAL)), word not in names, word)))


def split_rules(text: str) -> tuple[str, ...]:
    """The rules in a text: one for each line that begins with "- ", else the whole text as one."""
    if not _BULLET.match(text.lstrip("\n")):
        return (" ".join(text.split()),) if text.strip() else ()
    parts = _BULLET.split(text)
    return tuple(" ".join(part.split()) for part in parts if part.strip())
