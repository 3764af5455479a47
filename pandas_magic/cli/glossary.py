"""`pandas-magic glossary`: what people call things, as glossary.toml says, and what of it means nothing here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_DONE, _NOT_MEANT = 0, 1

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_glossary(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    command("glossary", _glossary, "list what glossary.toml says; exit code 1 when some of it means nothing here")


def _glossary(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.catalog.glossary import GLOSSARY_FILE
    from pandas_magic.planner.language.linking.glossary import problems_in
    from pandas_magic.planner.language.linking.linker import names_of
    from pandas_magic.reporters.value_text import one_line
    from pandas_magic.workspace import Workspace

    catalog = Workspace.open(options.workspace).catalog
    glossary = catalog.glossary()
    problems = list(problems_in(glossary, names_of(catalog.schemas())))
    lines = [f"{term} = {meaning}" for terms in glossary.parts.values() for term, meaning in terms.items()]
    empty = [f'no {GLOSSARY_FILE} here; write one beside the folder of tables, with a line such as: colony = "voelker"']
    told = [*(lines or empty), *(f"! {problem}" for problem in problems)]
    terminal.told([one_line(line) for line in told], {"terms": glossary.parts, "problems": problems})
    return _NOT_MEANT if problems else _DONE
