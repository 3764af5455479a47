"""How an unfinished sentence can go on: what the chart looked for behind its last word."""

from collections.abc import Iterator

from pandas_magic.catalog.table import glossary_of
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.strict.mentions import place_of
from pandas_magic.planner.language.strict.reading import charts_of, tables_of
from pandas_magic.planner.language.strict.scene import About

_OWN_COLUMNS = frozenset(("column", "any_column"))
_TABLES = frozenset(("noun", "table", "parent", "child", "kin"))


def words_behind(linked: Linked) -> tuple[frozenset[str], frozenset[str]]:
    """What can stand behind the sentence: names of tables and columns and values in quotes; words of the language."""
    names: set[str] = set()
    words: set[str] = set()
    for chart in charts_of(linked, tables_of(linked) or tuple(linked.tables)):
        words |= {word.removeprefix("=") for word in chart.expected}
        names.update(name for category, about in chart.wanted for name in _names(category, about))
    return frozenset(names), frozenset(word for word in words if word.strip("\\").replace(" ", "").isalpha())


def _names(category: str, about: About) -> Iterator[str]:
    if about.scene is None:
        return
    if category in _OWN_COLUMNS:
        yield from (*about.tables[about.table].columns, *about.tables[about.table].called)
    elif category in _TABLES:
        yield from (*about.tables, *glossary_of(about.tables).tables)
    elif category == "value":
        place = place_of(about.subject, about.table)
        table, column = place if place is not None else ("", "")
        yield from (f"'{value}'" for value in (about.tables[table].values.get(column, ()) if table else ()))
