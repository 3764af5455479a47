"""Python in which a value is given a name before it is asserted of: `bad = df[df.a < 0]; assert bad.empty`."""

import ast


def inlined(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with each name that is given a value before replaced by it: `bad = df[…]`, `assert bad.empty`."""
    given: dict[str, ast.expr] = {}

    class Inlining(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return given.get(node.id, node)

    found: list[ast.stmt] = []
    for statement in body:
        match Inlining().visit(statement) if not isinstance(statement, ast.Assign) else statement:
            case ast.Assign(targets=[ast.Name(id=called)], value=value) if statement is not body[-1]:
                given[called] = Inlining().visit(value)
            case other:
                found.append(other)
    return found
