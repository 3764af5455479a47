"""Checks written into a notebook file: one cell each, found again by its check, a person's cells untouched."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from pandas_magic.errors import StateUnreadable
from pandas_magic.notebook.saved_cell import cell_metadata, cell_text, parse_body, saved_id, text_mark
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.state import locked, write_whole

_LOAD = "%load_ext pandas_magic"
_GATE = "%checks gate"


@dataclass(frozen=True)
class Saved:
    """What writing did, as ids of checks. `edited` cells were left as a person had changed them."""

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()

    def in_words(self) -> str:
        """One line: "2 added, 1 updated, 1 left as it was edited (CHK-004)"."""
        parts = [f"{len(ids)} {word}" for word, ids in self._groups() if ids]
        kept = f", {len(self.edited)} left as edited by hand ({', '.join(self.edited)})" if self.edited else ""
        return (", ".join(parts) or "nothing to add") + kept

    def _groups(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (("added", self.added), ("updated", self.updated), ("unchanged", self.unchanged))


def save_checks(path: Path, checks: Sequence[CompiledCheck], *, gate: bool = False) -> Saved:
    """Write every check's cell into the notebook at `path`, which is made when it is not there.

    A cell of a check that is there is updated where it stands, unless a person edited it; new ones go to the end, but
    before a gate cell. `gate` adds a last cell that makes a scheduled run fail when a check did.

    Raises: StateUnreadable when the file is no notebook, or cannot be written; it is then left as it was.
    """
    with locked(path):
        notebook = _read(path)
        saved = upsert(notebook, checks)
        if gate and not any(_is_gate(cell) for cell in notebook.cells):
            notebook.cells.append(_code_cell(_GATE))
        write_whole(path, nbformat.writes(notebook) + "\n")
    return saved


def upsert(notebook: NotebookNode, checks: Sequence[CompiledCheck]) -> Saved:
    """Put every check's cell into the notebook in memory."""
    outcome: dict[str, list[str]] = {"added": [], "updated": [], "unchanged": [], "edited": []}
    for check in checks:
        outcome[_place(notebook, check)].append(check.id)
    return Saved(**{word: tuple(ids) for word, ids in outcome.items()})


def _place(notebook: NotebookNode, check: CompiledCheck) -> str:
    text = cell_text(check)
    there = [cell for cell in notebook.cells if _is_cell_of(cell, check.id)]
    if any(cell.source == text for cell in there):
        return "unchanged"
    untouched = next((cell for cell in there if _is_untouched(cell) or _has_code_of(cell, check)), None)
    if untouched is not None:
        untouched.source = text
        # The outputs belong to code that is no longer there.
        untouched.outputs, untouched.execution_count = [], None
        untouched.metadata.update(cell_metadata(check))
        return "updated"
    if there:
        return "edited"
    cell = _code_cell(text, cell_metadata(check))
    end = next((at for at, other in enumerate(notebook.cells) if _is_gate(other)), len(notebook.cells))
    notebook.cells.insert(end, cell)
    return "added"


def _read(path: Path) -> NotebookNode:
    if not path.exists():
        kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        fresh: NotebookNode = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
        fresh.cells.append(_code_cell(_LOAD))
        return fresh
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
        # nbformat itself meets other shapes with errors of every kind, or converts what is no notebook.
        if not isinstance(content, dict) or content.get("nbformat") != 4 or not isinstance(content.get("cells"), list):
            raise ValueError("it is not of notebook format 4")
        there: NotebookNode = nbformat.reads(text, as_version=4)
        nbformat.validate(there)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        first = str(error).partition("\n")[0]
        raise StateUnreadable(f"{path} is no notebook that can be read ({first}); it is left as it is") from error
    return there


def _code_cell(source: str, metadata: dict[str, Any] | None = None) -> NotebookNode:
    cell: NotebookNode = nbformat.v4.new_code_cell(source, metadata=metadata or {})
    return cell


def _is_cell_of(cell: NotebookNode, check_id: str) -> bool:
    if cell.cell_type != "code":
        return False
    return bool(cell.metadata.get("pandas_magic", {}).get("check") == check_id or saved_id(cell.source) == check_id)


def _is_untouched(cell: NotebookNode) -> bool:
    mark = cell.metadata.get("pandas_magic", {}).get("text")
    if mark:
        return bool(mark == text_mark(cell.source))
    # Pasted, or inserted by a front end that keeps no metadata: the header's digest speaks for the code.
    return not parse_body(cell.source.partition("\n")[2]).edited


def _has_code_of(cell: NotebookNode, check: CompiledCheck) -> bool:
    # An edit that was accepted since: the code is the check's, only the comment above it tells of the earlier one.
    return parse_body(cell.source.partition("\n")[2]).code.strip("\n") == check.code.strip("\n")


def _is_gate(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and str(cell.source).strip().startswith(_GATE)
