"""What the words of a rule could mean: names by their forms, literal before near; numbers, dates, values, cues."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.linking import (
    ColumnMeant,
    CueMeant,
    DateMeant,
    DurationMeant,
    FormatMeant,
    Meaning,
    NumberMeant,
    TableMeant,
    TruthMeant,
    ValueMeant,
    link,
)
from pandas_magic.planner.language.linking.schema_index import stem
from pandas_magic.planner.language.linking.spans import EVENT, NEAR, PART

FILMS = {
    "movies": Table(
        name="movies",
        columns={"movie_id": "int64", "title": "str", "size": "float64", "shelf_no": "str", "released_on": "str"},
        read_as={"released_on": "date"},
        keys=("movie_id",),
    ),
    "caches": Table(
        name="caches",
        columns={
            "cache_id": "int64",
            "movie_id": "int64",
            "is_active": "bool",
            "grade": "str",
            "status": "str",
            "ecoli": "int64",
        },
        values={"grade": ("A", "A+", "B-"), "status": ("in_progress", "done")},
        keys=("cache_id",),
    ),
    "Kunden": Table(
        name="Kunden",
        columns={"kundennr": "int64", "gebdat": "datetime64[us]", "rechnungsbetrag": "float64", "dschg_dt": "str"},
        keys=("kundennr",),
    ),
    "bids": Table(name="bids", columns={"bid_id": "int64", "preis_kg": "float64", "druck_bar": "float64"}),
}


def meant(words: str) -> tuple[Meaning, ...]:
    """What the first span of the words means."""
    return link(words, FILMS, target="movies").segments()[0].meanings


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("movie", TableMeant("movies")),
        ("caches", TableMeant("caches")),
        ("sizes", ColumnMeant("movies", "size", 0, "name")),
        ("shelf number", ColumnMeant("movies", "shelf_no", 1, "synonym")),
        ("shelves", ColumnMeant("movies", "shelf_no", 2, "part")),
        ("release date", ColumnMeant("movies", "released_on", 1, "synonym")),
        ("customers", TableMeant("Kunden")),
        ("price per kg", ColumnMeant("bids", "preis_kg", 2, "in full")),
        ("customer number", ColumnMeant("Kunden", "kundennr", 1, "synonym")),
        ("date of birth", ColumnMeant("Kunden", "gebdat", 1, "synonym")),
        ("invoice amount", ColumnMeant("Kunden", "rechnungsbetrag", 1, "synonym")),
        ("discharge date", ColumnMeant("Kunden", "dschg_dt", 1, "synonym")),
        ("A+", ValueMeant("caches", "grade", "A+", literal=True)),
        ("In progress", ValueMeant("caches", "status", "in_progress", literal=False)),
        ("inactive", TruthMeant("caches", "is_active", False, False)),
        ("twenty-five days", DurationMeant(25.0, "days")),
        ("an hour and a half", DurationMeant(1.5, "hours")),
        ("two hours and a half", DurationMeant(2.5, "hours")),
        ("twelve and a half of it", NumberMeant(12.5)),
        ("a hundred and twenty", NumberMeant(120)),
        ("one hundred thousand and five", NumberMeant(100_005)),
        ("two thousand three hundred and forty-one", NumberMeant(2_341)),
        ("one hundred and two hundred", NumberMeant(100)),
        ("a fortnight", DurationMeant(14.0, "days")),
        ("-5", NumberMeant(-5)),
        ("2.5 per cent", NumberMeant(2.5, percent=True)),
        ("50k", NumberMeant(50_000)),
        ("3rd of May 2026", DateMeant("2026-05-03")),
        ("e-mail addresses", FormatMeant("email address")),
        ("no later than", CueMeant("LE")),
        ("exceeded", CueMeant("GT")),
        ("E. coli", ColumnMeant("caches", "ecoli", 0, "name")),
    ],
)
def test_words_have_their_meaning(words: str, meaning: Meaning) -> None:
    assert meaning in meant(words)


def test_a_capital_behind_its_column_is_a_value_and_no_article() -> None:
    classed = [span.meanings for span in link("Grade A caches have a status", FILMS, target="caches").segments()][1]
    began = link("A grade of a cache", FILMS, target="caches").segments()[0].meanings
    assert (classed, began) == ((ValueMeant("caches", "grade", "A", literal=True),), ())


def test_an_exact_name_is_meant_more_literally_than_a_near_one() -> None:
    tiers = {m.column: m.tier for m in meant("released_on") if isinstance(m, ColumnMeant)}
    assert tiers == {"released_on": 0}


def test_shorter_spans_stay_in_the_lattice() -> None:
    ends = [span.end for span in link("release date", FILMS, target=None).at(0) if span.columns]
    assert ends == [2, 1]


def test_words_that_mean_nothing_are_plain() -> None:
    linked = link("Every movie from the archive has a size", FILMS, target=None)
    assert [word.text for word in linked.plain_words() if word.text == "archive"] == ["archive"]


def test_a_word_of_grammar_is_no_code_in_other_letters() -> None:
    lands = {"lands": Table(name="lands", columns={"code": "str"}, values={"code": ("AT", "IT", "no")})}
    spans = link("it is at IT or no", lands, target="lands").segments()
    assert [span.text for span in spans if span.of(ValueMeant)] == ["IT", "no"]


def test_a_date_in_doubt_is_refused() -> None:
    with pytest.raises(RuleNotUnderstood, match="leaves day and month in doubt"):
        link("released after 01/02/2026", FILMS, target=None)


def test_the_locale_says_how_numbers_are_written() -> None:
    assert link("1.000,5", FILMS, target=None, locale="de").segments()[0].meanings == (NumberMeant(1000.5),)


def test_a_hyphen_parts_no_name() -> None:
    assert ColumnMeant("movies", "title", 0, "name") in meant("ti-tle")


MILL = {
    "moliendas": Table(
        name="moliendas",
        columns={
            "lote": "str",
            "fecha": "datetime64[us]",
            "kg_harina": "int64",
            "matricula": "str",
            "aceptado": "bool",
        },
        keys=("lote",),
    ),
    "Fahrraeder": Table(name="Fahrraeder", columns={"rahmen_nr": "str"}),
}


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("flour", ColumnMeant("moliendas", "kg_harina", PART, "part")),
        ("milled", ColumnMeant("moliendas", "fecha", EVENT, "event")),  # the date of millings says when
        ("lorry", ColumnMeant("moliendas", "matricula", NEAR, "related")),
        ("chassis", ColumnMeant("Fahrraeder", "rahmen_nr", NEAR, "related")),
        ("accepted", TruthMeant("moliendas", "aceptado", True, True)),
        ("bicycles", TableMeant("Fahrraeder")),
    ],
)
def test_columns_of_other_languages_are_found_by_what_they_hold(words: str, column: Meaning) -> None:
    assert column in link(words, MILL, target="moliendas").segments()[0].meanings


def test_a_word_that_means_something_is_not_taken_for_its_relatives() -> None:
    tables = {"cars": Table(name="cars", columns={"plate": "str", "van": "bool"})}
    columns = link("the van", tables, target="cars").segments()[1].columns
    assert [one.column for one in columns] == ["van"]


def test_a_word_is_near_its_other_forms_in_every_process() -> None:
    # Two forms of one length: which is taken must not depend on the order of a set.
    assert stem("sold") == stem("sell") == "sell"


SCALE = {
    "TRK_TKT": Table(
        name="TRK_TKT",
        columns=dict.fromkeys(("TKT_NO", "GRS_KG", "NET_KG", "horas_semana", "CR_LIM"), "int64"),
    ),
    "GRWR": Table(name="GRWR", columns={"GRWR_NO": "int64", "nivel_min": "int64", "nivel_max": "int64"}),
}


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("gross weight", ColumnMeant("TRK_TKT", "GRS_KG", PART, "in full")),  # its consonants, and the unit of a weight
        ("weekly hours", ColumnMeant("TRK_TKT", "horas_semana", PART, "in full")),
        ("min level", ColumnMeant("GRWR", "nivel_min", PART, "in full")),
        ("credit limit", ColumnMeant("TRK_TKT", "CR_LIM", NEAR, "abbreviation")),  # two letters may begin many words
        ("ticket", TableMeant("TRK_TKT")),
        ("grower", TableMeant("GRWR")),
    ],
)
def test_short_names_are_told_by_words(words: str, meaning: Meaning) -> None:
    assert meaning in link(words, SCALE, target="TRK_TKT").segments()[0].meanings


def test_what_two_columns_are_told_by_is_neither_in_full() -> None:
    tables = {"scans": Table(name="scans", columns={"GRS_KG": "int64", "KG_GRS": "int64"})}
    assert all(one.how != "in full" for one in link("gross weight", tables, target="scans").segments()[0].columns)


def test_a_column_in_parentheses_is_what_is_called_so_before_it() -> None:
    spans = link("the exit date (nivel_max) must be late", SCALE, target="GRWR").segments()
    assert [(span.text, span.columns[0].column) for span in spans if span.columns] == [
        ("exit date (nivel_max)", "nivel_max")
    ]
    beside = link("must be at most the top (nivel_max)", SCALE, target="GRWR").segments()
    assert [span.text for span in beside if span.columns] == ["top (nivel_max)"]
    # A word that says which rows, or another column, is no name for this one.
    rentals = {
        "rentals": Table(
            name="rentals",
            columns={"rental_id": "int64", "fee": "int64", "state": "str"},
            values={"state": ("approved",)},
        )
    }
    for words in ("approved fees (rental_id)", "fee (rental_id)", "rentals (rental_id)"):
        assert all(span.text != words for span in link(words, rentals, target="rentals").at(0))


def test_a_table_without_a_letter_in_its_name_is_linked() -> None:
    tables = {"__": Table(name="__", columns={"fee": "int64"})}
    assert ColumnMeant("__", "fee", 0, "name") in link("fee", tables, target="__").segments()[0].meanings


PATIENTS = {
    "patients": Table(
        name="patients",
        columns={"patient_no": "int64", "insurance": "str", "active": "str", "born_on": "str", "paid_on": "str"},
        values={"insurance": ("privat", "private", "public", "Public"), "active": ("yes", "no")},
        read_as={"born_on": "date", "paid_on": "date"},
        keys=("patient_no",),
    )
}


def test_no_before_a_noun_is_no_number_and_no_value() -> None:
    assert all(span.text != "No patient" for span in link("No patient is older", PATIENTS, target="patients").at(0))
    read = compile_rule("No patient is older than 110.", PATIENTS, target="patients")
    assert read.echo == "patients: born_on read as a date must be no earlier than now - 110 years"


@pytest.mark.parametrize(
    ("rule", "values"), [("has private insurance", ["private"]), ("Public insurance is better", ["public", "Public"])]
)
def test_a_value_written_as_it_stands_leaves_no_choice_but_at_the_opening_of_a_sentence(
    rule: str, values: list[str]
) -> None:
    spans = link(rule, PATIENTS, target="patients").segments()
    assert [one.value for span in spans for one in span.of(ValueMeant) if isinstance(one, ValueMeant)] == values


@pytest.mark.parametrize(
    ("said", "written_out"),
    [
        ("It's been paid", "It has been paid"),
        ("the bill's been paid", "the bill has been paid"),
        ("We're closed, and it's late", "we are closed, and it is late"),
        ("the patient's number", "the patient's number"),
    ],
)
def test_contractions_are_written_out_as_they_are_meant(said: str, written_out: str) -> None:
    assert link(said, PATIENTS, target="patients").text == written_out


@pytest.mark.parametrize("words", ["day of the test", "date of the test", "day of test", "test day"])
def test_a_date_is_named_by_the_day_of_what_it_is_of(words: str) -> None:
    tests = Table(
        name="tests", columns={"test_id": "int64", "booked_on": "str", "test_date": "str"},
        read_as={"booked_on": "date", "test_date": "date"}, keys=("test_id",),
    )  # fmt: skip
    (first, *_) = link(words, {"tests": tests}, target="tests").segments()
    assert first.text == words
    assert [one.column for one in first.columns] == ["test_date"]
