"""Functions of meanings for rows one after another: in which order, and each group of rows by itself."""

from typing import Any

from pandas_magic.constraints import Expression, Present, Previous
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.logic import replaced
from pandas_magic.planner.language.strict.expressions import own_date, side_by_side
from pandas_magic.planner.language.strict.logic import both
from pandas_magic.planner.language.strict.scene import About, Claim


def in_order(about: About, stated: Claim, order: Expression) -> Claim | None:
    """The claim about the row before, in that order of rows."""
    found = _renewed(stated, order=order)
    return Claim(both(found.where, Present(of=order)), found.must) if found is not None else None


def in_groups(about: About, stated: Claim, by: Any) -> Claim | None:  # noqa: ANN401 - an expression or several
    """The claim about the row before, among rows that share these."""
    return _renewed(stated, by=side_by_side((by,)))


def settled(about: About, stated: Claim) -> Claim | None:
    """The claim; groups of rows go by their own date, unless the sentence says by what."""
    before, day = _before(stated), own_date(about)
    open_ = before is not None and before.by and before.order is None and day not in (None, before.of)
    return in_order(about, stated, day) if open_ and day is not None else stated


def _before(stated: Claim) -> Previous | None:
    return next((part for part in nodes(stated.must) if isinstance(part, Previous)), None)


def _renewed(stated: Claim, **said: Any) -> Claim | None:  # noqa: ANN401 - what the node holds
    """The claim with that said of the row before, unless something else was said of it."""
    before = _before(stated)
    if before is None or any(getattr(before, name) not in (None, (), value) for name, value in said.items()):
        return None
    return Claim(stated.where, replaced(stated.must, before, before.model_copy(update=said)))
