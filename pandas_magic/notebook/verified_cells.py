"""Whether the saved cells of a notebook file are still the checks of the registry."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pandas_magic.errors import StateUnreadable
from pandas_magic.history.text_difference import difference
from pandas_magic.notebook.saved_cell import marks_of, parse_body, saved_id
from pandas_magic.registry import Checks
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.verification import Finding


def notebooks_below(folder: Path) -> list[Path]:
    """Every notebook of the folder that a person keeps: none in hidden folders."""
    found = sorted(folder.rglob("*.ipynb"))
    return [path for path in found if not any(_is_hidden(part) for part in path.relative_to(folder).parts)]


def cell_findings(path: Path, checks: Checks) -> Iterator[Finding]:
    """What in the notebook's saved cells is not what the registry holds, in the order of its cells.

    A notebook that cannot be read is one finding. Cells of other kinds, and saved cells without code, are passed over.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = [(number, cell, _source(cell)) for number, cell in enumerate(cells, 1) if _is_code(cell)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        yield Finding(str(path), f"it is no notebook that can be read ({error})")
        return
    for number, cell, source in sources:
        check_id = saved_id(source)
        if check_id and "," not in check_id:
            place = f"{path}, cell {number}, {check_id}"
            yield from (Finding(place, problem) for problem in _problems(path, check_id, cell, checks))


def _problems(path: Path, check_id: str, cell: dict[str, Any], checks: Checks) -> Iterator[str]:
    if check_id not in checks:
        yield "the registry has no such check; compile its rule, or delete the cell"
        return
    try:
        compiled = checks[check_id]
    except StateUnreadable:
        return  # found where the registry is looked at
    body = parse_body(_source(cell).partition("\n")[2])
    if body.code.strip() and body.code.strip("\n") != compiled.code.strip("\n"):
        changed = difference(compiled.code, body.code, names=("registry", "cell")).splitlines()[2:]
        lines = sum(line.startswith(("+", "-")) for line in changed)
        yield (
            f"its code is not the registry's ({lines} changed line{'s' * (lines != 1)}); prove it with "
            f"%%check --run {check_id} --accept, or bring the registry's back"
        )
        return
    yield from _of_marks(path, cell, compiled)


def _of_marks(path: Path, cell: dict[str, Any], compiled: CompiledCheck) -> Iterator[str]:
    marked = cell.get("metadata", {}).get("pandas_magic", {})
    words = {"code_digest": "code", "rule_digest": "rule", "schema_digest": "columns"}
    expected = marks_of(compiled)
    different = [word for name, word in words.items() if name in marked and marked[name] != expected[name]]
    if different:
        words_said = " and ".join(different)
        yield f"it was written for other {words_said} than the registry holds; %checks save {path.name} writes it anew"


def _is_code(cell: dict[str, Any]) -> bool:
    return cell.get("cell_type") == "code"


def _source(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or part == "node_modules"
