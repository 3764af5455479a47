"""The word lists of the language."""

from pandas_magic.planner.rules import lexicon, phrases


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
