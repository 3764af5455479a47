"""The time that rules mean by "now", and that runs are recorded with; both can be set, so that runs can be repeated."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from pandas_magic.errors import UsageMistake


@dataclass(frozen=True)
class Instant:
    """One moment, as naive local time (what naive columns are compared with) and as aware UTC."""

    local: datetime
    utc: datetime

    @classmethod
    def current(cls) -> "Instant":
        """The moment of the call."""
        utc = present()
        return cls(local=utc.astimezone().replace(tzinfo=None), utc=utc)

    @classmethod
    def at(cls, iso: str) -> "Instant":
        """The moment that an ISO 8601 text names; without an offset it is local time.

        Raises: UsageMistake when it is no such text.
        """
        try:
            moment = datetime.fromisoformat(iso).astimezone()
        except (ValueError, OverflowError) as error:
            raise UsageMistake(
                f'setting "now" cannot be "{iso}"; write it as 2026-01-31 or 2026-01-31T08:00'
            ) from error
        return cls(local=moment.replace(tzinfo=None), utc=moment.astimezone(UTC))


def timestamp() -> str:
    """The present as ISO 8601 in UTC, to the second, ending in Z."""
    return present().strftime("%Y-%m-%dT%H:%M:%SZ")


def run_id() -> str:
    """A new id of a run: its UTC time, to sort by, and six random hex digits."""
    return f"{present():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"


def session_id() -> str:
    """The id of this use of the checks: what `PANDAS_MAGIC_SESSION` says, so that several processes may share one."""
    return os.environ.get("PANDAS_MAGIC_SESSION") or run_id()


def present() -> datetime:
    """The present in UTC; inside `stopped_at` the moment given there."""
    return _stopped[-1] if _stopped else datetime.now(UTC)


@contextmanager
def stopped_at(moment: datetime) -> Iterator[None]:
    """Let the clock of this process stand still at an aware moment: runs are recorded as of then.

    The setting `now` changes only what rules mean by "now"; this changes when a run is said to have begun, too.
    """
    _stopped.append(moment.astimezone(UTC))
    try:
        yield
    finally:
        _stopped.pop()


_stopped: list[datetime] = []


def to_the_minute(at: str) -> str:
    """An ISO 8601 time of ours as people here write it, in local time: "2026-11-22 03:00"; "" for "".

    A text that is no time stays as it is: one odd line of a log must not hide the others.
    """
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}" if at else ""
    except (ValueError, OverflowError):
        return at


def to_the_day(at: str) -> str:
    """The local day of an ISO 8601 time of ours: "2026-11-22"; "" for ""."""
    return to_the_minute(at)[:10]
