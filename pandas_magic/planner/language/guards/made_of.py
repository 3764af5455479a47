"""Of what a text is made: how many characters of a kind, which of several texts, a sign within it or it alone."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import HasText, Matches
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.text_shapes import NUMBER_WORDS
from pandas_magic.planner.language.guards.nodes_needed import each, holds, values_told
from pandas_magic.planner.language.linking import Linked

_CHARACTERS = (
    r"(?:[a-z-]+ ){0,2}(?:digits?|letters?|numbers?|numerals?|capitals?|characters?|signs?|symbols?|vowels?|consonants?"
    r"|dash(?:es)?|hyphens?|dots?|periods?|spaces?|blanks?|slash(?:es)?|underscores?|commas?|colons?|words?)\b"
)
_SIGN_NAMED = re.compile(
    r"\b(?:have|has|having|with|contains?|includes?|an?|one) (?:an? |one |some )?"
    r"(?:underscores?|spaces?|blanks?|dash(?:es)?|hyphens?|dots?|periods?|slash(?:es)?|colons?|commas?|hash(?:es)?)\b"
)
_KIND = r"(?:[a-z-]+ )?(?:letters?|digits?|numbers?|capitals?|dash|hyphen|dot|space|special characters?|signs?)"
_SOME = r"(?:an?|one|two|three|some|\d+)"
_AND_ANOTHER = re.compile(
    rf"\b(?:(?:have|has) (?:at least )?(?:an?|one)|(?:contain|include)\w* (?:at least |exactly )?{_SOME}) "
    rf"{_KIND},? and "
    r"(?!then\b|a (?:trailing|leading)\b)(?!.*\b(?:then|followed|order)\b)"
)
_EQUALLED = re.compile(r"\b(?:be|is|are|equals?|equal to)\b(?! (?:in|of|made|built|composed|shaped)\b)|=")
_PATTERNS = re.compile(r"\b(?:regexp?|pattern|match\w*|regular)\b")


def of_other_makeup(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What speaks against what the rule says of the characters in a text."""
    text = linked.text.lower()
    yield from _count_for_text(constraint, text)
    yield from _contained_or_equal(constraint, linked.text)
    if _AND_ANOTHER.search(linked.rule.lower()) and holds(constraint, Matches):
        yield "in which order the characters stand, and whether others may stand there, is not said"
    for node in each(constraint, Matches):
        alone = not node.format and re.fullmatch(r"\\?[^\w\s\\]|[_ ]", node.pattern)
        if alone and _SIGN_NAMED.search(linked.rule.lower()) and not _PATTERNS.search(text):
            yield "whether that sign is the whole text or stands in it is not said"


def _count_for_text(constraint: Constraint, text: str) -> Iterator[str]:
    """Like "end with 3 digits", taken for a text that ends with a 3."""
    for node in each(constraint, HasText):
        said = node.text.lower()
        is_count = said.isdigit() or said in NUMBER_WORDS
        if is_count and re.search(rf"(?<!['\"]){said} {_CHARACTERS}", text):
            yield f"whether {said!r} stands in the text or says how many there are is not said"


def _contained_or_equal(constraint: Constraint, text: str) -> Iterator[str]:
    """Like "contain 'A' and 'B'", taken for a text that contains 'A' and equals 'B'."""
    holding = [*each(constraint, HasText)]
    for of, value in ((of, value) for of, value in values_told(constraint) if isinstance(value, str)):
        for held in holding:
            first, second = (re.search(re.escape(said), text, re.IGNORECASE) for said in (held.text, value))
            behind = [found for found in re.finditer(re.escape(value), text, re.IGNORECASE)]
            ends = [found.start() for found in behind if first and found.start() >= first.end()]
            if held.of == of and first and second and ends and not _EQUALLED.search(text[first.end() : ends[-1]]):
                yield f"whether {value!r} is the whole text or stands in it is not said"
