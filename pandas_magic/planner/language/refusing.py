"""The refusal of a sentence that has no reading: its unknown words or where it stops making sense, and what is near."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from pandas_magic.errors import RuleNotUnderstood, quoted_list
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.functions import unknown_functions
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.strict import read_up_to, the_grammar

# A suggestion replaces one word; more alike than this it is likely a typing error.
_ALIKE = 0.75
_MOST_SUGGESTIONS = 2
_LONGEST_TEXT = 3  # words that can be a text of a column
_END_MARKS = " .!?;"

Understood = Callable[[str], bool]


def not_understood(linked: Linked, understood: Understood) -> RuleNotUnderstood:
    """The refusal with its unknown words, or with where the sentence stops making sense.

    `understood` tells whether a whole rule would be, so that no suggestion is one that would be refused as well.
    """
    functions = tuple(unknown_functions(linked))
    if functions:
        return RuleNotUnderstood(linked.rule, f"I know no function {functions[0]}", unknown=functions[:1])
    unknown = [token for token in linked.plain_words() if not _is_known(token)]
    if unknown:
        words = tuple(dict.fromkeys(token.text for token in unknown))
        return RuleNotUnderstood(
            linked.rule,
            f'I don\'t understand {quoted_list(words)} in "{linked.rule.strip()}".',
            unknown=words,
            suggest=lambda: tuple(_corrected(linked, unknown, understood)) or _quoted(linked, unknown[0], understood),
        )
    at = read_up_to(linked)
    rest = linked.text[linked.tokens[at].start :].strip(_END_MARKS) if at < len(linked.tokens) else ""
    return RuleNotUnderstood(
        linked.rule,
        _not_together(linked, at, rest),
        unknown=(rest,) if rest else (),
        suggest=lambda: _quoted(linked, linked.tokens[at], understood) if rest else (),
    )


def _not_together(linked: Linked, at: int, rest: str) -> str:
    """What is said of known words without a reading."""
    known = "I know the words of this rule, but not how they go together"
    if not rest:
        return f"{known}."
    before = linked.said(0, at)
    behind = f'behind "{before}"' if before else "at the beginning"
    return f'{known}: {behind} I don\'t understand "{rest}".'


@cache
def _vocabulary() -> frozenset[str]:
    """Every word that a line of the grammar says."""
    grammar = the_grammar()
    nodes = [*grammar.tries.values(), *grammar.grown.values()]
    found: set[str] = set()
    while nodes:
        node = nodes.pop()
        found.update(word.removeprefix("=") for word in node.words)
        nodes += [*node.words.values(), *node.classes.values(), *node.slots.values()]
    return frozenset(found)


def _is_known(token: RuleToken) -> bool:
    known = _vocabulary()
    return bool(token.forms & known) or token.low in known or all(part in known for part in name_words(token.text))


def _corrected(linked: Linked, unknown: Sequence[RuleToken], understood: Understood) -> Iterator[str]:
    """The rule with its one unknown word replaced by one that is almost the same, where that is understood."""
    if len(unknown) > 1:
        return
    token = unknown[0]
    columns = {column for table in linked.tables.values() for column in table.columns}
    known = sorted({*columns, *linked.tables, *_vocabulary()} - {token.low})
    alike = get_close_matches(token.low, known, n=2 * _MOST_SUGGESTIONS, cutoff=_ALIKE)
    whole = [linked.text[: token.start] + name + linked.text[token.end :] for name in alike]
    yield from [rule for rule in whole if understood(rule)][:_MOST_SUGGESTIONS]


def _quoted(linked: Linked, first: RuleToken, understood: Understood) -> tuple[str, ...]:
    """The rule with the words from this one on as a text in quotes, as it must stand where no row holds it yet."""
    place, text = linked.tokens.index(first), linked.text
    for last in linked.tokens[place : place + _LONGEST_TEXT]:
        quoted = f"{text[: first.start]}'{text[first.start : last.end]}'{text[last.end :]}"
        if last.kind != "word":
            break
        if understood(quoted):
            return (quoted,)
    return ()
