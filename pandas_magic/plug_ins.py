"""What other packages bring by entry points: `pandas_magic.planners`, `pandas_magic.executors`."""

from importlib.metadata import entry_points
from typing import Any

from pandas_magic.errors import NoSuchName, UsageMistake


def load_plug_in(kind: str, name: str, *, ours: str) -> Any:  # noqa: ANN401 - whatever a package registers
    """What a package registered under the group `pandas_magic.KINDs` and this name; `ours` is the one there always is.

    Raises: NoSuchName with the names there are; UsageMistake when the package that brings it does not load.
    """
    found = {point.name: point for point in entry_points(group=f"pandas_magic.{kind}s")}
    if name not in found:
        raise NoSuchName(kind, name, sorted({ours, *found}), within="this installation")
    try:
        return found[name].load()
    except Exception as error:
        # Whatever a package raises while it is imported: the person must learn which one it is.
        raise UsageMistake(f'{kind} "{name}" ({found[name].value}) does not load: {error}') from error
