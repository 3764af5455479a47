"""How Sphinx makes a site of the Markdown pages: `make docs`.

The pages are read as plain files too, so that they link to one another as files do, and the repository is the folder
of sources. Their one order is the lists of docs/index.md.
"""

import re
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexers

from pandas_magic import __version__

_PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_PART = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_PAGE = re.compile(r"\[[^]]+\]\((?P<page>[^)]+)\.md\)")

project = "pandas_magic"
author = copyright = _PROJECT["authors"][0]["name"]
version = release = __version__
extensions = ["myst_parser"]
include_patterns = ["*.md", "docs/*.md", "changes/README.md", "examples/**/README.md"]
exclude_patterns = [".*", "build", "tests", "benchmarks"]
root_doc = "docs/index"
html_theme = "furo"
html_title = f"pandas_magic {release}"
html_copy_source = False
# Blocks without a word for their language are commands, cells and what they print, which no lexer knows.
highlight_language = "text"
lexers["cron"] = TextLexer()
nitpicky = True
myst_heading_anchors = 4
# "[^a-z]" in a rule is a pattern.
myst_disable_syntax = ["footnote_ref", "footnote_inline", "footnote_def"]


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _make_navigation)


def _make_navigation(_: Sphinx, page: str, source: list[str]) -> None:
    """Below the lists of pages of docs/index.md, their navigation: a part for each heading."""
    if page != root_doc:
        return
    _, *parts = _PART.split(source[0])
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        pages = "\n".join(_PAGE.findall(text))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{pages}\n```\n"
