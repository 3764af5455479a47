"""Figures of libraries in a real JupyterLab: made confined, drawn by the page from data."""

import io

import pytest
from PIL import Image
from playwright.sync_api import Locator

from tests.browser.lab import Browser, LabServer

CELLS = [
    "%load_ext pandas_magic",
    "%%sandbox\nimport plotly.express as px\npx.bar(x=['a', 'b'], y=[3, 4], title='Sales').show()",
    "%%sandbox\nimport altair as alt\nframe = pd.DataFrame({'x': ['a', 'b'], 'y': [3, 4]})\n"
    "alt.Chart(frame).mark_bar().encode(x='x', y='y')",
]


@pytest.mark.feature("E06")
def test_figures_of_plotly_and_altair_are_drawn_in_the_page(lab: LabServer, browser: Browser) -> None:
    pytest.importorskip("plotly", reason="pip install plotly, of the test extra, draws its figures in JupyterLab")
    page = browser.open(lab, "figures.ipynb", CELLS)
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: page.cell(1).locator(".js-plotly-plot .bars path").count() == 2, "Plotly's bars")
    page.wait_until(lambda: page.cell(2).locator("svg.marks, canvas.marks").count() == 1, "Altair's chart")
    page.close()
    lab.end_kernels()


@pytest.mark.feature("E06")
def test_a_figure_in_default_colours_follows_the_theme(lab: LabServer, browser: Browser) -> None:
    plot = "%%sandbox\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);"
    page = browser.open(lab, "theme.ipynb", ["%load_ext pandas_magic", plot])
    page.run_all()
    page.wait_idle()
    drawn = page.cell(1).locator(".jp-RenderedSVG img")
    for theme, scheme, is_light in (("Light", "light", True), ("Dark", "dark", False)):
        page.choose_theme(theme)
        assert drawn.evaluate("image => getComputedStyle(image).colorScheme") == scheme
        page.keep_picture(f"figure-{theme}")
        assert (corner(drawn) > 128) is is_light
    page.choose_theme("Light")
    page.close()
    lab.end_kernels()


def corner(picture: Locator) -> int:
    """How light the ground of a picture is as the page shows it, of 255."""
    with Image.open(io.BytesIO(picture.screenshot())) as image:
        return int(image.convert("L").getpixel((2, 2)))
