"""Data contracts: the Open Data Contract Standard 3, Frictionless Table Schema and JSON Schema of one row."""

from pandas_magic.peers.contracts.exporter import write
from pandas_magic.peers.contracts.odcs import read
from pandas_magic.peers.contracts.row_schemas import read_json_schema
from pandas_magic.peers.contracts.table_schema import read_table_schema

__all__ = ["read", "read_json_schema", "read_table_schema", "write"]
