"""Forms about how rows follow, repeat and refer to each other, about other cases, ages and shapes by example."""

from pandas_magic.planner.grammar.form import Form

_FORMS_OF_TRUTH: tuple[Form, ...] = (
    Form(
        "A column of true and false",
        "orders",
        ("gift must be true", "gift = true", "All orders must be gifts."),
    ),
    Form(
        "Only where it is true",
        "orders",
        (
            "Gift orders must have a note.",
            "Orders that are gifts must have a note.",
            "If gift is true, note must be present.",
        ),
    ),
    Form(
        "Only where it is false",
        "orders",
        (
            "If gift is false, note must be missing.",
            "Orders that are not gifts must not have a note.",
            "Non-gift orders must not have a note.",
        ),
    ),
    Form("True for some rows only", "orders", ("Only gift orders may have a note.",)),
    Form("Never true for some rows", "orders", ("Cancelled orders must not be gifts.",)),
)

FORMS_BETWEEN_ROWS: tuple[Form, ...] = (
    *_FORMS_OF_TRUTH,
    Form(
        "Values that never go down",
        "orders",
        (
            "total must never decrease per user",
            "For each user, total must never go down from one order to the next.",
            "total must not be lower than the previous one per user",
        ),
    ),
    Form(
        "Numbers without gaps",
        "orders",
        ("Order ids must be consecutive, without gaps.", "There must be no gaps in the order ids."),
    ),
    Form(
        "Not twice, or only so often",
        "orders",
        ("A user may order at most 3 times a day.", "No user may order more than 3 times on the same day."),
    ),
    Form(
        "Only one for each group",
        "orders",
        ("Only one order per user and day.", "No user may order twice on the same day."),
    ),
    Form(
        "A sum for each group and day",
        "orders",
        ("No user may order more than 50 quantity per day.", "A user may order at most 50 quantity per day in total."),
    ),
    Form(
        "One thing in one case, another in the other",
        "orders",
        (
            "note must be present if status is cancelled, otherwise it must be missing",
            "If status is cancelled then note must be present, else it must be missing.",
        ),
    ),
    Form(
        "More of one than of the other",
        "orders",
        ("There must not be more discount than amount.", "No order may have more discount than amount."),
    ),
    Form(
        "Rows of users of some kind, and their columns",
        "orders",
        ("Orders of banned users must not have a note.", "Banned users may not have a note."),
    ),
    Form(
        "Only users of some kind may",
        "orders",
        ("Only active users may have a coupon code.",),
    ),
    Form(
        "Two values that do not lie far apart",
        "orders",
        (
            "total must not deviate from amount by more than 5",
            "total must not differ from amount by more than 5",
        ),
    ),
    Form(
        "A reference to nothing",
        "orders",
        ("Flag orders whose user is unknown.", "Flag orders whose user does not exist."),
    ),
    Form(
        "Listed only once",
        "users",
        ("Users cannot be listed twice with the same email.", "No user may appear more than once with the same email."),
    ),
    Form(
        "Two columns that differ",
        "orders",
        ("The order date and the ship date must be different.", "Order date and ship date must differ."),
    ),
    Form(
        "Not done in the future",
        "orders",
        ("Orders must not be shipped in the future.", "No order may be shipped in the future."),
    ),
    Form(
        "A shape by example",
        "orders",
        ("Coupon codes must look like AAA-9999.", "coupon_code must follow the pattern AAA-9999"),
    ),
    Form(
        "Characters of several kinds",
        "orders",
        (
            "A coupon code has 8 characters, only capital letters and digits, but never I or O.",
            "Coupon codes are two capital letters, followed by 4 to 6 capital letters or digits, nothing else.",
        ),
    ),
    Form("Rows of a group that agree", "orders", ("If a user has several orders, they all have the same currency.",)),
    Form(
        "A count or sum that leaves some out",
        "users",
        ("The number of orders of a user, not counting cancelled ones, must not exceed 3.",),
    ),
    Form("What never happened", "users", ("Which users have never ordered anything?",)),
    Form("A question", "users", ("Is every user's email a valid email address?", "Do all users have an email?")),
    Form(
        "How many rows there are",
        "users",
        ("We have at least 10 users.", "The users table should hold at least 10 users."),
    ),
    Form("A value that must not occur", "orders", ("The coupon code AUTUMN5 is no longer allowed.",)),
    Form(
        "Outliers",
        "orders",
        (
            "Flag orders whose amount is more than 3 standard deviations away from the average amount.",
            "Flag amounts that are outliers by the usual 1.5 × IQR rule.",
        ),
    ),
)
