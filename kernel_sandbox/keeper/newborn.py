"""A confined process from its fork to the moment when it may be let in: its files, its locks, the look at both."""

import os
import shutil
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.confined.life import READY, Ends
from kernel_sandbox.confined.renderers import MATPLOTLIBRC
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.keeper.attestation import Confinement, attest, name_of_file
from kernel_sandbox.keeper.keeping import Charge
from kernel_sandbox.locks import Places
from kernel_sandbox.policy import Policy

DOCTOR = "Run: python -m kernel_sandbox doctor"
_WORD_BYTES = 4096


@dataclass(frozen=True)
class Terms:
    """What all processes of one keeper live under.

    `root` holds their private folders, `folder` is where they begin, or empty for the work folder. `renewable` ones
    are replaced when they end and stopped while nothing is asked of them; `spare` keeps a second one ready. `outside`
    are the namespaces outside those of bubblewrap, empty when there are none. `plot_cache` holds lists of fonts.
    """

    policy: Policy
    root: str
    folder: str
    readable: Sequence[str]
    renewable: bool
    spare: bool
    plot_cache: str = ""
    outside: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Newborn:
    """A process that nobody can talk to yet. `files` are our ends of its line and pipes."""

    charge: Charge
    ready: int
    files: list[int]
    names: frozenset[str]
    confinement: Confinement | None = None

    def admit(self, terms: Terms) -> None:
        """Take its word that it is locked, and look at its locks and open files from outside.

        Raises: SandboxUnavailable when a lock could not be set or was not seen.
        """
        word, _, rest = os.read(self.ready, _WORD_BYTES).decode("utf-8", "replace").partition(" ")
        os.close(self.ready)
        self.ready = -1
        if self.charge.cause == "memory":
            # Forked from a keeper that has imported much, all of which counts as its own.
            reason = f"the confined process used {self.charge.seen} before any code ran in it"
            raise SandboxUnavailable(reason, "Raise Limits.memory_bytes, which is memory_bytes among the settings")
        if word != READY or not rest.isdecimal():
            raise SandboxUnavailable(f"the confined process could not be locked: {rest or self._last_words()}", DOCTOR)
        self.confinement = attest(
            self.charge.pid, terms.policy, int(rest), files=self.names, outside=terms.outside or None
        )
        self.charge.let_in()

    def _last_words(self) -> str:
        # What it wrote as an error; none but our own code has run in it.
        with suppress(BlockingIOError):
            lines = os.read(self.files[2], _WORD_BYTES).decode("utf-8", "replace").strip().splitlines()
            return "; ".join(["it ended", *lines[-1:]])
        return "it ended"

    def close(self) -> None:
        """Close our ends of its files."""
        for descriptor in (*self.files, *([self.ready] if self.ready >= 0 else [])):
            os.close(descriptor)
        self.files, self.ready = [], -1


def bear(number: int, terms: Terms) -> Newborn:
    """A new process, forked, about to lock itself."""
    policy = terms.policy
    private = f"{terms.root}/{number}"
    places = Places(policy.work or f"{private}/work", private, tuple(terms.readable))
    for folder in (places.work, places.home):
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    _prepare_plots(terms, places.home)
    line, their_line = socket.socketpair()
    output, their_output = os.pipe()
    errors, their_errors = os.pipe()
    ready, their_ready = os.pipe()
    theirs = Ends(their_line.detach(), their_output, their_errors, their_ready)
    ours = [line.detach(), output, errors]
    names = frozenset(name_of_file(one) for one in (theirs.line, their_output, their_errors, their_ready))
    keeper_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        _live(terms, places, theirs, keeper_pid)
    for descriptor in (theirs.line, their_output, their_errors, their_ready):
        os.close(descriptor)
    for descriptor in ours:
        os.set_blocking(descriptor, False)
    charge = Charge(number, pid, policy, places)
    return Newborn(charge, ready, ours, names | {"/dev/null"})


def _prepare_plots(terms: Terms, home: str) -> None:
    # matplotlib takes half a second to list the fonts. Its folder is the process's own, since it may hold settings.
    own = Path(home, bootstrap.PLOT_FOLDER)
    own.mkdir()
    if terms.renewable:
        (own / "matplotlibrc").write_text(MATPLOTLIBRC)
    for listed in Path(terms.plot_cache).glob("fontlist-*.json") if terms.plot_cache else ():
        shutil.copyfile(listed, own / listed.name)


def _live(terms: Terms, places: Places, ends: Ends, keeper_pid: int) -> None:
    """The forked child: it never returns."""
    status = bootstrap.LOCK_FAILED_STATUS
    try:
        from kernel_sandbox.confined import life

        folder = terms.folder or places.work
        status = life.live(terms.policy, places, ends, keeper_pid=keeper_pid, folder=folder)
    finally:
        os._exit(status)
