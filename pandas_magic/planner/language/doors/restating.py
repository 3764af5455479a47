"""What says the same as a rule in a form that another door reads: by the patterns of restated.toml."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from pandas_magic.planner.language.doors.slots import number_of

_NAME = r"\w+(?:\.\w+)?"
_LIST = rf"{_NAME}(?:\s*,\s*{_NAME})+"
_TYPE = (
    r"(?:n?(?:var)?char2?|character varying|text|string|date|datetime|timestamp|time|(?:small|big)?int(?:eger)?"
    r"|dec(?:imal)?|num(?:ber|eric)|float|double|real|bool(?:ean)?|uuid)(?:\s*\([\d\s,]*\))?"
)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = resources.files(__package__).joinpath("restated.toml").read_text(encoding="utf-8")
    return tuple((_pattern(form), says) for forms in tomllib.loads(text).values() for form, says in forms.items())


def _pattern(form: str) -> re.Pattern[str]:
    for word, pattern in (("LIST", _LIST), ("NAME", _NAME), ("TYPE", _TYPE)):
        form = re.sub(rf"\b{word}\b", lambda _, pattern=pattern: pattern, form)  # type: ignore[misc]
    form = re.sub(r" (?![?*])", r"\\s+", form)
    return re.compile(re.sub(r" (?=[?*])", r"\\s", form), re.IGNORECASE | re.DOTALL)


def restated(rule: str) -> str | None:
    """What says the same, such as "orders.email: not_null" for "not_null: orders.email"; None for other texts."""
    text = rule.strip().rstrip(".;").strip()
    for form, says in _forms():
        found = form.fullmatch(text)
        if found:
            return says.format(**_parts({name: said or "" for name, said in found.groupdict().items()}))
    return None


def _parts(said: Mapping[str, str]) -> dict[str, str]:
    places = said.get("places", "")
    return {
        **said,
        "table": said.get("table") or "df",
        "quoted": ", ".join(f'"{name.strip()}"' for name in said.get("columns", "").split(",")),
        "places": str(number_of(places)) if places else "",
    }
