"""What is asked of a model, and what it answers."""

import hashlib
from typing import Any, Literal, Self

from pandas_magic.planner.model.disclosure import data_block
from pandas_magic.record import Record, canonical_json

Purpose = Literal["restate", "write", "judge", "review", "select", "plan", "answer", "repair", "other"]


class ChatMessage(Record):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(Record):
    """One request: its turns, and the JSON schema that the answer must have (None: free text).

    `grammar` says in GBNF what the answer can be, for a server that takes one; "": nothing more than the schema.
    """

    purpose: Purpose
    messages: tuple[ChatMessage, ...]
    answer_schema: dict[str, Any] | None = None
    grammar: str = ""

    @classmethod
    def of(cls, purpose: Purpose, system: str, asked: str) -> Self:
        """A conversation that begins: the words of the system, and what is asked."""
        turns = (ChatMessage(role="system", content=system), ChatMessage(role="user", content=asked))
        return cls(purpose=purpose, messages=turns)

    def canonical(self, model: str, temperature: float | None) -> dict[str, Any]:
        """What the answer depends on: the same for every endpoint that serves the model."""
        said = self.model_dump(mode="json", exclude=set() if self.grammar else {"grammar"})
        return {"model": model, "temperature": temperature, **said}

    def sha256(self, model: str, temperature: float | None) -> str:
        """The digest by which a recorded answer is found again."""
        return hashlib.sha256(canonical_json(self.canonical(model, temperature)).encode()).hexdigest()

    def text(self) -> str:
        """Everything that is sent, for counting and for keeping it out of messages."""
        return "\n".join(message.content for message in self.messages)

    def followed_by(self, answer: str, problem: str, asked: str, *, purpose: Purpose | None = None) -> "Prompt":
        """The same conversation with an answer, what is wrong with it, and what is asked for now.

        The problem goes in as data: it may quote names from files, which must not pose as words of ours.
        """
        remark = f"What is wrong with that:\n{data_block({'problem': problem})}\n{asked}"
        more = (ChatMessage(role="assistant", content=answer), ChatMessage(role="user", content=remark))
        return self.model_copy(update={"messages": (*self.messages, *more), "purpose": purpose or self.purpose})


class ModelAnswer(Record):
    """What came back. Counts are the server's, or `estimated` from the length of the texts."""

    text: str
    sent_tokens: int
    received_tokens: int
    estimated: bool
    usd: float | None = None  # None: not known
    seconds: float
    recorded: bool = False  # taken from the log, so it cost nothing


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few: English has about four bytes to a token."""
    return len(text.encode()) // 3 + 1
