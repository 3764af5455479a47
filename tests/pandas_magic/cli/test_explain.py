"""`pandas-magic explain`: what a file of pandas code checks, in words that mean only that.

It runs what docs/tests.md shows.
"""

import json
from pathlib import Path

import pytest

from pandas_magic.cli.main import main
from pandas_magic.planner.language.canonical import read_canonical

TOTAL = "orders: total must be present and total must be greater than 0"
EXAMPLES = Path(__file__).parents[3] / "examples"


def explained(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[dict[str, object]]:
    assert main(["explain", "-C", str(EXAMPLES), "--json", *map(str, words)]) == 0
    return list(json.loads(capsys.readouterr().out)["checks"])


def test_the_assertions_of_a_file_are_said_in_canonical_words(capsys: pytest.CaptureFixture[str]) -> None:
    found = explained(capsys, EXAMPLES / "tests" / "assertions.py")
    assert [one["rule"] for one in found] == [
        "orders: order_id must be unique",
        # A missing value makes the assertion false, and a mask leaves it alone.
        TOTAL,
        "orders: user_id must be among users.user_id",
        "orders: quantity must be at least 1",
        "orders: ship_date must be >= order_date",
        "orders: discount must be present and discount must be at least 0 and discount must be at most 100",
        TOTAL,
        "",
    ]
    assert all(read_canonical(str(one["rule"])) for one in found if one["rule"])
    assert [one["changed"] for one in found[4:6]] == [[], [15]]
    assert found[-1]["problem"]


def test_a_frame_without_a_tables_name_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "frames.py"
    file.write_text("assert df['total'].gt(0).all()\nassert helper(orders)\n")
    assert [one["rule"] for one in explained(capsys, file)] == ["", ""]
    assert explained(capsys, file, "--table", "orders")[0]["rule"] == TOTAL
    assert main(["explain", "-C", str(EXAMPLES), str(file), "--table", "ordres"]) == 2
    file.write_text("no Python at all\n")
    assert main(["explain", "-C", str(EXAMPLES), str(file)]) == 2
    assert main(["explain", "-C", str(EXAMPLES), str(tmp_path / "none.py")]) == 2
