"""Real servers on loopback: an S3 store, and a plain web server."""

import functools
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Store:
    """An S3 server on loopback, and a client that puts files there."""

    endpoint: str
    client: Any

    def put(self, key: str, content: bytes, bucket: str = "tables") -> None:
        self.client.put_object(Bucket=bucket, Key=key, Body=content)


@pytest.fixture(scope="session")
def store_server() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def store(store_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An S3 store with one empty bucket "tables", reached by the environment's credentials."""
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret-that-is-never-shown")
    monkeypatch.setenv("AWS_ENDPOINT_URL", store_server)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    client = boto3.client("s3", endpoint_url=store_server, region_name="us-east-1")
    client.create_bucket(Bucket="tables")
    yield Store(store_server, client)
    for item in client.list_objects_v2(Bucket="tables").get("Contents", []):
        client.delete_object(Bucket="tables", Key=item["Key"])
    client.delete_bucket(Bucket="tables")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """A test's output is not the place."""


@pytest.fixture
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a web server, and the folder that it serves."""
    folder = tmp_path_factory.mktemp("served")
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", folder
        server.shutdown()
        thread.join()
