"""The cells that a plan leaves in the notebook: `%%sandbox` cells that run again without a model."""

import builtins
import keyword
import re
import shlex
from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import identifier
from pandas_magic.plans.plan_records import ResultChart
from pandas_magic.plans.result_charts import drawing_code

_STEP = re.compile(r"^# %% *(?P<name>[A-Za-z_]\w*) *:? *(?P<title>.*)$", re.MULTILINE)
_NAMES_OF_OTHERS = frozenset(("pd", "np", "now", "utc_now", "display", "get_ipython", "In", "Out", "exit", "quit"))
_WIDTH = 116  # characters of a comment


def plan_cells(
    request: str, code: str, tables: Mapping[str, Table], *, output: str = "", chart: ResultChart | None = None
) -> tuple[str, ...]:
    """One cell, or one for each `# %% name: title` step of the code; none when a table's name fits no magic's line.

    A step's frame comes into the notebook under its name (`-o`), where the next step takes it as a table.
    """
    if any(not _fits_a_line(name) for name in _used(code, tables)):
        return ()
    drawn = f"{code}\n{drawing_code(chart)}" if chart is not None else code
    steps = _steps(drawn)
    # A frame brought into the notebook must not take the place of a table or of what Python calls by that name.
    taken = {*map(identifier, tables), *dir(builtins), *keyword.kwlist, *_NAMES_OF_OTHERS}
    if len(steps) < 2 or any(name in taken for name, _, _ in steps[:-1]):
        return (_cell(f"# {_one_line(request)}", drawn, _used(drawn, tables), output or "result"),)
    cells: list[str] = []
    made: dict[str, Table] = {}
    for number, (name, title, body) in enumerate(steps, 1):
        known = {**tables, **made}
        last = number == len(steps)
        binds = output or "result" if last else name
        cells.append(_cell(f"# {number}. {_one_line(title or name)}", body, _used(body, known), binds, bound=name))
        made[name] = Table(name=name, columns={})
    return tuple(cells)


def cell_keys(request: str, cells: tuple[str, ...]) -> tuple[str, ...]:
    """A name for each cell by which a later run of the same request finds it again."""
    from pandas_magic.record import digest

    return tuple(f"plan-{digest(' '.join(request.split()))[:8]}-{number}" for number in range(1, len(cells) + 1))


def _steps(code: str) -> list[tuple[str, str, str]]:
    marks = list(_STEP.finditer(code))
    if not marks or code[: marks[0].start()].strip():
        # Code before the first mark (imports) belongs to every step, so the code stays whole.
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(code)]
    return [
        (mark["name"], mark["title"], code[mark.end() : end].strip("\n")) for mark, end in zip(marks, ends, strict=True)
    ]


def _cell(heading: str, body: str, used: tuple[str, ...], output: str, *, bound: str = "") -> str:
    tables = f" --tables {shlex.quote(','.join(used))}" if used else ""
    # What the code calls `result` may be wanted under another name.
    name = "result" if not bound or output in ("result", "") else bound
    tail = f"\n{output} = {name}" if output not in (name, bound) else ""
    return f"%%sandbox{tables} -o {output}\n{heading}\n{body}{tail}"


def _fits_a_line(name: str) -> bool:
    """Whether a list of tables in a magic's line can hold the name."""
    return name.isprintable() and "," not in name and name == name.strip()


def _used(code: str, tables: Mapping[str, Table]) -> tuple[str, ...]:
    return tuple(name for name in tables if re.search(rf"\b{re.escape(identifier(name))}\b", code))


def _one_line(text: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
