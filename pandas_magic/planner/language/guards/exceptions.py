"""Only, unless, except: of which rows a rule speaks, and which it leaves alone."""

import re
from collections.abc import Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare, OneOf
from pandas_magic.constraints.algebra.polarity import Leaf, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.guards.said import NamedPlace, mentions, sentences_end
from pandas_magic.planner.language.linking import Linked, TableMeant

_ONLY = re.compile(
    r"\b(?:only|solely|exclusively|nothing but|nobody but|none but)\b(?! (?:once|one|digits|letters|if))"
)
_ONLY_IF = re.compile(r"\bonly (?:(?:\w+ ){0,4}(?:if|when|where|for)|with|in|on)\b")
_MODAL = re.compile(r"\b(?:may|can|must|should|shall|have|has|get|gets|are|is|need|needs|be)\b")
_UNLESS = re.compile(
    r"\b(?:unless|except(?: for| if| when| where)?|excluding|apart from|other than|aside from|save for"
    r"|with the exception of)\b"
)
# What follows is said of all the others again.
_BEHIND = re.compile(r"\b(?:on|with|for|must|may|should|shall|have|has|need|needs)\b")
_NARROWING = frozenset(
    ("under", "with", "without", "in", "for", "from", "on", "of", "at", "by", "that", "which", "who", "whose", "made")
)
_DEMANDING = re.compile(r"\b(?:must|should|shall|may|can|cannot|has to|have to|needs? to) ")
_ARTICLES = frozenset(("the", "a", "an", "every", "each", "all", "any", "no", "our"))
# A reason, and then a rule about what the reason speaks of.
_PREMISE = re.compile(
    r"(?:(?:because|since|as) (?P<since>[^,;]+),|(?P<premise>[^,;]+)[,;]? (?:so|therefore|hence|thus)\b).*?"
    r"\b(?P<theirs>their|its|they|it|them|these|those)\b",
    re.IGNORECASE,
)
# "Positive, or missing for interns": behind the comma stands an exception, and of which rows it is one.
_ALTERNATIVE = re.compile(
    r"(?:,\s*or|\bor else)\b (?!(?:in|if|when|where)\b)(?P<alone>[^,;:]*?)\s"
    r"\b(?:for|if|when|whenever|where|in case|once|with|unless|except)\b"
)
_DEMANDED = re.compile(r"\b(?:must|should|shall|has to|have to|needs? to|is|are|be)\b|:")
# A reason that tells of a state may be what chooses the rows.
_REASON = re.compile(r"\b(?:because|since|as)\b(?! (?:long|soon|far|well|of|from|a|an)\b)(?P<told>[^,;]*)")
_STATE = re.compile(
    r"^ (?:is|are|was|were|has been|have been|equals?)(?: not| already| still)?"
    r" (?:set|present|filled|given|known|missing|empty|null|open|-?[\d.]|true|false|low|high"
    r"|positive|negative|zero|x{2,}|below|above|over|under|at least|at most|more|less|greater|equal"
    r"|in the (?:past|future)|before|after|earlier|later|older|newer)"
)
_NEGATION = re.compile(r"\b(?:not|no|never|without|non)\b")


def exceptions_ignored(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the rule makes of the rows that "only", "unless" and "except" set apart."""
    if not isinstance(constraint, RowRule):
        return
    text, named, found = linked.without_names, list(mentions(linked)), list(leaves(constraint))
    for cue in (*_ONLY_IF.finditer(text), *_ONLY.finditer(text)):
        alone = _named_after(cue.end(), _end_of_only(text, cue), named)
        denied = bool(alone and _NEGATION.search(text[cue.end() : alone[0].start]))
        if alone and _scope(alone, found, is_positive=not denied):
            yield f'"{cue[0]}" speaks of the other rows, which it does not judge'
    for cue in _UNLESS.finditer(text):
        end = sentences_end(text, cue.end())
        behind = _BEHIND.search(text, cue.end(), end) if cue[0] != "unless" else None
        apart = _named_after(cue.end(), behind.start() if behind else end, named)
        if not apart or _NEGATION.search(text[cue.end() : end]):
            continue
        if _scope(apart, found):
            yield f'it judges just the rows that "{cue[0]}" leaves out'
        elif not any(_is_about(leaf, mention) for leaf in found for mention in apart):
            yield f'nothing in it stands for what follows "{cue[0]}"'


def rows_narrowed(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What is said of some rows by a clause that is set aside, or by a word that is taken for the demand instead.

    "Repairs under warranty are free, so their amount is zero" speaks of some repairs alone.
    """
    yield from _alternatives_scoped(constraint, linked)
    yield from _turned_round(constraint, linked)
    yield from _reason_as_scope(constraint, linked)
    found = _PREMISE.match(linked.text)
    if found is None or not isinstance(constraint, RowRule) or constraint.where is not None:
        return
    begin = max(found.start("since"), found.start("premise"))
    segments = [one for one in linked.segments() if linked.tokens[one.start].start >= begin]
    named = next((at for at, one in enumerate(segments) if one.text.lower() not in _ARTICLES), 0)
    tables = [meant.table for meant in segments[named].meanings if isinstance(meant, TableMeant)]
    if constraint.table not in tables or segments[named + 1].text.lower() in _NARROWING:
        yield f'whether "{found["theirs"]}" means all {constraint.table} or only some is not said'


def _alternatives_scoped(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What "X, or Y for Z" makes of Z: of which rows Y is said, and not of which rows the whole."""
    if not isinstance(constraint, RowRule) or constraint.where is None:
        return
    found = _ALTERNATIVE.search(linked.text.lower())
    if found is None or not _DEMANDED.search(linked.text.lower(), 0, found.start()) or _is_listed(found, constraint):
        return
    named = _named_after(found.end(), sentences_end(linked.text, found.end()), list(mentions(linked)))
    if _scope(named, list(leaves(constraint))) or not named:
        yield f'whether all or only "{found["alone"].strip()}" is said of some rows is not clear'


def _is_listed(found: re.Match[str], constraint: RowRule) -> bool:
    """Whether the comma is the last one of a list, as in "open, paid, or void if it is old"."""
    lists = [leaf.condition for leaf in leaves(constraint) if isinstance(leaf.condition, OneOf)]
    values = {str(value).lower() for one in lists for value in one.values}
    return "," in found.string[: found.start()] and found["alone"].strip(" '\"") in values


def _turned_round(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "leases that have ended must be ended", where one word is a state and the other a date."""
    text, found = linked.text.lower(), list(leaves(constraint))
    modal = _DEMANDING.search(text)
    for mention in mentions(linked) if modal else ():
        said = text[mention.start : mention.end]
        twice = (
            modal is not None
            and mention.start > modal.end()
            and re.search(rf"\b{re.escape(said)}\b", text[: modal.start()])
        )
        sides = {leaf.is_scope for leaf in found if leaf.values & mention.values}
        if twice and sides == {True}:
            yield f'"{said}" is said of its rows and of what they must be, and stands for two things in it'


def _reason_as_scope(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """A reason that tells what a column holds: "active must be 0 because the exit date is set"."""
    found = list(_REASON.finditer(linked.text.lower()))  # a column may be called "since"
    if not found:
        return
    text, read = linked.without_names, reads(constraint).get(constraint.table, ())
    passed_over = [name for name in mentions(linked) if name.columns and name.columns.isdisjoint(read)]
    for reason in found:
        for name in _named_after(reason.start("told"), reason.end(), passed_over):
            if _STATE.match(re.sub(r"^ (date|time|day)\b", "", text[name.end :])):
                said = linked.text[reason.start() : reason.end()]
                yield f'whether "{said}" says of which rows it must hold is not clear'


def _end_of_only(text: str, cue: re.Match[str]) -> int:
    end = sentences_end(text, cue.end())
    modal = None if cue.re is _ONLY_IF else _MODAL.search(text, cue.end(), end)
    return modal.start() if modal else end


def _named_after(start: int, end: int, named: list[NamedPlace]) -> list[NamedPlace]:
    return [mention for mention in named if start <= mention.start < end]


def _scope(named: list[NamedPlace], found: list[Leaf], *, is_positive: bool = True) -> bool:
    """Whether what is named chooses the rows that are judged, as it is named and not its opposite."""
    # "unless it is below 10" is a scope from 10 on: which side of a limit is meant, other guards see.
    chosen = [leaf for leaf in found if leaf.is_scope and leaf.is_positive == is_positive and not _is_a_limit(leaf)]
    return any(_is_about(leaf, mention) for leaf in chosen for mention in named)


def _is_a_limit(leaf: Leaf) -> bool:
    return isinstance(leaf.condition, Compare) and leaf.condition.relation not in ("==", "!=")


def _is_about(leaf: Leaf, mention: NamedPlace) -> bool:
    return bool(mention.values & leaf.values) if mention.values else bool(mention.columns & leaf.columns)
