"""Refusals that help: which words are not understood, what comes nearest, which readings there are."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from pandas_magic.constraints import describe
from pandas_magic.constraints.rules import Constraint
from pandas_magic.errors import RuleNotUnderstood, quoted_list
from pandas_magic.planner.rules import reasons
from pandas_magic.planner.rules.chart import Parse
from pandas_magic.planner.rules.forms import nearest_forms
from pandas_magic.planner.rules.lexicon import VOCABULARY
from pandas_magic.planner.rules.morphology import name_words
from pandas_magic.planner.rules.naming import UNIT_WORDS
from pandas_magic.planner.rules.phrases import PHRASE_WORDS
from pandas_magic.planner.rules.schema import SchemaIndex
from pandas_magic.planner.rules.text_shapes import SHAPE_WORDS
from pandas_magic.planner.rules.tokens import Token

# A suggestion replaces one word; more alike than this it is likely a typing error.
_ALIKE = 0.75
_MOST_SUGGESTIONS = 3


def several_readings(rule: str, readings: Sequence[Constraint]) -> RuleNotUnderstood:
    """The refusal of a rule that can mean different things, with all of them in canonical words."""
    said = tuple(sorted(describe(reading) for reading in readings))
    listed = "; ".join(f"({number}) {one}" for number, one in enumerate(said, 1))
    return RuleNotUnderstood(
        rule, f"the rule can mean {len(said)} different things, write the one that is meant: {listed}", readings=said
    )


def no_reading(
    rule: str, attempts: Sequence[Parse], understood: Callable[[str], bool], index: SchemaIndex
) -> RuleNotUnderstood:
    """The refusal of a rule that has no reading: its unknown words, or where it stops making sense.

    `understood` tells whether a whole rule would be, so that no suggestion is one that would be refused as well.
    """
    tokens, text = attempts[0].tokens, attempts[0].text
    dropped = list(dict.fromkeys(reason for attempt in attempts for reason in attempt.refusals))
    aside = reasons.aside(attempts[0])
    unknown = _unknown([token for place, token in enumerate(tokens) if place not in aside], index)
    if unknown:
        suggestions = _corrected(text, unknown, index, understood) or nearest_forms(text)
        words = tuple(dict.fromkeys(token.text for token in unknown))
        return RuleNotUnderstood(
            rule,
            f'I don\'t understand {quoted_list(words)} in "{rule.strip()}".',
            unknown=words,
            suggestions=suggestions,
        )
    furthest = min(max(attempt.furthest for attempt in attempts), len(tokens) - 1)
    rest = text[tokens[furthest].start :].strip(" .")
    before = text[: tokens[furthest].start].strip() or "the beginning"
    stop = f'behind "{before}" I don\'t understand "{rest}"' if rest else f'"{rule.strip()}" is not finished'
    why = f"{dropped[0]}." if dropped else f"I know the words of this rule, but not how they go together: {stop}."
    return RuleNotUnderstood(rule, why, unknown=(rest,) if rest else (), suggestions=nearest_forms(text))


def _unknown(tokens: Sequence[Token], index: SchemaIndex) -> list[Token]:
    units = frozenset(unit for unit in UNIT_WORDS if len(unit) > 2)
    known = VOCABULARY | PHRASE_WORDS | SHAPE_WORDS | units | index.words()
    return [token for token in tokens if token.kind == "word" and not _is_known(token, known)]


def _is_known(token: Token, known: frozenset[str]) -> bool:
    parts = name_words(token.text)
    return bool(token.forms & known) or all(part in known for part in parts) or any(c.isdigit() for c in token.text)


def _corrected(
    text: str, unknown: Sequence[Token], index: SchemaIndex, understood: Callable[[str], bool]
) -> tuple[str, ...]:
    """The rule with one unknown word replaced by a name or word that is almost the same, where that is understood."""
    if len(unknown) > 1:
        return ()
    token = unknown[0]
    names = sorted({*index.names(), *VOCABULARY, *PHRASE_WORDS} - {token.low})
    alike = get_close_matches(token.low, names, n=2 * _MOST_SUGGESTIONS, cutoff=_ALIKE)
    whole = [text[: token.start] + name + text[token.end :] for name in alike]
    return tuple(rule for rule in whole if understood(rule))[:_MOST_SUGGESTIONS]
