"""The bench: the confined kernel that checks run in, one after another.

Code that somebody wrote or edited gets a kernel in which nothing has run. Checks whose code is the compiler's own share
one, and the tables in it, until such code comes between.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from kernel_sandbox import Limits, Policy, Sandbox
from pandas_magic.errors import PandasMagicError
from pandas_magic.history.run import Confined
from pandas_magic.settings import Settings


class RunStopped(PandasMagicError):
    """A run that somebody stopped: it gives no verdict and stands in no journal."""

    code = "PM204"


class Bench:
    """One confined kernel for many pieces of code: started on first use, fresh for each that is not our own.

    `expected` names the columns that the checks of a batch read of each table, `staged` what the kernel of our own code
    holds: table -> column -> dtype.
    """

    def __init__(self, settings: Settings, *, read: tuple[str, ...] = ()) -> None:
        self._settings, self._read = settings, read
        self._beside: Bench | None = None
        self.proofs: dict[str, str] = {}  # what was asked to be proved at it -> why it is not; "": it is
        self.expected: Mapping[str, Collection[str]] = {}
        self.staged: dict[str, dict[str, str]] = {}
        self._held: object = None  # whose tables are in the kernel of our own code
        self._sandbox: Sandbox | None = None
        self._used = False
        self._stopped = False
        self._work: TemporaryDirectory[str] | None = None  # the folder of the code, where one is named for such folders

    def sandbox(self) -> Sandbox:
        """The kernel as it is, with what earlier code left there. Raises: kernel_sandbox.SandboxUnavailable."""
        self.refuse_when_stopped()
        if self._sandbox is None:
            self._sandbox = Sandbox(self._policy())
            if self._stopped:  # while it was made, when there was nothing to close yet
                self.close()
                self.refuse_when_stopped()
        return self._sandbox

    def fresh_sandbox(self) -> Sandbox:
        """A kernel in which nothing has run."""
        if self._used and self._work is not None:
            self.close()  # a kernel that is renewed keeps a folder that was named for it
        sandbox = self.sandbox()
        if self._used:
            sandbox.renew()
        self._used = True
        self.forget()
        return sandbox

    def own_sandbox(self, tables: object) -> Sandbox:
        """A kernel in which only code of our own has run; `staged` names those of these tables that it holds.

        `tables` is the catalog that they are of: one of another has nothing staged.
        """
        if self._held is not tables:
            self.fresh_sandbox()
            self._held = tables
        return self.sandbox()

    def forget(self) -> None:
        """From now on no table counts as staged: the next code of our own gets a kernel in which nothing has run."""
        self._held, self.staged = None, {}

    def beside(self, read: tuple[str, ...]) -> "Bench":
        """A bench with a kernel of its own, which may read these files too; it ends and stops with this one."""
        if self._beside is None:
            self._beside = Bench(self._settings, read=read)
        if self._stopped:
            self._beside.stop()
        return self._beside

    def confined(self) -> Confined:
        """How the kernel is confined, as seen from outside it."""
        sandbox = self.sandbox()
        seen = sandbox.confinement
        return Confined(isolation=seen.isolation, layers=tuple(seen.layers), policy_digest=sandbox.policy.digest())

    def stop(self) -> None:
        """End the kernel for good, from any thread: what runs on it raises `RunStopped`, as does every later use."""
        self._stopped = True
        self.close()
        if self._beside is not None:
            self._beside.stop()

    def refuse_when_stopped(self) -> None:
        """Raises: RunStopped after `stop`."""
        if self._stopped:
            raise RunStopped("it was stopped before its end, so there is no verdict; run it again")

    def close(self) -> None:
        """End the kernel. The next use starts another."""
        if self._beside is not None:
            self._beside.close()
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox, self._used = None, False
            self.forget()
        if self._work is not None:
            self._work.cleanup()
            self._work = None

    def _policy(self) -> Policy:
        said = self._settings
        most_seconds = max(said.wall_seconds, said.request_wall_seconds)
        # On every processor that it may use, code computes for as long as it may run.
        cpu_seconds = max(Limits().cpu_seconds, most_seconds * Limits().compute_threads)
        limits = Limits(wall_seconds=said.wall_seconds, cpu_seconds=cpu_seconds, memory_bytes=said.memory_bytes)
        if said.work_dir:
            Path(said.work_dir).mkdir(parents=True, exist_ok=True)
            self._work = TemporaryDirectory(prefix="run-", dir=said.work_dir)
        work = self._work.name if self._work else None
        return Policy(read=self._read, limits=limits, isolation=said.isolation, work=work)


@contextmanager
def expecting(reads: Mapping[str, Collection[str]], benches: Sequence[Bench]) -> Iterator[None]:
    """While a batch runs at the benches: what its checks read, so that a table is staged once for all of them."""
    for bench in benches:
        bench.expected = reads
    try:
        yield
    finally:
        for bench in benches:
            bench.expected = {}
            bench.forget()
