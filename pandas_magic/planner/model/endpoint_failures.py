"""What went wrong between us and an endpoint, each as one line that says what to do."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pandas_magic.errors import AnswerUnusable, ModelError, ModelUnavailable
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.planner.model.prompts import estimated_tokens

FailureKind = Literal[
    "status", "timeout", "connection", "garbage", "early_end", "empty", "refusal", "filter", "length", "nothing"
]

_MOST_CHARACTERS = 200  # of a server's own words
_ECHO = 40  # a run of this many characters of the prompt in a server's message is an echo of it
_KEY = re.compile(r"\b(?:sk-|AIza|gsk_|xai-)[\w*.-]{6,}")
_TOO_LONG = re.compile(r"context|exceed\w*_context|too (long|many tokens)|maximum.{0,30}tokens", re.IGNORECASE)
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529)


@dataclass(frozen=True)
class Failure:
    """One request that gave no answer. `said` are the server's own words, not yet fit to be shown."""

    kind: FailureKind
    said: str = ""
    status: int = 0  # of HTTP, or the code of an error in a body; 0: there is none
    code: str = ""  # the server's own word for the error
    wait_seconds: float | None = None  # how long the server asks us to wait; None: it does not say
    received: str = ""  # what of the answer had arrived

    @property
    def passes(self) -> bool:
        """Whether the same request may well succeed a moment later."""
        if self.code == "insufficient_quota":
            return False
        return self.kind in ("connection", "early_end") or (self.kind == "status" and self.status in _PASSING)

    @property
    def names_a_field(self) -> bool:
        """Whether the server may be refusing something in the form of the request."""
        return self.kind == "status" and self.status in (400, 404, 422) and self.code != "content_filter"


def explained(failure: Failure, configuration: ModelConfiguration, prompt_text: str, *, tries: int = 1) -> ModelError:
    """The failure as an error of ours, in one line, without the key and without what was sent."""
    said = shown(failure.said, configuration, prompt_text)
    host, model = configuration.host, configuration.model
    if failure.kind == "status":
        return ModelUnavailable(
            _status_line(failure, said, configuration, tokens=estimated_tokens(prompt_text), tries=tries)
        )
    lines: dict[str, Callable[[], ModelError]] = {
        "timeout": lambda: ModelUnavailable(
            f"{host} did not finish its answer in {configuration.answer_seconds:g} s; raise "
            "PANDAS_MAGIC_ANSWER_SECONDS, or take a faster model"
        ),
        "connection": lambda: ModelUnavailable(
            f"no connection to {host} ({said}); is the server running, and is OPENAI_BASE_URL right?"
        ),
        "garbage": lambda: ModelUnavailable(
            f"{host} answered with something that is no chat completion ({said}); OPENAI_BASE_URL usually ends in /v1"
        ),
        "early_end": lambda: ModelUnavailable(f"{host} broke off in the middle of its answer; run the cell again"),
        "empty": lambda: AnswerUnusable(f"{model} at {host} gave no answer at all; run the cell again"),
        "nothing": lambda: AnswerUnusable(f"{model} at {host} gave an empty answer; run the cell again"),
        "refusal": lambda: AnswerUnusable(f"{model} refused: {said or 'it gave no reason'}; reword the sentence"),
        "filter": lambda: AnswerUnusable(f"the content filter of {host} withheld the answer; reword the sentence"),
        "length": lambda: AnswerUnusable(
            f"the answer of {model} was cut at its limit of tokens; raise PANDAS_MAGIC_ANSWER_TOKENS "
            f"(now {configuration.answer_tokens}) or ask for less"
        ),
    }
    return lines[failure.kind]()


def _status_line(failure: Failure, said: str, configuration: ModelConfiguration, *, tokens: int, tries: int) -> str:
    host, model, status = configuration.host, configuration.model, failure.status
    because = f"{status}: {said}" if said else str(status)
    if failure.code == "insufficient_quota" or status == 402:
        return f"the account at {host} has no quota left ({because}); add credit or use another endpoint"
    if failure.code == "content_filter":
        return f"the content filter of {host} refused the request ({because}); reword the sentence"
    if status in (401, 403):
        return f"{host} refuses the key in OPENAI_API_KEY ({because}); set the key that belongs to it"
    if status in (400, 413) and _TOO_LONG.search(failure.said + failure.code):
        return (
            f"about {tokens:,} tokens are more than {model} at {host} takes ({because}); "
            "name fewer tables, or take a model with a longer context"
        )
    if status == 404:
        return (
            f'{host} has no model "{model}" or no such address ({because}); '
            "check PANDAS_MAGIC_MODEL, and that OPENAI_BASE_URL ends in /v1"
        )
    if status == 429:
        return f"{host} allows no more requests for now, asked {tries} times ({because}); wait a minute and run again"
    if status >= 500:
        return f"{host} failed, asked {tries} times ({because}); try again later"
    return f"{host} does not accept the request ({because})"


def shown(said: str, configuration: ModelConfiguration, prompt_text: str) -> str:
    """A server's own words as part of a line: short, printable, without the key or an echo of what was sent."""
    text = said.replace(configuration.key, "[key]") if len(configuration.key) > 6 else said
    text = _KEY.sub("[key]", _without_echo(text, prompt_text))
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _without_echo(text: str, prompt_text: str) -> str:
    kept, at = [], 0
    while at < len(text):
        end = at + _ECHO
        if end <= len(text) and text[at:end] in prompt_text:
            while end < len(text) and text[at : end + 1] in prompt_text:
                end += 1
            kept.append("[what was sent]")
            at = end
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)


def first_error(body: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON a server may send
    """The error object of a body: an object, an array of objects, or a text; empty when there is none."""
    if isinstance(body, list):
        return next((found for found in map(first_error, body) if found), {})
    if isinstance(body, str):
        return {"message": body} if body.strip() else {}
    if not isinstance(body, dict):
        return {}
    inner = body.get("error")
    if isinstance(inner, (dict, list, str)):
        return first_error(inner)
    return body if body.get("message") else {}
