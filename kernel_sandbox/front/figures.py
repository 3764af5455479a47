"""Figures of Plotly and Vega as data: JSON made anew, which names no address, no expression and no markup of its own.

The front end draws them with a library of its own. What that library would fetch, evaluate or set as HTML is left out;
a Vega figure that needs an expression is not shown at all, since its points would be others without it.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from kernel_sandbox.front.markup import typeset_problem
from kernel_sandbox.front.tags import names
from kernel_sandbox.front.texts import CONTROLS, visible

Note = Callable[[str], None]
Keep = Callable[[str, object], bool]

_PLOTLY = "application/vnd.plotly.v1+json"
_VEGA = re.compile(r"application/vnd\.vega(?:lite)?\.v\d{1,2}(?:\.\d{1,2}){0,2}[+.]json", re.ASCII)
_DEEPEST, _MOST_VALUES, _KEY_CHARACTERS = 40, 1_000_000, 200
_MOST_WHOLE_NUMBER_BITS = 64
# Names that change the objects of JavaScript itself when a library copies them.
_NO_KEYS = names("__proto__ constructor prototype")
_PLOTLY_PARTS = names("data layout frames")
_PLOTLY_SWITCHES = names("displayModeBar displaylogo editable responsive scrollZoom staticPlot")
# Where Plotly takes a text for the address of something to be fetched.
_PLOTLY_ADDRESSES = names("geojson source sources src href url image style sourceattribution accesstoken")
_PLOTLY_LEFT_OUT = names("images mapbox map")
_VEGA_EXPRESSIONS = names("calculate expr labelExpr test signal signals update init events handlers url href")
# The column that tooltips show as an image, fetched from the address that stands there.
_VEGA_FETCHED = "image"
_VEGA_ROWS = names("datasets values")
_VEGA_SCHEMA = re.compile(r"https://vega\.github\.io/schema/vega(?:-lite)?/v[\d.]{1,12}\.json", re.ASCII)
_VEGA_BINDS = ("scales", "legend")
_TAG = re.compile(r"<(?!/?(?:br|b|i|u|s|em|strong|sub|sup|extra)\s{0,9}/?>)(?=[A-Za-z/!?])")
_PART_OF_KEY = re.compile(r"[^.\[\]]+")


def _spelled(word: str) -> str:
    # Browsers leave tabs and line ends out of an address.
    return r"[\t\r\n]*".join(word)


_ADDRESS = re.compile(
    rf"({'|'.join(map(_spelled, ('http', 'https', 'ws', 'wss', 'ftp', 'file', 'blob')))})(?=[\t\r\n]*:)"
    rf"|(\A\s*(?:{'|'.join(map(_spelled, ('data', 'javascript', 'vbscript')))}))(?=[\t\r\n]*:)"
    r"|(\A\s*[/\\])(?=[\t\r\n]*[/\\])",
    re.IGNORECASE,
)


def is_figure(kind: object) -> bool:
    """True for a mimetype of figures that are data."""
    return isinstance(kind, str) and (kind == _PLOTLY or bool(_VEGA.fullmatch(kind)))


def clean_figure(kind: str, figure: object, note: Note) -> dict[str, Any] | None:
    """The figure made anew, or None, with a note, when it cannot be shown as data."""
    try:
        if not isinstance(figure, Mapping):
            raise _NotDataError("it is no object")
        return _plotly(figure, note) if kind == _PLOTLY else _vega(figure)
    except _NotDataError as refused:
        note(f"a figure was not shown: {refused}")
        return None


def clean_data(value: object, note: Note) -> Any:  # noqa: ANN401 - JSON
    """JSON made anew for a front end that lays it out, or None, with a note, when it is too large."""
    try:
        return _Maker(lambda key, member: True).make(value)
    except _NotDataError as refused:
        note(f"JSON was not shown: {refused}")
        return None


class _NotDataError(ValueError):
    """A figure that is more than data, or more of it than is shown."""


def _plotly(figure: Mapping[Any, Any], note: Note) -> dict[str, Any]:

    def keep(key: str, value: object) -> bool:
        parts = _PART_OF_KEY.findall(key.lower())
        if any(part in _PLOTLY_LEFT_OUT for part in parts):
            note(f"{key[:60]!r} of a figure was left out: it would be fetched from elsewhere")
            return False
        return not (isinstance(value, str) and parts and parts[-1] in _PLOTLY_ADDRESSES)

    shown: dict[str, Any] = _Maker(keep).make({part: figure[part] for part in sorted(_PLOTLY_PARTS & set(figure))})
    config = figure.get("config")
    switches = config if isinstance(config, Mapping) else {}
    shown["config"] = {
        name: switches[name] for name in sorted(_PLOTLY_SWITCHES) if isinstance(switches.get(name), bool)
    }
    if typeset_problem(json.dumps(shown)):
        shown["config"]["typesetMath"] = False
    return shown


def _vega(figure: Mapping[Any, Any]) -> dict[str, Any]:

    def keep(key: str, value: object) -> bool:
        expression = key in _VEGA_EXPRESSIONS or (key == "filter" and isinstance(value, str))
        if expression or (key == "on" and not _is_word(value)) or (key == "bind" and value not in _VEGA_BINDS):
            raise _NotDataError(f"it holds {key!r}, which is code or an address; compute it in pandas instead")
        return key not in ("usermeta", "$schema")

    shown: dict[str, Any] = _Maker(keep, row_keys=_VEGA_ROWS, renamed=_VEGA_FETCHED).make(figure)
    schema = figure.get("$schema")
    if isinstance(schema, str) and _VEGA_SCHEMA.fullmatch(schema):
        shown["$schema"] = schema
    return shown


class _Maker:
    """JSON made anew: `keep` says of each member whether it stays. Rows of tables have the names of their columns.

    The text `renamed` gets a blank wherever it stands, so that what refers to a column of that name still does.
    """

    def __init__(self, keep: Keep, *, row_keys: frozenset[str] = frozenset(), renamed: str = "") -> None:
        self._keep, self._row_keys, self._renamed = keep, row_keys, renamed
        self._values = 0

    def make(self, value: object, *, in_rows: bool = False, depth: int = 0) -> Any:  # noqa: ANN401 - JSON
        """The value with its texts cleaned and its numbers finite."""
        self._values += 1
        if depth > _DEEPEST or self._values > _MOST_VALUES:
            raise _NotDataError(f"it is nested deeper than {_DEEPEST} or has more than {_MOST_VALUES:,} values")
        match value:
            case None | bool():
                return value
            case int():
                return value if value.bit_length() <= _MOST_WHOLE_NUMBER_BITS else None
            case float():
                return value if math.isfinite(value) else None
            case str():
                return self._text(value)
            case list():
                return [self.make(one, in_rows=in_rows, depth=depth + 1) for one in value]
            case Mapping():
                return self._members(value, in_rows, depth)
        raise _NotDataError(f"it holds a {type(value).__name__}")

    def _members(self, value: Mapping[Any, Any], in_rows: bool, depth: int) -> dict[str, Any]:
        kept = {}
        for key, one in value.items():
            if not isinstance(key, str) or len(key) > _KEY_CHARACTERS or key in _NO_KEYS:
                continue
            if in_rows or self._keep(key, one):
                kept[self._text(key)] = self.make(one, in_rows=in_rows or key in self._row_keys, depth=depth + 1)
        return kept

    def _text(self, text: str) -> str:
        """The text with no address that a browser would fetch, and no tags but those of plain emphasis."""
        text = visible(CONTROLS.sub("", text)).encode("utf-8", "replace").decode("utf-8")
        text = _TAG.sub("< ", _ADDRESS.sub(lambda found: f"{found[0]} ", text))
        return f"{text} " if text == self._renamed else text


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isalpha()
