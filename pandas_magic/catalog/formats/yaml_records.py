"""YAML: a list of records, read with the safe loader, which makes no objects but plain values."""

from pathlib import Path

from pandas_magic.catalog.formats.json_records import refuse_twice, rows_of_records, text_of
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

# An alias stands for a whole branch, so a few lines can mean billions of values. No table needs one.
_ALIASES = "holds aliases (*name), which can unfold to any size; write the values out"


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The records as rows. Raises: TableUnreadable for aliases and for anything but a list of records."""
    import yaml

    text, notes = text_of(path, options)
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise TableUnreadable(f"{path.name} {_ALIASES}")
        loader = yaml.SafeLoader(text)
        tree = loader.get_single_node()
        for record in getattr(tree, "value", ()):
            if isinstance(record, yaml.MappingNode):
                refuse_twice([name.value for name, _ in record.value])
        content = None if tree is None else loader.construct_document(tree)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    return rows_of_records(content, path.name, notes)
