"""Frames of pandas code: their columns, tests written as texts, and the rows that have no hole."""

from dataclasses import replace

from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, name

JOINED = "joined"  # said of what stands in rows of two tables


def column_of(of: SyntaxTerm, column: str) -> SyntaxTerm:
    """The column of a frame, of some of its rows, or of a grouped one. Raises: NotMeant."""
    if of.op == "name" and isinstance(of.said, tuple) and len(of.said) == 1:
        return name(*of.said, column)
    if of.op == "where" and of.parts[0].op == "name":
        return SyntaxTerm("where", (column_of(of.parts[0], column), of.parts[1]))
    if of.op == "grouped":
        frame = of.said.parts[0] if isinstance(of.said, SyntaxTerm) and of.said.op == "where" else of.said
        path = frame.said if isinstance(frame, SyntaxTerm) and isinstance(frame.said, tuple) else ()
        return SyntaxTerm("grouped", (*of.parts, name(*path, column)), said=of.said)
    if of.op == "assigned":
        values = dict(zip(of.said if isinstance(of.said, tuple) else (), of.parts[1:], strict=True))
        return values[column] if column in values else column_of(of.parts[0], column)
    if of.op == "joined":
        return _of_joined(of, column)
    if of.op == "by key":
        return SyntaxTerm("indexed", (of.parts[0], of.parts[1], name(column)))
    raise NotMeant("a column of what is no table")


def columns_of(of: SyntaxTerm, named: SyntaxTerm | None) -> tuple[SyntaxTerm, ...]:
    """The columns that are named of a frame; without names a column itself, or those of a list."""
    if named is None:
        return of.parts if of.op == "list" else (of,)
    return tuple(
        column_of(of, str(one.said)) if one.op == "literal" else one
        for one in (named.parts if named.op == "list" else (named,))
    )


def _of_joined(of: SyntaxTerm, column: str) -> SyntaxTerm:
    """The column of a frame to which another table is joined by a key: its own, or what is looked up there."""
    frame, series, mine, partner = of.parts
    there = series.parts[0].parts[-1].said if series.op != "by key" else (column,)
    if name(column) == mine or not isinstance(there, tuple) or there[-1] != column:
        found = column_of(frame, column)
    else:
        other = column_of(series, column) if series.op == "by key" else series
        looked_up = SyntaxTerm("mapped", (column_of(frame, _last(mine)), other))
        found = SyntaxTerm("joined column", (column_of(frame, column), looked_up))
    found = SyntaxTerm("same", (found,), said=JOINED)
    return SyntaxTerm("where", (found, partner)) if of.said == "inner" else found


def of_one_table(term: SyntaxTerm) -> None:
    """Raises: NothingHolds where the term speaks of rows that a merge may double, as no key of them may be unique."""
    if term.said == JOINED:
        raise NothingHolds("whether a merge doubles rows is not told; say the key of one table")
    for part in term.parts:
        of_one_table(part)


def _last(term: SyntaxTerm) -> str:
    return str(term.said[-1]) if isinstance(term.said, tuple) else str(term.said)


def of_columns(test: SyntaxTerm, frame: SyntaxTerm) -> SyntaxTerm:
    """The test of `df.eval("a <= b")` with its bare names as columns of the frame, or of some of its rows."""
    if test.op == "name" and isinstance(test.said, tuple) and len(test.said) == 1:
        return column_of(frame, str(test.said[0]))
    return replace(test, parts=tuple(of_columns(part, frame) for part in test.parts))


def where_known(frame: SyntaxTerm, subset: SyntaxTerm) -> SyntaxTerm:
    """`df.dropna(subset=["a", "b"])`: the rows that have both."""
    columns = [column_of(frame, str(one.said)) for one in (subset.parts if subset.op == "list" else (subset,))]
    there = tuple(SyntaxTerm("not", (SyntaxTerm("missing", (column,)),)) for column in columns)
    return SyntaxTerm("where", (frame, there[0] if len(there) == 1 else SyntaxTerm("and", there)))
