"""Rules about which columns a table has, as pandas."""

from pandas_magic.constraints.algebra.rules import ColumnsRule
from pandas_magic.constraints.code.python_text import listing, literal
from pandas_magic.constraints.meaning.schema_rules import DTYPE_KINDS


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
    return f'{column}.dtype.kind not in "{DTYPE_KINDS[kind]}"'
