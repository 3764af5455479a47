"""The wire: one request to an OpenAI-compatible endpoint, one answer, or one clear error.

Only `chat/completions` is used, with as few parameters as can be. The request runs in a thread of its own, so that the
deadline and Ctrl-C hold whatever the server does; text is handed on in the caller's thread.
"""

import json
import queue
import random
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

from pandas_magic.errors import ModelUnavailable
from pandas_magic.planner.model.endpoint_failures import Failure, explained, first_error
from pandas_magic.planner.model.ladders import MAX_STEPS, Rungs, rungs_of
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.planner.model.prompts import ModelAnswer, Prompt
from pandas_magic.planner.model.quiet_logs import asking, keep_requests_out_of_logs
from pandas_magic.planner.model.replies import (
    Reply,
    body_failure,
    code_of,
    judged,
    said_of,
    take_chunk,
    take_completion,
)

MAX_RETRIES = 2
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 60.0  # a server that asks for more is as good as gone
_SLICE_SECONDS = 0.1  # between two looks at the clock; Ctrl-C is taken at each

_GRAMMAR = "grammar"

OnText = Callable[[str], None]
Notice = Callable[[str], None]


@dataclass
class _Question:
    """What is asked, in which form as yet, until when, and who takes the text as it comes."""

    prompt: Prompt
    rungs: Rungs
    most_tokens: int
    deadline: float  # by `time.monotonic`
    on_text: OnText | None
    steps: int = 0  # forms that the server refused


class Endpoint:
    """One endpoint and model. What it turns out to accept is remembered for the process."""

    def __init__(self, configuration: ModelConfiguration) -> None:
        self.configuration = configuration

    def ask(
        self,
        prompt: Prompt,
        *,
        most_tokens: int,
        seconds: float,
        on_text: OnText | None = None,
        on_notice: Notice = lambda _: None,
    ) -> ModelAnswer:
        """The answer, streamed to `on_text` where that is given.

        What the server refuses by name is left out; what may pass is tried up to three times in all.

        Raises: ModelUnavailable, AnswerUnusable; KeyboardInterrupt at any moment.
        """
        rungs = rungs_of(self.configuration.base_url, self.configuration.model)
        question = _Question(prompt, rungs, most_tokens, time.monotonic() + seconds, on_text)
        retries = 0
        while True:
            outcome = self._accepted(question, on_notice)
            if isinstance(outcome, ModelAnswer):
                return outcome
            pause = _pause(outcome, retries)
            if not outcome.passes or retries == MAX_RETRIES or time.monotonic() + pause >= question.deadline:
                raise explained(outcome, self.configuration, prompt.text(), tries=retries + 1)
            retries += 1
            on_notice(f"{self.configuration.host} is busy; asking again in {pause:.1f} s")
            _rest(pause)

    def _accepted(self, question: _Question, on_notice: Notice) -> ModelAnswer | Failure:
        """What comes of a question in a form that the server takes, or of the last form that there is."""
        while True:
            outcome = self._attempt(question)
            if isinstance(outcome, ModelAnswer) or not outcome.names_a_field or question.steps == MAX_STEPS:
                return outcome
            structured = question.prompt.answer_schema is not None
            step = question.rungs.step_down(outcome.said, structured=structured, sent=self._optional(question))
            if not step:
                return outcome
            question.steps += 1
            on_notice(f"asking again {step}")

    def _attempt(self, question: _Question) -> ModelAnswer | Failure:
        events: queue.Queue[tuple[str, Any]] = queue.Queue()
        client = _client(self.configuration, question.deadline)
        began = time.monotonic()
        threading.Thread(target=_converse, args=(client, self._body(question), events), daemon=True).start()
        try:
            outcome = _heard(events, question)
            return judged(outcome, question.prompt, time.monotonic() - began) if isinstance(outcome, Reply) else outcome
        finally:
            # Also on Ctrl-C: whatever the thread still reads belongs to nobody.
            threading.Thread(target=client.close, daemon=True).start()

    def _body(self, question: _Question) -> dict[str, Any]:
        prompt, rungs = question.prompt, question.rungs
        optional = {
            "temperature": self.configuration.temperature,
            "seed": self.configuration.seed,
            "reasoning_effort": self.configuration.reasoning_effort or None,
            "stream_options": {"include_usage": True},
        }
        body: dict[str, Any] = {
            "model": self.configuration.model,
            "messages": [message.model_dump() for message in prompt.messages],
            rungs.token_parameter: question.most_tokens,
            "stream": question.on_text is not None,
            **{name: optional[name] for name in sorted(self._optional(question) - {_GRAMMAR})},
        }
        if _GRAMMAR in self._optional(question):
            body["extra_body"] = grammar_field(self.configuration.grammar, prompt.grammar)
        elif prompt.answer_schema is not None and rungs.structure != "text":
            body["response_format"] = _response_format(rungs.structure, prompt.answer_schema)
        return body

    def _optional(self, question: _Question) -> set[str]:
        configuration = self.configuration
        wanted = {
            "temperature": configuration.temperature is not None,
            "seed": configuration.seed is not None,
            "reasoning_effort": bool(configuration.reasoning_effort),
            "stream_options": configuration.stream_usage and question.on_text is not None,
            _GRAMMAR: bool(configuration.grammar and question.prompt.grammar),
        }
        return {name for name, is_wanted in wanted.items() if is_wanted} - question.rungs.dropped


def _heard(events: "queue.Queue[tuple[str, Any]]", question: _Question) -> Reply | Failure:
    """What the thread of a question ends with; its texts are handed on as they arrive."""
    arrived: list[str] = []
    while True:
        try:
            kind, content = events.get(timeout=_SLICE_SECONDS)
        except queue.Empty:
            kind, content = "nothing", ""
        if kind in ("reply", "failure"):
            return content  # type: ignore[no-any-return]  # _converse puts nothing else under these names
        if kind == "text":
            arrived.append(content)
            if question.on_text is not None:
                question.on_text(content)
        if time.monotonic() > question.deadline:
            return Failure("timeout", received="".join(arrived))


def grammar_field(kind: str, grammar: str) -> dict[str, Any]:
    """The grammar in the field in which servers of this kind take one."""
    return {"structured_outputs": {"grammar": grammar}} if kind == "vllm" else {"grammar": grammar}


def _response_format(structure: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if structure == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}


def _client(configuration: ModelConfiguration, deadline: float) -> Any:  # noqa: ANN401 - openai.OpenAI, an extra
    try:
        import openai
    except ImportError as error:
        raise ModelUnavailable("asking a model needs the openai package: pip install 'pandas-magic[llm]'") from error
    keep_requests_out_of_logs()
    seconds = max(deadline - time.monotonic(), _SLICE_SECONDS)
    # Retries are ours: the library's own also repeat a request whose quota is spent.
    return openai.OpenAI(
        base_url=configuration.base_url,
        api_key=configuration.key,
        max_retries=0,
        timeout=seconds + 1.0,
        http_client=openai.DefaultHttpxClient(verify=_believed_certificates()),
    )


@cache
def _believed_certificates() -> ssl.SSLContext:
    """Read once: to read them for each client takes longer than all else that is done here for a request."""
    import httpx

    return httpx.create_ssl_context()


def _converse(
    client: Any,  # noqa: ANN401 - openai.OpenAI, an extra
    body: dict[str, Any],
    events: "queue.Queue[tuple[str, Any]]",
) -> None:
    """Ask, and put what arrives into `events`: ("text", …)*, then ("reply", Reply) or ("failure", Failure)."""
    asking.here = True
    reply = Reply()
    try:
        if body["stream"]:
            for chunk in client.chat.completions.create(**body):
                take_chunk(reply, chunk, lambda text: events.put(("text", text)))
        else:
            take_completion(reply, client.chat.completions.create(**body))
        events.put(("reply", reply))
    except Exception as error:
        # The edge of a thread: the library lets through what broken bodies and connections make of its parsers, and
        # what is lost here would leave the caller waiting for its deadline.
        events.put(("failure", failure_of(error, "".join(reply.text))))


def failure_of(error: Exception, received: str = "") -> Failure:
    """What an exception of the client says, as a failure."""
    import openai

    match error:
        case openai.APITimeoutError():
            return Failure("timeout", received=received)
        case openai.APIConnectionError():
            return Failure("connection", said=str(error.__cause__ or error), received=received)
        case openai.APIStatusError():
            found = first_error(error.body) or {"message": error.response.reason_phrase}
            return Failure(
                "status",
                said=said_of(found),
                status=error.status_code,
                code=code_of(found),
                wait_seconds=_asked_wait(error.response.headers),
                received=received,
            )
        case openai.APIError():
            return body_failure(first_error(error.body) or {"message": error.message})
        case json.JSONDecodeError():
            return Failure("garbage", said=f"it begins with {error.doc[:30]!r}", received=received)
    kind = type(error).__module__.partition(".")[0]
    if kind.startswith("http"):
        return Failure("connection", said=str(error), received=received)
    said = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
    return Failure("garbage", said=said, received=received)


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers.get(name, "")) * unit
        except ValueError:
            continue
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


def _pause(failure: Failure, retries: int) -> float:
    if failure.wait_seconds is not None and failure.wait_seconds >= 0:
        return failure.wait_seconds if failure.wait_seconds <= _LONGEST_WAIT_SECONDS else float("inf")
    # Spread, so that many notebooks stopped by one limit do not all return at once.
    return _FIRST_WAIT_SECONDS * 2.0**retries * (1.0 + random.random() / 4)


def _rest(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _SLICE_SECONDS))
