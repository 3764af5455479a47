"""What pages and contributors are told is there: files, rooms, commands, actions."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pandas_magic.notebook.check_commands import ACTIONS
from tests.test_architecture import ROOMS, ROOMS_WITHIN
from tests.test_public_names import parsers

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "changes" / "README.md", *ROOT.glob("examples/*/README.md")]
)
Rooms = tuple[tuple[str, ...], ...]
HOUSES: dict[str, Rooms] = {"pandas_magic": ROOMS, "kernel_sandbox": ROOMS_WITHIN["kernel_sandbox"]}
_TOPS = (*HOUSES, "tests", "docs", "changes", "benchmarks")
_PATH = re.compile(rf"`((?:{'|'.join(_TOPS)})/[\w./-]*)`")
_MODULE = re.compile(r"`(?:[\w/]+/)?(\w+\.py)`")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
_BLOCK = re.compile(r"```.*?```", re.DOTALL)


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def paths_named(page: Path) -> Iterator[Path]:
    """Files and folders of ours that stand in backticks, and what is linked."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    yield from (ROOT / named for named in _PATH.findall(text))
    yield from (page.parent / linked for linked in _LINK.findall(text))


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    assert not [str(path.relative_to(ROOT)) for path in paths_named(page) if not path.exists()]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    known = {path.name for top in (*_TOPS, "examples") for path in (ROOT / top).glob("**/*.py")}
    assert not set(_MODULE.findall(page.read_text(encoding="utf-8"))) - known


@pytest.mark.parametrize(("house", "rooms"), HOUSES.items())
def test_the_picture_of_the_house_shows_its_rooms_in_their_order(house: str, rooms: Rooms) -> None:
    picture = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"{house}/\n", 1)[1]
    lines = [line for line in re.split(r"\n\n|```", picture)[0].splitlines() if line]
    assert [tuple(re.split(r"\s{2,}", line.strip())[0].split(" · ")) for line in lines] == list(rooms)


@pytest.mark.parametrize(("house", "rooms"), HOUSES.items())
def test_the_table_of_rooms_has_a_line_for_each(house: str, rooms: Rooms) -> None:
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split(f"| `{house}` | |\n")[1]
    named = re.findall(r"^\| (`.*?`) \| ", table.split("\n\n")[0], re.MULTILINE)
    listed = {name.strip("`").removesuffix("/").removesuffix(".py") for cell in named for name in cell.split(", ")}
    assert listed - {"kernelspec"} == {room for line in rooms for room in line}


def test_a_check_gets_its_verdict_in_at_most_fifteen_stops() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    stops = re.findall(r"^\| (\d+) \| `([\w/]+\.py)`", text, re.MULTILINE)
    assert [int(number) for number, _ in stops] == list(range(1, len(stops) + 1))
    assert len(stops) <= 15
    assert all((ROOT / path).is_file() for _, path in stops)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_command_and_action_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not set(re.findall(r"[`\n]pandas-magic ([a-z]+)", text)) - set(parsers())
    assert not set(re.findall(r"`%checks ([a-z]+)", text)) - set(ACTIONS)
