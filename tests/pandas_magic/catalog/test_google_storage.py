"""`gs://` by Arrow's own client against a server on loopback that speaks the little that reading needs."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pandas_magic.catalog import Catalog, objects
from pandas_magic.errors import TableUnreadable

CSV = "id,name\n1,Ann\n2,B\n"


@dataclass(frozen=True)
class Cloud:
    """A store whose buckets are the folders in `folder`, and a workspace with a `tables.toml` that names it."""

    endpoint: str
    folder: Path
    workspace: Path

    def put(self, key: str, text: str = CSV) -> None:
        path = self.folder / "tables" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def catalog(self, **keys: str) -> Catalog:
        sections = (
            f'[{name}]\nuri = "gs://{key}"\nendpoint = "{self.endpoint}"\nanonymous = true\n'
            for name, key in keys.items()
        )
        (self.workspace / "tables.toml").write_text("\n".join(sections))
        return Catalog(self.workspace, cache=self.workspace / "kept")


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[Cloud]:
    for name in ("served", "workspace"):
        (tmp_path / name).mkdir()
    program = Path(__file__).with_name("google_server.py")
    command = [sys.executable, str(program), str(tmp_path / "served")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        endpoint = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        try:
            yield Cloud(endpoint, tmp_path / "served", tmp_path / "workspace")
        finally:
            server.terminate()


@pytest.mark.feature("B06", "B20")
def test_a_file_is_fetched_once_until_it_changes(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    fetch = objects._fetch
    monkeypatch.setattr(
        objects, "_fetch", lambda files, scheme, key, path: (fetched.append(key), fetch(files, scheme, key, path))
    )
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
    with pytest.raises(TableUnreadable, match=f"gs://{key} is gone") as caught:
        cloud.catalog(t=key).frame("t")
    assert "\n" not in str(caught.value)
