"""A PASS says that no row has the value that is forbidden, and which rows have one that looks the same."""

import pandas as pd
import pytest

from pandas_magic import check

PAID = "orders where status is 'paid': amount must be present"
NOT_LOST = "orders: status must not be 'lost'"


def notes_of(rule: str, statuses: list[object], dtype: str = "str") -> tuple[str, ...]:
    run = check(rule, tables={"orders": pd.DataFrame({"status": pd.Series(statuses, dtype=dtype), "amount": 1.0})})
    assert run.verdict == "PASS"
    return tuple(note for note in run.notes if note.startswith("no row has") or "in other rows" in note)


@pytest.mark.parametrize("dtype", ["str", "object", "category", "string[pyarrow]"])
def test_what_looks_like_a_forbidden_value_is_told_with_its_count(dtype: str) -> None:
    assert notes_of(NOT_LOST, ["open", "LOST", "LOST", None, " lost "], dtype) == (
        "no row has 'lost' in status: 2 have 'LOST'",
        "no row has 'lost' in status: 1 has ' lost '",
    )


def test_what_looks_like_the_value_that_rows_are_picked_by_is_told() -> None:
    assert notes_of(PAID, ["Paid", "open"]) == ("no row has 'paid' in status: 1 has 'Paid'",)


@pytest.mark.parametrize("rule", ["orders: status must be one of 'paid', 'open'", PAID, NOT_LOST])
def test_nothing_is_told_where_rows_have_the_value_or_the_rule_would_fail(rule: str) -> None:
    assert notes_of(rule, ["paid", "open", None]) == ()


def test_what_looks_like_the_value_beside_it_and_is_passed_over_is_told() -> None:
    told = "status is 'Paid' or 'paid ' in other rows, which the rule does not take for 'paid'"
    assert notes_of(PAID, ["paid", "Paid", "open", "paid "]) == (told,)
    assert notes_of(PAID.replace("is 'paid'", "is one of 'paid', 'Paid', 'paid '"), ["paid", "Paid", "paid "]) == ()


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_letters_that_a_rule_on_capitals_does_not_look_at_are_told(dtype: str) -> None:
    for case, names, told in (
        ("lower", ["Bo", "ünal", "Ünal"], ("name has 'Ünal': letters beside A to Z are not looked at",)),
        ("upper", ["bo", "ÜNAL", "Éà"], ("name has 'Éà': letters beside A to Z are not looked at",)),
        ("lower", ["Bo", "ünal", None], ()),
    ):
        people = pd.DataFrame({"name": pd.Series(names, dtype=dtype)})
        run = check(f"people.name must be in {case} case", tables={"people": people})
        assert (run.verdict, run.notes) == ("FAIL", told)
