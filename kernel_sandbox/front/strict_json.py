"""JSON of whom nobody trusts, read strictly, and where we say what Jupyter's protocol has no words for."""

from typing import Any, TypeVar

from kernel_sandbox.tables.plain_values import strict_json

Json = dict[str, Any]
# The key of what we say beside Jupyter's protocol, in the metadata of requests to execute and of their replies.
METADATA = "kernel_sandbox"
_Form = TypeVar("_Form", dict[str, Any], list[Any])


class Refused(ValueError):
    """A message, or a part of one, that is not passed on; the text says why."""


def parsed(part: bytes, form: type[_Form]) -> _Form:
    """The JSON object or list in these bytes.

    Raises: Refused when they are anything else.
    """
    try:
        found = strict_json(part)
    except (ValueError, MemoryError) as error:
        raise Refused(f"a message that is no JSON was dropped: {type(error).__name__}") from None
    if not isinstance(found, form):
        raise Refused("a message that is no JSON object was dropped")
    return found
