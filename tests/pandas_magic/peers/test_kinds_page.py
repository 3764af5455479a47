"""The page about peers tells the truth: its table is what the writers express, the files are the examples."""

import os
from pathlib import Path

import pytest

from pandas_magic.constraints import kind
from pandas_magic.peers import WRITTEN, export_checks
from tests.pandas_magic.constraints.gallery import GALLERY
from tests.pandas_magic.peers.compiled import ROOT, compiled_check, example_checks

PAGE = ROOT / "docs" / "peers.md"
GOLDEN = ROOT / "tests" / "golden" / "peers"
FILES = {
    "great-expectations": "suite.json",
    "pandera": "schema.py.txt",
    "pandera-yaml": "schema.yaml",
    "dbt": "schema.yml",
    "soda": "checks.yml",
    "odcs": "contract.odcs.yaml",
}
_OPEN = "<!-- kinds: written by UPDATE_GOLDEN=1 pytest tests/pandas_magic/peers/test_kinds_page.py -->\n"
_CLOSE = "<!-- /kinds -->"


def table() -> str:
    """Kinds down, peers across: how many forms of the kind can be said."""
    forms: dict[str, list[str]] = {}
    for name, rule in GALLERY.items():
        forms.setdefault(kind(rule), []).append(name)
    lines = [f"| kind | {' | '.join(WRITTEN)} |", "|---" * (len(WRITTEN) + 1) + "|"]
    for name, rules in sorted(forms.items()):
        counts = [
            sum(bool(export_checks([compiled_check(rule, GALLERY[rule])], peer).expressed) for rule in rules)
            for peer in WRITTEN
        ]
        cells = ["all" if count == len(rules) else f"{count} of {len(rules)}" if count else "–" for count in counts]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def settle(path: Path, text: str) -> str:
    """The file as it is, or as it is from now on with UPDATE_GOLDEN=1."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def test_the_table_of_kinds_is_what_the_writers_express() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/pandas_magic/peers/test_kinds_page.py, then read the diff.
    before, rest = PAGE.read_text(encoding="utf-8").split(_OPEN)
    after = rest.split(_CLOSE)[1]
    page = f"{before}{_OPEN}{table()}{_CLOSE}{after}"
    assert settle(PAGE, page) == page


@pytest.mark.parametrize("peer", WRITTEN)
def test_the_example_checks_are_written_as_in_the_golden_file(peer: str) -> None:
    one_table = "users" if peer in ("great-expectations", "pandera-yaml") else None
    text = export_checks(example_checks(one_table), peer).text
    assert settle(GOLDEN / FILES[peer], text) == text
