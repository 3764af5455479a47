"""Pandera itself judges what we export as we do; schemas of others are read without being run."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.cli.demo_shop import PLANTED, make_tables
from pandas_magic.constraints import ColumnsRule, TableRule
from pandas_magic.errors import UsageMistake
from pandas_magic.peers import import_checks
from pandas_magic.peers.pandera import write_python, write_yaml
from tests.pandas_magic.constraints.shop import NOW, UTC_NOW
from tests.pandas_magic.peers.compiled import example_checks, found, gallery_checks, shops

# Its own dependencies warn; we do not change that.
pytestmark = pytest.mark.filterwarnings("ignore")


def schema_of(text: str, table: str) -> Any:
    """The schema in an exported module, run as its reader would, at the time of the tests."""
    for clock, moment in (('pd.Timestamp.now("UTC")', UTC_NOW), ("pd.Timestamp.now()", NOW)):
        text = text.replace(clock, f"pd.{moment!r}")
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    return namespace[table]


def failures(schema: Any, frame: pd.DataFrame) -> pd.DataFrame:
    """What it reports: one row for each failing value."""
    import pandera.pandas as pa

    try:
        schema.validate(frame, lazy=True)
    except pa.errors.SchemaErrors as error:
        return pd.DataFrame(error.failure_cases)
    return pd.DataFrame({"check": [], "index": []})


@pytest.mark.parametrize("table", ["users", "orders", "events"])
def test_the_example_checks_find_as_many_rows_there(table: str) -> None:
    tables = make_tables()
    for check in example_checks(table):
        exported = write_python([check])
        if check.id == "CHK-002":
            assert exported.not_expressed[0].reason == "a schema sees one table, and the rule looks at users too"
            continue
        reported = failures(schema_of(exported.text, table), tables[table])
        assert reported["index"].nunique() == PLANTED[check.id], check.id
        assert reported.empty == (PLANTED[check.id] == 0), check.id


@pytest.mark.parametrize("table", ["users", "orders", "prices"])
def test_every_rule_of_the_gallery_finds_the_same_rows_there(table: str) -> None:
    for check in gallery_checks(table):
        exported = write_python([check])
        assert check.constraint is not None
        for frames in shops() if exported.expressed else ():
            reported = failures(schema_of(exported.text, table), frames[table])
            ours = found(check.constraint, frames)
            assert reported.empty == (not ours), check.id
            if not isinstance(check.constraint, (TableRule, ColumnsRule)):
                assert reported["index"].nunique() == len(ours), check.id


@pytest.mark.parametrize("table", ["users", "orders"])
def test_its_yaml_finds_the_same_rows_too(table: str) -> None:
    import pandera.pandas as pa

    expressed = write_yaml(gallery_checks(table)).expressed
    assert len(expressed) > 4
    for check in gallery_checks(table):
        if check.id in expressed:
            schema = pa.DataFrameSchema.from_yaml(write_yaml([check]).text)
            assert check.constraint is not None
            for frames in shops():
                reported = failures(schema, frames[table])
                assert reported["index"].nunique() == len(found(check.constraint, frames)), check.id


def test_columns_that_a_rule_does_not_read_do_not_matter_to_its_function() -> None:
    # The code of a rule is written for a table of the columns that it reads.
    (check,) = [check for check in gallery_checks("orders") if check.id == "compound_unique"]
    orders = pd.DataFrame({"user_id": [1, 1], "order_date": [NOW, NOW], "status": ["paid", "paid"], "order_id": [1, 2]})
    assert failures(schema_of(write_python([check]).text, "orders"), orders)["index"].nunique() == 2


def test_all_checks_stand_in_one_module_with_a_schema_for_each_table() -> None:
    text = write_python(gallery_checks()).text
    for table in ("users", "orders", "prices"):
        assert schema_of(text, table).name == table


SCHEMA = """
import pandera as pa
from pandera import Column, Check
open("was_run", "w").write("this must never happen")

orders = pa.DataFrameSchema(
    {
        "order_id": Column(int, unique=True),
        "status": pa.Column(str, Check.isin(["a", "b"]), nullable=True),
        "amount": Column("float64", [Check.ge(0), Check.lt(100, name="CHK-7", raise_warning=True)], nullable=True),
        "note": Column(pa.String, Check(lambda s: s.str.len() > 3), nullable=True, required=False),
        "code": Column(nullable=True, coerce=True, dtype="int64"),
        "day": Column(checks=Check.in_range(pd.Timestamp("2026-01-01"), pd.Timestamp("2026-12-31")), nullable=True),
    },
    checks=pa.Check(lambda frame: frame["amount"] > 0),
    strict=True,
    unique=["status", "amount"],
)
"""


def test_a_schema_in_python_is_read_and_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    imported = import_checks(SCHEMA, "pandera")
    assert not (tmp_path / "was_run").exists()
    rules = {check.rule for check in imported.checks}
    assert rules >= {
        "orders: order_id must be present",
        "orders: order_id must be unique",
        "orders: status must be one of 'a', 'b'",
        "orders: amount must be at least 0",
        "orders: amount must be less than 100",
        "orders: (status, amount) must be unique counting missing values as equal",
        "orders: `day` must be between 2026-01-01 and 2026-12-31",
        "columns of orders: order_id must be integer",
        "columns of orders: must have order_id, status, amount, code, `day`",
    }
    warned = [check for check in imported.checks if check.id == "CHK-7"]
    assert [check.severity for check in warned] == ["low"]
    lost = [(one.where, one.reason) for one in imported.not_understood]
    assert ("line 11", "it is a function, which is not run") in lost
    assert ("line 15", "a check of the whole table is a function, which is not run") in lost
    assert any("coerce" in reason for _, reason in lost)
    assert any("need not be there, and no others" in reason for _, reason in lost)


MODEL = """
import pandera.pandas as pa
from pandera.typing import Series
from typing import Optional

class Orders(pa.DataFrameModel):
    order_id: Series[int] = pa.Field(unique=True, ge=1)
    status: Series[str] = pa.Field(isin=["a", "b"], nullable=True, alias="Status")
    code: Optional[str] = pa.Field(str_matches="[A-Z]{2}$", nullable=True)
    size: float = pa.Field(in_range={"min_value": 0, "max_value": 9, "include_max": False}, nullable=True)
    when: Series[pa.DateTime] = pa.Field(nullable=True, gt=LIMIT)

    @pa.check("size")
    def is_even(cls, values):
        return values % 2 == 0

    class Config:
        name = "orders"
        ordered = True
        multiindex_strict = True
"""


def test_a_model_class_is_read() -> None:
    imported = import_checks(MODEL, "pandera")
    rules = {check.rule for check in imported.checks}
    assert rules >= {
        "orders: order_id must be at least 1",
        "orders: Status must be one of 'a', 'b'",
        "orders: code must match /[A-Z]{2}/",
        "orders: size must be at least 0 and size must be less than 9",
        "columns of orders: must have order_id, Status, size, `when`; must stand in this order",
    }
    lost = {one.where: one.reason for one in imported.not_understood}
    assert lost["line 11"] == "it is not written out as a literal, and nothing is run"
    assert lost["line 14"] == "it is a function, which is not run"
    assert lost["line 20"] == "this setting of a model is not understood"


FORMS = {
    "mapping": "    checks:\n      isin: [a, b]\n      str_length: {min_value: 1, max_value: 3}\n",
    "list": (
        "    checks:\n    - value: [a, b]\n      options: {check_name: isin}\n"
        "    - {min_value: 1, max_value: 3, options: {check_name: str_length}}\n"
    ),
    "keys": "    isin: [a, b]\n    str_length: {min_value: 1, max_value: 3}\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_yaml_is_read_in_each_form_that_versions_wrote(form: str) -> None:
    text = f"schema_type: dataframe\nname: orders\ncolumns:\n  status:\n    nullable: true\n{FORMS[form]}"
    imported = import_checks(text, "pandera")
    assert imported.not_understood == ()
    assert [check.rule for check in imported.checks] == [
        "orders: status must be one of 'a', 'b'",
        "orders: the length of status must be between 1 and 3",
        "columns of orders: must have status",
    ]


def test_what_pandera_itself_writes_as_yaml_is_read() -> None:
    import pandera.pandas as pa

    columns = {
        "a": pa.Column("int64", [pa.Check.in_range(1, 5, include_max=False), pa.Check.ne(3)], nullable=True),
        "t": pa.Column("datetime64[ns]", pa.Check.ge(pd.Timestamp("2026-01-01")), unique=True),
    }
    imported = import_checks(pa.DataFrameSchema(columns, name="orders").to_yaml(), "pandera")
    assert imported.not_understood == ()
    assert {check.rule for check in imported.checks} >= {
        "orders: `a` must be at least 1 and `a` must be less than 5",
        "orders: `a` must not equal 3",
        "orders: t must be no earlier than 2026-01-01T00:00:00",
        "orders: t must be unique",
        "orders: t must be present",
        "columns of orders: t must be datetime",
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "no DataFrameSchema"),
        ("def (", "no Python that can be read"),
        ("(" * 20_000, "no Python that can be read"),
        ("columns:\n  a: &x [*x]\n", "line 2: the file holds more values"),
        ("columns:\n  a: {}\n  a: {}\n", "line 3: 'a' is given twice"),
        ("columns:\n  a: !!python/object/apply:os.system [ls]\n", "the schema has no name"),
        ("columns: [", "no YAML"),
    ],
)
def test_hostile_and_broken_text_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(UsageMistake, match=words) as caught:
        import_checks(text, "pandera")
    assert "\n" not in str(caught.value)
