"""How jupyter_client starts a confined kernel: a keeper and its front, unix sockets, a clean environment, the policy.

Registered as `kernel-sandbox` under `jupyter_client.kernel_provisioners`, so that JupyterLab, nbconvert, papermill and
`jupyter console` start the kernel `confined-python` like any other; a `Sandbox` starts its own with it.
"""

import json
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.copies import begin_copy, end_copy
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.locks import bubblewrap
from kernel_sandbox.policy import Limits, Policy
from kernel_sandbox.reserved import private_base

POLICY_VARIABLE = "KERNEL_SANDBOX_POLICY"
# A person waits for a cell of a notebook, and loses much when its kernel is ended: longer than for a check.
NOTEBOOK_LIMITS = Limits(wall_seconds=600, grace_seconds=10, cpu_seconds=1200)
_PORTS = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")


class SandboxProvisioner(LocalProvisioner):
    """Starts a keeper in place of a kernel. It ends when `lease` is closed; `side` leads to its front.

    `policy` is given by a `Sandbox`, whose keeper is for a program: it replaces processes, with a `spare` one if asked.
    """

    policy: Policy | None = None
    spare = False
    root: str | None = None
    lease: socket.socket | None = None
    side: socket.socket | None = None
    wrapped = False
    _theirs: tuple[socket.socket, ...] = ()
    _copy: tuple[Policy, str] | None = None

    async def pre_launch(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - Jupyter's own signature
        """What the keeper is started with; called by Jupyter before each start and restart.

        Raises: SandboxUnavailable when the policy file cannot be read, or asks for an outer layer that cannot be had.
        """
        folder = str(options.get("cwd") or Path.cwd())
        policy, notice = self.policy, ""
        if policy is None:
            policy, notice = policy_for(folder, dict(options.get("env") or os.environ))
            # A restart goes on in the same copy.
            self._copy = policy, folder = self._copy or _copy_for(policy, folder)
        self.wrapped = bubblewrap.is_wanted(policy)
        if self.root is None:
            # Only named here: the keeper makes it, since this process may be killed at any moment.
            self.root = workfolder.new_root_path(private_base())
        self._use_unix_sockets()
        prepared: dict[str, Any] = await super().pre_launch(**options, transport_encryption="disabled")
        # A jupyter_client that cannot encrypt yet would hand the word on to the process.
        prepared.pop("transport_encryption", None)
        self._hang_up()
        self.lease, lease = socket.socketpair()
        self.side, side = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._theirs = lease, side
        prepared["env"] = bootstrap.environment(dict(os.environ), compute_threads=policy.limits.compute_threads)
        settings = self._settings(policy, "" if self.policy else folder, is_readable=not (notice or self.policy))
        command = bootstrap.installation_command("kernel_sandbox.keeper.launch")
        prepared["cmd"] = [*command, str(lease.fileno()), str(side.fileno()), json.dumps(settings)]
        prepared["pass_fds"] = (lease.fileno(), side.fileno())
        if notice:
            self.log.warning(notice)
        return prepared

    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:  # noqa: ANN401 - Jupyter's own signature
        """The connection of the kernel that was started; its key goes to the front alone, and not by a file."""
        try:
            connection = await super().launch_kernel(cmd, **options)
        finally:
            for one in self._theirs:
                one.close()
        if self.side is not None:
            key: Any = connection["key"]
            told = dict(connection) | {"key": key.decode()}
            self.side.send(json.dumps(told).encode())
        return connection

    async def send_signal(self, signum: int) -> None:
        """Pass an interrupt on to the cell that runs; every other signal is for the keeper and its front."""
        if signum == signal.SIGINT and self.side is not None:
            with suppress(BrokenPipeError, ConnectionResetError):
                self.side.send(b'{"op": "interrupt"}')
            return
        await super().send_signal(signum)

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the private folders, unless the kernel is about to start again; called by Jupyter after the end."""
        await super().cleanup(restart=restart)
        if restart:
            return
        self._hang_up()
        if self._copy is not None and (written := end_copy(self._copy[0])):
            self.log.warning(written)
        self._copy = None
        if self.root is not None:
            # The keeper has removed it, unless it was killed.
            workfolder.remove(self.root)
            self.root = None

    def _settings(self, policy: Policy, folder: str, *, is_readable: bool) -> dict[str, Any]:
        return {
            "policy": policy.to_dict(),
            "root": self.root,
            "folder": folder,
            "readable": [folder] if is_readable else [],
            "plot_cache": _plot_cache(),
            "wrapped": self.wrapped,
            "renewable": self.policy is not None,
            "spare": self.spare,
        }

    def _use_unix_sockets(self) -> None:
        manager: Any = self.parent
        manager.transport = "ipc"
        manager.ip = f"{self.root}/client/k"
        for number, port in enumerate(_PORTS, start=1):
            setattr(manager, port, number)
        # Cached ports are numbers of TCP; with them the manager would overwrite those above.
        manager.cache_ports = False

    def _hang_up(self) -> None:
        for one in (self.lease, self.side):
            if one is not None:
                one.close()
        self.lease = self.side = None


def _plot_cache() -> str:
    """A folder for matplotlib's list of fonts, which takes half a second to make; empty when there can be none."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    cache = Path(base, "kernel_sandbox", "matplotlib")
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(cache)


def policy_for(folder: str, environment: dict[str, str]) -> tuple[Policy, str]:
    """The policy of a kernel that starts in `folder`, and a notice when the folder is too wide to be granted.

    From the file named by KERNEL_SANDBOX_POLICY; without one, the kernel may read its folder and write a private one.
    Limits that the file does not name are those of a notebook: ten minutes for a cell.

    Raises: SandboxUnavailable when the file cannot be read or is no policy.
    """
    path = environment.get(POLICY_VARIABLE)
    if path:
        try:
            return Policy.from_file(path, limits=NOTEBOOK_LIMITS), ""
        except (OSError, ValueError, TypeError) as error:
            raise SandboxUnavailable(
                f"the policy {path} named by {POLICY_VARIABLE} cannot be used: {error}",
                'A policy is JSON such as {"read": ["/srv/data"], "work": "/srv/out"}',
            ) from error
    home = Path("~").expanduser()
    if home == Path(folder) or Path(folder) in home.parents:
        return Policy(limits=NOTEBOOK_LIMITS), (
            f"{folder} holds your whole home folder, so the confined kernel may not read it; put the notebook into a "
            f"folder of its own, or name what it may read in a policy file ({POLICY_VARIABLE})"
        )
    try:
        return Policy(read=(folder,), limits=NOTEBOOK_LIMITS), ""
    except ValueError as error:
        return Policy(limits=NOTEBOOK_LIMITS), f"the confined kernel may not read its folder: {error}"


def _copy_for(policy: Policy, folder: str) -> tuple[Policy, str]:
    try:
        return begin_copy(policy, folder)
    except (OSError, ValueError) as error:
        raise SandboxUnavailable(
            f"no copy of {folder} could be made: {error}", 'Name a "work" folder instead'
        ) from error
