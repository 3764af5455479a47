"""Meanings in the data: calls of named functions on slots, such as "compare(x, '<=', y)", compiled once."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

Scope = Mapping[str, Any]
Meaning = Callable[[Any, Scope], Any]  # what is read about, and what the slots mean; None: no reading


class TemplateError(ValueError):
    """A meaning in the data is not written as meanings are."""


def compiled(template: str, functions: Mapping[str, Callable[..., Any]]) -> Meaning:
    """The meaning as a function of what is read about and of the slots.

    A call on something without meaning has none.

    Raises: TemplateError when the template is no expression of known functions, slots and literals.
    """
    try:
        tree = ast.parse(template, mode="eval").body
    except SyntaxError as error:
        raise TemplateError(f"{template!r}: {error.msg}") from error
    return _meaning(tree, functions, template)


def _meaning(tree: ast.expr, functions: Mapping[str, Callable[..., Any]], template: str) -> Meaning:
    match tree:
        case ast.Constant(value=value):
            return lambda about, scope: value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return lambda about, scope: -number
        case ast.Name(id="it"):
            return lambda about, scope: about.subject
        case ast.Name(id=name):
            return lambda about, scope: scope[name]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in functions:
            return _call(functions[name], [_meaning(argument, functions, template) for argument in arguments])
    raise TemplateError(f"{template!r}: {ast.unparse(tree)} is no slot, literal or call of a known function")


def _call(function: Callable[..., Any], arguments: list[Meaning]) -> Meaning:
    def called(about: object, scope: Scope) -> Any:  # noqa: ANN401 - a meaning may be anything that the functions know
        given = []
        for argument in arguments:
            value = argument(about, scope)
            if value is None:
                return None
            given.append(value)
        return function(about, *given)

    return called
