"""The saved cell as text."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pandas_magic.notebook.saved_cell import cell_metadata, cell_text, code_digest, parse_body, saved_id, text_mark
from pandas_magic.registry.compiled_check import CompiledCheck
from tests.grids import Examples

Make = Callable[..., CompiledCheck]
_CODE_LINES = st.lists(
    st.text(st.characters(exclude_characters="\n\r"), max_size=30) | st.just("# a comment"), max_size=5
)
_CODE = _CODE_LINES.map(lambda lines: "\n".join([*lines, "violations = t"]).strip("\n"))


def _body(text: str) -> str:
    return text.partition("\n")[2]


def test_saved_cell_has_the_documented_form(make_compiled: Make) -> None:
    text = cell_text(make_compiled())

    first, about, rule, code = text.split("\n")
    assert first == "%%check --run CHK-002"
    assert about.startswith("# Unknown users in events · medium · compiled 2026-11-21 by rules · ")
    assert about.endswith(code_digest(code)[:8])
    assert rule == "# Flag events rows whose user_id is missing from users."
    assert code == 'violations = events[~events["user_id"].isin(users["user_id"])]'


@given(code=_CODE, rule=st.text(min_size=1), name=st.text())
@settings(max_examples=Examples.of(300), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_code_of_a_saved_cell_comes_back_exactly(make_compiled: Make, code: str, rule: str, name: str) -> None:
    cell = parse_body(_body(cell_text(make_compiled(code=code, rule=rule, name=name))))

    assert cell.code == code
    assert not cell.edited


@given(body=st.text())
def test_any_text_is_some_cell(body: str) -> None:
    cell = parse_body(body)

    assert cell.edited or code_digest(cell.code).startswith(cell.digest8)


def test_edited_code_is_seen_and_kept(make_compiled: Make) -> None:
    text = cell_text(make_compiled()) + "\nviolations = violations.head(1)"

    cell = parse_body(_body(text))

    assert cell.edited
    assert cell.code.endswith('isin(users["user_id"])]\nviolations = violations.head(1)')


def test_code_that_begins_with_a_comment_keeps_it(make_compiled: Make) -> None:
    code = "# users that left are kept on purpose\nviolations = events"

    assert parse_body(_body(cell_text(make_compiled(code=code)))).code == code


def test_cell_without_header_counts_as_edited() -> None:
    cell = parse_body("violations = events\n")

    assert (cell.code, cell.digest8, cell.edited) == ("violations = events", "", True)


def test_rule_with_line_breaks_stays_inside_its_comment(make_compiled: Make) -> None:
    text = cell_text(make_compiled(rule="first line\nimport os\r\x0bsecond\x00", name="a\nb"))

    assert [line[0] for line in text.split("\n")[1:3]] == ["#", "#"]
    assert "import os" in text.split("\n")[2]
    compile(_body(text), "cell", "exec")


@pytest.mark.parametrize(
    ("source", "check_id"),
    [
        ("%%check --run CHK-002\nviolations = t", "CHK-002"),
        ("%%check --run=CHK-002", "CHK-002"),
        ("  %%check --run CHK-002 --accept", "CHK-002"),
        ("%%check CHK-002\nt.a must not be null", ""),
        ("print('%%check --run CHK-002')", ""),
        ("", ""),
    ],
)
def test_saved_cells_are_told_by_their_first_line(source: str, check_id: str) -> None:
    assert saved_id(source) == check_id


def test_text_mark_is_fnv1a() -> None:
    # Published test vectors of the 32-bit FNV-1a hash.
    assert [text_mark(text) for text in ("", "a", "foobar")] == ["811c9dc5", "e40c292c", "bf9cf968"]


def test_metadata_names_check_and_code(make_compiled: Make) -> None:
    compiled = make_compiled()

    metadata = cell_metadata(compiled)

    assert metadata["tags"] == ["pandas-magic"]
    assert metadata["pandas_magic"]["check"] == "CHK-002"
    assert metadata["pandas_magic"]["code_digest"] == compiled.code_digest
    assert metadata["pandas_magic"]["text"] == text_mark(cell_text(compiled))


@pytest.mark.parametrize("above", ["", "\n", "\n\n"])
@pytest.mark.parametrize("code", ["violations = events\n", "\nviolations = events[", "# mine\nviolations = events"])
def test_the_line_of_the_code_is_that_of_the_whole_cell(make_compiled: Make, above: str, code: str) -> None:
    for header in ("", "\n".join(_body(cell_text(make_compiled())).split("\n")[:2]) + "\n"):
        body = f"{above}{header}{code}"
        cell = parse_body(body)
        lines = f"%%check --run CHK-002\n{body}".split("\n")
        assert lines[cell.line - 1] == cell.code.split("\n")[0]
