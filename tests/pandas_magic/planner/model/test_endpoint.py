import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from pandas_magic.errors import AnswerUnusable, ModelError, ModelUnavailable
from pandas_magic.planner.model.endpoint import Endpoint
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.planner.model.prompts import ChatMessage, ModelAnswer, Prompt
from pandas_magic.record import Record
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint, Step

SECRET = "the patient register of the northern clinic holds rows that nobody may see"
PROMPT = Prompt(purpose="other", messages=(ChatMessage(role="user", content=SECRET),))
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
STRUCTURED = PROMPT.model_copy(update={"answer_schema": SCHEMA})
LONG = "Answer in a few words, please. " * 4

Serve = Callable[..., ScriptedEndpoint]
Configured = Callable[..., ModelConfiguration]


def ask(
    configuration: ModelConfiguration, prompt: Prompt = PROMPT, *, seconds: float = 20.0, **said: Any
) -> ModelAnswer:
    return Endpoint(configuration).ask(prompt, most_tokens=500, seconds=seconds, **said)


def failing(configuration: ModelConfiguration, prompt: Prompt = PROMPT, **said: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(configuration, prompt, **said)
    return caught.value


@pytest.mark.feature("E11")
def test_a_plain_request_holds_the_least_that_every_server_takes(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("hello"))
    answer = ask(configured(endpoint))
    assert answer.text == "hello"
    assert not answer.estimated
    sent = endpoint.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert set(sent.body) == {"model", "messages", "max_tokens", "temperature", "stream"}


@pytest.mark.feature("E04")
def test_a_stream_arrives_piece_by_piece(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("one two three four", piece=4, piece_seconds=0.01))
    pieces: list[str] = []
    answer = ask(configured(endpoint), on_text=pieces.append)
    assert len(pieces) == 5
    assert "".join(pieces) == answer.text == "one two three four"
    assert answer.estimated  # no usage was asked for


def test_usage_is_counted_from_the_last_piece_which_has_no_choices(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("one two", usage={"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}))
    answer = ask(configured(endpoint, stream_usage=True), on_text=lambda _: None)
    assert (answer.sent_tokens, answer.received_tokens, answer.estimated) == (11, 5, False)


def test_a_price_that_the_server_says_is_taken(serve: Serve, configured: Configured) -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "cost": 0.0125}
    assert ask(configured(serve(Step("a", usage=usage)))).usd == 0.0125


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "step",
    [
        Step(status=429, headers={"retry-after": "0.05"}),
        Step(status=429, headers={"retry-after-ms": "30"}),
        Step(status=429, headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        Step(status=500),
        Step(status=503, raw="<html>busy</html>"),
        Step(raw='{"error": {"code": 502, "message": "upstream"}}'),
        Step(LONG, reset_after=2),
    ],
    ids=["429 seconds", "429 milliseconds", "429 date", "500", "503 page", "error in 200", "reset"],
)
def test_what_passes_is_tried_again(serve: Serve, configured: Configured, step: Step, stream: bool) -> None:
    if stream and step.raw:
        step = Step(status=503)
    endpoint = serve(step, Step("fine"))
    notices: list[str] = []
    on_text = (lambda _: None) if stream else None
    assert ask(configured(endpoint), on_text=on_text, on_notice=notices.append).text == "fine"
    assert len(endpoint.requests) == 2
    assert "asking again" in notices[0]


# What servers do wrong -> the kind of error, words of its one line, and how often the server is asked.
TOOL_CALL = {"id": "c", "type": "function", "function": {"name": "plan", "arguments": "{}"}}


def completion(*, finish: str = "stop", **message: Any) -> str:
    """A whole body with one choice."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]})


FAILURES: dict[str, tuple[Step, type[ModelError], str, int]] = {
    "429 for ever": (Step(status=429), ModelUnavailable, "allows no more requests", 3),
    "429 that asks for an hour": (Step(status=429, headers={"retry-after": "3600"}), ModelUnavailable, "429", 1),
    "quota": (
        Step(status=429, error={"message": "You exceeded your quota", "code": "insufficient_quota"}),
        ModelUnavailable,
        "no quota left",
        1,
    ),
    "500 for ever": (Step(status=500), ModelUnavailable, "failed, asked 3 times", 3),
    "wrong key": (
        Step(status=401, error={"message": "Incorrect API key provided: sk-test-0123456789abcdef"}),
        ModelUnavailable,
        "refuses the key",
        1,
    ),
    "no such model": (
        Step(status=404, error={"message": "model not found", "code": "model_not_found"}),
        ModelUnavailable,
        'has no model "scripted"',
        1,
    ),
    "array body": (
        Step(status=400, raw='[{"error": {"code": 400, "message": "API key not valid", "status": "INVALID"}}]'),
        ModelUnavailable,
        "API key not valid",
        1,
    ),
    "empty body": (Step(status=400, raw=""), ModelUnavailable, "does not accept the request (400: Bad Request)", 1),
    "page": (Step(status=502, raw="<html>Bad gateway</html>"), ModelUnavailable, "failed, asked 3 times", 3),
    "context": (
        Step(status=400, error={"message": "too long", "type": "exceed_context_size_error", "code": 400}),
        ModelUnavailable,
        "name fewer tables",
        1,
    ),
    "prompt filter": (
        Step(status=400, error={"message": "filtered", "code": "content_filter"}),
        ModelUnavailable,
        "content filter",
        1,
    ),
    "no JSON": (Step(raw="I am a teapot"), ModelUnavailable, "no chat completion", 1),
    "page with 200": (Step(raw="<html>Welcome</html>"), ModelUnavailable, "no chat completion", 1),
    "no choices": (Step(choices=False), AnswerUnusable, "no answer at all", 1),
    "null choices": (
        Step(raw='{"id": "x", "object": "chat.completion", "choices": null}'),
        AnswerUnusable,
        "no answer",
        1,
    ),
    "error in 200": (
        Step(raw='{"error": {"code": 402, "message": "Insufficient credits"}}'),
        ModelUnavailable,
        "no quota left",
        1,
    ),
    "refusal": (Step(refusal="I cannot help with that"), AnswerUnusable, "refused: I cannot help", 1),
    "output filter": (Step("half", finish="content_filter"), AnswerUnusable, "withheld", 1),
    "cut": (Step("half", finish="length"), AnswerUnusable, "PANDAS_MAGIC_ANSWER_TOKENS", 1),
    "nothing": (Step("   "), AnswerUnusable, "empty answer", 1),
    "reset for ever": (Step("x", reset_after=0), ModelUnavailable, "no connection", 3),
    # Content that is null: a call of a tool, or thoughts without an answer.
    "tool call": (
        Step(raw=completion(content=None, tool_calls=[TOOL_CALL], finish="tool_calls")),
        AnswerUnusable,
        "empty answer",
        1,
    ),
    "thoughts only": (
        Step(raw=completion(content=None, reasoning_content="Let me think")),
        AnswerUnusable,
        "empty answer",
        1,
    ),
    "no chat template": (
        Step(status=400, error={"message": "default chat template is no longer allowed", "code": 400}),
        ModelUnavailable,
        "does not accept the request (400: default chat template",
        1,
    ),
    "page that must not be asked again": (
        Step(status=502, raw="<html>Bad gateway</html>", headers={"x-should-retry": "false"}),
        ModelUnavailable,
        "failed, asked",
        3,
    ),
    "refused for the region": (
        Step(status=403, error={"message": "Country, region, or territory not supported", "code": 403}),
        ModelUnavailable,
        "territory not supported",
        1,
    ),
    "overloaded": (Step(status=503, error={"message": "Model is overloaded"}), ModelUnavailable, "overloaded", 3),
}
STREAMED: dict[str, tuple[Step, type[ModelError], str, int]] = {
    name: FAILURES[name]
    for name in ("429 for ever", "wrong key", "no choices", "refusal", "output filter", "cut", "nothing")
} | {
    "early end": (Step(LONG, end_after=3), ModelUnavailable, "broke off", 3),
    "reset in the middle": (Step(LONG, reset_after=3), ModelUnavailable, "no connection", 3),
    "broken piece": (Step(LONG, garbage_after=2), ModelUnavailable, "no chat completion", 1),
    "error event": (Step(LONG, error_after=2), ModelUnavailable, "upstream is gone", 3),
    "finish error": (Step("half", finish="error"), ModelUnavailable, "502", 3),
}


@pytest.mark.feature("B24")
@pytest.mark.parametrize("name", FAILURES)
def test_every_failure_is_one_clear_line(serve: Serve, configured: Configured, name: str) -> None:
    step, kind, words, requests = FAILURES[name]
    endpoint = serve(always=step)
    error = failing(configured(endpoint))
    assert type(error) is kind
    assert words in str(error)
    assert "\n" not in str(error)
    assert len(endpoint.requests) == requests


@pytest.mark.parametrize("name", STREAMED)
def test_every_failure_of_a_stream_is_one_clear_line(serve: Serve, configured: Configured, name: str) -> None:
    step, kind, words, requests = STREAMED[name]
    endpoint = serve(always=step)
    error = failing(configured(endpoint), on_text=lambda _: None)
    assert type(error) is kind
    assert words in str(error)
    assert len(endpoint.requests) == requests


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("step", [Step("x" * 50, hang_seconds=20), Step(LONG, stall_after=1, hang_seconds=0)])
def test_the_deadline_holds_whatever_the_server_does(
    serve: Serve, configured: Configured, step: Step, stream: bool
) -> None:
    if step.stall_after and not stream:
        step = Step("x", hang_seconds=20)
    before = time.monotonic()
    error = failing(configured(serve(step)), seconds=0.4, on_text=(lambda _: None) if stream else None)
    assert "did not finish" in str(error)
    assert time.monotonic() - before < 3


def test_a_trickle_without_end_meets_the_deadline(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("word " * 1000, piece=1, piece_seconds=0.02))
    error = failing(configured(endpoint), seconds=0.5, on_text=lambda _: None)
    assert "did not finish" in str(error)


def test_ctrl_c_stops_at_once(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("x", hang_seconds=20))

    def press() -> None:
        time.sleep(0.3)
        import signal

        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=press).start()
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask(configured(endpoint))
    assert time.monotonic() - before < 3


def test_no_server_is_one_clear_line() -> None:
    error = failing(ModelConfiguration(model="m", base_url="http://127.0.0.1:9/v1"))
    assert "no connection to 127.0.0.1:9" in str(error)


def refuses(*names: str) -> Callable[[dict[str, Any]], Step]:
    """A server that takes none of these fields, and names the first it sees."""

    def play(body: dict[str, Any]) -> Step:
        for name in names:
            if name in body:
                return Step(status=400, error={"message": f"Unsupported parameter: '{name}'", "type": "invalid"})
        return Step('{"a": 1}')

    return play


def test_parameters_that_a_server_refuses_are_left_out_and_that_is_remembered(
    serve: Serve, configured: Configured
) -> None:
    endpoint = serve(always=refuses("max_tokens", "temperature", "seed", "stream_options"))
    configuration = configured(endpoint, seed=3, stream_usage=True)
    ask(configuration, on_text=lambda _: None)
    assert len(endpoint.requests) == 5
    ask(configuration, on_text=lambda _: None)
    assert len(endpoint.requests) == 6
    assert set(endpoint.requests[-1].body) == {"model", "messages", "max_completion_tokens", "stream"}


def test_a_parameter_that_an_array_of_errors_names_is_left_out(serve: Serve, configured: Configured) -> None:
    body = '[{"error": {"code": 400, "message": "Invalid JSON payload: Unknown name \\"seed\\"", "status": "INVALID"}}]'
    endpoint = serve(always=lambda asked: Step(status=400, raw=body) if "seed" in asked else Step("fine"))
    assert ask(configured(endpoint, seed=7)).text == "fine"
    assert len(endpoint.requests) == 2


def test_structure_steps_down_to_what_the_server_takes(serve: Serve, configured: Configured) -> None:
    def play(body: dict[str, Any]) -> Step:
        if "response_format" in body:
            return Step(status=422, error={"message": f"response_format {body['response_format']['type']} unsupported"})
        return Step('{"a": 1}')

    endpoint = serve(always=play)
    ask(configured(endpoint), STRUCTURED)
    formats = [request.body.get("response_format", {}).get("type") for request in endpoint.requests]
    assert formats == ["json_schema", "json_object", None]


def test_a_server_that_refuses_everything_is_not_asked_for_ever(serve: Serve, configured: Configured) -> None:
    endpoint = serve(always=Step(status=400, error={"message": "max_tokens temperature seed response_format"}))
    failing(configured(endpoint, seed=1), STRUCTURED)
    assert len(endpoint.requests) <= 5


def test_neither_key_nor_prompt_is_in_an_error(serve: Serve, configured: Configured) -> None:
    configuration = configured(
        serve(always=Step(status=400, error={"message": f"bad {SECRET} sk-test-0123456789abcdef"}))
    )
    error = failing(configuration)
    assert "northern clinic" not in str(error)
    assert "0123456789" not in str(error)
    assert error.__cause__ is None
    assert "sk-test" not in repr(configuration)


def test_neither_key_nor_prompt_is_in_a_log(
    serve: Serve, configured: Configured, caplog: pytest.LogCaptureFixture
) -> None:
    names = ("openai", "openai._base_client", "httpx", "httpx2", "httpcore", "httpcore2")
    levels = {name: logging.getLogger(name).level for name in names}
    caplog.set_level(logging.DEBUG)
    for name in names:
        logging.getLogger(name).setLevel(logging.DEBUG)
    try:
        ask(configured(serve(Step("fine"))))
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
    assert "clinic" not in caplog.text
    assert "sk-test" not in caplog.text


class Found(Record):
    """An answer with one field."""

    city: str


def test_a_server_that_enforces_no_schema_is_told_it_in_words(serve: Serve, configured: Configured) -> None:
    def play(body: dict[str, Any]) -> Step:
        if "response_format" in body:
            return Step(status=400, error={"message": "response_format is not supported"})
        return Step('The city is:\n```json\n{"city": "Ulm"}\n```')

    endpoint = serve(always=play)
    model = Model(configured(endpoint), None)
    asked = Prompt(purpose="other", messages=(ChatMessage(role="system", content="You know cities."), *PROMPT.messages))
    assert model.ask_object(asked, Found).city == "Ulm"
    assert '"city":{"type":"string"}' in endpoint.requests[-1].text
    assert all("JSON" in request.text for request in endpoint.requests)


def test_an_answer_of_the_wrong_form_is_asked_for_again_and_then_given_up(serve: Serve, configured: Configured) -> None:
    endpoint = serve(Step("Ulm, I think"), Step('{"town": "Ulm"}'), Step('{"city": "Ulm"}'), always=Step("Ulm"))
    model = Model(configured(endpoint), None)
    asked = Prompt(purpose="other", messages=(ChatMessage(role="system", content="You know cities."), *PROMPT.messages))
    assert model.ask_object(asked, Found).city == "Ulm"
    assert "no JSON object" in endpoint.requests[1].text
    assert "does not fit: city: Field required" in endpoint.requests[2].text
    again = asked.followed_by("", "That was one.", "And the next?")
    with pytest.raises(AnswerUnusable, match="no usable answer"):
        model.ask_object(again, Found)
    assert len(endpoint.requests) == 6
