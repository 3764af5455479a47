"""Functions of meanings for the make-up of texts: "two capital letters followed by six digits" as a pattern."""

import re

from pandas_magic.constraints import Value
from pandas_magic.planner.language.strict.scene import About


def repeated(about: About, characters: str, count: Value) -> str | None:
    """The characters so many times."""
    return characters + _times(count.value, count.value) if isinstance(count.value, int) else None


def repeated_between(about: About, characters: str, low: Value, high: Value) -> str | None:
    """The characters at least `low` and at most `high` times."""
    if not isinstance(low.value, int) or not isinstance(high.value, int) or low.value > high.value:
        return None
    return characters + _times(low.value, high.value)


def repeated_at_least(about: About, characters: str, low: Value) -> str | None:
    """The characters at least so many times."""
    return f"{characters}{{{low.value},}}" if isinstance(low.value, int) else None


def _times(low: int, high: int) -> str:
    if low == high:
        return "" if low == 1 else f"{{{low}}}"
    return f"{{{low},{high}}}"


def literally(about: About, text: str) -> str:
    """The text itself."""
    return re.escape(text).replace("\\-", "-").replace("\\/", "/").replace("\\ ", " ").replace("\\#", "#")


def one_sign(about: About, text: str) -> str | None:
    """Texts in which the sign stands once."""
    other, sign = f"[^{re.escape(text)}]*", literally(about, text)
    return f"{other}{sign}{other}" if len(text) == 1 else None


def chain(about: About, *parts: str) -> str:
    """The parts one after another."""
    return "".join(parts)


def perhaps(about: About, part: str) -> str:
    """The part, or nothing."""
    return f"({part})?"


def at_sign(about: About, domain: str) -> str:
    """How a mail address of the domain ends."""
    return domain if domain.startswith("@") else f"@{domain}"


def one_of_signs(about: About, signs: tuple[str, ...]) -> str | None:
    """One of several signs."""
    return f"[{''.join(signs)}]" if all(len(sign) == 1 and sign.isalnum() for sign in signs) else None


def any_of_characters(about: About, classes: tuple[str, ...]) -> str:
    """Any number of characters of these classes."""
    inside = (one[1:-1] if one.startswith("[") else one.replace("\\d", "0-9") for one in classes)
    return f"[{''.join(dict.fromkeys(inside))}]+"
