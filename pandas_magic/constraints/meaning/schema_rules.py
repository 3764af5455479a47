"""Rules about which columns a table has: what they mean and their code."""

from typing import TYPE_CHECKING, Any

from pandas_magic.constraints.algebra.rules import ColumnsRule
from pandas_magic.constraints.code.python_text import listing, literal

if TYPE_CHECKING:
    import pandas as pd

# The letters of `dtype.kind`, which pandas' own extension types have as well.
_KINDS = {"integer": "iu", "number": "iuf", "boolean": "b", "datetime": "M"}


def columns_at_fault(rule: ColumnsRule, frame: "pd.DataFrame") -> dict[str, str]:
    """Each column at fault and what is wrong with it, in the order in which the rule names them."""
    present = [str(column) for column in frame.columns]
    faults = {name: "missing" for name in rule.required if name not in present}
    faults |= {name: "forbidden" for name in rule.forbidden if name in present}
    if rule.only:
        faults |= {name: "not expected" for name in present if name not in rule.required and name not in faults}
    if rule.ordered:
        standing = [name for name in present if name in rule.required]
        wanted = [name for name in rule.required if name in present]
        faults |= {name: "out of order" for name, other in zip(wanted, standing, strict=True) if name != other}
    for name, kind in rule.types.items():
        if name in present and not _is_of(frame[name], kind):
            faults[name] = f"not {kind}"
        elif name not in present:
            faults[name] = "missing"
    return faults


def _is_of(column: "pd.Series[Any]", kind: str) -> bool:
    if kind == "text":
        return all(isinstance(value, str) for value in column.dropna().tolist()) and column.dtype.kind not in "iufbM"
    return column.dtype.kind in _KINDS[kind]


def columns_code(rule: ColumnsRule, frame: str) -> str:
    """Pandas code that binds `violations` to one row per column at fault: its name and what is wrong."""
    lines = ["faults = {}", f"columns = list({frame}.columns)"]
    required = listing(map(literal, rule.required))
    if rule.required:
        lines.append(f'faults |= {{name: "missing" for name in {required} if name not in columns}}')
    if rule.forbidden:
        forbidden = listing(map(literal, rule.forbidden))
        lines.append(f'faults |= {{name: "forbidden" for name in {forbidden} if name in columns}}')
    if rule.only:
        others = f"for name in columns if name not in {required} and name not in faults"
        lines.append(f'faults |= {{name: "not expected" {others}}}')
    if rule.ordered:
        lines += [
            f"standing = [name for name in columns if name in {required}]",
            f"wanted = [name for name in {required} if name in columns]",
            'faults |= {name: "out of order" for name, other in zip(wanted, standing) if name != other}',
        ]
    for name, kind in rule.types.items():
        lines += [
            f"if {literal(name)} not in columns:",
            f'    faults[{literal(name)}] = "missing"',
            f"elif {_type_fault(f'{frame}[{literal(name)}]', kind)}:",
            f"    faults[{literal(name)}] = {literal(f'not {kind}')}",
        ]
    lines.append('violations = pd.DataFrame(list(faults.items()), columns=["column", "problem"])')
    return "\n".join(lines)


def _type_fault(column: str, kind: str) -> str:
    if kind == "text":
        return f'pd.api.types.infer_dtype({column}.astype(object), skipna=True) not in ("string", "empty")'
    return f'{column}.dtype.kind not in "{_KINDS[kind]}"'
