"""What of a person's DataFrame reaches the sandbox, and what is said of what changed on the way."""

from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from pandas_magic.explore.crossing import crossable
from pandas_magic.explore.subject import Subject
from tests.pandas_magic.explore.conftest import explorer_of


def _objects(*values: Any) -> pd.DataFrame:
    return pd.DataFrame({"v": pd.Series(values, dtype=object)})


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ((True, None), "boolean"),
        ((2**62 + 1, None), "Int64"),
        ((1, 2.5, None), "float64"),
        ((2**70, None), "str"),
        (("x", 1), "str"),
    ],
)
def test_objects_cross_as_what_they_are(values: tuple[Any, ...], dtype: str) -> None:
    frame, _ = crossable(_objects(*values))
    assert str(frame["v"].dtype) == dtype


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((Decimal("1.10"), None), "v: values of the kind Decimal are judged as texts"),
        ((date(2024, 1, 1),), "v: values of the kind date are judged as texts"),
        (("x", 1, 2), "v: values of different kinds (2 int, 1 str) are judged as texts"),
    ],
)
def test_only_values_of_different_kinds_are_said_to_be(values: tuple[Any, ...], said: str) -> None:
    assert crossable(_objects(*values))[1] == (said,)


def test_a_frame_of_mixed_values_and_of_columns_of_one_name_has_a_hash_of_its_own() -> None:
    mixed = _objects(1, "a", None, [1, 2], {"k": 1}).assign(period=pd.period_range("2024", periods=5, freq="Y"))
    other = _objects(1, "a", None, [1, 3], {"k": 1}).assign(period=mixed["period"])
    hashes = {Subject("t", frame=each).digest() for each in (mixed, other, pd.concat([mixed, other], axis=1))}
    assert len(hashes) == 3 and Subject("t", frame=mixed.copy()).digest() in hashes


def test_of_periods_the_first_moment_is_judged() -> None:
    frame, notes = crossable(pd.DataFrame({"m": pd.period_range("2024-01", periods=3, freq="M")}))
    assert frame["m"].tolist() == list(pd.date_range("2024-01-01", periods=3, freq="MS"))
    assert notes == ("m: of periods (period[M]) the first moment is judged",)


@pytest.mark.feature("C05", "C06")
def test_names_and_dtypes_are_those_that_the_owner_sees() -> None:
    frame = _objects(*[Decimal("1.5"), Decimal("2.5")] * 10)
    frame = frame.assign(**{" v": range(20), "": 1}).set_axis(["v", " v", "", "v"][:3], axis=1)
    frame.insert(3, "v", 7, allow_duplicates=True)
    crossed, _ = crossable(frame)
    found = explorer_of(crossed, **Subject("t", frame=frame).described(), target=" v").facts
    assert found["dataset"]["columns"] == ["v", " v", "column 3", "v.2"]
    assert [each["dtype"] for each in found["columns_profile"].values()] == ["object", "int64", "int64", "int64"]
    assert found["target"]["name"] == " v"
