"""What an endpoint and model turn out to accept, found by stepping down and remembered for the process.

Servers that call themselves compatible differ in how they take a schema for the answer, in the name of the token
limit, and in which other parameters they know. A refusal that names one of them takes one step down.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

Structure = Literal["json_schema", "json_object", "text"]
STRUCTURES: tuple[Structure, ...] = ("json_schema", "json_object", "text")
MAX_STEPS = 4  # of one request; a server that refuses more is not one of the compatible ones

_ABOUT_STRUCTURE = re.compile(r"response_?format|json_?(schema|object)|\bschema\b|structured", re.IGNORECASE)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unknown (name|parameter|field)|unrecognized|unexpected|not permitted|invalid|extra",
    re.IGNORECASE,
)
_OPTIONAL = ("temperature", "seed", "reasoning_effort", "stream_options", "grammar")


@dataclass
class Rungs:
    """Where on each ladder an endpoint and model stand."""

    structure: Structure = "json_schema"
    token_parameter: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    dropped: set[str] = field(default_factory=set)
    swapped: bool = False  # the other name of the token limit was tried

    def step_down(self, message: str, *, structured: bool, sent: set[str]) -> str:
        """Give up what the server's `message` refuses, and say what that was; "" when it names nothing we sent."""
        if "max_tokens" in message or "max_completion_tokens" in message:
            return self._other_token_parameter()
        for name in _OPTIONAL:
            if _names(message, name) and name in sent:
                self.dropped.add(name)
                return f"without {name}"
        if structured and self.structure != "text" and _ABOUT_STRUCTURE.search(message):
            return self.lower_structure()
        if structured and self.structure != "text" and _UNSUPPORTED.search(message) and "model" not in message:
            return self.lower_structure()
        return ""

    def lower_structure(self) -> str:
        """One step down the ladder of structure, and its name."""
        self.structure = STRUCTURES[min(STRUCTURES.index(self.structure) + 1, len(STRUCTURES) - 1)]
        return f"with the answer as {self.structure.replace('_', ' ')}"

    def _other_token_parameter(self) -> str:
        if self.swapped:
            return ""
        self.swapped = True
        other = self.token_parameter == "max_tokens"
        self.token_parameter = "max_completion_tokens" if other else "max_tokens"
        return f"with {self.token_parameter}"


def _names(message: str, name: str) -> bool:
    # vLLM takes a grammar in a field of another name.
    return name in message or (name == "grammar" and "structured_outputs" in message)


_remembered: dict[tuple[str, str], Rungs] = {}


def rungs_of(base_url: str, model: str) -> Rungs:
    """Where this endpoint and model stand; what one request finds out serves the next."""
    return _remembered.setdefault((base_url, model), Rungs())


def forget() -> None:
    """Begin every ladder at its top again."""
    _remembered.clear()
