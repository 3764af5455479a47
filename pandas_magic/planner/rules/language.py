"""The page of the language, written by the parser itself: every sentence on it was understood while it was written."""

from pandas_magic.constraints import FORMATS, render_code
from pandas_magic.planner.rules import lexicon
from pandas_magic.planner.rules.compiler import Understood, compile_rule
from pandas_magic.planner.rules.forms import EXAMPLE_TABLES, FORMS, Form
from pandas_magic.planner.rules.named_formats import SAID

_INTRODUCTION = """\
# The rule language

This page is generated from the rule compiler: `python -m pandas_magic.planner.rules.language > docs/language.md`.

A rule is an English sentence about the rows of a table, or a formula. Everything in it is accounted for; a word that is
not understood, or a sentence that can mean two things, is refused with the reason. Nothing is guessed: a likely typing
error is only suggested. What was understood is repeated in canonical words, which are themselves part of the language.

Names are those of your tables and columns, in any case, in the singular or plural, with spaces or underscores:
`ship_date`, "ship dates", "the order's ship date", `orders.ship_date`. Texts that occur in a column can be used as
words ("shipped orders", "status is shipped"); others stand in quotes. Where several tables have the column, name the
table.

A missing value makes a comparison, list, pattern or reference unknown, and what is unknown is not flagged, unless the
rule says that something must be there ("must have a tax above 0", "must belong to an existing user", "must exist in
users").

The examples are about these tables:

"""


def language_page() -> str:
    """The language as markdown: every form with its sentences, its canonical words and its code.

    Raises: RuleNotUnderstood when a documented sentence is not understood, so that the page cannot lie.
    """
    parts = [_INTRODUCTION, *(_table_line(name) for name in EXAMPLE_TABLES), "\n## What a rule can say\n"]
    parts += [_section(form) for form in FORMS]
    parts += ["## Words\n", *_word_tables(), "## Formats with a name\n", *_formats()]
    return "\n".join(parts) + "\n"


def readings_of(form: Form) -> tuple[Understood, ...]:
    """What each sentence of the form is understood to say."""
    return tuple(compile_rule(sentence, EXAMPLE_TABLES, target=form.table) for sentence in form.sentences)


def _table_line(name: str) -> str:
    return f"- `{name}`: {', '.join(EXAMPLE_TABLES[name].columns)}"


def _section(form: Form) -> str:
    understood = readings_of(form)
    sentences = "\n".join(f"- {sentence}" for sentence in form.sentences)
    echoes = "\n".join(f"> {echo}" for echo in dict.fromkeys(one.echo for one in understood))
    code = render_code(understood[0].constraint, EXAMPLE_TABLES).strip()
    return f"### {form.title}\n\n{sentences}\n\n{echoes}\n\n```python\n{code}\n```\n"


def _word_tables() -> list[str]:
    titles = {
        "AT_LEAST": "at least",
        "AT_MOST": "at most",
        "GREATER": "greater",
        "LESS": "less",
        "EQUAL": "equal",
        "UNEQUAL": "different",
        "BEFORE": "before",
        "NOT_AFTER": "not after",
        "AFTER": "after",
        "NOT_BEFORE": "not before",
        "MISSING": "missing",
        "PRESENT": "present",
        "MANDATORY": "mandatory",
        "UNIQUE": "unique",
        "DUPLICATED": "duplicated",
        "POSITIVE": "above zero",
        "NOT_NEGATIVE": "zero or more",
        "MUST": "must",
        "FLAG": "flag rows",
        "BAD": "not allowed",
        "IF": "if",
        "UNLESS": "unless",
    }
    lines = ["| meaning | words |", "|---|---|"]
    for name, title in titles.items():
        words = [f"`{word.replace('/', ' or ')}`" for word in getattr(lexicon, name).split("|") if word]
        lines.append(f"| {title} | {', '.join(words)} |")
    return [*lines, ""]


def _formats() -> list[str]:
    lines = ["| format | words | example |", "|---|---|---|"]
    for name, said in SAID.items():
        valid = FORMATS[name].valid[0]
        lines.append(f"| {name} | {', '.join(said.split('|'))} | `{valid}` |")
    return [*lines, ""]


if __name__ == "__main__":
    print(language_page(), end="")
