"""A real PostgreSQL on loopback, ended by its own id."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
    with postgres_of_its_own() as server:
        yield server.address


class PostgresServer:
    """A server on loopback with its own folder of data, which may be killed and started again."""

    def __init__(self, folder: Path, account: dict[str, Any]) -> None:
        self._folder, self._account, self._port = folder, account, _free_port()
        self.address = f"postgresql://owner:s3cret-word@127.0.0.1:{self._port}/postgres"
        password = folder / "password"
        password.write_text("s3cret-word")
        password.chmod(0o644)
        options = ["-U", "owner", "-A", "scram-sha-256", "--pwfile", str(password), "--no-sync", "-E", "UTF8"]
        initdb = [_postgres_program("initdb"), "-D", str(folder / "data"), *options]
        subprocess.run(initdb, check=True, capture_output=True, cwd=folder, **account)
        self.start()

    def start(self) -> None:
        where = ["-D", str(self._folder / "data"), "-h", "127.0.0.1", "-p", str(self._port), "-k", str(self._folder)]
        self._process = subprocess.Popen(
            [_postgres_program("postgres"), *where, "-F", *_QUIET],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._folder, **self._account,
        )  # fmt: skip
        _await_postgres(self.address)

    def end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.wait(timeout=30)


@contextmanager
def postgres_of_its_own() -> Iterator[PostgresServer]:
    """A server started as an ordinary user, and ended by its id."""
    account: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="pandas-magic-postgres-"))
    if account:
        shutil.chown(folder, "postgres", "postgres")
    server = PostgresServer(folder, account)
    try:
        yield server
    finally:
        server.end(signal.SIGINT)
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
