"""The registry: every compiled check, one file each, and what makes one stale."""

from pandas_magic.registry.checks_folder import Checks, Registry
from pandas_magic.registry.staleness import staleness

__all__ = ["Checks", "Registry", "staleness"]
