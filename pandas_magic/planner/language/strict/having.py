"""Functions of meanings for what rows have and lack."""

from pandas_magic.constraints import All, Any_, Column, Compare, Condition, Exists, Expression, HowMany, Present, Value
from pandas_magic.planner.language.strict.conditions import false, missing, present, true
from pandas_magic.planner.language.strict.logic import EVERY_ROW, both, negate
from pandas_magic.planner.language.strict.scene import About


def had(about: About, of: Expression) -> Condition:
    """The row has it: it is there, or said to be so."""
    return true(about, of) or present(about, of)


def had_some(about: About, of: Expression) -> Condition:
    """The row has it; of what is counted, one or more."""
    some = Compare(relation=">", left=of, right=Value(value=0))
    return both(Present(of=of), some) if _counts(about, of) else had(about, of)


def lacked(about: About, of: Expression) -> Condition | None:
    """The row does not have it; of a count, that may mean that it is zero as well as that nobody wrote it down."""
    if true(about, of) is not None:
        return false(about, of)
    return None if _counts(about, of) else missing(about, of)


def _counts(about: About, of: Expression) -> bool:
    """Whether it says how many there are: a whole number that is no key and names no other row."""
    if not isinstance(of, Column) or about.kind(of) != "integer":
        return False
    named = of.name in about.tables[about.table].keys or of.name == about.names.references.key(about.table)
    return not named and not any(join.columns == (of.name,) for _, join in about.joins)


def _reference(about: About, said: Condition) -> Expression | None:
    """The column by which a row refers to any row of another table, when that is all that is said."""
    parts = said.conditions if isinstance(said, All) and len(said.conditions) == 2 else ()
    if len(parts) != 2 or not isinstance(parts[0], Present) or not isinstance(parts[1], Exists):
        return None
    named, found = parts[0].of, parts[1]
    refers = any(own == about.table and join.table == found.table for own, join in about.joins)
    return named if refers and found.where is None and found.of == (named,) else None


def denied(about: About, said: Condition) -> Condition | None:
    """The opposite; "do not have a or b" leaves open whether one of them would do."""
    several = isinstance(said, (Any_, All)) and all(isinstance(part, Present) for part in said.conditions)
    open_ = several or (isinstance(said, Compare) and isinstance(said.left, HowMany))
    counts = isinstance(said, Present) and lacked(about, said.of) is None
    if open_ or counts or said == EVERY_ROW:
        return None
    if isinstance(said, All) and any(
        said == had_some(about, part.of) for part in said.conditions[:1] if isinstance(part, Present)
    ):
        return negate(said.conditions[-1]).model_copy(update={"relation": "=="})  # no guests are zero guests
    named = _reference(about, said)
    return missing(about, named) if named is not None else negate(said)
