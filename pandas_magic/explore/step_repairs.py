"""The repairs of one exploration: what is tried on the person's table, and what counts as done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypedDict, Unpack

from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.explorer_answer import ExplorerAnswer, Problem
from pandas_magic.explore.failed_function import FailedStep
from pandas_magic.explore.trials import Make, Trials

if TYPE_CHECKING:
    import pandas as pd

    from pandas_magic.explore.delivery import ConfinedExplorer, Progress
    from pandas_magic.explore.details import ProbeResult, StepRepair
    from pandas_magic.explore.repairing import Repaired, Repairer
    from pandas_magic.explore.report import Report


class _How(TypedDict):
    own: ConfinedExplorer
    deadline: float
    seconds: float


class StepRepairs:
    """Who repairs (None: nobody) and with which sources an exploration runs; `make` makes its explorers.

    `own` is the explorer in which a step failed, `frame` the person's table where it is no file.
    """

    def __init__(
        self,
        repairer: Repairer | None,
        make: Make,
        sources: Mapping[str, str],
        *,
        frame: pd.DataFrame | None,
        say: Progress,
    ) -> None:
        self._repairer, self._frame, self._say = repairer, frame, say
        self.sources = dict(sources)
        self.trials = Trials(make)

    def of_report(
        self,
        first: ExplorationAttempt,
        believed: Callable[[ConfinedExplorer], Report | Problem],
        *,
        own: ConfinedExplorer,
        deadline: float,
    ) -> tuple[Report, StepRepair] | str:
        """The report by repaired code, whose sources are in force from now on; else why there is none.

        Raises: Stopped.
        """
        found: list[Report] = []

        def attempt(explorer: ConfinedExplorer) -> str:
            made = believed(explorer)
            if isinstance(made, Problem):
                return made.text
            found.append(made)
            return ""

        problem = Problem(first.status, first.problem, first.trace)
        repaired = self._repaired(own, FailedStep(first.on, "", problem, self.sources, deadline, attempt))
        if isinstance(repaired, str):
            return repaired
        self.sources = dict(repaired.sources)
        return found[-1], repaired.repair

    def with_probe(
        self,
        report: Report,
        name: str,
        problem: Problem,
        explored: Callable[[ConfinedExplorer], ExplorerAnswer],
        **how: Unpack[_How],
    ) -> Report:
        """The report with the error of a probe, and with the probe where a model could repair it. Raises: Stopped."""
        report = report.with_error(f"{name}: {problem.text}")
        repaired = self._of_probe(name, problem, explored, **how)
        if isinstance(repaired, str):
            return report.with_error(f"{name}: {repaired}") if repaired else report
        result, repair = repaired
        return report.with_probe(result).with_repair(repair)

    def _of_probe(
        self,
        name: str,
        problem: Problem,
        explored: Callable[[ConfinedExplorer], ExplorerAnswer],
        *,
        own: ConfinedExplorer,
        deadline: float,
        seconds: float,
    ) -> tuple[ProbeResult, StepRepair] | str:
        """The probe's result by repaired code that finds all else as it was found; else why there is none.

        Raises: Stopped.
        """
        found: list[ProbeResult] = []

        def attempt(explorer: ConfinedExplorer) -> str:
            if (again := explored(explorer).problem) is not None:
                return again.text
            if not (before := own.obtained()) or explorer.obtained() != before:
                return "what was found before changed"
            result = explorer.probe(name, {}, other=None, wall_seconds=seconds).as_probe()
            if isinstance(result, Problem):
                return result.text
            found.append(result)
            return ""

        repaired = self._repaired(own, FailedStep(name, name, problem, self.sources, deadline, attempt))
        return repaired if isinstance(repaired, str) else (found[-1], repaired.repair)

    def _repaired(self, own: ConfinedExplorer, step: FailedStep) -> Repaired | str:
        # Time, memory and a person's stop are not the code's fault.
        if self._repairer is None or step.problem.kind != "error":
            return ""
        self._say(f"repairing {step.name}")
        repaired = self._repairer.repaired(step, self._columns(own), self.trials)
        self.trials.refuse_stopped()
        return repaired

    def _columns(self, own: ConfinedExplorer) -> dict[str, str]:
        """The columns with their types, as far as they are known."""
        if self._frame is not None:
            return {str(column): str(dtype) for column, dtype in self._frame.dtypes.items()}
        found = own.obtained().get("report", {}).get("columns_profile", {})
        return {str(column): str(profile["dtype"]) for column, profile in found.items()}
