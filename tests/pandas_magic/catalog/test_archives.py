"""Archives: bombs, names that lead outside, links, and archives in archives are not followed."""

import gzip
import io
import tarfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats import unpacking
from pandas_magic.errors import TableUnreadable


@pytest.mark.feature("D19")
def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_SMALL_BYTES", 1000)
    monkeypatch.setattr(unpacking, "MAX_RATIO", 50)
    with ZipFile(tmp_path / "bomb.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", b"a\n" + b"0\n" * 100_000)
    with pytest.raises(TableUnreadable, match=r"bomb\.zip unpacks to .* as a bomb does"):
        Catalog(tmp_path).frame("bomb")


@pytest.mark.feature("D19")
def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_SMALL_BYTES", 1000)
    monkeypatch.setattr(unpacking, "MAX_RATIO", 50)
    with ZipFile(tmp_path / "bomb.xlsx", "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 200_000)
    with pytest.raises(TableUnreadable, match=r"bomb\.xlsx unpacks to .* as a bomb does"):
        Catalog(tmp_path).frame("bomb")


@pytest.mark.feature("D19")
def test_a_compressed_file_is_stopped_while_it_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "_SMALL_BYTES", 1000)
    monkeypatch.setattr(unpacking, "MAX_RATIO", 50)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a\n" + b"0\n" * 2_000_000))
    with pytest.raises(TableUnreadable, match=r"t\.csv\.gz unpacks to"):
        Catalog(tmp_path).frame("t")


def test_an_archive_that_lies_about_its_sizes_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MAX_BYTES", 1000)
    monkeypatch.setattr(unpacking, "_listed", lambda path: [unpacking.Member("t.csv", 1)])
    with ZipFile(tmp_path / "t.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", b"a\n" + b"0\n" * 100_000)
    with pytest.raises(TableUnreadable, match="as a bomb does"):
        Catalog(tmp_path).frame("t")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MAX_MEMBERS", 3)
    with ZipFile(tmp_path / "t.zip", "w") as archive:
        for number in range(4):
            archive.writestr(f"{number}.csv", "a\n1\n")
    with pytest.raises(TableUnreadable, match="holds 4 files; at most 3 are looked at"):
        Catalog(tmp_path).frame("t")


@pytest.mark.parametrize("name", ["../t.csv", "/etc/t.csv", "a/../../t.csv", "..\\t.csv", ".hidden/t.csv"])
def test_names_that_lead_outside_are_left_out(tmp_path: Path, name: str) -> None:
    with ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr(name, "a\n666\n")
        archive.writestr("good.csv", "a\n1\n")
    assert Catalog(tmp_path).frame("t")["a"].tolist() == [1]


def test_links_in_a_tar_are_left_out(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "t.tar", "w") as archive:
        link = tarfile.TarInfo("passwd.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        good = tarfile.TarInfo("good.csv")
        good.size = 4
        archive.addfile(good, io.BytesIO(b"a\n1\n"))
    assert Catalog(tmp_path).frame("t")["a"].tolist() == [1]


@pytest.mark.feature("D19")
def test_each_file_of_an_archive_is_a_table(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "shop.zip", "w") as archive:
        archive.writestr("orders.csv", "a\n1\n")
        archive.writestr("old/users.json", '[{"b": 2}]')
        archive.writestr("inner.zip", b"x")
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["shop_orders", "shop_users"]
    assert catalog.frame("shop_users")["b"].tolist() == [2]
    assert catalog.schema("shop_orders").notes == ("orders.csv in shop.zip",)
