"""Results as Jupyter mimebundles: one output that every front end can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pandas_magic.history.run import Verdict
from pandas_magic.record import digest
from pandas_magic.reporters.card import Card, card_of
from pandas_magic.reporters.html import html
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.markdown import markdown
from pandas_magic.reporters.plain import plain
from pandas_magic.reporters.value_text import counted
from pandas_magic.reporters.verdict_counts import verdict_counts

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result

CHECK_MIMETYPE = "application/vnd.pandas-magic.check+json"

# The worst first: what several checks in one output amount to.
_GRAVITY = (Verdict.ERROR, Verdict.FAIL, Verdict.PASS, Verdict.SKIPPED)

_MAX_WITHOUT_OVERVIEW = 3  # cards that a person takes in without a table of them
_MAX_WHOLE = 10  # cards below a table; a page of a hundred is no longer read

Bundle = tuple[dict[str, Any], dict[str, Any]]  # data by mimetype, and the output's metadata


class Results:
    """Several results shown as one output, in the order in which they ran.

    No tuple: IPython's printer of tuples would win over ours.
    """

    def __init__(self, results: Iterable[Result]) -> None:
        self._results = tuple(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, place: int) -> Result:
        return self._results[place]


def bundle(results: Sequence[Result], *, as_value: bool = True) -> Bundle:
    """All results in one output: JSON, HTML, Markdown and text, with the verdict in the output's metadata.

    The data holds still on unchanged tables, so that notebooks can be compared; what moves (run ids, times, the
    files of failing rows) is in the metadata under `pandas_magic`. `as_value` says that they are what the cell gives
    back, so that a single one is `_`.
    """
    cards = [card_of(result, alone=as_value and len(results) == 1) for result in results]
    whole, listings = (cards, []) if len(cards) <= _MAX_WITHOUT_OVERVIEW else _overview(cards)
    data = {
        CHECK_MIMETYPE: {"version": 1, "checks": [_facts(result) for result in results]},
        "text/html": "\n".join([*(listing.html() for listing in listings), *map(html, whole)]),
        "text/markdown": "\n---\n\n".join([*(listing.markdown() for listing in listings), *map(markdown, whole)]),
        "text/plain": "\n\n".join([*(listing.plain() for listing in listings), *map(plain, whole)]),
    }
    runs = [_moving(result) for result in results]
    return data, {"pandas_magic": {"verdict": worst(results).value, "runs": runs}}


def worst(results: Sequence[Result]) -> Verdict:
    """The gravest verdict: ERROR before FAIL before PASS before SKIPPED; SKIPPED when there is no result."""
    found = {result.run.verdict for result in results}
    return next((verdict for verdict in _GRAVITY if verdict in found), Verdict.SKIPPED)


def _overview(cards: Sequence[Card]) -> tuple[list[Card], list[Listing]]:
    """The cards worth reading whole, those that did not pass, and a table of all."""
    not_passed = [card for card in cards if card.verdict in (Verdict.ERROR, Verdict.FAIL)]
    summary = f"{counted(len(cards), 'check')}: {verdict_counts(cards)}"
    if len(not_passed) > _MAX_WHOLE:
        summary += f". Below, the first {_MAX_WHOLE} of those that did not pass; %checks run ID shows one"
    rows = tuple((card.check_id, card.badge, card.title, card.headline) for card in cards)
    return not_passed[:_MAX_WHOLE], [Listing(summary, ("check", "verdict", "name", "found"), rows, verdicts="verdict")]


def _facts(result: Result) -> dict[str, Any]:
    run, compiled = result.run, result.compiled
    facts: dict[str, Any] = {
        "check": run.check_id,
        "verdict": run.verdict.value,
        "violation_count": run.violation_count,
        "rows": run.rows,
        "not_judged": run.not_judged,
        "summary": run.summary,
        "error": run.error,
        "understood": result.echo,
        "code_digest": digest(run.code),
        "notes": list(run.notes),
    }
    if compiled:
        facts |= {"rule": compiled.check.rule, "severity": compiled.check.severity, "reads": compiled.plan.reads}
        facts["proof"] = compiled.proof.to_dict() if compiled.proof else None
    return facts


def _moving(result: Result) -> dict[str, Any]:
    run = result.run
    return {
        "check": run.check_id,
        "verdict": run.verdict.value,
        "run_id": run.run_id,
        "started_at": run.started_at,
        "seconds": run.seconds,
        "artifact": run.artifact,
    }
