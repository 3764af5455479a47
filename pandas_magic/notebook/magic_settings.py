"""`%config PandasMagic.base_dir = "backend"`, `%config PandasMagic.max_files = 3`: a notebook's folder and settings."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets import Any as Anything
from traitlets import TraitError, Unicode, validate
from traitlets.config import Configurable

from pandas_magic.errors import UsageMistake
from pandas_magic.settings import Settings, setting_names

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.workspace import Workspace


class PandasMagic(Configurable):
    """What `%config PandasMagic` and IPython's configuration files may set."""

    base_dir = Unicode("", help="The folder of tables and checks; empty: the current folder.").tag(config=True)

    # Every setting by its name; what is not set here is as the environment and pyproject.toml have it.
    locals().update({name: Anything(help="See docs/settings.md.").tag(config=True) for name in setting_names()})

    @validate(*setting_names())
    def _is_a_setting(self, proposal: Mapping[str, Any]) -> object:
        try:
            Settings.load(self._folder(), given={proposal["trait"].name: proposal["value"]})
        except UsageMistake as error:
            raise TraitError(f"PandasMagic: {error}") from error
        said: object = proposal["value"]
        return said

    @validate("base_dir")
    def _is_a_folder(self, proposal: Mapping[str, object]) -> str:
        folder = str(proposal["value"])
        if folder and not Path(folder).expanduser().is_dir():
            raise TraitError(f"PandasMagic.base_dir: {folder} is no folder; name the one that holds data and checks")
        return folder

    def open(self, namespace: Mapping[str, object]) -> "Workspace":
        """The workspace of the folder that is set, with the DataFrames of `namespace` among its tables."""
        from pandas_magic.workspace import Workspace

        return Workspace.open(self._folder(), namespace=namespace, settings=self._given())

    def settings(self) -> Settings:
        """The settings of that workspace, as they are now. Raises: UsageMistake."""
        return Settings.load(self._folder().resolve(), given=self._given())

    def _given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in setting_names() if getattr(self, name) is not None}

    def _folder(self) -> Path:
        return Path(self.base_dir).expanduser() if self.base_dir else Path()


def configured(shell: "InteractiveShell", on_change: Callable[[], None]) -> PandasMagic:
    """The configuration of a shell, known to its `%config`; `on_change` is called when any of it changes."""
    configuration = PandasMagic(parent=shell)
    configuration.observe(lambda _: on_change(), ["base_dir", *setting_names()])
    forget_configuration(shell)
    # IPython types the list as if it held shells only.
    known: Any = shell.configurables
    known.append(configuration)
    return configuration


def forget_configuration(shell: "InteractiveShell") -> None:
    """Take our configuration away from the shell's `%config`."""
    shell.configurables[:] = [one for one in shell.configurables if not isinstance(one, PandasMagic)]
