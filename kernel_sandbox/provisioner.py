"""How Jupyter starts a confined kernel: private folders, unix sockets, a clean environment, the policy.

Registered as `kernel-sandbox` under `jupyter_client.kernel_provisioners`, so that JupyterLab, nbconvert, papermill and
`jupyter console` start the kernel `confined-python` like any other.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.front.supervisor import SETTINGS_VARIABLE
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.locks import bubblewrap, readable_installation
from kernel_sandbox.policy import Limits, Policy

POLICY_VARIABLE = "KERNEL_SANDBOX_POLICY"
# A person waits for a cell of a notebook, and loses much when its kernel is ended: longer than for a check.
NOTEBOOK_LIMITS = Limits(wall_seconds=600, grace_seconds=10, cpu_seconds=1200)
_PORTS = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")


class SandboxProvisioner(LocalProvisioner):
    """Starts the keeper of a confined kernel in place of the kernel; signals and shutdown work as for a local one."""

    _root: str | None = None
    _owner_read: int | None = None
    _owner_write: int | None = None

    async def pre_launch(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - Jupyter's own signature
        """What the kernel is started with; called by Jupyter before each start and restart.

        Raises: SandboxUnavailable when the policy file cannot be read, or asks for an outer layer that cannot be had.
        """
        folder = str(options.get("cwd") or Path.cwd())
        policy, notice = policy_for(folder, dict(options.get("env") or os.environ))
        wrapped = bubblewrap.is_wanted(policy)
        if self._root is None:
            # Only named here: the supervisor makes it, since this process may be killed at any moment.
            self._root = workfolder.new_root_path(workfolder.usual_base())
        self._use_unix_sockets()
        prepared: dict[str, Any] = await super().pre_launch(**options, transport_encryption="disabled")
        self._close_owner_pipe()
        self._owner_read, self._owner_write = os.pipe2(os.O_CLOEXEC)
        readable = (*readable_installation(), folder) if not notice else readable_installation()
        settings = {
            "policy": policy.to_json(),
            "root": self._root,
            "folder": folder,
            "owner": str(self._owner_read),
            "wrapped": "yes" if wrapped else "no",
            "readable": os.pathsep.join(readable),
        }
        environment = bootstrap.environment(dict(os.environ), compute_threads=policy.limits.compute_threads)
        work = policy.work or str(Path(self._root, "work"))
        environment |= {"IPYTHONDIR": f"{work}/.ipython", "MPLCONFIGDIR": f"{work}/.matplotlib"}
        environment |= {"JUPYTER_RUNTIME_DIR": f"{self._root}/sockets", "KERNEL_SANDBOX_WORK": work}
        prepared["env"] = environment | {SETTINGS_VARIABLE: json.dumps(settings)}
        prepared["cmd"] = [*bootstrap.installation_command("kernel_sandbox.front.supervisor"), *prepared["cmd"][-2:]]
        prepared["pass_fds"] = (self._owner_read,)
        if notice:
            self.log.warning(notice)
        return prepared

    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:  # noqa: ANN401 - Jupyter's own signature
        """The connection of the kernel that was started."""
        connection = await super().launch_kernel(cmd, **options)
        if self._owner_read is not None:
            os.close(self._owner_read)
            self._owner_read = None
        return connection

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the private folders, unless the kernel is about to start again; called by Jupyter after the end."""
        await super().cleanup(restart=restart)
        if restart:
            return
        self._close_owner_pipe()
        if self._root is not None:
            workfolder.remove(self._root)
            self._root = None

    def _use_unix_sockets(self) -> None:
        manager: Any = self.parent
        manager.transport = "ipc"
        manager.ip = f"{self._root}/client/k"
        for number, port in enumerate(_PORTS, start=1):
            setattr(manager, port, number)
        # Cached ports are numbers of TCP; with them the manager would overwrite those above.
        manager.cache_ports = False

    def _close_owner_pipe(self) -> None:
        for name in ("_owner_read", "_owner_write"):
            descriptor = getattr(self, name)
            if descriptor is not None:
                os.close(descriptor)
                setattr(self, name, None)


def policy_for(folder: str, environment: dict[str, str]) -> tuple[Policy, str]:
    """The policy of a kernel that starts in `folder`, and a notice when the folder is too wide to be granted.

    From the file named by KERNEL_SANDBOX_POLICY; without one, the kernel may read its folder and write a private one.
    Limits that the file does not name are those of a notebook: ten minutes for a cell.

    Raises: SandboxUnavailable when the file cannot be read or is no policy.
    """
    path = environment.get(POLICY_VARIABLE)
    if path:
        try:
            return _with_notebook_limits(json.loads(Path(path).read_text())), ""
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
    return Policy(read=(folder,), limits=NOTEBOOK_LIMITS), ""


def _with_notebook_limits(content: object) -> Policy:
    if not isinstance(content, dict):
        raise ValueError(f"a policy is a JSON object, not {type(content).__name__}")
    named = content.get("limits", {})
    if not isinstance(named, dict):
        raise ValueError(f'"limits" of a policy is an object, not {named!r}')
    return Policy.from_dict(content | {"limits": asdict(NOTEBOOK_LIMITS) | named})
