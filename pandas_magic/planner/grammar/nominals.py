"""Nouns that are made from verbs by their ending: "matriculation" from matriculate, "enrolment" from enrol.

`morphology.NOMINAL` lists those that no ending explains; a noun made up here that nobody says does no harm, since
names are only looked up by it.
"""

from functools import lru_cache

from pandas_magic.planner.grammar.morphology import NOMINAL, word_forms

# A shorter stem says nothing: "station" does not come from "state".
_SHORTEST_STEM = 4
_ENDINGS = (
    ("ification", ("ify",)),
    ("ication", ("y", "icate")),
    ("ation", ("ate", "e", "")),
    ("ion", ("e", "")),
    ("ment", ("",)),
    ("ance", ("", "e")),
    ("rral", ("r",)),
    ("al", ("", "e")),
)


@lru_cache(maxsize=4096)
def verbs_of(noun: str) -> frozenset[str]:
    """The verbs that the noun can come from: "matriculate" for matriculation."""
    found = {NOMINAL[noun]} if noun in NOMINAL else set()
    for ending, others in _ENDINGS if noun not in NOMINAL else ():
        stem = noun.removesuffix(ending)
        if stem != noun and len(stem) >= _SHORTEST_STEM:
            return frozenset(stem + other for other in others)
    return frozenset(found)


@lru_cache(maxsize=8192)
def nouns_of(word: str) -> tuple[str, ...]:
    """The nouns for what the verb does: "calibration" for calibrate, calibrated."""
    forms = word_forms(word)
    listed = [noun for noun, verb in NOMINAL.items() if noun != word and (verb in forms or word in word_forms(verb))]
    made = [noun for base in sorted(forms - {word}) for noun in _made_from(base) if noun not in NOMINAL]
    return tuple(dict.fromkeys((*listed, *made)))


def _made_from(base: str) -> tuple[str, ...]:
    if base.endswith(("ify", "ply")):
        return (f"{base[:-1]}ication",)
    if base.endswith("er"):
        return (f"{base}ral", f"{base}ment")
    if base.endswith("ate"):
        return (f"{base[:-1]}ion",)
    return (f"{base}ment", f"{base.removesuffix('e')}ation") if len(base) >= _SHORTEST_STEM else ()
