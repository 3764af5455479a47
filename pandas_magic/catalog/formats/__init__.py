"""Which reader reads which file: by suffix, loaded on first use, with the pip line when its package is missing.

Every module here has `read(path, options, part) -> LoadedRows`; those of files with several tables also `parts(path)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from pandas_magic.catalog.readers import Lister, Reader

COMPRESSED = (".gz", ".bz2", ".zst", ".xz")


@dataclass(frozen=True)
class FileFormat:
    """A kind of file: who reads it, and what has to be installed for that."""

    word: str  # what people call it
    module: str  # below this package
    suffixes: tuple[str, ...]
    extra: str = ""  # the extra of this package that brings what is needed; "": nothing is
    many: bool = False  # whether a file may hold several tables
    columnar: bool = False  # whether single columns can be read without the others
    is_text: bool = False
    magic: tuple[bytes, ...] = ()  # how every such file begins; empty: not known

    @property
    def read(self) -> Reader:
        """The function that reads one table of a file."""
        return cast(Reader, getattr(import_module(f"{__name__}.{self.module}"), "read"))  # noqa: B009 - typed by cast

    @property
    def parts(self) -> Lister:
        """The function that names the tables in a file; only where `many`."""
        return cast(Lister, getattr(import_module(f"{__name__}.{self.module}"), "parts"))  # noqa: B009 - as above

    def install_line(self) -> str:
        """What to type when its package is missing."""
        return f"pip install 'pandas-magic[{self.extra}]'"


_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
FORMATS = (
    FileFormat("CSV", "delimited", (".csv", ".tsv"), is_text=True),
    FileFormat("text", "texts", (".txt", ".dat", ".data", ".md", ".log", ".rtf"), is_text=True),
    FileFormat("JSON", "json_records", (".json", ".jsonl", ".ndjson"), is_text=True),
    FileFormat("XML", "xml_records", (".xml",), extra="xml", is_text=True),
    FileFormat("YAML", "yaml_records", (".yaml", ".yml"), extra="yaml", is_text=True),
    FileFormat("Excel", "workbook", (".xlsx", ".xlsm"), extra="excel", many=True, magic=(_ZIP,)),
    FileFormat("old Excel", "workbook", (".xls",), extra="excel", many=True, magic=(_OLE,)),
    FileFormat("Parquet", "parquet", (".parquet", ".pq"), columnar=True, magic=(b"PAR1",)),
    FileFormat(
        "Feather", "feather", (".feather", ".arrow", ".ipc"), columnar=True, magic=(b"ARROW1", b"FEA1", b"\xff" * 4)
    ),
    FileFormat("ORC", "orc", (".orc",), columnar=True, magic=(b"ORC",)),
    FileFormat("HDF5", "hdf5", (".h5", ".hdf5"), extra="hdf5", many=True, magic=(b"\x89HDF",)),
    FileFormat("NetCDF", "netcdf", (".nc",), extra="netcdf", magic=(b"\x89HDF", b"CDF")),
    FileFormat("SQLite", "sqlite_file", (".sqlite", ".sqlite3", ".db"), many=True, magic=(b"SQLite format 3\x00",)),
    FileFormat("DuckDB", "duckdb_file", (".duckdb",), extra="duckdb", many=True),
    FileFormat("SPSS", "statistics_packages", (".sav",), extra="statistics", magic=(b"$FL",)),
    FileFormat("Stata", "statistics_packages", (".dta",)),
    FileFormat("SAS", "statistics_packages", (".sas7bdat",), magic=(bytes(12) + b"\xc2\xea\x81\x60",)),
    FileFormat("SAS transport", "statistics_packages", (".xpt",), magic=(b"HEADER RECORD",)),
    FileFormat("Word", "word", (".docx",), extra="documents", many=True, magic=(_ZIP,)),
    FileFormat("PDF", "pdf", (".pdf",), extra="documents", many=True, magic=(b"%PDF",)),
    FileFormat("image", "images", (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".svg")),
    FileFormat("archive", "archives", (".zip", ".tar", ".tgz"), many=True),
    FileFormat("7z archive", "archives", (".7z",), extra="archives", many=True, magic=(b"7z\xbc\xaf",)),
)
BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}


def suffix_of(path: Path) -> str:
    """The suffix that tells the kind of file, without that of a compression: ".csv" for "orders.csv.gz"."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def table_name(path: Path) -> str:
    """The name that a file's table has: the file's name without the suffixes that are known."""
    stem = path.name
    while stem and Path(stem).suffix.lower() in (*COMPRESSED, *BY_SUFFIX):
        stem = stem[: -len(Path(stem).suffix)]
    return stem or path.name


def format_of(path: Path) -> FileFormat | None:
    """The format of a file by its suffix; None when it is of no kind that is read."""
    if is_compressed(path) and suffix_of(path) == ".tar":
        return BY_SUFFIX[".tar"]
    return BY_SUFFIX.get(suffix_of(path))


def is_compressed(path: Path) -> bool:
    """Whether the file is one compressed file."""
    return path.suffix.lower() in COMPRESSED


def content_problem(path: Path, form: FileFormat) -> str:
    """What is wrong when a file's first bytes are not of the kind that its suffix promises; "" when nothing is."""
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(form.magic) if form.magic else True:
        found = (_kind_by_magic(begin) or _kind_of_text(begin, form)) if form.is_text else None
        return f"by its content it is {found}" if found else ""
    if not begin:
        return "it has no content; write it again"
    found = _kind_by_magic(begin)
    return f"by its content it is {found or f'no {form.word} file; give it the right suffix or write it again'}"


def _kind_by_magic(begin: bytes) -> str | None:
    if begin.startswith(_ZIP):
        return "a ZIP file (an Excel workbook is one); give it the suffix of one"
    if begin.startswith((b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd")):
        return "a compressed file; give it the suffix of one"
    named = {magic: form.word for form in FORMATS for magic in form.magic if len(magic) > 2 and magic != _ZIP}
    word = next((word for magic, word in named.items() if begin.startswith(magic)), None)
    return f"a file of kind {word}; give it the suffix of one" if word else None


def _kind_of_text(begin: bytes, form: FileFormat) -> str | None:
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith((b"<!doctype html", b"<html")):
        return "a web page; perhaps one that asks to log in was saved in its place"
    if form.word == "CSV" and text.startswith((b'{"', b'[{"')):
        return "JSON; give it the suffix .json, or .jsonl for a record per line"
    return None


def known_suffixes() -> Sequence[str]:
    """Every suffix that is read, sorted."""
    return sorted(BY_SUFFIX)
