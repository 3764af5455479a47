"""Findings in a list, each with a button that makes it a check: the sentence opens below it, to be read and changed.

A table of 300 columns has a thousand findings, and each widget costs the page some time: the list has eight lines, and
pages, and a widget is made when there is something for it to show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from pandas_magic.notebook.widgets import HIDDEN, SHOWN, button, menu, pile, row, widgets
from pandas_magic.reporters.value_text import one_line

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.explore.proposal import Proposal

LINES = 8
_EVERY = "every kind"
_MAKE = "Make this a check"


class FindingList:
    """Findings with their buttons. `on_make` is called with this list when a person agreed to a sentence."""

    def __init__(self, title: str, on_make: Callable[[FindingList], None], *, made: dict[str, str]) -> None:
        self._proposals: tuple[Proposal, ...] = ()
        self._page, self._open = 0, ""
        self._made = made  # sentence -> id of the check made of it, shared by all lists of a panel
        self._title, self._on_make = title, on_make
        self.texts: list[Any] = []
        self.buttons: list[Any] = []
        self.lines: list[Any] = []
        self.widget = pile([], display=HIDDEN)

    def _make_widgets(self) -> None:
        self.kinds = menu("Show", [_EVERY])
        self.where = widgets.HTML(layout={"flex": "0 0 auto"})
        self.back, self.forth = button("◀", "Earlier findings"), button("▶", "Further findings")
        self.pages = row(self.kinds, self.back, self.where, self.forth)
        self.body = pile([])
        self.kinds.observe(lambda _: self._turn_to(0), "value")
        self.back.on_click(lambda _: self._turn_to(self._page - 1))
        self.forth.on_click(lambda _: self._turn_to(self._page + 1))
        self.widget.children = [widgets.HTML(f"<b>{escape(self._title)}</b>"), self.pages, self.body]

    @cached_property
    def editor(self) -> Any:  # noqa: ANN401 - ipywidgets carries no types
        """What opens below a finding."""
        self.sentence = widgets.Textarea(rows=2, layout={"width": "100%"}, placeholder="A rule in a sentence")
        self.make = button("Compile, prove and insert", "Nothing is kept that was not proved", button_style="primary")
        self.cancel = button("Close", "Leave the sentence")
        self.said = widgets.HTML()
        self.cancel.on_click(lambda _: self.close())
        self.make.on_click(lambda _: self._on_make(self))
        editor = pile([self.sentence, row(self.make, self.cancel), self.said], width="100%")
        editor.add_class("pm-eda-editor")
        return editor

    def _make_lines(self, count: int) -> None:
        for at in range(len(self.lines), min(count, LINES)):
            self.texts.append(widgets.HTML(layout={"flex": "1 1 240px"}))
            self.buttons.append(button(_MAKE, "Open its sentence", icon="check"))
            self.lines.append(row(self.texts[at], self.buttons[at], width="100%"))
            self.buttons[at].on_click(lambda _, at=at: self._toggle(at))

    def fill(self, proposals: Sequence[Proposal]) -> None:
        """Show these findings, from the first one; a sentence that is being written stays open if it is among them."""
        self._proposals = tuple(proposals)
        self.widget.layout.display = SHOWN if proposals else HIDDEN
        if not self.widget.children and not proposals:
            return
        if not self.widget.children:
            self._make_widgets()
        self._make_lines(len(proposals))
        chosen, is_written = self.kinds.value, any(each.sentence == self._open for each in proposals)
        kinds = (_EVERY, *dict.fromkeys(proposal.kind for proposal in proposals))
        if kinds != tuple(self.kinds.options):
            self.kinds.options = kinds
            self.kinds.value = chosen if chosen in kinds else _EVERY
        if is_written:
            self._refresh()
        else:
            self._turn_to(0)

    def show_result(self, content: str) -> None:
        """Show below the open sentence how it stands with it."""
        self.said.value = content

    def show_check(self, result: Result) -> None:
        """Show the check that became of the open sentence; its finding names it from now on."""
        from pandas_magic.reporters.card import card_of
        from pandas_magic.reporters.html import html

        self.said.value = html(card_of(result))
        self._made[self._open] = result.run.check_id
        self._refresh()

    def refresh(self) -> None:
        """Show what became a check elsewhere."""
        if self.widget.children:
            self._refresh()

    def close(self) -> None:
        """Close the open sentence."""
        if self._open:
            self._open, self.said.value = "", ""
        self._refresh()

    def _chosen(self) -> list[Proposal]:
        return [each for each in self._proposals if self.kinds.value in (_EVERY, each.kind)]

    def _turn_to(self, page: int) -> None:
        last = max(0, (len(self._chosen()) - 1) // LINES)
        self._page = max(0, min(page, last))
        self.close()

    def _shown(self) -> list[Proposal]:
        return self._chosen()[self._page * LINES : (self._page + 1) * LINES]

    def _toggle(self, at: int) -> None:
        proposal = self._shown()[at]
        if self._open == proposal.sentence:
            self.close()
            return
        editor, self._open = self.editor, proposal.sentence
        self.sentence.value, self.said.value = proposal.sentence, ""
        self._refresh()
        assert editor in self.body.children
        self.sentence.focus()

    def _refresh(self) -> None:
        shown, every, parts = self._shown(), self._chosen(), []
        for line, text, opener, proposal in zip(self.lines, self.texts, self.buttons, shown, strict=False):
            text.value = _in_words(proposal)
            made = self._made.get(proposal.sentence)
            opener.description, opener.icon = (f"✓ {made}", "") if made else (_MAKE, "check")
            # The label of a button is what a screen reader says: eight equal ones would say nothing.
            opener.tooltip = one_line(f"{proposal.kind} of {proposal.column}: {proposal.because}")
            parts.append(line)
            if proposal.sentence == self._open:
                parts.append(self.editor)
        self.body.children = parts
        first = self._page * LINES
        self.where.value = f"{min(first + 1, len(every))} to {first + len(shown)} of {len(every)}"
        self.back.disabled, self.forth.disabled = first == 0, first + len(shown) >= len(every)
        self.pages.layout.display = SHOWN if len(self._proposals) > LINES else HIDDEN


def _in_words(proposal: Proposal) -> str:
    sign, word = ("✓", "holds today") if proposal.holds else ("⚠", "broken today")
    told: Any = escape(one_line(proposal.because, at_most=160))
    name = escape(one_line(proposal.column, at_most=40) or "whole rows")
    return f'<span title="{word}">{sign}</span> <b>{name}</b> · {escape(proposal.kind)} · {told}'
