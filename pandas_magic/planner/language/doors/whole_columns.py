"""What Python says of a whole column, and not of its values one by one: sets, lengths, rows that come once."""

import ast

from pandas_magic.planner.language.doors.terms import NothingHolds, SyntaxTerm


def is_of_rows(given: list[ast.expr], rows: set[str]) -> bool:
    """Whether `len` is taken of a whole column, as in `len(df.a)` and `len(df.a.unique())`, where it counts."""
    match given:
        case [ast.Attribute(value=ast.Name(id=frame))] | [
            ast.Subscript(value=ast.Name(id=frame), slice=ast.Constant())
        ]:
            return frame not in rows
        case [ast.Call(func=ast.Attribute(attr="unique" | "dropna" | "drop_duplicates"))]:
            return True
    return False


def among(right: SyntaxTerm) -> str:
    """The test for a value that is one of those listed, or of a column."""
    return "in" if right.op == "list" else "in column"


def within(left: SyntaxTerm, right: SyntaxTerm, said: str = "<=") -> SyntaxTerm:
    """`set(df.a) <= {"x", "y"}`: each value is one of the others. Raises: NothingHolds for other signs."""
    if said != "<=" or left.op != "set":
        raise NothingHolds("of sets a rule can hold that one is within the other")
    right = right.parts[0] if right.op == "set" else right
    return SyntaxTerm("all", (SyntaxTerm(among(right), (left.parts[0], right)),))


def denied(term: SyntaxTerm) -> SyntaxTerm:
    """`not c`; and `not set(df.a) - {"x", "y"}`, where nothing is left over."""
    if term.op == "-" and term.parts[0].op == "set":
        left, right = term.parts
        return within(left, right)
    return SyntaxTerm("not", (term,))


def all_once(left: SyntaxTerm, right: SyntaxTerm) -> SyntaxTerm | None:
    """`len(df.drop_duplicates("a")) == len(df)`: no row comes twice; else None."""
    if (left.op, right.op) != ("length", "length") or left.parts[0].op != "once":
        return None
    frame, *columns = left.parts[0].parts
    twice = SyntaxTerm("any", (SyntaxTerm("duplicated", tuple(columns), said="pandas"),))
    return denied(twice) if right.parts[0] == frame else None
