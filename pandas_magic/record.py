"""The base of everything that is written to disk: frozen, strict, canonical."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value that refuses unknown fields and has one canonical JSON form."""

    # What reads a record is made when the first one is read: a process needs few of all there are. Those of which
    # people see the signature are made at once.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, without fields that are None."""
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """The record that `to_dict` wrote.

        Raises: pydantic.ValidationError when a field is missing, unknown or of another type.
        """
        return cls.model_validate(content)

    def digest(self) -> str:
        """Sixteen hex digits that change whenever any field does."""
        return digest(self.to_dict())


def canonical_json(content: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON with sorted keys and no spaces: equal values have equal text."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(content: Any) -> str:  # noqa: ANN401 - any JSON value
    """The first sixteen hex digits of the SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical_json(content).encode(errors="surrogatepass")).hexdigest()[:16]


def first_twice(names: Iterable[str]) -> str | None:
    """The first of the names that stands among them again; None where each stands once."""
    return next((name for name, count in Counter(names).items() if count > 1), None)
