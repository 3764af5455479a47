"""A card as Markdown, for pull requests, GitHub and readers of a notebook's file."""

import re
from collections.abc import Sequence

from pandas_magic.reporters.card import Card
from pandas_magic.reporters.preview import Preview

# All of ASCII's punctuation that CommonMark or its table and link extensions give a meaning to.
_MEANINGFUL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:@$])")


def markdown(card: Card) -> str:
    """The card as CommonMark with tables; code and plan are folded."""
    title = f" {escaped(card.title)}" if card.title else ""
    parts = [f"**{card.badge}** **{escaped(card.check_id)}**{title}", escaped(card.headline)]
    if card.facts:
        parts.append("\n".join(f"- {escaped(label)}: {escaped(text)}" for label, text in card.facts))
    if card.steps:
        parts.append(_folded("Plan", "\n".join(f"{n}. {escaped(step)}" for n, step in enumerate(card.steps, 1))))
    if card.code:
        parts.append(_folded("Code", fenced(card.code, "python")))
    if card.stdout:
        parts.append(_folded("Printed", fenced(card.stdout, "text")))
    if card.failing:
        parts.append(markdown_table(card.failing))
        parts += [escaped(line) for line in (card.failing.left_out(), card.where) if line]
    parts += [f"> {escaped(note)}" for note in card.notes]
    return "\n\n".join(parts) + "\n"


def markdown_table(shown: Preview) -> str:
    """The rows as a Markdown table."""
    return table_of_markdown([shown.header, *shown.rows], to_the_right=shown.numeric)


def table_of_markdown(rows: Sequence[Sequence[str]], *, to_the_right: Sequence[bool]) -> str:
    """Rows of texts, the first one the header, as a Markdown table."""
    lines = [f"| {' | '.join(map(escaped, row))} |" for row in rows]
    rule = f"|{'|'.join(' ---: ' if right else ' --- ' for right in to_the_right)}|"
    return "\n".join([lines[0], rule, *lines[1:]])


def escaped(text: str) -> str:
    """The text so that Markdown and HTML show it as it is.

    JupyterLab renders HTML inside the Markdown of a live cell with the page's rights, hence the entities.
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MEANINGFUL.sub(r"\\\1", text)


def fenced(code: str, language: str) -> str:
    """The code in a fence that is longer than any run of backticks inside it."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def _folded(label: str, content: str) -> str:
    return f"<details><summary>{label}</summary>\n\n{content}\n\n</details>"
