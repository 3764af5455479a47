"""`python -m kernel_sandbox bring`: what confined notebooks wrote in copies of their folders, brought over."""

import argparse

from kernel_sandbox.copies import bring_over, copy_names, drop_copy, printable, written_files

_MEANING = {
    "new": "new",
    "changed": "changed",
    "changed meanwhile": "changed here too since it was copied; --overwrite brings it",
    "program": "may run when it is opened; name it to bring it",
}


def main(arguments: list[str]) -> int:
    """The exit status: 0, or 1 when something could not be done, which is said in one line."""
    parser = argparse.ArgumentParser(prog="python -m kernel_sandbox bring", description=__doc__)
    parser.add_argument("name", nargs="?", help="the copy; without it, all copies are listed")
    parser.add_argument("files", nargs="*", help="bring these alone; programs must be named here")
    parser.add_argument("--list", action="store_true", help="list what was written, and bring nothing")
    parser.add_argument(
        "--overwrite", action="store_true", help="bring files that were changed in the folder meanwhile"
    )
    parser.add_argument("--drop", action="store_true", help="remove the copy, with everything in it")
    chosen = parser.parse_args(arguments)
    try:
        return _carry_out(chosen)
    except OSError as error:
        print(error)
        return 1


def _carry_out(chosen: argparse.Namespace) -> int:
    if chosen.name is None:
        for name in copy_names():
            print(f"{name}: {len(written_files(name))} files")
        return 0
    if chosen.drop:
        drop_copy(chosen.name)
        return 0
    written = written_files(chosen.name)
    if unknown := sorted(set(chosen.files) - {one.path for one in written}):
        raise FileNotFoundError(f"{printable(unknown[0])} was not written in {chosen.name}; --list shows what was")
    only = frozenset(chosen.files)
    brought = set() if chosen.list else set(bring_over(chosen.name, only=only, overwrite=chosen.overwrite))
    for one in written:
        word = "brought over" if one in brought else _MEANING[one.kind]
        print(f"{printable(one.path)} ({one.file_bytes:,} bytes): {word}")
    return 0
