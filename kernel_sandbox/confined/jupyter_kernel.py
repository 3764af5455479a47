"""The Jupyter kernel inside the locks: ipykernel without debugger, TCP, other programs and active content.

Imported by the confined process only, after its locks are set. What is refused here is refused for a clear message;
the walls are in `confine`.
"""
# mypy: disable-error-code="no-untyped-call"

from collections.abc import Callable
from typing import Any

import zmq
from ipykernel.control import ControlThread
from ipykernel.iostream import IOPubThread
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.shellchannel import ShellChannelThread
from ipykernel.zmqshell import ZMQDisplayPublisher, ZMQInteractiveShell

from kernel_sandbox.confined.shell import NO_PROCESSES, refuse_magics
from kernel_sandbox.locks import finish

_ACTIVE_TYPES = ("application/javascript", "application/vnd.jupyter.widget-view+json")


def run(connection_file: str, *, confined: bool, before_start: Callable[[], None]) -> None:
    """Serve the kernel of the connection file until it is shut down. `before_start` may still refuse."""
    application = ConfinedApplication.instance()
    # A parent of 1 means: print no advice about Ctrl-C, and leave the watch for a dead parent to the kernel's keeper.
    application.initialize(["-f", connection_file, "--IPKernelApp.parent_handle=1"])
    if confined:
        finish()
    before_start()
    application.start()


class ConfinedPublisher(ZMQDisplayPublisher):
    """Displays without what would run in the browser."""

    def publish(self, data: dict[str, Any], *args: Any, **options: Any) -> None:  # noqa: ANN401 - IPython's signature
        """Show the bundle, or one line in place of active content."""
        super().publish(without_active_content(data), *args, **options)


class NotebookShell(ZMQInteractiveShell):
    """An IPython shell that answers `!command` in one line."""

    display_pub_class = ConfinedPublisher

    def init_magics(self) -> None:
        """The usual magics, but for those that start other programs."""
        super().init_magics()
        refuse_magics(self)

    def system_piped(self, cmd: str) -> None:
        """Refuse in one line what `!command` asks for."""
        raise PermissionError(f"!{cmd.strip()[:80]}: {NO_PROCESSES}")

    system_raw = system_piped
    system = system_piped

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> None:
        """Refuse in one line what `x = !command` asks for."""
        self.system_piped(cmd)


class ConfinedKernel(IPythonKernel):
    """ipykernel with a shell that refuses other programs."""

    shell_class = NotebookShell

    async def _progressively_terminate_all_children(self) -> None:
        # There are no children, and looking for them walks the closed /proc.
        return


class ConfinedApplication(IPKernelApp):
    """ipykernel's application without the sockets that a confined process cannot make."""

    kernel_class = ConfinedKernel

    def init_control(self, context: Any) -> None:  # noqa: ANN401 - a zmq.Context
        """As ipykernel does, but for the debugger's connection to the shell socket."""
        self.control_socket = context.socket(zmq.ROUTER)
        self.control_socket.linger = 1000
        self.control_port = self._bind_socket(self.control_socket, self.control_port)
        self.control_socket.router_handover = 1
        self.debugpy_socket = context.socket(zmq.STREAM)
        self.debug_shell_socket = context.socket(zmq.DEALER)
        for socket in (self.debugpy_socket, self.debug_shell_socket):
            socket.linger = 0
        self.control_thread = ControlThread(daemon=True)
        self.shell_channel_thread = ShellChannelThread(context, daemon=True)

    def init_iopub(self, context: Any) -> None:  # noqa: ANN401 - a zmq.Context
        """As ipykernel does, but for the pipe for forked processes, which binds TCP whatever the transport is."""
        self.iopub_socket = context.socket(zmq.XPUB)
        self.iopub_socket.linger = 1000
        # What the relay has not read yet waits here, under this kernel's memory limit, and no idle is lost.
        self.iopub_socket.sndhwm = 0
        self.iopub_port = self._bind_socket(self.iopub_socket, self.iopub_port)
        self.configure_tornado_logger()
        self.iopub_thread = IOPubThread(self.iopub_socket, pipe=False, session=self.session)
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket


def without_active_content(data: dict[str, Any]) -> dict[str, Any]:
    """The bundle, or what is left of it with one line of explanation when part of it would run in the browser."""
    refused = [kind for kind in _ACTIVE_TYPES if kind in data]
    if not refused:
        return data
    text = data.get("text/plain", "")
    notice = f"{text}\n({refused[0]} was not shown: nothing of a confined kernel runs in the browser)"
    return {"text/plain": notice.lstrip("\n")}
