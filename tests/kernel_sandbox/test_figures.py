"""Drawings, notes and figures: what is in them comes through, what would run, load or lead away does not."""

import re

import pytest

from kernel_sandbox.front.bundles import clean_bundle
from kernel_sandbox.front.figures import clean_drawing, clean_notes, figure_problem, jpeg_problem

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10">{}</svg>'


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="1" y="2" style="fill: #ff0000; stroke-width: 0.5"></rect>',
        '<g transform="translate(1 2)"><path d="M 0 0 L 1 1" clip-path="url(#p1)"></path></g>',
        '<defs><clipPath id="p1"><rect width="1"></rect></clipPath></defs>',
        "<text x=\"1\">a &lt; b</text>",
    ],
)  # fmt: skip
def test_a_drawing_keeps_its_shapes(shape: str) -> None:
    assert shape in clean_drawing(SVG.format(shape))[0]


@pytest.mark.parametrize(
    "shape",
    [
        "<script>alert(1)</script>",
        '<rect onload="alert(1)"/>',
        "<foreignObject><b/></foreignObject>",
        '<image href="http://x/y.png"/>',
        '<a href="javascript:alert(1)"><text>x</text></a>',
        '<use xlink:href="http://x/y.svg#z"/>',
        '<use href="data:image/svg+xml,x"/>',
        '<rect style="fill: url(http://x)"/>',
        '<rect fill="url( //x#y)"/>',
        '<g style="position: fixed; fill: //x"/>',
        '<rect style="background:\\75rl(//x)"/>',
        '<style>@import "http://x"; rect { fill: url(//x) }</style>',
        '<animate attributeName="href" values="javascript:1"/>',
        '<set attributeName="onload" to="alert(1)"/>',
    ],
)
def test_a_drawing_loads_and_runs_nothing(shape: str) -> None:
    drawing, problem = clean_drawing(SVG.format(shape))

    assert problem == ""
    assert not re.search(
        r"script|on\w+=|x/y|//x|\\75|javascript|import|data:|<a\b|<image|animate|<set|position", drawing
    )


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>',
        "<svg",
        "<html></html>",
        '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><svg/>',
    ],
)
def test_what_is_no_plain_drawing_is_refused(text: str) -> None:
    drawing, problem = clean_drawing(text)

    assert (drawing, bool(problem)) == ("", True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# A **b** `c`\n\n- x\n- y < z", "# A **b** `c`\n\n- x\n- y < z"),
        ("[x](javascript:alert(1))", "[x]\\(javascript:alert(1))"),
        ("![x](http://y/z.png)", "![x]\\(http://y/z.png)"),
        ("[x][y]\n\n[y]: http://z", "[x]\\[y]\n\n\\[y]: http://z"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
        ("<http://x>", "&lt;http://x>"),
        ("```mermaid\nx\n```", "```\nx\n```"),
    ],
)
def test_notes_keep_their_form_and_lose_what_leads_away(before: str, after: str) -> None:
    assert clean_notes(before) == after


def test_notes_with_a_formula_outside_the_list_are_left_out() -> None:
    notes: list[str] = []

    shown = clean_bundle({"text/markdown": r"$\href{x}{y}$", "text/plain": "x"}, notes.append)

    assert (shown, notes) == ({"text/plain": "x"}, [r"a formula was not typeset: it uses \href"])


@pytest.mark.parametrize(
    ("figure", "is_shown"),
    [
        ({"data": [{"type": "bar", "x": ["a"], "y": [1]}], "layout": {"title": {"text": "a / b: c"}}}, True),
        ({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "mark": "bar"}, True),
        ({"layout": {"images": [{"source": "https://x/y.png"}]}}, False),
        ({"data": {"url": "//x/y.csv"}}, False),
        ({"layout": {"title": {"text": "<a href='x'>y</a>"}}}, False),
        ({"data": [{"text": ["javascript:alert(1)"]}]}, False),
        ({"<img src=x>": 1}, False),
    ],
)
def test_a_figure_is_shown_as_data_unless_it_leads_away(figure: dict[str, object], is_shown: bool) -> None:
    notes: list[str] = []

    shown = clean_bundle({"application/vnd.plotly.v1+json": figure}, notes.append)

    assert shown == ({"application/vnd.plotly.v1+json": figure} if is_shown else {})
    assert bool(notes) is not is_shown
    assert bool(figure_problem(figure)) is not is_shown


def test_a_jpeg_begins_and_ends_as_one() -> None:
    assert jpeg_problem(b"\xff\xd8\xff\xe0xyz\xff\xd9") == ""
    assert jpeg_problem(b"<svg onload=alert(1)>") == "it is no JPEG image"
