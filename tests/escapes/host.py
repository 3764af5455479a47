"""The host that the attempts are made against: secrets, files, listeners and a process, and what was done to them."""

import json
import os
import re
import secrets
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernel_sandbox import Execution
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.reserved import private_base

_SETTLED_SECONDS = 5.0
_VICTIM = """
import ctypes, json, os, sys, time
token = os.environ["VICTIM_TOKEN"].encode()
memory = ctypes.create_string_buffer(token, 64)
secret = os.memfd_create("secret"); os.write(secret, token)
print(json.dumps([ctypes.addressof(memory), secret]), flush=True)
time.sleep(600)
"""
_WORDS = re.compile(r"show\('([A-Z0-9-]{4,})")
_STRANGE_FILES = (
    "io_uring",
    "userfaultfd",
    "inotify",
    "fanotify",
    "pidfd",
    "bpf",
    "perf_event",
    "landlock",
    "secretmem",
)
_STRANGE_FILES += ("memfd:x", "seccomp notify", "mqueue", "/escape (deleted)")
_SYSTEM_V = ("shm", "msg", "sem")


class Host:
    """Everything that can be reached for, and `evidence` of what was reached."""

    def __init__(self) -> None:
        self.token = f"token-{secrets.token_hex(8)}"
        # The system may have objects of others; those made here have this key.
        self._key = secrets.randbelow(2**30) + 1
        self.folder = Path(tempfile.mkdtemp(prefix="escape-host-"))
        name = self.folder.name
        self._shared = Path("/dev/shm", f"{name}-secret")
        self._outside = (Path("/tmp", f"{name}-new"), Path("/dev/shm", f"{name}-new"))
        self._hits: list[str] = []
        self._sockets: list[socket.socket] = []
        self._stop_read, self._stop_write = os.pipe()
        self._plant()
        os.environ["HOST_API_KEY"] = self.token
        self._move_in_next_door()
        self._listen()
        self._start_victim()
        self._shared.write_text(self.token)

    def known(self) -> dict[str, Any]:
        """What an attacker is told."""
        folder = str(self.folder)
        return {
            **{"folder": folder, "secret": f"{folder}/secret.txt", "spare": f"{folder}/spare.txt"},
            **{"victim_file": f"{folder}/victim.txt", "database": f"{folder}/data.db", "archive": f"{folder}/data.zip"},
            **{"module": f"{folder}/secret_module.py", "writable_package": f"{folder}/package.py"},
            **{"pointer": f"{folder}/pointer", "neighbour": self._neighbour},
            **{"tcp": self._tcp, "udp": self._udp, "unix": f"{folder}/stream.sock"},
            **{
                "datagram": f"{folder}/datagram.sock",
                "abstract": f"\0{self.folder.name}",
                "name": self.folder.name,
                "key": self._key,
                "owner": os.getpid(),
            },
            **{"victim": self._victim.pid, "victim_address": self._address, "victim_descriptor": self._descriptor},
        }

    def evidence(
        self, code: str, execution: Execution, pid: int, children: set[int], spaces: dict[str, str]
    ) -> list[str]:
        """What the attempt left behind, in words; the host is then as it was. `spaces` are those of `pid` before it."""
        shown = execution.stdout + execution.stderr + execution.error_text + execution.traceback
        shown += "".join(display.text for display in execution.displays)
        found = ["a secret came out"] if self.token in shown else []
        found += [f"the call succeeded: {word}" for word in _WORDS.findall(code) if word in execution.stdout]
        found += [f"{hit} was reached" for hit in self._taken_hits()]
        found += list(self._changed_files())
        found += list(self._changed_victim())
        found += list(_strange_process(pid, spaces))
        found += [f"a process was made: {child}" for child in children]
        for kind, number in _system_v(self._key):
            found.append(f"a System V object was made: {kind}")
            _remove_system_v(kind, number)
        if "SIZE " in execution.stdout:
            found.append("the size of a secret file is known")
        return found

    def close(self) -> None:
        """Remove everything."""
        os.write(self._stop_write, b"x")
        self._thread.join()
        for one in self._sockets:
            one.close()
        os.close(self._stop_read)
        os.close(self._stop_write)
        self._end_victim()
        del os.environ["HOST_API_KEY"]
        self._shared.unlink()
        workfolder.remove(self._neighbour)
        os.close(self._claim)
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)

    def _plant(self) -> None:
        for name, content in {
            "secret.txt": self.token,
            "spare.txt": self.token,
            "victim.txt": "intact",
            "secret_module.py": f"TOKEN = {self.token!r}\n",
            "package.py": "# intact",
            f"{self.token}.txt": "",
        }.items():
            (self.folder / name).write_text(content)
        (self.folder / "victim.txt").chmod(0o600)
        with sqlite3.connect(self.folder / "data.db") as database:
            database.execute("create table t(a)")
            database.execute("insert into t values (?)", (self.token,))
        database.close()
        with zipfile.ZipFile(self.folder / "data.zip", "w") as archive:
            archive.writestr("secret.txt", self.token)
        if hasattr(os, "setxattr"):
            try:
                os.setxattr(self.folder / "secret.txt", "user.token", self.token.encode())
            except OSError as error:
                print(f"no extended attributes here: {error}", file=sys.stderr)
        (self.folder / "pointer").symlink_to(self.token)
        self._before = {path.name: _state(path) for path in self.folder.iterdir()}

    def _move_in_next_door(self) -> None:
        """The private folders of another kernel, where those of kernels lie."""
        self._neighbour, self._claim = workfolder.private_root(private_base())
        (work := Path(self._neighbour, "work")).mkdir()
        (work / "secret.txt").write_text(self.token)
        (sockets := Path(self._neighbour, "sockets")).mkdir()
        (sockets / "connection.json").write_text(json.dumps({"key": self.token}))
        self._plan = work / "plan.txt"
        self._plan.write_text("intact")

    def _listen(self) -> None:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        stream, datagram = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        abstract = socket.socket(socket.AF_UNIX)
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        stream.bind(f"{self.folder}/stream.sock")
        datagram.bind(f"{self.folder}/datagram.sock")
        abstract.bind(f"\0{self.folder.name}")
        for one in (tcp, stream, abstract):
            one.listen(16)
        self._sockets = [tcp, udp, stream, datagram, abstract]
        self._tcp, self._udp = tcp.getsockname()[1], udp.getsockname()[1]
        names = ("the TCP listener", "the UDP socket", "the unix socket", "the datagram socket", "the abstract socket")
        self._named = dict(zip(self._sockets, names, strict=True))
        self._receiving = threading.Lock()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self._before |= {path.name: _state(path) for path in self.folder.iterdir()}

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._stop_read, *self._sockets], [], [])
            if self._stop_read in ready:
                return
            self._receive()

    def _receive(self) -> None:
        with self._receiving:
            while ready := select.select(self._sockets, [], [], 0)[0]:
                for one in ready:
                    if one.type == socket.SOCK_STREAM:
                        one.accept()[0].close()
                    else:
                        one.recv(4096)
                    self._hits.append(self._named[one])

    def _taken_hits(self) -> list[str]:
        # What was sent is in the sockets by now; under load, the thread may not have been woken yet.
        self._receive()
        hits, self._hits = self._hits, []
        return sorted(set(hits))

    def _start_victim(self) -> None:
        self._victim = subprocess.Popen(
            [sys.executable, "-I", "-c", _VICTIM, self.token],
            env={"VICTIM_TOKEN": self.token, "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._victim.stdout is not None
        self._address, self._descriptor = json.loads(self._victim.stdout.readline())
        self._victim_before = self._victim_state()

    def _end_victim(self) -> None:
        tracer = re.search(r"TracerPid:\t(\d+)", Path(f"/proc/{self._victim.pid}/status").read_text())
        if tracer and int(tracer[1]):
            # A process that is traced can be waited for only once its tracer is gone.
            end({int(tracer[1])})
        self._victim.kill()
        self._victim.wait()
        if self._victim.stdout is not None:
            self._victim.stdout.close()

    def _victim_state(self) -> tuple[str, ...]:
        base = Path(f"/proc/{self._victim.pid}")
        try:
            # It sleeps, or it is on its way: under load, one that was killed runs for a while before it is gone.
            end_by = time.monotonic() + _SETTLED_SECONDS
            while (base / "stat").read_text().rsplit(")", 1)[1].split()[0] in "RD" and time.monotonic() < end_by:
                time.sleep(0.005)
            status = (base / "status").read_text()
            fields = (base / "stat").read_text().rsplit(")", 1)[1].split()
            limits, oom = (base / "limits").read_text(), (base / "oom_score_adj").read_text()
            name = (base / "comm").read_text()
        except FileNotFoundError:
            return ("gone",)
        lines = re.findall(r"^(?:TracerPid|Cpus_allowed|SigPnd|ShdPnd):.*$", status, re.MULTILINE)
        state = "stopped" if fields[0] in "Tt" else "gone" if fields[0] in "ZX" else "alive"
        # Field 19 of proc(5) is the nice value, 41 the scheduling policy; counted from the state, the third.
        return (*lines, limits, oom, name, f"nice {fields[16]}", f"policy {fields[38]}", state)

    def _changed_victim(self) -> Iterator[str]:
        now = self._victim_state()
        if now == self._victim_before:
            return
        changed = set(now) - set(self._victim_before)
        yield f"another process was altered: {min(changed, key=len) if changed else 'gone'}"
        self._end_victim()
        self._start_victim()

    def _changed_files(self) -> Iterator[str]:
        for path in self._outside:
            if path.exists():
                yield f"{path} was made"
                path.unlink()
        if self._plan.read_text() != "intact":
            yield "a file of another kernel was changed"
            self._plan.write_text("intact")
        now = {path.name: _state(path) for path in self.folder.iterdir()}
        for name in sorted(set(now) | set(self._before)):
            if now.get(name) != self._before.get(name) and not name.startswith("__pycache__"):
                yield f"{name} was changed, made or removed"
                self._restore(name)

    def _restore(self, name: str) -> None:
        path = self.folder / name
        if path.is_dir():
            subprocess.run(["rm", "-rf", str(path)], check=True)
        elif path.exists() or path.is_symlink():
            path.unlink()
        if name in ("secret.txt", "spare.txt", "victim.txt", "package.py"):
            path.write_text("intact" if name == "victim.txt" else self.token)
            path.chmod(0o600)
            self._before[name] = _state(path)


def _state(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    try:
        attributes = tuple(os.listxattr(path))
    except OSError:
        attributes = ()
    # The change time moves with every reading of attributes on some file systems, so it is left out.
    return (found.st_mode, found.st_uid, found.st_mtime_ns, content, attributes)


def files_of(pid: int) -> list[str]:
    """The open files of a process, as the system names them.

    Raises: OSError when it is gone.
    """
    return [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]


def spaces_of(pid: int) -> dict[str, str]:
    """The namespaces of a process, by kind."""
    return {space.name: str(space.readlink()) for space in Path(f"/proc/{pid}/ns").iterdir()}


def _strange_process(pid: int, spaces: dict[str, str]) -> Iterator[str]:
    """What a process holds that it should not: odd descriptors, other namespaces, too many files, too large a file."""
    base = Path(f"/proc/{pid}")
    try:
        links = files_of(pid)
        now = spaces_of(pid)
        limits = (base / "limits").read_text()
    except OSError:
        return
    for link in links:
        if any(strange in link for strange in _STRANGE_FILES):
            yield f"it holds {link}"
        if link.endswith("/big") and Path(link).exists() and Path(link).stat().st_size > 1 << 35:
            yield "it has a file beyond any limit"
    if len(links) > 300:
        yield f"it holds {len(links)} open files"
    for name in ("user", "net", "mnt", "uts", "pid"):
        if now[name] != spaces[name]:
            yield f"it is in a {name} namespace of its own"
    if re.search(r"Max open files\s+99 ", limits) or re.search(r"Max address space\s+35184372088832 ", limits):
        yield "it changed its own limits"


def children_of(pid: int) -> set[int]:
    """The processes that `pid` made and that are still there."""
    try:
        return {
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        }
    except OSError:
        return set()


def end(processes: set[int]) -> None:
    """End processes that an attempt made."""
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _system_v(key: int) -> list[tuple[str, int]]:
    found = []
    for kind in _SYSTEM_V:
        for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]:
            if int(line.split()[0]) == key:
                found.append((kind, int(line.split()[1])))
    return found


def _remove_system_v(kind: str, number: int) -> None:
    flag = {"shm": "-m", "msg": "-q", "sem": "-s"}[kind]
    subprocess.run(["ipcrm", flag, str(number)], check=True, capture_output=True)
