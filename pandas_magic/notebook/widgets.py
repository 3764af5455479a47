"""The widgets of our panels: the only place that knows ipywidgets, whose names are made at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets
from IPython.display import display

widgets: Any = ipywidgets  # out of sight of type checkers

ROW = {"flex_flow": "row wrap", "align_items": "center"}
HIDDEN, SHOWN = "none", "flex"


def button(text: str, tip: str, **said: Any) -> Any:  # noqa: ANN401 - ipywidgets carries no types
    """A button as wide as its text."""
    return widgets.Button(description=text, tooltip=tip, layout={"width": "auto"}, **said)


def menu(text: str, options: Any) -> Any:  # noqa: ANN401 - ipywidgets carries no types
    """A choice of one, with its label."""
    layout = {"width": "auto", "min_width": "220px", "max_width": "100%"}
    return widgets.Dropdown(description=text, options=options, layout=layout, style={"description_width": "60px"})


def show(widget: Any) -> None:  # noqa: ANN401 - ipywidgets carries no types
    """Show a widget where widgets are; elsewhere nothing, in place of its name and the numbers of its parts."""
    bundle = widget._repr_mimebundle_()
    display({kind: data for kind, data in bundle.items() if kind != "text/plain"}, raw=True)


def row(*parts: Any, **layout: str) -> Any:  # noqa: ANN401 - ipywidgets carries no types
    """Widgets beside each other, on more lines where there is no room."""
    return widgets.HBox(list(parts), layout=ROW | layout)


def pile(parts: Sequence[Any], **layout: str) -> Any:  # noqa: ANN401 - ipywidgets carries no types
    """Widgets below each other."""
    return widgets.VBox(list(parts), layout=layout)
