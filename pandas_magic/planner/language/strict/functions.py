"""The functions that meanings in the data are written with, by their names there; and the grammar made of them."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from pandas_magic.planner.language.strict import (
    aggregates,
    claims,
    conditions,
    dimensions,
    expressions,
    other_rows,
    shapes,
    subjects,
    texts,
    units,
)
from pandas_magic.planner.language.strict.grammar import Grammar, load

_MODULES = (aggregates, claims, conditions, dimensions, expressions, other_rows, shapes, subjects, texts, units)


def _own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    public = {name: found for name, found in vars(module).items() if callable(found) and not name.startswith("_")}
    return {name: found for name, found in public.items() if found.__module__ == module.__name__}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: function for module in _MODULES for name, function in _own_functions(module).items()
}


@cache
def the_grammar() -> Grammar:
    """The grammar of the language, read once."""
    return load(FUNCTIONS)
