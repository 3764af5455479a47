"""HTML and formulas of a kernel, written anew from what is known to be harmless.

What comes out is made of the tags, attributes and macros below and of escaped text, whatever went in; so it does not
matter how a browser would have read the original.
"""

import html
import re

from kernel_sandbox.front.tags import Rebuilder, Tag, names, resolved, tokens

_TAGS = names("""
    table thead tbody tfoot tr th td caption b i u em strong small sub sup p br hr div span pre code samp kbd
    ul ol li dl dt dd h1 h2 h3 h4 h5 h6 blockquote
""")
_EMPTY_TAGS = names("br hr")
_SKIPPED = names("script style template iframe object svg math noscript textarea title")
_STYLES = re.compile(
    r"\s*(?:(?:background-)?color|text-align|vertical-align|font-weight|font-style|width)\s*:\s*"
    r"(?:#[0-9a-fA-F]{3,8}|[a-z]{2,20}|\d{1,4}(?:\.\d{1,3})?(?:px|em|%)?|rgba?\([\d., %]{5,40}\))\s*"
)
_DEEPEST = 60
_FORMULA_WORDS = names("""
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega displaystyle
    textstyle frac dfrac tfrac sqrt sum prod int iint oint lim limits log ln exp sin cos tan cot sec csc arcsin
    arccos arctan sinh cosh tanh min max sup inf det gcd deg dim ker arg left right big Big bigg Bigg cdot cdots
    ldots dots vdots ddots times div pm mp ast star circ bullet leq geq le ge neq ne equiv approx sim simeq propto
    ll gg in notin ni subset supset subseteq supseteq cup cap emptyset forall exists neg land lor wedge vee to
    rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow mapsto infty partial nabla prime hat
    bar tilde vec dot ddot overline underline overbrace underbrace widehat widetilde binom mathrm mathbf mathit
    mathcal mathbb mathsf mathtt boldsymbol operatorname text textrm textbf textit quad qquad begin end lvert rvert
    lVert rVert langle rangle lceil rceil lfloor rfloor mid parallel perp angle hbar ell Re Im over
""")
_ENVIRONMENTS = names("""
    matrix pmatrix bmatrix vmatrix Vmatrix Bmatrix smallmatrix array cases aligned align align* gathered equation
    equation* split
""")
_MACRO = re.compile(r"\\([A-Za-z]+)")
_FORMULA_MARKS = ("$", "\\(", "\\[", "\\begin")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# In what was made here, where no text holds such a sign.
TAG_MADE = re.compile(r"<[^>]*>")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*(?:\{([^{}]{0,20})\})?")


def clean_html(text: str) -> tuple[str, bool]:
    """The HTML made anew, and whether anything in it was active and left out."""
    page = _Page({name: name for name in _TAGS}, _SKIPPED)
    for token in tokens(text):
        page.take(token)
    made = page.made()
    return _untypeset(made) if typeset_problem(TAG_MADE.sub(" ", made)) else made, page.refused


def formula_problem(text: str) -> str | None:
    """Why a formula may not be typeset, or None: macros outside the list could link, style, define or load."""
    for word in _MACRO.findall(text):
        if word not in _FORMULA_WORDS:
            return f"it uses \\{word[:30]}"
    for name in _ENVIRONMENT.findall(text):
        if name not in _ENVIRONMENTS:
            return f"it begins {name!r}"
    # Text in a formula is text to the typesetter, and would be HTML to whoever shows it without one.
    return "it holds a tag" if re.search(r"<[A-Za-z/!?]", text) or "^^" in text else None


def typeset_problem(text: str) -> str | None:
    """Why a page or note may not be looked through for formulas, or None; its signs may be written as references."""
    plain = _TAG.sub("< ", resolved(text))
    return formula_problem(plain) if any(mark in plain for mark in _FORMULA_MARKS) else None


def _untypeset(made: str) -> str:
    """The HTML with the signs of its formulas set apart by tags, which no formula goes beyond."""
    pieces, at = [], 0
    for tag in (*TAG_MADE.finditer(made), None):
        text = made[at : tag.start() if tag else None]
        pieces += [text.replace("\\", "\\<span></span>").replace("$", "<span>$</span>"), tag[0] if tag else ""]
        at = tag.end() if tag else at
    return "".join(pieces)


class _Page(Rebuilder):
    """HTML made anew."""

    def take_element(self, name: str, tag: Tag) -> None:
        """Take the beginning of an element, of whatever name."""
        if name not in _TAGS or len(self._open) >= _DEEPEST:
            self.refused = True
            return
        kept = [_attribute(attribute.lower(), value) for attribute, value in tag.attributes]
        self.refused |= any(attribute.lower().startswith("on") for attribute, _ in tag.attributes)
        self._pieces.append(f"<{name}{''.join(kept)}>")
        if name not in _EMPTY_TAGS:
            self._open.append(name)
            if tag.closes:
                self.close(name)


def _attribute(name: str, value: str) -> str:
    if name in ("colspan", "rowspan", "border") and value.isascii() and value.isdecimal() and len(value) < 5:
        return f' {name}="{value}"'
    if name == "class" and value.split()[:1] == ["dataframe"]:
        return ' class="dataframe"'
    if name == "style":
        kept = [part.strip() for part in value.split(";") if _STYLES.fullmatch(part)]
        return f' style="{html.escape("; ".join(kept))}"' if kept else ""
    return ""
