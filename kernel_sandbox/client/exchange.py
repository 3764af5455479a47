"""One execution over Jupyter's channels: sent, followed to its end, and told as an `Execution`."""

import base64
import time
from dataclasses import dataclass, field
from typing import Any

import zmq

from kernel_sandbox.client.connection import Connection
from kernel_sandbox.client.execution import Display, Execution, OnOutput
from kernel_sandbox.front.endings import GONE
from kernel_sandbox.front.figures import is_figure
from kernel_sandbox.front.strict_json import METADATA
from kernel_sandbox.front.texts import clean_text
from kernel_sandbox.policy import Policy

# The keeper enforces deadlines; this much later it is itself taken for dead.
KEEPER_PATIENCE_SECONDS = 10.0
_SVG = "image/svg+xml"


@dataclass
class Exchange:
    """One execution. An interrupt by the user interrupts the code and is kept in `interrupted`."""

    connection: Connection
    policy: Policy
    code: str
    wall_seconds: float
    on_output: OnOutput | None = None
    interrupted: BaseException | None = None
    _message: dict[str, Any] = field(init=False)
    _stopped: bool = False
    _texts: dict[str, list[str]] = field(default_factory=lambda: {"stdout": [], "stderr": []})
    _displays: list[Display] = field(default_factory=list)
    _reply: dict[str, Any] | None = None
    _idle: bool = False
    _death: str = ""

    def __post_init__(self) -> None:
        asked = {"plain": True, "wall_seconds": self.wall_seconds}
        content = {"code": self.code, "silent": False, "store_history": True, "allow_stdin": False}
        session = self.connection.session
        self._message = session.msg("execute_request", content, metadata={METADATA: asked})

    def run(self) -> Execution:
        """Send the code and collect until it is answered or the keeper is gone."""
        began = time.monotonic()
        patience = self.wall_seconds + 2 * self.policy.limits.grace_seconds + KEEPER_PATIENCE_SECONDS
        poller = zmq.Poller()
        for source in (self.connection.iopub, self.connection.shell, self.connection.side):
            poller.register(source, zmq.POLLIN)
        is_sent = False
        while not self.is_over:
            try:
                if not is_sent:
                    is_sent = True
                    self.connection.session.send(self.connection.shell, self._message)
                while not self.is_over:
                    self._step(poller, patience - (time.monotonic() - began))
            except KeyboardInterrupt as interrupt:
                self.interrupted = self.interrupted or interrupt
                self.stop()
        return self._execution(time.monotonic() - began)

    @property
    def message_id(self) -> str:
        """The id of the request, which its answers name."""
        return str(self._message["header"]["msg_id"])

    @property
    def has_died(self) -> bool:
        """True when the process ended with the code."""
        return bool(self._death) or (self._reply is not None and self._reply["told"].get("died") is True)

    @property
    def is_over(self) -> bool:
        """True when the code was answered, or never will be."""
        return bool(self._death) or (self._reply is not None and self._idle)

    def stop(self) -> None:
        """Interrupt the code; the keeper kills it after its grace, or at once when it was stopped before."""
        self.connection.tell({"op": "stop", "execution": self.message_id, "again": self._stopped})
        self._stopped = True

    def _step(self, poller: zmq.Poller, seconds: float) -> None:
        ready = dict(poller.poll(max(int(1000 * seconds), 0)))
        if not ready:
            self.connection.destroy()
            self._death = "its keeper did not answer"
        if self.connection.iopub in ready:
            self._hear(self.connection.iopub)
        if self.connection.shell in ready:
            self._hear(self.connection.shell)
        if self.connection.side.fileno() in ready and not self.is_over and self.connection.is_hung_up():
            self._death = f"its keeper ended: {self.connection.last_words()}"

    def _hear(self, source: "zmq.Socket[Any]") -> None:
        session = self.connection.session
        while not self.is_over:
            try:
                frames = source.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            message = session.deserialize(session.feed_identities(frames)[1])
            if message["parent_header"].get("msg_id") == self.message_id:
                self._take(message["msg_type"], message["content"], message["metadata"])

    def _take(self, kind: str, content: dict[str, Any], metadata: dict[str, Any]) -> None:
        match kind:
            case "stream":
                self._texts[content["name"]].append(content["text"])
                if self.on_output and (shown := clean_text(content["text"])):
                    self.on_output(content["name"], shown)
            case "display_data" | "execute_result" | "update_display_data":
                self._displays.append(_display(content["data"]))
            case "execute_reply":
                self._reply = {"content": content, "told": metadata.get(METADATA, {})}
            case "status":
                self._idle |= content["execution_state"] == "idle"

    def _execution(self, seconds: float) -> Execution:
        reply = self._reply or {"content": {}, "told": {"status": "died", "reason": f"{self._death}; {GONE}"}}
        content, told = reply["content"], reply["told"]
        has_error = "error_line" in told
        fault = clean_text(told.get("fault", ""))
        return Execution(
            status=told.get("status", "error"),
            stdout=clean_text("".join(self._texts["stdout"])),
            stderr=clean_text("".join(self._texts["stderr"])),
            error_name=clean_text(content["ename"]) if has_error else "SandboxFault" if fault else "",
            error_text=clean_text(content["evalue"]) if has_error else fault,
            traceback=clean_text("\n".join(content["traceback"])) if has_error else "",
            error_line=told.get("error_line"),
            displays=tuple(self._displays),
            dropped=tuple(told.get("dropped", ())),
            seconds=seconds,
            reason=told.get("reason", ""),
            isolation=self.policy.isolation,
            outer="bwrap" if self.connection.wrapped else "",
        )


def _display(data: dict[str, Any]) -> Display:
    for kind in filter(is_figure, data):
        return Display(kind, figure=data[kind])
    if "image/png" in data:
        return Display("image/png", image=base64.b64decode(data["image/png"]), drawing=data.get(_SVG, ""))
    return Display("text/plain", clean_text(data["text/plain"]), html=data.get("text/html", ""))
