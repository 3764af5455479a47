"""Values that a column holds in more than one spelling: a rule that names one of them passes the others' rows over."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Folded, Value
from pandas_magic.constraints.algebra.folding import lower_case
from pandas_magic.constraints.algebra.polarity import Leaf, is_alike, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.guards.nodes_needed import denied_like, leaves_elsewhere, turned
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.abbreviating import shortens

_LONGEST_CODE = 4
# What is demanded of "only paid orders" and "only if it is paid" is a condition all the same.
_ONLY = re.compile(r"\bonly\b(?! be\b(?!.* (?:if|when|where)\b))")


def otherwise_spelt(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like 'paid' of a column that holds 'paid' and 'Paid', or 'DONE' of one that holds 'DONE' and 'D'.

    Where a list says what may stand there, what is spelt otherwise breaks the rule, and is seen.
    """
    for _, of, said, others in _spelt_apart(constraint, linked):
        yield f"{of.name} holds {said!r} and {others[0]!r}"


def in_all_spellings(constraint: Constraint, linked: Linked) -> Constraint | None:
    """The rule about the value in all of its spellings; None where it has but one."""
    told: list[tuple[Condition, Condition]] = []
    for _, of, said, others in _spelt_apart(constraint, linked):
        for leaf in (leaf for _, leaf in _told(constraint) if leaf.told_apart == of and said in leaf.values):
            values = tuple(sorted({*leaf.values, *others}))
            alike = all(is_alike(said, other) for other in others)
            meant = _ignoring_case_and_space(of, values) if alike else OneOf(of=of, values=values)
            told.append((leaf.condition, denied_like(leaf, meant)))
    return turned(constraint, told, linked.tables)


def _ignoring_case_and_space(of: Column, values: tuple[str, ...]) -> Condition:
    stripped = Folded(of=of, fold="space") if any(text != text.strip() for text in values) else of
    folded, forms = Folded(of=stripped, fold="case"), sorted({lower_case(text.strip()) for text in values})
    if len(forms) == 1:
        return Compare(relation="==", left=folded, right=Value(value=forms[0]))
    return OneOf(of=folded, values=tuple(forms))


def _spelt_apart(constraint: Constraint, linked: Linked) -> Iterator[tuple[Leaf, Column, str, list[str]]]:
    """Each leaf with its column, the text that it names, and how the column spells that otherwise."""
    is_scoped = getattr(constraint, "where", None) is not None
    only_some = is_scoped and _ONLY.search(linked.text.lower()) is not None
    for table, leaf in _told(constraint):
        of = leaf.told_apart
        if of is None:
            continue
        known = linked.tables[table].values.get(of.name, ())
        passes = leaf.is_scope or not leaf.is_positive or only_some
        fits = _is_one_of_both if passes else is_alike
        for said in sorted(leaf.values.intersection(known)):
            others = [text for text in known if text not in leaf.values and fits(text, said)]
            is_meant = rf"(['\"]){re.escape(said)}\1" if passes else rf"(?<!\w){re.escape(said)}(?!\w)"
            if others and not re.search(is_meant, linked.text):
                yield leaf, of, said, others


def _told(constraint: Constraint) -> Iterator[tuple[str, Leaf]]:
    """The leaves of the rule, and of which rows it looks for or counts, each with its table."""
    if isinstance(constraint, RowRule):
        yield from ((constraint.table, leaf) for leaf in leaves(constraint))
    yield from leaves_elsewhere(constraint)


def _is_one_of_both(one: str, other: str) -> bool:
    """Whether they differ in capitals and outer spaces alone, or one is a code that shortens the other."""
    return is_alike(one, other) or _is_code_of(one, other) or _is_code_of(other, one)


def _is_code_of(code: str, word: str) -> bool:
    """Like 'D' of 'DONE', 'LDS' of 'Leeds', 'IP' of 'In Progress'."""
    if not (code.isalpha() and code.isupper() and len(code) <= _LONGEST_CODE and len(word) > len(code) + 1):
        return False
    low, full = code.lower(), word.lower()
    initials = "".join(part[0] for part in re.findall(r"[a-z]+", full))
    return full.isascii() and (low in (full[:1], initials) or shortens(low, full, 2))
