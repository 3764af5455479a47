"""Conditions of which a rule names one side, or names it in another language: the atoms for them are built."""

import re
from collections import Counter

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import describe
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose import propose
from pandas_magic.planner.language.loose.enumerating import atoms_of
from pandas_magic.planner.language.loose.nodes import rule_form, text_of
from pandas_magic.planner.language.loose.scene import Scene

TEXT, WHOLE, MOMENT = "str", "int64", "datetime64[us]"
TRIPS = Table(
    name="fahrten",
    columns={
        "fahrt_nr": TEXT, "schiff": TEXT, "abf_zeit": TEXT, "ank_zeit": TEXT, "pax_anz": WHOLE, "status": TEXT,
        "gebucht": TEXT,
    },
    values={"status": ("ausgefallen", "gefahren"), "gebucht": ("no", "yes")},
    read_as={"abf_zeit": "date", "ank_zeit": "date"},
)  # fmt: skip
SHIPS = Table(
    name="schiffe",
    columns={"schiff": TEXT, "pax_kap": WHOLE, "zert_bis": TEXT},
    keys=("schiff", "pax_kap", "zert_bis"),
    read_as={"zert_bis": "date"},
)
VISITS = Table(
    name="visits",
    columns={"reason": TEXT, "anaesthetic": TEXT, "cr_lim": WHOLE, "depo_pd": WHOLE},
    values={"anaesthetic": ("full", "none"), "reason": ("check-up", "surgery")},
)
BILLS = Table(
    name="bills",
    columns={"bill_no": WHOLE, "period_from": MOMENT, "period_to": MOMENT, "goal_eur": WHOLE, "discount_pct": WHOLE},
)
TABLES = {table.name: table for table in (TRIPS, SHIPS, VISITS, BILLS)}
ANK, ABF = "ank_zeit read as a date", "abf_zeit read as a date"

CASES = [
    ("arrival is always after departure", f"fahrten: {ANK} must be > {ABF}"),
    ("it never comes in before it left", f"fahrten: {ANK} must be >= {ABF}"),
    ("nobody is at sea longer than three hours", f"fahrten: ({ANK}) - ({ABF}) must be at most 3 hours"),
    ("never above the capacity of the ship", "fahrten: pax_anz must be <= the pax_kap of schiffe by schiff"),
    ("no cancelled trips", "fahrten: status must not be 'ausgefallen'"),
    ("ships that exist", "fahrten: schiff must be among schiffe.schiff"),
    ("no surgery without an anaesthetic", "visits: anaesthetic must not be 'none'"),
    ("a credit limit of 0", "visits: cr_lim must equal 0"),
    ("the deposit is at least 20", "visits: depo_pd must be at least 20"),
    ("the billing period ends after it begins", "bills: period_to must be > period_from"),
    ("billing periods of more than 366 days", "bills: period_to - period_from must be at most 366 days"),
    ("goals lie between EUR 500 and EUR 900", "bills: goal_eur must be between 500 and 900"),
    ("on average a discount of at most 10 %", "bills as a whole: the mean of discount_pct in bills must be at most 10"),
]


@pytest.mark.parametrize(("sentence", "canonical"), CASES, ids=[sentence for sentence, _ in CASES])
def test_the_side_that_is_not_said_is_built(sentence: str, canonical: str) -> None:
    constraint = read_canonical(canonical)
    assert constraint is not None
    wanted = rule_form(constraint.model_dump(mode="json"))
    atoms = {atom.key for atom in atoms_of(Scene(link(sentence, TABLES, target=constraint.table), constraint.table))}
    assert text_of(wanted["must"]) + ("T" if wanted["shape"] == "table" else "") in atoms


def test_no_denies_where_the_column_that_holds_it_is_not_named() -> None:
    def values(sentence: str) -> list[object]:
        found = Scene(link(sentence, TABLES, target="fahrten"), "fahrten")
        return [value for mention in found.mentions if mention.words == ("no",) for value in mention.values]

    assert values("no trip after the certificate ended") == []
    assert values("gebucht must be no") == [("fahrten", "gebucht", "no")]


def test_no_more_than_two_proposals_differ_in_a_sign_alone() -> None:
    found = propose(link("ank_zeit against abf_zeit", TABLES, target="fahrten"), most=8)
    sentences = [re.sub(r"(?<=must be )[<>]=?", "~", describe(one.constraint)) for one in found]
    assert Counter(sentences).most_common(1)[0][1] == 2
