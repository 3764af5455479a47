"""The time that rules mean by "now" and "today", passed in so that runs can be repeated."""

import secrets
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
        utc = datetime.now(UTC)
        return cls(local=utc.astimezone().replace(tzinfo=None), utc=utc)

    @classmethod
    def at(cls, iso: str) -> "Instant":
        """The moment that an ISO 8601 text names; without an offset it is local time.

        Raises: UsageMistake when it is no such text.
        """
        try:
            moment = datetime.fromisoformat(iso).astimezone()
        except ValueError as error:
            raise UsageMistake(
                f'setting "now" cannot be "{iso}"; write it as 2026-01-31 or 2026-01-31T08:00'
            ) from error
        return cls(local=moment.replace(tzinfo=None), utc=moment.astimezone(UTC))


def timestamp() -> str:
    """The present as ISO 8601 in UTC, to the second, ending in Z."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def run_id() -> str:
    """A new id of a run: its UTC time, to sort by, and six random hex digits."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
