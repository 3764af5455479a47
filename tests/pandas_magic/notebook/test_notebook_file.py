"""Checks written into notebook files."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from pandas_magic.errors import StateUnreadable
from pandas_magic.notebook.notebook_file import save_checks
from pandas_magic.notebook.saved_cell import cell_text
from pandas_magic.registry.compiled_check import CompiledCheck

Make = Callable[..., CompiledCheck]


def _sources(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_new_notebook_loads_the_extension_and_holds_every_check(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    checks = [make_compiled("CHK-001"), make_compiled("CHK-002")]

    saved = save_checks(path, checks)

    assert _sources(path) == ["%load_ext pandas_magic", *map(cell_text, checks)]
    assert saved.in_words() == "2 added"
    nbformat.validate(nbformat.read(path, as_version=4))


def test_saving_twice_changes_no_byte(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    save_checks(path, [make_compiled()])
    before = path.read_bytes()

    saved = save_checks(path, [make_compiled()])

    assert path.read_bytes() == before
    assert saved.unchanged == ("CHK-002",)


def test_changed_code_replaces_the_cell_where_it_stands(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    save_checks(path, [make_compiled("CHK-001"), make_compiled("CHK-002")])
    written = nbformat.read(path, as_version=4)
    written.cells[1].outputs = [nbformat.v4.new_output("stream", text="PASS")]
    written.cells.insert(1, nbformat.v4.new_markdown_cell("Mine."))
    nbformat.write(written, path)
    newer = make_compiled("CHK-001", code="violations = events.head(0)")

    saved = save_checks(path, [newer])

    cells = nbformat.read(path, as_version=4).cells
    assert saved.updated == ("CHK-001",)
    assert [cell.source for cell in cells][1:3] == ["Mine.", cell_text(newer)]
    assert cells[2].outputs == []


def test_cell_edited_by_hand_is_left_alone(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    save_checks(path, [make_compiled()])
    written = nbformat.read(path, as_version=4)
    written.cells[1].source += "\nviolations = violations.dropna()"
    nbformat.write(written, path)

    saved = save_checks(path, [make_compiled(code="violations = events.head(0)")])

    assert _sources(path)[1].endswith("dropna()")
    assert saved.in_words() == "nothing to add, 1 left as edited by hand (CHK-002)"


def test_pasted_cell_without_metadata_is_known_by_its_text(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell_text(make_compiled()))])
    nbformat.write(notebook, path)
    newer = make_compiled(code="violations = events.head(0)")

    saved = save_checks(path, [newer])

    assert saved.updated == ("CHK-002",)
    assert _sources(path) == [cell_text(newer)]


def test_new_checks_go_before_the_gate(make_compiled: Make, tmp_path: Path) -> None:
    path = tmp_path / "checks.ipynb"
    save_checks(path, [make_compiled("CHK-001")], gate=True)

    save_checks(path, [make_compiled("CHK-001"), make_compiled("CHK-002")], gate=True)

    assert [source.split("\n")[0] for source in _sources(path)] == [
        "%load_ext pandas_magic",
        "%%check --run CHK-001",
        "%%check --run CHK-002",
        "%checks gate",
    ]


@pytest.mark.parametrize(
    "content", ["", "not json", "[]", '{"cells": 3}', '{"nbformat": 9, "cells": []}', '{"nbformat": 4, "cells": [{}]}']
)
def test_file_that_is_no_notebook_is_left_as_it_was(make_compiled: Make, tmp_path: Path, content: str) -> None:
    path = tmp_path / "checks.ipynb"
    path.write_text(content)

    with pytest.raises(StateUnreadable, match=r"checks\.ipynb is no notebook"):
        save_checks(path, [make_compiled()])

    assert path.read_text() == content
