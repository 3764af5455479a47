"""Figures of libraries in a real JupyterLab: made confined, drawn by the page from data."""

import pytest

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
