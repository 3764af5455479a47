"""The page to send on: whole, escaped, without script, and without values of rows unless they are asked for."""

from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.cli.main import main
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.dashboard.shared_page import shared_page
from pandas_magic.workspace import Workspace
from tests.pandas_magic.reporters.dashboard.conftest import past


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.ids += [said["id"]] if "id" in said else []
        self.links += [said["href"]] if "href" in said else []
        self.loaded += [said[name] for name in ("src", "srcset", "data", "action") if name in said]


def test_every_check_has_its_part_with_its_history_and_nothing_is_loaded_or_run(three_checks: Workspace) -> None:
    page = shared_page(three_checks)
    outline = _Outline()
    outline.feed(page)
    assert "script" not in outline.tags and not outline.loaded
    assert {link for link in outline.links if link != "#top"} == {"#CHK-001", "#CHK-002", "#CHK-003"}
    assert {"CHK-001", "CHK-002", "CHK-003", "top"} == set(outline.ids)
    assert "3 checks: 1 FAIL, 1 PASS, 1 not run yet" in page and "failing since 2026-11-02" in page
    assert "Passing &lt;b&gt;check&lt;/b&gt;" in page and "<b>check</b>" not in page
    assert "flags 4 of 4 planted violations" in page and "It never ran here" in page and "event_id" in page


@pytest.mark.parametrize("with_rows", [False, True])
def test_values_of_rows_are_in_the_page_only_when_asked_for(
    three_checks: Workspace, with_rows: bool, tmp_path: Path
) -> None:
    failing = past("CHK-001", Verdict.FAIL, 1, day=9, stdout="secret: 901")
    three_checks.journal.keep(failing.holding(pd.DataFrame({"event_id": [1], "card": ["4111-secret"]}), None))
    path = tmp_path / "out" / "page.html"
    words = ["share", "-C", str(three_checks.base_dir), "-o", str(path), *(["--rows"] if with_rows else [])]
    assert main(words) == 0
    page = path.read_text(encoding="utf-8")
    assert ("4111-secret" in page) is with_rows and ("secret: 901" in page) is with_rows
