"""Unpacking within bounds: so many files, so many bytes, so dense, and never by their own names."""

import bz2
import gzip
import lzma
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast
from zipfile import ZipFile

from pandas_magic.errors import TableUnreadable

MAX_MEMBERS = 10_000
MAX_BYTES = 64 * 1024**3
# Text of a single repeated line packs about 1,000 to 1; from there on only a bomb packs better.
MAX_RATIO = 2_000
# Below this many bytes no ratio does harm.
_SMALL_BYTES = 64 * 1024**2
_CHUNK_BYTES = 1024**2


@dataclass(frozen=True)
class Member:
    """A file in an archive: its name there, its bytes when unpacked, and its place in the archive's list."""

    name: str
    file_bytes: int


def members(path: Path) -> list[Member]:
    """The plain files in an archive, without links, hidden files and names that lead outside.

    Raises: TableUnreadable when there are too many, or they unpack to too much.
    """
    found = _listed(path)
    if len(found) > MAX_MEMBERS:
        raise TableUnreadable(f"{path.name} holds {len(found):,} files; at most {MAX_MEMBERS:,} are looked at")
    _refuse_size(path, sum(member.file_bytes for member in found))
    return [member for member in found if _is_plain(member.name)]


def refuse_bombs(path: Path) -> None:
    """Refuse an office file (a ZIP) that unpacks to too much. Raises: TableUnreadable."""
    members(path)


@contextmanager
def unpacked(path: Path, name: str = "") -> Iterator[Path]:
    """One member of an archive, or the content of one compressed file, as a temporary file with its own suffix.

    Raises: TableUnreadable as soon as more comes out than is allowed.
    """
    inner = PurePosixPath(name).name if name else path.stem
    with tempfile.TemporaryDirectory(prefix="pandas-magic-") as folder:
        # The file is named by us: of the name inside only the last step is kept, for its suffixes.
        target = Path(folder) / inner
        with target.open("wb") as out:
            _copy(path, name, out)
        try:
            yield target
        except TableUnreadable as error:
            raise TableUnreadable(f"{path.name}: {error}") from error


def _listed(path: Path) -> list[Member]:
    suffix = path.suffix.lower()
    if suffix == ".7z":
        import py7zr

        with py7zr.SevenZipFile(path) as archive:
            return [
                Member(info.filename, int(info.uncompressed or 0)) for info in archive.list() if not info.is_directory
            ]
    if _is_tar(path):
        with tarfile.open(path) as archive:
            return [Member(info.name, info.size) for info in _first_members(archive) if info.isfile()]
    with ZipFile(path) as archive:
        return [Member(info.filename, info.file_size) for info in archive.infolist() if not info.is_dir()]


def _first_members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    # A tar has no table of contents: it is read to its end, so the end has to be near.
    for count, info in enumerate(archive):
        if count > MAX_MEMBERS:
            return
        yield info


def _is_tar(path: Path) -> bool:
    return ".tar" in [suffix.lower() for suffix in path.suffixes[-2:]] or path.suffix.lower() == ".tgz"


def _is_plain(name: str) -> bool:
    steps = PurePosixPath(name.replace("\\", "/")).parts
    hidden = any(step.startswith((".", "__MACOSX")) for step in steps)
    return bool(steps) and ".." not in steps and not hidden and not name.startswith("/")


def _copy(path: Path, name: str, out: IO[bytes]) -> None:
    if path.suffix.lower() == ".7z":
        _copy_7z(path, name, out)
        return
    if name and _is_tar(path):
        with tarfile.open(path) as archive:
            content = archive.extractfile(name)
            if content is None:
                raise TableUnreadable(f"{path.name} holds no plain file {name}")
            _copy_bounded(path, content, out)
    elif name:
        with ZipFile(path) as zipped, zipped.open(name) as packed:
            _copy_bounded(path, packed, out)
    else:
        with _decompressed(path) as content:
            _copy_bounded(path, content, out)


def _copy_7z(path: Path, name: str, out: IO[bytes]) -> None:
    import py7zr

    with tempfile.TemporaryDirectory(prefix="pandas-magic-") as folder, py7zr.SevenZipFile(path) as archive:
        archive.extract(path=folder, targets=[name])
        with (Path(folder) / name).open("rb") as content:
            _copy_bounded(path, content, out)


def _decompressed(path: Path) -> IO[bytes]:
    openers: dict[str, Callable[..., Any]] = {
        ".gz": gzip.open,
        ".bz2": bz2.open,
        ".xz": lzma.open,
        ".zst": _zstandard,
    }
    return cast(IO[bytes], openers[path.suffix.lower()](path))


def _zstandard(path: Path) -> IO[bytes]:
    import pyarrow as pa

    stream: IO[bytes] = pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")
    return stream


def _copy_bounded(path: Path, content: IO[bytes], out: IO[bytes]) -> None:
    copied = 0
    while chunk := content.read(_CHUNK_BYTES):
        copied += len(chunk)
        _refuse_size(path, copied)
        out.write(chunk)


def _refuse_size(path: Path, unpacked_bytes: int) -> None:
    packed = max(path.stat().st_size, 1)
    if unpacked_bytes > MAX_BYTES or (unpacked_bytes > _SMALL_BYTES and unpacked_bytes > MAX_RATIO * packed):
        raise TableUnreadable(
            f"{path.name} unpacks to {unpacked_bytes:,} bytes or more from {packed:,}, as a bomb does; "
            "unpack it yourself if it is none"
        )
