"""Questions: whether what is asked must be so, or must not be."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.linking import Linked

_ASKED = re.compile(r"^\W*(?:is|are|was|were|do|does|did|has|have)\b(?! to\b)")
# "Is every name unique?" wants to hear yes, "Is any name empty?" wants to hear no.
_YES = re.compile(
    r"\b(?:every|each|all|always|everywhere|everyone|everybody|we|free of|at (?:least|most)|or (?:lower|less))\b"
)
_NO = re.compile(r"\b(?:any|ever|anyone|anybody|there)\b")
_DENIED = re.compile(r"\b(?:not|never)\b(?! (?:above|over|below|under|more|less|before|after))")


def question_in_doubt(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "Does the fee exceed the price?", which leaves open what the one who asks hopes for."""
    text = linked.without_names
    asked = "?" in linked.rule and _ASKED.match(text) and not _NO.search(text)
    if asked and (not _YES.search(text) or _DENIED.search(text)):
        yield "the question does not say whether it must be so, or must not"
