"""A rule that the words could mean, of atoms joined, and how it is said."""

from typing import NamedTuple

from pandas_magic.planner.language.loose.atoms import Scored
from pandas_magic.planner.language.loose.nodes import Node, conjuncts


class Candidate(NamedTuple):
    """A rule that the words could mean.

    `mode` says how its parts are joined, `limit_at` which mention is a tolerance; `key` is the rule as one text.
    """

    rule: Node
    key: str
    where: tuple[Scored, ...]
    must: tuple[Scored, ...]
    mode: str
    limit_at: int | None = None

    @property
    def places(self) -> list[int]:
        """The mentions that it rests on."""
        found = [at for part in (*self.where, *self.must) for _, at in part.atom.slots]
        return [*found, self.limit_at] if self.limit_at is not None else found


def in_order_said(candidate: Candidate) -> Node:
    """The rule of the candidate with its parts in the order of the words, as people expect to read it."""
    rule = dict(candidate.rule)
    if rule["shape"] == "table" or "tolneg" in candidate.mode:
        return rule
    where = [_said(part) for part in sorted(candidate.where, key=_first)]
    if where:
        rule["where"] = plainly("any" if candidate.mode.endswith("/any") else "all", where)
    how = candidate.mode.partition("/")[0].partition("_")[0]
    if how != "iff":
        rule["must"] = plainly(
            "any" if how == "any" else "all", [_said(part) for part in sorted(candidate.must, key=_first)]
        )
    return rule


def _first(part: Scored) -> int:
    return min(at for _, at in part.atom.slots)


def _said(part: Scored) -> Node:
    return part.atom.said


def plainly(how: str, conditions: list[Node]) -> Node:
    """The conditions joined by "all" or "any" in their order, those of an inner "all" side by side."""
    flat = [inner for one in conditions for inner in (conjuncts(one) if how == "all" else [one])]
    return flat[0] if len(flat) == 1 else {"node": how, "conditions": flat}
