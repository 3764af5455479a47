"""dbt: generic tests in `schema.yml`, with those of the package dbt_utils."""

from pandas_magic.peers.dbt.reading import read
from pandas_magic.peers.dbt.writing import write

__all__ = ["read", "write"]
