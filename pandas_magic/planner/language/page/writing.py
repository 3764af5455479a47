"""The parts of the page as markdown."""

import re
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import FORMATS, render_code
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.compiler import Understood, compile_rule
from pandas_magic.planner.language.linking.cues import words_of_formats
from pandas_magic.planner.language.strict import the_grammar
from pandas_magic.record import Record

_HERE = Path(__file__).parent
_SAYABLE = "What a rule can say"
_ASKED = "asked"  # the sample of sentences about which a person is asked


class Form(Record):
    """One thing that a rule can say: its title, the table that it is about, and sentences that all say it.

    `note` is what the sentences alone do not tell, as markdown; "" where they tell all.
    """

    title: str
    table: str
    sentences: tuple[str, ...]
    note: str = ""


class Unsaid(Record):
    """One thing that no rule can say: an example that is refused, and a rule that comes near; "" where none does."""

    subject: str
    table: str
    sentence: str
    instead: str = ""


class Sample(Record):
    """Sentences about one table that stand together on the page under a name, each with how it is read."""

    name: str
    table: str
    sentences: tuple[str, ...]


def _content() -> dict[str, Any]:
    return tomllib.loads((_HERE / "page.toml").read_text(encoding="utf-8"))


EXAMPLE_TABLES: dict[str, Table] = {name: Table(name=name, **content) for name, content in _content()["tables"].items()}
FORMS = tuple(Form(**form) for form in _content()["forms"])
SAMPLES = tuple(Sample(**sample) for sample in _content()["samples"])
_APART = {name: Table(name=name, **content) for name, content in _content()["apart"].items()}
UNSAID = tuple(Unsaid(**unsaid) for unsaid in _content()["unsaid"])


def language_page() -> str:
    """The language as markdown: every form with its sentences, its canonical words and its code, and every line.

    Raises: RuleNotUnderstood when a documented sentence is not understood, so that the page cannot lie.
    """
    template = (_HERE / "page.md").read_text(encoding="utf-8")
    parts = {
        "contents": _contents(re.findall(r"^## (.+)$", template, re.MULTILINE)),
        "tables": (f"- `{name}`: {', '.join(table.columns)}" for name, table in (EXAMPLE_TABLES | _APART).items()),
        "forms": map(_section, FORMS),
        "lines": _lines(),
        "unsaid": map(_unsaid_line, UNSAID),
        "words": _words(),
        "formats": _formats(),
        **{sample.name: _sample(sample) for sample in SAMPLES},
    }
    return re.sub(r"<!-- (\w+) -->", lambda found: "\n".join(parts[found[1]]), template)


def readings_of(form: Form) -> tuple[Understood, ...]:
    """What each sentence of the form is understood to say."""
    return tuple(compile_rule(sentence, EXAMPLE_TABLES, target=form.table) for sentence in form.sentences)


def anchor(title: str) -> str:
    """The name by which GitHub links to the heading: "A text's length" is "a-texts-length"."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _contents(sections: list[str]) -> Iterator[str]:
    for title in sections:
        yield f"- {_link(title)}"
        yield from (f"  - {_link(form.title)}" for form in FORMS if title == _SAYABLE)


def _link(title: str) -> str:
    return f"[{title}](#{anchor(title)})"


def _section(form: Form) -> str:
    understood = readings_of(form)
    sentences = "\n".join(f"- {sentence}" for sentence in form.sentences)
    echoes = "\n".join(f"> {echo}" for echo in dict.fromkeys(one.echo for one in understood))
    code = render_code(understood[0].constraint, EXAMPLE_TABLES).strip()
    note = f"\n{form.note}\n" if form.note else ""
    return f"### {form.title}\n\n{sentences}\n\n{echoes}\n\n```python\n{code}\n```\n{note}"


def tables_of(sample: Sample) -> dict[str, Table]:
    """The tables that its sentences are about."""
    return {sample.table: _APART[sample.table]} if sample.table in _APART else EXAMPLE_TABLES


def _sample(sample: Sample) -> Iterator[str]:
    """How each sentence is read, as a table; what is asked about those that are not."""
    read: list[str] = []
    for sentence in sample.sentences:
        try:
            echo = compile_rule(sentence, tables_of(sample), target=sample.table).echo
        except RuleNotUnderstood as refusal:
            if sample.name != _ASKED:
                raise
            yield from _question(sentence, refusal)
        else:
            read.append(f"| {_code(sentence)} | {_code(echo)} |")
    yield from ("| what is said | read as |", "|---|---|", *read) if read else ()


def _question(sentence: str, refusal: RuleNotUnderstood) -> Iterator[str]:
    yield from ("```", sentence, f"  {refusal.reason}")
    for number, reading in enumerate(refusal.readings, 1):
        yield f"  {number}. {reading.sentence}"
        yield from [f"     leaves out: {', '.join(reading.leaves_out)}"] if reading.leaves_out else []
    yield "```"


def _lines() -> Iterator[str]:
    """Every line of the grammar with its example, to unfold by category."""
    for category, found in groupby(the_grammar().productions, key=lambda line: line.category):
        lines = [f"| {_code(line.say)} | {_cell(line.example)} | {_cell(line.echo)} |" for line in found]
        yield f"<details>\n<summary>{category.replace('_', ' ')}</summary>\n"
        yield from ("| what is said | example | read as |", "|---|---|---|", *lines, "\n</details>\n")


def _words() -> Iterator[str]:
    yield from ("| class | phrases |", "|---|---|")
    for name, phrases in the_grammar().classes.items():
        yield f"| `<{name}>` | {', '.join(map(_code, phrases))} |"


def _formats() -> Iterator[str]:
    yield from ("| format | words | example |", "|---|---|---|")
    for name, words in words_of_formats().items():
        yield f"| {name} | {', '.join(words)} | `{FORMATS[name].valid[0]}` |"


def _code(said: str) -> str:
    return f"`{_cell(said)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _unsaid_line(one: Unsaid) -> str:
    instead = f" (what comes near: `{one.instead}`)" if one.instead else ""
    return f"- {one.subject}: `{one.sentence}`{instead}"
