"""Which checks a selection means, and what a parameter is."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.result import Entry, Result
from pandas_magic.cli.parameters import parameters_of, parse_pairs
from pandas_magic.cli.selection import parse_selection, select
from pandas_magic.errors import UsageMistake
from pandas_magic.registry.roster import Listed


@pytest.fixture
def entries(make_result: Callable[..., Result], make_compiled: Callable[..., Any]) -> list[Entry]:
    one = make_compiled("CHK-001", tags=("money", "night"), severity="high", owner="A@x.com")
    two = make_compiled("CHK-002", tags=("join",), severity="low")
    two = two.model_copy(update={"plan": two.plan.model_copy(update={"reads": {"orders": ("id",)}})})
    three = make_compiled("KEY-3", severity="high")
    return [
        Entry(Listed(one.id, one.check, one), make_result("FAIL").run, ""),
        Entry(Listed(two.id, two.check, two), make_result("PASS").run, "stale!"),
        Entry(Listed(three.id, three.check, three), None, ""),
    ]


@pytest.mark.parametrize(
    ("texts", "ids"),
    [
        ([], ["CHK-001", "CHK-002", "KEY-3"]),
        (["tag:money"], ["CHK-001"]),
        (["tag:money", "tag:join"], ["CHK-001", "CHK-002"]),
        (["severity:HIGH", "table:events"], ["CHK-001", "KEY-3"]),
        (["severity:high", "tag:join"], []),
        (["not:tag:money"], ["CHK-002", "KEY-3"]),
        (["-severity:low", "verdict:fail"], ["CHK-001"]),
        (["verdict:never"], ["KEY-3"]),
        (["stale"], ["CHK-002"]),
        (["not:stale", "id:CHK-*"], ["CHK-001"]),
        (["owner:a@X.com"], ["CHK-001"]),
        (["table:ord*"], ["CHK-002"]),
    ],
)
def test_same_kinds_widen_and_others_narrow(entries: list[Entry], texts: Sequence[str], ids: list[str]) -> None:
    found = select(entries, [parse_selection(text) for text in texts])
    assert [entry.id for entry in found] == ids


@pytest.mark.parametrize("text", ["tags:x", "stale:x", "tag:", "tag", "", "not:", "--tag:x"])
def test_a_selection_that_cannot_be_meant_says_what_can(text: str) -> None:
    with pytest.raises(UsageMistake, match=r"cannot select by .*; there are tag:…, severity:…"):
        parse_selection(text)


def test_parameters_are_settings_or_tables(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("a\n1\n")
    said = parameters_of(
        parse_pairs(["now=2026-01-01", f"orders={tmp_path}/old.csv", "bucket=s3://b/k", "base_dir=x", "wall_seconds=5"])
    )
    assert said.settings == {"now": "2026-01-01", "wall_seconds": "5"}
    assert said.tables == {"orders": tmp_path / "old.csv", "bucket": "s3://b/k"}
    assert said.base_dir == Path("x")


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["now"], 'a parameter is key=value, and "now" is not'),
        (["now=1", "now=2"], 'parameter "now" is given twice'),
        (["nwo=2026-01-01"], 'parameter "nwo" is no setting .* Did you mean "now"?'),
        (["webhook=secret"], 'parameter "webhook" is no setting'),
    ],
)
def test_a_parameter_that_cannot_be_meant_says_why(texts: Sequence[str], reason: str) -> None:
    with pytest.raises(UsageMistake, match=reason):
        parameters_of(parse_pairs(texts))
