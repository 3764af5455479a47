"""What tells the rows of a table in files from any others, also a long time later."""

from pandas_magic.catalog.sources.addresses import Source
from pandas_magic.catalog.sources.dataset_table import DatasetTable, files_of
from pandas_magic.catalog.sources.file_pieces import is_settled
from pandas_magic.catalog.sources.file_table import FileTable, keeps_a_log
from pandas_magic.record import digest


def lasting_identity(source: Source) -> str:
    """What the table's rows are known by as long as they stay; "" where nothing tells, or a file changed just now.

    That is what its files are known by, and how they are read. Raises: TableUnreadable.
    """
    if isinstance(source, DatasetTable):
        identity, how = source.identity(), ""
        files = files_of(source.path)
    elif isinstance(source, FileTable) and not keeps_a_log(source.path):
        identity, how = source.identity(), f"{source.part} {source.options.digest()}"
        files = [source.path]
    else:
        return ""
    try:
        are_settled = all(is_settled(path.stat()) for path in files)
    except OSError:
        return ""
    return digest([identity, str(source.path.absolute()), how]) if are_settled else ""
