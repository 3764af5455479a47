"""Great Expectations: suites in JSON, of 1.x and of 0.18, for its pandas engine."""

from pandas_magic.peers.great_expectations.reading import read
from pandas_magic.peers.great_expectations.writing import write

__all__ = ["read", "write"]
