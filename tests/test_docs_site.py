"""The site that `make docs` builds: links lead somewhere, every page has its place, nothing comes from elsewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.test_docs import PAGES, ROOT, page_name

PARTS = ["Tutorial", "How to", "Reference", "Explanation"]
_LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}


class Elements(HTMLParser):
    """What a page loads by itself, and its headings of navigation."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = dict(attributes)
        if said.get("rel") not in ("next", "prev", "index", "search") and (address := said.get(_LOADED.get(tag, ""))):
            self.loaded.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does: a warning, such as of a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    rule = re.search(r"-m (sphinx .*) build/site$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert rule is not None
    built = subprocess.run(
        [sys.executable, "-m", *rule[1].split(), "-d", folder / "doctrees", folder / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder / "html"


def test_every_page_is_in_one_of_four_parts(site: Path) -> None:
    for page in PAGES:
        built = (site / page_name(page)).with_suffix(".html").read_text(encoding="utf-8")
        assert re.findall(r'class="caption"[^>]*><span class="caption-text">(.*?)<', built) == PARTS
    assert len(list(site.glob("docs/*.html"))) == len(list(ROOT.glob("docs/*.md")))


def test_nothing_is_loaded_from_elsewhere_and_all_that_is_loaded_is_there(site: Path) -> None:
    for page in site.glob("**/*.html"):
        for address in Elements(page).loaded:
            parts = urlsplit(address)
            assert not parts.scheme and not parts.netloc, f"{page.name} loads {address}"
            assert (page.parent / unquote(parts.path)).exists(), f"{page.name} lacks {address}"
    for style in site.glob("**/*.css"):
        assert not re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", style.read_text(encoding="utf-8")), (
            style
        )
