"""`%checks suggest`: what is offered in a notebook, and what of it is kept."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pandas_magic.errors import UsageMistake
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.card import badge_of
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted
from pandas_magic.suggestions.asking import suggestions_for
from pandas_magic.suggestions.trying import chosen_of, keep

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.reporters.bundle import Results


def shown(session: NotebookSession, options: Namespace) -> Listing:
    """The checks offered, by numbers that `--keep` takes; each with what it finds now."""
    if len(options.words) > 1:
        raise UsageMistake("%checks suggest takes one table, one file, the id of a check, or history")
    what = options.words[0] if options.words else None
    with session.progress() as on_progress:
        found = suggestions_for(session.workspace, what, target=options.table, on_progress=on_progress)
    session.suggested = tuple(one.sentence for one in found.offered)
    rows = tuple(
        (
            str(number),
            one.sentence,
            badge_of(one.run),
            f"{one.run.violation_count:,}" if one.run.violation_count is not None else "",
            f"{one.place}: {one.because}" + (f" (it is {one.kept_as} already)" if one.kept_as else ""),
        )
        for number, one in enumerate(found.offered, 1)
    )
    title = f"{counted(len(rows), 'check')} offered" + "; keep some: %checks suggest --keep 1,2" * bool(rows)
    title += "".join(f". Not offered: {one.line()}" for one in found.withheld)
    header = ("number", "rule", "now", "failing rows", "why")
    return Listing(title, header, rows, frozenset({"failing rows"}), verdicts="now")


def kept(session: NotebookSession, options: Namespace) -> Result | Results | None:
    """Those of the checks offered last that are named, kept, compiled and run."""
    if not session.suggested:
        raise UsageMistake("nothing was offered yet, so that nothing can be kept; begin with %checks suggest")
    rules = chosen_of(session.suggested, options.keep)
    matter = session.questions.begin(f"%checks suggest --keep {options.keep}")
    session.refuse_local_frames()
    with session.progress() as on_progress:
        results = keep(session.workspace, [CheckRequest(rule) for rule in rules], on_progress=on_progress)
    session.questions.settle(matter)
    return session.give(list(results), output=options.output)
