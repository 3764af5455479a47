"""Rendered code, run the way the sandbox runs it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd


def found_by(code: str, frames: Mapping[str, pd.DataFrame], now: pd.Timestamp, utc_now: pd.Timestamp) -> pd.DataFrame:
    """What the code binds to `violations`."""
    namespace: dict[str, object] = {"pd": pd, "np": np, "now": now, "utc_now": utc_now}
    namespace |= {name: frame.copy() for name, frame in frames.items()}
    exec(code, namespace)
    violations = namespace["violations"]
    assert isinstance(violations, pd.DataFrame)
    return violations
