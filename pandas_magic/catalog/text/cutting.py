"""Lines cut into rows of fields of any length."""

import csv
from collections.abc import Iterable
from threading import Lock

# The longest field that a C long on every system can state: no field is too long.
_NO_LIMIT = 2**31 - 1
# The limit of `csv` is one for the whole process, so that it is raised by one at a time and put back.
_LIMIT = Lock()


def cut_rows(lines: Iterable[str], delimiter: str, quote: str) -> list[tuple[int, list[str]]]:
    """Every row, each with the line that it ends in; a quoted field may hold line breaks.

    Raises: csv.Error for a line break within a field without quotes.
    """
    with _LIMIT:
        usual = csv.field_size_limit(_NO_LIMIT)
        try:
            reader = csv.reader(lines, delimiter=delimiter, quotechar=quote)
            return [(reader.line_num, row) for row in reader]
        finally:
            csv.field_size_limit(usual)
