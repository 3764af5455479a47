"""Where tables come from: files, databases, object stores, and DataFrames of the notebook."""

from pandas_magic.catalog.catalog import Catalog
from pandas_magic.catalog.sources.addresses import Source
from pandas_magic.catalog.table import Table, ValueKind, kind_of

__all__ = ["Catalog", "Source", "Table", "ValueKind", "kind_of"]
