"""Which model is asked, where, and within what limits: the environment, then a `.env` file.

A model is used only when one is named for us (`PANDAS_MAGIC_MODEL`): a key that lies in the environment for some other
program never makes this one send anything.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Self, get_args
from urllib.parse import urlsplit

from pandas_magic.errors import UsageMistake
from pandas_magic.settings import read_env_file

Disclosure = Literal["schema", "stats", "samples"]
Replay = Literal["auto", "only", "off"]
GrammarServer = Literal["", "llama.cpp", "vllm"]

_OPENAI = "https://api.openai.com/v1"
# A key alone says where it belongs; it is never sent anywhere else.
_HOME_OF_KEY = {
    "OPENAI_API_KEY": _OPENAI,
    "OPENROUTER_API_KEY": "https://openrouter.ai/api/v1",
    "GOOGLE_API_KEY": "https://generativelanguage.googleapis.com/v1beta/openai/",
    "GEMINI_API_KEY": "https://generativelanguage.googleapis.com/v1beta/openai/",
}
_MODEL_NAMES = ("PANDAS_MAGIC_MODEL", "CODE_EXEC_MODEL_NAME")
# Servers on this machine ask for no key, but the client wants one.
_NO_KEY = "no-key"


@dataclass(frozen=True)
class ModelLimits:
    """What one request of a person (a `%%check`, a `%%plan`) and one session may use; None: no limit."""

    request_tokens: int | None = 200_000
    session_tokens: int | None = 2_000_000
    request_usd: float | None = None
    session_usd: float | None = None
    request_seconds: float | None = 300.0
    session_seconds: float | None = None


@dataclass(frozen=True)
class ModelConfiguration:
    """The endpoint, the model, what may be told to it and what it may cost. `str` and `repr` never show the key."""

    model: str
    base_url: str = _OPENAI
    key: str = field(default=_NO_KEY, repr=False)
    temperature: float | None = 0.0  # None: the model's own
    answer_tokens: int = 4000  # of one answer, at most
    answer_seconds: float = 120.0  # for one answer, from sending to its end
    seed: int | None = None
    reasoning_effort: str = ""  # "": the model's own
    stream_usage: bool = False  # ask for token counts in streams, which some servers refuse
    disclosure: Disclosure = "schema"
    grammar: GrammarServer = ""  # whose field a grammar is handed in; "": none is
    replay: Replay = "auto"
    recorded: Path | None = None  # a file of answers that is read beside the log of exchanges
    usd_per_million: tuple[float, float] | None = None  # for tokens sent and tokens received; None: not known
    limits: ModelLimits = field(default_factory=ModelLimits)

    @classmethod
    def load(cls, base_dir: Path, *, environ: Mapping[str, str] | None = None, model: str = "") -> Self | None:
        """The configuration in force below `base_dir`, or None when no model is named for us.

        `model` stands before what the environment names.

        Raises: UsageMistake naming the variable and the value that cannot be meant.
        """
        given = os.environ if environ is None else environ
        written = read_env_file(base_dir / ".env")
        said = {**written, **given}
        name = model or next((said[variable] for variable in _MODEL_NAMES if said.get(variable)), "")
        if not name:
            return None
        base_url, key = _place(given, written)
        choices = _choices(said) | {"recorded": _recorded(said, base_dir)}
        return cls(model=name, base_url=base_url, key=key, limits=_limits(said), **choices)

    @property
    def host(self) -> str:
        """The endpoint's host, for people and logs."""
        return urlsplit(self.base_url).netloc or self.base_url

    def with_disclosure(self, level: Disclosure) -> Self:
        """The same with another level of what may be told."""
        return replace(self, disclosure=level)


def _place(given: Mapping[str, str], written: Mapping[str, str]) -> tuple[str, str]:
    """The endpoint's address and the key for it.

    An address that a `.env` file names gets only a key from that file: a folder that someone else made must not
    direct a person's own key to a host of its choice.
    """
    for source in (given, written):
        address = source.get("OPENAI_BASE_URL") or source.get("OPENAI_API_BASE")
        if address:
            keys = source if source is written else {**written, **given}
            return _checked_address(address), _key_for(address, keys)
    said = {**written, **given}
    for name, home in _HOME_OF_KEY.items():
        if said.get(name):
            return home, said[name]
    return _OPENAI, _NO_KEY


def _key_for(address: str, keys: Mapping[str, str]) -> str:
    same_host = [name for name, home in _HOME_OF_KEY.items() if urlsplit(home).hostname == urlsplit(address).hostname]
    # OPENAI_API_KEY is what every compatible server is configured with; other keys go to their own host only.
    return next((keys[name] for name in (*same_host, "OPENAI_API_KEY") if keys.get(name)), _NO_KEY)


def _checked_address(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageMistake(f'OPENAI_BASE_URL is "{address}"; write it as http://127.0.0.1:8080/v1 or https://host/v1')
    return address


def _choices(said: Mapping[str, str]) -> dict[str, Any]:
    """The fields that the environment sets, each checked."""
    choices: dict[str, Any] = {
        "temperature": _number(said, ("PANDAS_MAGIC_TEMPERATURE", "CODE_EXEC_TEMPERATURE"), float),
        "answer_tokens": _number(said, ("PANDAS_MAGIC_ANSWER_TOKENS", "CODE_EXEC_MAX_TOKENS"), int),
        "answer_seconds": _number(said, ("PANDAS_MAGIC_ANSWER_SECONDS",), float),
        "seed": _number(said, ("PANDAS_MAGIC_SEED",), int),
        "reasoning_effort": said.get("PANDAS_MAGIC_REASONING_EFFORT"),
        "stream_usage": said.get("PANDAS_MAGIC_STREAM_USAGE", "").lower() in ("1", "true", "yes") or None,
        "disclosure": _word(said, "PANDAS_MAGIC_DISCLOSURE", get_args(Disclosure)),
        "grammar": _word(said, "PANDAS_MAGIC_GRAMMAR", get_args(GrammarServer)[1:]),
        "replay": _word(said, "PANDAS_MAGIC_REPLAY", get_args(Replay)),
        "usd_per_million": _prices(said),
    }
    return {name: value for name, value in choices.items() if value is not None}


def _limits(said: Mapping[str, str]) -> ModelLimits:
    given: dict[str, Any] = {}
    for field_of in fields(ModelLimits):
        kind = int if field_of.name.endswith("tokens") else float
        value = _number(said, (f"PANDAS_MAGIC_{field_of.name.upper()}",), kind)
        if value is not None:
            given[field_of.name] = value
    return ModelLimits(**given)


def _number(said: Mapping[str, str], names: tuple[str, ...], kind: type[int] | type[float]) -> float | None:
    name = next((name for name in names if said.get(name)), None)
    if name is None:
        return None
    try:
        value = kind(said[name])
    except ValueError as error:
        what = "a whole number" if kind is int else "a number"
        raise UsageMistake(f'{name} is "{said[name]}"; it must be {what}') from error
    if value < 0 or value != value:
        raise UsageMistake(f'{name} is "{said[name]}"; it must not be below 0')
    return value


def _word(said: Mapping[str, str], name: str, words: tuple[str, ...]) -> str | None:
    value = said.get(name)
    if value and value not in words:
        raise UsageMistake(f'{name} is "{value}"; it can be {", ".join(words)}')
    return value or None


def _recorded(said: Mapping[str, str], base_dir: Path) -> Path | None:
    name = said.get("PANDAS_MAGIC_RECORDED")
    if not name:
        return None
    path = base_dir / name
    if not path.is_file():
        raise UsageMistake(
            f'PANDAS_MAGIC_RECORDED is "{name}", and there is no file {path}; copy a log of exchanges there'
        )
    return path


def _prices(said: Mapping[str, str]) -> tuple[float, float] | None:
    text = said.get("PANDAS_MAGIC_USD_PER_MILLION")
    if not text:
        return None
    try:
        sent, received = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageMistake(
            f'PANDAS_MAGIC_USD_PER_MILLION is "{text}"; write two prices, for tokens sent and received: 0.15,0.60'
        ) from error
    return sent, received
