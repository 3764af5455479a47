"""A card as HTML: right in light and dark, in nbconvert's pages, and still clear when its style is stripped."""

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from pandas_magic.history.run import Verdict
from pandas_magic.reporters.card import Card
from pandas_magic.reporters.preview import Preview


def html(card: Card) -> str:
    """The card as one `<div>` with its own scoped style; every text in it is escaped."""
    return framed(card_content(card), kind=kind_of(card.verdict), check=card.check_id)


def card_content(card: Card) -> str:
    """What stands in the frame of a card."""
    told = [fact for fact in card.facts if fact[0] not in card.provenance]
    known = [fact for fact in card.facts if fact[0] in card.provenance]
    parts = [_head(card), f'<p class="pm-headline">{escape(card.headline)}</p>', _facts(told)]
    if card.failing:
        parts.append(html_rows(card.failing, card.where, part=card.part))
    if known:
        parts.append(_folded("How do we know?", _facts(known)))
    if card.steps:
        steps = "".join(f"<li>{escape(step)}</li>" for step in card.steps)
        parts.append(_folded("Plan", f"<ol>{steps}</ol>"))
    if card.code:
        parts.append(_folded("Code", _pre(card.code)))
    if card.stdout:
        parts.append(_folded("Printed", _pre(card.stdout)))
    parts += [f"<p><b>Note:</b> {escape(note)}</p>" for note in card.notes]
    return "\n".join(parts)


def framed(content: str, *, kind: str = "", part: str = "", check: str = "") -> str:
    """Markup of ours in the frame that carries the style.

    `kind` colours its edge: pass, fail, error, skipped. `part` is the key by which a notebook's page makes it live,
    `check` the id of the check whose card it is.
    """
    of_check = f' data-pm-check="{escape(check)}"' if check else ""
    classes = f"pandas-magic pm-{kind}" if kind else "pandas-magic"
    # The style comes last: a sanitiser that shows it as text shows the verdict before it.
    return f'<div class="{classes}"{_live(part)}{of_check}>\n{content}\n<style>{style()}</style>\n</div>'


def badge(text: str, verdict: Verdict | None) -> str:
    """A verdict's sign and word, coloured where colours survive."""
    return badge_as(text, kind_of(verdict) if verdict else "")


def badge_as(text: str, kind: str) -> str:
    """A sign and a word in the colour of a kind: pass, fail, error, skipped."""
    return f'<b class="pm-badge{f" pm-{kind}" if kind else ""}">{escape(text)}</b>'


def html_rows(shown: Preview, where: str = "", *, part: str = "") -> str:
    """The first rows of a frame, what is left out, and where all are; `part` is the key by which a page shows all."""
    table = html_table([shown.header, *shown.rows], to_the_right=shown.numeric)
    said = " ".join(line for line in (shown.left_out(), where) if line)
    return f'<div{_live(part)}>{table}\n<p class="pm-where">{escape(said)}</p></div>'


def html_table(rows: Sequence[Sequence[str]], *, to_the_right: Sequence[bool], verdicts: str = "") -> str:
    """Rows of texts, the first one the header and each first text a row's label, as a table that scrolls sideways.

    The texts in the column called `verdicts` have the colours of verdicts.
    """
    header, *body = rows
    lines = [f"<tr>{''.join(_cell('th', *pair) for pair in zip(header, to_the_right, strict=True))}</tr>"]
    lines.append("</thead><tbody>")
    for label, *texts in body:
        pairs = zip(header[1:], texts, to_the_right[1:], strict=True)
        cells = "".join(
            f"<td>{_coloured(text)}</td>" if name == verdicts else _cell("td", text, right)
            for name, text, right in pairs
        )
        lines.append(f"<tr>{_cell('th', label, to_the_right[0])}{cells}</tr>")
    inner = "\n".join(lines)
    return f'<div class="pm-rows"><table><thead>\n{inner}\n</tbody></table></div>'


def _live(part: str) -> str:
    return f' data-pm-part="{escape(part)}"' if part else ""


@cache
def style() -> str:
    """The style sheet of everything that we show, without line breaks."""
    sheet = files("pandas_magic.reporters").joinpath("card.css").read_text(encoding="utf-8")
    return " ".join(sheet.split())


def kind_of(verdict: Verdict) -> str:
    """The class of what has this verdict's colour."""
    return verdict.value.lower()


def _head(card: Card) -> str:
    title = f" {escape(card.title)}" if card.title else ""
    about = f' <span class="pm-about">· {escape(card.about)}</span>' if card.about else ""
    return f"<p>{badge(card.badge, card.verdict)} <b>{escape(card.check_id)}</b>{title}{about}</p>"


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    pairs = "\n".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in facts)
    return f"<dl>\n{pairs}\n</dl>" if pairs else ""


def _coloured(text: str) -> str:
    verdict = next((each for each in Verdict if each in text), None)
    return badge(text, verdict) if verdict else escape(text)


def _folded(label: str, content: str) -> str:
    return f"<details><summary>{label}</summary>{content}</details>"


def _pre(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _cell(tag: str, text: str, is_number: bool) -> str:
    return f'<{tag} class="pm-number">{escape(text)}</{tag}>' if is_number else f"<{tag}>{escape(text)}</{tag}>"
