"""Mathematics in words of code: `∃ v ∈ vehicles : v.k = k`, `sorted(x) == list(range(1, n+1)) per k`."""

import re
from collections.abc import Callable

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group, Value
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, RowQuery, SyntaxTerm
from pandas_magic.planner.language.doors.values import kind_of_value
from pandas_magic.planner.language.logic import all_of

_THERE_IS = re.compile(
    r"(?P<no>∄|(?:¬|\bnot)\s*∃|∃)\s*(?P<row>\w+)\s*(?:∈|\bin\b)\s*(?P<table>\w+)\s*(?::|\||,|\.\s|\bwith\b|\bwhere\b)"
    r"\s*(?P<said>.+)",
    re.DOTALL,
)
_PER = r"\s+(?:per|for each|by|within)\s+\(?(?P<by>\w+(?:\s*,\s*\w+)*)\)?"
_NUMBERED = re.compile(
    r"sorted\(\s*(?P<of>[\w.]+)\s*\)\s*==?\s*list\(\s*range\(\s*1\s*,\s*(?:n|count|len\([\w.]*\))\s*\+\s*1\s*\)\s*\)"
    + _PER
)


def quantified_term(text: str, read: Callable[[str], SyntaxTerm]) -> SyntaxTerm:
    """The term of "there is a row for which …". Raises: NotMeant."""
    found = _THERE_IS.fullmatch(text.strip())
    if found is None:
        raise NotMeant("no quantifier")
    said = re.sub(r"(?<![<>=!~])=(?!=)", "==", found["said"])
    query = RowQuery(found["table"], found["row"], (), where=read(said), binds_all=False)
    term = SyntaxTerm("exists", said=query)
    return term if found["no"] == "∃" else SyntaxTerm("not", (term,))


def numbered_through(text: str, names: Names) -> Condition:
    """That the numbers of each group are 1, 2, 3 and so on without a gap. Raises: NotMeant."""
    found = _NUMBERED.fullmatch(text.strip())
    if found is None:
        raise NotMeant("no numbering")
    of: Expression = Column(name=names.own(tuple(found["of"].split("."))))
    if kind_of_value(of, names) != "integer":
        raise NothingHolds(f"{found['of']} does not hold whole numbers alone, so that it cannot be numbered through")
    if any(column in names.tables[names.target].missing for column in re.split(r"\s*,\s*", found["by"])):
        names.doubts.append(f"a row without {found['by']} is in no group, and of others the whole group is at fault")
    by = tuple(Column(name=names.own((one,))) for one in re.split(r"\s*,\s*", found["by"]))
    rows, first, last, different = (
        Group.model_validate({"statistic": statistic, "of": counted, "by": by})
        for statistic, counted in (("count", None), ("min", of), ("max", of), ("distinct", of))
    )
    return all_of(
        [
            Compare(relation="==", left=first, right=Value(value=1)),
            Compare(relation="==", left=last, right=rows),
            Compare(relation="==", left=different, right=rows),
        ]
    )
