"""Refusals that help: which words are not understood, what comes nearest, which readings there are."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from itertools import islice

from pandas_magic.constraints import describe
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import RuleNotUnderstood, quoted_list
from pandas_magic.planner.grammar import reasons
from pandas_magic.planner.grammar.chart import Parse
from pandas_magic.planner.grammar.forms import nearest_forms
from pandas_magic.planner.grammar.lexicon import VOCABULARY
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.naming import UNIT_WORDS
from pandas_magic.planner.grammar.phrases import PHRASE_WORDS
from pandas_magic.planner.grammar.schema import SchemaIndex
from pandas_magic.planner.grammar.text_shapes import SHAPE_WORDS
from pandas_magic.planner.grammar.tokens import Token, tokenize

# A suggestion replaces one word; more alike than this it is likely a typing error.
_ALIKE = 0.75
_MOST_SUGGESTIONS = 2
# So many of the nearest forms are tried on the tables at hand; each costs a parse.
_MOST_TRIED = 6
_LONGEST_TEXT = 3  # words that can be a text of a column
_END_MARKS = " .!?;"
# No sentence of the language ends with one of these.
_OPEN_ENDED = frozenset(
    word
    for words in (
        "a an and at be been below between by equal every each exceed for from have has if in into is are least most",
        "must than that the to unless when where which while whose with without should shall of or not no",
        "may can cannot above over under + - * / × = == != <> < > <= >= ≤ ≥ ≠ ± , (",
    )
    for word in words.split()
)


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
        words = tuple(dict.fromkeys(token.text for token in unknown))
        return RuleNotUnderstood(
            rule,
            f'I don\'t understand {quoted_list(words)} in "{rule.strip()}".',
            unknown=words,
            suggest=lambda: (
                _corrected(text, unknown, index, understood)
                or _quoted(text, tokens, tokens.index(unknown[0]), understood)
                or _nearest(text, index, understood)
            ),
        )
    place, rest = _stuck_at(attempts, index)
    before = text[: tokens[place].start].strip() if rest else text.strip()
    why = f"{dropped[0]}." if dropped else _not_together(rule, attempts, before, rest)
    return RuleNotUnderstood(
        rule,
        why,
        unknown=(rest,) if rest else (),
        suggest=lambda: _quoted(text, tokens, place, understood) or _nearest(text, index, understood),
    )


def _not_together(rule: str, attempts: Sequence[Parse], before: str, rest: str) -> str:
    """What is said of known words without a reading."""
    if attempts[0].tokens[-1].low in _OPEN_ENDED and any(attempt.expected for attempt in attempts):
        return f'"{rule.strip()}" is not finished.'
    known = "I know the words of this rule, but not how they go together"
    if not rest:
        return f"{known}."
    behind = f'behind "{before}"' if before else "at the beginning"
    return f'{known}: {behind} I don\'t understand "{rest}".'


def _stuck_at(attempts: Sequence[Parse], index: SchemaIndex) -> tuple[int, str]:
    """The place behind which no reading goes on, and the words from there; "" when all were read."""
    tokens, text = attempts[0].tokens, attempts[0].text
    furthest = max(attempt.furthest for attempt in attempts)
    if furthest >= len(tokens):
        furthest = len(tokens) - 1
        if _is_known(tokens[-1], index.words()):
            return furthest, ""  # a name or value at the end was read; what is wrong stands before it
    return furthest, text[tokens[furthest].start :].strip(_END_MARKS)


def _quoted(text: str, tokens: Sequence[Token], place: int, understood: Callable[[str], bool]) -> tuple[str, ...]:
    """The rule with the words from the place on as a text in quotes, as it must stand where no row holds it yet."""
    for last in tokens[place : place + _LONGEST_TEXT]:
        said = text[tokens[place].start : last.end]
        quoted = f"{text[: tokens[place].start]}'{said}'{text[last.end :]}"
        if last.kind != "word":
            break
        if understood(quoted):
            return (quoted,)
    return ()


def _nearest(text: str, index: SchemaIndex, understood: Callable[[str], bool]) -> tuple[str, ...]:
    """The forms nearest to the text, those first that the tables at hand understand; at most two."""
    forms = nearest_forms(text, at_most=_MOST_TRIED)
    own = (form for form in forms if not _unknown(tokenize(form), index) and understood(form))
    chosen = list(dict.fromkeys((*islice(own, _MOST_SUGGESTIONS), *forms)))[:_MOST_SUGGESTIONS]
    return tuple(f'"{form}"' for form in chosen)


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
