"""One sandbox for a module of tests; a test that kills it leaves a fresh process behind, as it does for users."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_sandbox import Limits, Policy, Sandbox


@pytest.fixture(scope="module")
def shared_sandbox() -> Iterator[Sandbox]:
    limits = Limits(wall_seconds=20, grace_seconds=0.5)
    with Sandbox(Policy(limits=limits), warm=False) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(shared_sandbox: Sandbox) -> Sandbox:
    shared_sandbox.renew()
    return shared_sandbox


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """An empty folder whose path is short enough for the names of sockets in it."""
    folder = Path(tempfile.mkdtemp(prefix="ks-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)
