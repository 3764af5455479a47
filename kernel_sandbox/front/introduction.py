"""What the kernel says of itself: known here, so that it is answered at once and the code has no say in it."""

import platform
from collections.abc import Sequence
from importlib.metadata import version

from kernel_sandbox.front.strict_json import Json
from kernel_sandbox.policy import Policy

# Files cannot be read any more once the front is locked.
_IPYTHON = version("ipython")
_PYTHON = platform.python_version()


def kernel_info(policy: Policy, layers: Sequence[str] | None) -> Json:
    """The content of a kernel_info_reply; `layers` are the locks seen to hold, None while nothing runs yet."""
    return {
        "status": "ok",
        "protocol_version": "5.3",
        "implementation": "ipython",
        "implementation_version": _IPYTHON,
        "language_info": {
            "name": "python",
            "version": _PYTHON,
            "mimetype": "text/x-python",
            "codemirror_mode": {"name": "ipython", "version": 3},
            "pygments_lexer": "ipython3",
            "nbconvert_exporter": "python",
            "file_extension": ".py",
        },
        "banner": f"Python {_PYTHON}, IPython {_IPYTHON}\n{_confinement(policy, layers)}\n",
        "help_links": [],
        "supported_features": [],
    }


def _confinement(policy: Policy, layers: Sequence[str] | None) -> str:
    if policy.isolation == "none":
        return 'NOT confined: the policy says isolation="none"'
    if layers is None:
        return "Confined: no cell runs before every lock was seen from outside"
    return f"Confined, as seen from outside, by: {', '.join(layers)}"
