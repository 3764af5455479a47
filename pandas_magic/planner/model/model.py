"""A model to talk to: the endpoint, with what may be spent, the log of everything said, and answers from that log."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from pandas_magic.clock import timestamp
from pandas_magic.errors import AnswerUnusable, ModelError, NotRecorded
from pandas_magic.planner.model.answer_schema import answer_schema
from pandas_magic.planner.model.answer_text import json_object
from pandas_magic.planner.model.budget import Budget, Spent
from pandas_magic.planner.model.endpoint import Endpoint, Notice, OnText
from pandas_magic.planner.model.exchanges import Exchange, ExchangeLog, Outcome, price
from pandas_magic.planner.model.ladders import rungs_of
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits
from pandas_magic.planner.model.prompts import ModelAnswer, Prompt, estimated_tokens
from pandas_magic.record import Record, canonical_json

_log = logging.getLogger(__name__)
_Found = TypeVar("_Found", bound=Record)
_FORM_REPAIRS = 2  # asked again because an answer was no such object; more only costs


def _silent(_: str) -> None:
    pass


class Model:
    """One model. `log_folder` holds the log of exchanges (None: in memory); `session` is what was spent before."""

    def __init__(
        self, configuration: ModelConfiguration, log_folder: Path | None, *, session: Spent | None = None
    ) -> None:
        self.configuration = configuration
        self.log = ExchangeLog(log_folder)
        given = configuration.recorded
        self._given = ExchangeLog(None) if given is None else ExchangeLog(given.parent, given.name)
        self.budget = Budget(configuration, session=session or Spent())
        self.fresh = False  # True: recorded answers are not used, unless only they may be
        self.calls = 0  # requests that went over the wire
        self._about = ""
        self._on_notice: Notice = _silent

    @contextmanager
    def request(self, about: str, *, on_notice: Notice = _silent, limits: ModelLimits | None = None) -> Iterator[None]:
        """One request of a person: what is asked inside counts for its budget and is logged as being `about` it."""
        self.budget.begin_request(limits)
        self._about, self._on_notice = about, on_notice
        try:
            yield
        finally:
            self._about, self._on_notice = "", _silent

    def ask(self, prompt: Prompt, *, on_text: OnText | None = None) -> ModelAnswer:
        """The answer as text: from the log when exactly this was answered before, else from the endpoint.

        Raises: ModelUnavailable, AnswerUnusable, BudgetSpent, NotRecorded.
        """
        configuration = self.configuration
        sha256 = prompt.sha256(configuration.model, configuration.temperature)
        known = None
        if configuration.replay != "off":
            known = self.log.answered(sha256) or self._given.answered(sha256)
        if known is not None and (configuration.replay == "only" or not self.fresh):
            return self._recorded(prompt, known, on_text)
        if configuration.replay == "only":
            raise NotRecorded(
                f"no recorded answer for this question of {configuration.model} ({prompt.purpose}, {sha256[:12]}); "
                "run once with PANDAS_MAGIC_REPLAY=auto to record it"
            )
        return self._asked(prompt, sha256, on_text)

    def ask_object(
        self, prompt: Prompt, kind: type[_Found], *, problem: Callable[[_Found], str] = lambda _: ""
    ) -> _Found:
        """The answer as a record of `kind`, whatever structure the endpoint can enforce.

        `problem` says in one line what is wrong with a record of the right form. The model is asked again with what
        is wrong, twice at most.

        Raises: AnswerUnusable when the last answer is still no such record, beside what `ask` raises.
        """
        asked = _with_schema(prompt, answer_schema(kind))
        remark = last = ""
        for _ in range(_FORM_REPAIRS + 1):
            answer = self.ask(asked)
            if answer.text == last:
                break  # it keeps to what it was told is wrong
            last = answer.text
            try:
                found = kind.model_validate(json_object(answer.text))
                remark = problem(found)
                if not remark:
                    return found
            except ValidationError as error:
                remark = _form_remark(error)
            except AnswerUnusable:
                remark, last = "That was no JSON object.", ""  # asked in another form it may well answer otherwise
                if not answer.recorded:
                    rungs_of(self.configuration.base_url, self.configuration.model).lower_structure()
            asked = asked.followed_by(answer.text, remark, "Answer with one corrected JSON object and nothing else.")
        raise AnswerUnusable(f"{self.configuration.model} gave no usable answer: {remark}")

    def _asked(self, prompt: Prompt, sha256: str, on_text: OnText | None) -> ModelAnswer:
        sent = estimated_tokens(prompt.text())
        room = self.budget.room_for(sent)
        self.calls += 1
        received: list[str] = []

        def on_piece(text: str) -> None:
            received.append(text)
            if on_text is not None:
                on_text(text)

        began = time.monotonic()
        try:
            answer = Endpoint(self.configuration).ask(
                prompt,
                most_tokens=room.answer_tokens,
                seconds=room.seconds,
                on_text=on_piece if on_text is not None else None,
                on_notice=self._on_notice,
            )
        except (ModelError, KeyboardInterrupt) as error:
            lost = _lost("".join(received), sent, time.monotonic() - began)
            self._keep(prompt, sha256, lost, "failed", error=str(error) or type(error).__name__)
            raise
        self._keep(prompt, sha256, answer, "answered")
        return answer

    def _keep(self, prompt: Prompt, sha256: str, answer: ModelAnswer, outcome: Outcome, *, error: str = "") -> None:
        priced = answer.model_copy(update={"usd": price(answer, self.configuration.usd_per_million)})
        tokens = answer.sent_tokens + answer.received_tokens
        # What was asked and answered stays in the log of exchanges; a logger's readers are not known.
        _log.debug(
            "%s %s by %s: %d tokens, %.2f s", prompt.purpose, outcome, self.configuration.model, tokens, answer.seconds
        )
        self.budget.add(tokens, priced.usd, answer.seconds)
        request = prompt.canonical(self.configuration.model, self.configuration.temperature)
        self.log.append(self._exchange(prompt, sha256, priced, outcome, request=request, error=error))

    def _recorded(self, prompt: Prompt, known: Exchange, on_text: OnText | None) -> ModelAnswer:
        answer = ModelAnswer(
            text=known.answer,
            sent_tokens=known.sent_tokens,
            received_tokens=known.received_tokens,
            estimated=known.estimated,
            usd=known.usd,
            seconds=0.0,
            recorded=True,
        )
        self.log.append(self._exchange(prompt, known.sha256, answer, "recorded", answer_text=""))
        if on_text is not None:
            on_text(known.answer)
        return answer

    def _exchange(self, prompt: Prompt, sha256: str, answer: ModelAnswer, outcome: Outcome, **more: object) -> Exchange:
        content = {
            "at": timestamp(),
            "sha256": sha256,
            "purpose": prompt.purpose,
            "about": self._about,
            "model": self.configuration.model,
            "host": self.configuration.host,
            "disclosure": self.configuration.disclosure,
            "outcome": outcome,
            "answer": more.pop("answer_text", answer.text),
            "sent_tokens": answer.sent_tokens,
            "received_tokens": answer.received_tokens,
            "estimated": answer.estimated,
            "usd": answer.usd,
            "seconds": answer.seconds,
            **more,
        }
        return Exchange.model_validate(content)


def _lost(received: str, sent_tokens: int, seconds: float) -> ModelAnswer:
    """What was spent on an answer that did not come to its end."""
    return ModelAnswer(
        text=received,
        sent_tokens=sent_tokens,
        received_tokens=estimated_tokens(received) if received else 0,
        estimated=True,
        seconds=round(seconds, 3),
    )


def _with_schema(prompt: Prompt, schema: dict[str, Any]) -> Prompt:
    # Servers that cannot enforce a schema must be told it, and those that only know JSON want the word in the prompt.
    system, *others = prompt.messages
    told = f"{system.content}\nAnswer with one JSON object of this schema and nothing else:\n{canonical_json(schema)}"
    messages = (system.model_copy(update={"content": told}), *others)
    return prompt.model_copy(update={"answer_schema": schema, "messages": messages})


def _form_remark(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the object"
    return f"That object does not fit: {place}: {first['msg']}."
