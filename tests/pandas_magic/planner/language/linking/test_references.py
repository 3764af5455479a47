"""Which columns are keys and which refer to them, of tables as people have them: with values that are wrong."""

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language.linking.references import References

TEXT, WHOLE, MOMENT = "str", "int64", "datetime64[us]"
JOBS = Table(
    name="JOB_HDR",
    columns={"JOB_NO": TEXT, "WGN_NO": WHOLE, "OPN_DT": TEXT},
    keys=("OPN_DT",),
    read_as={"OPN_DT": "date"},
)
LINES = Table(name="JOB_LIN", columns={"JOB_NO": TEXT, "LIN_NO": WHOLE, "QTY": WHOLE})
WAGONS = Table(name="WGN_MST", columns={"WGN_NO": WHOLE, "BUILT": MOMENT})
STAFF = Table(
    name="personal",
    columns={"dni": TEXT, "nombre": TEXT, "tutor": TEXT},
    keys=("dni", "nombre"),
    values={"dni": ("11A", "12B", "13C"), "tutor": ("11A", "12B")},
)
CURES = Table(
    name="tratamientos",
    columns={"id_trat": WHOLE, "veterinario": TEXT, "via": TEXT},
    keys=("id_trat",),
    values={"veterinario": ("11A", "12B", "13C", "99Z"), "via": ("IM", "oral")},
)
REFERENCES = References({table.name: table for table in (JOBS, LINES, WAGONS, STAFF, CURES)})


def told(table: str) -> set[tuple[str, str, str]]:
    return {(link.column, link.parent, link.key) for link in REFERENCES.all_from(table)}


def test_a_first_column_that_is_called_like_a_key_is_one_though_a_value_comes_twice() -> None:
    assert [REFERENCES.key(table) for table in ("JOB_HDR", "WGN_MST", "JOB_LIN")] == ["JOB_NO", "WGN_NO", "LIN_NO"]


def test_of_several_columns_that_could_be_keys_the_first_of_the_table_is() -> None:
    assert REFERENCES.key("personal") == "dni"


def test_rows_refer_to_a_table_whose_name_says_that_it_is_a_list_of_them() -> None:
    assert told("JOB_LIN") == {("JOB_NO", "JOB_HDR", "JOB_NO")}
    assert told("JOB_HDR") == {("WGN_NO", "WGN_MST", "WGN_NO")}


def test_a_column_whose_texts_are_nearly_all_keys_of_a_table_refers_to_it_whatever_it_is_called() -> None:
    assert told("tratamientos") == {("veterinario", "personal", "dni")}
    assert told("personal") == {("tutor", "personal", "dni")}


def test_what_the_values_alone_tell_is_no_reference_for_the_strict_reader() -> None:
    assert not REFERENCES.links("tratamientos")
    assert not REFERENCES.roles("tratamientos")


def test_beside_a_column_that_tells_rows_apart_neither_a_code_nor_the_noun_of_the_rows_is_a_key() -> None:
    stock = Table(name="stock", columns={"stk_id": TEXT, "cd": TEXT, "qty": WHOLE}, keys=("stk_id",))
    doses = Table(name="doses", columns={"disp_id": TEXT, "stk_id": TEXT, "dose": WHOLE}, keys=("disp_id",))
    references = References({"stock": stock, "doses": doses})
    assert (references.key("stock"), references.key("doses")) == ("stk_id", "disp_id")
    assert [(link.column, link.parent) for link in references.links("doses")] == [("stk_id", "stock")]
    # A code that other tables have too is the key, though a value comes twice.
    tours = Table(name="tours", columns={"name": TEXT, "code": TEXT}, keys=("name",))
    references = References({"tours": tours, "stops": Table(name="stops", columns={"code": TEXT, "stop": TEXT})})
    assert references.key("tours") == "code"


def test_lines_refer_to_their_head_though_its_numbers_are_wrong_in_both() -> None:
    orders = Table(name="ord", columns={"ord_no": TEXT, "ord_ts": MOMENT})
    lines = Table(name="lin", columns={"ord_no": TEXT, "ln_no": WHOLE, "qty": WHOLE})
    references = References({"ord": orders, "lin": lines})
    assert references.key("ord") == "ord_no" and references.key("lin") == "ln_no"
    assert [(one.column, one.parent) for one in references.links("lin")] == [("ord_no", "ord")]


def test_neither_a_name_nor_a_measure_that_happens_to_differ_is_a_key() -> None:
    staff = Table(name="personal", columns={"Kuerzel": TEXT, "Nachname": TEXT}, keys=("Nachname",))
    people = Table(name="patienten", columns={"PatNr": WHOLE, "Nachname": TEXT}, keys=("PatNr",))
    plots = Table(name="parz", columns={"parz_nr": TEXT, "zst_alt": WHOLE}, keys=("zst_alt",))
    references = References({table.name: table for table in (staff, people, plots)})
    assert [references.key(name) for name in ("personal", "parz")] == ["Kuerzel", "parz_nr"]
    assert not references.links("patienten")
