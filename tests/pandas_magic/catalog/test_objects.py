"""Object stores and web servers: real ones on loopback; fetched when first read, again only when changed."""

from pathlib import Path

import pytest

from pandas_magic.catalog import Catalog, objects
from pandas_magic.catalog.web import without_credentials
from pandas_magic.errors import TableUnreadable

from .conftest import Store

CSV = b"id,name\n1,Ann\n2,B\n"


@pytest.fixture
def fetches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the files that were fetched."""
    keys: list[str] = []
    fetch = objects._fetch
    monkeypatch.setattr(
        objects, "_fetch", lambda files, scheme, key, path: (keys.append(key), fetch(files, scheme, key, path))
    )
    return keys


@pytest.mark.feature("B06", "B20", "E10")
def test_a_file_in_a_store_is_fetched_once_until_it_changes(store: Store, tmp_path: Path, fetches: list[str]) -> None:
    store.put("daily/orders.csv", CSV)
    (tmp_path / "tables.toml").write_text('[orders]\nuri = "s3://tables/daily/orders.csv"\n')
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.names() == ["orders"]
    assert fetches == []
    assert catalog.frame("orders", ["name"])["name"].tolist() == ["Ann", "B"]
    again = Catalog(tmp_path, cache=tmp_path / "kept")
    assert again.frame("orders")["id"].tolist() == [1, 2]
    assert again.schema("orders").origin == "s3://tables/daily/orders.csv"
    assert fetches == ["tables/daily/orders.csv"]
    store.put("daily/orders.csv", CSV.replace(b"Ann", b"Eve"))
    assert again.frame("orders")["name"].tolist() == ["Eve", "B"]
    assert len(fetches) == 2


@pytest.mark.feature("B06", "B10")
def test_the_bucket_of_the_environment_is_a_source_with_groups(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("base/trial_001/a.csv", CSV)
    store.put("base/trial_002/a.csv", CSV)
    store.put("base/readme.bin", b"x")
    monkeypatch.setenv("S3_BUCKET_NAME", "tables")
    monkeypatch.setenv("S3_BASE_PATH", "base")
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["s3_trial_001_a", "s3_trial_002_a"]
    assert [table.group for table in catalog.schemas().values()] == ["trial_001", "trial_002"]


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("s3://no-such-bucket/a.csv", "s3://no-such-bucket/a.csv"),
        ("s3://no-such-bucket/", "there is no such bucket"),
        ("s3://tables/none.csv", "s3://tables/none.csv is gone"),
    ],
)
def test_what_is_not_in_the_store_is_one_line_without_secrets(
    store: Store, tmp_path: Path, uri: str, said: str
) -> None:
    (tmp_path / "tables.toml").write_text(f'[orders]\nuri = "{uri}"\n')
    with pytest.raises(TableUnreadable) as caught:
        Catalog(tmp_path).frame("orders")
    assert said in str(caught.value)
    assert "a-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_store_that_does_not_answer_is_one_line(tmp_path: Path, store: Store) -> None:
    (tmp_path / "tables.toml").write_text('[o]\nuri = "s3://tables/a.csv"\nendpoint = "http://127.0.0.1:1"\n')
    with pytest.raises(TableUnreadable, match="nothing answers there; check the endpoint"):
        Catalog(tmp_path).frame("o")


def test_a_file_on_the_web_is_a_table(web: tuple[str, Path], tmp_path: Path) -> None:
    address, folder = web
    (folder / "orders.csv").write_bytes(CSV)
    secret = address.replace("http://", "http://me:hidden@") + "/orders.csv?token=hidden"
    catalog = Catalog(given={"orders": address + "/orders.csv"}, cache=tmp_path / "kept")
    assert catalog.frame("orders")["id"].tolist() == [1, 2]
    assert catalog.schema("orders").origin == f"{address}/orders.csv"
    assert without_credentials(secret) == f"{address}/orders.csv"


def test_a_missing_page_is_one_line(web: tuple[str, Path]) -> None:
    address, _ = web
    with pytest.raises(TableUnreadable, match=r"none\.csv cannot be read: the server says 404"):
        Catalog(given={"orders": f"{address}/none.csv"}).frame("orders")
