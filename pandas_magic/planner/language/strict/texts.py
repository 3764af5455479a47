"""Functions of meanings that say what texts are like."""

import re

from pandas_magic.constraints import FORMATS, Column, Compare, Condition, Expression, HasText, Matches, Parses
from pandas_magic.planner.language.strict.expressions import folded
from pandas_magic.planner.language.strict.logic import both, either
from pandas_magic.planner.language.strict.scene import About


def matches(about: About, of: Expression, pattern: str) -> Condition | None:
    """The whole text matches the pattern; one that is anchored on one side alone is open on the other."""
    begins, ends = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    bare = pattern[begins : len(pattern) - ends]
    if begins != ends:
        if "|" in bare:
            return None  # "^a|b" is anchored in its first half alone
        bare = f"{bare}(?s:.*)" if begins else f"(?s:.*){bare}"
    return Matches(of=of, pattern=bare) if about.kind(of) in ("text", "mixed") else None


def shaped(about: About, of: Expression, pattern: str) -> Condition | None:
    """The text is made up like that; a pattern that is one text only is an example of it."""
    return matches(about, of, pattern) if re.search(r"\[|\\d", pattern) else None


def has_format(about: About, of: Expression, name: str) -> Condition | None:
    """The text has the form of that name."""
    if about.kind(of) not in ("text", "mixed"):
        return None
    return Matches(of=of, pattern=FORMATS[name].pattern, format=name)


def has_text(about: About, of: Expression, where: str, text: str) -> Condition | None:
    """The text has this one at its "start", its "end" or "anywhere"."""
    fits = about.kind(of) in ("text", "mixed")
    return HasText(of=of, where=where, text=text) if fits else None


def has_one_text(about: About, of: Expression, where: str, texts: tuple[str, ...]) -> Condition | None:
    """The text has one of these there."""
    parts = [has_text(about, of, where, text) for text in texts]
    return either(*(part for part in parts if part is not None)) if None not in parts else None


def parses(about: About, of: Expression, kind: str) -> Condition | None:
    """The value can be read as that kind."""
    fits = about.kind(of) in ("text", "mixed", "integer", "number")
    return Parses(of=of, type=kind) if fits else None


def whole_within(about: About, of: Expression, limit: Condition) -> Condition | None:
    """The value is a whole number within the limit; of a column of these the limit alone is said."""
    if about.kind(of) == "integer":
        return limit
    parsed = parses(about, of, "integer")
    return both(parsed, limit) if parsed is not None else None


def stripped(about: About, of: Expression) -> Condition | None:
    """The text has no outer spaces."""
    plain = folded(about, of, "space")
    return Compare(relation="==", left=of, right=plain) if plain is not None else None


def own_format(about: About, of: Expression) -> Condition | None:
    """The text has the form that the column is named for."""
    if not isinstance(of, Column):
        return None
    words = of.name.lower().replace("_", " ")
    found = [name for name in FORMATS if name.lower() in (words, f"{words} address") or words in name.lower().split()]
    return has_format(about, of, found[0]) if len(found) == 1 else None
