"""The forms of the language with an example of each. The page of the language and the refusals are made from them."""

import re

from pandas_magic.planner.grammar.example_tables import EXAMPLE_TABLES
from pandas_magic.planner.grammar.form import Form
from pandas_magic.planner.grammar.forms_between_rows import FORMS_BETWEEN_ROWS
from pandas_magic.planner.grammar.morphology import singular

FORMS: tuple[Form, ...] = (
    Form(
        "A value is there",
        "users",
        (
            "email must not be missing",
            "Every user must have an email.",
            "email is mandatory",
            "users.email is not null",
            "Flag users without an email.",
            "No user may have a missing email.",
        ),
    ),
    Form(
        "A value is neither missing nor an empty text",
        "orders",
        ("note must not be blank", "Flag orders whose note is blank."),
    ),
    Form(
        "A value is missing",
        "orders",
        ("Cancelled orders must not have a ship date.", "If status is cancelled, ship_date must be missing."),
    ),
    Form(
        "Values are unique",
        "orders",
        (
            "order_id must be unique",
            "unique(order_id)",
            "No two orders may share the same order id.",
            "order_id must not contain duplicates",
        ),
    ),
    Form(
        "Several values together are unique",
        "orders",
        (
            "The combination of user_id and order_date must be unique.",
            "unique(user_id, order_date)",
            "user_id must be unique per order_date",
        ),
    ),
    Form(
        "Unique without regard to case",
        "users",
        ("Emails must be unique, ignoring case.", "email must be unique regardless of case"),
    ),
    Form(
        "A value exists in another table",
        "orders",
        (
            "user_id must exist in users",
            "Flag orders whose user_id is missing from users.",
            "Each order must belong to an existing user.",
        ),
    ),
    Form(
        "Rows of another table refer to it",
        "users",
        ("Each user must have at least one order.", "Flag users without orders."),
    ),
    Form(
        "One of a list of values",
        "orders",
        (
            "currency must be EUR, USD or GBP",
            "currency in ('EUR', 'USD', 'GBP')",
            "currency: one of EUR, USD, GBP",
            "Only the currencies EUR, USD and GBP are allowed.",
            "We only accept orders in EUR, USD or GBP.",
        ),
    ),
    Form(
        "None of a list of values",
        "orders",
        ("status must not be paid or shipped", "status not in ('paid', 'shipped')"),
    ),
    Form(
        "In a range",
        "orders",
        (
            "quantity must be between 1 and 100",
            "quantity: 1..100",
            "quantity must be at least 1 and at most 100",
            "quantity has to lie in the range 1 to 100",
            "Flag orders whose quantity is below 1 or above 100.",
        ),
    ),
    Form(
        "Greater or smaller",
        "orders",
        (
            "amount must be positive",
            "amount > 0",
            "No order may have an amount of zero or less.",
            "Flag orders whose amount is not positive.",
        ),
    ),
    Form(
        "Compared with another column",
        "orders",
        (
            "discount must not exceed amount",
            "discount <= amount",
            "The discount of an order can never be higher than its amount.",
        ),
    ),
    Form(
        "Equal to a formula",
        "orders",
        ("total = amount - discount + tax ± 0.01", "The total must equal amount minus discount plus tax, within 0.01."),
    ),
    Form("A format", "users", ("email must be a valid email address", "Emails must look like an email address.")),
    Form(
        "A pattern",
        "orders",
        (
            "coupon_code must match /[A-Z]{3}-\\d{4}/",
            "Coupon codes must be three capital letters, a dash and four digits.",
        ),
    ),
    Form(
        "A text's beginning, end or content",
        "orders",
        ("coupon_code must start with 'SAVE'", "Coupon codes begin with 'SAVE'."),
    ),
    Form(
        "A text's length",
        "users",
        (
            "full_name must have at least 3 characters",
            "Full names are at least 3 characters long.",
            "len(full_name) >= 3",
        ),
    ),
    Form(
        "Dates in order",
        "orders",
        (
            "ship_date must not be before order_date",
            "An order cannot be shipped before it was ordered.",
            "ship_date >= order_date",
        ),
    ),
    Form(
        "Not in the future", "users", ("signup_date must not be in the future", "No signup date may lie in the future.")
    ),
    Form(
        "Not long ago",
        "users",
        ("last_login must be within the last 30 days", "last_login must not be older than 30 days"),
    ),
    Form(
        "A time between two dates",
        "orders",
        (
            "ship_date must be at most 5 days after order_date",
            "ship_date must not be more than 5 days after order_date",
        ),
    ),
    Form(
        "Only for some rows",
        "orders",
        (
            "Shipped or delivered orders must have a ship date.",
            "If status is shipped or delivered, ship_date must be present.",
            "For orders with status shipped or delivered, ship_date is mandatory.",
            "ship_date must be present when status is shipped or delivered",
        ),
    ),
    Form(
        "Not for some rows",
        "orders",
        ("amount must be positive unless status is cancelled", "For non-cancelled orders the amount must be positive."),
    ),
    Form(
        "Only some rows may",
        "orders",
        ("Only cancelled orders may have a note.", "Orders may have a note only if status is cancelled."),
    ),
    Form(
        "Compared with the row referred to",
        "orders",
        (
            "order_date must not be before the user's signup date",
            "An order must not be placed before the user signed up.",
        ),
    ),
    Form(
        "Rows of users of some kind",
        "orders",
        ("There must be no pending orders from banned users.", "Banned users must not have any pending orders."),
    ),
    Form(
        "Equal to a count of other rows",
        "users",
        (
            "order_count must equal the number of the user's orders",
            "users.order_count must equal the number of that user's orders.",
        ),
    ),
    Form(
        "Compared with a sum over other rows",
        "users",
        (
            "The sum of the totals of the user's orders must not exceed credit_limit",
            "The totals of a user's orders may not add up to more than the credit limit.",
        ),
    ),
    Form(
        "At most so many rows in a group",
        "orders",
        (
            "At most three orders per user per day.",
            "A user may not place more than 3 orders on the same day.",
            "Per user no more than 3 orders a day.",
        ),
    ),
    Form("A statistic of a group", "orders", ("The sum of amount per user must not exceed 1000.",)),
    Form(
        "The same value within a group",
        "users",
        (
            "All users with the same country must have the same credit_limit.",
            "Each country must have exactly one credit_limit.",
        ),
    ),
    Form(
        "One of several values is there",
        "users",
        ("At least one of email and full_name must be present.", "email or full_name must be present"),
    ),
    Form("Exactly one is there", "orders", ("Exactly one of coupon_code and note must be given.",)),
    Form(
        "Not both",
        "orders",
        ("coupon_code and note must not both be given", "coupon_code and note are mutually exclusive"),
    ),
    Form(
        "Some violations are accepted",
        "users",
        ("At least 99 % of users must have an email.", "At most 1 % of users may lack an email."),
        'The share is that of all rows of the table, or of those that the rule is about ("99 % of shipped orders"). '
        "A row with a missing value counts among them too; it breaks only a rule that asks for the value.",
    ),
    Form("A number of rows", "orders", ("The orders table must have at least 1000 rows.",)),
    Form(
        "A statistic of the table",
        "orders",
        ("The average amount must be between 10 and 200.", "The mean of amount must be between 10 and 200."),
    ),
    Form("Columns", "orders", ("The orders table must have the columns order_id and amount.",)),
    *FORMS_BETWEEN_ROWS,
)
_SMALL_WORDS = frozenset(
    ["the", "a", "an", "of", "in", "must", "be", "not", "is", "are", "to", "and", "or", "if", "for", "may"]
)


def nearest_forms(text: str, *, at_most: int = 2) -> tuple[str, ...]:
    """Sentences of the language that share the most words with the text; never more than a hint."""
    words = _content(text)
    scored = [
        (len(words & _content(sentence)), -len(sentence), sentence) for form in FORMS for sentence in form.sentences
    ]
    best = sorted(((score, length, sentence) for score, length, sentence in scored if score), reverse=True)
    return tuple(sentence for _, _, sentence in best[:at_most])


def _content(text: str) -> set[str]:
    return {singular(word) for word in re.findall(r"[a-z_]+", text.lower())} - _SMALL_WORDS


__all__ = ["EXAMPLE_TABLES", "FORMS", "Form", "nearest_forms"]
