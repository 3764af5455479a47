"""The registry: every compiled check, one file each, and what makes one stale.

Names load on first use, so that what a check may be told costs no typed rule.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas_magic.registry.checks_folder import Checks, Registry
    from pandas_magic.registry.touched import Touched

_HOMES = {"Checks": "checks_folder", "Registry": "checks_folder", "Touched": "touched"}

__all__ = ["Checks", "Registry", "Touched"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever lives under that name
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
