"""What an agent is told: facts as one marked block of data, and nothing of the rows beyond the level that a person set.

"schema" tells names, types and verdicts; "stats" also counts; "samples" also the first rows; "rows" all rows that are
asked for, and what code prints. Below "samples" texts that may quote a cell (errors, notes, questions) lose every word
that is not ours, the agent's own, or a name.
"""

import builtins
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kernel_sandbox import Execution, SandboxError
from pandas_magic.catalog import Table
from pandas_magic.constraints.algebra.spelling import RESERVED
from pandas_magic.errors import NotProved, PandasMagicError, RuleNotUnderstood
from pandas_magic.history.run import Run, Verdict
from pandas_magic.planner.model.disclosure import DATA_RULE, SAMPLE_ROWS, data_block
from pandas_magic.planner.model.told_problems import told_problem
from pandas_magic.registry.proof import Proof
from pandas_magic.settings import AgentLevel

_MOST_ROWS = 200
_MOST_CHARACTERS = 10_000  # of what code prints
_LEVELS: tuple[AgentLevel, ...] = ("schema", "stats", "samples", "rows")
_LITERAL = re.compile(r"'((?:[^']|'')*)'|(?<![\w.])(\d[\w.:-]*)")
_OURS = " ".join(RESERVED) + " table tables workspace orders check did mean several nearest its not sandbox confinement"


@dataclass(frozen=True)
class Telling:
    """What may be told at a level about these tables."""

    level: AgentLevel
    tables: Mapping[str, Table]

    def reaches(self, level: AgentLevel) -> bool:
        """Whether what stands at `level` may be told."""
        return _LEVELS.index(self.level) >= _LEVELS.index(level)

    def text(self, text: str, *known: str) -> str:
        """A text that may quote cells; below "samples" without the words that nobody but a cell can have said."""
        if self.reaches("samples"):
            return text
        names = (name for table, each in self.tables.items() for name in (table, *each.columns))
        return told_problem(text, _OURS, *known, *names)

    def error(self, error: BaseException, *known: str) -> dict[str, Any]:
        """What kept a tool from its work, with the way out where there is one."""
        if not isinstance(error, PandasMagicError | SandboxError):
            return {"error": type(error).__name__}  # nobody foresaw it, so nobody knows what its text quotes
        told: dict[str, Any] = {"error": type(error).__name__, "code": error.code}
        if isinstance(error, NotProved):
            problems = [self.text(one, *known, error.understood) for one in error.problems]
            return told | {"understood": error.understood, "problems": problems}
        if isinstance(error, RuleNotUnderstood):
            meant = [self._sentence(one.sentence, error.rule) for one in error.readings]
            left = [list(one.leaves_out) for one in error.readings]
            asked = {"unknown": list(error.unknown), "may_mean": meant, "leaves_out": left}
            said = error.reason if meant else f"{error.reason} {error.advice}".rstrip()
            return told | {"said": self.text(said, *known)} | asked
        return told | {"said": self.text(str(error), *known)}

    def _sentence(self, sentence: str, rule: str) -> str:
        """A reading in canonical words: whole, where no value stands in it that the rule does not have."""
        literals = {text.casefold() for found in _LITERAL.findall(sentence) for text in found if text}
        return sentence if all(one in rule.casefold() for one in literals - {"0", "1"}) else self.text(sentence, rule)

    def run(self, run: Run, *known: str) -> dict[str, Any]:
        """A run: the verdict, and how many rows broke the rule where counts may be told."""
        told: dict[str, Any] = {"verdict": str(run.verdict), "run_id": run.run_id, "started_at": run.started_at}
        if run.verdict == Verdict.ERROR:
            told["error_said"] = self.text(run.error, run.code, *known)
        if run.verdict != Verdict.ERROR and self.reaches("stats"):
            told |= {"summary": run.summary, "violations": run.violation_count, "rows": run.rows}
            told["not_judged"] = run.not_judged
        told["notes"] = [self.text(note, run.code, *known) for note in run.notes]
        return told

    def rows(self, frame: pd.DataFrame) -> dict[str, Any]:
        """Rows, as many as may be told, and how many there are."""
        if not self.reaches("stats"):
            return {"rows": f'the level "{self.level}" tells no rows and no counts'}
        told: dict[str, Any] = {"row_count": len(frame)}
        if not self.reaches("samples"):
            return told
        most = _MOST_ROWS if self.reaches("rows") else SAMPLE_ROWS
        return told | {"first_rows": _records(frame.head(most))}

    def execution(self, execution: Execution, frame: pd.DataFrame | None) -> dict[str, Any]:
        """What came of code that an agent wrote. Below "rows" only how it ended: code may print what it likes."""
        told: dict[str, Any] = {"status": execution.status, "reason": execution.reason}
        # A name of its own making can hold anything.
        if hasattr(builtins, execution.error_name):
            told["error"] = execution.error_name
        if not self.reaches("rows"):
            return told | {"output": f'kept back: the level "{self.level}" tells nothing that code printed or made'}
        said = {"stdout": execution.stdout, "stderr": execution.stderr, "traceback": execution.traceback}
        told |= {name: text[:_MOST_CHARACTERS] for name, text in said.items() if text}
        return told if frame is None else told | self.rows(frame)


def proof_in_words(proof: Proof | None) -> str:
    """What was seen when the code was proved; the planted rows are ours, and no row of the tables is told."""
    return "not proved" if proof is None else proof.in_words()


def answer(facts: Mapping[str, Any]) -> str:
    """The facts as one block of data behind the sentence that says what it is."""
    return f"{DATA_RULE}\n{data_block(dict(facts))}"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    plain = frame.astype(object)
    rows: Iterable[Mapping[Any, Any]] = plain.where(plain.notna(), None).to_dict("records")
    return [{str(column): value for column, value in row.items()} for row in rows]
