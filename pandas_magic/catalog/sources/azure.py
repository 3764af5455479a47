"""Azure's object store by Arrow's client, which ends its process where it should refuse: another is asked first."""

import base64
import json
import os
import subprocess
import sys
from typing import Any

from pandas_magic.errors import TableUnreadable

# Finding credentials asks files, programs and a server of the machine, one after the other.
_CREDENTIALS_SECONDS = 60.0
_PROBE = """
import json, sys
import pyarrow.fs
given, path = json.loads(sys.argv[1]), sys.argv[2]
try:
    pyarrow.fs.AzureFileSystem(**given).get_file_info(path)
except OSError:
    pass  # what the store says is told by the one who reads
"""


def azure_files(uri: str, host: str, protocol: str) -> Any:  # noqa: ANN401 - Arrow carries no types
    """The file system of the account and with the key that the environment names; without a key, as Azure finds one.

    Raises: TableUnreadable when there are no credentials that its client takes.
    """
    import pyarrow.fs

    account = os.environ.get("AZURE_STORAGE_ACCOUNT") or os.environ.get("AZURE_STORAGE_ACCOUNT_NAME")
    if not account:
        raise TableUnreadable(f"{uri} needs the name of its account; set AZURE_STORAGE_ACCOUNT")
    places = {
        "blob_storage_authority": host or None,
        "blob_storage_scheme": protocol,
        "dfs_storage_authority": host or None,
        "dfs_storage_scheme": protocol,
    }
    key = _key(uri)
    if key is None:
        _refuse_without_credentials(uri, {"account_name": account, **places})
    return pyarrow.fs.AzureFileSystem(account, account_key=key, **places)


def _key(uri: str) -> str | None:
    key = os.environ.get("AZURE_STORAGE_KEY")
    try:
        base64.b64decode(key or "", validate=True)
    except ValueError as error:
        raise TableUnreadable(
            f"{uri} cannot be read: the key is no base64; check AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY"
        ) from error
    return key or None


def _refuse_without_credentials(uri: str, given: dict[str, str | None]) -> None:
    command = [sys.executable, "-I", "-c", _PROBE, json.dumps(given), uri.partition("://")[2].rstrip("/")]
    try:
        probe = subprocess.run(command, capture_output=True, timeout=_CREDENTIALS_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise TableUnreadable(f"{uri} cannot be read: Azure does not answer; check the endpoint") from error
    if probe.returncode:
        raise TableUnreadable(f"{uri} cannot be read: Azure finds no credentials; set AZURE_STORAGE_KEY, or log in")
