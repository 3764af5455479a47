"""A confined Jupyter kernel: run code you did not write, with the locks of the operating system.

Names load on first use, so that `import kernel_sandbox` costs next to nothing; a confined process imports only the
modules that it needs.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernel_sandbox.client.execution import Display as Display
    from kernel_sandbox.client.execution import Execution as Execution
    from kernel_sandbox.errors import FetchError as FetchError
    from kernel_sandbox.errors import SandboxDied as SandboxDied
    from kernel_sandbox.errors import SandboxError as SandboxError
    from kernel_sandbox.errors import SandboxUnavailable as SandboxUnavailable
    from kernel_sandbox.errors import StageError as StageError
    from kernel_sandbox.keeper.attestation import Confinement as Confinement
    from kernel_sandbox.policy import Limits as Limits
    from kernel_sandbox.policy import Policy as Policy
    from kernel_sandbox.probe import doctor as doctor
    from kernel_sandbox.sandbox import Sandbox as Sandbox
    from kernel_sandbox.tables.transfer import StagedTable as StagedTable

_HOME = {
    "Confinement": "keeper.attestation",
    "Display": "client.execution",
    "Execution": "client.execution",
    "FetchError": "errors",
    "Limits": "policy",
    "Policy": "policy",
    "Sandbox": "sandbox",
    "SandboxDied": "errors",
    "SandboxError": "errors",
    "SandboxUnavailable": "errors",
    "StageError": "errors",
    "StagedTable": "tables.transfer",
    "doctor": "probe",
}

# Their modules need calls that other systems lack.
_LINUX_ONLY = ("keeper.attestation", "sandbox", "tables.transfer")

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    if _HOME[name] in _LINUX_ONLY and not sys.platform.startswith("linux"):
        from kernel_sandbox.errors import not_linux

        raise not_linux()
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
