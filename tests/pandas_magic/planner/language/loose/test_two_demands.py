"""Two demands of one sentence, each for rows of its own, are built as one rule."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.nodes import meaning_key
from pandas_magic.planner.language.loose.ranking import Ranked, model
from pandas_magic.planner.language.loose.scene import Scene

MEMBERS = {
    "members": Table(
        name="members",
        columns={"member_id": "int64", "plan": "str", "fee": "float64", "rate": "float64", "ends_on": "datetime64[us]"},
        values={"plan": ("basic", "fixed", "open", "plus")},
        keys=("member_id",),
    )
}


@pytest.mark.parametrize(
    ("sentence", "canonical"),
    [
        (
            "The fee is at least 20 for plus members and at least 10 for basic members.",
            "(plan is not 'plus' or fee is at least 20) and (plan is not 'basic' or fee is at least 10)",
        ),
        (
            "Fixed members must have an ends_on, open ones must not.",
            "(plan is not 'fixed' or ends_on is present) and (plan is not 'open' or ends_on is missing)",
        ),
        (
            "For plus members the rate must be 7, otherwise the rate must be 19.",
            "(plan is not 'plus' or rate equals 7) and (plan is 'plus' or rate equals 19)",
        ),
        (
            "The fee is 25 at most, and for basic members 22 at most.",
            "fee is at most 25 and (plan is not 'basic' or fee is at most 22)",
        ),
    ],
)
def test_both_demands_are_in_one_candidate(sentence: str, canonical: str) -> None:
    wanted = read_canonical(f"members: it must hold that {canonical}")
    assert wanted is not None
    ranked = Ranked(Scene(link(sentence, MEMBERS, target="members"), "members"), model())
    assert meaning_key(wanted.model_dump(mode="json")) in {meaning_key(one.rule) for one in ranked.candidates}
