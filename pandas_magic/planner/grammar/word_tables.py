"""The words of the language and its named formats, as they stand on its page."""

from pandas_magic.constraints import FORMATS
from pandas_magic.planner.grammar import lexicon
from pandas_magic.planner.grammar.chart import compiled
from pandas_magic.planner.grammar.named_formats import SAID

_MEANINGS = {
    "AT_LEAST": "at least",
    "AT_MOST": "at most",
    "GREATER": "greater",
    "LESS": "less",
    "EQUAL": "equal",
    "UNEQUAL": "different",
    "BEFORE": "before",
    "NOT_AFTER": "not after",
    "AFTER": "after",
    "NOT_BEFORE": "not before",
    "MISSING": "missing",
    "PRESENT": "present",
    "MANDATORY": "mandatory",
    "UNIQUE": "unique",
    "DUPLICATED": "duplicated",
    "POSITIVE": "above zero",
    "NOT_NEGATIVE": "zero or more",
    "MUST": "must",
    "FLAG": "flag rows",
    "BAD": "not allowed",
    "IF": "if",
    "UNLESS": "unless",
}
_SHOWN = 6  # of each meaning's words; the others can be unfolded


def word_tables() -> list[str]:
    """Markdown lines: a table with a few words for each meaning, and one with all of them to unfold."""
    said = {meaning: words_of(getattr(lexicon, name), first=meaning) for name, meaning in _MEANINGS.items()}
    few = [f"| {meaning} | {_listed(words, at_most=_SHOWN)} |" for meaning, words in said.items()]
    every = [f"- {meaning}: {_listed(words)}" for meaning, words in said.items()]
    return [
        *("Each word stands for its inflected forms as well: `exceed` for `exceeds`.", ""),
        *("| meaning | some of the words |", "|---|---|", *few, ""),
        *("<details>", "<summary>All of the words</summary>", "", *every, "", "</details>", ""),
    ]


def words_of(pattern: str, *, first: str = "") -> tuple[str, ...]:
    """Every way to say the pattern as people type it: `first` where it is one, then those of one or two words."""
    found = [
        " ".join((word, *rest)).replace(" / ", "/").replace(" .", ".")
        for alternative in pattern.split("|")
        for word, rests in compiled(alternative).items()
        for rest in rests
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda said: (said != first, len(said.split()) > 2)))


def format_table() -> list[str]:
    """Markdown lines: every format with a name, the words for it and an example."""
    lines = ["| format | words | example |", "|---|---|---|"]
    for name, said in SAID.items():
        words = ", ".join(dict.fromkeys(one.replace(" - ", "-").replace("/", " or ") for one in said.split("|")))
        lines.append(f"| {name} | {words} | `{FORMATS[name].valid[0]}` |")
    return [*lines, ""]


def _listed(words: tuple[str, ...], *, at_most: int | None = None) -> str:
    shown = words[:at_most]
    return ", ".join([*(f"`{word}`" for word in shown), *(["…"] if len(shown) < len(words) else [])])
