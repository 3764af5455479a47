"""Days of the calendar: patterns that only they fit, however they are written, and stretches over its turn."""

import re

# A template with a day, a month and a year of four digits: dd/mm/yyyy, yyyy.mm.dd, day-month-year.
DAY_TEMPLATE = r"\b(?:dd?|day|mm?|month|yyyy|year)(?:[/.-](?:dd?|day|mm?|month|yyyy|year)){2}\b"
_LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
# Days, the months that have them, and the years.
_DAYS = (
    ("(0[1-9]|1[0-9]|2[0-8])", "(0[1-9]|1[0-2])", "[0-9]{4}"),
    ("(29|30)", "(0[13-9]|1[0-2])", "[0-9]{4}"),
    ("31", "(0[13578]|1[02])", "[0-9]{4}"),
    ("29", "02", _LEAP),
)


def stretch(first: int, last: int, length: int) -> list[int]:
    """From the first to the last of so many that begin anew with 1: 11, 12, 1 of twelve months."""
    return [(first - 1 + more) % length + 1 for more in range((last - first) % length + 1)]


def calendar_pattern(template: str) -> str | None:
    """The pattern that the days of the calendar fit, written as the template says; None where it is none of a day."""
    parts = re.findall(r"[a-z]+", template.lower())
    mark = re.search(r"[/.-]", template)
    if mark is None or sorted(part[0] for part in parts) != ["d", "m", "y"]:
        return None
    written = mark[0].replace(".", r"\.")
    days = ({"d": day, "m": month, "y": year} for day, month, year in _DAYS)
    return "|".join(written.join(one[part[0]] for part in parts) for one in days)
