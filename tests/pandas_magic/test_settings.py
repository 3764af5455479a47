"""Settings: given > environment > pyproject.toml > default."""

from pathlib import Path

import pytest

from pandas_magic.errors import UsageMistake
from pandas_magic.settings import Settings


def test_the_nearer_source_wins(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pandas_magic]\nmemory_bytes = 5\nwall_seconds = 7\non_fail = "raise"\n'
    )
    environ = {"PANDAS_MAGIC_MEMORY_BYTES": "6", "PANDAS_MAGIC_WALL_SECONDS": "8"}
    settings = Settings.load(tmp_path, given={"wall_seconds": 9}, environ=environ)
    assert (settings.memory_bytes, settings.wall_seconds, settings.on_fail) == (6, 9, "raise")


def test_without_any_source_the_defaults_stand(tmp_path: Path) -> None:
    assert Settings.load(tmp_path, environ={}) == Settings()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"on_fail": "explode"}, "setting \"on_fail\" cannot be 'explode'"),
        ({"wall_secs": 1}, 'setting "wall_secs" cannot be 1'),
        ({"wall_seconds": "soon"}, "setting \"wall_seconds\" cannot be 'soon'"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(tmp_path: Path, given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageMistake, match=said):
        Settings.load(tmp_path, given=given, environ={})


def test_a_broken_pyproject_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool")
    with pytest.raises(UsageMistake, match=r"pyproject\.toml cannot be read"):
        Settings.load(tmp_path, environ={})
