"""What the words deny and the rule affirms, or the other way round: "not cancelled", "must be marked as suspicious"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Any_, Compare, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.constraints.algebra.polarity import Leaf, leaves
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.guards.nodes_needed import holds, leaves_elsewhere
from pandas_magic.planner.language.linking import Linked, LinkedSpan, TruthMeant, ValueMeant

_DENIED = re.compile(
    r"(?:\b(?:not|non|never)|n't)[\s-]+(?:(?:yet|been|already|currently|set|marked|flagged|to|as|be)\s+)*['\"]?$"
)
# The same of a whole clause, with names as so many x: "can not still have the status booked".
_FORBIDDEN = re.compile(
    r"\b(?:must|can|may|should|shall|could|do|does) (?:not|never) "
    r"(?:(?:still|ever|have|has|hold|carry|say|show|read|contain|equal|be|the|an?|any|x+) )+['\"]?$"
)
# What turns everything round, or one part of it, so that no single "not" tells on which side something stands.
_TURNS = re.compile(
    r"\b(?:unless|except\w*|excluding|only|other than|but|apart|aside|until|no|none|nothing|nobody|neither|nor|never"
    r"|without|forbidden|prohibited|allowed|cannot|if and only if|exactly|reject|flag|find|list|show|report|alert|catch"
    r"|in\w+ible|invalid|wrong|errors?)\b|\?"
)
_DENIED_OF_BOTH = re.compile(
    r"\bboth\b(?:(?!\b(?:must|should|may|can|shall|will|has|have)\b)[^.;,])*"
    r"\b(?:(?:must|should|may|can|shall|will) (?:not|never)|cannot)\b"
)
# Whoever says none of these denies nothing.
_DENYING = re.compile(
    r"\b(?:not?|non|never|none|nothing|nobody|neither|nor|without|cannot|unless|except\w*|exclu\w+|only|other\w*|else"
    r"|but|apart|aside|until|before|forbid\w*|forbade|prohibit\w*|disallow\w*|ban\w*|refuse\w*|reject\w*|avoid\w*|stop\w*"
    r"|different|differ\w*|rather|instead|outside|free of|zero|missing|empty|blank\w*|null|unset|absent|lack\w*|fails?"
    r"|wrong\w*|errors?|bad|invalid|violat\w+|flag|find|list|show|report|alert|return|get|catch|look|fault\w*|anomal\w+"
    r"|un\w+|in\w+|im\w+|dis\w+|mis\w+|il\w+|ir\w+|exactly|iff)\b|n't|[!?≠~]|<>"
)


def denies_something(linked: Linked) -> bool:
    """Whether a word or a sign may deny what the others say."""
    return bool(_DENYING.search(linked.text.lower()))


def turned_round(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What is denied and taken as it is, and what the rule denies though nothing in the words does."""
    text = linked.text.lower()
    if _DENIED_OF_BOTH.search(text):
        yield "whether each of the two or only both together are forbidden is not said"
    if re.search(r"\bwithout no\b", text):
        yield 'what "without no" denies is not clear'
    sides = [*leaves(constraint), *(leaf for _, leaf in leaves_elsewhere(constraint))]
    if not denies_something(linked):
        yield from (f"nothing in it denies {_said(leaf)}" for leaf in sides if _denies(leaf, constraint))
    if _TURNS.search(text):
        return
    for span in linked.segments():
        told = [leaf for leaf in sides if _is_about(leaf, span)]
        if not told or not all(map(_affirms, told)) or has_ways(constraint):
            continue
        at, in_scope = linked.tokens[span.start].start, any(leaf.is_scope for leaf in told)
        if _DENIED.search(text[:at]) or (not in_scope and _FORBIDDEN.search(linked.without_names[:at])):
            yield f'"not {span.text}": nothing in it leaves these out'


def _affirms(leaf: Leaf) -> bool:
    return leaf.is_positive if leaf.values else _truth(leaf) is True


def _denies(leaf: Leaf, constraint: Constraint) -> bool:
    """Whether the leaf says by itself that something is not so; of ways to meet a demand one may be a condition."""
    if not leaf.is_scope and (has_ways(constraint) or getattr(constraint, "tolerance", None) is not None):
        return False
    if isinstance(leaf.condition, Exists | Present):
        return leaf.negated and not leaf.is_scope
    return bool(leaf.values) and leaf.told_apart is not None and not leaf.is_positive


def _truth(leaf: Leaf) -> bool | None:
    """What the leaf says that a column of truth must be."""
    compare = leaf.condition
    if not (isinstance(compare, Compare) and isinstance(compare.left, Column) and isinstance(compare.right, Value)):
        return None
    value = compare.right.value
    return (value == leaf.is_positive) if isinstance(value, bool) and compare.relation in ("==", "!=") else None


def _is_about(leaf: Leaf, span: LinkedSpan) -> bool:
    values = {meant.value.casefold() for meant in span.of(ValueMeant)}
    if leaf.told_apart is not None and leaf.values:
        return not values.isdisjoint(value.casefold() for value in leaf.values)
    truths = {meant.column for meant in span.of(TruthMeant) if meant.truth}
    return _truth(leaf) is not None and not truths.isdisjoint(leaf.columns)


def has_ways(constraint: Constraint) -> bool:
    """Whether a demand can be met in several ways, of which one may say when it does not apply."""
    return holds(constraint, Any_)


def _said(leaf: Leaf) -> str:
    return " or ".join(sorted(leaf.values)) or f"that {' and '.join(sorted(leaf.columns)) or 'it'} is there"
