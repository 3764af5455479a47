"""What tells a file from what it was: nothing of it is read."""

import os


def stamp_of(stat: os.stat_result) -> str:
    """Changes with a file's size, its inode, and the times at which its content and anything of it last changed.

    The second of these times cannot be set: a file written anew, and then given the time that it had, is told by it.
    Of a log that a database writes it tells too much: SQLite changes that of its own when it is only read.
    """
    return f"{stat.st_size:x}-{stat.st_mtime_ns:x}-{stat.st_ctime_ns:x}-{stat.st_ino:x}"
