"""Real servers on loopback: PostgreSQL, an S3 store, and a plain web server; each ended by its own id."""

import functools
import http.server
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# Nothing is written but what a test writes: no vacuuming, and no notes of running transactions for a standby.
_QUIET = ("-c", "autovacuum=off", "-c", "wal_level=minimal", "-c", "max_wal_senders=0")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _postgres_program(name: str) -> str:
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), ""
    )
    if not found:
        reason = "PostgreSQL is not installed: apt-get install postgresql"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of an empty PostgreSQL database; the server is started as an ordinary user and ended by its id."""
    initdb, postgres = _postgres_program("initdb"), _postgres_program("postgres")
    account: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="pandas-magic-postgres-"))
    if account:
        shutil.chown(folder, "postgres", "postgres")
    password = folder / "password"
    password.write_text("s3cret-word")
    password.chmod(0o644)
    data, port = folder / "data", _free_port()
    options = ["-U", "owner", "-A", "scram-sha-256", "--pwfile", str(password), "--no-sync", "-E", "UTF8"]
    subprocess.run([initdb, "-D", str(data), *options], check=True, capture_output=True, cwd=folder, **account)
    server = subprocess.Popen(
        [postgres, "-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-F", *_QUIET],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **account,
    )  # fmt: skip
    address = f"postgresql://owner:s3cret-word@127.0.0.1:{port}/postgres"
    try:
        _await_postgres(address)
        yield address
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def _await_postgres(address: str) -> None:
    import psycopg

    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@pytest.fixture
def postgres(postgres_address: str) -> Iterator[Any]:
    """A connection to the database, and an empty public schema."""
    import psycopg

    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        yield connection


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
