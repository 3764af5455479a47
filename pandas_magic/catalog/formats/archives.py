"""Archives: every file in them that is of a kind that is read is a table."""

from pathlib import Path, PurePosixPath

from pandas_magic.catalog.formats.opening import is_readable_name, read_file
from pandas_magic.catalog.formats.unpacking import members, unpacked
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

# What every workbook and document of Office has among its members.
_OFFICE = "[Content_Types].xml"


def parts(path: Path) -> list[str]:
    """The names of the files inside that hold a table; archives inside archives are left out."""
    names = [member.name for member in members(path)]
    if _OFFICE in names:
        raise TableUnreadable(f"{path.name} is an office document by its content; give it the suffix .xlsx or .docx")
    return [name for name in names if is_readable_name(PurePosixPath(name))]


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The table in one file of the archive; without a name, in its first."""
    name = part or next(iter(parts(path)), "")
    if not name:
        raise TableUnreadable(f"{path.name} holds no file of a kind that is read")
    with unpacked(path, name) as inner:
        reading = read_file(inner, options)
    return LoadedRows(reading.content, (f"{name} in {path.name}", *reading.notes))
