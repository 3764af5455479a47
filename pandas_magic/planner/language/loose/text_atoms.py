"""Atoms about a text: equal to another, beginning or ending with one, of a form, of a case."""

import re

from pandas_magic.constraints import FORMATS, NamedFormat
from pandas_magic.planner.language.linking.cues import format_of
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import Grounds, runs
from pandas_magic.planner.language.loose.makeup import makeups, written_like
from pandas_magic.planner.language.loose.nodes import Node, compare, either, folded, parses, value
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import Term

_DOMAIN = re.compile(r"\b[\w-]+(?:\.[a-z]{2,})+\b")
_NAMED = 2.5  # how loosely a column may be named of which words that never occur are values
_NOTHING = frozenset(("none", "no", "nothing", "n/a", "keine", "kein"))
_PLACES = (("start", "STARTS"), ("end", "ENDS"), ("anywhere", "CONTAINS"))
_CHARACTERS = (
    (frozenset(("digit", "digits", "numbers", "numerals")), "[0-9]"),
    (frozenset(("letter", "letters")), "[A-Za-z]"),
    (frozenset(("space", "spaces", "whitespace", "blanks")), r"\s"),
)


def text_atoms(scene: Scene, term: Term, on: Grounds) -> None:
    """What a text can be asked to be."""
    node, label = term.plain, term.label
    quoted = [(m.place, m.quoted) for m in scene.mentions if m.quoted is not None]
    for place, text in quoted:
        on.compare(node, ("==", "!="), value(text), f"cmp? {label}:text Q", ("V", place))
        for where in _places_said(scene):
            on.add_or_not(_has_text(node, where, text), f"has:{where} {label} Q", ("V", place))
    for run in runs(place for place, _ in quoted):
        texts = {at: str(scene.mentions[at].quoted) for at in run}
        for where in _places_said(scene):
            some = [_has_text(node, where, text) for text in texts.values()]
            on.add(either(*some), f"has:{where} {label} Q*", ("V", run[0]), ("V", run[-1]))
        _listed(term, texts, "Q*", on)
    # What only tells rows apart is none of some words.
    keys = scene.names.references.telling_apart(scene.target)
    able = term.name not in keys and label == "C" and term.tier <= _NAMED
    for run in {m.listed for m in scene.mentions if m.listed and able and term.place not in m.listed}:
        if any(not scene.mentions[at].values for at in run):
            _listed(term, {at: _as_text(scene.mentions[at]) for at in run}, "W*", on)
    if not scene.cues.isdisjoint(("PRESENT", "NOT")):
        on.add(compare(node, "!=", value("")), f"notempty {label}")
        on.add(compare(folded(node, "space"), "!=", value("")), f"notblank {label}")
    _forms(scene, term, on)
    if label in "CL":
        _absent(scene, term, on)


def _places_said(scene: Scene) -> list[str]:
    """Where in a text the rule says that another stands."""
    return [where for where, cue in _PLACES if cue in scene.cues]


def _has_text(of: Node, where: str, text: str) -> Node:
    return {"node": "has_text", "of": of, "where": where, "text": text}


def _absent(scene: Scene, term: Term, on: Grounds) -> None:
    """A text that says that there is nothing, for what is missing: "no surgery without an anaesthetic"."""
    for text in scene.known_texts(term.plain):
        if text.lower() in _NOTHING:
            on.add(compare(term.plain, "!=", value(text)), f"present {term.label}")
            on.add(compare(term.plain, "==", value(text)), f"missing {term.label}")


def _as_text(mention: Mention) -> str:
    return mention.quoted or (mention.values[0][2] if mention.values else mention.text)


def _listed(term: Term, text_at: dict[int, str], label: str, on: Grounds) -> None:
    run = list(text_at)
    on.among(term.plain, list(text_at.values()), f"{term.label} {label}", ("V", run[0]), ("V", run[-1]))


def _forms(scene: Scene, term: Term, on: Grounds) -> None:
    """The forms of a text: a pattern, a known format, a make-up, its case, its spaces, what it can be read as."""
    node, label = term.plain, term.label
    for mention in scene.mentions:
        said = ("F", mention.place)
        if mention.regex is not None:
            on.add_or_not(_matches(node, mention.regex), f"matches {label} RE", said)
        if mention.format is not None:
            own = "F=" if mention.place == term.place else "F"
            on.add_or_not(_matches(node, FORMATS[mention.format]), f"matches {label} {own}", said)
    _described(scene, term, on)
    _own_form(scene, term, on)
    _characters(scene, term, on)
    if "CASE" in scene.cues:
        _cases(scene, term, on)
    for cue, kind in (("INTEGER", "integer"), ("NUMERIC", "number"), ("ISDATE", "date")):
        if cue in scene.cues:
            on.add(parses(node, kind), f"parses:{kind} {label}:text", ("S", scene.cue(cue)))
    if "SPACE" in scene.cues:
        on.add(compare(node, "==", folded(node, "space")), f"stripped {label}", ("S", scene.cue("SPACE")))


def _described(scene: Scene, term: Term, on: Grounds) -> None:
    """The forms that the rule describes: by its parts, by a template or an example, by the domain of an address."""
    text, node, label = scene.linked.text, term.plain, term.label
    like = written_like(text, besides=scene.names.exact)
    said = ("F", scene.cue("LENGTH"))
    for made in makeups(text):
        on.add_or_not(_matches(node, made), f"makeup {label}", said)
        run = re.fullmatch(r"(\[[^]]+\]|\\d)(\{[0-9]+\})", made)
        if run is not None and "CONTAINS" in scene.cues:
            on.add_or_not(_matches(node, f"(.*{run[1]}){run[2]}.*"), f"makeupheld {label}", said)
    if like is not None:
        on.add_or_not(_matches(node, like), f"like {label}", ("F", scene.cue("FORMAT", "VALID")))
    for mention in scene.mentions:
        domain = _DOMAIN.search(text) if "domain" in mention.words else None
        if domain is not None:
            on.add_or_not(_has_text(node, "end", f"@{domain[0]}"), f"domain {label}", ("F", mention.place))


def _characters(scene: Scene, term: Term, on: Grounds) -> None:
    """Whether there are digits, letters or spaces anywhere in the text."""
    for mention in scene.mentions:
        for words, characters in _CHARACTERS:
            if not words.isdisjoint(mention.words):
                held = _matches(term.plain, rf"(.|\n)*{characters}(.|\n)*")
                on.add_or_not(held, f"holds {term.label}", ("F", mention.place))


def _own_form(scene: Scene, term: Term, on: Grounds) -> None:
    """The format that the column's own name says: "emails must be valid"."""
    if scene.cues.isdisjoint(("FORMAT", "EXISTS", "VALID")):
        return
    words = name_words(term.plain.get("name", ""))
    named = format_of(words) or (format_of(words[-1:]) if words else None)
    if named is not None:
        said = ("F", scene.cue("FORMAT", "EXISTS", "VALID"))
        on.add_or_not(_matches(term.plain, FORMATS[named]), f"matches {term.label} own", said)


def _matches(of: Node, form: str | NamedFormat) -> Node:
    named = {"pattern": form} if isinstance(form, str) else {"pattern": form.pattern, "format": form.name}
    return {"node": "matches", "of": of, **named}


def _cases(scene: Scene, term: Term, on: Grounds) -> None:
    text = " ".join(mention.text.lower() for mention in scene.mentions)
    said = ("F", scene.cue("CASE"))
    for words, other, letters in ((("upper", "capital"), "a-z", "A-Z"), (("lower", "small"), "A-Z", "a-z")):
        if any(word in text for word in words):
            on.add_or_not(_matches(term.plain, f"[^{other}]*"), f"matches {term.label} case", said)
            if "NOT" in scene.cues:
                on.add_or_not(_matches(term.plain, f".*[{letters}].*"), f"holds {term.label} case", said)
