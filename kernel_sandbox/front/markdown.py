"""Markdown of a kernel without HTML, links and images, whatever reads it.

Nothing is cut as a reader of Markdown would cut it, for each of them does so in its own way. A blank after "<", and
before what would make brackets a link, is enough for all of them, and in code it stays readable.
"""

import re

from kernel_sandbox.front.markup import formula_problem

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?=[(:\[])")
# Front ends draw what such a fence holds, with a language of its own.
_DIAGRAM = re.compile(r"([`~]{3}[ \t{.]{0,20})(?:mermaid|math|katex)", re.IGNORECASE)
_FORMULA_MARKS = ("$", "\\(", "\\[", "\\begin")


def clean_markdown(text: str) -> str:
    """The Markdown with a blank in every tag and link, so that it is text."""
    return _DIAGRAM.sub(r"\1text", _LINK.sub("] ", _TAG.sub("< ", text)))


def markdown_problem(text: str) -> str | None:
    """Why Markdown is shown as its source, or None: what it has typeset is held to the same macros as a formula."""
    return formula_problem(_TAG.sub("< ", text)) if any(mark in text for mark in _FORMULA_MARKS) else None
