"""What a table in files is known by later on."""

import os
import sqlite3
import time
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources import file_pieces
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.catalog.sources.lasting import lasting_identity
from pandas_magic.catalog.sources.memory import FrameTable


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", 0.0)
    path = tmp_path / "shops.csv"
    path.write_text("shop_id\n1\n")
    return path


def test_it_stays_while_the_file_and_how_it_is_read_do(path: Path) -> None:
    first = lasting_identity(FileTable("shops", path))
    assert first
    assert lasting_identity(FileTable("stores", path)) == first
    assert lasting_identity(FileTable("shops", path, options=ReadOptions(delimiter=";"))) not in ("", first)
    path.write_text("shop_id\n2\n")
    assert lasting_identity(FileTable("shops", path)) not in ("", first)


def test_there_is_none_of_a_file_that_may_change_unseen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(path.with_suffix(".sqlite")) as database:
        database.execute("CREATE TABLE shops (shop_id)")
    database.close()
    assert lasting_identity(FileTable("shops", path.with_suffix(".sqlite"), part="shops")) == ""
    assert lasting_identity(FrameTable("shops", lambda: pd.DataFrame({"shop_id": [1]}))) == ""
    os.utime(path, (time.time() + 3600,) * 2)
    assert lasting_identity(FileTable("shops", path)) == ""
    monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", 2.0)
    os.utime(path, (1, 1))
    assert lasting_identity(FileTable("shops", path)) == ""
