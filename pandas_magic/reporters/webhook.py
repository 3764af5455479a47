"""A run told to a chat: one message in Slack's shape, posted to an incoming webhook.

It holds ids, names, severities, owners and counts; never a value of a row, nor an error's text, which may quote one.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.card import SIGNS
from pandas_magic.reporters.value_text import counted, one_line
from pandas_magic.reporters.verdict_counts import verdict_counts

TIMEOUT_SECONDS = 10.0
MOST_TOLD = 20  # checks in one message; a chat shows no more without a click


class NotPosted(PandasMagicError):
    """The message did not arrive. Names the host at most: the rest of a webhook's address is a secret."""

    code = "PM701"
    may_pass = False  # whether the same message may arrive later


def message(results: Sequence[Result], not_run: Sequence[str] = (), *, title: str = "pandas_magic") -> dict[str, Any]:
    """The run as a message: a line of counts, and a line for each check that did not pass."""
    text = f"{title}: {verdict_counts([result.run for result in results]) or 'nothing ran'}" + (
        f"; {counted(len(not_run), 'check')} not run" if not_run else ""
    )
    bad = [result for result in results if result.run.verdict in (Verdict.FAIL, Verdict.ERROR)]
    lines = [line_of(result) for result in bad[:MOST_TOLD]]
    if len(bad) > MOST_TOLD:
        lines.append(f"… and {len(bad) - MOST_TOLD} more")
    return in_slack_form(text, lines)


def in_slack_form(text: str, lines: Sequence[str]) -> dict[str, Any]:
    """A message of a bold text with escaped lines below it, as an incoming webhook of Slack takes it."""
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": part}} for part in (f"*{_escaped(text)}*", *lines)]
    return {"text": text, "blocks": blocks}


def post(address: str, content: dict[str, Any], *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
    """Post the message. Redirections are not followed.

    Raises: NotPosted with the host and the reason, never the address.
    """
    host = _host(address)
    if not host:
        raise NotPosted('the webhook was not told: its address must begin with "https://" and name a host')
    request = urllib.request.Request(
        address, json.dumps(content).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.build_opener(_NoRedirection).open(request, timeout=timeout_seconds) as answer:
            answer.read(1024)
    except urllib.error.HTTPError as error:
        error.close()
        raise _refused(f"the webhook at {host} was not told: it answered {error.code}", error.code) from None
    except (OSError, HTTPException, ValueError) as error:
        # What the library says may repeat the address; the kind of the error does not.
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise _refused(f"the webhook at {host} was not told: {_kind(reason)}") from None


def _refused(said: str, status: int = 0) -> NotPosted:
    refused = NotPosted(said)
    # No answer at all, "too many requests", and whatever the receiver says of itself.
    refused.may_pass = status in (0, 408, 429) or status >= 500
    return refused


def _host(address: str) -> str:
    """The host of a web address; "" when it is none."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _kind(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return "it did not answer in time"
    return one_line(reason.strerror) if isinstance(reason, OSError) and reason.strerror else type(reason).__name__


def line_of(result: Result) -> str:
    """One check's verdict in a line, escaped for Slack: what it found, what changed, how grave it is and whose."""
    run, check = result.run, result.compiled.check if result.compiled else None
    name = f" {check.name or check.rule}" if check else ""
    about = " · ".join(part for part in (check.severity, check.owner) if part) if check else ""
    if run.verdict is Verdict.ERROR:
        found = "could not be judged"
    elif run.nothing_judged:
        found = "no row was judged"
    else:
        found = counted(run.violation_count or 0, "failing row") + ", tolerated" * run.warned
        changes = run.changes
        if changes is not None and not changes.incomparable:
            found += f" ({changes.new} new, {changes.still} still, {changes.fixed} fixed)"
    text = f"{SIGNS[run.verdict]} {run.verdict} {run.check_id}{name}: {found}" + (f" [{about}]" if about else "")
    return _escaped(one_line(text))


def _escaped(text: str) -> str:
    # Slack's own three; anything else is text there.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
