"""Both, either, neither, not both, respectively: how two things that a rule names must stand together in it."""

import re
from collections.abc import Iterator
from itertools import pairwise

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, Exists, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Column, Group, HowMany, Lookup, Rollup, Value
from pandas_magic.constraints.algebra.polarity import columns_in, flagged, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.planner.language.guards.nodes_needed import each, every_node, holds
from pandas_magic.planner.language.guards.said import NamedPlace, mentions
from pandas_magic.planner.language.linking import Linked

_TOGETHER = re.compile(r"\b(?:both|at the same time|simultaneously|as well as)\b")
_ABSENT = r" (?:be |are |remain |stay )?(?:left )?(?:missing|empty|blank|null|absent|unset)\b"
_BOTH_ABSENT = re.compile(rf"\bboth{_ABSENT}")
_NOT_BOTH = re.compile(
    rf"\b(?:but not both|(?:not|never) both(?!{_ABSENT})|exactly one of|only one of|one or the other but)\b"
)
_EITHER = re.compile(
    r"\beither\b[^,;.]*\bor\b(?!.*\b(?:both|(?:at least|exactly|only|just) one|and/or|never neither)\b)"
)
_NEITHER_TOGETHER = re.compile(
    r"\b(?:not|never|cannot) (?:\w+ )?both\b|\bno \w+ (?:\w+ )?(?:may |can |should )?(?:have |be )?both\b"
)
_TOLD = (
    r"\b(?:above|below|over|under|exceed|(?:more|less|greater|smaller|higher|lower|fewer|larger) than|before|after"
    r"|starts?|begins?|ends?|contains?|match(?:es)?|equals?)\b"
)
# What tells how "and" and "or" are grouped, or makes alternatives of its own.
_GROUPING = re.compile(
    r"[()]|\b(?:either|both|neither|otherwise|else|if|when|unless|only|exactly|at least one|iff|same|none of|one of)\b"
)
_VERB = r"(?: must| should)?(?: be| is| are| has| have| equals?| was|[=<>])"
_CLAUSES = re.compile(rf"\bor (?:if |when )?(?:the )?x+{_VERB}\b[^;.]*\band (?:the )?x+{_VERB}\b")
_MIXED = re.compile(r"(?P<and>,?) and\b[^;.]*?(?P<or>,?) or\b")
_TOLD_GROUPS = re.compile(r"[()]|\b(?:either|both|neither|otherwise|else)\b")
_DENIED_AND = re.compile(
    r"\b(?:not|never|cannot|no \w+(?: \w+)? (?:may|can|should|must))\b(?!,? only\b)"
    r"(?P<one>[^,;:]*?) and (?P<other>[^,;:]*)"
)
# "For Sales and interns" names two groups of rows; "for open and urgent orders" may name one.
_FOR_GROUPS = re.compile(
    r"(?:^|\b(?:for|except|excluding|besides|from|of|in|by|unless|only|than|those|with the exception of)) ?"
    r"(?:the |all |every |each |any )*$"
)
_BEHIND_GROUPS = re.compile(
    r"\W*$|\W*[,;:.]|\s+(?:must|may|can|should|shall|have|has|need|needs|are|is|if|when|unless|in|with)\b"
)


def joined_wrongly(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """What speaks against the way in which the rule joins what the words join."""
    text, named = linked.without_names, list(mentions(linked))
    yield from _denied_together(text)
    if _TOGETHER.search(text):
        yield from _taken_apart(constraint, text, named)
    if isinstance(constraint, RowRule):
        yield from _one_of_two(constraint, text)
        yield from _both_filled(constraint, text)
        if _EITHER.search(text) and _is_of_one_or_both(constraint):
            yield "whether both may be there is not said"
    if re.search(r"\brespectively\b", text) and not _in_pairs(constraint, named):
        yield 'what "respectively" pairs is not paired in it'
    yield from _listed_of_others(constraint, text, named)
    if isinstance(constraint, RowRule):
        yield from _groups_of_rows(constraint, text, named)
        yield from _limited_alone(constraint, text, named)
        yield from _grouped(constraint, text)


def _grouped(constraint: RowRule, text: str) -> Iterator[str]:
    """Like "a or b and c", where it is not said whether c goes with b alone."""
    yield from _clauses_grouped(constraint, text)
    yield from _and_first(constraint, text)
    if _GROUPING.search(text) or not {"and", "or"} <= set(re.findall(r"\w+", text)):
        return
    for condition in (constraint.must, constraint.where):
        parts = condition.conditions if isinstance(condition, All) else ()
        others = [part for part in parts if not isinstance(part, Any_)]
        if others and any(isinstance(part, Any_) and len(columns_in(part)) > 1 for part in parts):
            yield "whether the other demand goes with one of the alternatives, or with all, is not said"


def _clauses_grouped(constraint: RowRule, text: str) -> Iterator[str]:
    """Like "if country is DE, or country is FR and express is true": alternatives of one column, and what goes on."""
    if _CLAUSES.search(text) and not _TOLD_GROUPS.search(text):
        for condition in (constraint.must, constraint.where):
            parts = condition.conditions if isinstance(condition, (All, Any_)) else ()
            if any(isinstance(part, (All, Any_, OneOf)) for part in parts):
                yield "whether what stands behind 'and' goes with the last alternative, or with all, is not said"


def _and_first(constraint: RowRule, text: str) -> Iterator[str]:
    """Like "a and b or c", where c may stand for a as well or for b alone, if no comma says which."""
    mixed = _MIXED.search(text)
    if mixed is None or _TOLD_GROUPS.search(text):
        return
    for condition in _conditions(constraint, text):
        parts = condition.conditions if isinstance(condition, (All, Any_)) else ()
        inner = All if isinstance(condition, Any_) else Any_
        told = mixed["or"] if inner is All else mixed["and"]
        if not told and any(isinstance(part, inner) and len(columns_in(part)) > 1 for part in parts):
            yield "whether what stands behind 'or' goes with all before it, or with the last alone, is not said"


def _conditions(constraint: RowRule, text: str) -> tuple[Condition, ...]:
    """What is joined as the words join it: a demand that holds a condition with it is not."""
    demands = () if _GROUPING.search(text) else (constraint.must, *conjuncts(constraint.must))
    return (*((constraint.where,) if constraint.where is not None else ()), *demands)


def _limited_alone(constraint: RowRule, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "must have a salary and bonus above 100", where the salary may be limited as well."""
    parts = conjuncts(constraint.must)
    there = {part.of.name for part in parts if isinstance(part, Present) and isinstance(part.of, Column)}
    limited = {part.left.name for part in parts if isinstance(part, Compare) and isinstance(part.left, Column)}
    for first, second in pairwise(named):
        joint = re.fullmatch(r" and ", text[first.end : second.start])
        alone = first.columns & there - limited and second.columns & limited - there
        if joint and alone and re.search(r"\b(?:have|has|need|needs|with) (?:an? |the )?$", text[: first.start]):
            yield "whether the limit is for both, and whether both have to be there, is not said"


def _groups_of_rows(constraint: RowRule, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "for Sales and interns", two groups of rows, taken for the interns of Sales alone."""
    told = [leaf for leaf in leaves(constraint) if leaf.told_apart is not None]
    for first, second in _neighbours(named):
        groups = re.fullmatch(r"\W*(?:and|&)(?: (?:the|all|for))?\W*", text[first.end : second.start])
        if not groups or not _FOR_GROUPS.search(text[: first.start]) or not _BEHIND_GROUPS.match(text[second.end :]):
            continue
        one, other = ([leaf for leaf in told if leaf.values & of.values] for of in (first, second))
        if any(a.columns != b.columns and a.is_scope == b.is_scope for a in one for b in other):
            yield "whether rows of either group or only rows of both are meant is not said"


def _denied_together(text: str) -> Iterator[str]:
    """Like "not above 80 and below 20", which forbids both together, each alone, or only the first."""
    for found in _DENIED_AND.finditer(text):
        one, other = found["one"], found["other"]
        again = re.search(r"\b(?:must|may|should|shall|can|has|have|not|no|never|if|when|where|unless)\b", other)
        first = re.search(_TOLD, one) and not re.search(r"\b(?:between|both|either)\b", one)
        told = re.search(_TOLD, other)
        if first and told and not (again and again.start() < told.start()):
            yield "whether each of the two or only both together are forbidden is not said"


def _taken_apart(constraint: Constraint, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "both EUR and USD", read as one list of which a single value is enough."""
    for first, second in _neighbours(named):
        between = text[first.end : second.start]
        joint = re.search(r"\b(and|or)\b", between)
        both = _both_or_both if joint and joint[1] == "or" else _both_and
        if joint is None or not both(text, first, second):
            continue
        for values in _lists(constraint):
            if first.values & values and second.values & values and not _is_coupled(constraint):
                yield "it takes either of the values for both"
                return


def _both_or_both(text: str, first: NamedPlace, second: NamedPlace) -> bool:
    """Like "both DE or both FR"."""
    before = re.search(r"\bboth\b[^,;]*$", text[: first.start])
    return bool(before) and bool(re.search(r"\bboth\b", text[first.end : second.start]))


def _both_and(text: str, first: NamedPlace, second: NamedPlace) -> bool:
    """Like "both EUR and USD", "EUR and USD at the same time"."""
    before = re.search(r"\bboth\b[^,;]*$", text[: first.start])
    return bool(before) or bool(re.search(r"\b(?:at the same time|simultaneously)\b", text[second.end :]))


def _neighbours(named: list[NamedPlace]) -> Iterator[tuple[NamedPlace, NamedPlace]]:
    with_values = [mention for mention in named if mention.values]
    yield from pairwise(with_values)


def _lists(constraint: Constraint) -> Iterator[frozenset[str]]:
    for node in each(constraint, OneOf):
        yield frozenset(value for value in node.values if isinstance(value, str))
    sides = [node.right.value for node in each(constraint, Compare) if isinstance(node.right, Value)]
    singles = [value for value in sides if isinstance(value, str)]
    if len(singles) > 1 and not _is_coupled(constraint):
        yield frozenset(singles)


def _is_coupled(constraint: Constraint) -> bool:
    """Whether two conditions on other rows stand side by side, or columns are compared, or values are counted."""
    related = len([*each(constraint, Exists, Rollup)])
    counted = any(isinstance(node, (Group, Rollup)) and node.statistic == "distinct" for node in every_node(constraint))
    compared = any(isinstance(node.right, (Column, Lookup)) for node in each(constraint, Compare))
    apart = any(isinstance(inner, All) for alternative in each(constraint, Any_) for inner in nodes(alternative))
    return related > 1 or counted or compared or apart


def _one_of_two(constraint: RowRule, text: str) -> Iterator[str]:
    """Of "a or b, but not both", a row with both is at fault, and one with one of them is not."""
    if not _NOT_BOTH.search(text):
        return
    present = {leaf.condition for leaf in leaves(constraint) if isinstance(leaf.condition, (Present, Compare))}
    atoms = {
        atom.model_copy(update={"relation": "=="}) if isinstance(atom, Compare) and atom.relation == "!=" else atom
        for atom in present
    }
    pairs = [(one, other) for one in atoms for other in atoms if one is not other]
    counted = holds(constraint, HowMany)
    if not counted and not any(
        flagged(constraint, frozenset((one, other)))
        and not (flagged(constraint, frozenset((one,))) and flagged(constraint, frozenset((other,))))
        for one, other in pairs
    ):
        yield "it lets both stand together"


def _both_filled(constraint: RowRule, text: str) -> Iterator[str]:
    """Of "a and b must not both be filled", or "be missing", a row with one of them is not at fault."""
    if not _NEITHER_TOGETHER.search(text) or re.search(r"\bbut not both\b", text):
        return
    atoms = [leaf.condition for leaf in leaves(constraint) if isinstance(leaf.condition, Present)]
    if len(set(atoms)) == 2:
        one, other = dict.fromkeys(atoms)
        singly = [flagged(constraint, frozenset((atom,))) for atom in (one, other)]
        alike = frozenset() if _BOTH_ABSENT.search(text) else frozenset((one, other))
        if any(singly) or not flagged(constraint, alike):
            yield "it judges each alone, where the words hold both together"


def _is_of_one_or_both(constraint: RowRule) -> bool:
    """Whether all that it demands is that one of two things is there, or the other, both together or not."""
    must = constraint.must
    counted = must.left.conditions if isinstance(must, Compare) and isinstance(must.left, HowMany) else ()
    atoms = {*(counted or (leaf.condition for leaf in leaves(constraint) if not leaf.is_scope))}
    if len(atoms) != 2 or not all(isinstance(atom, (Present, Compare)) for atom in atoms):
        return False
    ways = (frozenset(), *(frozenset((atom,)) for atom in atoms))
    everywhere = constraint.model_copy(update={"where": None})
    return bool(counted) or [flagged(everywhere, way) for way in ways] == [True, False, False]


def exactly_one(constraint: Constraint, linked: Linked) -> Constraint | None:
    """The rule with exactly one of two things, where "either" stands for one of them or both; None elsewhere."""
    if not isinstance(constraint, RowRule) or not _EITHER.search(linked.without_names):
        return None
    if not isinstance(constraint.must, Any_) or not _is_of_one_or_both(constraint):
        return None
    counted = Compare(relation="==", left=HowMany(conditions=constraint.must.conditions), right=Value(value=1))
    return constraint.model_copy(update={"must": counted})


def _in_pairs(constraint: Constraint, named: list[NamedPlace]) -> bool:
    """Whether the nth column is compared with the nth value, all in the order in which they are named."""
    columns = [next(iter(mention.columns)) for mention in named if len(mention.columns) == 1 and not mention.values]
    compared = {
        (left.name, str(node.right.value))
        for node in each(constraint, Compare)
        if isinstance(left := node.left, Column) and isinstance(node.right, Value)
    }
    values = [value for mention in named for value in mention.values if not mention.columns]
    pairs = set(zip(columns, values, strict=False))
    between = {(node.left, node.right) for node in each(constraint, Compare)}
    return bool(pairs and pairs <= compared) or len(between) > 1


def _listed_of_others(constraint: Constraint, text: str, named: list[NamedPlace]) -> Iterator[str]:
    """Like "must have EUR and USD orders": whether one of them is enough is not for a list to say."""
    related = [node for node in every_node(constraint) if isinstance(node, (Exists, Rollup)) and node.where]
    inside = [node.where for node in related if isinstance(node, Exists) or node.statistic == "count"]
    listed = [
        frozenset(map(str, part.values))
        for where in inside
        if where
        for part in nodes(where)
        if isinstance(part, OneOf)
    ]
    for first, second in _neighbours(named):
        joint = re.fullmatch(r"\W*and\W*", text[first.end : second.start])
        if joint and any(first.values & values and second.values & values for values in listed):
            yield "whether one of the values is enough, or both are meant, is not said"
            return
