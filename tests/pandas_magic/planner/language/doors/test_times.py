"""Code about times of the day means these, whether its columns hold texts, objects or moments."""

from datetime import time

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

TABLES = {
    "shifts": describe_frame(
        "shifts",
        pd.DataFrame({
            "von": ["08:30", "9:00"],
            "bis": ["09:15", "17:30"],
            "pause": [time(8, 45), time(12)],
            "took_min": [45, 510],
            "day": ["31.12.2026", "x"],
            "paid_at": pd.to_datetime(["2026-01-01 08:30", "2026-01-02 12:30"]),
        }),
    )
}  # fmt: skip
VON, BIS, PAUSE = (f"{name} read as a time of day" for name in ("von", "bis", "pause"))
PAID = "the time of day of paid_at"


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("CHECK (von::time < bis::time)", f"{VON} must be < {BIS}"),
        ("CHECK (CAST(von AS TIME) BETWEEN TIME '08:00' AND '20:00:30')", f"{VON} must be between 08:00 and 20:00:30"),
        ("CHECK (bis - von >= INTERVAL '30' MINUTE)", f"({BIS}) - ({VON}) must be at least 30 minutes"),
        (
            "CHECK (bis = von + took_min * INTERVAL '1' MINUTE)",
            f"{BIS} must equal ({VON}) + took_min * 1 minute",
        ),
        ("CHECK (pause > '08:00')", f"{PAUSE} must be after 08:00"),
        ("CHECK (pause > von)", f"{PAUSE} must be > {VON}"),
        ("CHECK (CAST(paid_at AS TIME) < '18:00')", f"{PAID} must be before 18:00"),
        ("df.paid_at.dt.time < datetime.time(18, 30)", f"{PAID} must be before 18:30"),
        ("df.pause.notna()", "pause must be present"),
        (
            "pd.to_timedelta(df.bis) - pd.to_timedelta(df.von + ':00') == pd.to_timedelta(df.took_min, unit='min')",
            f"({BIS}) - ({VON}) must equal took_min * 1 minute",
        ),
        ("pd.to_datetime(df.von, format='%H:%M') < pd.to_datetime(df.bis)", f"{VON} must be < {BIS}"),
        ("df.von >= '08:00'", "von must be at least '08:00'"),
    ],
)
def test_times_are_told_from_texts(code: str, meant: str) -> None:
    assert compile_rule(code, TABLES).echo == f"shifts: {meant}"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("CHECK (EXTRACT(HOUR FROM von) >= 8)", "a time of day has no parts"),
        ("CHECK (pause > 'noon')", "no time of the day"),
        ("pd.to_datetime(df.day, format='%d.%m.%Y') > '2026-01-01'", "in ISO 8601 alone"),
    ],
)
def test_what_would_leave_every_row_unjudged_is_refused(code: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=why):
        compile_rule(code, TABLES)
