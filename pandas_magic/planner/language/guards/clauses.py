"""Clauses: of which demands a condition is said, what is a condition and no demand, and what is unique together."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Any_, Exists, Unique
from pandas_magic.constraints.algebra.expressions import Group, Rollup
from pandas_magic.constraints.algebra.polarity import columns_in, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.planner.language.guards.nodes_needed import holds
from pandas_magic.planner.language.guards.said import NamedPlace, mentions
from pandas_magic.planner.language.linking import Linked, TableMeant

_MODAL = re.compile(r"\b(?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|may|can|cannot)\b")
_CONDITION = re.compile(r"\b(?:if|when|whenever|where|unless|in case|provided)\b")
_LEADING = re.compile(r"\W*(?:if|when|whenever|where|once|unless|in case|provided|for|in|among|of)\b")
_SECOND = re.compile(r"(?:;|\.(?=\s)|(?P<and>,? and\b))\s*(?P<said>[^;.]*\w)")
# What says of which rows the second clause is, or that it is of the others.
_OF_ITS_OWN = re.compile(
    r"\b(?:if|when|whenever|where|once|unless|in case|provided|otherwise|else|only|all|every|each|any|no|other\w*)\b"
)
_OF_THEM = re.compile(r"(?:they|it|its|their|these|those|this|such)\b")
# "Users in DE or US who are active".
_OF_THE_LAST = re.compile(r"\bor x+ (?:who|that|which|whose)\b")
_HAD = re.compile(r"\b(?:must|should|shall|ha(?:s|ve) to|needs? to) have (?!only\b|no\b)[\w-]*(?: [\w-]+)? $")
_REPEATING = re.compile(r"\b(?:unique\w*|distinct|duplicates?d?|repeat(?:s|ed)?|reused|recurs?|once|twice|no two)\b")
# "For each status" and "each customer and country" do not say it.
_EACH = re.compile(
    r"(?<!\bfor )(?<!\bin )\beach\b(?! x)"
    r"|\b(?:both|either|neither|n?or(?! missing)|alone|individually|separately|respectively|themselves|itself|any)\b"
)


def clauses_mixed(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What the clauses leave open: where a condition ends, and what is demanded of one thing or of several."""
    if isinstance(constraint, RowRule):
        text, named = linked.without_names, list(mentions(linked))
        yield from _condition_demanded(constraint, text, named)
        yield from _carried_on(constraint, text, named)
        yield from _each_or_together(constraint, text)
        yield from _having_rows(constraint, linked)
        if _OF_THE_LAST.search(text):
            yield "whether what follows the list is said of all of it, or of the last alone, is not said"


def _condition_demanded(rule: RowRule, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "price must be present if gift is 1 and express is true, or qty is 3", where none of these is demanded."""
    modals, parts = list(_MODAL.finditer(text)), conjuncts(rule.must)
    begun = _CONDITION.search(text, modals[0].end()) if len(modals) == 1 and len(parts) > 1 else None
    if begun is None:
        return
    before = frozenset(name for mention in named if mention.start < begun.start() for name in mention.columns)
    for part in parts:
        if before and columns_in(part) and before.isdisjoint(columns_in(part)):
            yield f'whether "{condition_words(part)}" is demanded, or part of the condition, is not said'


def _carried_on(rule: RowRule, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "if express, price must be present; gift must be 0", where the gift may be of all rows or of those."""
    parts, modal = conjuncts(rule.must), _MODAL.search(text)
    second = _SECOND.search(text, modal.end()) if modal is not None and len(parts) > 1 else None
    if modal is None or second is None or _OF_ITS_OWN.search(second["said"]) or not _MODAL.search(second["said"]):
        return
    leading = [mention for mention in named if mention.start < modal.start()]
    opposed = [leaf for leaf in leaves(rule) if not leaf.is_positive and leaf.told_apart is not None]
    narrowed = any(leaf.columns & one.columns or leaf.values & one.values for leaf in opposed for one in leading)
    some = [isinstance(part, Any_) for part in parts]
    of_all = any(some) and not all(some) and (narrowed or _LEADING.match(text))
    if of_all or (rule.where is not None and not second["and"] and not _OF_THEM.match(second["said"])):
        yield "whether the second demand is of all rows, or of those of the first, is not said"


def _each_or_together(rule: RowRule, text: str) -> Iterator[str]:
    """Like "customer and country must be unique", said of the pair or of each by itself."""
    alone = [part for part in conjuncts(rule.must) if any(isinstance(node, Unique) for node in nodes(part))]
    if len(alone) > max(1, len(_REPEATING.findall(text))) and not _EACH.search(text):
        yield "whether each is unique by itself, or only all of them together, is not said"


def _having_rows(rule: RowRule, linked: Linked) -> Iterator[str]:
    """Like "Ann must have express orders", of which all, or at least one, may have to be so."""
    if holds(rule, Exists, Group, Rollup, Unique):
        return
    text, end = linked.text.lower(), len(linked.tokens) - linked.text.rstrip().endswith((".", "!"))
    for span in linked.segments():
        is_own = TableMeant(rule.table) in span.meanings and not span.columns
        if is_own and span.end == end and _HAD.search(text[: linked.tokens[span.start].start]):
            yield f"whether all {span.text} of these or only some are so is not said"
