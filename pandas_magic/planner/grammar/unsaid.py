"""What the language cannot say, with an example of each that is refused. A test holds every example to that."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Unsaid:
    """One thing that no rule can say: an example about the table, and a rule that comes near; "" where none does."""

    subject: str
    table: str
    sentence: str
    instead: str = ""


UNSAID: tuple[Unsaid, ...] = (
    Unsaid("Wishes without a measure", "orders", "Orders should look reasonable."),
    Unsaid(
        "A vague part of the rows",
        "users",
        "Most users should have an email.",
        "At least 95 % of users must have an email.",
    ),
    Unsaid("Stretches of time that overlap", "orders", "Order periods of the same user must not overlap."),
    Unsaid("A sum that runs along the rows", "orders", "total must equal the sum of the amounts so far per user"),
    Unsaid("The second row compared with the first", "orders", "A user's second order must be larger than the first."),
    Unsaid("What a value was before it changed", "orders", "The status may only change from pending to paid."),
    Unsaid("Something in every period", "users", "Every user needs an order in each of the last 3 months."),
    Unsaid(
        "Functions of numbers other than `+ - * /` and the absolute value",
        "orders",
        "total = sqrt(amount)",
        "total * total = amount",
    ),
    Unsaid("Powers and remainders", "orders", "total = amount * quantity ^ 2", "total = amount * quantity * quantity"),
    Unsaid(
        "The larger of two columns",
        "orders",
        "total must be at least max(amount, discount)",
        "total must be at least amount. total must be at least discount.",
    ),
    Unsaid(
        "More than two cases in a row",
        "orders",
        "if amount > 100 then discount = 10 else if amount > 50 then discount = 5 else discount = 0",
        "If amount > 100, discount must be 10.",
    ),
    Unsaid(
        '"But not both" behind the demand',
        "orders",
        "note or coupon_code must be present but not both",
        "Exactly one of note and coupon_code must be given.",
    ),
    Unsaid(
        "A value in upper or lower case",
        "orders",
        "status must be 'paid', ignoring case",
        "status must be one of 'paid', 'Paid', 'PAID'",
    ),
    Unsaid("A text that holds the text of another column", "orders", "coupon_code must contain currency"),
    Unsaid("Texts that are nearly the same", "users", "email must be similar to full_name"),
    Unsaid("The language of a text", "orders", "note must be in English"),
    Unsaid(
        "Working days and holidays between two dates",
        "orders",
        "ship_date must be at most 2 working days after order_date",
        "ship_date must be at most 4 days after order_date",
    ),
    Unsaid("Distributions and correlations", "orders", "The correlation of amount and total must be above 0.9."),
    Unsaid("What is to be done with the rows", "users", "If a user is banned, delete the user."),
)
