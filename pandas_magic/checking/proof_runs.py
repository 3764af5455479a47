"""The compiler's own code run on all cases of a proof at once: one execution where there would be a dozen."""

from collections.abc import Mapping, Sequence
from textwrap import indent

import pandas as pd

from kernel_sandbox import SandboxError, SandboxUnavailable
from pandas_magic.checking.finder import Finder
from pandas_magic.checking.own_code import moments_in_code
from pandas_magic.checking.prover import Case
from pandas_magic.clock import Instant
from pandas_magic.constraints import identifier

# The tables of each case have names of their own, so that those of the check stay as they are.
_PROGRAM = """def _case({tables}):
{code}
    return violations
_rows = [{calls}]
assert all(_each.index.dtype.kind in "iu" for _each in _rows if len(_each))
_found = pd.DataFrame({{
    "case": np.repeat(range(len(_rows)), [len(_each) for _each in _rows]),
    "position": np.array([position for _each in _rows for position in _each.index], dtype="int64"),
}})
del _case, _rows, {staged}
"""


def run_on_all(code: str, cases: Sequence[Case], finder: Finder, instant: Instant) -> dict[int, pd.DataFrame]:
    """What `code`, which the compiler wrote, finds in each case, by its place: rows of which only the index is known.

    Nothing where it raises or ends in any of them, so that each is to be tried by itself.

    Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
    """
    frames = {id(frame): frame for case in cases for frame in case.frames.values()}
    names = {key: f"_planted_{number}" for number, key in enumerate(frames)}
    if len({frozenset(case.frames) for case in cases}) != 1:
        return {}
    bench = finder.bench
    try:
        bench.make_room()
        sandbox = bench.own_sandbox(finder.catalog)
        for key, frame in frames.items():
            bench.hand_over_once(names[key], frame)
        program = moments_in_code(instant) + _program(code, cases, names)
        execution = sandbox.execute(program, wall_seconds=finder.settings.wall_seconds)
        if execution.status == "ok":
            found = sandbox.fetch_frame("_found")
            return {number: _at(found, number) for number in range(len(cases))}
    except SandboxUnavailable:
        raise
    except SandboxError:
        pass
    bench.forget()
    return {}


def _program(code: str, cases: Sequence[Case], names: Mapping[int, str]) -> str:
    calls = [
        ", ".join(f"{identifier(name)}={names[id(frame)]}" for name, frame in case.frames.items()) for case in cases
    ]
    return _PROGRAM.format(
        tables=", ".join(map(identifier, cases[0].frames)),
        code=indent(code, "    "),
        calls=", ".join(f"_case({call})" for call in calls),
        staged=", ".join(names.values()),
    )


def _at(found: pd.DataFrame, number: int) -> pd.DataFrame:
    return pd.DataFrame(index=pd.Index(found["position"][found["case"] == number], dtype="int64"))
