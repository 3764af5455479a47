"""What is said of a rule that is not understood."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar import refusals
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES
from tests.pandas_magic.planner.grammar.former import compile_rule

TOGETHER = "I know the words of this rule, but not how they go together"
TRIPS = {
    "trips": Table(
        name="trips",
        columns={"trip_id": "int64", "status": "str", "amount": "float64", "km": "float64"},
        values={"status": ("cancelled", "paid")},
        keys=("trip_id",),
    )
}


def refusal(rule: str, tables: dict[str, Table] = EXAMPLE_TABLES, target: str | None = None) -> RuleNotUnderstood:
    with pytest.raises(RuleNotUnderstood) as caught:
        compile_rule(rule, tables, target=target)
    return caught.value


@pytest.mark.parametrize("rule", ["Orders should look reasonable.", "Do the orders look good?", "Every order must."])
def test_a_sentence_with_its_end_mark_is_not_called_unfinished(rule: str) -> None:
    assert refusal(rule).reason == f"{TOGETHER}."


@pytest.mark.parametrize("rule", ["amount must be", "amount must be at least", "amount must exceed", "total = tax -"])
def test_a_sentence_that_stops_in_the_middle_is_not_finished(rule: str) -> None:
    assert refusal(rule).reason == f'"{rule}" is not finished.'


def test_the_words_behind_which_no_reading_goes_on_are_named() -> None:
    refused = refusal("note or gift must be present but not both")
    assert refused.reason == f'{TOGETHER}: behind "note or gift must be present but not" I don\'t understand "both".'
    assert refused.unknown == ("both",)


@pytest.mark.parametrize("rule", ["gift", "closed orders must have an amount", "If status is paid"])
def test_a_name_at_the_end_is_not_called_misunderstood(rule: str) -> None:
    refused = refusal(rule)
    assert (refused.reason, refused.unknown) == (f"{TOGETHER}.", ())


@pytest.mark.parametrize(
    "rule", ["paid trips are to have a good amount", "status must be cancelled somehow", "amuont = 3"]
)
def test_at_most_two_things_are_suggested(rule: str) -> None:
    assert 1 <= len(refusal(rule, TRIPS).suggestions) <= 2


def test_forms_that_the_tables_at_hand_understand_come_first() -> None:
    assert refusal("Amounts should look ok.").suggestions == ('"amount > 0"', '"discount <= amount"')
    assert refusal("Amounts should look ok.", TRIPS).suggestions == ('"amount > 0"', '"amount must be positive"')


def test_forms_are_looked_for_when_somebody_reads_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(refusals, "nearest_forms", lambda text, **_: looked.append(text) or ("id must be unique",))
    refused = refusal("users must be fabulous and splendid")
    assert not looked
    assert str(refused).endswith('Nearest: "id must be unique"')
    assert refused.suggestions == ('"id must be unique"',)
    assert len(looked) == 1


def test_a_text_that_no_row_holds_yet_is_suggested_in_quotes() -> None:
    assert refusal("status must be refunded", TRIPS).suggestions == ("status must be 'refunded'",)
    assert refusal("Status must be wrapped up.", TRIPS).suggestions == ("Status must be 'wrapped up'.",)
