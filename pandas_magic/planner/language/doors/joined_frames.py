"""Frames of pandas code to which columns are added, or another table is joined: `df.assign(…)`, `df.merge(…)`."""

from dataclasses import replace

from pandas_magic.planner.language.doors.frames import JOINED, column_of
from pandas_magic.planner.language.doors.pandas_groups import STATISTICS, Given, Keywords
from pandas_magic.planner.language.doors.terms import NothingHolds, SyntaxTerm, literal, name

_OF_GROUPS = (*STATISTICS, "count", "distinct")
_ONE_KEY = "of merge and join a rule can hold those of two tables by one key, inner or left"


def assigned(frame: SyntaxTerm, values: Keywords) -> SyntaxTerm:
    """`df.assign(day=df.taken.dt.date)`, of all rows of a table or of some."""
    chosen = frame.parts[1] if frame.op == "where" else None
    own = (one if chosen is None else SyntaxTerm("where", (one, chosen)) for one in values.values())
    return SyntaxTerm("assigned", (frame, *own), said=tuple(values))


def merged(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.merge(other, on="k")`. Raises: NothingHolds."""
    return _joined(of, given, {"how": literal("inner"), **keywords})


def joined(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.join(other.set_index("k"), on="k")`, `df.join(other.groupby("k").x.sum(), on="k")`. Raises: NothingHolds."""
    if not given or given[0].op not in ("by key", *_OF_GROUPS):
        raise NothingHolds("a join goes by the index of the other table, which is not said")
    return _joined(of, given, {"how": literal("left"), **keywords})


def _joined(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    known = {word: term.said for word, term in keywords.items() if word != "validate"}
    how, both = known.pop("how"), known.pop("on", None)
    mine, theirs = known.pop("left_on", both), known.pop("right_on", both)
    if len(given) != 1 or known or of.op != "name" or how not in ("inner", "left"):
        raise NothingHolds(_ONE_KEY)
    other = given[0].parts[0] if given[0].op == "list" else given[0]
    if other.op in _OF_GROUPS and other.parts[0].op == "grouped":
        table, key, series = other.parts[0].said, other.parts[0].parts[0].said, other
    else:
        table, key = (other.parts[0], other.parts[1].said) if other.op == "by key" else (other, theirs)
        path = table.said[:1] if isinstance(table.said, tuple) else ()
        table = name(*path)
        series = SyntaxTerm("by key", (table, literal(str(key))))
    if not isinstance(table, SyntaxTerm) or table.op != "name" or not table.said:
        raise NothingHolds(_ONE_KEY)
    if not isinstance(mine, str) or not isinstance(key, str) or (theirs != key and other.op != "by key"):
        raise NothingHolds(_ONE_KEY)
    partner = SyntaxTerm("in column", (column_of(of, mine), column_of(table, key)))
    return SyntaxTerm("joined", (of, series, name(mine), partner), said=how)


def rows_of_joined(of: SyntaxTerm, test: SyntaxTerm) -> SyntaxTerm:
    """Some rows of a table, by what is joined to it: `m = df.merge(…); m[m.x > 0]`."""
    frame, partner = of.parts[0], of.parts[3]
    plain = _of_all(test, partner)
    chosen = SyntaxTerm("and", (partner, plain)) if of.said == "inner" else plain
    return SyntaxTerm("where", (frame, SyntaxTerm("same", (chosen,), said=JOINED)))


def _of_all(term: SyntaxTerm, partner: SyntaxTerm) -> SyntaxTerm:
    if term.op == "where" and term.parts[1] == partner:
        return term.parts[0]
    return replace(term, parts=tuple(_of_all(part, partner) for part in term.parts))
