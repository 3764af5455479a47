"""Verification: what does not agree is one line each, and what agrees is said once."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.cli.main import main
from pandas_magic.notebook.notebook_file import save_checks
from pandas_magic.notebook.verified_cells import cell_findings, notebooks_below
from pandas_magic.record import digest
from pandas_magic.registry import Registry
from pandas_magic.registry.approval import approve
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.verification import findings
from pandas_magic.workspace import Workspace
from tests.doubles import unknown_users

OTHER = "violations = events.head(0)"


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    registry = Registry(tmp_path / "checks" / "registry", lock_folder=tmp_path / ".pandas_magic")
    registry.save(unknown_users("CHK-001"))
    registry.save(unknown_users("CHK-002"))
    return registry


@pytest.fixture
def notebook(tmp_path: Path, registry: Registry) -> Path:
    path = tmp_path / "checks.ipynb"
    save_checks(path, list(registry.load().values()))
    return path


def edit(registry: Registry, check_id: str, **fields: object) -> None:
    path = registry.folder / f"{check_id}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def edit_cell(path: Path, number: int, change: Callable[[Any], None]) -> None:
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells[number])
    nbformat.write(notebook, path)


def said(registry: Registry, **options: Any) -> list[str]:
    return [finding.in_words() for finding in findings(registry.load(), **options)]


def said_of(notebook: Path, registry: Registry) -> list[str]:
    return [finding.in_words() for finding in cell_findings(notebook, registry.load())]


def test_what_was_compiled_and_saved_agrees(registry: Registry, notebook: Path) -> None:
    assert said(registry) == []
    assert said_of(notebook, registry) == []


def proof_of(code: str) -> dict[str, Any]:
    proof = unknown_users().proof
    assert proof is not None
    return {**proof.to_dict(), "of_code": digest(code)}


EDITS: dict[str, tuple[dict[str, object], str]] = {
    "code": ({"code": [OTHER]}, "its code was edited in its file"),
    "code and its digest": (
        {"code": [OTHER], "code_digest": digest(OTHER), "proof": proof_of(unknown_users().code)},
        "its proof is of other code",
    ),
    "rule": ({"check": {**unknown_users().check.to_dict(), "rule": "another"}}, "its rule was edited in its file"),
    "proof taken out": ({"proof": None}, "it has no proof"),
    "proof with problems": ({"proof": {**proof_of("x"), "of_code": "", "problems": ["p"]}}, "its proof does not hold"),
    "not a check": ({"plan": 3}, "is damaged"),
}


@pytest.mark.parametrize(("fields", "expected"), EDITS.values(), ids=EDITS)
def test_an_edit_of_a_checks_file_is_found(registry: Registry, fields: dict[str, object], expected: str) -> None:
    edit(registry, "CHK-002", **({"check": {**fields["check"], "id": "CHK-002"}} if "check" in fields else fields))
    (line,) = said(registry)
    assert line.startswith("CHK-002: ")
    assert expected in line
    assert "\n" not in line


def test_an_approval_of_other_code_is_found(registry: Registry) -> None:
    approve(registry, "CHK-001", "ada@example.com")
    assert said(registry) == []
    edit(registry, "CHK-001", code=[OTHER], code_digest=digest(OTHER), proof=proof_of(OTHER))
    (line,) = said(registry)
    assert line.startswith("CHK-001: the approval by ada@example.com is not of this code")


def test_a_proof_that_was_taken_out_behind_an_approval_is_found(registry: Registry) -> None:
    approve(registry, "CHK-001", "ada@example.com")
    edit(registry, "CHK-001", proof=None)
    (line,) = said(registry)
    assert line.startswith("CHK-001: it has no proof")


def test_a_missing_approval_is_found_when_it_is_asked_for(registry: Registry) -> None:
    approve(registry, "CHK-001", "ada@example.com")
    (line,) = said(registry, approved=True)
    assert line == "CHK-002: nobody approved it; read its code, then: pandas-magic approve CHK-002"


def test_further_questions_are_asked_of_what_agrees(registry: Registry) -> None:
    edit(registry, "CHK-001", code=[OTHER])
    asked: list[str] = []

    def look(compiled: CompiledCheck) -> str:
        asked.append(compiled.id)
        return "it is stale"

    lines = said(registry, looks=(look,))
    assert asked == ["CHK-002"]
    assert lines[1] == "CHK-002: it is stale"


def set_source(text: str) -> Callable[[Any], None]:
    return lambda cell: cell.update(source=text)


def test_an_edited_cell_is_found(registry: Registry, notebook: Path) -> None:
    edit_cell(notebook, 2, lambda cell: cell.update(source=cell.source + "\nviolations = violations.head(1)"))
    (line,) = said_of(notebook, registry)
    assert line.startswith(f"{notebook}, cell 3, CHK-002: its code is not the registry's (1 changed line); prove it")
    assert "%%check --run CHK-002 --accept" in line


def test_an_edited_cell_whose_header_was_forged_is_found(registry: Registry, notebook: Path) -> None:
    def forge(cell: Any) -> None:
        first, about, *_ = cell.source.split("\n")
        about = f"{about.rpartition(' ')[0]} {digest(OTHER)[:8]}"
        cell.source = "\n".join([first, about, OTHER])
        cell.metadata["pandas_magic"]["code_digest"] = digest(OTHER)

    edit_cell(notebook, 2, forge)
    (line,) = said_of(notebook, registry)
    assert "its code is not the registry's" in line


@pytest.mark.parametrize(
    ("mark", "word"), [("code_digest", "code"), ("rule_digest", "rule"), ("schema_digest", "columns")]
)
def test_a_forged_mark_is_found(registry: Registry, notebook: Path, mark: str, word: str) -> None:
    edit_cell(notebook, 1, lambda cell: cell.metadata["pandas_magic"].update({mark: "0" * 16}))
    (line,) = said_of(notebook, registry)
    assert f"cell 2, CHK-001: it was written for other {word} than the registry holds" in line


def test_a_cell_without_its_check_and_one_without_code_are_told_apart(registry: Registry, notebook: Path) -> None:
    edit_cell(notebook, 1, set_source("%%check --run CHK-001"))
    edit_cell(notebook, 2, set_source("%%check --run CHK-009\nviolations = events"))
    (line,) = said_of(notebook, registry)
    assert "CHK-009: the registry has no such check" in line


def test_an_accepted_edit_agrees_after_the_cell_is_saved_again(registry: Registry, notebook: Path) -> None:
    edit_cell(notebook, 2, lambda cell: cell.update(source=cell.source.rpartition("\n")[0] + "\n" + OTHER))
    accepted = unknown_users("CHK-002", code=OTHER, code_digest=digest(OTHER))
    registry.save(accepted)
    assert "written for other code" in said_of(notebook, registry)[0]
    assert save_checks(notebook, [accepted]).updated == ("CHK-002",)
    assert said_of(notebook, registry) == []


@pytest.mark.parametrize("content", ["{", "[]", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"cell_type": "code"}]}'])
def test_what_is_no_notebook_is_one_line(registry: Registry, tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_text(content)
    (line,) = said_of(path, registry)
    assert line.startswith(f"{path}: it is no notebook that can be read")


def test_hidden_folders_hold_no_notebooks_of_people(tmp_path: Path) -> None:
    for name in ("a.ipynb", "deep/b.ipynb", ".ipynb_checkpoints/a.ipynb", "deep/.venv/c.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert [path.name for path in notebooks_below(tmp_path)] == ["a.ipynb", "b.ipynb"]


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    pd.DataFrame({"order_id": [1, 2, 2], "amount": [1.5, 2.0, 2.5]}).to_csv(
        tmp_path / "data" / "orders.csv", index=False
    )
    workspace = dataclasses.replace(Workspace.open(tmp_path), bench=bench)
    workspace.check(CheckRequest("order_id must be unique", id="CHK-001", tables=("orders",)))
    save_checks(tmp_path / "checks.ipynb", list(workspace.registry.load().values()))
    return workspace


def test_the_command_agrees_and_disagrees(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(workspace.base_dir)
    assert main(["verify", "-C", folder, "--tables", "--prove"]) == 0
    assert capsys.readouterr().out == "1 check and 1 notebook agree\n"
    (workspace.base_dir / "data" / "orders.csv").write_text("order\n1\n")
    assert main(["verify", "-C", folder]) == 0
    assert main(["verify", "-C", folder, "--tables", "--approved", "--json"]) == 1
    out = capsys.readouterr().out
    found = json.loads(out[out.index("{") :])["findings"]
    assert [finding["place"] for finding in found] == ["CHK-001", "CHK-001"]
    assert "nobody approved it" in found[0]["problem"]
    assert 'column "order_id" of table "orders" is gone' in found[1]["problem"]


def test_proving_anew_finds_what_every_digest_vouches_for(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "violations = orders.head(0)"
    compiled = workspace.registry.get("CHK-001")
    assert compiled.proof is not None
    forged = compiled.model_copy(
        update={
            "code": code,
            "code_digest": digest(code),
            "proof": compiled.proof.model_copy(update={"of_code": digest(code)}),
        }
    )
    workspace.registry.save(forged)
    folder = str(workspace.base_dir)
    assert main(["verify", "-C", folder, "checks/registry/CHK-001.json"]) == 0
    assert main(["verify", "-C", folder, "--prove", "checks/registry/CHK-001.json"]) == 1
    assert "CHK-001: its code is not proved: " in capsys.readouterr().out


def test_proving_anew_understands_the_rule_anew(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    other = workspace.check(CheckRequest("amount must be unique", tables=("orders",))).compiled
    compiled = workspace.registry.get("CHK-001")
    assert other is not None
    taken = ("constraint", "code", "code_digest", "proof", "schemas", "plan")
    workspace.registry.save(compiled.model_copy(update={name: getattr(other, name) for name in taken}))
    assert main(["verify", "-C", str(workspace.base_dir), "--prove", "-"]) == 1
    assert "CHK-001: its rule now means: " in capsys.readouterr().out
