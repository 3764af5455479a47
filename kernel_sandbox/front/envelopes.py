"""Jupyter's messages on the wire: taken apart with their signature checked, and signed anew."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

_DELIMITER = b"<IDS|MSG>"
_PARTS = 4
# Headers and metadata are small; only content may be large.
_SMALL_PART_BYTES = 256 * 1024

Json = dict[str, Any]
# The key of what we say beside Jupyter's protocol, in the metadata of requests to execute and of their replies.
METADATA = "kernel_sandbox"
_Form = TypeVar("_Form", dict[str, Any], list[Any])


class Refused(ValueError):
    """A message, or a part of one, that is not passed on; the text says why."""


@dataclass(frozen=True)
class Message:
    """One message: who it is for (or from), and its four parts. Buffers are never passed on."""

    header: Json
    parent_header: Json
    content: Json
    metadata: Json = field(default_factory=dict)
    identities: tuple[bytes, ...] = ()

    @property
    def kind(self) -> str:
        """The type of the message; empty when it names none."""
        kind = self.header.get("msg_type")
        return kind if isinstance(kind, str) else ""


class Seal:
    """The key of one side: opens what that side sent, signs what it is sent."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def open(self, frames: Sequence[bytes]) -> Message:
        """The message in the frames.

        Raises: Refused when they are no message, too large in a part that is small, or not signed with the key.
        """
        try:
            at = frames.index(_DELIMITER, 0, 16)
        except ValueError:
            raise Refused("a message without its delimiter was dropped") from None
        # What follows the parts are buffers.
        signature, *parts = frames[at + 1 : at + 2 + _PARTS] or [b""]
        if len(parts) < _PARTS:
            raise Refused("a message with missing parts was dropped")
        if not hmac.compare_digest(signature, self._signature(parts)):
            raise Refused("a message without a valid signature was dropped")
        if any(len(part) > _SMALL_PART_BYTES for part in parts[:3]):
            raise Refused("a message with an oversize header was dropped")
        header, parent, metadata, content = (parsed(part, dict) for part in parts)
        return Message(header, parent, content, metadata, tuple(frames[:at]))

    def frames(self, message: Message) -> list[bytes]:
        """The message as signed frames.

        Raises: Refused when its content is no JSON.
        """
        try:
            parts = [
                json.dumps(part, allow_nan=False, separators=(",", ":")).encode("ascii")
                for part in (message.header, message.parent_header, message.metadata, message.content)
            ]
        except (ValueError, RecursionError) as error:
            raise Refused(f"a message that is no JSON was dropped: {error}") from None
        return [*message.identities, _DELIMITER, self._signature(parts), *parts]

    def _signature(self, parts: Sequence[bytes]) -> bytes:
        digest = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in parts:
            digest.update(part)
        return digest.hexdigest().encode("ascii")


def fresh_header(kind: str, session: str) -> Json:
    """The header of a message that is made here: nothing of it was said by the kernel."""
    return {
        "msg_id": uuid.uuid4().hex,
        "msg_type": kind,
        "username": "kernel",
        "session": session,
        "date": datetime.now(UTC).isoformat(),
        "version": "5.3",
    }


def parsed(part: bytes, form: type[_Form]) -> _Form:
    """The JSON object or list in these bytes.

    Raises: Refused when they are anything else.
    """
    try:
        found = json.loads(part, parse_constant=_refuse_constant)
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(f"a message that is no JSON was dropped: {type(error).__name__}") from None
    if not isinstance(found, form):
        raise Refused("a message that is no JSON object was dropped")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
