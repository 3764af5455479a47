"""What the log says of each run, and how a line of it is written and read."""

import getpass
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from pandas_magic.history.run import Run, Verdict
from pandas_magic.record import digest

# What code printed is kept to this many characters; a loop that prints would fill the log.
_STDOUT_CHARACTERS = 10_000
CHECK, SESSION = "check", "session"  # what a line is about
_FRAME = "a DataFrame"


class PastRun(NamedTuple):
    """A run as history needs it: small, since there may be a hundred thousand. The log has every other field."""

    run_id: str
    check_id: str
    verdict: str
    started_at: str  # ISO 8601, UTC, ending in Z
    seconds: float
    violation_count: int | None
    rows: int | None
    summary: str
    artifact: str
    session: str
    rule_digest: str
    code_digest: str
    exceptions: str = ""
    rows_digest: str = ""
    since: str = ""  # from which partition on it judged its table; "": all of it
    edited: bool = False  # whether it ran other code than the registry's
    warned: bool = False  # whether it passed though rows break the rule
    nothing_judged: bool = False  # whether it passed without a row that was judged
    # Table -> what was read for it: "" its own file or address, a path that was named, "a DataFrame"; None: not told
    sources: Mapping[str, str] | None = None
    trial: str = ""  # as `Run.trial`

    @property
    def is_aside(self) -> bool:
        """As `Run.is_aside`."""
        return self.edited or bool(self.since) or bool(self.trial)

    @property
    def is_of_part(self) -> bool:
        """As `Run.is_of_part`."""
        return bool(self.since) and self.judged

    @property
    def judged(self) -> bool:
        """Whether the tables were looked at: the verdict is PASS or FAIL."""
        return self.verdict in (Verdict.PASS, Verdict.FAIL)


class SessionStart(NamedTuple):
    """One use of the checks: a scheduled run, or a notebook. `planned` is what it set out to run."""

    session: str
    started_at: str
    kind: str
    planned: tuple[str, ...]


def line_of_run(run: Run) -> str:
    """The run as a line: the fields that every kind of run has there, then its own but for those at their default.

    The code is left out, which the registry or the notebook holds.
    """
    fields = run.model_dump(mode="json", exclude={"code"}, exclude_defaults=True)
    if len(run.stdout) > _STDOUT_CHARACTERS:
        fields["stdout"] = f"{run.stdout[:_STDOUT_CHARACTERS]}… ({len(run.stdout):,} characters)"
    shared = {
        "run_id": run.run_id,
        "timestamp": run.started_at,
        "user_id": _user(),
        "dataset_hash": digest(run.fingerprints) if run.fingerprints else "",
        "runtime_ms": int(1000 * run.seconds),
        "exit_code": int(run.verdict is Verdict.ERROR),
        "errors": [run.error] if run.error else [],
        "action": CHECK,
    }
    return json.dumps({**shared, **fields}, ensure_ascii=False)


def line_of_session(start: SessionStart) -> str:
    """A session's beginning as a line."""
    return json.dumps({"action": SESSION, **start._asdict()}, ensure_ascii=False)


def parsed(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None when it holds none."""
    try:
        content = from_json(line)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def past_run(content: Mapping[str, Any]) -> PastRun | None:
    """The run that a line tells of; None when it tells of something else, or not enough."""
    read = content.get
    try:
        seconds = float(content["seconds"])
        run_id, check_id, began = content["run_id"], content["check_id"], content["started_at"]
        if content["verdict"] not in _VERDICTS or type(run_id) is not str or type(check_id) is not str:
            return None
    except (KeyError, TypeError, ValueError):
        return None
    if type(began) is not str:
        return None
    found = (run_id, check_id, content["verdict"], began, seconds, read("violation_count"), read("rows"))
    texts = [read(name, "") for name in _TEXTS]
    tables, given = read("fingerprints"), read("given", {})
    sources = sources_of(tables, given) if tables and isinstance(tables, dict) and isinstance(given, dict) else None
    edited, warned, nothing_judged = (bool(read(name)) for name in ("edited", "warned", "nothing_judged"))
    return PastRun(*found, *texts)._replace(
        edited=edited, warned=warned, nothing_judged=nothing_judged, sources=sources, trial=read("trial", "")
    )


def sources_of(fingerprints: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """What a run read for each table, as `PastRun.sources` has it."""
    return {name: given.get(name, "" if identity else _FRAME) for name, identity in fingerprints.items()}


def session_start(content: Mapping[str, Any]) -> SessionStart | None:
    """The beginning of a session that a line tells of; None when it tells of something else."""
    try:
        planned = tuple(map(str, content["planned"]))
        return SessionStart(str(content["session"]), str(content["started_at"]), str(content["kind"]), planned)
    except (KeyError, TypeError):
        return None


def whole_run(line: bytes) -> Run | None:
    """Every field of the run in a line; None when it cannot be read."""
    content = parsed(line)
    if content is None:
        return None
    known = {name: value for name, value in content.items() if name in Run.model_fields}
    try:
        return Run.from_dict({"code": "", **known})
    except ValidationError:
        return None


_VERDICTS = frozenset(map(str, Verdict))
_TEXTS = PastRun._fields[7:-5]  # what older lines lack is empty


@cache
def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may give the process an id without a name
        return ""
