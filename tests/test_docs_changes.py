"""What a release's notes are made of: a file for each change, from which towncrier writes the part of CHANGELOG.md."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHANGES = ROOT / "changes"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed)\.md")
_BESIDE = {"README.md", "template.md.jinja"}


def build(folder: Path, *options: str) -> str:
    """What towncrier prints in a folder."""
    command = [sys.executable, "-m", "towncrier", "build", "--version", "0.0", "--date", "2027-01-31", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_each_change_has_a_name_and_a_type() -> None:
    names = {path.name for path in CHANGES.iterdir()} - _BESIDE
    assert not [name for name in names if not _NAME.fullmatch(name)], "see changes/README.md"


def test_each_change_is_a_sentence_or_a_few() -> None:
    for path in CHANGES.glob("*.*.md"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith(".\n") and text[0] not in "-*#", f"{path.name}: sentences, no list mark, no heading"
        assert len(text) < 800, f"{path.name}: one or two sentences"


def test_the_types_are_those_that_the_page_names() -> None:
    types = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]["type"]
    page = (CHANGES / "README.md").read_text(encoding="utf-8")
    assert [each["directory"] for each in types] == ["added", "changed", "fixed", "removed"]
    assert all(f"`{each['directory']}`" in page for each in types)


def test_the_draft_of_a_release_holds_every_change() -> None:
    draft = " ".join(build(ROOT, "--draft").split())
    for path in CHANGES.glob("*.*.md"):
        assert " ".join(path.read_text(encoding="utf-8").split()) in draft


def test_a_release_stands_above_the_earlier_ones_in_their_form(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md", "changes/template.md.jinja"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "changes" / "rows.added.md").write_text("Rows are counted,\nall of them.\n")
    (tmp_path / "changes" / "slow.fixed.md").write_text("It is fast.\n")
    (tmp_path / "changes" / "wrong.fixed.md").write_text("It is right.\n")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    before = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")

    build(tmp_path, "--yes")

    head, earlier = before.split("## 0.1.0", 1)
    release = (
        "## 0.0 (2027-01-31)\n\n### Added\n- Rows are counted,\n  all of them.\n\n"
        "### Fixed\n- It is fast.\n- It is right.\n\n"
    )
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == f"{head}{release}## 0.1.0{earlier}"
