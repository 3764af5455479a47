"""The word lists of the language."""

import ast
import inspect
from collections import Counter
from types import ModuleType

import pytest

from pandas_magic.planner.grammar import lexicon, phrases


def test_no_list_says_an_alternative_twice() -> None:
    lists = {
        (module.__name__, name): [alternative for alternative in said.split("|") if alternative]
        for module in (lexicon, phrases)
        for name, said in vars(module).items()
        if name.isupper() and isinstance(said, str)
    }
    twice = {name: {one for one in said if said.count(one) > 1} for name, said in lists.items()}

    assert len(lists) > 300
    assert {name: said for name, said in twice.items() if said} == {}


@pytest.mark.parametrize("module", [lexicon, phrases], ids=["lexicon", "phrases"])
def test_no_list_is_written_twice(module: ModuleType) -> None:
    """The second list of a name would silently take the place of the first."""
    body = ast.parse(inspect.getsource(module)).body
    plain = [
        target.id
        for one in body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name)
    ]
    typed = [one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]

    assert len(plain) + len(typed) > 50
    assert [name for name, times in Counter(plain + typed).items() if times > 1] == []
