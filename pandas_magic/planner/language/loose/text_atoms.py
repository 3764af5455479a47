"""Atoms about a text: equal to another, beginning or ending with one, of a form, of a case."""

import re

from pandas_magic.constraints import FORMATS, NamedFormat
from pandas_magic.planner.language.linking.cues import format_of
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import Add, Slots, runs
from pandas_magic.planner.language.loose.makeup import makeups, written_like
from pandas_magic.planner.language.loose.nodes import Node, compare, either, negated, one_of, value
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import Term

_DOMAIN = re.compile(r"\b[\w-]+(?:\.[a-z]{2,})+\b")
_NAMED = 2.5  # how loosely a column may be named of which words that never occur are values
_NOTHING = frozenset(("none", "no", "nothing", "n/a", "keine", "kein"))
_CHARACTERS = (
    (frozenset(("digit", "digits", "numbers", "numerals")), "[0-9]"),
    (frozenset(("letter", "letters")), "[A-Za-z]"),
    (frozenset(("space", "spaces", "whitespace", "blanks")), r"\s"),
)


def text_atoms(scene: Scene, term: Term, add: Add) -> None:
    """What a text can be asked to be."""
    node, label, tier = term.plain, term.label, term.tier
    quoted = [(m.place, m.quoted) for m in scene.mentions if m.quoted is not None]
    for place, text in quoted:
        slots: Slots = (*term.slots, ("V", place))
        for relation in ("==", "!="):
            add(compare(node, relation, value(text)), f"cmp{relation} {label}:text Q", slots, tier)
        for where, cue in (("start", "STARTS"), ("end", "ENDS"), ("anywhere", "CONTAINS")):
            if cue in scene.cues:
                has = {"node": "has_text", "of": node, "where": where, "text": text}
                add(has, f"has:{where} {label} Q", slots, tier)
                add(negated(has), f"nothas:{where} {label} Q", slots, tier)
    for run in runs(place for place, _ in quoted):
        _beginnings(scene, term, run, add)
        _listed(term, {at: str(scene.mentions[at].quoted) for at in run}, "Q*", add)
    # What only tells rows apart is none of some words.
    keys = scene.names.references.telling_apart(scene.target)
    able = term.name not in keys and term.label == "C" and term.tier <= _NAMED
    for run in {m.listed for m in scene.mentions if m.listed and able and term.place not in m.listed}:
        if any(not scene.mentions[at].values for at in run):
            _listed(term, {at: _as_text(scene.mentions[at]) for at in run}, "W*", add)
    if not scene.cues.isdisjoint(("PRESENT", "NOT")):
        add(compare(node, "!=", value("")), f"notempty {label}", term.slots, tier)
        blank = {"node": "folded", "of": node, "fold": "space"}
        add(compare(blank, "!=", value("")), f"notblank {label}", term.slots, tier)
    _forms(scene, term, add)
    if term.label in "CL":
        _absent(scene, term, add)


def _absent(scene: Scene, term: Term, add: Add) -> None:
    """A text that says that there is nothing, for what is missing: "no surgery without an anaesthetic"."""
    for text in scene.known_texts(term.plain):
        if text.lower() in _NOTHING:
            add(compare(term.plain, "!=", value(text)), f"present {term.label}", term.slots, term.tier)
            add(compare(term.plain, "==", value(text)), f"missing {term.label}", term.slots, term.tier)


def _beginnings(scene: Scene, term: Term, run: tuple[int, ...], add: Add) -> None:
    for where, cue in (("start", "STARTS"), ("end", "ENDS"), ("anywhere", "CONTAINS")):
        if cue in scene.cues:
            texts = [scene.mentions[at].quoted for at in run]
            some = [{"node": "has_text", "of": term.plain, "where": where, "text": text} for text in texts]
            add(either(*some), f"has:{where} {term.label} Q*", (*term.slots, ("V", run[0]), ("V", run[-1])), term.tier)


def _as_text(mention: Mention) -> str:
    return mention.quoted or (mention.values[0][2] if mention.values else mention.text)


def _listed(term: Term, text_at: dict[int, str], label: str, add: Add) -> None:
    run = list(text_at)
    slots = (*term.slots, ("V", run[0]), ("V", run[-1]))
    listed = one_of(term.plain, list(text_at.values()))
    add(listed, f"oneof {term.label} {label}", slots, term.tier)
    add(negated(listed), f"noneof {term.label} {label}", slots, term.tier)


def _forms(scene: Scene, term: Term, add: Add) -> None:
    """The forms of a text: a pattern, a known format, a make-up, its case, its spaces, what it can be read as."""
    node, label, tier = term.plain, term.label, term.tier
    for mention in scene.mentions:
        slots: Slots = (*term.slots, ("F", mention.place))
        if mention.regex is not None:
            _matching(term, mention.regex, (f"matches {label} RE", slots), add)
        if mention.format is not None:
            own = "F=" if mention.place == term.place else "F"
            _matching(term, FORMATS[mention.format], (f"matches {label} {own}", slots), add)
    _described(scene, term, add)
    _own_form(scene, term, add)
    _characters(scene, term, add)
    if "CASE" in scene.cues:
        _cases(scene, term, add)
    for cue, kind in (("INTEGER", "integer"), ("NUMERIC", "number"), ("ISDATE", "date")):
        if cue in scene.cues:
            readable = {"node": "parses", "of": node, "type": kind}
            add(readable, f"parses:{kind} {label}:text", (*term.slots, ("S", scene.cue(cue))), tier)
    if "SPACE" in scene.cues:
        stripped = compare(node, "==", {"node": "folded", "of": node, "fold": "space"})
        add(stripped, f"stripped {label}", (*term.slots, ("S", scene.cue("SPACE"))), tier)


def _described(scene: Scene, term: Term, add: Add) -> None:
    """The forms that the rule describes: by its parts, by a template or an example, by the domain of an address."""
    text, label = scene.linked.text, term.label
    like = written_like(text, besides=scene.names.exact)
    slots = (*term.slots, ("F", scene.cue("LENGTH")))
    for made in makeups(text):
        _matching(term, made, (f"makeup {label}", slots), add)
        run = re.fullmatch(r"(\[[^]]+\])(\{[0-9]+\})", made)
        if run is not None and "CONTAINS" in scene.cues:
            _matching(term, f"(.*{run[1]}){run[2]}.*", (f"makeupheld {label}", slots), add)
    if like is not None:
        _matching(term, like, (f"like {label}", (*term.slots, ("F", scene.cue("FORMAT", "VALID")))), add)
    for mention in scene.mentions:
        domain = _DOMAIN.search(text) if "domain" in mention.words else None
        if domain is not None:
            ending = {"node": "has_text", "of": term.plain, "where": "end", "text": f"@{domain[0]}"}
            add(ending, f"domain {label}", (*term.slots, ("F", mention.place)), term.tier)
            add(negated(ending), f"notdomain {label}", (*term.slots, ("F", mention.place)), term.tier)


def _characters(scene: Scene, term: Term, add: Add) -> None:
    """Whether there are digits, letters or spaces anywhere in the text."""
    for mention in scene.mentions:
        for words, characters in _CHARACTERS:
            if not words.isdisjoint(mention.words):
                pattern = rf"(.|\n)*{characters}(.|\n)*"
                _matching(term, pattern, (f"holds {term.label}", (*term.slots, ("F", mention.place))), add)


def _own_form(scene: Scene, term: Term, add: Add) -> None:
    """The format that the column's own name says: "emails must be valid"."""
    if scene.cues.isdisjoint(("FORMAT", "EXISTS", "VALID")):
        return
    words = name_words(term.plain.get("name", ""))
    named = format_of(words) or (format_of(words[-1:]) if words else None)
    if named is not None:
        slots = (*term.slots, ("F", scene.cue("FORMAT", "EXISTS", "VALID")))
        _matching(term, FORMATS[named], (f"matches {term.label} own", slots), add)


def _matching(term: Term, form: str | NamedFormat, said: tuple[str, Slots], add: Add) -> None:
    """The text has the form, or has it not; `said` is the shape of that and the mentions that it rests on."""
    shape, slots = said
    named = {"pattern": form} if isinstance(form, str) else {"pattern": form.pattern, "format": form.name}
    matches: Node = {"node": "matches", "of": term.plain, **named}
    add(matches, shape, slots, term.tier)
    add(negated(matches), f"not{shape}", slots, term.tier)


def _cases(scene: Scene, term: Term, add: Add) -> None:
    said = " ".join(mention.text.lower() for mention in scene.mentions)
    slots = (*term.slots, ("F", scene.cue("CASE")))
    for pattern, words in (("[^a-z]*", ("upper", "capital")), ("[^A-Z]*", ("lower", "small"))):
        if any(word in said for word in words):
            _matching(term, pattern, (f"matches {term.label} case", slots), add)
            if "NOT" in scene.cues:
                other = ".*[A-Z].*" if "^a" in pattern else ".*[a-z].*"
                _matching(term, other, (f"holds {term.label} case", slots), add)
