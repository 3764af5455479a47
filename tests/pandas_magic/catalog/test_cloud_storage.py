"""`az://` and `gs://` by Arrow's own clients against servers on loopback that speak the little that reading needs."""

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import objects
from pandas_magic.catalog.sources.objects import ObjectStore
from pandas_magic.errors import TableUnreadable

CSV = "id,name\n1,Ann\n2,B\n"
KEY, OTHER_KEY = (base64.b64encode(bytes([number]) * 32).decode() for number in (7, 8))


@dataclass(frozen=True)
class Cloud:
    """A store whose buckets are the folders in `folder`, and a workspace with a `tables.toml` that names it."""

    scheme: str
    endpoint: str
    folder: Path
    workspace: Path
    credentials: str = ""

    def put(self, key: str, text: str = CSV) -> None:
        path = self.folder / "tables" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def catalog(self, **keys: str) -> Catalog:
        sections = (
            f'[{name}]\nuri = "{self.scheme}://{key}"\nendpoint = "{self.endpoint}"\n{self.credentials}'
            for name, key in keys.items()
        )
        (self.workspace / "tables.toml").write_text("\n".join(sections))
        return Catalog(self.workspace, cache=self.workspace / "kept")


@contextmanager
def served(program: str, folder: Path, *arguments: str) -> Iterator[str]:
    """The address of a server of this folder's test programs that serves `folder`."""
    command = [sys.executable, str(Path(__file__).with_name(program)), str(folder), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.terminate()


@pytest.fixture
def azure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "shop")
    monkeypatch.setenv("AZURE_STORAGE_KEY", KEY)
    for name in ("served", "workspace"):
        (tmp_path / name).mkdir()
    with served("azure_server.py", tmp_path / "served", KEY) as endpoint:
        yield Cloud("az", endpoint, tmp_path / "served" / "shop", tmp_path / "workspace")


@pytest.fixture
def google(tmp_path: Path) -> Iterator[Cloud]:
    for name in ("served", "workspace"):
        (tmp_path / name).mkdir()
    with served("google_server.py", tmp_path / "served") as endpoint:
        yield Cloud("gs", endpoint, tmp_path / "served", tmp_path / "workspace", "anonymous = true\n")


@pytest.fixture(params=["azure", "google"])
def cloud(request: pytest.FixtureRequest) -> Cloud:
    found: Cloud = request.getfixturevalue(request.param)
    return found


@pytest.mark.feature("B06", "B20")
def test_a_file_is_fetched_once_until_it_changes(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    fetch = ObjectStore.fetch

    def noted(store: ObjectStore, key: str, path: Path) -> None:
        fetched.append(key)
        fetch(store, key, path)

    monkeypatch.setattr(ObjectStore, "fetch", noted)
    cloud.put("daily/orders.csv")
    catalog = cloud.catalog(orders="tables/daily/orders.csv")
    assert catalog.names() == ["orders"]
    assert fetched == []
    assert catalog.frame("orders", ["name"])["name"].tolist() == ["Ann", "B"]
    assert cloud.catalog(orders="tables/daily/orders.csv").schema("orders").row_count == 2
    assert fetched == ["tables/daily/orders.csv"]
    cloud.put("daily/orders.csv", CSV.replace("Ann", "Eve"))
    assert catalog.frame("orders")["name"].tolist() == ["Eve", "B"]
    assert len(fetched) == 2


def test_the_files_below_an_address_are_tables(cloud: Cloud) -> None:
    for key in ("a.csv", "trial/b.csv", "trial/readme.bin"):
        cloud.put(key)
    catalog = cloud.catalog(all="tables/")
    assert catalog.names() == ["all_a", "all_trial_b"]
    assert catalog.frame("all_trial_b")["id"].tolist() == [1, 2]


@pytest.mark.parametrize("key", ["tables/none.csv", "no-such-bucket/none.csv"])
def test_what_is_not_there_is_one_line(cloud: Cloud, key: str) -> None:
    cloud.put("a.csv")
    with pytest.raises(TableUnreadable, match=f"{cloud.scheme}://{key} is gone") as caught:
        cloud.catalog(t=key).frame("t")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["az", "gs"])
def test_a_server_that_is_not_there_is_one_line(tmp_path: Path, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT", "shop")
    monkeypatch.setenv("AZURE_STORAGE_KEY", KEY)
    monkeypatch.setattr(objects, "_RETRY_SECONDS", 0.1)
    (tmp_path / "tables.toml").write_text(
        f'[t]\nuri = "{scheme}://tables/a.csv"\nendpoint = "http://127.0.0.1:9"\nanonymous = true\n'
    )
    with pytest.raises(TableUnreadable, match=r"a\.csv cannot be read: nothing answers there; check the endpoint$"):
        Catalog(tmp_path).frame("t")


def test_a_blob_of_several_ranges_is_whole(azure: Cloud) -> None:
    azure.put("long.csv", "id\n" + "".join(f"{number:09}1\n" for number in range(600_000)))
    frame = azure.catalog(long="tables/long.csv").frame("long")
    assert len(frame) == 600_000
    assert frame["id"].iloc[-1] == "0005999991"


@pytest.mark.parametrize("key", ["tables/a.csv", "tables/"])
@pytest.mark.parametrize("secret", [OTHER_KEY, "no base64!"])
def test_a_wrong_key_is_told_and_never_shown(
    azure: Cloud, monkeypatch: pytest.MonkeyPatch, key: str, secret: str
) -> None:
    azure.put("a.csv")
    monkeypatch.setenv("AZURE_STORAGE_KEY", secret)
    with pytest.raises(TableUnreadable, match="check AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY") as caught:
        azure.catalog(t=key).frame("t" if key.endswith("csv") else "t_a")
    assert "\n" not in str(caught.value)
    assert secret not in str(caught.value)


def test_without_credentials_the_client_ends_another_process(azure: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    azure.put("a.csv")
    monkeypatch.delenv("AZURE_STORAGE_KEY")
    with pytest.raises(TableUnreadable, match="Azure finds no credentials; set AZURE_STORAGE_KEY, or log in"):
        azure.catalog(t="tables/a.csv").frame("t")
