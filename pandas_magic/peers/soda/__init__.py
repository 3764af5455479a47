"""Soda: checks in SodaCL, the YAML of Soda Core 3."""

from pandas_magic.peers.soda.exporter import write
from pandas_magic.peers.soda.importer import read

__all__ = ["read", "write"]
