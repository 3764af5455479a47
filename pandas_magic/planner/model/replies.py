"""Answers as servers send them, whole or in pieces, and what is wrong with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pandas_magic.planner.model.endpoint_failures import Failure, first_error
from pandas_magic.planner.model.prompts import ModelAnswer, Prompt, estimated_tokens


@dataclass
class Reply:
    """What has arrived of an answer."""

    text: list[str] = field(default_factory=list)
    finish: str = ""
    refusal: str = ""
    choices: bool = False
    error: dict[str, Any] = field(default_factory=dict)
    sent_tokens: int | None = None
    received_tokens: int | None = None
    usd: float | None = None


def take_chunk(reply: Reply, chunk: Any, on_text: Callable[[str], None]) -> None:  # noqa: ANN401 - as servers send it
    """Add one piece of a stream. The last one often has usage and no choices."""
    _take_shared(reply, chunk)
    for choice in (getattr(chunk, "choices", None) or [])[:1]:
        reply.choices = True
        delta = choice.delta
        text = getattr(delta, "content", None) if delta is not None else None
        if text:
            reply.text.append(text)
            on_text(text)
        reply.refusal += (getattr(delta, "refusal", None) or "") if delta is not None else ""
        reply.finish = choice.finish_reason or reply.finish


def take_completion(reply: Reply, completion: Any) -> None:  # noqa: ANN401 - as servers send it
    """Take a whole answer.

    Raises: ValueError when the body was no JSON.
    """
    if isinstance(completion, str):
        # A body that is not declared to be JSON comes through as its text.
        raise ValueError(f"it begins with {completion[:30]!r}")
    _take_shared(reply, completion)
    for choice in (getattr(completion, "choices", None) or [])[:1]:
        reply.choices = True
        message = choice.message
        reply.text.append(message.content or "")
        reply.refusal = getattr(message, "refusal", None) or ""
        # Some servers leave it out of whole answers, which cannot have ended early.
        reply.finish = choice.finish_reason or "stop"


def _take_shared(reply: Reply, part: Any) -> None:  # noqa: ANN401 - as servers send it
    error = getattr(part, "error", None)
    if error:
        reply.error = first_error(error) or {"message": str(error)}
    usage = getattr(part, "usage", None)
    if usage is not None:
        reply.sent_tokens = getattr(usage, "prompt_tokens", None)
        reply.received_tokens = getattr(usage, "completion_tokens", None)
        cost = getattr(usage, "cost", None)  # OpenRouter says what it charged
        reply.usd = float(cost) if isinstance(cost, (int, float)) else None


def judged(reply: Reply, prompt: Prompt, seconds: float) -> ModelAnswer | Failure:
    """The answer that has arrived, or why it is none. A stream may end without a word that it is incomplete."""
    text = "".join(reply.text)
    if reply.error:
        return body_failure(reply.error)
    problem = _problem(reply, text)
    if problem is not None:
        return problem
    counted = reply.sent_tokens is not None and reply.received_tokens is not None
    return ModelAnswer(
        text=text,
        sent_tokens=reply.sent_tokens if reply.sent_tokens is not None else estimated_tokens(prompt.text()),
        received_tokens=reply.received_tokens if reply.received_tokens is not None else estimated_tokens(text),
        estimated=not counted,
        usd=reply.usd,
        seconds=round(seconds, 3),
    )


def _problem(reply: Reply, text: str) -> Failure | None:
    if not reply.choices:
        return Failure("empty")
    if reply.refusal:
        return Failure("refusal", said=reply.refusal)
    if reply.finish in ("length", "content_filter"):
        return Failure("length" if reply.finish == "length" else "filter", received=text)
    if reply.finish == "error":
        return Failure("status", status=502, received=text)
    if not reply.finish:
        return Failure("early_end", received=text)
    return None if text.strip() else Failure("nothing")


def body_failure(found: Mapping[str, Any]) -> Failure:
    """The failure that an error object in the body of a 200 answer tells of."""
    code = found.get("code")
    status = int(str(code)) if str(code).isdecimal() else 500
    return Failure("status", said=said_of(found), status=status, code=code_of(found))


def said_of(found: Mapping[str, Any]) -> str:
    """What an error object says."""
    return str(found.get("message") or "")


def code_of(found: Mapping[str, Any]) -> str:
    """An error object's own word for the error; some servers give a number as `code` and the word as `type`."""
    words = (found.get("code"), found.get("type"))
    return next((word for word in words if isinstance(word, str)), "")
