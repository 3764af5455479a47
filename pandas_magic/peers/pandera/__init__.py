"""Pandera: schemas as Python and as YAML. Python that others wrote is read as text and never run."""

from pandas_magic.peers.pandera.exporter import write_python, write_yaml
from pandas_magic.peers.pandera.python_schemas import read as read_python
from pandas_magic.peers.pandera.yaml_schemas import read as read_yaml
from pandas_magic.peers.transfers import Imported

__all__ = ["read", "read_python", "read_yaml", "write_python", "write_yaml"]


def read(text: str, *, table: str = "") -> Imported:
    """The checks of a schema; a line that begins with `schema_type:` or `columns:` shows that it is YAML."""
    is_yaml = any(line.startswith(("schema_type:", "columns:")) for line in text.splitlines())
    return (read_yaml if is_yaml else read_python)(text, table=table)
