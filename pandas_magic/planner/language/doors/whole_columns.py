"""Calls of Python that speak of a whole column, and not of its values one by one."""

import ast


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
