"""The refusal of a sentence that has no reading: its unknown words or where it stops making sense, and what is near."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from pandas_magic.errors import RuleNotUnderstood, quoted_list
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.functions import unknown_functions
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS, name_words
from pandas_magic.planner.language.strict import read_up_to, the_grammar

# A suggestion replaces one word; more alike than this it is likely a typing error.
_ALIKE = 0.75
_MOST_SUGGESTIONS = 2
_LONGEST_TEXT = 3  # words that can be a text of a column
_END_MARKS = " .!?;"
_MEASURING = frozenset(("TOLERANCE", "GE", "LE", "GT", "LT", "BETWEEN"))
_MOST_NAMED = 3  # columns
_NO_READING = "I know the words of this rule, but am not sure how it is meant."

Understood = Callable[[str], bool]


def not_understood(linked: Linked, understood: Understood) -> RuleNotUnderstood:
    """The refusal with its unknown words, or with where the sentence stops making sense.

    `understood` tells whether a whole rule would be, so that no suggestion is one that would be refused as well.
    """
    functions = tuple(unknown_functions(linked))
    if functions:
        return RuleNotUnderstood(linked.rule, f"I know no function {functions[0]}", unknown=functions[:1])
    unknown = [token for token in linked.plain_words() if not is_of_the_language(token)]
    if unknown:
        words = tuple(dict.fromkeys(linked.written(token.start, token.end) for token in unknown))
        return RuleNotUnderstood(
            linked.rule,
            f'I don\'t understand {quoted_list(words)} in "{linked.rule.strip()}".',
            unknown=words,
            suggest=lambda: tuple(_corrected(linked, unknown, understood)) or _quoted(linked, unknown[0], understood),
        )
    at = read_up_to(linked)
    rest = linked.text[linked.tokens[at].start :].strip(_END_MARKS) if at < len(linked.tokens) else ""
    start = _start_of_phrase(linked, at) if rest else 0
    lost = linked.written(linked.tokens[start].start, len(linked.text)).strip(f",:{_END_MARKS}") if start else ""
    return RuleNotUnderstood(
        linked.rule,
        _not_together(linked.written(0, linked.tokens[start - 1].end).rstrip(" ,;:."), lost) if start else _NO_READING,
        unknown=(lost,) if lost else (),
        suggest=lambda: _quoted(linked, linked.tokens[at], understood) if rest else (),
        advice=_how_to_say(linked),
    )


def _start_of_phrase(linked: Linked, at: int) -> int:
    """The first token of the phrase at which the sentence stops making sense: of "give or take 0.01", not "or"."""
    start = at
    for span in reversed([span for span in linked.segments() if span.start <= at]):
        begins = linked.tokens[span.start].low in FUNCTION_WORDS or not _MEASURING.isdisjoint(span.cues)
        if span.end < start or (span.end == start and not begins):
            break
        start = span.start
    return start


def _not_together(before: str, rest: str) -> str:
    """What is said of known words without a reading."""
    return f'I can follow this rule up to "{before}"; how "{rest}" is meant I am not sure.'


def _how_to_say(linked: Linked) -> str:
    """What can be done about a sentence for which nothing is offered."""
    named = [meant.column for span in linked.segments() for meant in span.columns[:1] if meant.tier <= PART]
    known = tuple(dict.fromkeys(named))[:_MOST_NAMED]
    if not known:
        return "Name the column that it is about, and what that must be."
    return f'It names {quoted_list(known)}: say what one of these must be, such as "{known[-1]} must be present".'


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


def is_of_the_language(token: RuleToken) -> bool:
    """Whether a line of the grammar says the word."""
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


def underlined(refusal: RuleNotUnderstood) -> str:
    """The rule with the words that are not explained underlined on the line below; the rule alone when all are."""
    rule = refusal.rule.strip()
    shift = len(refusal.rule) - len(refusal.rule.lstrip())
    marks = [" "] * len(rule)
    for start, end in refusal.unexplained:
        marks[start - shift : end - shift] = "~" * (end - start)
    below = "".join(marks).rstrip()
    return f"{rule}\n{below}" if below and "\n" not in rule else rule
