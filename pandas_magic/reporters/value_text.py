"""Values of data as text for people: never ambiguous, never longer than a line, never an escape sequence."""

MAX_CHARACTERS = 80  # of one value; a longer one would push the other columns off the screen

# How pandas writes a missing value. A text that reads the same is quoted, so that the two stay apart.
_MISSING_WORDS = {"nan", "none", "nat", "<na>", "null"}


def value_text(value: object, *, at_most: int = MAX_CHARACTERS) -> str:
    """The value as one line of at most `at_most` characters.

    A text is quoted when it is empty, begins or ends with a space, or reads like a missing value. Control
    characters, line breaks and marks that reorder text appear as escapes.
    """
    text = "NaN" if isinstance(value, float) and value != value else str(value)
    if isinstance(value, str) and (not text or text != text.strip() or text.casefold() in _MISSING_WORDS):
        text = f'"{text}"'
    return one_line(text, at_most=at_most)


def one_line(text: str, *, at_most: int | None = None) -> str:
    """The text with every character that would not show as itself escaped, cut to `at_most` characters.

    That takes in control characters, bidirectional overrides, zero-width marks and every space but the plain one.
    """
    shown = text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text)
    return shown if at_most is None or len(shown) <= at_most else shown[: at_most - 1] + "…"


def clean_lines(text: str) -> str:
    """The text with its line breaks and tabs, every other control character escaped."""
    kept = "\n\t"
    return "".join(c if c in kept or c.isprintable() else _escaped(c) for c in text.replace("\r\n", "\n"))


def counted(number: int, thing: str) -> str:
    """A number with its noun: "1 row", "1,024 rows"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
