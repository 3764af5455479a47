"""Times as people here write them."""

import time

import pytest

from pandas_magic.clock import to_the_day, to_the_minute


def test_times_are_told_in_local_time_to_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert to_the_minute("2026-11-22T18:30:59Z") == "2026-11-23 03:30"
        assert to_the_day("2026-11-22T18:30:59Z") == "2026-11-23"
        assert to_the_minute("yesterday") == "yesterday"
        assert to_the_minute("") == to_the_day("") == ""
    finally:
        monkeypatch.undo()
        time.tzset()
