"""Measure what the planner makes of a model's answers: right, refused and wrong, before and after the gates.

`python -m benchmarks.models.measure NAME --url http://127.0.0.1:8080/v1` asks any OpenAI-compatible endpoint; without
`--url` the answers recorded in recorded/ are graded again, without any weights. Rules are those of rules.jsonl,
requests those of requests.toml. One line of JSON for each goes to the file named by `--out`.
"""

import argparse
import gzip
import json
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from benchmarks.models.grading import Grade, answers, grade_code, worst
from benchmarks.models.restatements import MeasuredRule, measured_rules
from pandas_magic.catalog import Catalog
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.by_model import compile_with_model
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import describe
from pandas_magic.errors import ModelError, PandasMagicError
from pandas_magic.planner.model.answer_text import python_code
from pandas_magic.planner.model.disclosure import described
from pandas_magic.planner.model.gates import content_words
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits
from pandas_magic.planner.model.rule_prompts import RestatedRule, restate_prompt, write_prompt
from pandas_magic.planner.model.sentence_grammar import sentence_grammar
from pandas_magic.plans.code_run import run_plan
from pandas_magic.plans.pipeline import answer_request
from pandas_magic.plans.plan_records import PlanRequest, Ran
from pandas_magic.registry.check import Check
from pandas_magic.settings import Settings

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "examples" / "data"
# What "now" is, so that a prompt asked again is the prompt that was recorded.
SETTINGS = Settings(now="2026-11-01T00:00:00")
STAGES = ("restated", "doubted", "coded", "gated")
Outcome = dict[str, Any]


def configuration_of(given: argparse.Namespace, recorded: Path | None) -> ModelConfiguration:
    """Temperature 0, a seed, the default level of disclosure, and so many seconds for a rule or a request."""
    limits = ModelLimits(None, None, None, None, given.seconds, None)
    return ModelConfiguration(
        model=given.model,
        base_url=given.url or "http://127.0.0.1:9/v1",
        temperature=0.0,
        seed=1,
        answer_tokens=given.tokens,
        answer_seconds=given.seconds,
        replay="auto" if given.url else "only",
        recorded=recorded,
        grammar=given.grammar,
        limits=limits,
    )


@dataclass
class RuleAsked:
    """One rule on its tables, put to one model; each stage gives a grade and what was said."""

    rule: MeasuredRule
    model: Model
    bench: Bench

    def __post_init__(self) -> None:
        self.runner = Runner(Catalog(given=self.rule.worlds[0][0]), SETTINGS, self.bench)
        self.schema = described(self.rule.tables, self.model.configuration.disclosure)

    def restated(self) -> tuple[Grade, str]:
        """The first restatement, believed at once."""
        said = self._first_restatement()
        return self.rule.believed(said), said.sentence

    def doubted(self) -> tuple[Grade, str]:
        """The first restatement, where nothing speaks against it that is seen without asking a model again."""
        problems = self.rule.against(self._first_restatement())
        return ("refused", "; ".join(problems)) if problems else self.restated()

    def coded(self) -> tuple[Grade, str]:
        """The first code, run at once."""
        answer = self.model.ask(write_prompt(self.rule.rule.text, self.schema, target=self.rule.target))
        return self._grade(python_code(answer.text))

    def gated(self) -> tuple[Grade, str]:
        """What stands after every gate: what a person would get."""
        check = Check(id="R", rule=self.rule.rule.text, target=self.rule.target)
        compiled = compile_with_model(check, self.rule.tables, self.runner, self.model).compiled
        said = describe(compiled.constraint) if compiled.constraint is not None else compiled.code
        return self._grade(compiled.code)[0], said

    def _grade(self, code: str) -> tuple[Grade, str]:
        target = self.rule.target
        return worst([grade_code(self.runner, code, frames, target, rows) for frames, rows in self.rule.worlds]), code

    def _first_restatement(self) -> RestatedRule:
        text, target, tables = self.rule.rule.text, self.rule.target, self.rule.tables
        grammar = sentence_grammar(tables, target=target) if self.model.configuration.grammar else ""
        words = sorted(content_words(text))
        prompt = restate_prompt(text, self.schema, words, target=target, grammar=grammar)
        return self.model.ask_object(prompt, RestatedRule)


def measure_rule(
    rule: MeasuredRule,
    configuration: ModelConfiguration,
    log: Path,
    bench: Bench,
    *,
    chosen: Sequence[str] = STAGES,
) -> Outcome:
    """The grade of each stage that was chosen."""
    asked = RuleAsked(rule, Model(configuration, log), bench)
    return {**{name: _graded(getattr(asked, name)) for name in chosen}, "calls": asked.model.calls}


def _graded(judge: Callable[[], tuple[Grade, str]]) -> Outcome:
    began = time.monotonic()
    try:
        grade, said = judge()
    except PandasMagicError as refusal:
        late = isinstance(refusal, ModelError) and any(word in str(refusal) for word in ("budget", "did not finish"))
        return {"grade": "refused", "said": str(refusal)[:400], "late": late, "seconds": _since(began)}
    return {"grade": grade, "said": said, "late": False, "seconds": _since(began)}


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)


def measure_request(asked: dict[str, str], configuration: ModelConfiguration, log: Path, bench: Bench) -> Outcome:
    """The first code as it was written, and what the pipeline gave, with what it says against it."""
    runner = Runner(Catalog(DATA), SETTINGS, bench)
    tables = runner.catalog.schemas()
    frames = {name: runner.catalog.frame(name) for name in tables}
    expected = eval(asked["answer"], {"pd": pd, **frames})
    began, model = time.monotonic(), Model(configuration, log)
    try:
        result = answer_request(PlanRequest(asked["text"]), tables, runner, model)
    except ModelError as error:
        refused = {"grade": "refused", "said": str(error)[:400]}
        return {"coded": refused, "gated": refused, "calls": model.calls, "seconds": _since(began)}
    first = result.attempts[0].code if result.attempts else ""
    ran = run_plan(runner, first, frames, request=asked["text"]) if first.strip() else Ran(error="no code")
    gated = {"grade": "refused", "said": result.error[:400]}
    if result.success:
        gated = {"grade": _answered(result.ran, expected), "said": result.code, "notes": list(result.ran.notes)}
    coded = {"grade": "refused" if ran.error else _answered(ran, expected), "said": ran.error[:400] or first}
    return {"coded": coded, "gated": gated, "calls": model.calls, "seconds": _since(began)}


def _answered(ran: Ran, expected: Any) -> Grade:  # noqa: ANN401 - a number or a series
    result = ran.frame if ran.frame is not None else ran.value
    return "right" if answers(result, expected) else "wrong"


def asked_of(given: argparse.Namespace) -> Iterator[tuple[str, Callable[..., Outcome]]]:
    """Each rule or request by its text, with how it is measured."""
    if given.what == "requests":
        for asked in tomllib.loads((HERE / "requests.toml").read_text(encoding="utf-8"))["request"][: given.first]:
            yield asked["text"], partial(measure_request, asked)
        return
    chosen = tuple(given.stages.split(","))
    for rule in measured_rules()[: given.first]:
        yield rule.rule.text, partial(measure_rule, rule, chosen=chosen)


def main() -> None:
    """Measure, and print one line for each rule or request and the sums at the end."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("model", help="the name under which its answers are recorded")
    asked.add_argument("--url", default="")
    asked.add_argument("--what", choices=("rules", "requests"), default="rules")
    asked.add_argument("--stages", default=",".join(STAGES), help="of rules: which answers are asked for")
    asked.add_argument("--first", type=int, default=None, help="only so many")
    asked.add_argument("--only", default="", help="only these places of the list, from 0: 3,17")
    asked.add_argument("--seconds", type=float, default=300.0, help="for one rule or request")
    asked.add_argument("--tokens", type=int, default=400, help="of one answer, at most")
    asked.add_argument("--grammar", default="", help="how the server takes a grammar: llama.cpp, vllm")
    asked.add_argument("--log", type=Path, default=None, help="the folder for the log of exchanges")
    asked.add_argument("--out", type=Path, default=None)
    given = asked.parse_args()
    bench = Bench(SETTINGS)
    with TemporaryDirectory() as scratch:
        recorded = _unpacked(Path(scratch), given)
        configuration = configuration_of(given, recorded)
        sums: dict[str, dict[str, int]] = {}
        only = {int(place) for place in given.only.split(",") if place}
        for place, (text, measure) in enumerate(asked_of(given)):
            if only and place not in only:
                continue
            outcome = measure(configuration, given.log, bench)
            line = json.dumps({"text": text, **outcome}, ensure_ascii=False)
            print(line, flush=True)
            if given.out is not None:
                with given.out.open("a", encoding="utf-8") as out:
                    out.write(line + "\n")
            for stage in STAGES:
                if stage in outcome:
                    of_stage = sums.setdefault(stage, {"right": 0, "refused": 0, "wrong": 0})
                    of_stage[outcome[stage]["grade"]] += 1
        print(json.dumps(sums))
    bench.close()


def _unpacked(scratch: Path, given: argparse.Namespace) -> Path | None:
    packed = HERE / "recorded" / f"{given.model}-{given.what}.jsonl.gz"
    if given.url or not packed.exists():
        return None
    path = scratch / "recorded.jsonl"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


if __name__ == "__main__":
    main()
