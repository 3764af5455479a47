"""Who may choose probes and write the summary in place of the rules: a model, when one is named. It is never believed.

What it is told follows `PANDAS_MAGIC_DISCLOSURE`: at "schema" names, kinds and flags, by which it can choose a probe
but not write of numbers; above that also counts, statistics and the classes of a target. Examples and frequent values
stay here at every level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from pandas_magic.explore.probe_choice import ProbeChoice
from pandas_magic.planner.model.disclosure import DATA_RULE, data_block, in_words
from pandas_magic.planner.model.prompts import ChatMessage, Prompt

if TYPE_CHECKING:
    from pandas_magic.explore.explorer_answer import Json
    from pandas_magic.planner.model.model import Model

_MOST_COLUMNS = 60  # that are told of one by one
_NO_PROBE = "none"
_STATISTICS = ("min", "q1", "median", "q3", "max", "mean", "std", "skew", "range_days", "frequency", "rare_pct")

_CHOOSE = f"""You help to explore a table before a model is fitted. {DATA_RULE}
Choose the one probe among "offered" whose answer would change most what a person does next, or "{_NO_PROBE}" when none
would. leakage_check: does a suspect column alone predict the target on held-out rows? drill_missing: does a predictive
fill beat the median or mode? type_disambiguation: shows both readings of a column and asks a person."""

_SUMMARISE = f"""You summarise what was found in a table for a data scientist. {DATA_RULE}
Write 3 to 5 plain sentences: its size, the task and its balance if there is a target, what to look at first, the next
step. Use only facts of the data block, with its numbers as they stand; compute none. Put names of columns in double
quotes. No list, no heading."""


class Advisor(Protocol):
    """Who may choose and write instead of the rules. It sees facts only, and is never believed."""

    def asked_about(self, table: str, on_progress: Callable[[str], None]) -> AbstractContextManager[None]:
        """Entered by an exploration before its first question: what is asked inside is about this table."""

    def choose(self, facts: Json, offered: Sequence[str]) -> str | None:
        """The next probe among those offered; None to stop. An exploration asks before each follow-up.

        Raises: PandasMagicError when it cannot say.
        """

    def summarise(self, facts: Json) -> str:
        """Three to five sentences, "" for none; asked once, when all is found.

        Used only when every number and name in them is in the facts.
        """


class ModelAdvisor:
    """The advice of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @contextmanager
    def asked_about(self, table: str, on_progress: Callable[[str], None]) -> Iterator[None]:
        """The budget of one request of a person; says first which model is told how much."""
        configuration = self._model.configuration
        with self._model.request(f"eda {table}", on_notice=on_progress):
            on_progress(f"telling {configuration.model} at {configuration.host}: {in_words(configuration.disclosure)}")
            yield

    def choose(self, facts: Json, offered: Sequence[str]) -> str | None:
        """The probe that the model names; it is asked again when it names another. Raises: ModelError."""
        content = {"offered": [*offered, _NO_PROBE], **self._told(facts)}
        choice = self._model.ask_object(
            _prompt(_CHOOSE, content),
            ProbeChoice,
            problem=lambda said: "" if said.probe in content["offered"] else f'"{said.probe}" is not offered.',
        )
        return None if choice.probe == _NO_PROBE else choice.probe

    def summarise(self, facts: Json) -> str:
        """The model's sentences; none when it may not be told the numbers. Raises: ModelError."""
        if self._model.configuration.disclosure == "schema":
            return ""
        return " ".join(self._model.ask(_prompt(_SUMMARISE, self._told(facts))).text.split())

    def _told(self, facts: Json) -> Json:
        return told(facts, numbers=self._model.configuration.disclosure != "schema")


def told(facts: Json, *, numbers: bool) -> Json:
    """What a model is told of the facts of a report. Without `numbers`: names, kinds, flags and verdicts alone."""
    report, details = facts["report"], facts["details"]
    target = report["target"]
    content: Json = {
        "flags": report["flags"],
        "target": None if target is None else {"name": target["name"], "task_type": target["task_type"]},
        "probes_done": [probe["probe"] for probe in details["probes"]],
        "columns": {
            name: _column(profile, numbers) for name, profile in list(report["columns_profile"].items())[:_MOST_COLUMNS]
        },
    }
    if numbers:
        found = details["associations"]["to_target"][:10]
        content |= {"target": target, "duplicate_rows": details["duplicate_rows"], "goes_with_target": found}
        content |= {"rows": report["dataset"]["n_rows"], "n_columns": report["dataset"]["n_cols"]}
        content |= {"probes": [_probe(probe) for probe in details["probes"]], "plan": details["plan"]}
    return content


def _column(profile: dict[str, Any], numbers: bool) -> Any:  # noqa: ANN401 - JSON
    summary = profile["summary"]
    if not numbers:
        return summary["kind"]
    known = {key: summary[key] for key in _STATISTICS if summary.get(key) is not None}
    return {"kind": summary["kind"], "pct_missing": profile["pct_missing"], "unique": profile["unique"], **known}


def _probe(probe: dict[str, Any]) -> Json:
    return {key: probe[key] for key in ("probe", "verdict", "summary")}


def _prompt(task: str, content: Json) -> Prompt:
    return Prompt(
        purpose="other",
        messages=(ChatMessage(role="system", content=task), ChatMessage(role="user", content=data_block(content))),
    )
