"""A real PostgreSQL on loopback, ended by its own id."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
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
