"""The registry of earlier releases: all checks in one `registry.json`. It is read, and moved over on the next save."""

import json
from pathlib import Path

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.check_file import damaged, record_of
from pandas_magic.registry.compiled_check import CompiledCheck

_VERSION = 1


def read_single_file(path: Path) -> dict[str, CompiledCheck]:
    """The checks in the file by their ids; none when there is no such file.

    Raises: StateUnreadable when it is damaged or of another version; it is left as it is.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        version, entries = content["version"], dict(content["checks"])
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise damaged(path, error) from error
    if version != _VERSION:
        raise StateUnreadable(f"{path} has version {version}; this release reads {_VERSION}: upgrade it")
    checks = {}
    for check_id, entry in entries.items():
        compiled = record_of(entry, path)
        if compiled.id != check_id:
            raise StateUnreadable(f'{path} holds check "{compiled.id}" under "{check_id}"; make the two ids the same')
        checks[check_id] = compiled
    return checks
