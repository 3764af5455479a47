"""The functions that meanings in the data are written with, by their names there; and the grammar made of them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from pandas_magic.garbage import garbage_left_alone
from pandas_magic.planner.language.strict.grammar import Grammar, load
from pandas_magic.planner.language.strict.openings import Openings

_MODULES = (
    *("aggregates", "claims", "conditions", "dimensions", "expressions", "having", "other_rows", "shapes"),
    *("subjects", "successions", "tallies", "texts", "units"),
)


def _own_functions(module: str) -> dict[str, Callable[..., Any]]:
    found = import_module(f"{__package__}.{module}")
    public = {name: made for name, made in vars(found).items() if callable(made) and not name.startswith("_")}
    return {name: made for name, made in public.items() if made.__module__ == found.__name__}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: function for module in _MODULES for name, function in _own_functions(module).items()
}


@cache
def the_grammar() -> Grammar:
    """The grammar of the language, read once."""
    with garbage_left_alone():  # half of the time otherwise
        return load(FUNCTIONS)


@cache
def the_openings() -> Openings:
    """What each part of the grammar can begin with."""
    return Openings(the_grammar().tries)
