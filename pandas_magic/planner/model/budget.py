"""What may still be spent: tokens, money and seconds, per request of a person and per session."""

import time
from dataclasses import dataclass, field

from pandas_magic.errors import BudgetSpent
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits

_LEAST_ANSWER_TOKENS = 32  # an answer with less room is surely cut


@dataclass
class Spent:
    """What has been spent so far, in one request or in one session."""

    tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    def add(self, tokens: int, usd: float | None, seconds: float) -> None:
        """Count one exchange."""
        self.tokens += tokens
        self.usd += usd or 0.0
        self.seconds += seconds


@dataclass(frozen=True)
class Room:
    """What the next exchange may use."""

    answer_tokens: int
    seconds: float


@dataclass
class Budget:
    """The limits, and what of them is used. A request's share begins anew with `begin_request`."""

    configuration: ModelConfiguration
    request: Spent = field(default_factory=Spent)
    session: Spent = field(default_factory=Spent)
    began: float = field(default_factory=time.monotonic)

    def begin_request(self, limits: ModelLimits | None = None) -> None:
        """Count from here for the limits of one request."""
        self.request, self.began = Spent(), time.monotonic()
        self._limits = limits or self.configuration.limits

    def __post_init__(self) -> None:
        self._limits = self.configuration.limits

    def room_for(self, prompt_tokens: int) -> Room:
        """How long and how large the answer to a prompt of so many tokens may be.

        Raises: BudgetSpent naming the limit, when a usable answer could go over it.
        """
        tokens = self._answer_tokens(prompt_tokens)
        self._check_money(prompt_tokens, tokens)
        return Room(tokens, self._seconds())

    def add(self, tokens: int, usd: float | None, seconds: float) -> None:
        """Count one exchange, answered or failed."""
        self.request.add(tokens, usd, seconds)
        self.session.add(tokens, usd, seconds)

    def _answer_tokens(self, prompt_tokens: int) -> int:
        room = self.configuration.answer_tokens
        for scope, limit, spent in (
            ("request", self._limits.request_tokens, self.request.tokens),
            ("session", self._limits.session_tokens, self.session.tokens),
        ):
            if limit is None:
                continue
            left = limit - spent - prompt_tokens
            if left < _LEAST_ANSWER_TOKENS:
                raise BudgetSpent(
                    f"the {scope}'s budget of {limit:,} tokens has {max(limit - spent, 0):,} left, and the next "
                    f"question needs about {prompt_tokens + _LEAST_ANSWER_TOKENS:,}; "
                    f"raise PANDAS_MAGIC_{scope.upper()}_TOKENS"
                )
            room = min(room, left)
        return room

    def _check_money(self, prompt_tokens: int, answer_tokens: int) -> None:
        for scope, limit, spent in (
            ("request", self._limits.request_usd, self.request.usd),
            ("session", self._limits.session_usd, self.session.usd),
        ):
            if limit is None:
                continue
            if self.configuration.usd_per_million is None:
                raise BudgetSpent(
                    f"a budget of {limit:g} USD needs prices; set PANDAS_MAGIC_USD_PER_MILLION to the prices of "
                    f"{self.configuration.model} for tokens sent and received, such as 0.15,0.60"
                )
            sent, received = self.configuration.usd_per_million
            most = (prompt_tokens * sent + answer_tokens * received) / 1e6
            if spent + most > limit:
                raise BudgetSpent(
                    f"the {scope}'s budget of {limit:g} USD has {max(limit - spent, 0.0):.4f} left, and the next "
                    f"answer may cost {most:.4f}; raise PANDAS_MAGIC_{scope.upper()}_USD"
                )

    def _seconds(self) -> float:
        room = self.configuration.answer_seconds
        for scope, limit, used in (
            ("request", self._limits.request_seconds, time.monotonic() - self.began),
            ("session", self._limits.session_seconds, self.session.seconds),
        ):
            if limit is None:
                continue
            if used >= limit:
                raise BudgetSpent(
                    f"the {scope}'s budget of {limit:g} s is used up; raise PANDAS_MAGIC_{scope.upper()}_SECONDS"
                )
            room = min(room, limit - used)
        return room
