"""Charts of a result: Vega-Lite made by us from columns that a plan names, and the code that draws the same as PNG."""

import json
from typing import Any

import pandas as pd
from pydantic import ValidationError

from pandas_magic.planner.model.told_numbers import Known, strike_unfounded
from pandas_magic.plans.plan_records import ResultChart
from pandas_magic.reporters.value_text import one_line

VEGA_LITE = "application/vnd.vegalite.v5+json"
MOST_ROWS = 2_000  # in a page; more points than pixels help nobody
_MOST_BARS = 200  # more are thinner than a pixel, and take Matplotlib minutes
# A page's own colour of text, on its own ground; only SVG can take them over.
_IN_THEME = {
    "config": {
        "background": "transparent",
        "style": {name: {"fill": "currentColor"} for name in ("guide-label", "guide-title", "group-title")},
        "axis": dict.fromkeys(("domainColor", "tickColor"), "currentColor") | {"gridColor": "#8888884d"},
        "view": {"stroke": "#8888884d"},
    },
    "usermeta": {"embedOptions": {"renderer": "svg"}},
}
_MARKS = {"histogram": "bar", "scatter": "point"}


def read_chart(content: Any, frame: pd.DataFrame | None) -> tuple[ResultChart | None, str]:  # noqa: ANN401 - any JSON value
    """The chart that the code asked for, or None and why it cannot be drawn."""
    if content is None:
        return None, ""
    try:
        chart = ResultChart.model_validate(_without_nulls(content))
    except ValidationError as error:
        return None, f"no chart: {error.errors()[0]['msg']} ({'.'.join(map(str, error.errors()[0]['loc']))})"
    if frame is None:
        return None, "no chart: the result is no table"
    for name in filter(None, (chart.x, chart.y, chart.color)):
        if name not in frame.columns:
            return None, f'no chart: the result has no column "{name}"'
    if not chart.y and chart.kind != "histogram":
        return None, "no chart: it names no y"
    if chart.kind == "bar" and len(frame) > _MOST_BARS:
        return None, f"no chart: {len(frame):,} bars are too many to be seen; {_MOST_BARS} are the most"
    return chart, ""


def with_founded_title(chart: ResultChart, known: Known) -> tuple[ResultChart, str]:
    """The chart, called after its columns where its title tells a number that is not known; and what was left out."""
    _, unfounded = strike_unfounded(chart.title, known)
    if not unfounded:
        return chart, ""
    remark = f"a title of the chart was left out, since the result does not hold {', '.join(unfounded)}"
    return chart.model_copy(update={"title": f"{chart.y or 'counts'} by {chart.x}"}), remark


def vega_lite(chart: ResultChart, frame: pd.DataFrame) -> dict[str, Any]:
    """The chart as a Vega-Lite specification that holds its data and refers to nothing outside itself."""
    columns = list(dict.fromkeys(filter(None, (chart.x, chart.y, chart.color))))
    encoding: dict[str, Any] = {"x": _channel(frame, chart.x, of_names=chart.kind == "bar")}
    if chart.kind == "histogram":
        encoding = {"x": {**encoding["x"], "bin": True}, "y": {"aggregate": "count", "type": "quantitative"}}
    else:
        encoding["y"] = _channel(frame, chart.y)
    if chart.color:
        encoding["color"] = _channel(frame, chart.color, of_names=chart.kind != "scatter")
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": chart.title,
        "description": in_words(chart),  # for a screen reader
        "width": 480,
        "data": {"values": rows_as_json(frame[columns])},
        "mark": {"type": _MARKS.get(chart.kind, chart.kind), "tooltip": True},
        "encoding": encoding,
        **_IN_THEME,
    }


def in_words(chart: ResultChart) -> str:
    """What the chart shows, in one line."""
    return one_line(f"{chart.kind} chart of {chart.y or 'counts'} by {chart.x}")


def drawing_code(chart: ResultChart) -> str:
    """Lines of pandas that draw the chart from `result`; their picture is what stands beside the interactive one."""
    frame = "result"
    if chart.kind == "histogram":
        return f"{frame}[{chart.x!r}].plot.hist(title={chart.title!r})"
    if chart.color:
        axes = f"index={chart.x!r}, columns={chart.color!r}, values={chart.y!r}"
        frame = f"result.pivot_table({axes}, sort=False).reset_index()"
        if chart.kind == "scatter":
            return f"result.plot.scatter(x={chart.x!r}, y={chart.y!r}, title={chart.title!r})"
        return f"{frame}.plot(kind={chart.kind!r}, x={chart.x!r}, title={chart.title!r})"
    return f"{frame}.plot(kind={chart.kind!r}, x={chart.x!r}, y={chart.y!r}, title={chart.title!r})"


def _channel(frame: pd.DataFrame, column: str, *, of_names: bool = False) -> dict[str, Any]:
    """A column on an axis or as a colour. Bars stand for names, also where these are numbers: a key is no quantity."""
    # Dots and brackets in a field's name mean parts of it; a backslash takes that meaning away.
    field = column
    for sign in ("\\", ".", "[", "]"):
        field = field.replace(sign, f"\\{sign}")
    kind = "nominal" if of_names else _type(frame[column])
    # Names stand in the order of the table, which Vega-Lite would sort.
    order = {"sort": None} if kind == "nominal" else {}
    return {"field": field, "type": kind, "title": column, **order}


def _type(column: pd.Series) -> str:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "temporal"
    is_number = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)
    return "quantitative" if is_number else "nominal"


def rows_as_json(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """At most the first 2,000 rows as JSON objects: dates as ISO 8601, missing values as null."""
    text = frame.head(MOST_ROWS).to_json(orient="records", date_format="iso", default_handler=str)
    values: list[dict[str, Any]] = json.loads(text or "[]")
    return values


def _without_nulls(content: Any) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(content, dict):
        return content
    return {name: value for name, value in content.items() if value is not None}
