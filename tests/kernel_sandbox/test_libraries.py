"""The libraries that data scientists use run unharmed behind the locks."""

import pytest

from kernel_sandbox import Sandbox

FRAME = "frame = pd.DataFrame({'x': np.arange(60.0), 'y': np.arange(60.0) * 2 + 1, 'k': list('abc') * 20})\n"


@pytest.mark.feature("B12")
@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("from scipy import stats, optimize\nresult = round(float(stats.pearsonr(frame.x, frame.y)[0]), 6)", 1.0),
        ("from scipy import sparse, linalg, signal, interpolate, integrate, spatial, cluster, fft\nresult = 1", 1),
        (
            "from sklearn.ensemble import RandomForestRegressor\n"
            "forest = RandomForestRegressor(20, n_jobs=2, random_state=0).fit(frame[['x']], frame.y)\n"
            "result = bool(forest.score(frame[['x']], frame.y) > 0.9)",
            True,
        ),
        (
            "from sklearn.model_selection import cross_val_score\nfrom sklearn.linear_model import LinearRegression\n"
            "scores = cross_val_score(LinearRegression(), frame[['x']], frame.y, n_jobs=-1)\nresult = len(scores)",
            5,
        ),
        ("from sklearn.cluster import KMeans\nresult = len(KMeans(3, random_state=0).fit(frame[['x']]).labels_)", 60),
        (
            "import statsmodels.api as sm\n"
            "result = round(float(sm.OLS(frame.y, sm.add_constant(frame.x)).fit().params['x']), 6)",
            2.0,
        ),
        ("import seaborn as sns\nsns.scatterplot(frame, x='x', y='y', hue='k');result = 1", 1),
        ("import matplotlib.pyplot as plt\nframe.plot(x='x', y='y'); plt.savefig('plot.png');result = 1", 1),
        ("from tqdm import tqdm\nresult = sum(tqdm(range(5)))", 10),
        ("frame.to_parquet('a.parquet'); result = len(pd.read_parquet('a.parquet'))", 60),
        ("import sqlite3\nframe.to_sql('t', sqlite3.connect('a.db')); result = 1", 1),
        ("result = int(frame.groupby('k').x.sum().sum())", 1770),
        ("import asyncio\nresult = await asyncio.sleep(0, 3)", 3),
        (
            "from concurrent.futures import ThreadPoolExecutor\n"
            "result = sum(ThreadPoolExecutor(4).map(lambda n: n * n, range(5)))",
            30,
        ),
        ("result = int(pd.Timestamp('2026-03-29 03:00', tz='Europe/Berlin').utcoffset().total_seconds())", 7200),
        ("frame.to_excel('a.xlsx'); result = len(pd.read_excel('a.xlsx'))", 60),
    ],
)
def test_a_library_does_its_work(shared_sandbox: Sandbox, code: str, result: object) -> None:
    """One after the other in one process, as in a notebook, where those that need others find them imported."""
    execution = shared_sandbox.execute(FRAME + code)

    assert (execution.status, execution.error_text) == ("ok", "")
    assert shared_sandbox.fetch_record("result") == result
    if "plot" in code:
        assert any(display.mimetype == "image/png" for display in execution.displays)


@pytest.mark.feature("E06")
@pytest.mark.parametrize(
    ("library", "code", "mimetype", "kept"),
    [
        (
            "plotly",
            "import plotly.express as px\npx.line(frame, x='x', y='y').show()",
            "application/vnd.plotly.v1+json",
            ("data", "layout"),
        ),
        (
            "altair",
            "import altair as alt\nalt.Chart(frame).mark_point().encode(x='x', y='y')",
            "application/vnd.vegalite.v5+json",
            ("datasets", "encoding"),
        ),
    ],
)
def test_a_figure_of_a_library_leaves_as_data(
    sandbox: Sandbox, library: str, code: str, mimetype: str, kept: tuple[str, ...]
) -> None:
    pytest.importorskip(library, reason=f"pip install {library}, of the test extra")
    execution = sandbox.execute(FRAME + code)
    (shown,) = execution.displays
    assert (execution.status, shown.mimetype, execution.dropped) == ("ok", mimetype, ())
    assert shown.figure is not None
    assert all(shown.figure[part] for part in kept)


@pytest.mark.feature("E06")
def test_what_a_figure_would_fetch_or_run_does_not_leave(sandbox: Sandbox) -> None:
    execution = sandbox.execute(
        "plotly = {'data': [{'y': [1]}], 'layout': {'images': [{'source': 'http://far/pixel.png'}], 'title': 'T'}}\n"
        "vega = {'mark': 'point', 'transform': [{'calculate': 'alert(1)', 'as': 'x'}]}\n"
        "display({'application/vnd.plotly.v1+json': plotly}, raw=True)\n"
        "display({'application/vnd.vegalite.v5+json': vega}, raw=True)"
    )
    (shown,) = execution.displays
    assert shown.figure == {"config": {}, "data": [{"y": [1]}], "layout": {"title": "T"}}
    assert any("fetched from elsewhere" in text for text in execution.dropped)
    assert any("a figure was not shown: it holds 'calculate'" in text for text in execution.dropped)
