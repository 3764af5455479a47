"""Words of the language and named formats, looked up by the tokens of a rule."""

import re
import tomllib
from functools import cache
from pathlib import Path

from pandas_magic.constraints import FORMATS
from pandas_magic.planner.language.linking.words import Words, base_verb, singular

_PIECE = re.compile(r"[\w'%]+|[^\w\s]+")
LONGEST_PHRASE = 6
HERE = Path(__file__).parent


@cache
def cue_phrases() -> dict[Words, tuple[str, ...]]:
    """The classes of each phrase of cues.toml."""
    found: dict[Words, tuple[str, ...]] = {}
    for cue, phrases in tomllib.loads((HERE / "cues.toml").read_text(encoding="utf-8")).items():
        for phrase in phrases:
            words = tuple(_PIECE.findall(phrase))
            found[words] = tuple(dict.fromkeys((*found.get(words, ()), cue)))
    return found


def cues_of(low: Words) -> tuple[str, ...]:
    """The classes of the words, as they stand or with their verbs in the base form: "exceeds" is "exceed"."""
    phrases = cue_phrases()
    found = phrases.get(low)
    if found is None and all(word.isascii() for word in low):
        found = phrases.get(tuple(base_verb(word) for word in low)) or phrases.get(tuple(map(singular, low)))
    return found or ()


@cache
def words_of_formats() -> dict[str, list[str]]:
    """What people call the named formats, besides their names."""
    return tomllib.loads((HERE / "formats.toml").read_text(encoding="utf-8"))


@cache
def _formats() -> dict[Words, str]:
    found = {tuple(_PIECE.findall(name.lower().replace("-", " "))): name for name in FORMATS}
    for name, phrases in words_of_formats().items():
        found |= {tuple(_PIECE.findall(phrase)): name for phrase in phrases}
    return found


def format_of(low: Words) -> str | None:
    """The named format that the words are: "e mail address" is an email address, "EAN-13" is one."""
    low = tuple(word for word in low if word != "-") if "-" in low[1:-1] else low
    return _formats().get(low) or _formats().get((*low[:-1], singular(low[-1]))) if low else None
