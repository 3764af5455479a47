"""A refusal as a question: the words that are not explained underlined, and the readings to choose from by number."""

from collections.abc import Iterator, Mapping

from pandas_magic.errors import Reading, RuleNotUnderstood
from pandas_magic.reporters.value_text import value_text


def question_lines(refusal: RuleNotUnderstood, *, how: str = "") -> list[str]:
    """The rule underlined and its readings, each with what it would find; empty when nothing can be asked.

    `how` says how a reading is chosen here, such as "%check --take N".
    """
    readings = refusal.readings
    if not readings:
        return []
    # Imported here, since a run in which nobody is asked needs no reader of sentences, a third of all imports.
    from pandas_magic.planner.language.dialogue import underlined

    asked = "Which of these is meant?" if len(readings) > 1 else "Is this meant?"
    lines = [*underlined(refusal).splitlines(), f"{asked} {how}".rstrip()]
    for number, reading in enumerate(readings, 1):
        lines += _reading_lines(number, reading)
    return [*lines, "None of these: say the rule in other words; nothing was taken."]


def _reading_lines(number: int, reading: Reading) -> Iterator[str]:
    count = "" if reading.count is None else f"  [{_rows(reading.count)} of {reading.rows_seen:,} would fail]"
    yield f"  {number}. {reading.sentence}{count}"
    for words, row in (("fails", reading.breaks), ("passes", reading.keeps)):
        if row is not None:
            yield f"     {words}: {_row_text(row)}"


def _rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _row_text(row: Mapping[str, object]) -> str:
    return ", ".join(f"{column} {value_text(value)}" for column, value in row.items())


def question_facts(refusal: RuleNotUnderstood) -> dict[str, object]:
    """The same for programs: the readings as JSON, best first, and where the unexplained words stand."""
    return {
        "readings": [
            {"sentence": reading.sentence, "failing_rows": reading.count, "rows_seen": reading.rows_seen}
            for reading in refusal.readings
        ],
        "unexplained": [list(span) for span in refusal.unexplained],
    }
