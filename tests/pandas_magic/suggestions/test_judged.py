"""What is suggested for the examples is what stands judged in docs/suggest-judged.md, and four of five are sensible.

It runs what docs/suggest.md shows of the report.
"""

import importlib.util
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from pandas_magic.suggestions import Suggestion
from pandas_magic.suggestions.asking import suggestions_for
from pandas_magic.workspace import Workspace

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
_ROW = re.compile(r"\| (\S+) \| `+ ?(.+?) ?`+ \| (PASS|FAIL) \| (yes|no) \| .+ \|")
CODE = ["suggest/monthly_report.py", "tests/assertions.py"]


def judged() -> list[tuple[str, str, str, str]]:
    """What the page says: of what, the rule, what it finds, whether it is sensible."""
    lines = (ROOT / "docs" / "suggest-judged.md").read_text(encoding="utf-8").splitlines()
    return [match.group(1, 2, 3, 4) for line in lines if (match := _ROW.fullmatch(line))]


def offered(folder: Path, **files: str | None) -> dict[str, tuple[Suggestion, ...]]:
    """What is offered, by label: of files, and of all tables for None."""
    workspace = Workspace.open(folder)
    try:
        return {label: suggestions_for(workspace, what).offered for label, what in files.items()}
    finally:
        workspace.close()


def as_judged(found: Mapping[str, tuple[Suggestion, ...]]) -> list[tuple[str, str, str]]:
    return [(label, one.sentence, str(one.run.verdict)) for label, every in found.items() for one in every]


@pytest.fixture(scope="module")
def of_shop(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Suggestion, ...]]:
    folder = tmp_path_factory.mktemp("shop")
    shutil.copytree(EXAMPLES / "data", folder / "data")
    notebooks = {path.name: str(path) for path in sorted(EXAMPLES.glob("*.ipynb"))}
    assert len(notebooks) == 5
    return offered(folder, shop=None, **{name: str(EXAMPLES / name) for name in CODE}, **notebooks)


def test_the_page_judges_what_is_offered_for_the_shop_its_code_and_its_notebooks(
    of_shop: dict[str, tuple[Suggestion, ...]],
) -> None:
    assert as_judged(of_shop) == [row[:3] for row in judged() if row[0] != "flights"]


@pytest.mark.thorough
def test_the_page_judges_what_is_offered_for_flights(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("flights", EXAMPLES / "flights" / "flights.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.lay_tables(tmp_path / "data", 1)
    assert as_judged(offered(tmp_path, flights=None)) == [row[:3] for row in judged() if row[0] == "flights"]


def test_four_of_five_are_sensible_and_the_page_counts_them() -> None:
    rows = judged()
    sensible = [row for row in rows if row[3] == "yes"]
    assert len(sensible) / len(rows) >= 0.8
    page = (ROOT / "docs" / "suggest-judged.md").read_text(encoding="utf-8")
    for name, labels in {"tables of the shop": {"shop"}, "flights": {"flights"}, "code": set(CODE)}.items():
        good, all_ = (sum(row[0] in labels for row in each) for each in (sensible, rows))
        assert f"| {name} | {good} | {all_} | {100 * good / all_:.0f} % |" in page
    assert f"| all | {len(sensible)} | {len(rows)} | {100 * len(sensible) / len(rows):.0f} % |" in page


def test_the_report_is_suggested_for_as_the_page_shows(of_shop: dict[str, tuple[Suggestion, ...]]) -> None:
    page = (ROOT / "docs" / "suggest.md").read_text(encoding="utf-8")
    for number in (5, 6):
        assert "\n".join(of_shop[CODE[0]][number - 1].lines(number)) in page
