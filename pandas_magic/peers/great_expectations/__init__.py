"""Great Expectations: suites in JSON, of 1.x and of 0.18, for its pandas engine."""

from pandas_magic.peers.great_expectations.exporter import write
from pandas_magic.peers.great_expectations.importer import read

__all__ = ["read", "write"]
