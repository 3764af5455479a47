"""The registry: every compiled check, one file each, and what makes one stale."""

from pandas_magic.registry.checks_folder import Checks, Registry
from pandas_magic.registry.staleness import staleness
from pandas_magic.registry.touched import Touched, touched

__all__ = ["Checks", "Registry", "Touched", "staleness", "touched"]
