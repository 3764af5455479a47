"""Words with which an unfinished rule can go on, and rules told apart in one text."""

import re
from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.strict import words_behind

_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+", re.MULTILINE)
# Behind these words five hundred others may stand, and a dozen do in most rules: so in 1,900 sentences of our tests.
_STATES = ("present", "between", "unique", "one of", "at least", "at most", "greater than", "less than", "positive")
_BE = (*_STATES, "after", "before", "no more than", "not")
_DENIED = ("missing", "before", "after", "negative", "empty", "more than", "greater than", "less than", "among", "in")
_USUAL = {
    **dict.fromkeys(("must", "should"), ("be", "not", "have", "equal", "match", "exist")),
    **dict.fromkeys(("must not", "should not"), ("be", "have", "exceed", "equal", "contain")),
    **dict.fromkeys(("be", "is", "are"), _BE),
    **dict.fromkeys(("not be", "is not", "are not", "be not"), _DENIED),
    "at": ("least", "most"),
}
_LAST_WORDS = re.compile(r"(?:(\w+)\W+)?(\w+)\W*$")


def completions(prefix: str, tables: Mapping[str, Table], *, target: str | None = None) -> tuple[str, ...]:
    """The words with which the unfinished rule can go on: names of tables and columns, values, words of the language.

    A last word that is not followed by a space is taken to be unfinished, and only words that begin so are given.
    Behind "must" and "be" what usually follows comes first, also of two words; then names and values, each group in
    alphabetical order.
    """
    started = re.search(r"[\w.']*$", prefix)
    begun = started.group() if started else ""
    try:
        linked = link(prefix[: len(prefix) - len(begun)], tables, target=target)
    except RuleNotUnderstood:
        return ()
    names, words = words_behind(linked)
    columns = {column.lower() for table in tables.values() for column in table.columns}
    usual = [said for said in _usual_behind(prefix[: len(prefix) - len(begun)], columns) if said.split()[0] in words]
    # What is offered with the word that follows it needs not stand there without.
    words = words - {said.split()[0] for said in usual}
    fitting = sorted(names | words, key=lambda word: (word not in names, word))
    return tuple(
        word for word in dict.fromkeys((*usual, *fitting)) if word.lower().startswith(begun.lower()) and word != begun
    )


def _usual_behind(text: str, columns: set[str]) -> tuple[str, ...]:
    """What mostly follows the last words of the text, in that order; `columns` are names in small letters."""
    last = _LAST_WORDS.search(text.lower())
    if last is None:
        return ()
    behind_word = ("must", "should") if last[2] in columns else _USUAL.get(last[2], ())
    return _USUAL.get(f"{last[1]} {last[2]}", behind_word)


def split_rules(text: str) -> tuple[str, ...]:
    """The rules in a text: one for each line that begins with "- ", else the whole text as one."""
    if not _BULLET.match(text.lstrip("\n")):
        return (" ".join(text.split()),) if text.strip() else ()
    parts = _BULLET.split(text)
    return tuple(" ".join(part.split()) for part in parts if part.strip())
