"""Completion inside the magics' lines (options, ids of checks, names of tables) and inside a rule.

IPython asks every function in `Completer.custom_matchers`, in a terminal and in ipykernel alike, and hands it the line
with the cursor; its older `complete_command` hooks see neither the cell nor the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from pandas_magic.errors import PandasMagicError
from pandas_magic.notebook.check_commands import ACTIONS
from pandas_magic.notebook.magic_lines import comma_separated, options_of, parse_line, parser_of

if TYPE_CHECKING:
    from pandas_magic.notebook.notebook_session import NotebookSession

_MAGIC_LINE = re.compile(r"\s*%{1,2}(?P<magic>check|checks|eda|plan|sandbox|tables)\s(?P<said>.*)", re.DOTALL)
_BEGUN_RULE = re.compile(r"\s*%%check(?P<options>[^\n]*)\n(?P<rules>.*)", re.DOTALL)
_BULLET = re.compile(r"^\s*[-*•]\s+", re.MULTILINE)
_TAKES_TABLES = {"--tables", "--files", "--target", "--info"}
_TAKES_IDS = {"--run"}
_ACTIONS_ON_IDS = {"list", "run", "diff", "rows", "approve", "snooze", "except", "why"}


class Completion:
    """Completes the lines of `magics`, a mapping from a magic's name to its method, from what `session` knows."""

    def __init__(self, session: NotebookSession, magics: dict[str, Callable[..., object]]) -> None:
        self._session, self._magics = session, magics

    @context_matcher(identifier="pandas_magic.completion")  # type: ignore[untyped-decorator] # IPython has no types
    def matcher(self, context: CompletionContext) -> SimpleMatcherResult:
        """What could stand at the cursor; nothing outside the line of one of our magics. IPython calls it."""
        line = _MAGIC_LINE.match(context.text_until_cursor)
        begun = _BEGUN_RULE.match(_until_cursor(context))
        if line:
            words = [word for word in self._words(line["magic"], line["said"]) if word.startswith(context.token)]
        elif begun:
            words = self._known(lambda: self._rule_words(begun["options"], begun["rules"]))
        else:
            words = []
        completions = [SimpleCompletion(text=word, type="magic") for word in words]
        return SimpleMatcherResult(completions=completions, suppress=bool(completions), ordered=True)

    def _words(self, magic: str, said: str) -> list[str]:
        """Every word that could stand at the cursor, whatever of it is typed already."""
        before, word = _at_cursor(said)
        option, _, given = word.partition("=")
        option = option if given or word.endswith("=") else (before[-1] if before else "")
        if magic == "eda" and option == "--target":
            return self._known(lambda: self._columns(before))
        if option.startswith("-") and (values := self._values(magic, option)) is not None:
            return list(values)
        if word.startswith("-"):
            return options_of(self._magics[magic])
        return self._positional(magic, before)

    def _values(self, magic: str, option: str) -> Iterable[str] | None:
        if option in _TAKES_TABLES:
            return self._known(lambda: self._session.workspace.table_names())
        if option in _TAKES_IDS:
            return self._known(lambda: self._session.workspace.check_ids())
        action = parser_of(self._magics[magic])._option_string_actions.get(option)
        if action is None or action.nargs == 0:
            return None  # no such option, or one that takes no value: what follows is a word of its own
        return [str(choice) for choice in action.choices or ()]

    def _positional(self, magic: str, before: list[str]) -> list[str]:
        options = options_of(self._magics[magic])
        if magic == "checks":
            if not before:
                return [*ACTIONS, *options]
            return self._ids() + options if before[0] in _ACTIONS_ON_IDS else options
        if magic == "eda" and not before:
            return self._known(self._session.workspace.table_names) + options
        if magic == "check" and not before:
            return self._ids() + options
        return options

    def _rule_words(self, options: str, rules: str) -> list[str]:
        """The words with which the rule at the cursor can go on; of a list of rules, the last."""
        from pandas_magic.planner.language import completions

        said = parse_line(self._magics["check"], options)
        tables = {table.name: table for table in self._session.workspace.tables()}
        chosen = comma_separated(said.tables) or tuple(tables)
        prefix = _BULLET.split(rules)[-1].lstrip()
        target = said.target if said.target in tables else None
        return list(completions(prefix, {name: tables[name] for name in chosen if name in tables}, target=target))

    def _columns(self, before: list[str]) -> list[str]:
        tables = {table.name: table for table in self._session.workspace.tables()}
        return [column for word in before if word in tables for column in tables[word].columns]

    def _ids(self) -> list[str]:
        return self._known(lambda: self._session.workspace.check_ids())

    def _known(self, names: Callable[[], list[str]]) -> list[str]:
        try:
            return names()
        except PandasMagicError:
            # The Tab key is no place for an error; running the cell will say it.
            return []


def _until_cursor(context: CompletionContext) -> str:
    lines = context.full_text.splitlines() or [""]
    return "\n".join([*lines[: context.cursor_line], context.text_until_cursor])


def _at_cursor(said: str) -> tuple[list[str], str]:
    """The whole words before the one at the cursor, and that one as far as it is typed."""
    words = said.split()
    if not words or said[-1].isspace():
        return words, ""
    return words[:-1], words[-1]
