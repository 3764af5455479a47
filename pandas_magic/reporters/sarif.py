"""A run as SARIF 2.1.0: each check a rule, each one that did not pass a result at the line of its rule.

It holds ids, names, rules and counts; never a value of a row, nor an error's text, which may quote one.

Source: OASIS SARIF 2.1.0; GitHub's "SARIF support for code scanning" for what a code host reads of it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pandas_magic import __version__
from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.record import digest
from pandas_magic.registry.rule_places import RulePlace
from pandas_magic.reporters.value_text import clean_lines, one_line

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(
    results: Sequence[Result], not_run: Sequence[str] = (), *, places: Mapping[str, RulePlace], base_dir: Path
) -> str:
    """The log as JSON, with paths relative to the repository that holds `base_dir`.

    A check that could not be judged is a result too: a code host takes what is not named for mended.
    """
    root = _repository(base_dir)
    bad = [result for result in results if result.run.verdict in (Verdict.FAIL, Verdict.ERROR)]
    unfinished = [{"level": "error", "message": {"text": f"{one_line(check_id)} did not run"}} for check_id in not_run]
    run = {
        "tool": {
            "driver": {"name": "pandas_magic", "version": __version__, "rules": [_rule(each) for each in results]}
        },
        "invocations": [
            {
                "executionSuccessful": not unfinished and all(each.run.verdict is not Verdict.ERROR for each in bad),
                "toolExecutionNotifications": unfinished,
            }
        ],
        "results": [_result(each, places.get(each.run.check_id), root) for each in bad],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _repository(base_dir: Path) -> Path:
    base = base_dir.resolve()
    return next((folder for folder in (base, *base.parents) if (folder / ".git").exists()), base)


def _rule(result: Result) -> dict[str, Any]:
    check = result.compiled.check if result.compiled else None
    said: dict[str, Any] = {"id": result.run.check_id, "defaultConfiguration": {"level": _level(result)}}
    if check is not None:
        said["shortDescription"] = {"text": one_line(check.name or check.rule)}
        said["fullDescription"] = {"text": clean_lines(check.rule)}
        about = {"severity": check.severity, "owner": check.owner, "tags": list(check.tags)}
        said["properties"] = {name: value for name, value in about.items() if value}
    return said


def _result(result: Result, place: RulePlace | None, root: Path) -> dict[str, Any]:
    run = result.run
    is_error = run.verdict is Verdict.ERROR
    text = "it could not be judged" if is_error else one_line(run.headline)
    said: dict[str, Any] = {
        "ruleId": run.check_id,
        "level": "error" if is_error else _level(result),
        "message": {"text": f"{run.verdict} {one_line(run.check_id)}: {text}"},
        # The same while the check is the same, so that an alert outlives a rule that moves to another line.
        "partialFingerprints": {"primaryLocationLineHash": digest(run.check_id)},
    }
    return said | ({"locations": [_location(place, root)]} if place else {})


def _level(result: Result) -> str:
    return "warning" if result.compiled and result.compiled.check.severity == "low" else "error"


def _location(place: RulePlace, root: Path) -> dict[str, Any]:
    path = place.path.resolve()
    uri = quote((path.relative_to(root) if path.is_relative_to(root) else path).as_posix())
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": place.line},
        }
    }
