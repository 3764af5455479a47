"""The glossary that people write: what it makes of words, and what it says of mistakes."""

from pathlib import Path

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import GlossaryUnreadable
from pandas_magic.planner.language.linking import (
    ColumnMeant,
    DefinedMeant,
    Glossary,
    Meaning,
    TableMeant,
    link,
    read_glossary,
)
from pandas_magic.planner.language.linking.linker import names_of

TABLES = {
    "customers": Table(
        name="customers",
        columns={"customer_id": "int64", "status": "str", "churned_at": "datetime64[us]"},
        values={"status": ("active", "closed")},
    ),
    "orders": Table(
        name="orders", columns={"order_id": "int64", "kd_nr": "int64", "amount": "float64", "discount": "float64"}
    ),
}
WRITTEN = """
[columns]
"client number" = "customers.customer_id"
[tables]
buyer = "customers"
[abbreviations]
kd = "customer"
[definitions]
"active customer" = "status is 'active' and churned_at is missing"
turnover = "amount - discount"
"""


def written(folder: Path, text: str) -> Glossary:
    path = folder / "glossary.toml"
    path.write_text(text, encoding="utf-8")
    return read_glossary(path)


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("client numbers", ColumnMeant("customers", "customer_id", 0, "glossary")),
        ("buyers", TableMeant("customers")),
        ("customer nr", ColumnMeant("orders", "kd_nr", 0, "glossary")),
        (
            "Active customers",
            DefinedMeant("customers", "active customer", "status is 'active' and churned_at is missing"),
        ),
        ("turnover", DefinedMeant("orders", "turnover", "amount - discount")),
    ],
)
def test_a_term_means_what_is_written(tmp_path: Path, words: str, meaning: Meaning) -> None:
    glossary = written(tmp_path, WRITTEN)
    assert meaning in link(words, TABLES, target=None, glossary=glossary).segments()[0].meanings


def test_the_version_follows_what_is_meant_and_not_how_it_is_written(tmp_path: Path) -> None:
    first = written(tmp_path, WRITTEN).version
    assert written(tmp_path, "# a remark\n" + WRITTEN).version == first
    assert written(tmp_path, WRITTEN.replace("amount - discount", "amount")).version != first
    assert read_glossary(tmp_path / "none.toml").version == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[synonyms]\na = 'b'", 'has a part "synonyms"; its parts are columns, tables, abbreviations, definitions'),
        ("columns = 'a'", '"columns" in glossary.toml is no part; write it as [columns]'),
        ("[columns]\na = 3", '"a" in [columns] of glossary.toml is not explained'),
        ("[columns]\na = ' '", '"a" in [columns] of glossary.toml is not explained'),
        ("[columns]\n'%' = 'x'", "which nobody can say"),
        ("[columns]\nrack = 'a'\n[tables]\nRacks = 'b'", 'has "Racks" and "rack", which are one term'),
        ("[columns\n", "glossary.toml is no TOML"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(GlossaryUnreadable) as raised:
        written(tmp_path, text)
    assert said in str(raised.value)


def test_terms_that_name_nothing_here_are_told() -> None:
    glossary = Glossary(
        columns={"worth": "orders.amuont", "rank": "position", "far": "elsewhere.x"},
        tables={"buyer": "custmers"},
        definitions={"late": "due_on is missing", "cheap": "amount is less than 1"},
    )
    assert list(glossary.problems(names_of(TABLES))) == [
        '"worth" stands for the column "amuont" of "orders", which does not exist; did you mean "amount"?',
        '"rank" stands for the column "position", which does not exist',
        '"buyer" stands for the table "custmers", which does not exist; did you mean "customers"?',
        '"late" is defined as "due_on is missing", but no table has all the columns that this names',
    ]
