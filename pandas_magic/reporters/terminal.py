"""What a terminal shows: one line per check, details of those that did not pass, or one JSON document."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from kernel_sandbox import SandboxError
from pandas_magic.catalog import Table
from pandas_magic.checking.result import Entry, Result
from pandas_magic.errors import PandasMagicError, RuleNotUnderstood, error_line
from pandas_magic.history.outcomes import outcome_in_words
from pandas_magic.history.run import Run, Verdict
from pandas_magic.registry import Touched
from pandas_magic.registry.approval import standing
from pandas_magic.reporters.card import Card, badge_of, card_of
from pandas_magic.reporters.plain import columns_of_text, plain
from pandas_magic.reporters.question import question_facts, question_lines
from pandas_magic.reporters.value_text import counted, one_line, value_text
from pandas_magic.reporters.verdict_counts import verdict_counts

if TYPE_CHECKING:
    from pandas_magic.checking.compilation import Compilation

# Codes of SGR, ECMA-48: green, red, yellow, faint.
_COLOURS = {Verdict.PASS: "32", Verdict.FAIL: "31", Verdict.ERROR: "33", Verdict.SKIPPED: "2"}
NO_CHECKS = "no checks yet; begin with: pandas-magic start"
# Columns of one table that are told where every table is.
_MAX_LISTED_COLUMNS = 50


class Terminal:
    """Writes to `out` what was asked for, and to `err` progress and complaints. Colours only on a terminal."""

    def __init__(self, out: TextIO, err: TextIO, *, as_json: bool = False) -> None:
        self._out, self._err, self._as_json = out, err, as_json
        self._coloured = out.isatty() and not os.environ.get("NO_COLOR")
        self._live = err.isatty() and not as_json
        self.error_in_meta = False  # whether an error's document has it under "meta" too, as a report of an exploration

    def say(self, text: str) -> None:
        """One line for people; it never stands in the JSON."""
        self._clear()
        print(text, file=self._err if self._as_json else self._out, flush=True)

    def complain(self, error: PandasMagicError | SandboxError) -> None:
        """An error as one line on standard error, or as JSON on standard output."""
        self._complain(error, error.code, error_line(error))

    def complain_of_unforeseen(self, error: Exception, line: str) -> None:
        """An error that is none of ours, in the same way; `line` is what people read."""
        self._complain(error, "", line)

    def progress(self, text: str) -> None:
        """What is going on now: one line that is overwritten, on a terminal only."""
        if self._live:
            self._clear()
            print(one_line(text)[:100], end="", file=self._err, flush=True)

    def compiled(
        self,
        outcomes: Mapping[str, Compilation | PandasMagicError],
        *,
        beside: bool = False,
        are_checks: bool = True,
    ) -> None:
        """What came of compiling, one line per check; `beside` other output, it never stands in the JSON.

        `are_checks`: there are some, so that without outcomes all of them were fresh.
        """
        self._clear()
        if self._as_json and beside:
            for check_id, outcome in outcomes.items():
                self.say(f"{check_id}  {self._outcome_line(outcome)}")
            return
        if self._as_json:
            self._document({"compiled": {check_id: _outcome(outcome) for check_id, outcome in outcomes.items()}})
            return
        for check_id, outcome in outcomes.items():
            print(f"{check_id}  {self._outcome_line(outcome)}", file=self._out)
        if not outcomes:
            print("every check is compiled and fresh" if are_checks else NO_CHECKS, file=self._out)

    def ask(self, check_id: str, refusal: RuleNotUnderstood, *, how: str) -> None:
        """What a refused rule may mean, by numbers; `how` says how one is chosen. It never stands in the JSON."""
        for line in question_lines(refusal, how=how) if not self._as_json else ():
            print(f"{check_id}  {line}", file=self._out, flush=True)

    def warn(self, text: str) -> None:
        """One line on standard error, whatever the form of the output."""
        self._clear()
        print(one_line(text), file=self._err, flush=True)

    def results(self, results: Sequence[Result], *, details: bool = True, not_run: Sequence[str] = ()) -> None:
        """The verdicts, one line per check, and above them the cards of those that did not pass."""
        self._clear()
        if self._as_json:
            self._document({"runs": [run_of(result) for result in results], "not_run": list(not_run)})
            return
        for result in results:
            if details and result.run.verdict in (Verdict.FAIL, Verdict.ERROR):
                print(f"{plain(terminal_card(result))}\n", file=self._out)
        print(self._table(results), file=self._out)
        for line in _said_of_passes(results):
            print(line, file=self._out)
        print(verdict_counts([result.run for result in results]) or "nothing ran", file=self._out)
        if not_run:
            print(f"not run: {', '.join(not_run)}", file=self._out)

    def entries(self, entries: Sequence[Entry]) -> None:
        """Every check with its last verdict."""
        if self._as_json:
            self._document({"checks": [_entry(entry) for entry in entries]})
            return
        rows = [("check", "last verdict", "severity", "state", "review", "rule")]
        for entry in entries:
            check = entry.check
            verdict = _last_verdict(entry.last_run) if entry.last_run else "never ran"
            review = standing(entry.compiled) if entry.compiled else ""
            severity, rule = (check.severity, check.rule) if check else ("", entry.stale)
            rows.append((entry.id, verdict, severity, entry.state, review, one_line(rule)))
        print(self._aligned(rows) if entries else NO_CHECKS, file=self._out)

    def stale(self, entries: Sequence[Entry], changes: Sequence[Touched] = ()) -> None:
        """Every stale check with the reason; and what changed in the tables, with what that touches."""
        if self._as_json:
            told = [{**change.to_dict(), "in_words": change.in_words()} for change in changes]
            self._document({"stale": {entry.id: entry.stale for entry in entries}, "changes": told})
            return
        for entry in entries:
            print(f"{entry.id}  {entry.stale}", file=self._out)
        if not entries:
            print("no check is stale", file=self._out)
        for change in changes:
            print(f"changed: {one_line(change.in_words())}", file=self._out)

    def told(self, lines: Iterable[str], content: Mapping[str, Any]) -> None:
        """The lines for people, or the same as one JSON document."""
        self._clear()
        if self._as_json:
            self._document(content)
            return
        for line in lines:
            print(line, file=self._out, flush=True)

    def facts(self, content: Mapping[str, Any]) -> None:
        """Facts about tables, in the shape that other tools read."""
        self._document(content)

    def tables(self, tables: Sequence[Table], unreadable: Mapping[str, str]) -> None:
        """Every table with its columns and how it was read; those that cannot be read stand last, with the reason."""
        if self._as_json:
            self._document({"tables": [table.to_dict() for table in tables], "unreadable": dict(unreadable)})
            return
        for table in tables:
            rows = "" if table.row_count is None else f" · {counted(table.row_count, 'row')}"
            print(f"{one_line(table.name)}{rows}", file=self._out)
            listed = list(table.columns.items())[:_MAX_LISTED_COLUMNS]
            print(self._aligned([(f"  {value_text(name)}", dtype) for name, dtype in listed]), file=self._out)
            if len(listed) < len(table.columns):
                more = f"{len(table.columns) - len(listed):,} more columns"
                print(f"  … {more}; pandas-magic tables {one_line(table.name)} tells them all", file=self._out)
            for note in table.notes:
                print(f"  ({one_line(note)})", file=self._out)
        for name, reason in unreadable.items():
            print(f"{one_line(name)} · cannot be read: {one_line(reason)}", file=self._out)
        if not tables and not unreadable:
            print("no tables here", file=self._out)

    def _table(self, results: Sequence[Result]) -> str:
        rows = []
        for result in results:
            run = result.run
            named = result.compiled.check.name if result.compiled else ""
            rows.append(
                (
                    run.check_id,
                    badge_of(run),
                    one_line(named),
                    _headline(result),
                )
            )
        return "\n".join(
            self._paint(line, result.run.verdict)
            for line, result in zip(self._aligned(rows).splitlines(), results, strict=True)
        )

    def _aligned(self, rows: Sequence[Sequence[str]]) -> str:
        return columns_of_text(rows, to_the_right=[False] * len(rows[0])) if rows else ""

    def _outcome_line(self, outcome: Compilation | PandasMagicError) -> str:
        if isinstance(outcome, PandasMagicError):
            return self._paint(f"! {error_line(outcome)}", Verdict.ERROR)
        proof = outcome.compiled.proof
        return f"{outcome.echo}  ({proof.in_words() if proof else 'not proved'})"

    def _paint(self, text: str, verdict: Verdict) -> str:
        return f"\x1b[{_COLOURS[verdict]}m{text}\x1b[0m" if self._coloured else text

    def _complain(self, error: Exception, code: str, line: str) -> None:
        self._clear()
        if self._as_json:
            meta = {"meta": {"error": line}} if self.error_in_meta else {}
            self._document({**meta, "error": {"name": type(error).__name__, "message": str(error), "code": code}})
        print(line, file=self._err, flush=True)

    def _clear(self) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=self._err, flush=True)

    def _document(self, content: Mapping[str, Any]) -> None:
        print(json.dumps(content, indent=2, ensure_ascii=False), file=self._out, flush=True)


def run_of(result: Result) -> dict[str, Any]:
    """A run as JSON, without its code."""
    return result.run.model_dump(mode="json", exclude={"code"})


def terminal_card(result: Result) -> Card:
    """The card of a result for where no magic can be typed."""
    # In a terminal a path says where the rows are, not a magic.
    artifact = result.run.artifact
    return replace(card_of(result), where=f"All failing rows: {artifact}" if artifact else "")


def _last_verdict(run: Run) -> str:
    """What came of it, with the files that it is on where these were named for that run alone."""
    given = f" ({', '.join(run.given.values())})" if run.given else ""
    return f"{outcome_in_words(run)}{given}"


def _headline(result: Result) -> str:
    found = one_line(result.run.headline)
    changes = result.run.changes
    if changes is None or not changes.has_any:
        return found
    return f"{found}; {one_line(changes.in_words())}"


def _said_of_passes(results: Sequence[Result]) -> list[str]:
    """The notes of what passed, which no card shows: what was tolerated, and which exceptions are obsolete."""
    passes = [result.run for result in results if result.run.verdict is Verdict.PASS]
    return [f"{run.check_id}  {one_line(note)}" for run in passes for note in run.notes]


def _outcome(outcome: Compilation | PandasMagicError) -> dict[str, Any]:
    if isinstance(outcome, PandasMagicError):
        facts = question_facts(outcome) if isinstance(outcome, RuleNotUnderstood) else {}
        return {"error": type(outcome).__name__, "message": str(outcome), **facts}
    return {"echo": outcome.echo, "proof": outcome.compiled.proof.to_dict() if outcome.compiled.proof else None}


def _entry(entry: Entry) -> dict[str, Any]:
    last = entry.last_run
    return {
        "check": entry.check.to_dict() if entry.check else {"id": entry.id},
        "state": entry.state,
        "stale": entry.stale,
        "review": standing(entry.compiled) if entry.compiled else "",
        "last_run": last.model_dump(mode="json", exclude={"code"}) if last else None,
    }
