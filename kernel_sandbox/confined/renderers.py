"""Figures of libraries as data, where the libraries would send scripts."""

import sys
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

# What JupyterLab draws; it takes figures of later versions under this name too.
_VEGA_LITE = "application/vnd.vegalite.v5+json"
_VERSIONS = ("v5", "v6")
_AS_SCRIPT_OR_DATA = ("default", "mimetype")


def show_altair_as_data(shell: InteractiveShell) -> None:
    """Have charts of Altair, once somebody imports it, shown as Vega-Lite with their data in it.

    A renderer that the code chooses itself (`alt.renderers.enable("png")`) stays in force.
    """
    formatter = shell.display_formatter.mimebundle_formatter  # type: ignore[union-attr] # made with the shell
    for version in _VERSIONS:
        formatter.for_type_by_name(f"altair.vegalite.{version}.api", "TopLevelMixin", _altair_bundle)


def _altair_bundle(chart: Any, include: object = None, exclude: object = None) -> Any:  # noqa: ANN401 - a bundle of mimetypes
    if sys.modules["altair"].renderers.active not in _AS_SCRIPT_OR_DATA:
        return chart._repr_mimebundle_(include, exclude)
    return {_VEGA_LITE: chart.to_dict(), "text/plain": repr(chart)}
