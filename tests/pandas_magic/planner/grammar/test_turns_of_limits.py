"""Limits on groups of rows, on what refers to a row and on whole tables; and sentences close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "sites": Table(
        name="sites",
        columns={"site_id": "int64", "site_name": "str", "capacity_kwp": "float64"},
        values={},
        keys=("site_id",),
    ),
    "panels": Table(
        name="panels",
        columns={"panel_id": "int64", "site_id": "int64", "rated_power_kw": "float64"},
        values={},
        keys=("panel_id",),
    ),
    "visits": Table(
        name="visits",
        columns={
            "visit_id": "int64",
            "site_id": "int64",
            "engineer": "str",
            "invoice_no": "str",
            "kind": "str",
            "started_on": "datetime64[us]",
            "work_hours": "int64",
            "travel_hours": "int64",
            "total_hours": "int64",
            "list_price": "float64",
            "cost": "float64",
            "grade": "str",
        },
        values={"kind": ("repair", "cleaning", "survey"), "grade": ("A+", "A-", "B+", "B-")},
        keys=("visit_id",),
    ),
}
_ONE_SITE = "visits: the distinct count of site_id per invoice_no must be at most 1"

UNDERSTOOD = [
    ("visits", "No invoice number may be used for more than one site.", _ONE_SITE),
    ("visits", "An invoice number must not appear on visits of different sites.", _ONE_SITE),
    ("visits", "Are there any invoice numbers that appear on visits of different sites?", _ONE_SITE),
    ("visits", "There must be no invoice numbers that are used for more than one site.", _ONE_SITE),
    ("visits", "Flag any invoice number that is used for more than one site.", _ONE_SITE),
    (
        "visits",
        "List all engineers who have started more than 3 visits in a month.",
        "visits: the number of rows per (engineer, the year of started_on, the month of started_on) must be at most 3",
    ),
    (
        "sites",
        "List all sites that have received more than four visits.",
        "sites: the number of rows in visits by site_id must be at most 4",
    ),
    (
        "sites",
        "No site may have received more than four visits.",
        "sites: the number of rows in visits by site_id must be at most 4",
    ),
    (
        "sites",
        "The rated power of all panels in a site must add up to no more than the site's capacity.",
        "sites: the sum of rated_power_kw in panels by site_id must be <= capacity_kwp",
    ),
    ("visits", "Total hours = work + travel hours, +/- 1.", "visits: total_hours must equal work_hours + travel_hours"),
    ("visits", "List price at least 1.2 x cost.", "visits: list_price must be >= 1.2 * cost"),
    (
        "visits",
        "The average repair cost must be between 60 and 75.",
        "visits as a whole: the mean of cost in visits (where kind is 'repair') must be at least 60",
    ),
    (
        "sites",
        "The sites table needs at least 5 rows.",
        "sites as a whole: the number of rows in sites must be at least 5",
    ),
    (
        "visits",
        "Max 3 visits started per engineer and month.",
        "visits: the number of rows per (engineer, the year of started_on, the month of started_on) must be at most 3",
    ),
    (
        "visits",
        "Are there more than five visits without a start date?",
        "visits: started_on must be present; at most 5 rows may break this",
    ),
    (
        "visits",
        "There must not be more than five visits without an engineer.",
        "visits: engineer must be present; at most 5 rows may break this",
    ),
    ("visits", "The grade must be A+, A- or B+.", "visits: grade must be one of 'A+', 'A-', 'B+'"),
    (
        "visits",
        "All visits of one site: same engineer.",
        "visits: the distinct count of engineer per site_id must be at",
    ),
    (
        "panels",
        "All panels together should come to at least 1,000 kW of rated power.",
        "panels as a whole: the sum of rated_power_kw in panels must be at least 1000",
    ),
    (
        "panels",
        "Are there any panels that were entered twice, with all columns identical?",
        "panels: (panel_id, site_id, rated_power_kw) must be unique counting missing values as equal",
    ),
    ("visits", "Each visit must name an engineer.", "visits: engineer must be present"),
    ("visits", "There shall be no repair visits in this table.", "visits: kind must not be 'repair'"),
]

REFUSED = [
    ("visits", "An invoice number must be used for more than one site."),
    ("visits", "An invoice number may be used for more than one site."),
    ("visits", "Not every invoice number may be used for more than one site."),
    ("visits", "There must be no invoice numbers that are not used for more than one site."),
    ("visits", "There must be no invoice numbers that are used for only one site."),
    ("visits", "List all engineers who have not started more than 3 visits in a month."),
    ("visits", "No engineer may have more than two sites in a month."),
    ("visits", "An invoice number must not be used for exactly two sites."),
    ("visits", "List all engineers that have only 3 visits per month."),
    ("visits", "List prices below 5."),
    ("visits", "Max 3 visits finished per engineer and month."),
    ("visits", "There must not be fewer than five visits without an engineer."),
    ("visits", "There must not be five visits."),
    ("visits", "All repair visits: same engineer."),
    ("panels", "There must be no panels that were entered twice."),
    ("panels", "The panels of one site together should come to at least 100 kW of rated power."),
    ("visits", "Total hours must be at most 500."),
    ("sites", "The capacity must be at least 100 kW."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_limit_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo.startswith(echo)


@pytest.mark.parametrize(("table", "sentence"), REFUSED)
def test_sentence_that_nearly_says_it_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)
