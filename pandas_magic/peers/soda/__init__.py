"""Soda: checks in SodaCL, the YAML of Soda Core 3."""

from pandas_magic.peers.soda.reading import read
from pandas_magic.peers.soda.writing import write

__all__ = ["read", "write"]
