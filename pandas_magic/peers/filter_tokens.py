"""A row filter of a peer, SQL or pandas' query, as tokens with their places."""

import ast
import re
from dataclasses import dataclass

from pandas_magic.peers.crossing_records import CannotRead

_SQL = re.compile(
    r"""(?P<space>\s+)
  | (?P<text>'(?:[^']|'')*')
  | (?P<name>"(?:[^"]|"")+"|`[^`]+`|\[[A-Za-z_]\w*\]|[A-Za-z_]\w*)
  | (?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)
  | (?P<mark><=|>=|<>|!=|==|::|[-+*/=<>(),.%])""",
    re.VERBOSE,
)
_QUERY = re.compile(
    r"""(?P<space>\s+)
  | (?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
  | (?P<name>`[^`]+`|[^\W\d]\w*)
  | (?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)
  | (?P<mark><=|>=|!=|==|[-+*/=<>(),.\[\]&|~])""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A piece of a filter. `value` is a text's or number's own value, or a name without its quotes."""

    kind: str  # text, name, quoted (a name in quotes), number, mark, end
    value: str | int | float
    place: int  # characters from the start

    @property
    def word(self) -> str:
        """The mark, or the bare word in lower case; empty for anything else."""
        return str(self.value).lower() if self.kind in ("name", "mark") else ""


def tokens_of(text: str, *, sql: bool) -> list[Token]:
    """The tokens of the filter, spaces left out, an "end" behind them.

    Raises: CannotRead at a character that no filter of ours has.
    """
    found, at, pattern = [], 0, _SQL if sql else _QUERY
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise CannotRead(f"{text[at : at + 20]!r} at character {at + 1} of {text!r} is not understood")
        if match.lastgroup != "space":
            found.append(_token(str(match.lastgroup), match.group(), at, sql=sql))
        at = match.end()
    return [*found, Token("end", "", len(text))]


def _token(kind: str, text: str, place: int, *, sql: bool) -> Token:
    if kind == "text":
        return Token(kind, text[1:-1].replace("''", "'") if sql else str(ast.literal_eval(text)), place)
    if kind == "number":
        return Token(kind, int(text) if text.isdigit() else float(text), place)
    if kind == "name" and text[0] in '"`[':
        return Token("quoted", text[1:-1].replace('""', '"'), place)
    return Token(kind, text, place)
