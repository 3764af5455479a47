"""Privileges: none kept, none to be gained, and no life after the parent's death."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 24, 38, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY_TRIED = 63


def die_with_parent(parent_pid: int) -> None:
    """End this process with SIGKILL when its parent ends.

    Raises: OSError when the parent is gone already.
    """
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent_pid:
        raise ProcessLookupError(f"the parent {parent_pid} ended before its child was ready")


def drop_capabilities() -> None:
    """Give up every capability, for root too: root then passes only the checks that the owner of a file passes."""
    for capability in range(_LAST_CAPABILITY_TRIED + 1):
        # Dropping from the bounding set needs CAP_SETPCAP; without it there is nothing above to drop.
        _libc().prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0)
    _libc().prctl(_PR_CAP_AMBIENT, ctypes.c_ulong(_PR_CAP_AMBIENT_CLEAR_ALL), 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if _libc().capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset: the capabilities could not be dropped")


def set_no_new_privs() -> None:
    """Forbid gaining privileges; also what lets an ordinary user set the other locks."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    # prctl is variadic and reads unsigned longs: a plain Python int would leave the upper halves undefined.
    rest = ctypes.c_ulong(0)
    if _libc().prctl(ctypes.c_int(option), ctypes.c_ulong(value), rest, rest, rest) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl {option}: {os.strerror(code)}")
