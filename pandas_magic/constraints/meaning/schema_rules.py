"""Rules about which columns a table has: what they mean."""

from typing import TYPE_CHECKING, Any

from pandas_magic.constraints.algebra.rules import ColumnsRule

if TYPE_CHECKING:
    import pandas as pd

# The letters of `dtype.kind`, which pandas' own extension types have as well.
DTYPE_KINDS = {"integer": "iu", "number": "iuf", "boolean": "b", "datetime": "M"}


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
    return column.dtype.kind in DTYPE_KINDS[kind]
