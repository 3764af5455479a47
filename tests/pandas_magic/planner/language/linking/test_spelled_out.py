"""Names in other languages, and the file of what their words mean."""

from collections import Counter
from pathlib import Path

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language import linking
from pandas_magic.planner.language.linking import ColumnMeant, Meaning, TableMeant, TruthMeant, ValueMeant, link
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.linking.spelled_out import abroad, in_english, spelled_out
from pandas_magic.planner.language.linking.words import is_english, name_words, names_data

FILE = Path(linking.__file__).parent / "abroad.txt"
LINES = [line.split(" |") for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
LANGUAGES = pytest.mark.parametrize(
    "language", [[cell.split() for cell in cells] for cells in zip(*LINES, strict=True)][1:]
)
# German words that are English too always count, though doubtfully. There are to be no more of them.
MOST_GERMAN_AS_ENGLISH = 45


def test_a_line_is_an_english_word_and_what_is_said_for_it_in_five_languages() -> None:
    assert {len(line) for line in LINES} == {6}
    assert [english for english, n in Counter(line[0] for line in LINES).items() if n > 1] == []


def test_only_nordic_words_have_marks_and_only_those_that_are_spelled_in_two_ways() -> None:
    assert [line[0] for line in LINES if not "".join(line[:3] + line[4:]).isascii()] == []
    assert {letter for line in LINES for letter in line[3] if not letter.isascii()} == {*"åäöøæ"}


@LANGUAGES
def test_a_word_stands_on_one_line_but_where_that_is_marked_as_rarer(language: list[list[str]]) -> None:
    common = Counter(word for words in language for word in words if not word.startswith("?"))
    assert [word for word, n in common.items() if n > 1] == []


def test_no_line_is_for_a_word_of_grammar_as_it_would_be_taken_for_a_value() -> None:
    assert {line[0] for line in LINES} & {*names_data()["function"]} == {"from"}


def test_no_german_word_that_is_english_too_is_added() -> None:
    german = {word.lstrip("?") for line in LINES for word in line[1].split()}
    assert len(sorted(filter(is_english, german))) <= MOST_GERMAN_AS_ENGLISH


def spelled(name: str) -> list[str]:
    return [" ".join(words) for words in spelled_out(name_words(name))][1:]


@pytest.mark.parametrize(
    ("names", "english"),
    [
        ("oronmarke oeronmaerke öronmärke", "ear tag"),
        ("agare aegare ägare", "owner"),
        ("maengde mængde mængder", "quantity"),
        ("slutdatum sluttdato", "end date"),
        ("halsband_nr", "collar number"),
        ("fodelsear födelseår", "birth year"),
        ("barngrupp barngrupper", "child group"),
        ("kundenid kundid", "customer id"),
        ("numer_klienta", "number customer"),
        ("data_urodzenia", "date birth"),
        ("zaplacono", "paid"),
        ("data_nascita", "date birth date"),
        ("lieferantennr", "supplier number"),
        ("kennzeichen", "flag"),
    ],
)
def test_names_are_spelled_out_in_english_however_their_marks_are_written(names: str, english: str) -> None:
    assert [name for name in names.split() if english not in spelled(name)] == []


@pytest.mark.parametrize("name", ["barn", "barn_area", "data", "longitude", "artist", "report_no", "pri_cd"])
def test_a_name_of_english_words_is_not_taken_for_another_language(name: str) -> None:
    assert not {"child", "child area", "length", "type actual", "repair city number", "price code"} & {*spelled(name)}
    assert "barn" not in abroad("child")


def test_texts_are_told_in_english() -> None:
    assert ("alive",) in in_english(("levande",))
    assert ("approved",) in in_english(("godkänd",))
    assert list(in_english(("trafik",))) == []


HERD = {
    "renar": Table(
        name="renar",
        columns={"ren_id": "str", "kon": "str", "fodd": "datetime64[us]", "mor_id": "str", "status": "str"},
        values={"kon": ("K", "M"), "status": ("levande", "slaktad")},
        keys=("ren_id",),
    ),
    "slakt": Table(name="slakt", columns={"godkand": "str", "kopare": "str"}, values={"godkand": ("ja", "nej", "Ja")}),
    "zamowienia": Table(name="zamowienia", columns={"kwota_brutto": "float64", "data_dostawy": "datetime64[us]"}),
    "animales": Table(name="animales", columns={"sexo": "str"}, values={"sexo": ("H", "M")}),
    "visitas": Table(name="visitas", columns={"sexo": "str"}, values={"sexo": ("M",)}),
}


@pytest.mark.parametrize(
    ("target", "words", "meaning"),
    [
        ("renar", "reindeer", TableMeant("renar")),
        ("renar", "mother", ColumnMeant("renar", "mor_id", PART, "part")),
        ("renar", "birth date", ColumnMeant("renar", "fodd", 1, "synonym")),
        ("renar", "alive", ValueMeant("renar", "status", "levande", literal=False)),
        ("renar", "female", ValueMeant("renar", "kon", "K", literal=False)),
        ("slakt", "buyer", ColumnMeant("slakt", "kopare", 1, "synonym")),
        ("slakt", "approved", TruthMeant("slakt", "godkand", True, "ja")),
        ("zamowienia", "orders", TableMeant("zamowienia")),
        ("zamowienia", "gross amount", ColumnMeant("zamowienia", "kwota_brutto", 1, "synonym")),
        ("zamowienia", "delivery date", ColumnMeant("zamowienia", "data_dostawy", 1, "synonym")),
        ("animales", "female", ValueMeant("animales", "sexo", "M", literal=False)),
    ],
)
def test_columns_tables_and_values_are_found_by_english_words(target: str, words: str, meaning: Meaning) -> None:
    assert meaning in link(words, HERD, target=target).segments()[0].meanings


def test_one_letter_alone_does_not_tell_a_sex_in_a_language_with_another_use_of_it() -> None:
    meanings: tuple[Meaning, ...] = link("male", {"visitas": HERD["visitas"]}, target="visitas").segments()[0].meanings
    assert not any(isinstance(meaning, ValueMeant) for meaning in meanings)


def test_a_word_that_says_something_is_not_short_for_a_foreign_one() -> None:
    shows = {"shows": Table(name="shows", columns={"fat_pct": "float64", "dob": "datetime64[us]", "rchng": "str"})}
    assert link("done", shows, target="shows").segments()[0].meanings == ()  # "fatto"
    assert [one.column for one in link("invoice", shows, target="shows").segments()[0].columns] == ["rchng"]


SCALE = {
    "wtk": Table(
        name="wtk",
        columns={"CUSNO": "str", "REGDT": "str", "VATID": "str", "GRSKG": "int64", "CTYP": "str"},
    )
}


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("gross weight", "GRSKG"),
        ("registration date", "REGDT"),
        ("vat id", "VATID"),
        ("customer number", "CUSNO"),
        ("type", "CTYP"),
    ],
)
def test_a_name_that_is_written_in_one_is_taken_apart(words: str, column: str) -> None:
    assert {one.column for one in link(words, SCALE, target="wtk").segments()[0].columns} == {column}


@pytest.mark.parametrize("name", ["carrier", "rabatt", "gesamtpreis", "hatchery", "wtg", "passport", "pclass"])
def test_a_word_is_not_taken_apart(name: str) -> None:
    said = [form for form in spelled_out((name,)) if len(form) > 1]
    assert said == ([("total", "price")] if name == "gesamtpreis" else [])
