"""Checks without a typed rule, and checks saved unproved, come back from their files."""

from pathlib import Path

import pytest

from pandas_magic.registry import Registry
from tests.doubles import unknown_users


@pytest.mark.parametrize("missing", ["constraint", "proof"])
def test_a_check_without_it_comes_back_the_same(tmp_path: Path, missing: str) -> None:
    registry = Registry(tmp_path / "checks" / "registry")
    saved = unknown_users("CHK-001").model_copy(update={missing: None})
    registry.save(saved)
    assert Registry(tmp_path / "checks" / "registry").get("CHK-001") == saved
