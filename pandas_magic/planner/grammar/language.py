"""The page of the language, written by the parser itself: every sentence on it was understood while it was written."""

import re

from pandas_magic.constraints import render_code
from pandas_magic.planner.grammar import language_prose as prose
from pandas_magic.planner.grammar.compiler import Understood, compile_rule
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES, FORMS, Form
from pandas_magic.planner.grammar.unsaid import UNSAID, Unsaid
from pandas_magic.planner.grammar.word_tables import format_table, word_tables

_SAYABLE = "What a rule can say"


def language_page() -> str:
    """The language as markdown: every form with its sentences, its canonical words and its code.

    Raises: RuleNotUnderstood when a documented sentence is not understood, so that the page cannot lie.
    """
    sections = {
        "How to state a rule": prose.STATING,
        "How a rule is read": prose.READING,
        "The tables of the examples": "\n".join(_table_line(name) for name in EXAMPLE_TABLES),
        _SAYABLE: "\n".join(_section(form) for form in FORMS),
        "What a rule cannot say": "\n".join([prose.UNSAID, *(_unsaid_line(one) for one in UNSAID)]),
        "Words": "\n".join(word_tables()),
        "Formats with a name": "\n".join(format_table()),
        "How this page is made": prose.MADE,
    }
    body = [f"## {title}\n\n{text.strip()}\n" for title, text in sections.items()]
    return "\n".join(["# The rule language\n", prose.OPENING, *_contents(tuple(sections)), "", *body])


def readings_of(form: Form) -> tuple[Understood, ...]:
    """What each sentence of the form is understood to say."""
    return tuple(compile_rule(sentence, EXAMPLE_TABLES, target=form.table) for sentence in form.sentences)


def anchor(title: str) -> str:
    """The name by which GitHub links to the heading: "A text's length" is "a-texts-length"."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _contents(sections: tuple[str, ...]) -> list[str]:
    lines = []
    for title in sections:
        lines.append(f"- {_link(title)}")
        lines += [f"  - {_link(form.title)}" for form in FORMS if title == _SAYABLE]
    return lines


def _link(title: str) -> str:
    return f"[{title}](#{anchor(title)})"


def _table_line(name: str) -> str:
    return f"- `{name}`: {', '.join(EXAMPLE_TABLES[name].columns)}"


def _section(form: Form) -> str:
    understood = readings_of(form)
    sentences = "\n".join(f"- {sentence}" for sentence in form.sentences)
    echoes = "\n".join(f"> {echo}" for echo in dict.fromkeys(one.echo for one in understood))
    code = render_code(understood[0].constraint, EXAMPLE_TABLES).strip()
    note = f"\n{form.note}\n" if form.note else ""
    return f"### {form.title}\n\n{sentences}\n\n{echoes}\n\n```python\n{code}\n```\n{note}"


def _unsaid_line(one: Unsaid) -> str:
    instead = f" (what comes near: `{one.instead}`)" if one.instead else ""
    return f"- {one.subject}: `{one.sentence}`{instead}"


if __name__ == "__main__":
    print(language_page(), end="")
