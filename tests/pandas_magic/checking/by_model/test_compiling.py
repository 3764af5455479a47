import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.checking.by_model.compiling import NotConfirmed
from pandas_magic.errors import ModelUnavailable, RuleNotUnderstood
from pandas_magic.history.run import Verdict
from pandas_magic.registry.approval import approve
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.parts import (
    FREIGHT,
    FREIGHT_CODE,
    FREIGHT_RULE,
    FREIGHT_SENTENCE,
    FREIGHT_WORDS,
    data_blocks,
    fenced,
    judging,
    part_of,
    parts,
    restated,
)
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 4, 5, 6],
        "amount": [10.0, -2.0, 7.5, None, 3.0, -0.5],
        "discount": [1.0, 0.0, 9.0, 1.0, None, 0.0],
    }
)


@pytest.fixture
def shop(workspace_with: Any) -> Callable[[ScriptedEndpoint], Workspace]:
    return lambda endpoint: workspace_with(endpoint, {"orders": ORDERS})


@pytest.mark.feature("A02")
@pytest.mark.feature("A01")
def test_a_rule_in_strange_words_becomes_a_typed_proved_check(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    workspace = shop(endpoint)
    result = workspace.check(CheckRequest(FREIGHT_RULE))
    assert list(result.violations.index) == [1, 5]
    assert result.echo == "orders: amount must be at least 0"
    assert result.compiled.planner == "model scripted"
    assert result.compiled.proof.holds
    assert ("Freight charges", "orders.amount") in result.explanation


@pytest.mark.feature("D22")
def test_an_unchanged_rule_on_an_unchanged_schema_makes_no_call(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    workspace = shop(endpoint)
    workspace.check(CheckRequest(FREIGHT_RULE))
    before = len(endpoint.requests)
    workspace.check(CheckRequest(FREIGHT_RULE))
    workspace.run_saved("CHK-001")
    assert len(endpoint.requests) == before


def test_what_is_told_of_the_tables_is_shown_before_the_first_request(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    told: list[tuple[int, str]] = []
    shop(endpoint).check(
        CheckRequest(FREIGHT_RULE), on_progress=lambda line: told.append((len(endpoint.requests), line))
    )
    first = next(line for requests, line in told if requests == 0 and line.startswith("telling"))
    assert first.startswith("telling scripted at 127.0.0.1")
    assert first.endswith("names of files and columns, and types; no values")


def test_what_the_rule_compiler_understands_is_never_asked(serve: Any, shop: Any) -> None:
    endpoint = serve()
    shop(endpoint).check(CheckRequest("orders.order_id must be unique"))
    assert endpoint.requests == []


def test_a_key_without_a_model_named_for_us_sends_nothing(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = serve()
    workspace = shop(endpoint)
    monkeypatch.delenv("PANDAS_MAGIC_MODEL")
    with pytest.raises(RuleNotUnderstood):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert endpoint.requests == []


def test_the_planner_rules_sends_nothing(serve: Any, shop: Any, tmp_path: Path) -> None:
    endpoint = serve()
    shop(endpoint)
    workspace = Workspace.open(tmp_path, tables={"orders": ORDERS}, settings={"planner": "rules"})
    with pytest.raises(RuleNotUnderstood):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert endpoint.requests == []


def judged_rows(endpoint: ScriptedEndpoint) -> list[dict[str, Any]]:
    """The rows that the reader was shown, of every case."""
    asked = next(r.body["messages"][-1]["content"] for r in endpoint.requests if "You judge" in r.text)
    cases = data_blocks(asked)[1]["cases"]
    return [row for case in cases for row in case["tables"]["orders"]]


def test_a_reader_is_shown_rows_that_break_the_rule_and_rows_that_keep_it_once(serve: Any, shop: Any) -> None:
    unique = {
        "restate": restated("orders.order_id must be unique.", ("Nothing is ordered twice", "order_id must be unique")),
        "judge": judging(lambda row: True),
    }
    endpoint = serve(always=parts(**{**FREIGHT, **unique}))
    with pytest.raises(NotConfirmed, match="by a reader of the rule it breaks it"):
        shop(endpoint).check(CheckRequest("Nothing is ordered twice."))
    assert len(judged_rows(endpoint)) <= 2 * 12


@pytest.mark.parametrize("verdicts", [{}, {"case_1_row_0": "keeps"}, {"case_1_row_0": "perhaps"}])
def test_a_reader_who_passes_rows_over_confirms_nothing(serve: Any, shop: Any, verdicts: dict[str, str]) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "judge": json.dumps(verdicts)}))
    workspace = shop(endpoint)
    with pytest.raises(NotConfirmed, match=r"no second opinion: scripted .* does not fit: case_1_row_"):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert workspace.check_ids() == []


def test_of_a_wide_table_a_reader_is_shown_the_columns_that_the_rule_may_mean(
    serve: Any, shop: Any, tmp_path: Path
) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    bench = shop(endpoint).runner.bench
    spare = pd.DataFrame({f"spare_{n}": ["x"] * len(ORDERS) for n in range(300)} | {"freight": [1.0] * len(ORDERS)})
    wide = Workspace.open(tmp_path, tables={"orders": pd.concat([spare, ORDERS], axis=1)})
    wide.runner.bench = bench
    assert list(wide.check(CheckRequest(FREIGHT_RULE)).violations.index) == [1, 5]
    shown = set(judged_rows(endpoint)[0])
    assert {"amount", "discount", "freight"} <= shown
    assert len(shown) == 25  # 24 columns and the number of the row


# What a model may get wrong, and a word of what speaks against it.
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a word that nothing stands for": (
        {"restate": restated(FREIGHT_SENTENCE, ("Freight charges", "orders.amount"))},
        "nothing in the sentence stands for",
    ),
    "a number of its own": (
        {
            "restate": restated(
                "orders.amount must be at least 17.", *FREIGHT_WORDS[:1], ("never go below nil", "at least 17")
            )
        },
        'does not say "17"',
    ),
    "another column": (
        {
            "restate": restated(
                "orders.discount must be at least 0.", ("Freight charges", "orders.discount"), FREIGHT_WORDS[1]
            )
        },
        "by a reader of the rule",
    ),
    "the opposite": (
        {
            "restate": restated(
                "orders.amount must be less than 0.", FREIGHT_WORDS[0], ("may never go below nil", "less than 0")
            )
        },
        "by a reader of the rule",
    ),
    "a share of rows that may break it": (
        {
            "restate": restated(
                "orders: amount must be at least 0; at most 1 % of rows may break this",
                *FREIGHT_WORDS[:1],
                ("may never go below nil", "must be at least 0"),
            )
        },
        "the rule lets no rows break it",
    ),
    "a row that may break it": (
        {
            "restate": restated(
                "orders: amount must be at least 0; at most 1 row may break this",
                *FREIGHT_WORDS[:1],
                ("may never go below nil", "must be at least 0"),
            )
        },
        "the rule lets no rows break it",
    ),
    "code that finds other rows": (
        {"write": fenced('violations = orders[orders["amount"] <= 7.5]')},
        "code written from the rule alone",
    ),
    "a reader of another mind": ({"judge": judging(lambda row: True)}, "by a reader of the rule"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_reading_is_refused_and_nothing_is_saved(serve: Any, shop: Any, name: str) -> None:
    wrong, words = WRONG[name]
    endpoint = serve(always=parts(**{**FREIGHT, **wrong}))
    workspace = shop(endpoint)
    with pytest.raises(NotConfirmed, match=words) as caught:
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert len(caught.value.attempts) == 1  # it kept to its sentence when it was doubted
    assert workspace.check_ids() == []


def test_a_refusal_still_names_the_words_that_the_rule_compiler_stumbled_over(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "judge": judging(lambda row: True)}))
    with pytest.raises(NotConfirmed, match=r"I don't understand .* And scripted could not confirm") as caught:
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert "Freight" in caught.value.unknown
    assert caught.value.attempts
    # Nothing near it is sayable in the names of these tables, and no other tables are spoken of.
    assert caught.value.suggestions == ()


def test_what_a_model_made_of_a_rule_is_asked_about_with_what_it_would_find(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "judge": judging(lambda row: True)}))
    with pytest.raises(NotConfirmed) as caught:
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    first = caught.value.readings[0]
    assert (first.sentence, first.count) == ("orders: amount must be at least 0", 2)
    assert first.breaks == {"row": 1, "amount": -2.0}


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            "The amount of parcels to Bavaria may never go below nil.",
            "orders where the country of customers by customer_id is 'BY': amount must be at least 0",
        ),
        ("Nobody may post the same parcel twice.", "orders: (amount, discount) must be unique"),
    ],
)
def test_a_reader_is_asked_about_rows_of_several_tables_and_keys_of_several_columns(
    serve: Any, workspace_with: Any, rule: str, sentence: str
) -> None:
    words = [(word, sentence) for word in rule.rstrip(".").split()]
    plays = {"restate": restated(sentence, *words), "judge": judging(lambda row: True)}
    customers = pd.DataFrame({"customer_id": [1, 2], "country": ["BY", "HE"]})
    tables = {"orders": ORDERS.assign(customer_id=[1, 2, 1, 2, 1, 2]), "customers": customers}
    workspace = workspace_with(serve(always=parts(**{**FREIGHT, **plays})), tables)
    with pytest.raises(NotConfirmed, match="by a reader of the rule it breaks it"):
        workspace.check(CheckRequest(rule))


def test_a_model_that_says_a_rule_back_is_told_of_in_a_few_words(serve: Any, shop: Any) -> None:
    rule = "orders.amount must be between 1"
    endpoint = serve(always=parts(**{**FREIGHT, "restate": restated(rule)}))
    with pytest.raises(NotConfirmed, match=r"scripted could not confirm .*: it only said the rule back; say") as caught:
        shop(endpoint).check(CheckRequest(rule))
    assert rule not in str(caught.value)


def test_a_rule_is_given_up_after_three_repairs(serve: Any, shop: Any) -> None:
    wrong = [
        restated(f"orders.amount must be at least {n}.", FREIGHT_WORDS[0], (FREIGHT_WORDS[1][0], f"at least {n}"))
        for n in range(7, 17)
    ]
    endpoint = serve(always=parts(**{**FREIGHT, "restate": wrong}))
    with pytest.raises(NotConfirmed) as caught:
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert len(caught.value.attempts) == 4
    assert len(endpoint.requests) == 4


@pytest.mark.feature("E07")
@pytest.mark.feature("D07")
def test_a_wrong_restatement_is_repaired_and_every_attempt_is_kept(serve: Any, shop: Any) -> None:
    wrong = restated(
        "orders.amount must be at least 17.", *FREIGHT_WORDS[:1], ("may never go below nil", "at least 17")
    )
    endpoint = serve(always=parts(**{**FREIGHT, "restate": [wrong, FREIGHT["restate"]]}))
    result = shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert list(result.violations.index) == [1, 5]
    assert any("17" in problem for _, problem in result.explanation)


@pytest.mark.feature("D05")
@pytest.mark.feature("A09")
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ('violations = orders[orders["amuont"] < 0]', 'has no column "amuont"; did you mean "amount"?'),
        ('violations = orders.where_missing("amount")', "pandas has no where_missing"),
        ('import os\nviolations = orders[orders["amount"] < 0]', "os"),
        ('bad = orders[orders["amount"] < 0]', "never binds violations"),
        ("violations = orders[orders['amount'] <", "Python"),
    ],
)
def test_code_with_a_plain_mistake_is_sent_back_with_what_is_wrong(serve: Any, shop: Any, bad: str, words: str) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "write": [fenced(bad), FREIGHT["write"]]}))
    result = shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert list(result.violations.index) == [1, 5]
    assert any(words in request.text.replace('\\"', '"') for request in endpoint.requests)


def test_code_that_comes_back_unchanged_is_not_asked_for_again(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "write": fenced('violations = orders[orders["amuont"] < 0]')}))
    with pytest.raises(NotConfirmed, match=r'no second opinion: .*"amuont".* \(the same code again\)'):
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert len([request for request in endpoint.requests if "You write pandas" in request.text]) == 2


def test_an_object_that_comes_back_unchanged_is_not_asked_for_again(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "judge": "{}"}))
    with pytest.raises(NotConfirmed, match="does not fit"):
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert len([request for request in endpoint.requests if "You judge" in request.text]) == 2


EXAMPLES = {
    "target": "orders",
    "tables": [
        {
            "name": "orders",
            "columns": ["order_id", "amount"],
            "rows": [[1, 5.0], [2, -5.0], [3, 0.0], [4, -1.0], [5, None]],
        }
    ],
    "breaking": [1, 3],
}
UNSAYABLE = {
    **FREIGHT,
    "restate": restated("", can_be_said=False),
    "examples": json.dumps(EXAMPLES),
    "keep": fenced('fine = orders.loc[~orders["amount"].lt(0)]'),
}


def test_what_no_typed_rule_says_becomes_code_that_two_authors_and_examples_agree_on(serve: Any, shop: Any) -> None:
    result = shop(serve(always=parts(**UNSAYABLE))).check(CheckRequest(FREIGHT_RULE))
    assert list(result.violations.index) == [1, 5]
    assert result.compiled.constraint is None
    assert result.compiled.code == 'violations = orders[orders["amount"] < 0]'
    assert result.compiled.plan.reads == {"orders": ("amount",)}
    assert result.compiled.proof.planted == 2


def test_code_that_no_rule_in_words_describes_gives_no_verdict_until_a_person_approves_it(
    serve: Any, shop: Any
) -> None:
    """Two authors may take vague words alike, and nothing says in words what they took them for."""
    workspace = shop(serve(always=parts(**UNSAYABLE)))
    result = workspace.check(CheckRequest(FREIGHT_RULE))
    assert result.run.verdict is Verdict.ERROR
    assert f"it finds 2 rows of orders; read it, and if that is meant, pandas-magic approve {result.compiled.id}" in (
        result.run.error
    )
    assert workspace.run_saved(result.compiled.id).run.verdict is Verdict.ERROR
    approve(workspace.registry, result.compiled.id, "ann")
    approved = workspace.run_saved(result.compiled.id).run
    assert (approved.verdict, approved.violation_count) == (Verdict.FAIL, 2)


def test_code_that_nobody_approved_gives_a_verdict_where_settings_allow_it(serve: Any, shop: Any) -> None:
    workspace = shop(serve(always=parts(**UNSAYABLE)))
    workspace.runner.settings = workspace.settings.model_copy(update={"allow_proposed": True})
    assert workspace.check(CheckRequest(FREIGHT_RULE)).run.verdict is Verdict.FAIL


@pytest.mark.feature("E07")
def test_code_that_was_sent_back_is_kept_with_the_reason(serve: Any, shop: Any) -> None:
    bad = 'violations = orders[orders["amuont"] < 0]'
    result = shop(serve(always=parts(**{**UNSAYABLE, "write": [fenced(bad), FREIGHT["write"]]}))).check(
        CheckRequest(FREIGHT_RULE)
    )
    ((code, problem),) = result.explanation
    assert bad in code
    assert 'has no column "amuont"' in problem


def test_a_refusal_shows_the_best_code_there_was(serve: Any, shop: Any) -> None:
    bad = 'violations = orders[orders["amuont"] < 0]'
    with pytest.raises(NotConfirmed, match=re.escape(f"the best attempt:\n{bad}")):
        shop(serve(always=parts(**{**UNSAYABLE, "write": fenced(bad)}))).check(CheckRequest(FREIGHT_RULE))


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ('fine = orders.loc[orders["amount"] >= 0]', "flags example row 4"),
        ('fine = orders.loc[~(orders["amount"] < -2)]', "misses example row 3"),
        ('fine = orders.loc[~(orders["amount"] < 0) | (orders["amount"] == -0.5)]', "two ways to code the rule"),
        ('fine = orders.loc[orders["amount"] < 0]', "misses example row 1"),
        ('violations = orders.loc[orders["amount"] < 0]', "never binds fine"),
        ('fine = orders.loc[~(orders["amount"] < 0)].set_index("order_id")', "failed on the examples"),
    ],
)
def test_code_on_which_opinions_differ_is_refused(serve: Any, shop: Any, second: str, words: str) -> None:
    endpoint = serve(always=parts(**{**UNSAYABLE, "keep": fenced(second)}))
    workspace = shop(endpoint)
    with pytest.raises(NotConfirmed, match=words):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert workspace.check_ids() == []


def test_texts_that_both_authors_invented_for_what_is_not_there_are_refused(serve: Any, workspace_with: Any) -> None:
    """Of a kind that is in no row both authors may guess the same code, and nothing would ever be found."""
    kind = ["RBT", "BRN", "RBT", "BRN", "RBT", "BRN"]
    rows = [["STG", -1], ["STG", -2], ["STG", 3], ["RBT", 4]]
    table = {"name": "orders", "columns": ["kind", "amount"], "rows": rows}
    plays = {
        **UNSAYABLE,
        "examples": json.dumps({"target": "orders", "tables": [table], "breaking": [0, 1]}),
        "write": fenced('violations = orders[(orders["kind"] == "STG") & (orders["amount"] < 0)]'),
        "keep": fenced('fine = orders[~(orders["kind"].isin(["STG"]) & (orders["amount"] < 0))]'),
    }
    workspace = workspace_with(serve(always=parts(**plays)), {"orders": ORDERS.assign(kind=kind)})
    with pytest.raises(NotConfirmed, match=r'orders\.kind never is "STG"'):
        workspace.check(CheckRequest("Freight of sturgeon may never go below nil."))


def test_what_a_model_said_before_it_failed_is_asked_about(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**FREIGHT, "judge": "I would rather not."}))
    with pytest.raises(NotConfirmed, match=r"no second opinion: .* was no JSON object") as caught:
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert str(caught.value.readings[0]) == "orders: amount must be at least 0"
    assert {part_of(request.body) for request in endpoint.requests} == {"restate", "judge"}


def test_no_code_is_asked_for_words_that_may_be_taken_in_two_ways(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**UNSAYABLE))
    with pytest.raises(NotConfirmed, match="of what it is a share is not said"):
        shop(endpoint).check(CheckRequest("Freight charges must be within 5 percent."))
    assert [part_of(request.body) for request in endpoint.requests] == ["restate"]


def test_an_author_who_takes_the_rows_that_keep_a_rule_for_those_that_break_it_is_contradicted(
    serve: Any, shop: Any
) -> None:
    """Small models do so, and the examples that they make are wrong in the same way."""
    slip = {
        "write": fenced('violations = orders[orders["amount"] >= 0]'),
        "examples": json.dumps({**EXAMPLES, "breaking": [0, 2]}),
        "keep": fenced('fine = orders[orders["amount"].isna() | (orders["amount"] >= 0)]'),
    }
    workspace = shop(serve(always=parts(**{**UNSAYABLE, **slip})))
    with pytest.raises(NotConfirmed, match="code 2 misses example row 0"):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert workspace.check_ids() == []


def test_code_by_which_no_real_row_keeps_the_rule_is_refused(serve: Any, shop: Any) -> None:
    """Both authors may misread a pattern in the same way; then not one row has it."""
    never = {
        "write": fenced('violations = orders[orders["amount"] != 0.25]'),
        "keep": fenced('fine = orders[orders["amount"] == 0.25]'),
        "examples": json.dumps(
            {
                "target": "orders",
                "tables": [{"name": "orders", "columns": ["amount"], "rows": [[1.0], [2.0], [0.25], [0.25]]}],
                "breaking": [0, 1],
            }
        ),
    }
    workspace = shop(serve(always=parts(**{**UNSAYABLE, **never})))
    with pytest.raises(NotConfirmed, match="all 6 rows of orders that it judges break it"):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert workspace.check_ids() == []


def test_a_restatement_that_every_real_row_breaks_is_asked_about(serve: Any, workspace_with: Any) -> None:
    """Like euros a litre of prices per 100 litres: the model's code of it flags every row as well."""
    rule, sentence = "Freight may never be above a hundredth.", "orders: amount must be at most 0.01"
    plays = {
        "restate": restated(sentence, ("Freight", "amount"), ("never above a hundredth", "at most 0.01")),
        "judge": judging(lambda row: row["amount"] is not None and row["amount"] > 0.01),
        "write": fenced('violations = orders[orders["amount"] > 0.01]'),
    }
    orders = pd.DataFrame({"order_id": range(1, 8), "amount": [10.0, 12.0, 7.5, None, 3.0, 5.0, 8.0]})
    workspace = workspace_with(serve(always=parts(**{**FREIGHT, **plays})), {"orders": orders})
    with pytest.raises(NotConfirmed, match="all 6 rows of orders that it judges break it") as caught:
        workspace.check(CheckRequest(rule))
    assert [reading.sentence for reading in caught.value.readings][:1] == [sentence]


@pytest.mark.parametrize(
    ("column", "words"),
    [("balance", 'violations are no rows of users: they have "order_id"'), ("amount", "the code never reads users")],
    ids=["other columns", "no column of their own"],
)
def test_rows_of_another_table_are_not_those_that_the_examples_are_about(
    serve: Any, shop: Any, tmp_path: Path, column: str, words: str
) -> None:
    users = {"name": "users", "columns": [column], "rows": [[5.0], [5.0], [0.0], [1.0], [9.0]]}
    other = {
        "examples": json.dumps({"target": "users", "tables": [users, EXAMPLES["tables"][0]], "breaking": [1, 3]}),
        "write": fenced(f'kept = users["{column}"].notna()\n{FREIGHT_CODE}' if column == "balance" else FREIGHT_CODE),
        "keep": fenced('fine = users[~(orders["amount"] < 0)]'),
    }
    bench = shop(serve(always=parts(**{**UNSAYABLE, **other}))).runner.bench
    tables = {"orders": ORDERS, "users": pd.DataFrame({column: [1.0] * 6})}
    workspace = Workspace.open(tmp_path, tables=tables)
    workspace.runner.bench = bench
    with pytest.raises(NotConfirmed, match=words):
        workspace.check(CheckRequest(FREIGHT_RULE))
    assert workspace.check_ids() == []


def test_a_model_that_cannot_be_reached_leaves_the_refusal_readable(
    serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = serve()
    workspace = shop(endpoint)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match=r"I don't understand .* no connection to 127.0.0.1:9"):
        workspace.check(CheckRequest(FREIGHT_RULE))


def test_all_requests_of_a_rule_count_for_one_budget(serve: Any, shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_REQUEST_TOKENS", "1600")
    endpoint = serve(always=parts(**FREIGHT))
    with pytest.raises(NotConfirmed, match=r"no second opinion: .* budget of 1,600 tokens"):
        shop(endpoint).check(CheckRequest(FREIGHT_RULE))
    assert len(endpoint.requests) < 3


@pytest.mark.parametrize(
    "restatement",
    [
        restated("invoices.amount must be at least 0.", ("Freight charges", "invoices.amount"), FREIGHT_WORDS[1]),
        restated("invoices: amount must be at least 0", ("Freight charges", "invoices"), FREIGHT_WORDS[1]),
    ],
    ids=["in prose", "in canonical words"],
)
def test_a_restatement_about_another_table_than_the_one_named_is_refused(
    serve: Any, workspace_with: Any, restatement: str
) -> None:
    invoices = {"write": fenced('violations = invoices[invoices["amount"] < 0]'), "restate": restatement}
    endpoint = serve(always=parts(**{**FREIGHT, **invoices}))
    workspace = workspace_with(endpoint, {"orders": ORDERS, "invoices": ORDERS[["order_id", "amount"]]})
    with pytest.raises(NotConfirmed, match='it is about "invoices", and the rows of "orders" were named'):
        workspace.check(CheckRequest(FREIGHT_RULE, target="orders"))
    assert workspace.check_ids() == []


def test_the_table_that_a_person_names_is_told_to_every_author(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**FREIGHT))
    shop(endpoint).check(CheckRequest(FREIGHT_RULE, target="orders"))
    told = [data_blocks(request.body["messages"][-1]["content"])[1] for request in endpoint.requests]
    assert [block["judge_rows_of"] for block in told if "judge_rows_of" in block] == ["orders", "orders"]


def test_examples_about_another_table_than_the_one_named_are_refused(serve: Any, workspace_with: Any) -> None:
    elsewhere = {
        **{part: said.replace("orders", "invoices") for part, said in UNSAYABLE.items() if isinstance(said, str)},
        "restate": restated("", can_be_said=False),
    }
    endpoint = serve(always=parts(**elsewhere))
    workspace = workspace_with(endpoint, {"orders": ORDERS, "invoices": ORDERS})
    with pytest.raises(NotConfirmed, match='the rows of "orders" are to be judged, not those of "invoices"'):
        workspace.check(CheckRequest(FREIGHT_RULE, target="orders"))
    assert workspace.check_ids() == []
