"""The dashboard's pages as HTML. Every text that comes from files is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from pandas_magic.clock import to_the_minute
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.card import badge_of
from pandas_magic.reporters.dashboard.board import ORDERS, TREND_RUNS, CheckLine, counts_of
from pandas_magic.reporters.dashboard.trend import trend_picture
from pandas_magic.reporters.html import badge, framed, html_table
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import clean_lines, counted, one_line

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.history.past import PastRun
    from pandas_magic.planner.model.exchanges import Exchange

PAGE_LINES = 50  # lines of a page: as many as a person scrolls through
STATIC_LINES = 200  # of the list that stays in the notebook's file
_SHOWN_RUNS = 50
_SHOWN_COLUMNS = 200
_TITLE_CHARACTERS = 90
_COLUMNS = ("check", "verdict", "failing", "trend", "rule", "state", "severity", "tables", "owner", "last run")


def static_board(lines: Sequence[CheckLine], *, part: str) -> str:
    """The list of checks as the notebook's file keeps it; `part` is the key by which a page makes it live."""
    more = len(lines) - STATIC_LINES
    left_out = f'<p class="pm-where">… and {more:,} more: %checks list</p>' if more > 0 else ""
    content = _page(summed_up(lines, len(lines)), checks_table(lines[:STATIC_LINES]))
    return framed(f'<div class="pm-board" data-pm-part="{escape(part)}">{content}{left_out}</div>{board_style()}')


def checks_listing(lines: Sequence[CheckLine], *, at_most: int | None = None) -> Listing:
    """The same list, or the first `at_most` of its checks, in every form that needs no page."""
    header = ("check", "rule", "tables", "severity", "last verdict", "failing rows", "state")
    rows = tuple(_listed(line) for line in lines[:at_most])
    said = summed_up(lines, len(lines))
    return Listing(said, header, rows, frozenset({"failing rows"}), verdicts="last verdict")


def checks_table(lines: Sequence[CheckLine], *, linked: bool = False) -> str:
    """The checks given, one in a row; "" when there are none. `linked` ones lead to the part of the page about each."""
    rows = [_check_cells(line, linked=linked) for line in lines]
    return _table(_COLUMNS, rows, numeric=("failing",), ids=lines) if rows else ""


def summed_up(lines: Sequence[CheckLine], of_all: int) -> str:
    """How many checks are meant, of how many there are, and how many have each verdict."""
    if not of_all:
        return "no checks yet; write one with %%check"
    counts = ", ".join(f"{number:,} {verdict}" for verdict, number in counts_of(lines).items())
    chosen = counted(of_all, "check") if len(lines) == of_all else f"{len(lines):,} of {counted(of_all, 'check')}"
    return f"{chosen}: {counts}" if counts else f"{chosen}; choose less narrowly"


def runs_page(runs: Sequence[PastRun]) -> str:
    """The latest runs of all checks, the latest first."""
    latest = sorted(runs, key=lambda run: run.started_at, reverse=True)[:_SHOWN_RUNS]
    header = ("started", "check", "verdict", "failing", "rows", "seconds", "found")
    rows = [
        (
            escape(to_the_minute(run.started_at)),
            escape(run.check_id),
            _badge(run.verdict, badge_of(run)),
            *_numbers(run),
            _short(run.summary),
        )
        for run in latest
    ]
    said = f"The last {len(latest):,} of {counted(len(runs), 'run')}" if runs else "Nothing ran here yet."
    return _page(said, _table(header, rows, numeric=("failing", "rows", "seconds")) if rows else "")


def past_page(runs: Sequence[PastRun], said: str, *, at_most: int = _SHOWN_RUNS) -> str:
    """One check's runs, the latest first, under what they say together."""
    picture = trend_picture([run.violation_count for run in runs[-TREND_RUNS:]])
    header = ("started", "verdict", "failing", "rows", "seconds", "found")
    rows = [
        (
            escape(to_the_minute(run.started_at)),
            _badge(run.verdict, badge_of(run)),
            *_numbers(run),
            _short(run.summary),
        )
        for run in reversed(runs[-at_most:])
    ]
    table = _table(header, rows, numeric=("failing", "rows", "seconds")) if rows else ""
    return _page(said, f"<p>{picture}</p>{table}" if picture else table)


def code_page(compiled: str, difference: str, facts: Sequence[tuple[str, str]]) -> str:
    """The compiled code, what ran in its place where that differs, and where it comes from."""
    terms = "".join(f"<dt>{escape(label)}</dt><dd>{escape(one_line(text))}</dd>" for label, text in facts)
    differs = f"<p>What ran in this notebook differs:</p>{_pre(difference)}" if difference else ""
    return f"<dl>{terms}</dl>{_pre(compiled)}{differs}"


def tables_page(tables: Iterable[Table], summaries: dict[str, str]) -> str:
    """Every table's columns and, where one was written, the paragraph about it."""
    parts = [_table_part(table, summaries.get(table.name, "")) for table in tables]
    return "".join(parts) or "<p>No table can be read here.</p>"


def exchanges_page(exchanges: Sequence[Exchange], said: str) -> str:
    """What models were asked and what they answered, the latest first."""
    parts = [_exchange_part(exchange) for exchange in reversed(exchanges)]
    return f"<p>{escape(said)}</p>{''.join(parts)}"


def _check_cells(line: CheckLine, *, linked: bool) -> tuple[str, ...]:
    check_id = escape(line.check_id)
    return (
        f'<a href="#{check_id}">{check_id}</a>' if linked else check_id,
        _badge(line.verdict, line.badge),
        f"{line.violations:,}" if line.violations is not None else "",
        trend_picture(line.trend),
        _cut(line.title, is_long=True),
        _cut(", ".join(line.states), line.remark),
        escape(line.severity),
        _cut(", ".join(line.tables)),
        _cut(line.owner, is_long=True),
        escape(to_the_minute(line.last_run_at)),
    )


def _listed(line: CheckLine) -> tuple[str, ...]:
    states = ", ".join(line.states)
    return (
        line.check_id,
        line.title,
        ", ".join(line.tables),
        line.severity,
        line.badge or line.verdict,
        f"{line.violations:,}" if line.violations is not None else "",
        f"{states}: {line.remark}" if line.remark else states,
    )


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


def board_style() -> str:
    """The style of these pages, beside that of every card."""
    sheet = files("pandas_magic.reporters.dashboard").joinpath("board.css").read_text(encoding="utf-8")
    return f"<style>{' '.join(sheet.split())}</style>"


def _page(said: str, content: str) -> str:
    return f"<p>{escape(one_line(said))}</p>{content}"


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numeric: Sequence[str] = (),
    ids: Sequence[CheckLine] = (),
) -> str:
    """A table of cells that are markup already. With `ids` each row tells which check it is of."""
    kinds = [' class="pm-number"' if name in numeric else "" for name in header]
    sorts = [f' data-pm-sort="{name}"' if ids and name in ORDERS else "" for name in header]
    heads = (f'<th scope="col"{k}{s}>{escape(n)}</th>' for n, k, s in zip(header, kinds, sorts, strict=True))
    body = []
    for at, (label, *cells) in enumerate(rows):
        of_check = f' data-pm-line="{escape(ids[at].check_id)}"' if ids else ""
        rest = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells, kinds[1:], strict=True))
        body.append(f'<tr{of_check}><th scope="row"{kinds[0]}>{label}</th>{rest}</tr>')
    return (
        f'<div class="pm-rows"><table><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _badge(verdict: str, shown: str) -> str:
    return badge(shown or verdict, Verdict(verdict) if verdict in list(Verdict) else None)


def _short(text: str) -> str:
    return escape(one_line(text, at_most=_TITLE_CHARACTERS))


def _cut(text: str, remark: str = "", *, is_long: bool = False) -> str:
    """A text that is cut after three lines where there is no room, and shown whole when it is pointed at."""
    shown = one_line(text)
    told = f"{shown}: {one_line(remark)}" if remark else shown
    return f'<span class="pm-cut{" pm-long" if is_long else ""}" title="{escape(told)}">{escape(shown)}</span>'


def _pre(text: str) -> str:
    return f"<pre>{escape(clean_lines(text))}</pre>"
