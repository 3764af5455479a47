"""The dashboard's pages as HTML. Every text that comes from files is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from pandas_magic.clock import to_the_minute
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.card import SIGNS
from pandas_magic.reporters.dashboard.board import TREND_RUNS, CheckLine, counts_of
from pandas_magic.reporters.dashboard.trend import trend_picture
from pandas_magic.reporters.html import badge, framed, html_table
from pandas_magic.reporters.value_text import clean_lines, counted, one_line

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.history.past import PastRun
    from pandas_magic.planner.model.exchanges import Exchange

PAGE_LINES = 50  # lines of a page: as many as a person scrolls through
_SHOWN_RUNS = 50
_SHOWN_COLUMNS = 200
_TITLE_CHARACTERS = 90

_STYLE = (
    ".pandas-magic .pm-trend { vertical-align: middle; overflow: visible; }"
    ".pandas-magic .pm-trend polyline { fill: none; stroke: currentColor; stroke-width: 1.5; }"
    ".pandas-magic .pm-trend circle { fill: currentColor; }"
    ".pandas-magic .pm-trend .pm-gap { stroke: var(--jp-warn-color1, #b35900); stroke-width: 1.5; }"
    ".pandas-magic .pm-rows table td { vertical-align: middle; }"
)


def checks_page(lines: Sequence[CheckLine], *, page: int, of_all: int) -> str:
    """One page of the chosen checks, with their number and how many there are in all."""
    shown = lines[page * PAGE_LINES : (page + 1) * PAGE_LINES]
    header = ("check", "verdict", "failing", "trend", "rule", "state", "last run", "severity", "tables", "owner")
    rows = [_check_cells(line) for line in shown]
    return _page(_summed_up(lines, of_all), _table(header, rows, numeric=("failing",)) if rows else "")


def runs_page(runs: Sequence[PastRun]) -> str:
    """The latest runs of all checks, the latest first."""
    latest = sorted(runs, key=lambda run: run.started_at, reverse=True)[:_SHOWN_RUNS]
    header = ("started", "check", "verdict", "failing", "rows", "seconds", "found")
    rows = [
        (
            escape(to_the_minute(run.started_at)),
            escape(run.check_id),
            _badge(run.verdict),
            *_numbers(run),
            _short(run.summary),
        )
        for run in latest
    ]
    said = f"The last {len(latest):,} of {counted(len(runs), 'run')}" if runs else "Nothing ran here yet."
    return _page(said, _table(header, rows, numeric=("failing", "rows", "seconds")) if rows else "")


def past_page(runs: Sequence[PastRun], said: str) -> str:
    """One check's runs, the latest first, under what they say together."""
    picture = trend_picture([run.violation_count for run in runs[-TREND_RUNS:]])
    header = ("started", "verdict", "failing", "rows", "seconds", "found")
    rows = [
        (escape(to_the_minute(run.started_at)), _badge(run.verdict), *_numbers(run), _short(run.summary))
        for run in reversed(runs[-_SHOWN_RUNS:])
    ]
    table = _table(header, rows, numeric=("failing", "rows", "seconds")) if rows else ""
    return _page(said, f"<p>{picture}</p>{table}" if picture else table)


def code_page(compiled: str, difference: str, facts: Sequence[tuple[str, str]]) -> str:
    """The compiled code, what ran in its place where that differs, and where it comes from."""
    terms = "".join(f"<dt>{escape(label)}</dt><dd>{escape(one_line(text))}</dd>" for label, text in facts)
    differs = f"<p>What ran in this notebook differs:</p>{_pre(difference)}" if difference else ""
    return framed(f"<dl>{terms}</dl>{_pre(compiled)}{differs}")


def tables_page(tables: Iterable[Table], summaries: dict[str, str]) -> str:
    """Every table's columns and, where one was written, the paragraph about it."""
    parts = [_table_part(table, summaries.get(table.name, "")) for table in tables]
    return framed("".join(parts) or "<p>No table can be read here.</p>")


def exchanges_page(exchanges: Sequence[Exchange], said: str) -> str:
    """What models were asked and what they answered, the latest first."""
    parts = [_exchange_part(exchange) for exchange in reversed(exchanges)]
    return framed(f"<p>{escape(said)}</p>{''.join(parts)}")


def _check_cells(line: CheckLine) -> tuple[str, ...]:
    return (
        f"<b>{escape(line.check_id)}</b>",
        _badge(line.verdict),
        f"{line.violations:,}" if line.violations is not None else "",
        trend_picture(line.trend),
        _short(line.title),
        escape(" · ".join(part for part in (f"stale: {line.stale}" if line.stale else "", line.review) if part)),
        escape(to_the_minute(line.last_run_at)),
        escape(line.severity),
        escape(", ".join(line.tables)),
        escape(line.owner),
    )


def _summed_up(lines: Sequence[CheckLine], of_all: int) -> str:
    if not of_all:
        return "No checks yet; write one with %%check."
    counts = ", ".join(f"{number:,} {verdict}" for verdict, number in counts_of(lines).items())
    chosen = counted(of_all, "check") if len(lines) == of_all else f"{len(lines):,} of {counted(of_all, 'check')}"
    return f"{chosen}: {counts}" if counts else f"{chosen}; choose less narrowly"


def _numbers(run: PastRun) -> tuple[str, str, str]:
    failing = f"{run.violation_count:,}" if run.violation_count is not None else ""
    return failing, f"{run.rows:,}" if run.rows is not None else "", f"{run.seconds:.2f}"


def _table_part(table: Table, summary: str) -> str:
    rows = "an unknown number of rows" if table.row_count is None else counted(table.row_count, "row")
    columns = list(table.columns.items())
    shown = [("column", "type"), *columns[:_SHOWN_COLUMNS]]
    more = f"<p>… and {len(columns) - _SHOWN_COLUMNS:,} more</p>" if len(columns) > _SHOWN_COLUMNS else ""
    lines = html_table([tuple(map(one_line, row)) for row in shown], to_the_right=[False, False])
    head = f"<b>{escape(one_line(table.name))}</b> {rows}, {counted(len(columns), 'column')}"
    told = f"<p>{escape(one_line(summary))}</p>" if summary else ""
    return f"<details><summary>{head}</summary>{told}{lines}{more}</details>"


def _exchange_part(exchange: Exchange) -> str:
    cost = f"{exchange.sent_tokens + exchange.received_tokens:,} tokens, {exchange.seconds:.1f} s"
    head = f"{to_the_minute(exchange.at)} {exchange.about} · {exchange.purpose} · {exchange.model}"
    head += f" · {exchange.outcome}, {cost}"
    asked = "\n\n".join(
        str(message.get("content", "")) for message in (exchange.request or {}).get("messages", ()) if message
    )
    answered = exchange.error or exchange.answer
    body = f"{_pre(asked) if asked else ''}<p>Answer</p>{_pre(answered)}"
    return f"<details><summary>{escape(one_line(head))}</summary>{body}</details>"


def _page(said: str, content: str) -> str:
    return framed(f"<p>{escape(one_line(said))}</p>{content}<style>{_STYLE}</style>")


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: Sequence[str] = ()) -> str:
    """A table of cells that are markup already."""
    kinds = [' class="pm-number"' if name in numeric else "" for name in header]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for name, kind in zip(header, kinds, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{cell}</td>' for cell, kind in zip(row, kinds, strict=True))}</tr>" for row in rows
    )
    return f'<div class="pm-rows"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _badge(verdict: str) -> str:
    known = Verdict(verdict) if verdict in list(Verdict) else None
    return badge(f"{SIGNS[known]} {verdict}" if known else verdict, known)


def _short(text: str) -> str:
    return escape(one_line(text, at_most=_TITLE_CHARACTERS))


def _pre(text: str) -> str:
    return f"<pre>{escape(clean_lines(text))}</pre>"
