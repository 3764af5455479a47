"""Which type a column gets when it is parsed in parts: the first, in Arrow's own order, that all its values have."""

import io
import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.csv

# The order in which pyarrow.csv tries types (docs of its type inference), the narrowest first.
_KINDS = (
    pa.null(), pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"), pa.timestamp("s", "UTC"),
    pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.float64(), pa.string(), pa.binary(),
)  # fmt: skip
# "In CSV column #1: Row #7: CSV conversion error to int64: invalid value 'x'"
_MISFIT = re.compile(r"In CSV column #(\d+): .*?conversion error to ([^:]+): (?:invalid value '(.*)')?", re.DOTALL)


def wider(error: pa.ArrowInvalid, names: Sequence[str]) -> tuple[str, pa.DataType] | None:
    """The column at fault and the type to try next; None when the error is not about a value that does not fit."""
    found = _MISFIT.search(str(error))
    if found is None or int(found[1]) >= len(names):
        return None
    at = next((at for at, kind in enumerate(_KINDS) if str(kind) == found[2]), None)
    if at is None or at + 1 == len(_KINDS):
        return None
    return names[int(found[1])], _first_that_fits(found[3], _KINDS[at + 1 :])


def _first_that_fits(value: str | None, kinds: Sequence[pa.DataType]) -> pa.DataType:
    """The first type that the value has: no earlier one can be that of its column."""
    for kind in kinds:
        if value is None or _fits(value, kind):
            return kind
    return kinds[-1]


def _fits(value: str, kind: pa.DataType) -> bool:
    options = pyarrow.csv.ConvertOptions(column_types={"value": kind}, null_values=[])
    quoted = value.replace('"', '""')
    try:
        pyarrow.csv.read_csv(
            io.BytesIO(f'value\n"{quoted}"\n'.encode()),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
            convert_options=options,
        )
    except pa.ArrowInvalid:
        return False
    return True
