"""How far something has come: share, rate and what remains, to whoever looks on."""

import pytest

from pandas_magic.catalog.progress import pace, tell, watched_by


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (0, 0.0, "reading t: 0 %"),
        (250, 0.5, "reading t: 25 %"),
        (250, 2.0, "reading t: 25 %, 125 MB/s, about 6 s left"),
        (10, 2.0, "reading t: 1 %, 5 MB/s, about 3 min 18 s left"),
        (1000, 9.0, "reading t: 100 %, 111 MB/s, nearly done"),
    ],
)
def test_pace_says_share_rate_and_what_remains(done: int, seconds: float, said: str) -> None:
    assert pace("reading t", done, 1000, seconds=seconds, unit="MB") == said


def test_what_is_told_reaches_the_one_who_looks_on_and_nobody_else() -> None:
    told: list[str] = []
    tell("before")
    with watched_by(told.append):
        tell("within")
    tell("after")
    assert told == ["within"]
