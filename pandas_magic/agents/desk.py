"""The desk at which agents are served. Each public method is a tool; there is none that approves."""

from collections.abc import Callable
from typing import Any

from pandas_magic.agents.telling import Telling, answer, proof_in_words
from pandas_magic.checking.result import Entry
from pandas_magic.constraints import identifier
from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.history.causes import explain
from pandas_magic.history.run import Run
from pandas_magic.planner.model.disclosure import first_rows, table_facts
from pandas_magic.registry.approval import standing
from pandas_magic.registry.check_request import CheckRequest, check_meant
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace
from pandas_magic.workspace.compiling import compiled_check, with_code
from pandas_magic.workspace.running import echo_of, run_and_keep

_LAST_RUNS = 20


class Desk:
    """Answers about one workspace, each as text whose facts stand in one block of data. No tool raises."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def list_tables(self) -> str:
        """The tables of the workspace with their columns and types, as far as the owner lets agents see."""

        def told(telling: Telling) -> dict[str, Any]:
            tables, catalog = telling.tables, self._workspace.catalog
            with_rows = telling.reaches("samples")
            samples = {name: first_rows(catalog.frame(name)) for name in tables} if with_rows else None
            level = "samples" if telling.level == "rows" else telling.level
            return {"tables": table_facts(tables, level, samples)}

        return self._answered(told)

    def list_checks(self) -> str:
        """The checks of the workspace: id, rule, tables, last verdict, whether it is stale, whether it is approved."""
        return self._answered(lambda telling: {"checks": [_listed(entry) for entry in self._workspace.entries()]})

    def propose_check(self, rule: str, target: str = "", code: str = "", keep: bool = False) -> str:
        """Compile a rule written as a sentence, prove it on planted mistakes, run it confined, and tell the verdict.

        `target` names the table whose rows are checked, where the sentence does not. `code` is pandas of your own that
        binds `violations` to the rows that break the rule; it is proved against the sentence and must find the same
        rows as the compiler's code. With `keep` the check is saved as proposed: a person reads and approves it.
        """

        def propose(telling: Telling) -> dict[str, Any]:
            workspace, roster = self._workspace, self._workspace.roster()
            check = check_meant(CheckRequest(rule=rule, target=target or None), roster, workspace.registry)
            if keep and check.id in roster:
                raise UsageMistake(f"{check.id} has that rule already; run_check runs it")
            schemas = workspace.catalog.schemas(check.tables)
            made = compiled_check(workspace, check, schemas, on_progress=_say_nothing)
            compiled = with_code(workspace, made.compiled, code) if code.strip() else made.compiled
            if keep:
                compiled = workspace.registry.add(compiled)
            run = run_and_keep(workspace, compiled, _say_nothing) if keep else workspace.runner.run(compiled)
            told = {"understood": made.echo, "code": compiled.code, "proof": proof_in_words(compiled.proof)}
            kept = {"saved_as": compiled.id, "approval": "waits for a person"} if keep else {"saved_as": None}
            return {**told, **kept, **telling.run(run, rule)}

        return self._answered(propose, rule, target, code)

    def run_check(self, check_id: str) -> str:
        """Run a saved check on the tables as they are now, confined, and tell the verdict."""

        def run(telling: Telling) -> dict[str, Any]:
            result = self._workspace.run_saved(check_id)
            return {"check": check_id, **telling.run(result.run, _rule_of(result.compiled))}

        return self._answered(run, check_id)

    def explain_verdict(self, check_id: str) -> str:
        """What a check demands, with its code, proof and approval, and what its last run found."""

        def explained(telling: Telling) -> dict[str, Any]:
            listed = self._workspace.roster()[check_id]
            compiled, last = listed.compiled, self._workspace.journal.last_runs().get(check_id)
            if compiled is None:
                return {"check": check_id, "rule": listed.rule, "problem": telling.text(listed.problem, listed.rule)}
            return {
                "check": check_id,
                "rule": listed.rule,
                "understood": echo_of(compiled),
                "reads": {table: list(columns) for table, columns in compiled.plan.reads.items()},
                "a_violation_is": compiled.plan.violation_means,
                "code": compiled.code,
                "proof": proof_in_words(compiled.proof),
                "approval": standing(compiled),
                "stale": telling.text(self._workspace.stale_reason(compiled), listed.rule),
                "last_run": telling.run(last, listed.rule) if last else None,
            }

        return self._answered(explained, check_id)

    def failing_rows(self, check_id: str) -> str:
        """The rows that broke a check in its last run, as many as the owner lets agents see."""

        def found(telling: Telling) -> dict[str, Any]:
            last = self._last_run(check_id)
            rows = self._workspace.journal.kept_rows(last.run_id)
            return {"check": check_id, "run_id": last.run_id, "verdict": str(last.verdict)} | (
                {"rows": "none were kept"} if rows is None else telling.rows(rows)
            )

        return self._answered(found, check_id)

    def history(self, check_id: str) -> str:
        """The last runs of a check, the latest first: when, and with which verdict."""

        def runs(telling: Telling) -> dict[str, Any]:
            self._last_run(check_id)
            past = self._workspace.journal.history.runs(check_id)[: -_LAST_RUNS - 1 : -1]
            counts = telling.reaches("stats")
            told = [
                {"run_id": run.run_id, "started_at": run.started_at, "verdict": str(run.verdict)}
                | ({"violations": run.violation_count, "rows": run.rows} if counts else {})
                for run in past
            ]
            return {"check": check_id, "runs": told}

        return self._answered(runs, check_id)

    def why_changed(self, check_id: str) -> str:
        """Why a check's verdict changed: what differed (rule, code, data, decisions) between its last two outcomes."""

        def causes(telling: Telling) -> dict[str, Any]:
            found = explain(self._workspace.journal, check_id)
            differed = {cause.what: cause.difference for cause in found.causes}
            runs = {"before": telling.run(found.before), "after": telling.run(found.after)}
            return {"check": check_id, **runs, "differed": differed, "conclusion": found.conclusion()}

        return self._answered(causes, check_id)

    def run_confined(self, code: str, tables: str = "", result: str = "") -> str:
        """Run pandas code in a kernel without network, without files and with limits; nothing outlives it.

        `tables` names the tables that it gets as frames, with commas between; `result` names a frame that it binds.
        """

        def ran(telling: Telling) -> dict[str, Any]:
            names = [name.strip() for name in tables.split(",") if name.strip()]
            output = result if telling.reaches("rows") and result else None
            execution, frame = self._workspace.sandbox(code, names, output)
            return {"frames": [identifier(name) for name in names], **telling.execution(execution, frame)}

        return self._answered(ran, code, tables)

    def _telling(self) -> Telling:
        return Telling(self._workspace.settings.agents_see, self._workspace.catalog.schemas())

    def _answered(self, work: Callable[[Telling], dict[str, Any]], *known: str) -> str:
        telling = Telling("schema", {})
        try:
            telling = self._telling()
            return answer(work(telling))
        except Exception as error:  # this is an edge: an exception's own text would reach the agent unmarked
            return answer(telling.error(error, *known))

    def _last_run(self, check_id: str) -> Run:
        last = self._workspace.journal.last_runs()
        if check_id not in last:
            raise NoSuchName("check", check_id, last, within="the history")
        return last[check_id]


def _listed(entry: Entry) -> dict[str, Any]:
    last, compiled = entry.last_run, entry.compiled
    return {
        "check": entry.id,
        "rule": entry.listed.rule,
        "tables": list(entry.tables),
        "state": entry.state,
        "approval": standing(compiled) if compiled else None,
        "last_verdict": str(last.verdict) if last else None,
    }


def _rule_of(compiled: CompiledCheck | None) -> str:
    return compiled.check.rule if compiled else ""


def _say_nothing(_: str) -> None:
    """Nobody watches the progress."""
