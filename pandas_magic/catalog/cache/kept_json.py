"""JSON kept beside the cache, believed only where it is what was written, and of what it is asked for."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas_magic.errors import StateUnreadable
from pandas_magic.record import digest
from pandas_magic.state import write_whole


@dataclass(frozen=True)
class KeptJson:
    """A file with what is known of something that the digest `of` stands for: versions, code, types."""

    path: Path
    of: str

    def read(self) -> Any:  # noqa: ANN401 - any JSON value
        """What was kept; None where there is nothing, it is of something else, or is not as it was written."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            content = json.loads(self.path.read_bytes())
            if content["of"] == self.of and content["sum"] == digest(content["kept"]):
                return content["kept"]
        return None

    def write(self, kept: object) -> None:
        """Keep it; a folder that cannot be written costs time on the next run."""
        with suppress(StateUnreadable):
            write_whole(self.path, json.dumps({"of": self.of, "sum": digest(kept), "kept": kept}), durable=False)
