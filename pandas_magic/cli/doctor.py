"""`pandas-magic doctor`: what a maintainer would ask about an installation, and what the machine enforces."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic import __version__

if TYPE_CHECKING:
    from kernel_sandbox.probe import DoctorReport
    from pandas_magic.reporters.terminal import Terminal

_DONE, _ERROR = 0, 3
_OURS = "pandas-magic"
_REQUIREMENT = re.compile(r"(?P<package>[\w.-]+)[^;]*(?:;.*extra == ['\"](?P<extra>[\w-]+)['\"])?")
# Extras of other extras, and what only contributors need.
_NOT_ASKED = ("all", "test", "docs")

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_doctor(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    command(
        "doctor", _doctor, "tell versions, extras, settings and what this machine can enforce; for reports of a fault"
    )


def _doctor(options: argparse.Namespace, terminal: Terminal) -> int:
    from kernel_sandbox import doctor

    packages, settings, machine = _packages(), _settings(Path(options.workspace)), doctor()
    if options.json:
        told = {"version": __version__, "packages": packages, "settings": settings, "machine": asdict(machine)}
        terminal.facts(told)
    else:
        terminal.say(_words(packages, settings, machine))
    return _DONE if machine.works else _ERROR


def _words(packages: dict[str, dict[str, str]], settings: dict[str, str], machine: DoctorReport) -> str:
    """The report for people: it holds no path, no name of a table, and no value of a secret."""
    lines = [f"{_OURS} {__version__}"]
    for extra, found in packages.items():
        told = ", ".join(f"{name} {installed or 'missing'}" for name, installed in found.items())
        hint = f"  (pip install '{_OURS}[{extra}]')" if extra and not all(found.values()) else ""
        lines.append(f"{extra or 'always':12}{told}{hint}")
    lines += [
        f"{'settings':12}{', '.join(f'{name}={value}' for name, value in settings.items()) or 'as without any'}",
        "",
    ]
    return "\n".join([*lines, str(machine)])


def _packages() -> dict[str, dict[str, str]]:
    """Extra -> package -> installed version, "" where it is missing; the extra "" is what is always needed."""
    found: dict[str, dict[str, str]] = {}
    for line in requires(_OURS) or ():
        said = _REQUIREMENT.match(line)
        if said and said["package"] != _OURS and said["extra"] not in _NOT_ASKED:
            found.setdefault(said["extra"] or "", {})[said["package"]] = _installed(said["package"])
    return dict(sorted(found.items()))


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _settings(folder: Path) -> dict[str, str]:
    """The settings that somebody changed."""
    from pandas_magic.settings import SECRETS, Settings

    loaded = Settings.load(folder)
    changed = (name for name in Settings.model_fields if getattr(loaded, name) != getattr(Settings(), name))
    return {name: "set" if name in SECRETS else str(getattr(loaded, name)) for name in changed}
