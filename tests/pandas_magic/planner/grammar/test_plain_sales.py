"""Plain sentences about who refers to whom, how things are paid and sold, and which values there are."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar.morphology import singular
from tests.pandas_magic.planner.grammar.former import compile_rule

DATE = "datetime64[us]"
TABLES = {
    "departments": Table(
        name="departments", columns={"department_id": "int64", "manager_id": "int64"}, keys=("department_id",)
    ),
    "employees": Table(
        name="employees",
        columns={"employee_id": "int64", "department_id": "int64", "line_manager_id": "float64", "hired_on": DATE},
        keys=("employee_id",),
    ),
    "shows": Table(
        name="shows",
        columns={
            "show_id": "int64",
            "replaces_id": "float64",
            "receipt_no": "int64",
            "item_type": "str",
            "peak_watt": "int64",
            "fat_pct": "float64",
            "moved_out_on": DATE,
            "shown_on": DATE,
            "status": "str",
        },
        values={"status": ("planned", "cancelled"), "item_type": ("opera", "photo", "musical")},
        keys=("show_id",),
    ),
    "clients": Table(
        name="clients",
        columns={
            "client_id": "int64",
            "referred_by": "float64",
            "name": "str",
            "age": "float64",
            "joining_year": "int64",
            "birth_date": DATE,
            "health_check_on": DATE,
            "bill_language": "str",
            "status": "str",
        },
        values={"status": ("active", "paused", "left"), "bill_language": ("en", "de", "fr", "it")},
        keys=("client_id",),
    ),
    "shop_sales": Table(
        name="shop_sales",
        columns={
            "sale_id": "int64",
            "client_id": "int64",
            "payment": "str",
            "voucher_code": "str",
            "channel": "str",
            "currency": "str",
            "batch_number": "str",
            "product": "str",
            "kwh_used": "float64",
            "rating": "str",
            "state": "str",
            "sold_on": DATE,
            "refunded_on": DATE,
        },
        values={
            "payment": ("cash", "card", "voucher"),
            "channel": ("web", "phone", "box_office"),
            "state": ("booked", "refunded"),
            "rating": ("A", "B", "C"),
        },
        keys=("sale_id",),
    ),
    "tests": Table(
        name="tests",
        columns={"test_id": "int64", "sale_id": "int64", "run_number": "str", "lab_code": "str", "tested_on": DATE,
                 "currency": "str"},
        keys=("test_id",),
    ),
}  # fmt: skip
_MANAGER = "employees where line_manager_id is present: line_manager_id must be among employees.employee_id"
_NAMED = " where line_manager_id is present"
_REFERRED = "clients where referred_by is present: referred_by must be among clients.client_id"
_VOUCHER = "shop_sales where payment is 'voucher': voucher_code must be present"
_PAID = "shop_sales: payment must be one of 'cash', 'card', 'voucher'"
_CHANNEL = "shop_sales: channel must be one of 'web', 'phone', 'box_office'"
_RATING = "shop_sales: rating must be one of 'A', 'B', 'C'"
_PRODUCT = "shop_sales: the distinct count of product per batch_number must be at most 1"
_CURRENCY = "tests: currency must equal the currency of shop_sales by sale_id"
_NAME = "clients: name ignoring case must be unique"
_CHECK = "clients: health_check_on must be no later than now"
_TESTED = "tests: tested_on must be no later than today"
_REASON = "shop_sales where state is 'refunded': voucher_code must be present"
_ADULT = "clients: age must be at least 18"
_LISTED = "shows: (receipt_no, item_type) must be unique"
_LAB = "tests: the distinct count of lab_code per run_number must be at most 1"

UNDERSTOOD = [
    ("employees", "If an employee has a line manager, that manager must exist in the employees table.", _MANAGER),
    ("employees", "If an employee has a line manager, that line manager must exist.", _MANAGER),
    ("employees", "line_manager_id must exist in employees.", _MANAGER.replace(_NAMED, "")),
    ("clients", "If a client was referred by another client, that client must exist in the clients table.", _REFERRED),
    ("clients", "If a client was referred by somebody, referred_by must be the id of an existing client.", _REFERRED),
    ("clients", "referred_by must exist in clients.", _REFERRED.replace(" where referred_by is present", "")),
    (
        "employees",
        "Every department_id used in employees is also found in departments.",
        "employees: department_id must be among departments.department_id",
    ),
    ("shop_sales", "A shop sale paid by voucher needs a voucher_code.", _VOUCHER),
    ("shop_sales", "If the payment is by voucher, a voucher_code must be given.", _VOUCHER),
    ("shop_sales", "Shop sales paid by voucher without a voucher_code are not allowed.", _VOUCHER),
    ("shop_sales", "Shop sales are paid by cash, card or voucher and in no other way.", _PAID),
    ("shop_sales", "Shop sales are only made through the channels web, phone and box_office.", _CHANNEL),
    ("shop_sales", "The only channels we sell through are web, phone and box_office.", _CHANNEL),
    ("shop_sales", "There are only three channels of a sale: web, phone and box_office.", _CHANNEL),
    ("shop_sales", "Ratings are A, B and C; no other rating is allowed.", _RATING),
    ("clients", "There are only three client statuses: active, paused and left.",
     "clients: status must be one of 'active', 'paused', 'left'"),
    ("clients", "We only send bills in en, de or fr.", "clients: bill_language must be one of 'en', 'de', 'fr'"),
    ("shop_sales", "A batch number belongs to one product only.", _PRODUCT),
    ("shop_sales", "The same batch number never has two different products.", _PRODUCT),
    ("shop_sales", "Shop sales by the same client must have the same currency.",
     "shop_sales: the distinct count of currency per client_id must be at most 1"),
    ("tests", "All tests of the same run must have been done in the same lab.", _LAB),
    ("shop_sales", "A batch number covers six shop sales or fewer.",
     "shop_sales: the number of rows per batch_number must be at most 6"),
    ("tests", "Every test has the same currency as its sale.", _CURRENCY),
    ("clients", "Two clients cannot have the same name, even when upper and lower case differ.", _NAME),
    ("clients", "No two clients may have the same name, whether in capital or small letters.", _NAME),
    ("clients", "The joining year must be between 1900 and 2026; unknown years are allowed.",
     "clients: joining_year must be between 1900 and 2026"),
    ("clients", "A name must have at least 3 characters, unless it is missing.",
     "clients: the length of name must be at least 3"),
    ("clients", "No health check may have a date in the future.", _CHECK),
    ("clients", "Health checks must not have a date in the future.", _CHECK),
    ("tests", "There should be no tests dated later than today.", _TESTED),
    ("shop_sales", "Shop sales may only be refunded with a voucher_code.", _REASON),
    ("clients", "Nobody under 18 should be registered as a client.", _ADULT),
    ("clients", "No client under 18 should be in clients.", _ADULT),
    ("clients", "referred_by, if given, must be the client_id of a client.",
     "clients: referred_by must be among clients.client_id"),
    ("shows", "If a show replaces another one, the replaced show must exist.",
     "shows where replaces_id is present: replaces_id must be among shows.show_id"),
    ("shows", "A receipt may list each item type only once.", _LISTED),
    ("shows", "A receipt must not contain the same item type twice.", _LISTED),
    ("shows", "The peak power must be between 250 and 500 watts.", "shows: peak_watt must be between 250 and 500"),
    ("shows", "The fat content must be at most 5 percent.", "shows: fat_pct must be at most 5"),
    ("shows", "Operas must have a receipt_no.", "shows where item_type is 'opera': receipt_no must be present"),
    ("shows", "Photos never exceed 500 watts.", "shows where item_type is 'photo': peak_watt must be at most 500"),
    ("shows", "An item type may not look after more than 12 shows.",
     "shows: the number of rows per item_type must be at most 12"),
    ("shows", "Cancelled shows must not have a move-out date.",
     "shows where status is 'cancelled': moved_out_on must be missing"),
    ("shop_sales", "The payment method must be cash, card or voucher.", _PAID),
    ("tests", "The currency of a test must match the currency of its sale.", _CURRENCY),
    ("shop_sales", "The kWh used must not be negative.", "shop_sales: kwh_used must be at least 0"),
]  # fmt: skip
REFUSED = [
    ("employees", "If an employee has no line manager, that manager must exist in the employees table."),
    ("employees", "If an employee has a line manager, that manager must exist in the departments table."),
    ("employees", "If an employee has a line manager, that manager must not exist in the employees table."),
    ("clients", "If a client was not referred by another client, that client must exist."),
    # Which of the two?
    ("clients", "If a client was referred by another client, that client must be active."),
    ("employees", "Not every department_id used in employees is found in departments."),
    ("employees", "Every department_id used in clients is also found in departments."),
    ("shop_sales", "Shop sales not paid by voucher need a voucher_code."),
    # Refunded rows are some of them, so that the others may do otherwise.
    ("shop_sales", "We only refund sales through the channels web and phone."),
    ("shop_sales", "The only channels we refund are web and phone."),
    ("shop_sales", "Ratings are A and B; no other channel is allowed."),
    ("shop_sales", "A batch number does not belong to one product only."),
    ("tests", "No test has the same currency as its sale."),
    ("tests", "Not every test has the same currency as its sale."),
    ("tests", "Some tests have the same currency as their sale."),
    ("tests", "Only some tests have the same currency as their sale."),
    ("clients", "The joining year must be between 1900 and 2026; unknown ages are allowed."),
    ("clients", "The joining year must be between 1900 and 2026; unknown years are not allowed."),
    # There are several dates.
    ("clients", "No client may have a date in the future."),
    ("shows", "If a show replaces another one, the replaced show must be cancelled."),
    ("shows", "If a show is replaced, the replaced show must exist."),
    ("shows", "No show may exceed 500 km."),
    ("shows", "A receipt may not list each item type only once."),
    ("tests", "The currency of a test must match its sale."),
    ("shop_sales", "Shop sales may not only be refunded with a voucher_code."),
    ("shop_sales", "Shop sales may be refunded with a voucher_code."),
    # Must all be refunded, or must only those have none?
    ("shop_sales", "Shop sales may only be refunded without a voucher_code."),
    ("clients", "Nobody should be registered as a client."),
    ("clients", "No paused client should not be in clients."),
]


@pytest.mark.parametrize(("table", "text", "echo"), UNDERSTOOD, ids=[text for _, text, _ in UNDERSTOOD])
def test_a_turn_is_understood(table: str, text: str, echo: str) -> None:
    found = compile_rule(text, TABLES, target=table)
    assert found.echo == echo
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(("table", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_a_near_miss_is_refused(table: str, text: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(text, TABLES, target=table)


def test_the_manager_of_a_department_is_somebody() -> None:
    found = compile_rule("The manager of a department must exist in employees.", TABLES, target="departments")
    echo = "departments: manager_id must be present and manager_id must be among employees.employee_id"
    assert found.echo == echo


@pytest.mark.parametrize(("plural", "noun"), [("areas", "area"), ("photos", "photo"), ("clinics", "clinic")])
def test_a_plural_that_ends_like_a_singular_names_the_same(plural: str, noun: str) -> None:
    assert singular(plural) == noun


@pytest.mark.parametrize("word", ["canvas", "chaos", "politics", "status", "basis"])
def test_a_singular_that_ends_like_a_plural_stays(word: str) -> None:
    assert singular(word) == word


def test_tables_of_such_a_name_are_referred_to() -> None:
    tables = {
        "clinics": Table(name="clinics", columns={"clinic_id": "int64"}, keys=("clinic_id",)),
        "visits": Table(name="visits", columns={"visit_id": "int64", "clinic_id": "int64"}, keys=("visit_id",)),
    }
    found = compile_rule("Every visit must belong to an existing clinic.", tables, target="visits")
    assert found.echo == "visits: clinic_id must be present and clinic_id must be among clinics.clinic_id"
