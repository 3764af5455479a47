"""Markdown of a kernel without HTML, links and images, whatever reads it.

Nothing is cut as a reader of Markdown would cut it, for each of them does so in its own way. A blank after "<", and
before what would make brackets a link, is enough for all of them, and in code it stays readable.
"""

import re

from kernel_sandbox.front.tags import names

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?=[(:\[])")
# What MyST takes for a directive or a role, which could fetch or evaluate what stands there.
_DIRECTIVE, _ROLE = re.compile(r":(?=::)"), re.compile(r"\}(?=`)")
_FENCE = re.compile(r"(`{3,})([^\n`]*)(?=\n|\Z)|(~{3,})([^\n]*)")
_LANGUAGE = re.compile(r"\s*([\w+#.-]+)(?:\s[^{]*)?|\s*", re.ASCII)
# Front ends draw what such a fence holds, with a language of its own.
_DIAGRAMS = names("mermaid math katex")


def clean_markdown(text: str) -> str:
    """The Markdown with a blank in every tag, link and directive, so that it is text, and fences of code alone."""
    fenced = _FENCE.sub(_code_alone, text)
    return _ROLE.sub("} ", _DIRECTIVE.sub(": ", _LINK.sub("] ", _TAG.sub("< ", fenced))))


def _code_alone(fence: re.Match[str]) -> str:
    mark, words = fence[1] or fence[3], fence[2] or fence[4] or ""
    language = _LANGUAGE.fullmatch(words)
    return fence[0] if language and (language[1] or "").lower() not in _DIAGRAMS else f"{mark}text"
