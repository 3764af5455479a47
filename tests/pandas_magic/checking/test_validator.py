import pytest

from pandas_magic.checking.validator import find_refusals, find_texts


@pytest.mark.feature("B13")
@pytest.mark.feature("D09")
@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import os", "os"),
        ("import subprocess as s", "subprocess"),
        ("from socket import socket", "socket"),
        ("import pickle", "pickle"),
        ("import importlib.util", "importlib"),
        ("import requests", "requests"),
        ("import tensorflow", "tensorflow"),
        ("from . import secrets", "."),
        ("exec('1')", "exec"),
        ("x = eval('1')", "eval"),
        ("__import__('os')", "__import__"),
        ("open('x')", "open"),
        ("f = open", "open"),
        ("().__class__.__bases__[0].__subclasses__()", "__subclasses__"),
        ("pd.read_pickle('x')", "read_pickle"),
        ("orders.to_csv('x.csv')", "to_csv"),
        ("orders.to_csv(path_or_buf=f'{name}.csv')", "to_csv"),
        ("orders.to_parquet()", "to_parquet"),
        ("pd.read_csv('https://example.com/x.csv')", "https://example.com/x.csv"),
    ],
)
def test_what_reaches_beyond_the_data_is_refused_by_name(source: str, name: str) -> None:
    assert [refusal.name for refusal in find_refusals(source)][:1] == [name] or name in {
        refusal.name for refusal in find_refusals(source)
    }


@pytest.mark.feature("B12")
@pytest.mark.parametrize(
    "source",
    [
        "import pandas as pd, numpy as np",
        "from scipy import stats\nimport sklearn.linear_model, statsmodels.api, seaborn, plotly.express",
        "import json, csv, datetime, typing",
        "violations = orders[~orders['user_id'].isin(users['user_id'])]",
        "text = orders.to_csv()\nrecords = orders.to_dict('records')",
        "result = orders.eval('a + b').query('a > 1')",
        "plt.savefig('plot.png')",
        "orders['open'] = orders.open",
        "",
    ],
)
def test_ordinary_code_is_not_refused(source: str) -> None:
    assert find_refusals(source) == ()


@pytest.mark.feature("B14")
def test_a_refusal_tells_line_column_and_reason() -> None:
    (refusal,) = find_refusals("x = 1\ny = [1]; import shutil\n")

    assert (refusal.line, refusal.column) == (2, 9)
    assert 'import of "shutil" is refused: it can reach beyond the data, and no list' in refusal.message
    assert "changes that. Allowed: abc," in refusal.message


@pytest.mark.feature("B24", "D09")
def test_the_policy_says_what_may_be_imported() -> None:
    allowed = ("colorsys",)

    assert find_refusals("import colorsys", allowed) == ()
    assert [refusal.name for refusal in find_refusals("import pandas", allowed)] == ["pandas"]


@pytest.mark.feature("D09")
@pytest.mark.parametrize("module", ["os", "subprocess", "socket", "pickle", "importlib", "ctypes"])
def test_no_policy_lets_code_import_what_reaches_beyond_the_data(module: str) -> None:
    (refusal,) = find_refusals(f"import {module}", (module, "pandas"))

    assert "no list of allowed packages changes that" in refusal.message


@pytest.mark.feature("B11")
@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("x = 1\ny = frame.drop(1)", [(2, 9)]),
        ("frame . drop(1)", [(1, 0)]),
        ("frame.dropna()", []),
        ("# .drop(1) is not used", [(1, 2)]),
    ],
)
def test_a_text_that_code_must_not_hold_is_found_however_it_is_spaced(
    source: str, places: list[tuple[int, int]]
) -> None:
    assert [(found.line, found.column) for found in find_texts(source, [".drop(", ""])] == places


@pytest.mark.parametrize(
    ("source", "what"),
    [("!rm -rf ~", "!rm"), ("%pip install x", "%pip"), ("%%bash\nls", "%%bash"), ("x = 1\nfiles = !ls", "!ls")],
)
def test_magics_and_shell_escapes_get_one_clear_line(source: str, what: str) -> None:
    (refusal,) = find_refusals(source)

    assert refusal.name == what
    assert "write it in Python" in refusal.message


def test_a_syntax_error_is_told_with_its_place() -> None:
    (refusal,) = find_refusals("x = 1\nif x\n")

    assert (refusal.line, refusal.name) == (2, "syntax")
    assert "expected ':'" in refusal.message


@pytest.mark.parametrize("source", ["x = '\0'", "(" * 5000, "-" * 100_000 + "1"])
def test_text_that_breaks_the_parser_is_refused_and_raises_nothing(source: str) -> None:
    assert [refusal.name for refusal in find_refusals(source)] == ["syntax"]
