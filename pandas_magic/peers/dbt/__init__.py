"""dbt: generic tests in `schema.yml`, with those of the package dbt_utils."""

from pandas_magic.peers.dbt.exporter import write
from pandas_magic.peers.dbt.importer import read

__all__ = ["read", "write"]
