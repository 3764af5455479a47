"""A card as text, for terminals, `jupyter console` and comparisons: no clock, path, id or duration in it."""

from collections.abc import Sequence
from textwrap import indent, wrap

from pandas_magic.reporters.card import Card
from pandas_magic.reporters.preview import Preview

WIDTH = 100  # characters; longer sentences wrap under their label
_LABEL = 18  # characters; the longest label is "A failing row is"


def plain(card: Card) -> str:
    """The card as lines of text, the verdict first."""
    head = f"{card.badge}  {card.check_id}"
    head += f" · {card.title}" if card.title else ""
    head += f"  ({card.about})" if card.about else ""
    parts = [head, *wrap(card.headline, WIDTH, initial_indent="  ", subsequent_indent="  ")]
    parts += [line for label, text in card.facts for line in _fact(label, text)]
    parts += [line for step in card.steps[:1] for line in _fact("Plan", step)]
    parts += [line for step in card.steps[1:] for line in _fact("", step)]
    parts += _block("Code", card.code) + _block("Printed", card.stdout)
    if card.failing:
        parts += ["  Failing rows", indent(plain_table(card.failing), "    ")]
        parts += [f"  {line}" for line in (card.failing.left_out(), card.where) if line]
    parts += [f"  Note: {note}" for note in card.notes]
    return "\n".join(parts)


def plain_table(shown: Preview) -> str:
    """The rows under their header, in columns two spaces apart, numbers to the right."""
    return columns_of_text([shown.header, *shown.rows], to_the_right=shown.numeric)


def columns_of_text(rows: Sequence[Sequence[str]], *, to_the_right: Sequence[bool]) -> str:
    """Rows of texts as aligned lines, without trailing spaces."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, to_the_right, strict=True)
        lines.append("  ".join(text.rjust(w) if right else text.ljust(w) for text, w, right in cells).rstrip())
    return "\n".join(lines)


def _fact(label: str, text: str) -> list[str]:
    start = f"  {label:<{_LABEL}}"
    return wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def _block(label: str, text: str) -> list[str]:
    return [f"  {label}", indent(text, "    ")] if text else []
