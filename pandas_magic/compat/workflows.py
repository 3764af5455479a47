"""The files of the planner-executor system that checks came from, in its exact shapes, for programs that read them.

workflows.json         "<check_id>::<check_name>" -> a plan and an execution, and what they were compiled against
checks_last.csv        the rules in a form whose SHA-256, `checks_hash`, changes with any of them and with nothing else
schema_cols.json       table -> columns
plan_prompt_log.jsonl  what was asked in words, and what was understood
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.history.journal import Journal
from pandas_magic.history.run import Run
from pandas_magic.planner.model.exchanges import Exchange, ExchangeLog
from pandas_magic.registry.checks_list import read_checks, write_checks
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.state import write_whole

WORKFLOWS, BASELINE, SCHEMAS, PROMPTS = "workflows.json", "checks_last.csv", "schema_cols.json", "plan_prompt_log.jsonl"
RULES = "checks.json"
_EMPTY_BASELINE = "check_id\n"


def export(
    folder: Path, checks: Mapping[str, CompiledCheck], *, rules: Path, catalog: Catalog, journal: Journal
) -> list[Path]:
    """Write the files below `folder`, and give their paths.

    `rules` is the list of rules that people edit; the baseline and its hash are of that file as it is. Where there is
    none, one is written beside the others from the registry.

    Raises: StateUnreadable when a check or the list of rules is damaged.
    """
    is_listed = rules.exists()
    if not is_listed:
        rules = folder / RULES
        write_checks(rules, [compiled.check for compiled in checks.values()])
    read_checks(rules)  # says what is wrong with the file, if anything is
    baseline = stable_csv(json.loads(rules.read_text(encoding="utf-8")))
    checks_hash = hashlib.sha256(baseline.encode()).hexdigest()
    last = journal.last_runs()
    entries = {
        f"{compiled.id}::{compiled.check.name}": workflow(compiled, last.get(compiled.id), checks_hash)
        for compiled in checks.values()
    }
    log = prompts(checks, ExchangeLog(journal.folder))
    texts = {
        WORKFLOWS: _json(entries),
        BASELINE: baseline,
        SCHEMAS: _json(_columns(checks, catalog)),
        PROMPTS: "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in log),
    }
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [*([] if is_listed else [rules]), *(folder / name for name in texts)]


def stable_csv(entries: list[dict[str, Any]]) -> str:
    """The rules as CSV with columns and rows in an order of their own: equal rules give equal text.

    Lists are written as JSON; what an entry does not say stays empty.
    """
    if not entries:
        return _EMPTY_BASELINE
    table = pd.DataFrame(entries)
    table = table[sorted(table.columns)]
    for column in table.columns:
        table[column] = table[column].map(_flat)
    lines = table.map(str).agg("|".join, axis=1)
    text: str = table.loc[lines.sort_values().index].to_csv(index=False, lineterminator="\n")
    return text


def workflow(compiled: CompiledCheck, run: Run | None, checks_hash: str) -> list[dict[str, Any]]:
    """The plan and the last execution of a check.

    An execution is only of the code that the check has now: after an edit the last run says nothing of it.
    """
    against = {
        "checks_hash": checks_hash,
        "schema_cols": {name: list(columns) for name, columns in compiled.schemas.items()},
    }
    ran = run is not None and run.code_digest in ("", compiled.code_digest)
    executed = _executed(compiled, run if ran else None)
    at = run.started_at if run is not None and ran else compiled.compiled_at
    return [
        {
            "type": "plan",
            "artifact": compiled.plan.to_dict(),
            "compiled_at": compiled.compiled_at,
            "compiled_against": against,
        },
        {"type": "execution", "artifact": executed, "compiled_at": at, "compiled_against": against},
    ]


def prompts(checks: Mapping[str, CompiledCheck], exchanges: Iterable[Exchange]) -> list[dict[str, Any]]:
    """What was asked and answered for each check: by the rule compiler one exchange, by a model those of its log."""
    asked: dict[str, dict[str, Any]] = {}
    log = []
    for exchange in exchanges:
        request = asked[exchange.sha256] = exchange.request or asked.get(exchange.sha256, {})
        log.append(
            {
                "ts": exchange.at,
                "check_id": exchange.about,
                "model": exchange.model,
                "prompt_msgs": request.get("messages", []),
                "response_text": exchange.answer or exchange.error,
                "inputs": {"disclosure": exchange.disclosure, "outcome": exchange.outcome},
            }
        )
    for compiled in checks.values():
        schemas = {name: list(columns) for name, columns in compiled.schemas.items()}
        log.append(
            {
                "ts": compiled.compiled_at,
                "check_id": compiled.id,
                "model": compiled.planner,
                "prompt_msgs": [{"role": "user", "content": compiled.check.rule}],
                "response_text": compiled.plan.goal,
                "inputs": {"schema_cols": schemas},
            }
        )
    return sorted(log, key=lambda entry: str(entry["ts"]))


def _executed(compiled: CompiledCheck, run: Run | None) -> dict[str, Any]:
    if run is not None:
        return run.model_copy(update={"code": compiled.code}).to_dict()
    return {"python_repls": [], "result": {"status": "SKIPPED", "summary": "SKIPPED: this code has not run yet"}}


def _columns(checks: Mapping[str, CompiledCheck], catalog: Catalog) -> Mapping[str, list[str]]:
    """The columns of every table that a check is about; none of a table that cannot be read."""
    names = sorted({name for compiled in checks.values() for name in (*compiled.check.tables, *compiled.plan.reads)})
    columns: dict[str, list[str]] = {}
    for name in names:
        try:
            columns[name] = list(catalog.schema(name).columns)
        except (NoSuchName, TableUnreadable):
            columns[name] = []
    return columns


def _flat(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    return json.dumps(value, sort_keys=True) if isinstance(value, (list, dict)) else value


def _json(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)
