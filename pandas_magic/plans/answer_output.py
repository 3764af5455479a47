"""The answer to a request as one output, and its pictures as outputs of their own."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.plans.result_charts import MOST_ROWS, VEGA_LITE, in_words, vega_lite
from pandas_magic.record import digest
from pandas_magic.reporters.code_output import image_bundle
from pandas_magic.reporters.html import framed, html_rows
from pandas_magic.reporters.markdown import escaped, fenced, markdown_table
from pandas_magic.reporters.plain import plain_table
from pandas_magic.reporters.preview import Preview, preview
from pandas_magic.reporters.value_text import clean_lines, one_line

if TYPE_CHECKING:
    from pandas_magic.plans.plan_records import PlanResult

PLAN_MIMETYPE = "application/vnd.pandas-magic.plan+json"
Bundle = tuple[dict[str, Any], dict[str, Any]]

_STRUCK = re.compile(r"~~(.+?)~~")
_BLOCK = re.compile(r"(?P<mark>#{1,6}|[-*]|\d+\.|>)\s+(?P<text>.*)")


def answer_bundle(result: PlanResult) -> Bundle:
    """The answer, the result's first rows, the plan, the code and what was tried, in every form.

    What moves between two runs (times) is in the metadata only.
    """
    shown = preview(result.ran.frame) if result.ran.frame is not None else None
    data = {
        PLAN_MIMETYPE: {
            "version": 1,
            **result.as_plan(),
            "success": result.success,
            "unfounded": list(result.unfounded),
        },
        "text/html": _html(result),
        "text/markdown": _markdown(result, shown),
        "text/plain": _plain(result, shown),
    }
    return data, {"pandas_magic": {"success": result.success, "stage_seconds": dict(result.stage_seconds)}}


def rows_key(result: PlanResult) -> str:
    """Names the rows of the result: the same for the same request, code and first rows; "" where there is no frame."""
    if result.ran.frame is None:
        return ""
    shown = preview(result.ran.frame)
    return digest([result.request, result.code, [list(row) for row in shown.rows], shown.row_count])


def picture_bundles(result: PlanResult) -> list[dict[str, Any]]:
    """Each picture and each figure as an output; a chart's own picture stands beside its interactive form."""
    pictures: list[dict[str, Any]] = [
        image_bundle(shown, f"picture {number} of the plan") for number, shown in enumerate(result.ran.images, 1)
    ]
    figures = [{kind: figure, "text/plain": "a figure of the plan"} for kind, figure in result.ran.figures]
    chart, frame = result.ran.chart, result.ran.frame
    if chart is not None and frame is not None:
        drawn = pictures.pop() if pictures else {}
        words = in_words(chart)
        # The page gets so many rows; a chart of a part of them would look like one of all.
        interactive = {VEGA_LITE: vega_lite(chart, frame)} if len(frame) <= MOST_ROWS else {}
        pictures += [{**interactive, **drawn, "text/plain": words}] if interactive or drawn else []
    return [*pictures, *figures]


def _told(result: PlanResult) -> str:
    """The answer; where there is none, what was to be found out."""
    if result.answer:
        return result.answer
    goal = result.plan.goal if result.plan else result.request
    return goal if result.success else f"Not answered: {goal}"


def _facts(result: PlanResult) -> list[tuple[str, str]]:
    facts = [("Tables", "; ".join(f"{choice.name} ({choice.reason})" for choice in result.choices))]
    if result.error:
        facts.append(("Error", result.error))
    facts.append(("Reads", result.reads))
    facts += [("Note", note) for note in result.ran.notes]
    facts.append(("Told to the model", result.told))
    return [(label, one_line(text)) for label, text in facts if text]


def _tried(result: PlanResult) -> list[str]:
    return [
        f"{number}. {one_line(attempt.problem)}" for number, attempt in enumerate(result.attempts, 1) if attempt.problem
    ]


def _html(result: PlanResult) -> str:
    parts = [_answer_html(_told(result))]
    if result.ran.frame is not None:
        parts.append(html_rows(preview(result.ran.frame, rounded=True), part=rows_key(result)))
    elif result.ran.value is not None:
        parts.append(f"<pre>{escape(one_line(str(result.ran.value)))}</pre>")
    pairs = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in _facts(result))
    parts.append(f"<dl>{pairs}</dl>")
    if result.plan:
        steps = "".join(f"<li>{escape(one_line(step))}</li>" for step in result.plan.steps)
        parts.append(f"<details><summary>Plan</summary><ol>{steps}</ol></details>")
    if result.code:
        parts.append(f"<details><summary>Code</summary><pre>{escape(clean_lines(result.code))}</pre></details>")
    if tried := _tried(result):
        diffs = "\n\n".join(attempt.diff for attempt in result.attempts if attempt.diff)
        text = escape(clean_lines("\n".join(tried) + (f"\n\n{diffs}" if diffs else "")))
        parts.append(f"<details><summary>Tried and mended</summary><pre>{text}</pre></details>")
    return framed("\n".join(parts))


def _answer_html(answer: str) -> str:
    """A small Markdown as HTML: headings, lists, quotes, paragraphs, struck text; everything else is shown as it is."""
    parts: list[str] = []
    items: list[str] = []
    for line in [*clean_lines(answer).splitlines(), ""]:
        match = _BLOCK.match(line.strip())
        is_item = match is not None and match["mark"][0] in "-*0123456789"
        if items and not is_item:
            parts.append(f"<ul>{''.join(items)}</ul>")
            items = []
        if match is None:
            parts += [f"<p>{_inline(line)}</p>"] if line.strip() else []
        elif is_item:
            items.append(f"<li>{_inline(match['text'])}</li>")
        else:
            tag = {">": "blockquote", "#": "h3"}.get(match["mark"], "h4")
            parts.append(f"<{tag}>{_inline(match['text'])}</{tag}>")
    return "\n".join(parts)


def _inline(text: str) -> str:
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    return _STRUCK.sub(r"<del>\1</del>", bold)


def _markdown(result: PlanResult, shown: Preview | None) -> str:
    parts = [_safe_markdown(_told(result))]
    if shown:
        parts += [markdown_table(shown), escaped(shown.left_out())]
    parts.append("\n".join(f"- {escaped(label)}: {escaped(text)}" for label, text in _facts(result)))
    if result.code:
        code = fenced(clean_lines(result.code), "python")
        parts.append(f"<details><summary>Code</summary>\n\n{code}\n\n</details>")
    return "\n\n".join(part for part in parts if part) + "\n"


def _safe_markdown(answer: str) -> str:
    """The answer's own structure kept, and everything inside it escaped."""
    lines = []
    for line in clean_lines(answer).splitlines():
        match = _BLOCK.match(line.strip())
        mark, text = (f"{match['mark']} ", match["text"]) if match else ("", line.strip())
        pieces = _STRUCK.split(text)
        lines.append(mark + "".join(f"~~{escaped(p)}~~" if n % 2 else escaped(p) for n, p in enumerate(pieces)))
    return "\n".join(lines)


def _plain(result: PlanResult, shown: Preview | None) -> str:
    parts = [clean_lines(_told(result))]
    if shown:
        parts += [plain_table(shown), shown.left_out()]
    elif result.ran.value is not None:
        parts.append(one_line(str(result.ran.value)))
    elif result.success:
        parts.append(clean_lines(result.code))  # it was not to be run, and is what was asked for
    parts += [f"{label}: {text}" for label, text in _facts(result)]
    parts += [f"Tried: {text}" for text in _tried(result)]
    return "\n".join(part for part in parts if part)
