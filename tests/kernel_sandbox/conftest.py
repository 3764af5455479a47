"""One sandbox for a module of tests; a test that kills it leaves a fresh process behind, as it does for users."""

from collections.abc import Iterator

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
