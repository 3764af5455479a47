"""Which partitions are at or after a value: never one too few or too many, and refused where it cannot be told."""

import re
from pathlib import Path

import pytest

from pandas_magic.catalog.partition_names import partitions_since
from pandas_magic.errors import TableUnreadable

DAYS = ["day=2025-12-31", "day=2026-01-02", "day=2026-01-10"]
FILES = ["sales_2025-12-31.parquet", "sales_2026-01-02.parquet", "sales_20260110.parquet"]


def judged(names: list[str], since: str) -> list[str]:
    root = Path("/data/sales.parquet")
    files = [root / (name if name.endswith(".parquet") else f"{name}/rows.parquet") for name in names]
    chosen = partitions_since("sales", root, files, since)
    found = [name for name, path in zip(names, files, strict=True) if path in chosen.files]
    assert (chosen.count, chosen.of) == (len(found), len(set(names)))
    return found


@pytest.mark.parametrize(
    ("names", "since", "count"),
    [
        (DAYS, "2026-01-02", 2),
        (DAYS, "day=2026-01-03", 1),
        (DAYS, "2026-01", 2),
        (DAYS, "2025", 3),
        (DAYS, "20260110", 1),
        (FILES, "2026-01-02", 2),
        (FILES, "2026", 2),
        (["year=2025/month=12", "year=2026/month=2", "year=2026/month=10"], "2026-02", 2),
        (["country=DE/day=2026-01-01", "country=FR/day=2026-01-02"], "2026-01-02", 1),
        (["country=DE/day=2026-01-01", "country=FR/day=2026-01-02"], "country=EE", 1),
        (["batch=9", "batch=10", "batch=100"], "10", 2),
        (["batch=A09", "batch=A9", "batch=A10"], "A10", 1),
        (["week=2025-W52", "week=2026-W02"], "2026-W01", 1),
        (["at=2026-01-02T05%3A00", "at=2026-01-02T10%3A00"], "2026-01-02T06:00", 1),
    ],
)
def test_partitions_at_or_after_a_value_are_chosen(names: list[str], since: str, count: int) -> None:
    assert judged(names, since) == names[len(names) - count :]


@pytest.mark.parametrize(
    ("names", "since", "said"),
    [
        (DAYS, "2026-01-11", "no partition of sales is at or after"),
        (DAYS, "10/01/2026", 'partition "day=2025-12-31" of sales is before or after "10/01/2026" cannot be told'),
        (["month=2025-12", "month=2026-01"], "2026-01-15", "cannot be told"),  # January has rows after the fifteenth
        (["day=__HIVE_DEFAULT_PARTITION__", *DAYS], "2026-01-01", '"day=__HIVE_DEFAULT_PARTITION__" of sales'),
        (["day=31-12-2025", "day=02-01-2026"], "01-01-2026", "cannot be told"),
        (["size=1.5", "size=1.25"], "1.3", "cannot be told"),
        (["depth=-5", "depth=-3"], "-4", "cannot be told"),
        (["scale=1e5", "scale=2e3"], "1e4", "cannot be told"),
        (["version=v1.9", "version=v1.10"], "v1.9", "cannot be told"),
        (["batch=A9", "batch=B1"], "A9", '"batch=B1" of sales is before or after "A9" cannot be told'),
        (["country=DE/shop=1"], "2026", "name the one that counts: --since shop=VALUE"),
        (DAYS, "week=1", "sales is not partitioned by week, but by day"),
        (["year=2025/month=12", "year=2026/month=2"], "month=3", "give --since the year as well"),
        ([*FILES, "rest.parquet"], "2026-01-01", "rest.parquet has no date of its own in its name"),
        (["sales_2026-01-01_to_2026-01-31.parquet"], "2026-01-01", "has no date of its own"),
        (["sales_99999999.parquet"], "2026-01-01", "has no date of its own"),
        (FILES, "day=2026-01-01", "day names no folders of it"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(names: list[str], since: str, said: str) -> None:
    with pytest.raises(TableUnreadable, match=re.escape(said)):
        judged(names, since)
