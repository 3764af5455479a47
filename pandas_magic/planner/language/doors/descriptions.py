"""Which words of a data dictionary only describe a column: those that name no data and demand nothing."""

import re

from pandas_magic.catalog.text.plurals import dictionary_forms
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.linking.abbreviating import tells_of

# Words that a demand is made of; with one of them a cell describes nothing, or may do more.
_CUES = re.compile(
    r"\b(?:"
    r"n/a (?:for|in|on|with)|n\.a\. (?:for|in|on|with)|applicable"
    r"|must|should|shall|may|can|cannot|can't|need(?:s|ed)?|not|no|non|never|none|neither|nor|only|just|except"
    r"|excluding|unless|if|iff|when|where|whenever|while|until|once|otherwise|else|other|others|required|mandatory"
    r"|optional|compulsory|obligatory|voluntary|nullable|null|empty|blanks?|missing|filled|populated|present"
    r"|uniquel?y?|duplicates?|distinct|twice|same|shared?|equals?|identical|differ(?:s|ent)?|primary|foreign|keys?"
    r"|references?|between|min|max|minimum|maximum|least|most|more|less|fewer|greater|than|earlier|later|exceeds?"
    r"|before the|after the|above the|below the|up to|within|one|any of|increments?|either|both|all|every|each|always"
    r"|allowed|permitted|forbidden|valid|values?|domain|formats?|patterns?|digits?|letters?|characters?|chars?"
    r"|capitals?|upper|lower|alphanumeric|hyphens?|prefix(?:ed)?|starts?|begins?|ends with|contains?|without"
    r"|exactly|plus|minus|times|divided|sum|total of|positive|negative|zero|future|past|today|two|three|four|five"
    r"|six|seven|eight|nine|ten|percent(?!$)|steps?|multiples?|true|false|yes|gaps?|sequential|consecutive"
    r"|continuous|(?:in|de)creasing|(?:a|de)scending|sorted|chronological|monotonic|rounded|trimmed|normali[sz]ed"
    r"|case|(?:in)?sensitive|regardless|ignoring|nothing|perhaps|possible|possibly|whole|even|odd|strictly|usually"
    r"|normally|preferably|mostly|approximately|roughly|about|fill|justified|aligned|padded|mandat\w*"
    r"|duty|obligations?|prohibitions?|uniqueness|requirements?|necessity|integrity|redundanc\w*|duplications?"
    r")\b",
    re.IGNORECASE,
)
# The same in the languages of those who keep such dictionaries: what is not known to be harmless is asked about.
_CUES_ABROAD = re.compile(
    r"\b(?:"
    r"muss\w*|soll\w*|darf|pflicht\w*|zwingend\w*|erforderlich\w*|oblig\w+|obbligatori\w|obrigat\w+|verplicht\w*|requi[sr]\w*"
    r"|requerid\w|nicht|nie|niemals|kein\w*|ohne|ne|pas|jamais|sans|sin|nunca|ning[uú]n\w*|niet|geen|nooit|zonder|senza|mai"
    r"|não|nao|sem|inte|ingen|utan|immer|stets|toujours|siempre|altijd|sempre|alltid|nur|solo|sólo|seulement|uniquement"
    r"|alleen|soltanto|somente|apenas|endast|leer\w*|vides?|vac[ií]o\w*|leeg|vuot\w|vazio\w*|gefüllt|ausfüllen|rempli\w*"
    r"|rellen\w*|gevuld|\w*schlüssel|cl[ée]s?|claves?|chiavi?e?|sleutel\w*|eindeutig\w*|einmalig\w*|unic[oa]|únic[oa]|uniek\w*"
    r"|doublons?|doppel\w*|dubbel\w*|duplicad\w*|mindestens|höchstens|maximal|minimal|m[ií]nimo|m[aá]ximo|zwischen|entre"
    r"|tussen|größer|kleiner|mayor|menor|ziffern|buchstaben|zeichen|leerzeichen|chiffres|lettres|caractères|cifras|letras"
    r"|cijfers|cifre|espa(?:ces|cios|ços)|spaties|spazi|maj\w*scul\w*|min[uú]scul\w*|may[uú]scul\w*|großbuchstaben"
    r"|kleinbuchstaben|hoofdletters|maiuscol\w*|positi[vf]\w*|n[eé]gati[vf]\w*|aufsteigend|creciente|croissant"
    r")\b",
    re.IGNORECASE,
)
# Names of standards are no numbers.
_STANDARD = re.compile(r"\b(?:ISO|DIN|EN|RFC|IEC|GS1|NACE|ICD)[- ]?\d+(?:[-:]\d+)*\b")
_PLACEHOLDER = re.compile(r"(?<![A-Za-z])([A-Za-z])\1+(?![A-Za-z])")  # "sss-nnn" is a template
# Words with "or" or a slash between them, or codes alone, may be what is allowed: "open or closed", "AB, CD".
_CHOICE = re.compile(
    r"[\w-]+(?:\s*[,/|]\s*[\w-]+)*(?:,?\s+or\s+|\s*[/|]\s*)[\w-]+"
    r"|(?:[A-Za-z]|[A-Z]+)(?:(?:\s*[,/|&+]\s*|\s+and\s+)(?:[A-Za-z]|[A-Z]+))+"
)
_LEAST_WORDS = 2  # one word alone may be a demand that is not known
_LEAST_LETTERS = 3
_HEAD = re.compile(
    r"(?:the )?(?:(?:maximum|minimum|max\.?|min\.?|total) )?"
    r"(?:number|count|amount|weight|load|capacity|level|date|time|day|name|share|length) (?:of|in|on|at|for)\b"
    r"|(?:end|start) of\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:maximum|minimum|max|min|digits?|letters?|characters?|values?|keys?|total of)\b", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"(?:for|in|on|at|by|from|to|during|of|per|with|as|and|or|but|so|because|among)\b", re.IGNORECASE
)


# Words before a range or a form that say that it is another one, or a place in a text.
_OTHERWISE = re.compile(
    r"\b(?:but|former\w*|previous\w*|old|was|were|original\w*|typical\w*|expected|average|avg|mean|planned|obsolete|avoid"
    r"|deprecated|reserved|invalid|illegal|error|wrong|outside|beyond|apart|rather|instead|unlike|see|pages?|chapters?"
    r"|sections?|paragraphs?|versions?|since|tables?|lists?|appendix|annex|rules?|articles?|lines?|rows?|notes?|figures?"
    r"|steps?|phases?|than|first|last|next|example|historic\w*|new|prohibit\w*|forbid\w*|bann?\w*|defect\w*|faul\w*|fail\w*"
    r"|unusual|(?:ab|un)normal|bad|scrap\w*|reject\w*|exclud\w*|warn\w*|alarm\w*|alert\w*|danger\w*|toxic|special|internal"
    r"|dummy|test\w*|half|third|quarter|double|triple|twice|differences?|opposite|inverse|ratio|squared?|changes?|increases?|growth|"
    r"ranges?|zones?|intervals?|limits?|bands?|windows?|codes)\b",
    re.IGNORECASE,
)


def is_of_another(text: str) -> bool:
    """Whether a word tells that something else is meant than what the column holds: "previous", "half"."""
    return bool(_OTHERWISE.search(text))


def names_what_is_held(text: str, subject: FactSubject, *, is_label: bool) -> bool:
    """Whether the words before a range or a form only name what the column holds; a label may be a single word."""
    plain = f"{text} {text}" if is_label and re.fullmatch(r"[a-z]{4,}", text) else text
    return describes(plain, subject) and not is_of_another(text) and not _PREPOSITION.search(text.split()[-1])


def describes(text: str, subject: FactSubject) -> bool:
    """Whether the words name neither a column nor a value nor a number, and hold no word that demands something.

    Behind a colon a capitalised word may begin a list: "group: NEW".
    """
    plain = _STANDARD.sub("", text)
    if (
        re.search(r"""\d|[<>=≤≥@#"`{}\[\]]|(?<!\w)'|'(?!\w)|: *[A-Z]\w*$""", plain)
        or _PREPOSITION.match(text)
        or _CHOICE.fullmatch(text.strip())
        or _PLACEHOLDER.search(text)
        or (len(words := re.findall(r"\w+", text)) < _LEAST_WORDS and not _names_alone(words, subject))
    ):
        return False
    if _HEAD.match(text):  # "maximum number of places" names what it holds, and no number
        plain = _HARMLESS.sub("", plain)
    return not demands(plain) and not _names_data(plain, subject)


def demands(text: str) -> bool:
    """Whether a word of the text may demand something."""
    return bool(_CUES.search(text) or _CUES_ABROAD.search(text))


def _names_alone(words: list[str], subject: FactSubject) -> bool:
    """Whether a word alone says what the column is called in short, or is an English noun and nothing else.

    A letter may be a value or a duty; any other word may be a demand that is not known: "hashed", "ingevuld".
    """
    said = "".join(words)
    is_noun = said.islower() and dictionary_forms(said) == {"NOUN": (said,)}
    return len(said) >= _LEAST_LETTERS and (is_noun or tells_of(said, subject.column))


def may_demand(text: str, subject: FactSubject) -> bool:
    """Whether words in which no fact is seen may be a demand: they name something, or hold a number or a cue."""
    if any(text.startswith(value) for value in subject.names.values(subject.of) if value):
        return False  # a list of values
    return bool(re.search(r"\d", text) or _CUES.search(text)) or _names_data(text, subject)


def _names_data(text: str, subject: FactSubject) -> bool:
    here = f"_{spelt(text)}_"
    columns = subject.names.tables[subject.names.target].columns
    if any(f"_{spelt(column)}_" in here for column in columns if column != subject.column):
        return True
    values = subject.names.values(subject.of)
    return any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) for value in values if value.strip())
