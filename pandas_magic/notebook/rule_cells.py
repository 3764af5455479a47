"""A cell with one rule, or with a list of rules, as requests for checks."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.magic_lines import comma_separated

if TYPE_CHECKING:
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.workspace import Workspace


_NO_RULE = (
    "the cell holds no rule; write one as a sentence below the first line, such as: orders.user_id must exist in "
    "users.user_id"
)


def requests_of(options: Namespace, cell: str, workspace: Workspace) -> list[CheckRequest]:
    """One request per rule of the cell. Of several rules under one id, the n-th has the id with "-n" behind it.

    Raises: UsageMistake when there is no rule, or when a new check would be called as a table is.
    """
    from pandas_magic.planner.language import split_rules
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.registry.deciding import bands_of

    rules = split_rules(cell)
    if not rules:
        raise UsageMistake(_NO_RULE)
    if options.id in workspace.table_names() and options.id not in workspace.check_ids():
        raise UsageMistake(
            f"{options.id} is a table, and the word behind %%check is the id of the check; write "
            f"%%check --target {options.id}, or another id"
        )
    bands = bands_of(options.warn, options.fail)
    return [
        CheckRequest(
            rule=rule,
            id=check_id,
            name=options.name,
            tables=comma_separated(options.tables),
            target=options.target,
            severity=options.severity,
            owner=options.owner,
            bands=bands,
            tags=None if options.tags is None else comma_separated(options.tags),
            unproved_allowed=options.unproven,
        )
        for rule, check_id in zip(rules, _ids(options.id, len(rules)), strict=True)
    ]


def show_language() -> None:
    """Display the page of the rule language, as the grammar's data files make it."""
    from IPython.display import Markdown, display

    from pandas_magic.planner.language.page import language_page

    display(Markdown(language_page()))


def _ids(said: str | None, count: int) -> list[str | None]:
    if count == 1 or not said:
        return [said] * count
    return [f"{said}-{number}" for number in range(1, count + 1)]
