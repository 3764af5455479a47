"""What a restatement is worth: believed at once, and after the gates that ask no model again.

`python -m benchmarks.models.restatements` grades the recorded ones anew, without weights and whatever prompts are now.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from benchmarks.models.grading import Grade, grade_constraint, worst
from benchmarks.models.sample_rules import SEEDS_OF_ROWS, rows_stated
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.restating import spoken_against
from pandas_magic.constraints import describe, reads
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import AnswerUnusable, RuleNotUnderstood
from pandas_magic.planner.language import restated_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.model.answer_text import json_object
from pandas_magic.planner.model.rule_prompts import RestatedRule
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, rows_of, sentences

HERE = Path(__file__).parent
RECORDED = HERE / "recorded" / "restatements.jsonl"


@dataclass
class MeasuredRule:
    """A rule of the sample, with the tables that it is about, as a person names them with --tables."""

    rule: FrozenSentence

    @cached_property
    def worlds(self) -> list[tuple[dict[str, pd.DataFrame], frozenset[int]]]:
        """Two sets of tables, and the rows of the target that break the rule in each."""
        return [(self._named(seed), rows_stated(self.rule, seed)) for seed in SEEDS_OF_ROWS]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables as the planner sees them."""
        return dict(Catalog(given=self.worlds[0][0]).schemas())

    @property
    def target(self) -> str:
        """The table whose rows are judged."""
        return str(self.rule.target)

    def meant(self, said: RestatedRule) -> Constraint:
        """The typed rule that the sentence is read as. Raises: RuleNotUnderstood."""
        if not said.can_be_said:
            raise RuleNotUnderstood(self.rule.text, "the model says that it cannot be said")
        return restated_rule(said.sentence, self.tables, target=self.target)

    def believed(self, said: RestatedRule) -> Grade:
        """The grade of the sentence, believed at once. Raises: RuleNotUnderstood."""
        constraint = self.meant(said)
        if describe(constraint) == self.rule.echo:
            return "right"
        return worst([grade_constraint(constraint, self.target, frames, rows) for frames, rows in self.worlds])

    def against(self, said: RestatedRule) -> tuple[str, ...]:
        """What speaks against the sentence, as far as it is seen without asking again. Raises: RuleNotUnderstood."""
        return spoken_against(said, self.meant(said), rule=self.rule.text, tables=self.tables, target=self.target)

    def is_said_back(self, said: RestatedRule) -> bool:
        """Whether the sentence is the rule itself, which a program reads without a model."""
        return _plain(said.sentence) == _plain(self.rule.text)

    def _named(self, seed: int) -> dict[str, pd.DataFrame]:
        meant = read_canonical(str(self.rule.echo))
        assert meant is not None
        return {name: frame for name, frame in rows_of(self.rule.world, seed).items() if name in reads(meant)}


def measured_rules() -> list[MeasuredRule]:
    """The sample, in the order in which it is asked."""
    lines = (HERE / "rules.jsonl").read_text(encoding="utf-8").splitlines()
    drawn = [json.loads(line) for line in lines]
    return [MeasuredRule(sentences(one["source"])[one["place"]]) for one in drawn]


def recorded() -> Iterator[tuple[str, bool, MeasuredRule, str]]:
    """Each recorded first restatement: the model, whether a grammar was handed over, the rule, the answer."""
    rules = {rule.rule.text: rule for rule in measured_rules()}
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        yield found["model"], found["grammar"], rules[found["rule"]], found["answer"]


def graded(rule: MeasuredRule, answer: str) -> tuple[Grade, Grade, bool]:
    """The grade of an answer believed at once, the one after the gates that ask nobody, and whether it is said back."""
    try:
        said = RestatedRule.model_validate(json_object(answer))
        believed = rule.believed(said)
        return believed, "refused" if rule.against(said) else believed, rule.is_said_back(said)
    except (AnswerUnusable, ValidationError, RuleNotUnderstood):
        return "refused", "refused", False


def figures() -> dict[tuple[str, bool], Counter[str]]:
    """For each model, with and without a grammar: how many were asked, and right, refused, wrong before and after."""
    found: dict[tuple[str, bool], Counter[str]] = {}
    for model, grammar, rule, answer in recorded():
        before, after, back = graded(rule, answer)
        counted = found.setdefault((model, grammar), Counter())
        counted.update({"asked": 1, f"believed {before}": 1, f"doubted {after}": 1, "said back": int(back)})
    return found


def keep(log: Path, out: Path = RECORDED) -> None:
    """Add the first restatements of a log to the recorded ones, and put the log itself, packed, beside them."""
    rules = {rule.rule.text for rule in measured_rules()}
    lines: dict[tuple[str, bool], str] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        exchange = json.loads(line)
        if exchange["purpose"] != "restate" or exchange["outcome"] == "recorded" or not exchange.get("request"):
            continue  # an answer that was cut or came too late stands there as far as it came: it is refused
        messages = exchange["request"]["messages"]
        told = messages[1]["content"].rpartition("<data>\n")[2].partition("\n</data>")[0]
        rule = json.loads(told)["rule"]
        if len(messages) == 2 and rule in rules:
            kept = {name: exchange[name] for name in ("model", "sent_tokens", "received_tokens", "seconds", "answer")}
            grammar = bool(exchange["request"].get("grammar"))
            if exchange["error"] and (rule, grammar) in lines:
                continue
            lines[rule, grammar] = json.dumps({"rule": rule, "grammar": grammar, **kept}, ensure_ascii=False)
    with out.open("a", encoding="utf-8") as kept_file:
        kept_file.write("\n".join(lines.values()) + "\n")
    (out.parent / f"{exchange['model']}-rules.jsonl.gz").write_bytes(gzip.compress(log.read_bytes(), mtime=0))


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .").split())


if __name__ == "__main__":
    for (model, grammar), counted in figures().items():
        print(model, "with a grammar" if grammar else "by schema", dict(sorted(counted.items())))
