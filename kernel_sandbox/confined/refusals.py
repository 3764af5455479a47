"""What a refusal means, in one line: what was refused, by what, and what to do instead.

Standard library only. The locks answer with the errors of the system, which name neither themselves nor a way out.
"""

import errno
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

_POLICY = "the policy file (KERNEL_SANDBOX_POLICY)"
NO_NETWORK = (
    "there is no network in a confined kernel (seccomp refuses sockets); fetch the data outside, and put the file into "
    f'the notebook\'s folder or under "read" of {_POLICY}'
)
NO_PROCESSES = "a confined kernel starts no other programs (seccomp refuses them); work in Python instead"
NO_QUESTIONS = "nobody can be asked in a confined kernel; set the value in a cell"
PLAIN_KERNEL = (
    "pandas_magic confines what it runs by itself, and one confined kernel cannot start another; use its magics in a "
    "plain Python kernel"
)
_NO_CONTROL = "a confined kernel changes nothing of other processes or of the system (seccomp refuses it)"
_NETWORK_MODULES = ("socket", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "aiohttp", "ftplib", "smtplib")
_PROCESS_MODULES = ("subprocess", "multiprocessing", "concurrent", "pty", "joblib")
_LIMITS = {
    errno.EFBIG: ("file_bytes", "write smaller files"),
    errno.EMFILE: ("open_files", "close files after use"),
    errno.ENOMEM: ("memory_bytes", "work on fewer rows at a time"),
}
_QUOTED = re.compile(r"'(/[^']+|[^'/][^']*)'")
_MOST_ERRORS = 20


def explain(error: BaseException, *, work: str) -> str:
    """One line about an error that a lock or limit caused, with the folder `work` that may be written; else nothing."""
    errors = list(_led_to(error))
    modules = {name.split(".")[0] for one in errors for name in _modules(one)}
    if "pandas_magic" in modules or any("pandas_magic" in Path(_path_of(one)).parts for one in errors):
        return PLAIN_KERNEL
    if any(isinstance(one, socket.gaierror) for one in errors) or _refused(errors, modules, _NETWORK_MODULES):
        return NO_NETWORK
    if _refused(errors, modules, _PROCESS_MODULES):
        return NO_PROCESSES
    if isinstance(error, EOFError) and "getpass" in modules:
        return NO_QUESTIONS
    return next((line for one in errors if (line := _of_system(one, work))), "")


def _of_system(error: BaseException, work: str) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError):
        number = errno.ENOMEM
    if number in _LIMITS:
        limit, advice = _LIMITS[number]
        return f'the limit "{limit}" of the policy was reached; {advice}, or raise it under "limits" of {_POLICY}'
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return f'the limit "threads" of the policy was reached; raise it under "limits" of {_POLICY}'
    if number in (errno.EACCES, errno.EROFS) and (path := _path_of(error)):
        return _of_file(path, work)
    if number == errno.EPERM:
        return _NO_CONTROL
    if type(error).__module__ == "sqlite3" and "unable to open database file" in str(error):
        return _of_file("the database", work)
    return ""


def _of_file(path: str, work: str) -> str:
    # A file that can be read, or a new one in a folder that can be listed, was to be written.
    if path == "the database" or _can_be_read(path) or (not os.path.lexists(path) and _can_be_read(Path(path).parent)):
        return (
            f"{path} was not written: Landlock lets a confined kernel write only below {work}; write there, name a "
            f'folder as "work" of {_POLICY}, or say "writes": "copy" there'
        )
    return (
        f"{path} was not opened: Landlock refuses what the policy does not grant; to write, use a file below {work}; "
        f'to read, put the file into the notebook\'s folder, or name its folder under "read" of {_POLICY}'
    )


def _can_be_read(path: str | Path) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _path_of(error: BaseException) -> str:
    name = getattr(error, "filename", None)
    if isinstance(name, bytes):
        return os.fsdecode(name)
    if isinstance(name, str):
        return name
    # Arrow names the file in its text only.
    found = _QUOTED.search(str(error)) if isinstance(error, OSError) else None
    return found[1] if found else ""


def _refused(errors: list[BaseException], modules: set[str], those: tuple[str, ...]) -> bool:
    refused = any(isinstance(one, OSError) and one.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS) for one in errors)
    return refused and not modules.isdisjoint(those)


def _led_to(error: BaseException) -> Iterator[BaseException]:
    """The error and those that led to it, by cause, context, reason or argument; each once."""
    pending, seen = [error], set[int]()
    while pending and len(seen) < _MOST_ERRORS:
        one = pending.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        nearby = (one.__cause__, one.__context__, getattr(one, "reason", None), *one.args)
        pending += [other for other in nearby if isinstance(other, BaseException)]


def _modules(error: BaseException) -> Iterator[str]:
    at = error.__traceback__
    while at is not None:
        yield str(at.tb_frame.f_globals.get("__name__", ""))
        at = at.tb_next
