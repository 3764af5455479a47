"""What tables hold, told by a model: only names and numbers that it was told may stand in its words."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pandas_magic.catalog.table import Table
from pandas_magic.errors import AnswerUnusable, ModelError
from pandas_magic.planner.model.disclosure import DATA_RULE, described, in_words
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import Disclosure
from pandas_magic.planner.model.prompts import Prompt
from pandas_magic.planner.model.told_numbers import Known, strike_unfounded

_LONGEST = 800  # characters; a page is no summary
_QUOTED = re.compile(r'"([^"]+)"')
_TASK = f"""You describe a table for people who have never seen it. {DATA_RULE}
Write one paragraph of 2 to 4 plain sentences: what a row stands for, what the columns say of it, and what links it to
other tables if a name shows that. Use only what the data block says, with its numbers as they stand; compute none, and
do not guess what it does not say. Put names of tables and columns and texts that occur in double quotes. No list, no
heading."""


@contextmanager
def telling_of(
    tables: Mapping[str, Table], model: Model, on_progress: Callable[[str], None]
) -> Iterator[Callable[[Table], str]]:
    """A function that gives the model's paragraph on one of the tables, inside the budget of one request.

    It gives "" where the model cannot say, or says what it was not told. After an answer that did not come, the other
    tables are not asked for. First rows are not told at any level.
    """
    configuration = model.configuration
    level: Disclosure = "schema" if configuration.disclosure == "schema" else "stats"
    unanswered = False

    def paragraph(table: Table) -> str:
        nonlocal unanswered
        if unanswered:
            return ""
        on_progress(f"telling {configuration.model} at {configuration.host} of {table.name}: {in_words(level)}")
        block = described({table.name: table}, level)
        try:
            text = " ".join(model.ask(Prompt.of("other", _TASK, block)).text.split())
        except AnswerUnusable:
            return ""
        except ModelError as error:
            unanswered = True
            on_progress(f"without the model: {error}")
            return ""
        return text if is_founded(text, tables, block) else ""

    with model.request("table summaries", on_notice=on_progress):
        yield paragraph


def is_founded(text: str, tables: Collection[str], told: str) -> bool:
    """Whether a paragraph is no longer than one, and every number and quoted name in it is in the data block `told`."""
    content = json.loads(told.removeprefix("<data>").removesuffix("</data>"))
    known = {*tables, *_texts(content)}
    quoted = [name.rstrip(".,;:") for name in _QUOTED.findall(text)]
    # A number that a text of the data holds is the text's own claim; it may stand in quotes, with that text.
    _, unfounded = strike_unfounded(_QUOTED.sub(" ", text), Known(None, _without_texts(content), names=known))
    return 0 < len(text) <= _LONGEST and not unfounded and known.issuperset(quoted)


def _without_texts(content: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(content, dict):
        return {name: _without_texts(value) for name, value in content.items()}
    if isinstance(content, list):
        return [_without_texts(value) for value in content]
    return None if isinstance(content, str) else content


def _texts(content: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    if isinstance(content, str):
        yield content
    elif isinstance(content, (dict, list)):
        for part in content.values() if isinstance(content, dict) else content:
            yield from _texts(part)
