"""`--report alerts`: who answers for a check is told once when its verdict changes, and nothing is lost on the way.

What is to be told is written down first, in the workspace's folder of state, and taken out of it when the receiver has
answered that it has it. What a run could not deliver, the next one sends. Like every message to a chat it holds ids,
names, severities, owners and counts; never a value of a row, nor an error's text.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from pandas_magic.catalog.sources.addresses import expanded
from pandas_magic.checking.result import Result
from pandas_magic.errors import StateUnreadable, UsageMistake, nearest_name
from pandas_magic.history.run import Verdict
from pandas_magic.record import Record
from pandas_magic.reporters.value_text import counted
from pandas_magic.reporters.webhook import MOST_TOLD, NotPosted, in_slack_form, line_of, post
from pandas_magic.state import locked, unversioned_folder, write_whole

_FILE = "alerts.json"
_PAUSES_SECONDS = (1.0, 4.0)  # before the second and the third attempt; there is no fourth
_TOLD = (Verdict.PASS, Verdict.FAIL, Verdict.ERROR)  # SKIPPED says nothing of the data


@dataclass(frozen=True)
class Addresses:
    """Where alerts go: to the owner's address, else to that for all."""

    of_owners: Mapping[str, str]
    for_all: str = ""  # "": nowhere

    def of(self, owner: str) -> str:
        """The owner's address. Raises: UsageMistake when there is none, or a variable in it is not set."""
        if owner in self.of_owners:
            return expanded(self.of_owners[owner], f'setting "alerts": the address of "{owner}"')
        if self.for_all:
            return self.for_all
        guess = nearest_name(owner, self.of_owners)
        known = f'; it has one for "{guess}"' if guess else ""
        whose = f'owner "{owner}"' if owner else "checks without an owner"
        raise UsageMistake(f'no address for {whose}: add one to the setting "alerts", or set "webhook"{known}')


class _Alert(Record):
    """One change of a verdict, in the words in which it is told."""

    check_id: str
    owner: str
    line: str


class _Memory(Record):
    """What was seen of each check last, and what nobody has been told yet, oldest first."""

    version: Literal[1] = 1
    seen: dict[str, Verdict] = Field(default_factory=dict)
    untold: tuple[_Alert, ...] = ()


def send_alerts(
    results: Sequence[Result],
    addresses: Addresses,
    *,
    title: str,
    folder: Path,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Tell each owner which checks gave another verdict than before; a check that passes at its first sight is no news.

    Raises: NotPosted when some are not told yet; StateUnreadable when it cannot be written down, and nothing is sent.
    """
    unversioned_folder(folder)
    path = folder / _FILE
    with locked(path):
        memory = _noticed(_read(path), results)
        _write(path, memory)
        problems = []
        for owner in dict.fromkeys(alert.owner for alert in memory.untold):
            try:
                address = addresses.of(owner)
                while due := [alert for alert in memory.untold if alert.owner == owner][:MOST_TOLD]:
                    _deliver(address, due, title, pause)
                    untold = tuple(alert for alert in memory.untold if alert not in due)
                    memory = memory.model_copy(update={"untold": untold})
                    _write(path, memory)
            except (NotPosted, UsageMistake) as error:
                problems.append(f'owner "{owner}": {error}' if owner and isinstance(error, NotPosted) else str(error))
    if problems:
        waiting = counted(len(memory.untold), "alert")
        raise NotPosted(f"{'; '.join(problems)} ({waiting} kept for the next run that reports alerts)")


def _noticed(memory: _Memory, results: Sequence[Result]) -> _Memory:
    """The memory with the verdicts of this run, and an alert for each that is another than before."""
    seen, untold = dict(memory.seen), list(memory.untold)
    for result in results:
        run = result.run
        # Edited code is no run of its check.
        if run.is_aside or run.verdict not in _TOLD:
            continue
        if run.verdict is not seen.get(run.check_id, Verdict.PASS):
            owner = result.compiled.check.owner.strip() if result.compiled else ""
            untold.append(_Alert(check_id=run.check_id, owner=owner, line=_line(result)))
        seen[run.check_id] = run.verdict
    return _Memory(seen=seen, untold=tuple(untold))


def _line(result: Result) -> str:
    return f"{line_of(result)} ({result.run.started_at})"


def _deliver(address: str, alerts: Sequence[_Alert], title: str, pause: Callable[[float], None]) -> None:
    content = in_slack_form(f"{title}: {counted(len(alerts), 'verdict')} changed", [alert.line for alert in alerts])
    for seconds in (*_PAUSES_SECONDS, None):
        try:
            return post(address, content)
        except NotPosted as error:
            if seconds is None or not error.may_pass:
                raise
            pause(seconds)


def _read(path: Path) -> _Memory:
    try:
        return _Memory.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return _Memory()
    except (OSError, ValidationError) as error:
        raise StateUnreadable(
            f"{path} cannot be read; move it away: each check that fails is then told again"
        ) from error


def _write(path: Path, memory: _Memory) -> None:
    write_whole(path, json.dumps(memory.to_dict(), indent=2, ensure_ascii=False) + "\n")
