"""A refusal as a question: the words that are not explained underlined, and what may be meant, to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from pandas_magic.catalog.glossary import GLOSSARY_FILE
from pandas_magic.errors import NotProved, Reading, RuleNotUnderstood
from pandas_magic.reporters.html import badge_as, framed
from pandas_magic.reporters.markdown import fenced
from pandas_magic.reporters.preview import is_missing
from pandas_magic.reporters.rounded_numbers import whole
from pandas_magic.reporters.value_text import counted, one_line

QUESTION_MIMETYPE = "application/vnd.pandas-magic.question+json"
_MOST_CHOICES = 3
_NONE_OF_THESE = (
    "None of these: say the rule in other words; nothing was taken. Each line can also be pasted as the rule."
)
_MOST_OF_A_TERM = 3
# Of a check that is not proved: the first line, and what can be done.
_NEW = (
    "It is not saved, since its proof failed.",
    "Say the rule so that a row could break it, or mend what it stumbles over, and run the cell again.",
)
_EDIT = (
    "The edited code is not taken, since its proof failed.",
    "The check is as it was. Mend the code, or take it back, and run the cell again.",
)


def choices(refusal: RuleNotUnderstood) -> tuple[Reading, ...]:
    """What can be taken by its number: the rule itself with a word mended first, then the readings."""
    return (*refusal.mended, *refusal.readings)[:_MOST_CHOICES]


def question_lines(refusal: RuleNotUnderstood, *, how: str = "") -> list[str]:
    """The rule underlined and its choices, each with what it would find; empty when nothing can be asked.

    `how` says how one is chosen here, such as "%check --take N".
    """
    offered = choices(refusal)
    if not offered:
        return []
    # Imported here, since a run in which nobody is asked needs no reader of sentences, a third of all imports.
    from pandas_magic.planner.language.refusing import underlined

    lines = [*underlined(refusal).splitlines(), f"{_asked(offered)} {how}".rstrip()]
    for number, reading in enumerate(offered, 1):
        lines += _reading_lines(number, reading)
    return [*lines, _NONE_OF_THESE, *_by_glossary(refusal)]


def _by_glossary(refusal: RuleNotUnderstood) -> list[str]:
    """Where a word that is not explained can be said once for all."""
    term = next((one for one in refusal.unknown if len(one.split()) <= _MOST_OF_A_TERM), "")
    return [f'If "{term}" is what you call rows or a column, say so once in {GLOSSARY_FILE}.'] if term else []


def _without_choices(refusal: RuleNotUnderstood) -> list[str]:
    """What can be done where nothing is offered."""
    return [*([refusal.advice] if refusal.advice else []), *_by_glossary(refusal)]


def question_facts(refusal: RuleNotUnderstood) -> dict[str, object]:
    """The same for programs: the choices as JSON, best first, and where the unexplained words stand."""
    return {
        "readings": [
            {
                "sentence": reading.sentence,
                "failing_rows": reading.count,
                "rows_seen": reading.rows_seen,
                "leaves_out": list(reading.leaves_out),
            }
            for reading in choices(refusal)
        ],
        "unexplained": [list(span) for span in refusal.unexplained],
    }


def question_bundle(
    refusal: RuleNotUnderstood, *, check_id: str = "", how: str = "", part: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The question as one output: JSON, a card and text. `part` is the key by which a page makes buttons of it."""
    plain = "\n".join([one_line(refusal.reason), *(question_lines(refusal, how=how) or _without_choices(refusal))])
    data = {
        QUESTION_MIMETYPE: {"version": 1, "rule": refusal.rule, "reason": refusal.reason, **question_facts(refusal)},
        "text/html": framed(_card(refusal, check_id, how), kind="error", part=part),
        "text/markdown": fenced(plain, "text"),
        "text/plain": plain,
    }
    return data, {"pandas_magic": {"not_checked": refusal.rule}}


def unproved_bundle(error: NotProved, rule: str, *, is_edit: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """A check that is not saved, or an edit of one, as one output: what its proof saw, with the row and its values."""
    facts = [("Understood", error.understood), ("It stumbles over", error.row)]
    pairs = "".join(f"<dt>{label}</dt><dd>{escape(one_line(text))}</dd>" for label, text in facts if text)
    seen = "".join(f"<li>{escape(one_line(problem))}</li>" for problem in error.problems)
    told, further = _EDIT if is_edit else _NEW
    content = (
        f"<p>{badge_as('! NOT PROVED', 'error')} <b>{escape(one_line(error.check))}</b> {escape(one_line(rule))}</p>"
        f'<p class="pm-headline">{told}</p><ul>{seen}</ul><dl>{pairs}</dl><p class="pm-where">{further}</p>'
    )
    plain = one_line(str(error))
    data = {"text/html": framed(content, kind="error"), "text/markdown": fenced(plain, "text"), "text/plain": plain}
    return data, {"pandas_magic": {"not_checked": error.check}}


def _asked(offered: tuple[Reading, ...]) -> str:
    return "Which of these is meant?" if len(offered) > 1 else "Is this meant?"


def _reading_lines(number: int, reading: Reading) -> Iterator[str]:
    found = _found(reading)
    yield f"  {number}. {reading.sentence}{f'  [{found}]' if found else ''}"
    yield from (f"     {words}: {said}" for words, said in _told(reading))


def _told(reading: Reading) -> Iterator[tuple[str, str]]:
    """What of the rule it leaves out, and rows that fail and pass it, each with its name."""
    if reading.leaves_out:
        yield "leaves out", ", ".join(map(one_line, reading.leaves_out))
    rows = (("fails", reading.breaks), ("passes", reading.keeps))
    yield from ((words, _row_text(row)) for words, row in rows if row is not None)


def _found(reading: Reading) -> str:
    if reading.count is None:
        return ""
    return f"{counted(reading.count, 'row')} of {'the first ' * reading.is_part}{reading.rows_seen:,} would fail"


def _row_text(row: Mapping[str, object]) -> str:
    return ", ".join(f"{column} {_said(value)}" for column, value in row.items())


def _said(value: object) -> str:
    """A value in the words of the grid."""
    return "missing" if is_missing(value) else whole(value)


def _card(refusal: RuleNotUnderstood, check_id: str, how: str) -> str:
    offered = choices(refusal)
    named = f"<b>{escape(one_line(check_id))}</b> " if check_id else ""
    # A reason that lists the readings says them twice.
    reason = one_line(refusal.reason).split(": (1) ")[0]
    parts = [
        f"<p>{badge_as('? ASKED' if offered else '? NOT UNDERSTOOD', 'error')} {named}{_marked(refusal)}</p>",
        f'<p class="pm-headline">{escape(reason)}</p>',
    ]
    if offered:
        listed = "".join(_choice(reading) for reading in offered)
        parts.append(f'<p>{_asked(offered)}</p><ol class="pm-choices">{listed}</ol>')
    elif refusal.suggestions:
        parts.append(f"<p>Nearest: {escape(one_line('; '.join(refusal.suggestions)))}</p>")
    more = [_NONE_OF_THESE, *_by_glossary(refusal), how] if offered else _without_choices(refusal)
    return "\n".join([*parts, f'<p class="pm-where">{escape(" ".join(more))}</p>'] if more else parts)


def _choice(reading: Reading) -> str:
    pairs = "".join(f"<dt>{words}</dt><dd>{escape(said)}</dd>" for words, said in _told(reading))
    found = f' <span class="pm-about">{_found(reading)}</span>' if reading.count is not None else ""
    return f'<li><b class="pm-choice">{escape(one_line(reading.sentence))}</b>{found}<dl>{pairs}</dl></li>'


def _marked(refusal: RuleNotUnderstood) -> str:
    """The rule with the words that are not explained underlined."""
    parts, at = [], 0
    for start, end in sorted(refusal.unexplained):
        if start >= at:
            parts += [escape(one_line(refusal.rule[at:start])), f"<u>{escape(one_line(refusal.rule[start:end]))}</u>"]
            at = end
    return "".join([*parts, escape(one_line(refusal.rule[at:]))])
