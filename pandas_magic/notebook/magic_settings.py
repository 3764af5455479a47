"""`%config PandasMagic.base_dir = "backend"`: the folder of tables and checks, where it is not that of the notebook."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets import TraitError, Unicode, validate
from traitlets.config import Configurable

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.workspace import Workspace


class PandasMagic(Configurable):
    """What `%config PandasMagic` and IPython's configuration files may set."""

    base_dir = Unicode("", help="The folder of tables and checks; empty: the current folder.").tag(config=True)

    @validate("base_dir")
    def _is_a_folder(self, proposal: Mapping[str, object]) -> str:
        folder = str(proposal["value"])
        if folder and not Path(folder).expanduser().is_dir():
            raise TraitError(f"PandasMagic.base_dir: {folder} is no folder; name the one that holds data and checks")
        return folder

    def open(self, namespace: Mapping[str, object]) -> "Workspace":
        """The workspace of the folder that is set, with the DataFrames of `namespace` among its tables."""
        from pandas_magic.workspace import Workspace

        return Workspace.open(Path(self.base_dir).expanduser() if self.base_dir else None, namespace=namespace)


def configured(shell: "InteractiveShell", on_other_folder: Callable[[], None]) -> PandasMagic:
    """The configuration of a shell, known to its `%config`; `on_other_folder` is called when the folder changes."""
    configuration = PandasMagic(parent=shell)
    configuration.observe(lambda _: on_other_folder(), "base_dir")
    forget_configuration(shell)
    # IPython types the list as if it held shells only.
    known: Any = shell.configurables
    known.append(configuration)
    return configuration


def forget_configuration(shell: "InteractiveShell") -> None:
    """Take our configuration away from the shell's `%config`."""
    shell.configurables[:] = [one for one in shell.configurables if not isinstance(one, PandasMagic)]
