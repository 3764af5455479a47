"""What a sentence says but for words that name nothing, or only hint at a column: "two hotels of the group"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.guards import grave_objections
from pandas_magic.planner.language.linking import Linked, link
from pandas_magic.planner.language.linking.functions import unknown_functions
from pandas_magic.planner.language.refusing import is_of_the_language
from pandas_magic.planner.language.strict import read_by_content, read_strictly, read_widely

_JOINTS = frozenset(("of", "for", "on", "in", "at", "from", "by", "to", "with", "within", "during"))
_DETERMINERS = frozenset(("a", "an", "the", "any", "each", "every", "its", "their", "our", "that", "this", "all"))
# Of a sentence that names so little more than nothing, what is left says something else.
_MOST_WORDS = 4


def nearest(linked: Linked, locale: str) -> tuple[list[Constraint], tuple[str, ...]]:
    """What the sentence may say, the least far-fetched first, and why it is to be asked about; nothing to ask: empty.

    First without the words that name nothing, then where words hint at columns.
    """
    over = without_unknown_words(linked)
    said, words = over if over is not None else (linked.rule, ())
    there = link(said, linked.tables, target=linked.target, locale=locale) if words else linked
    for read in (read_strictly, read_widely) if words else (read_widely,):
        found = read(there) or read_by_content(there, locale=locale, read=read)
        meant = [one.constraint for one in found if not grave_objections(one.constraint, there)]
        if meant:
            return meant, tuple(f'"{word}" names nothing' for word in words) or ("its words only hint at that",)
    return [], ()


def without_unknown_words(linked: Linked) -> tuple[str, tuple[str, ...]] | None:
    """The sentence without the words that name nothing, with what joins them to the rest; and these as they stand.

    None where there are none, or too many.
    """
    unknown = {linked.tokens.index(token) for token in linked.plain_words() if not is_of_the_language(token)}
    in_units = any(at and linked.tokens[at - 1].kind == "number" for at in unknown)
    if not 0 < len(unknown) <= _MOST_WORDS or in_units or any(unknown_functions(linked)):
        return None
    left = sorted(_with_joints(linked, unknown))
    kept, behind = "", 0
    for at in left:
        kept, behind = kept + linked.text[behind : linked.tokens[at].start], linked.tokens[at].end
    said = " ".join((kept + linked.text[behind:]).split())
    told = tuple(linked.written(linked.tokens[at].start, linked.tokens[at].end) for at in sorted(unknown))
    return (said, told) if said else None


def _with_joints(linked: Linked, unknown: set[int]) -> Iterator[int]:
    """The places of the words, and of "of the" before those that nothing known follows."""
    for at in unknown:
        yield at
        start = at
        while start and (start - 1 in unknown or linked.tokens[start - 1].low in _DETERMINERS):
            start -= 1
        if start and linked.tokens[start - 1].low in _JOINTS and not _is_named(linked, at + 1, unknown):
            yield from range(start - 1, at)


def _is_named(linked: Linked, at: int, unknown: set[int]) -> bool:
    """Whether a name follows there, so that the words before it only tell more of it."""
    while at in unknown:
        at += 1
    return any(span.is_mention for span in linked.at(at)) and linked.tokens[at].kind != "mark"
