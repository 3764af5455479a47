"""What confined code may do, and how much of it. Standard library only: the child reads this before it is locked."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from kernel_sandbox.reserved import read_problem, work_problem

MIB = 1024**2
GIB = 1024**3

Isolation = Literal["auto", "none"]
Outer = Literal["off", "auto", "bwrap"]
Writes = Literal["refuse", "copy"]


@dataclass(frozen=True)
class Limits:
    """How much one confined kernel may use. Every limit ends in a clear reason, never in a silent cut.

    `wall_seconds`, `cpu_seconds` and `output_bytes` count per execution; the others hold for the kernel's whole life.
    """

    wall_seconds: float = 60.0
    # Between the interrupt at the deadline and the kill.
    grace_seconds: float = 1.0
    cpu_seconds: float = 120.0
    # Private memory (anonymous and shared pages): staged tables, which are mapped files, do not count.
    memory_bytes: int = 2 * GIB
    # The largest file that may be written, and so also the largest frame that can be fetched.
    file_bytes: int = 256 * MIB
    work_bytes: int = GIB
    work_files: int = 10_000
    # ipykernel alone holds about 60; measured in the design notes.
    open_files: int = 256
    output_bytes: int = MIB
    message_bytes: int = 8 * MIB
    displays: int = 64
    threads: int = 128
    # Threads that BLAS, Arrow and OpenMP start each.
    compute_threads: int = 2

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise ValueError(f"Limits.{name} is {value!r}; it must be a number above 0")


@dataclass(frozen=True)
class Policy:
    """What a confined kernel may touch.

    `read` are files and folders it may read besides Python itself; `work` the one folder it may write, None for a
    private one that is removed with the kernel;
    `isolation` is "auto" for every lock or nothing at all, "none" for an unconfined kernel that says so on each result;
    `outer` is "bwrap" for namespaces of bubblewrap around the locks, "auto" for them where they can be had; `writes` is
    "copy" for a notebook that works in a copy of its folder, which is kept if anything was written there.
    """

    read: tuple[str, ...] = ()
    work: str | None = None
    limits: Limits = field(default_factory=Limits)
    isolation: Isolation = "auto"
    outer: Outer = "off"
    writes: Writes = "refuse"

    def __post_init__(self) -> None:
        if self.isolation not in ("auto", "none"):
            raise ValueError(f'Policy.isolation is {self.isolation!r}; it is "auto" or "none"')
        if self.outer not in ("off", "auto", "bwrap"):
            raise ValueError(f'Policy.outer is {self.outer!r}; it is "off", "auto" or "bwrap"')
        if self.writes not in ("refuse", "copy"):
            raise ValueError(f'Policy.writes is {self.writes!r}; it is "refuse" or "copy"')
        if self.isolation == "none" and self.outer == "bwrap":
            raise ValueError('Policy.outer is "bwrap", which stands around the locks, and isolation "none" has none')
        # Frozen records keep their promise only when the paths in them do not depend on where they are read.
        object.__setattr__(self, "read", tuple(str(Path(path).absolute()) for path in self.read))
        if self.work is not None:
            object.__setattr__(self, "work", str(Path(self.work).absolute()))
        self._check_places()

    def _check_places(self) -> None:
        if self.work is not None and (problem := work_problem(self.work)):
            raise ValueError(f'"work" of a policy is {self.work}, which {problem}; name a folder of its own for it')
        for path in self.read:
            if problem := read_problem(path):
                raise ValueError(f'"read" of a policy names {path}, which {problem}; name the folders that are needed')

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, every field present."""
        return asdict(self) | {"read": list(self.read)}

    def to_json(self) -> str:
        """JSON with sorted keys: equal policies have equal text."""
        return json.dumps(self.to_dict(), sort_keys=True)

    @classmethod
    def from_dict(cls, content: dict[str, Any], *, limits: Limits | None = None) -> Self:
        """The policy that `to_dict` wrote; fields left out take their defaults, and limits those of `limits`.

        Raises: ValueError naming the first unknown field or impossible value.
        """
        known = {"read", "work", "limits", "isolation", "outer", "writes"}
        if unknown := sorted(set(content) - known):
            raise ValueError(f'a policy has no field "{unknown[0]}"; it has {", ".join(sorted(known))}')
        fields = dict(content)
        if "read" in fields:
            fields["read"] = _texts(fields["read"])
        named = fields.pop("limits", {})
        if not isinstance(named, dict):
            raise ValueError(f'"limits" of a policy is an object, not {named!r}')
        try:
            return cls(limits=replace(limits or Limits(), **named), **fields)
        except TypeError as error:
            raise ValueError(f"limits of a policy: {error}") from error

    @classmethod
    def from_json(cls, text: str, *, limits: Limits | None = None) -> Self:
        """The policy that `to_json` wrote; limits that it leaves out are those of `limits`.

        Raises: ValueError when the text is no JSON object or names an unknown field.
        """
        content = json.loads(text)
        if not isinstance(content, dict):
            raise ValueError(f"a policy is a JSON object, not {type(content).__name__}")
        return cls.from_dict(content, limits=limits)

    @classmethod
    def from_file(cls, path: str | Path, *, limits: Limits | None = None) -> Self:
        """The policy in a file of JSON, which the code that it is for cannot rewrite.

        Raises: ValueError as `from_json` does, and when the file lies in the policy's own work folder; OSError when it
            cannot be read.
        """
        policy, file = cls.from_json(Path(path).read_text(encoding="utf-8"), limits=limits), Path(path).resolve()
        if policy.work is not None and Path(policy.work).resolve() in file.parents:
            raise ValueError(
                f'the policy {file} lies in its own "work", {policy.work}, where the code could rewrite it; move the '
                "file elsewhere"
            )
        return policy

    def digest(self) -> str:
        """Sixteen hex digits that change whenever any field does."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise ValueError(f'"read" of a policy is a list of strings, not {value!r}')
    return tuple(value)
