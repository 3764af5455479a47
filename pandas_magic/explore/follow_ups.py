"""The probes that follow a report by themselves: those that the rules ask for, or that a model chooses among them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError
from pandas_magic.explore.explorer_answer import Problem
from pandas_magic.explore.probe_choice import follow_ups, offered

if TYPE_CHECKING:
    from pandas_magic.explore.advice import Advisor
    from pandas_magic.explore.delivery import Progress
    from pandas_magic.explore.details import ProbeResult
    from pandas_magic.explore.exploration_request import ExplorationRequest
    from pandas_magic.explore.report import Report


@dataclass(frozen=True)
class Probing:
    """How an exploration probes: `ask` within so many seconds, `told` shows a report, `mended` repairs what failed."""

    ask: Callable[[str, float], ProbeResult | Problem]
    told: Callable[[Report], Report]
    mended: Callable[[Report, str, Problem], Report]


class FollowUps:
    """At most so many probes; `advisor` (None: the rules) is given up when it cannot say which."""

    def __init__(self, request: ExplorationRequest, advisor: Advisor | None, most: int, say: Progress) -> None:
        self._request, self._most, self._say = request, most, say
        self.advisor = advisor

    def added(self, report: Report, probing: Probing, deadline: float) -> Report:
        """The report with its follow-ups; one that fails and is not repaired is said in it, and ends them."""
        for _ in range(self._most):
            report, name = self._chosen(report)
            left = min(self._request.constraints.timeout_seconds, deadline - time.monotonic())
            if name is None:
                break
            if left <= 0:
                return report.with_error(f"{name}: no time was left")
            self._say(f"probe {name}")
            result = probing.ask(name, left)
            if isinstance(result, Problem):
                # A probe that fails takes nothing from the report, but it is said, and its process may be gone.
                repairs = len(report.details.repairs)
                report = probing.mended(report, name, result)
                if len(report.details.repairs) == repairs:
                    break
            else:
                report = probing.told(report.with_probe(result))
        return report

    def _chosen(self, report: Report) -> tuple[Report, str | None]:
        """The next probe, and the report with a note when the model could not say one."""
        if self.advisor is not None:
            choices = offered(report)
            try:
                name = self.advisor.choose(report.facts(), choices) if choices else None
            except PandasMagicError as error:
                report = report.with_note(f"the rules chose the probes, since the model could not: {error}")
                self.advisor = None
            else:
                # A model may pass over what the rules ask for, or want more; it may not invent a probe.
                return report, name if name in choices else None
        waiting = follow_ups(report, self._request.inputs.missing_threshold_pct)
        return report, waiting[0] if waiting else None
