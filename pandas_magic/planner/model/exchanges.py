"""The log of everything asked of a model and answered: for audit, for cost, and to answer again without asking."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from pandas_magic.planner.model.prompts import ModelAnswer, Purpose
from pandas_magic.record import Record
from pandas_magic.state import append_line, unversioned_folder

LOG = "plan_prompt_log.jsonl"
Outcome = Literal["answered", "failed", "recorded"]


class Exchange(Record):
    """One request and what came of it. A request answered from the log is an exchange of its own, that cost nothing."""

    version: Literal[1] = 1
    at: str  # ISO 8601, UTC, ending in Z
    sha256: str  # of the canonical request
    purpose: Purpose
    about: str = ""  # the check or the plan that it was for
    model: str
    host: str
    disclosure: str  # what was told: schema, stats or samples
    outcome: Outcome
    request: dict[str, Any] | None = None  # None: as in the exchange of the same sha256 before
    answer: str = ""
    error: str = ""  # one line; empty unless it failed
    sent_tokens: int = 0
    received_tokens: int = 0
    estimated: bool = False  # the counts are from the length of the texts
    usd: float | None = None  # None: not known
    seconds: float = 0.0


class ExchangeLog:
    """The exchanges in a file of `folder`, plan_prompt_log.jsonl if no other; in memory when `folder` is None."""

    def __init__(self, folder: Path | None, name: str = LOG) -> None:
        self._path = None if folder is None else folder / name
        self._kept: list[Exchange] = []

    def append(self, exchange: Exchange) -> None:
        """Add one exchange, readable by no one but the owner of the file: it holds what was sent."""
        if self._path is None:
            self._kept.append(exchange)
            return
        unversioned_folder(self._path.parent)
        if not self._path.exists():
            self._path.touch(mode=0o600)
        append_line(self._path, json.dumps(exchange.to_dict(), ensure_ascii=False))

    def answered(self, sha256: str) -> Exchange | None:
        """The latest answer to exactly this request, or None."""
        found = None
        for exchange in self:
            if exchange.sha256 == sha256 and exchange.outcome == "answered":
                found = exchange
        return found

    def __iter__(self) -> Iterator[Exchange]:
        if self._path is None:
            yield from self._kept
        elif self._path.exists():
            with self._path.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    try:
                        yield Exchange.from_dict(json.loads(line))
                    except (ValueError, ValidationError):
                        continue  # a crash may have cut a line; the others still stand


class Totals(Record):
    """What a log amounts to. `usd` leaves out exchanges of unknown price, which `unpriced` counts."""

    requests: int = 0
    failed: int = 0
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0
    saved_requests: int = 0
    saved_tokens: int = 0
    saved_usd: float = 0.0


def totals(exchanges: Iterator[Exchange] | ExchangeLog) -> Totals:
    """Spent, and saved by answering from the log."""
    sums: dict[str, float] = dict.fromkeys(Totals.model_fields, 0)
    for exchange in exchanges:
        tokens, usd = exchange.sent_tokens + exchange.received_tokens, exchange.usd or 0.0
        if exchange.outcome == "recorded":
            spent = {"saved_requests": 1, "saved_tokens": tokens, "saved_usd": usd}
        else:
            unpriced = exchange.usd is None
            spent = {"requests": 1, "tokens": tokens, "usd": usd, "unpriced": unpriced, "seconds": exchange.seconds}
            spent["failed"] = exchange.outcome == "failed"
        for name, amount in spent.items():
            sums[name] += amount
    return Totals.model_validate(sums)


def price(answer: ModelAnswer, usd_per_million: tuple[float, float] | None) -> float | None:
    """What an answer cost in US dollars: as the server says, else by the prices set; None when neither is known."""
    if answer.usd is not None:
        return answer.usd
    if usd_per_million is None:
        return None
    sent, received = usd_per_million
    return (answer.sent_tokens * sent + answer.received_tokens * received) / 1e6
