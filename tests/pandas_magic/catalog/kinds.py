"""A file of every kind with the same rows in it, for tests that hold for all kinds."""

import functools
import gzip
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.orc

ROWS = {"id": [1, 2, 3], "name": ["Ann", "Bé", None], "amount": [1.5, 2.25, 3.0]}
FRAME = pd.DataFrame(ROWS)
Writer = Callable[[Path], object]


def write_hdf5(path: Path) -> None:
    import h5py
    import numpy as np

    with h5py.File(path, "w") as file:
        names = [(b"Ann"), "Bé".encode(), b""]
        kinds = [("id", "<i8"), ("name", "S8"), ("amount", "<f8")]
        file["people"] = np.array(list(zip(ROWS["id"], names, ROWS["amount"], strict=True)), dtype=kinds)


def write_netcdf(path: Path) -> None:
    import netCDF4

    with netCDF4.Dataset(path, "w") as data:
        data.createDimension("id", 3)
        data.createVariable("id", "i8", ("id",))[:] = ROWS["id"]
        data.createVariable("amount", "f8", ("id",))[:] = ROWS["amount"]


def write_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        FRAME.to_sql("people", database, index=False)


def write_duckdb(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as database:
        database.register("given", pa.Table.from_pandas(FRAME))
        database.execute("CREATE TABLE people AS SELECT * FROM given")


def write_docx(path: Path) -> None:
    from docx import Document

    document = Document()
    table = document.add_table(rows=0, cols=3)
    for row in [list(ROWS), *FRAME.astype(object).where(FRAME.notna(), "").to_numpy().tolist()]:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = str(value)
    document.save(str(path))


def write_pdf(path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots()
    axes.axis("off")
    axes.table(
        cellText=[
            [str(value) if value is not None else "" for value in row] for row in zip(*ROWS.values(), strict=True)
        ],
        colLabels=list(ROWS),
        loc="center",
    )
    figure.savefig(path)


def write_7z(path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(FRAME.to_csv(index=False), "people.csv")


def write_zip(path: Path) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr("folder/people.csv", FRAME.to_csv(index=False))


def write_tar(path: Path) -> None:
    csv = path.with_name("people.csv")
    FRAME.to_csv(csv, index=False)
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        archive.add(csv, "people.csv")
    csv.unlink()


def write_xml(path: Path) -> None:
    rows = "".join(
        f"<person id='{number}'><name>{name or ''}</name><amount>{amount}</amount></person>"
        for number, name, amount in zip(*ROWS.values(), strict=True)
    )
    path.write_text(f"<people>{rows}</people>", encoding="utf-8")


def write_yaml(path: Path) -> None:
    import yaml

    path.write_text(yaml.safe_dump(FRAME.astype(object).where(FRAME.notna(), None).to_dict("records"), sort_keys=False))


def write_arrow_stream(path: Path) -> None:
    table = pa.Table.from_pandas(FRAME)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def write_zst(path: Path) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as out:
        out.write(FRAME.to_csv(index=False).encode())


def write_spss(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(FRAME.fillna({"name": ""}), str(path))


def write_sas_transport(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_xport(FRAME.fillna({"name": ""}), str(path), file_format_version=5)


def write_image(path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (7, 5)).save(path)


# A workbook of Excel 97, which no current library writes.
OLD_WORKBOOK = Path(__file__).with_name("people.xls")
# Written by SAS itself; no library that is free writes such files. From the tests of sas7bdat_converter 4.0.0,
# copyright (c) 2018-2021 Paul Sanders, under the MIT license.
OF_SAS = Path(__file__).with_name("rows_of_sas.gz")

WRITERS: dict[str, Writer] = {
    "t.csv": lambda path: FRAME.to_csv(path, index=False),
    "t.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "t.txt": lambda path: FRAME.to_csv(path, index=False, sep="|"),
    "t.dat": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "t.data": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "t.md": lambda path: path.write_text(
        "# People\n\n|id|name|amount|\n|--|:-|-----:|\n|1|Ann|1.5|\n|2|Bé|2.25|\n|3||3.0|\n", encoding="utf-8"
    ),
    "t.json": lambda path: FRAME.to_json(path, orient="records"),
    "t.jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "t.ndjson": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "t.xml": write_xml,
    "t.yaml": write_yaml,
    "t.yml": write_yaml,
    "t.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "t.xlsm": lambda path: FRAME.to_excel(path, index=False),
    "t.xls": lambda path: shutil.copyfile(OLD_WORKBOOK, path),
    "t.parquet": lambda path: FRAME.to_parquet(path),
    "t.pq": lambda path: FRAME.to_parquet(path),
    "t.feather": lambda path: FRAME.to_feather(path),
    "t.arrow": write_arrow_stream,
    "t.ipc": lambda path: FRAME.to_feather(path),
    "t.orc": lambda path: pa.orc.write_table(pa.Table.from_pandas(FRAME), path),
    "t.sqlite": write_sqlite,
    "t.sqlite3": write_sqlite,
    "t.db": write_sqlite,
    "t.duckdb": write_duckdb,
    "t.hdf5": write_hdf5,
    "t.h5": write_hdf5,
    "t.dta": lambda path: FRAME.fillna({"name": ""}).to_stata(path, write_index=False, version=118),
    "t.sav": write_spss,
    "t.xpt": write_sas_transport,
    "t.docx": write_docx,
    "t.pdf": write_pdf,
    "t.zip": write_zip,
    "t.tar": write_tar,
    "t.tar.gz": write_tar,
    "t.tgz": write_tar,
    "t.7z": write_7z,
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode())),
    "t.csv.bz2": lambda path: FRAME.to_csv(path, index=False),
    "t.csv.xz": lambda path: FRAME.to_csv(path, index=False),
    "t.csv.zst": write_zst,
    "t.json.gz": lambda path: FRAME.to_json(path, orient="records"),
}

# Kinds whose rows are something else: lines of text, points of a grid, facts about an image, what SAS wrote.
OTHER_WRITERS: dict[str, Writer] = {
    "t.sas7bdat": lambda path: path.write_bytes(gzip.decompress(OF_SAS.read_bytes())),
    "t.log": lambda path: path.write_text("Hello, world.\nThis is prose.\n"),
    "t.rtf": lambda path: path.write_text(r"{\rtf1\ansi Hello, world.\line This is prose.}"),
    "t.nc": write_netcdf,
    **{f"t{suffix}": write_image for suffix in (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff")},
    "t.svg": lambda path: path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"></svg>'),
}


@functools.cache
def content_of(name: str) -> bytes:
    """A file of that kind with ROWS in it, written once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        {**WRITERS, **OTHER_WRITERS}[name](Path(folder) / name)
        return (Path(folder) / name).read_bytes()


def plain(frame: pd.DataFrame) -> dict[str, list[object]]:
    """The rows with one sign for a missing value: these formats have no way to tell an empty text from none."""
    return {
        str(name): [None if pd.isna(value) or value == "" else value for value in frame[name]]
        for name in frame.columns
        if name != "index"
    }
