"""The glossary that people write: what it makes of rules, and what it says of mistakes."""

from pathlib import Path

import pytest

from pandas_magic.catalog.glossary import Glossary, read_glossary
from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import All
from pandas_magic.constraints.algebra.expressions import Arithmetic
from pandas_magic.errors import GlossaryUnreadable, RuleNotUnderstood
from pandas_magic.planner.language import compile_rule, completions
from pandas_magic.planner.language.linking import ColumnMeant, DefinedMeant, TableMeant, ValueMeant, link
from pandas_magic.planner.language.linking.glossary import problems_in, terms_said
from pandas_magic.planner.language.linking.linker import names_of

WRITTEN = """
[columns]
"client number" = "customers.customer_id"
fee = "orders.amount"
[tables]
patron = "customers"
[abbreviations]
kd = "customer"
[definitions]
"active customer" = "status is 'active' and churned_at is missing"
"closed customer" = "status is 'closed'"
turnover = "amount - discount"
"""


def written(folder: Path, text: str) -> Glossary:
    path = folder / "glossary.toml"
    path.write_text(text, encoding="utf-8")
    return read_glossary(path)


def tables_with(glossary: Glossary) -> dict[str, Table]:
    customers = Table(
        name="customers",
        columns={"customer_id": "int64", "status": "str", "churned_at": "datetime64[us]"},
        values={"status": ("active", "closed")},
        glossary=glossary,
    )
    columns = {
        "order_id": "int64",
        "customer_id": "int64",
        "kd_nr": "int64",
        "amount": "float64",
        "discount": "float64",
    }
    return {"customers": customers, "orders": Table(name="orders", columns=columns, glossary=glossary)}


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Table]:
    return tables_with(written(tmp_path, WRITTEN))


def meant(words: str, tables: dict[str, Table]) -> tuple[object, ...]:
    return link(words, tables, target=None).segments()[0].meanings


def test_a_term_means_what_is_written(tables: dict[str, Table]) -> None:
    assert ColumnMeant("customers", "customer_id", 0, "glossary") in meant("client numbers", tables)
    assert TableMeant("customers") in meant("patrons", tables)
    assert ColumnMeant("orders", "kd_nr", 0, "glossary") in meant("customer nr", tables)
    assert ValueMeant("customers", "status", "closed", literal=False) in meant("closed customers", tables)


def test_a_definition_is_a_condition_or_a_quantity(tables: dict[str, Table]) -> None:
    (condition,) = (one for one in meant("Active customers", tables) if isinstance(one, DefinedMeant))
    (quantity,) = (one for one in meant("turnover", tables) if isinstance(one, DefinedMeant))
    assert (condition.table, type(condition.condition), condition.quantity) == ("customers", All, None)
    assert (quantity.table, quantity.condition, type(quantity.quantity)) == ("orders", None, Arithmetic)


@pytest.mark.parametrize(
    ("rule", "target", "echo"),
    [
        ("Fees must be positive.", None, "orders: amount must be greater than 0"),
        ("Every patron must have a status.", None, "customers: status must be present"),
        (
            "Active customers must have a client number.",
            None,
            "customers where status is 'active' and churned_at is missing: customer_id must be present",
        ),
        (
            "Closed customers must have a churned_at.",
            None,
            "customers where status is 'closed': churned_at must be present",
        ),
        ("The turnover must not be negative.", "orders", "orders: amount - discount must be at least 0"),
        (
            "The sum of turnover per customer_id must be at most 500.",
            "orders",
            "orders: the sum of (amount - discount) per customer_id must be at most 500",
        ),
        ("fee <= 100", "orders", "orders: amount must be at most 100"),
        ("fee: number, required", "orders", "orders: amount must be present"),
    ],
)
def test_a_rule_is_read_with_the_glossary(rule: str, target: str | None, echo: str, tables: dict[str, Table]) -> None:
    assert compile_rule(rule, tables, target=target).echo.removesuffix(" (up to rounding)") == echo


def test_terms_complete_what_is_begun(tables: dict[str, Table]) -> None:
    assert "fee" in completions("orders: the f", tables, target="orders")
    assert "patron" in completions("every p", tables)


def test_it_is_said_that_the_glossary_was_used(tables: dict[str, Table]) -> None:
    explanation = dict(compile_rule("The fee must be less than the turnover.", tables, target="orders").explanation)
    assert "amount - discount, by the glossary" in explanation.values()
    assert "the column amount, by the glossary" in explanation.values()


def test_without_the_glossary_the_words_are_unknown() -> None:
    with pytest.raises(RuleNotUnderstood, match="patron"):
        compile_rule("Every patron must have a status.", tables_with(Glossary()))


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


def test_a_column_that_its_table_does_not_have_is_told_before_a_rule_is_read() -> None:
    with pytest.raises(GlossaryUnreadable, match='"amuont" of "orders", which does not exist; did you mean "amount"'):
        compile_rule("order_id must be unique", tables_with(Glossary(columns={"worth": "orders.amuont"})))


def test_terms_that_name_nothing_here_are_told() -> None:
    glossary = Glossary(
        columns={"worth": "orders.amuont", "rank": "position", "far": "elsewhere.x"},
        tables={"patron": "custmers"},
        definitions={"late": "due_on is missing", "cheap": "amount is less than 1", "odd": "status = active"},
    )
    assert list(problems_in(glossary, names_of(tables_with(Glossary())))) == [
        '"worth" stands for the column "amuont" of "orders", which does not exist; did you mean "amount"?',
        '"rank" stands for the column "position", which does not exist',
        '"patron" stands for the table "custmers", which does not exist; did you mean "customers"?',
        '"late" is defined as "due_on is missing", but no table has all the columns that this names',
        '"odd" is defined as "status = active", which is neither a condition, such as "status is \'active\' and '
        'churned_at is missing", nor a quantity, such as "amount - discount"',
    ]


def test_terms_that_a_rule_says() -> None:
    glossary = Glossary(
        columns={"client number": "customers.customer_id", "fee": "orders.amount"}, abbreviations={"kd": "customer"}
    )
    assert terms_said(glossary, "Client numbers must be unique") == {"client number": "customers.customer_id"}
    assert terms_said(glossary, "a customer may not pay") == {"kd": "customer"}
    assert terms_said(glossary, "feeding time") == {}


@pytest.mark.parametrize(("term", "said"), [("person", "people"), ("SKU", "SKUs"), ("colour", "colors")])
def test_a_term_that_the_reader_knows_in_a_rule_is_kept_with_the_check(term: str, said: str) -> None:
    glossary, rule = Glossary(tables={term: "customers"}), f"All {said} must have a status."
    assert TableMeant("customers") in link(said, tables_with(glossary), target=None).segments()[0].meanings
    assert terms_said(glossary, rule) == {term: "customers"}
