"""Object stores and web servers: real ones on loopback; fetched when first read, again only when changed."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import Request, urlopen

import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources.objects import ObjectStore
from pandas_magic.catalog.sources.web import without_credentials
from pandas_magic.errors import TableUnreadable

from .conftest import Store

CSV = b"id,name\n1,Ann\n2,B\n"


@pytest.fixture
def fetches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the files that were fetched."""
    keys: list[str] = []
    fetch = ObjectStore.fetch

    def noted(store: ObjectStore, key: str, path: Path) -> None:
        keys.append(key)
        fetch(store, key, path)

    monkeypatch.setattr(ObjectStore, "fetch", noted)
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


@pytest.mark.feature("E10")
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


@pytest.fixture
def guarded(store: Store) -> Iterator[Store]:
    """The store, asking for credentials that it knows: there are none."""

    def ask_from(count: str) -> None:
        address = f"{store.endpoint}/moto-api/reset-auth"
        headers = {"Content-Type": "text/plain"}
        with urlopen(Request(address, data=count.encode(), method="POST", headers=headers)):
            pass

    ask_from("0")
    yield store
    ask_from("inf")


@pytest.mark.feature("B10", "E10")
@pytest.mark.parametrize(
    ("key", "said"), [("a.csv", "the credentials do not allow it"), ("", "the key id is not known there")]
)
def test_wrong_credentials_are_said_and_never_shown(guarded: Store, tmp_path: Path, key: str, said: str) -> None:
    (tmp_path / "tables.toml").write_text(f'[o]\nuri = "s3://tables/{key}"\n')
    with pytest.raises(TableUnreadable, match=f"{said}.*check AWS_ACCESS_KEY_ID") as caught:
        Catalog(tmp_path).frame("o")
    chain = [str(caught.value), str(caught.value.__cause__)]
    assert not any("a-secret" in text for text in chain)
    assert "\n" not in chain[0]


def test_a_bucket_that_goes_away_is_said(store: Store, tmp_path: Path) -> None:
    store.client.create_bucket(Bucket="passing")
    store.put("a.csv", CSV, bucket="passing")
    (tmp_path / "tables.toml").write_text('[o]\nuri = "s3://passing/"\n')
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["o_a"]
    store.client.delete_object(Bucket="passing", Key="a.csv")
    store.client.delete_bucket(Bucket="passing")
    with pytest.raises(TableUnreadable, match=r"s3://passing/a\.csv (is gone|cannot be read: there is no such)"):
        catalog.frame("o_a")


@pytest.mark.parametrize("what", ["replaced", "removed"])
def test_a_file_that_changes_while_it_is_fetched_leaves_nothing_behind(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    store.put("a.csv", CSV)
    catalog = Catalog(given={"o": "s3://tables/a.csv"}, cache=tmp_path / "kept")
    fetch = ObjectStore.fetch

    def fetch_and_change(store_: ObjectStore, key: str, path: Path) -> None:
        fetch(store_, key, path)
        if what == "replaced":
            store.put("a.csv", CSV + b"3,C\n")
        else:
            store.client.delete_object(Bucket="tables", Key="a.csv")

    monkeypatch.setattr(ObjectStore, "fetch", fetch_and_change)
    catalog = Catalog(given={"o": "s3://tables/a.csv"}, cache=tmp_path / "kept")
    said = "changed while it was fetched; run it again" if what == "replaced" else "is gone"
    with pytest.raises(TableUnreadable, match=said):
        catalog.frame("o")
    assert [path for path in (tmp_path / "kept").rglob("*") if path.is_file() and path.suffix != ".json"] == []


class HalfStore(BaseHTTPRequestHandler):
    """A store whose line breaks in the middle of a file."""

    content = b"id,name\n" + b"1,Ann\n" * 200_000

    def do_HEAD(self) -> None:
        self.answer(200)

    def do_GET(self) -> None:
        self.answer(206)
        self.wfile.write(self.content[: len(self.content) // 2])
        self.close_connection = True

    def answer(self, status: int) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Length": str(len(self.content)),
            "ETag": '"1"',
            "Content-Range": f"bytes 0-{len(self.content) - 1}/{len(self.content)}",
            "Last-Modified": "Sun, 01 Nov 2026 00:00:00 GMT",
        }.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """A test's output is not the place."""


def test_a_line_that_breaks_in_the_middle_of_a_file_leaves_no_half_table(store: Store, tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), HalfStore) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        endpoint = f"http://127.0.0.1:{server.server_address[1]}"
        (tmp_path / "tables.toml").write_text(f'[o]\nuri = "s3://tables/a.csv"\nendpoint = "{endpoint}"\n')
        try:
            with pytest.raises(TableUnreadable, match=r"s3://tables/a\.csv (broke off|cannot be read)") as caught:
                Catalog(tmp_path, cache=tmp_path / "kept").frame("o")
        finally:
            server.shutdown()
            thread.join()
    assert "\n" not in str(caught.value)
    assert [path for path in (tmp_path / "kept").rglob("*") if path.is_file() and path.suffix != ".json"] == []
