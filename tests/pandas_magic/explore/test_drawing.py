"""Pictures: the numbers are those of the table, what is drawn is a sound SVG, and nothing in a name gets out of it."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from pandas_magic.explore.confined import pictures as plots
from pandas_magic.explore.confined import probes
from pandas_magic.explore.confined.clustering import side_by_side
from pandas_magic.explore.confined.entry import plain
from pandas_magic.explore.drawing import draw
from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.drawing.plot_marks import (
    Bars,
    Box,
    Boxes,
    Density,
    Gaps,
    Heat,
    Points,
    Series,
    Stacks,
    Stairs,
    TimeLine,
)
from pandas_magic.explore.drawing.scales import Scale, short_number
from tests.pandas_magic.explore.conftest import Explore, chart_of

_SVG = "{http://www.w3.org/2000/svg}"


def _shapes(svg: str, kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(_SVG + kind))


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in _shapes(svg, "text")]


MARKS = [
    Bars(labels=("a", "b"), values=(3, 1), texts=("3", "1"), rest=True),
    Stairs(edges=(0, 1, 2), series=(Series(label="one", values=(5, 2)),), at=0.5, at_label="mean 0.5"),
    Stairs(edges=(0, 1, 2), series=(Series(label="x", values=(5, 2)), Series(label="y", values=(1, 1)))),
    Heat(names=("a", "b"), values=((1, -0.4), (None, 1))),
    Gaps(names=("a", "b"), rows=("10", "11", "00")),
    TimeLine(x=(0, 86_400, 172_800), y=(1, 2, 1)),
    Stacks(labels=("a", "b"), series=(Series(label="x", values=(60, 10)),), widths=(5, 1)),
    Points(x=(1, 2, 3), y=(3, 2, 1)),
    Density(x_edges=(0, 1, 2), y_edges=(0, 1), counts=((4,), (0,))),
    Boxes(boxes=(Box(label="a", rows=9, low=0, q1=1, median=2, q3=3, high=4),)),
]


@pytest.mark.feature("C18")
@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.mark)
def test_every_plot_is_a_sound_picture_with_a_title_and_a_description(mark: object) -> None:
    root = ElementTree.fromstring(draw(chart_of(mark)))
    assert root.tag == f"{_SVG}svg" and root.find(f"{_SVG}title") is not None and root.find(f"{_SVG}desc") is not None
    numbers = [value for element in root.iter() for key, value in element.items() if key in ("x", "y", "width")]
    assert len(numbers) > 4 and not any("nan" in value or "inf" in value for value in numbers)


@pytest.mark.parametrize(
    "mark",
    [
        Stairs(edges=(1, 1), series=()),
        Stairs(edges=(-1e300, 1e300), series=(Series(label="", values=(1e300,)),), times=True),
        Points(x=(), y=(1,)),
        Points(x=(5, 5), y=(2, 2)),
        Boxes(boxes=()),
        TimeLine(x=(1e18,), y=()),
        Heat(names=(), values=((1, 2), ())),
        Density(x_edges=(0, 1), y_edges=(0, 1), counts=()),
    ],
)
def test_odd_numbers_of_a_confined_process_are_drawn_without_an_error(mark: object) -> None:
    ElementTree.fromstring(draw(chart_of(mark)))


def test_a_name_of_markup_stays_a_text() -> None:
    hostile = '"/><script>alert(1)</script>'
    svg = draw(chart_of(Bars(labels=(hostile,), values=(1,)), title=hostile))
    assert not _shapes(svg, "script") and "<script" not in svg


@pytest.mark.parametrize(
    "said",
    [
        {"mark": "stairs", "edges": [float("inf"), 1], "series": []},
        {"mark": "picture", "png": "AAAA"},
        {"mark": "bars", "labels": ["a"] * 10_000, "values": []},
    ],
)
def test_what_is_no_chart_of_ours_is_refused(said: dict[str, object]) -> None:
    view = {"mark": said}
    with pytest.raises(ValidationError):
        Figure.model_validate({"kind": "pair", "name": "n", "title": "t", "description": "d", "views": [view]})


@pytest.mark.feature("C18")
def test_the_pictures_of_a_table_count_what_pandas_counts(explore: Explore, people: pd.DataFrame) -> None:
    explorer = explore(people, target="bought")
    charts = {each["name"]: each for each in plain(plots.draw(explorer, {"plot_limit": 20}))["pictures"]}
    assert {"target", "target_relations", "missing_heatmap", "correlations", "rows_over_joined"} <= set(charts)
    classes = charts["target"]["views"][0]["mark"]
    assert dict(zip(classes["labels"], classes["values"], strict=True)) == people["bought"].value_counts().to_dict()
    ages = charts["histogram_age"]["views"][0]["mark"]
    assert ages["series"][0]["values"] == np.histogram(people["age"], ages["edges"])[0].tolist()
    days = charts["rows_over_joined"]["views"][0]["mark"]
    assert sum(days["y"]) == 400
    assert sum(row[0] == "1" for row in charts["missing_heatmap"]["views"][0]["mark"]["rows"]) > 100
    assert len(plots.draw(explorer, {"plot_limit": 3})["pictures"]) == 3


def _pair(explore: Explore, frame: pd.DataFrame) -> dict[str, object]:
    charts = plain(probes.pair(explore(frame), {"columns": list(frame)[:2]}, None))["charts"]
    assert len(charts) == 1 and _texts(draw(Figure.model_validate(charts[0])))
    mark: dict[str, object] = charts[0]["views"][0]["mark"]
    return mark


def test_few_whole_numbers_are_drawn_one_by_one(explore: Explore) -> None:
    random = np.random.default_rng(8)
    doors = random.integers(2, 6, 300)
    cars = pd.DataFrame({"doors": doors, "price": doors * 1000 + random.normal(0, 500, 300), "zone": "UTC"})
    pictures = {
        each["name"]: each["views"][0]["mark"] for each in plots.draw(explore(cars), {"plot_limit": 9})["pictures"]
    }
    counted = pd.Series(doors).value_counts().sort_index()
    assert pictures["histogram_doors"]["mark"] == "bars" and pictures["histogram_price"]["mark"] == "stairs"
    assert pictures["histogram_doors"]["labels"] == [str(value) for value in counted.index]
    assert pictures["histogram_doors"]["values"] == counted.tolist()
    to_target = plots.draw(explore(cars, target="price"), {"plot_limit": 2})["pictures"][1]["views"][0]["mark"]
    assert to_target["mark"] == "boxes" and {box["label"] for box in to_target["boxes"]} == {"2", "3", "4", "5"}


def test_a_pair_of_few_numbers_is_drawn_row_by_row(explore: Explore) -> None:
    frame = pd.DataFrame({"a": [1.5, np.nan, 3.0, 4.25], "b": [4.0, 3.0, np.nan, 1.5]})
    assert _pair(explore, frame) == {
        "mark": "points",
        "x": [1.5, 4.25],
        "y": [4.0, 1.5],
        "x_times": False,
        "y_times": False,
    }


def test_a_pair_of_many_numbers_is_counted_in_cells_over_all_rows(explore: Explore) -> None:
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"a": random.normal(size=5000), "b": random.normal(size=5000)})
    mark = _pair(explore, frame)
    expected = np.histogram2d(frame["a"], frame["b"], bins=[mark["x_edges"], mark["y_edges"]])[0]
    assert mark["mark"] == "density" and np.array_equal(mark["counts"], expected) and expected.sum() > 4800


def test_a_pair_of_a_category_and_a_number_is_drawn_as_boxes_of_quartiles(explore: Explore) -> None:
    frame = pd.DataFrame({"amount": [1.0, 2.0, 3.0, 4.0, 100.0, 7.0, 8.0], "kind": ["a"] * 5 + ["b"] * 2})
    boxes = _pair(explore, frame)["boxes"]
    assert isinstance(boxes, list)
    assert boxes[0] == {"label": "a", "rows": 5, "q1": 2.0, "median": 3.0, "q3": 4.0, "low": 1.0, "high": 4.0}
    assert boxes[1]["median"] == 7.5


def test_a_pair_of_categories_is_drawn_as_a_mosaic_of_shares(explore: Explore) -> None:
    frame = pd.DataFrame({"kind": ["a", "a", "a", "b"] * 10, "sex": ["f", "m", "m", "f"] * 10})
    mark = _pair(explore, frame)
    assert mark["widths"] == [30, 10] and mark["labels"] == ["a (30)", "b (10)"]
    assert mark["series"] == [
        {"label": "f", "values": [pytest.approx(100 / 3), 100.0]},
        {"label": "m", "values": [pytest.approx(200 / 3), 0.0]},
    ]


def test_clusters_are_those_of_average_linkage() -> None:
    from scipy.cluster.hierarchy import average, cophenet
    from scipy.spatial.distance import squareform

    random = np.random.default_rng(6)
    base = random.normal(size=(200, 3))
    likeness = np.abs(np.corrcoef(np.column_stack([base[:, n % 3] + random.normal(0, 0.6, 200) for n in range(9)]).T))
    order = side_by_side(likeness)
    distance = 1 - likeness
    np.fill_diagonal(distance, 0)
    joined_at = squareform(cophenet(average(squareform(distance, checks=False))))
    assert sorted(order) == list(range(9))
    # Neighbours in the order are never joined later than either is with anything further away on that side.
    for at in range(8):
        assert all(joined_at[order[at], order[at + 1]] <= joined_at[order[at], far] for far in order[at + 2 :])
    assert side_by_side(np.empty((0, 0))) == [] and side_by_side(np.ones((1, 1))) == [0]


def test_axes_name_round_values_and_calendar_days() -> None:
    assert [text for _, text in Scale(0, 47, 0, 100).ticks()] == ["0", "10", "20", "30", "40"]
    assert [text for _, text in Scale(0, 5000, 0, 1, logarithmic=True).ticks()] == ["0", "1", "10", "100", "1000"]
    year = Scale(pd.Timestamp("2021-01-05").timestamp(), pd.Timestamp("2023-06-01").timestamp(), 0, 1, times=True)
    assert [text for _, text in year.ticks()] == ["2021-07", "2022-01", "2022-07", "2023-01"]
    day = Scale(
        pd.Timestamp("2024-03-01 06:00").timestamp(), pd.Timestamp("2024-03-01 18:00").timestamp(), 0, 1, times=True
    )
    assert [text for _, text in day.ticks()][:2] == ["03-01 06:00", "03-01 09:00"]
    assert (short_number(12_000), short_number(3_500_000), short_number(0.25)) == ("12k", "3.5M", "0.25")
