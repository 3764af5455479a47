"""Tables about the workspace (its checks, its tables) as one output in HTML, Markdown and text."""

from dataclasses import dataclass
from html import escape
from typing import Any

from pandas_magic.reporters.html import framed, html_table
from pandas_magic.reporters.markdown import escaped, table_of_markdown
from pandas_magic.reporters.plain import columns_of_text
from pandas_magic.reporters.value_text import one_line


@dataclass(frozen=True)
class Listing:
    """Rows of texts under a header, with a line that sums them up.

    `numeric` names the columns set to the right, `verdicts` that of verdicts; `metadata` goes with the output, unseen.
    """

    summary: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[str] = frozenset()
    metadata: tuple[tuple[str, Any], ...] = ()
    verdicts: str = ""

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        data = {"text/html": self.html(), "text/markdown": self.markdown(), "text/plain": self.plain()}
        return data, {"pandas_magic": dict(self.metadata)} if self.metadata else {}

    def __repr__(self) -> str:
        return self.plain()

    def html(self) -> str:
        """The table in the frame of our style."""
        right = self._to_the_right()
        table = html_table(self._lines(), to_the_right=right, verdicts=self.verdicts) if self.rows else ""
        return framed(f"<p>{escape(one_line(self.summary))}</p>\n{table}")

    def markdown(self) -> str:
        """The table as Markdown."""
        table = table_of_markdown(self._lines(), to_the_right=self._to_the_right()) if self.rows else ""
        return f"{escaped(one_line(self.summary))}\n\n{table}\n"

    def plain(self) -> str:
        """The table as aligned lines."""
        table = columns_of_text(self._lines(), to_the_right=self._to_the_right()) if self.rows else ""
        return f"{one_line(self.summary)}\n{table}".rstrip("\n")

    def _lines(self) -> list[tuple[str, ...]]:
        return [self.header, *(tuple(map(one_line, row)) for row in self.rows)]

    def _to_the_right(self) -> list[bool]:
        return [name in self.numeric for name in self.header]
