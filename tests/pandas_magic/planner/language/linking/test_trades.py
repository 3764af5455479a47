"""Names of the tables of trades, in German and in short forms, and the files of what their words mean."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language import linking
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.linking.spelled_out import abroad, in_english, short_forms, spelled_out
from pandas_magic.planner.language.linking.words import is_english, names_data

FOLDER = Path(linking.__file__).parent


def entries(file: str) -> list[tuple[str, list[str]]]:
    lines = [line for line in (FOLDER / file).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    parted = [entry.split(": ") for entry in " ".join(lines).split("; ")]
    return [(english, words.split()) for english, words in parted]


FILES = pytest.mark.parametrize("file", ["german.txt", "short_forms.txt"])


@FILES
def test_the_english_words_are_in_order_each_once(file: str) -> None:
    words = [english for english, _ in entries(file)]
    assert [pair for pair in pairwise(words) if pair[0] >= pair[1]] == []


@FILES
def test_a_word_has_one_meaning_that_is_not_marked_as_rarer(file: str) -> None:
    common = Counter(word.lstrip("~") for _, words in entries(file) for word in words if not word.startswith("?"))
    assert [word for word, n in common.items() if n > 1] == []


@FILES
def test_a_line_is_no_longer_than_one_of_code(file: str) -> None:
    assert max(map(len, (FOLDER / file).read_text(encoding="utf-8").splitlines())) <= 125


def test_german_words_have_another_meaning_than_those_of_several_languages() -> None:
    lines = (FOLDER / "abroad.txt").read_text(encoding="utf-8").splitlines()
    listed = {word for line in lines if line[0] != "#" for word in line.split(" |")[1].split()}
    assert [word for _, words in entries("german.txt") for word in words if word in listed and word[0] != "?"] == []


def test_german_words_that_are_english_too_are_marked() -> None:
    long = [word for _, words in entries("german.txt") for word in words if len(word) > 3 and word[0] != "?"]
    assert [word for word in long if is_english(word.lstrip("~")) != word.startswith("~")] == []


def test_a_short_form_is_no_word_of_grammar() -> None:
    assert short_forms().keys() & {*names_data()["function"]} == {"no"}


def test_a_short_form_has_its_usual_meaning_first() -> None:
    assert short_forms()["st"] == ("status", "state", "street")
    assert short_forms()["exp"] == ("expiry", "expense")
    assert short_forms()["chg"] == ("change", "charge")


def test_short_german_forms_tell_names_alone_and_no_values() -> None:
    assert ("delivery", "date") in spelled_out(("lt", "dat"))
    assert ("delivery",) not in in_english(("lt",))
    assert [*spelled_out(("ltmenge",))] == [("ltmenge",)]


def test_a_german_word_that_is_english_too_counts_only_beside_another_and_grown_together() -> None:
    assert ("sample", "quantity") in spelled_out(("probe", "menge"))
    assert ("engine", "number") in spelled_out(("motornr",))
    assert [*spelled_out(("probe", "result"))] == [("probe", "result")]
    assert "probe" not in abroad("sample")


def test_the_symbol_of_an_element_tells_it_before_a_share_or_an_amount() -> None:
    assert ("carbon", "pct") in spelled_out(("c", "proz"))
    assert ("lead", "mg", "kg") in spelled_out(("pb", "mg", "kg"))
    assert [
        form for name in ("temp_c", "c_id", "c") for form in spelled_out((*name.split("_"),)) if "carbon" in form
    ] == []


TABLES = {
    "SCHMELZEN": "SCHM_NR OFEN_NR ABST_DAT ABST_TEMP GIESS_TEMP GUSS_STK AUS_STK KOKILLE C_PROZ SI_PROZ",
    "VERSAND": "AUFTR_NR LT_DAT VERS_DAT LGR_ORT WKZ_NR FRACHTKOSTEN",
    "dentallabor": "arbeitsnr zahnfarbe kronen_anz anprobe_dat eingesetzt_am keramik_typ",
    "KONTRAKTE": "KONTRAKT_NR FEUCHTE FALLZAHL BESATZ LADEDAT ABNEHMER HL_GEWICHT",
    "druckauftraege": "auftragsnr auflage papiersorte grammatur falzart freigabedatum",
    "BUSSGELDER": "AKTENZ TATZEIT VERSTOSS BUSSGELD BESCHEID_DAT MAHN_DAT STELLPLATZ",
    "DIALYSEN": "PAT_NR TROCKENGEW SHUNT_ART DIALYSATOR BLUTFLUSS NADEL_ART",
    "BILMST": "ACCT_NO BIL_CYC OPN_DT RVW_DT REORD_LVL STK_VAL PD_AMT MTR_NO PRV_RDG XFER_DT WHSE_CD",
    "RXHIST": "PRESCR DLY_MG RFL_CNT PHARM_CD DSPNSD_DT",
}
SCHEMA = {name: Table(name=name, columns=dict.fromkeys(columns.split(), "str")) for name, columns in TABLES.items()}


@pytest.mark.parametrize(
    ("table", "called"),
    [
        (
            "SCHMELZEN",
            "melt number: SCHM_NR; furnace number: OFEN_NR; tapping date: ABST_DAT; tapping temperature: ABST_TEMP",
        ),
        (
            "SCHMELZEN",
            "pouring temperature: GIESS_TEMP; cast pieces: GUSS_STK; scrap pieces: AUS_STK; carbon percentage: C_PROZ",
        ),
        ("VERSAND", "delivery date: LT_DAT; ship date: VERS_DAT; tool number: WKZ_NR; freight cost: FRACHTKOSTEN"),
        ("dentallabor", "tooth shade: zahnfarbe; number of crowns: kronen_anz; fitting date: anprobe_dat"),
        (
            "KONTRAKTE",
            "moisture: FEUCHTE; falling number: FALLZAHL; impurity: BESATZ; loading date: LADEDAT; buyer: ABNEHMER",
        ),
        (
            "druckauftraege",
            "print run: auflage; paper type: papiersorte; paper weight: grammatur; approval date: freigabedatum",
        ),
        (
            "BUSSGELDER",
            "file number: AKTENZ; offense: VERSTOSS; decision date: BESCHEID_DAT; parking space: STELLPLATZ",
        ),
        ("DIALYSEN", "dry weight: TROCKENGEW; dialyzer: DIALYSATOR; blood flow: BLUTFLUSS; needle type: NADEL_ART"),
        ("BILMST", "bill cycle: BIL_CYC; opening date: OPN_DT; review date: RVW_DT; reorder level: REORD_LVL"),
        ("BILMST", "stock value: STK_VAL; amount paid: PD_AMT; previous reading: PRV_RDG; warehouse code: WHSE_CD"),
        ("RXHIST", "prescriber: PRESCR; daily dose: DLY_MG; number of refills: RFL_CNT; pharmacy: PHARM_CD"),
    ],
)
def test_columns_are_found_by_what_people_of_the_trade_call_them(table: str, called: str) -> None:
    for words, column in (one.split(": ") for one in called.split("; ")):
        span = link(words, {table: SCHEMA[table]}, target=table).segments()[0]
        nearest = {one.column for one in span.columns if one.tier == min(other.tier for other in span.columns)}
        assert (span.text, nearest) == (words, {column})
