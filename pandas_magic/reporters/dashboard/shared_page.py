"""All checks of a workspace with their history as one HTML file, for people without a notebook.

It needs no server and no script. Without a word it holds no values of any row: counts, rules, code and runs only.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from pandas_magic.catalog.outputs import write_output
from pandas_magic.catalog.summaries import kept_summaries
from pandas_magic.clock import timestamp, to_the_minute
from pandas_magic.history.check_history import summed_up as history_of
from pandas_magic.reporters.card import card_of
from pandas_magic.reporters.dashboard import pages
from pandas_magic.reporters.dashboard.board import CheckLine, board_of
from pandas_magic.reporters.dashboard.detail import facts_of, result_of
from pandas_magic.reporters.html import card_content, kind_of, style
from pandas_magic.reporters.value_text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pandas_magic.checking.result import Entry
    from pandas_magic.history.past import PastRun
    from pandas_magic.workspace import Workspace

NAME = "checks.html"
_SHOWN_RUNS = 20  # of each check; a page of 3,000 checks is still one that a browser opens


def shared_page(workspace: Workspace, *, with_rows: bool = False) -> str:
    """The page; `with_rows` shows the first failing rows of each check too."""
    entries = {entry.id: entry for entry in workspace.entries()}
    board = board_of(workspace, entries=list(entries.values()))
    past = workspace.journal.history.runs_by_check()
    parts = []
    for line in board.lines:
        entry, runs = entries[line.check_id], past.get(line.check_id, ())
        part = _check_part(workspace, entry, runs, with_rows=with_rows) if entry.compiled else _without_code(line)
        parts.append(part)
    name, made = escape(one_line(workspace.base_dir.name)), escape(to_the_minute(timestamp()))
    tables = pages.tables_page(workspace.tables(), kept_summaries(workspace.journal.folder))
    said = escape(pages.summed_up(board.lines, len(board.lines)))
    body = (
        f'<h1 id="top">Checks of {name}</h1><p>As of {made}. {said}</p>'
        f'<div class="pandas-magic"><div class="pm-board">{pages.checks_table(board.lines, linked=True)}</div></div>'
        f'<h2>Each check</h2>{"".join(parts)}<h2>Tables</h2><div class="pandas-magic">{tables}</div>'
    )
    return _document(f"Checks of {name}", body)


def write_shared_page(workspace: Workspace, path: Path, *, with_rows: bool = False) -> str:
    """Write the page to a file, and tell so in one line."""
    write_output(path, shared_page(workspace, with_rows=with_rows))
    rows = "the first failing rows of each" if with_rows else "no values of rows"
    return f"{path}: every check with its code and its history, {rows}"


def _document(title: str, body: str) -> str:
    sheet = files("pandas_magic.reporters.dashboard").joinpath("shared.css").read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style()} {' '.join(sheet.split())}</style>{pages.board_style()}\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _check_part(workspace: Workspace, entry: Entry, runs: Sequence[PastRun], *, with_rows: bool) -> str:
    compiled, last = entry.compiled, entry.last_run
    assert compiled is not None
    head, kind = f"<p><b>{escape(compiled.id)}</b></p><p>It never ran here.</p>", ""
    if last is not None:
        card = card_of(result_of(workspace, compiled, last, stale=entry.stale, with_rows=with_rows), alone=False)
        # What code printed may be rows as well.
        told = card if with_rows else replace(card, failing=None, where="", part="", stdout="")
        head, kind = card_content(replace(told, code="", part="")), f" pm-{kind_of(card.verdict)}"
    said = history_of(runs).in_words() if runs else "It never ran here."
    history = pages.past_page(runs, said, at_most=_SHOWN_RUNS)
    code = pages.code_page(compiled.code, "", facts_of(compiled))
    return (
        f'<section class="pandas-magic{kind}" id="{escape(compiled.id)}"><a class="pm-up" href="#top">up</a>{head}'
        f"<details><summary>History</summary>{history}</details>"
        f"<details><summary>Code and proof</summary>{code}</details></section>"
    )


def _without_code(line: CheckLine) -> str:
    said = one_line(f"{line.title}: {line.remark}" if line.remark else line.title)
    return (
        f'<section class="pandas-magic" id="{escape(line.check_id)}"><p><b>{escape(line.verdict)}</b> '
        f"<b>{escape(line.check_id)}</b> {escape(said)}</p></section>"
    )
