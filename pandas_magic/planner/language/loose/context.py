"""What stands around each mention of a rule: the words beside it, its clause, the negations before it."""

from pandas_magic.planner.language.loose.scene import Mention, Scene

_CLAUSE_WORDS = frozenset((
    "with", "for", "whose", "that", "who", "which", "from", "of", "than", "because", "so", "while", "otherwise",
    "else",
))  # fmt: skip
_CLAUSE_CUES = frozenset(("IF", "THEN", "MUST", "UNLESS", "ONLY", "PER", "FLAG", "AND", "OR"))
_MARKS = frozenset((",", ":", ";", "."))
_TAGS = (
    ("quoted", "<Q>"),
    ("regex", "<RE>"),
    ("duration", "<SPAN>"),
    ("number", "<N>"),
    ("date", "<D>"),
)
# Of several classes of a word those that say the most.
_TELLING_CUES = ("ABSENT", "PAST", "FUTURE", "NEGATIVE", "DUPLICATE", "ORPHAN")
_LITERAL = 2.0
_FAR = 3


def tag(mention: Mention) -> str:
    """What stands for the mention in the rule without its names and numbers."""
    constant = next((sign for field, sign in _TAGS if getattr(mention, field) is not None), None)
    if mention.percent or constant is not None:
        return "<PCT>" if mention.percent else str(constant)
    named = (
        (mention.tables and mention.tier > 1, "<T>"),
        (mention.tier <= _LITERAL, "<C>"),
        (mention.values, "<V>"),
        (mention.truths or mention.defined, "<B>"),
        (mention.cues, next((cue for cue in _TELLING_CUES if cue in mention.cues), *mention.cues[:1] or ("",))),
        (mention.format, "<F>"),
        (mention.columns, "<C?>"),
    )
    return next((sign for is_so, sign in named if is_so), mention.words[0] if mention.words else mention.text.lower())


class Context:
    """The surroundings of every mention, by its place; worked out once for a rule."""

    def __init__(self, scene: Scene) -> None:
        self.scene, mentions = scene, scene.mentions
        self.numbered: dict[object, tuple[int, ...]] = {}  # features already worked out, by what they are of
        self.endings: dict[int, tuple[tuple[bytes, ...], tuple[bytes, ...]]] = {}  # by place, as `features` ends them
        self.length = len(mentions)
        self.tags = [tag(mention) for mention in mentions]
        padded = ["^^", "^", *self.tags, "$", "$$"]
        places = range(self.length)
        self.before = [padded[at + 1] for at in places]
        self.before_two = [f"{padded[at]}_{padded[at + 1]}" for at in places]
        self.after = [padded[at + 3] for at in places]
        self.after_two = [f"{padded[at + 3]}_{padded[at + 4]}" for at in places]
        self.must, self.condition, self.exception = (self._first(cue) for cue in ("MUST", "IF", "UNLESS"))
        self.clauses, self.negations = self._clauses()
        self.left = [self._words(range(at - 1, max(-1, at - 6), -1)) for at in places]
        self.right = [self._words(range(at + 1, min(self.length, at + 5))) for at in places]
        self.absent = min(2, sum(not set(mention.cues).isdisjoint(_TELLING_CUES) for mention in mentions))
        flagged = any("FLAG" in mention.cues for mention in (*mentions[:3], *mentions[-4:]))
        self.mood = ("f" if flagged else "-") + ("o" if "ONLY" in scene.cues else "-")
        self.nots = min(_FAR, sum("NOT" in mention.cues for mention in mentions))
        self.cues = sorted(scene.cues)
        self.sides = [self._side(at) for at in places]
        self.first = self.tags[0] if self.tags else ""
        self.first_two = " ".join(self.tags[:2])
        self.mentioned = min(6, sum(mention.names for mention in mentions))

    def _first(self, cue: str) -> int | None:
        return next((mention.place for mention in self.scene.mentions if cue in mention.cues), None)

    def _clauses(self) -> tuple[list[tuple[str, str]], list[int]]:
        """What opened the clause of each mention and the one before; how many negations stand before it there."""
        clauses, negations = [], []
        last, previous, negated = "^", "^", 0
        for mention, sign in zip(self.scene.mentions, self.tags, strict=True):
            if sign in _CLAUSE_CUES or sign in _CLAUSE_WORDS or mention.text in _MARKS:
                previous, last = last, sign
            if mention.text in _MARKS:
                negated = 0
            negated += "NOT" in mention.cues
            clauses.append((last, previous))
            negations.append(min(negated, 2))
        return clauses, negations

    def _words(self, places: range) -> list[str]:
        """The words up to the next mention, and what they are cues of."""
        found = []
        for at in places:
            mention = self.scene.mentions[at]
            if mention.names and not mention.cues and not mention.tables:
                break
            found.append(self.tags[at])
            found += [cue for cue in mention.cues if cue != self.tags[at]]
            if mention.cues and len(mention.words) == 1:
                found.append(f"={mention.words[0]}")
        return found

    def _side(self, at: int) -> str:
        """Before or after the first "must", "if" and "unless"."""
        return "".join(
            "n" if word is None else "b" if at < word else "a" for word in (self.must, self.condition, self.exception)
        )
