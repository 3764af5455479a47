"""Inflection: which forms of an English word are the same word. Never spelling: "emial" is not "email"."""

import re
from functools import lru_cache

# Irregular forms and their base form. Regular ones follow from the endings below.
_IRREGULAR = {
    "am": "be",
    "is": "be",
    "are": "be",
    "was": "be",
    "were": "be",
    "been": "be",
    "being": "be",
    "has": "have",
    "had": "have",
    "having": "have",
    "does": "do",
    "did": "do",
    "done": "do",
    "began": "begin",
    "begun": "begin",
    "born": "birth",
    "bought": "buy",
    "came": "come",
    "chosen": "choose",
    "died": "death",
    "fell": "fall",
    "fallen": "fall",
    "found": "find",
    "gave": "give",
    "given": "give",
    "gone": "go",
    "went": "go",
    "got": "get",
    "held": "hold",
    "kept": "keep",
    "laid": "lay",
    "lying": "lie",
    "left": "leave",
    "lies": "lie",
    "lent": "lend",
    "made": "make",
    "met": "meet",
    "paid": "pay",
    "ran": "run",
    "said": "say",
    "seen": "see",
    "saw": "see",
    "sent": "send",
    "shown": "show",
    "sold": "sell",
    "spent": "spend",
    "taken": "take",
    "took": "take",
    "written": "write",
    "wrote": "write",
    "dying": "die",
    "sown": "sow",
    "grown": "grow",
    "grew": "grow",
    "withdrawn": "withdraw",
    "withdrew": "withdraw",
    "drawn": "draw",
    "flown": "fly",
    "flew": "fly",
    "driven": "drive",
    "drove": "drive",
    "broken": "break",
    "stolen": "steal",
    "thrown": "throw",
    "known": "know",
    "eaten": "eat",
    "won": "win",
    "lost": "lose",
    "built": "build",
    "brought": "bring",
    "caught": "catch",
    "taught": "teach",
    "hidden": "hide",
    "rode": "ride",
    "ridden": "ride",
    "spoken": "speak",
    "sung": "sing",
    "swum": "swim",
    "torn": "tear",
    "worn": "wear",
    "woken": "wake",
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "feet": "foot",
    "indices": "index",
    "analyses": "analysis",
    "criteria": "criterion",
    "statuses": "status",
    "addresses": "address",
    "data": "data",
    "media": "media",
    "series": "series",
    "species": "species",
    "leaves": "leave",
    "staff": "staff",
    "invoices": "invoice",
    "quizzes": "quiz",
    "skus": "sku",
    "menus": "menu",
    "cpus": "cpu",
    "gpus": "gpu",
    "taxes": "tax",
    "bonuses": "bonus",
    "buses": "bus",
    "boxes": "box",
    "batches": "batch",
    "matches": "match",
    "classes": "class",
}
# British spellings of words that names are often made of.
_SPELLINGS = {
    "centre": "center",
    "litre": "liter",
    "metre": "meter",
    "kilometre": "kilometer",
    "licence": "license",
    "colour": "color",
    "organisation": "organization",
    "enrolment": "enrollment",
    "cheque": "check",
    "catalogue": "catalog",
    "programme": "program",
    "labour": "labor",
    "tonne": "ton",
    "tyre": "tire",
    "grey": "gray",
    "instalment": "installment",
    "fibre": "fiber",
    "theatre": "theater",
    "favourite": "favorite",
    "behaviour": "behavior",
    "neighbour": "neighbor",
    "jewellery": "jewelry",
    "aeroplane": "airplane",
    "travelled": "traveled",
    "authorisation": "authorization",
    "utilisation": "utilization",
}
# Nouns whose plural ends like a singular: "areas", "photos", "clinics", "taxis".
_PLAIN_PLURALS = (
    "agenda", "antenna", "area", "arena", "aroma", "banana", "camera", "cinema", "comma", "diploma", "drama", "era",
    "extra", "formula", "gala", "idea", "koala", "llama", "marina", "opera", "panda", "panorama", "persona", "pizza",
    "plaza", "quota", "regatta", "replica", "rota", "saga", "sauna", "schema", "sofa", "sonata", "umbrella",
    "veranda", "villa", "visa", "vista", "zebra",
    "audio", "auto", "cappuccino", "casino", "combo", "condo", "demo", "disco", "espresso", "euro", "kilo", "logo",
    "memo", "patio", "photo", "piano", "portfolio", "promo", "radio", "ratio", "scenario", "silo", "solo", "studio",
    "tattoo", "trio", "video",
    "academic", "antibiotic", "attic", "ceramic", "clinic", "comic", "cosmetic", "critic", "fabric", "generic",
    "graphic", "mechanic", "medic", "metric", "paramedic", "plastic", "relic", "tonic", "topic",
    "alibi", "chilli", "deli", "emoji", "kiwi", "safari", "ski", "taxi", "guru",
)  # fmt: skip
_IRREGULAR |= {f"{noun}s": noun for noun in _PLAIN_PLURALS}
_NEVER_PLURAL = re.compile(r"(ss|us|is|ics|news|as|os)$")
# What is done, and the noun that names it in a column: admission_date says when somebody was admitted.
NOMINAL = {
    "consumption": "consume",
    "acceptance": "accept",
    "storage": "store",
    "intake": "takein",
    "reception": "receive",
    "deletion": "delete",
    "destruction": "destroy",
    "calculation": "calculate",
    "conclusion": "conclude",
    "detection": "detect",
    "discovery": "discover",
    "encryption": "encrypt",
    "generation": "generate",
    "migration": "migrate",
    "observation": "observe",
    "operation": "operate",
    "preparation": "prepare",
    "presentation": "present",
    "qualification": "qualify",
    "supervision": "supervise",
    "translation": "translate",
    "usage": "use",
    "growth": "grow",
    "flight": "fly",
    "landing": "land",
    "takeoff": "takeoff",
    "pickup": "pickup",
    "drop": "drop",
    "dispensing": "dispense",
    "administration": "administer",
    "discontinuation": "discontinue",
    "grant": "grant",
    "award": "award",
    "pledge": "pledge",
    "donation": "donate",
    "backing": "back",
    "charge": "charge",
    "invoice": "invoice",
    "billing": "bill",
    "unloading": "unload",
    "boarding": "board",
    "docking": "dock",
    "mooring": "moor",
    "clearance": "clear",
    "feeding": "feed",
    "neutering": "neuter",
    "finding": "find",
    "review": "review",
    "rating": "rate",
    "watching": "watch",
    "viewing": "view",
    "streaming": "stream",
    "acquisition": "acquire",
    "activation": "activate",
    "admission": "admit",
    "approval": "approve",
    "arrival": "arrive",
    "assessment": "assess",
    "assignment": "assign",
    "birth": "birth",
    "booking": "book",
    "calibration": "calibrate",
    "cancellation": "cancel",
    "cancelation": "cancel",
    "closing": "close",
    "closure": "close",
    "collection": "collect",
    "commission": "commission",
    "completion": "complete",
    "connection": "connect",
    "creation": "create",
    "death": "death",
    "deactivation": "deactivate",
    "decision": "decide",
    "delivery": "deliver",
    "departure": "depart",
    "dismissal": "dismiss",
    "enrollment": "enrol",
    "enrolment": "enrol",
    "examination": "examine",
    "expiration": "expire",
    "expiry": "expire",
    "graduation": "graduate",
    "hiring": "hire",
    "inspection": "inspect",
    "installation": "install",
    "issuance": "issue",
    "issue": "issue",
    "maturity": "mature",
    "measurement": "measure",
    "modification": "modify",
    "opening": "open",
    "payment": "pay",
    "payout": "pay",
    "posting": "post",
    "prescription": "prescribe",
    "production": "produce",
    "publication": "publish",
    "reading": "read",
    "receipt": "receive",
    "recording": "record",
    "registration": "register",
    "removal": "remove",
    "renewal": "renew",
    "repayment": "repay",
    "reservation": "reserve",
    "cultivation": "cultivate",
    "consent": "consent",
    "spraying": "spray",
    "movement": "move",
    "seizure": "seize",
    "lease": "lease",
    "rotation": "rotate",
    "occupation": "occupy",
    "sampling": "sample",
    "refund": "refund",
    "shipping": "ship",
    "shipment": "ship",
    "dispatch": "dispatch",
    "purchase": "purchase",
    "visit": "visit",
    "repair": "repair",
    "transfer": "transfer",
    "report": "report",
    "request": "request",
    "order": "order",
    "borrowing": "borrow",
    "rental": "rent",
    "launch": "launch",
    "construction": "construct",
    "foundation": "found",
    "retirement": "retire",
    "appointment": "appoint",
    "election": "elect",
    "nomination": "nominate",
    "publishing": "publish",
    "transmission": "transmit",
    "allocation": "allocate",
    "consultation": "consult",
    "promotion": "promote",
    "demolition": "demolish",
    "evaluation": "evaluate",
    "notification": "notify",
    "verification": "verify",
    "confirmation": "confirm",
    "rejection": "reject",
    "extension": "extend",
    "harvest": "harvest",
    "planting": "plant",
    "service": "service",
    "loan": "loan",
    "hire": "hire",
    "sowing": "sow",
    "enlistment": "enlist",
    "engagement": "engage",
    "replacement": "replace",
    "shutdown": "shutdown",
    "check": "check",
    "adoption": "adopt",
    "attendance": "attend",
    "invitation": "invite",
    "execution": "execute",
    "departing": "depart",
    "resignation": "resign",
    "resolution": "resolve",
    "return": "return",
    "sale": "sell",
    "settlement": "settle",
    "signature": "sign",
    "submission": "submit",
    "subscription": "subscribe",
    "suspension": "suspend",
    "termination": "terminate",
    "treatment": "treat",
    "update": "update",
    "validation": "validate",
    "vaccination": "vaccinate",
    "withdrawal": "withdraw",
    "login": "login",
    "signup": "signup",
    "checkout": "checkout",
    "checkin": "checkin",
    "logout": "logout",
    "diagnosis": "diagnose",
    "manufacturing": "manufacture",
    "loading": "load",
}


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """The word in the singular, in lower case: "Addresses" gives "address", "status" stays."""
    low = _american(word.lower())
    if low in _IRREGULAR and _IRREGULAR[low] not in ("be", "have", "do"):
        return _IRREGULAR[low] if low.endswith(("s", "people", "children", "men", "mice", "feet", "indices")) else low
    if len(low) <= 3 or not low.endswith("s") or _NEVER_PLURAL.search(low):
        return low[:-1] if low in ("ids", "nos", "ips", "ups", "ins") else low
    if low.endswith("ies"):
        return low[:-3] + "y" if len(low) > 4 else low[:-1]
    if re.search(r"(ches|shes|sses|xes|zes)$", low):
        return low[:-2]
    return low[:-1]


def _american(low: str) -> str:
    """The word in one of its two spellings: "centres" and "centers" are the same word."""
    stem, ending = (low[:-1], "s") if low.endswith("s") and not low.endswith("ss") else (low, "")
    return _SPELLINGS.get(stem, stem) + ending


@lru_cache(maxsize=4096)
def word_forms(low: str) -> frozenset[str]:
    """The word itself and the base forms that it can be an inflection of, in lower case."""
    forms = {low, singular(low)}
    if low in _IRREGULAR:
        forms.add(_IRREGULAR[low])
    for ending in ("ing", "ed", "es", "s"):
        if low.endswith(ending) and len(low) - len(ending) >= 2 and not low.endswith("ss"):
            forms |= _bases(low[: -len(ending)], ending)
    if low.endswith("ied"):
        forms.add(low[:-3] + "y")
    return frozenset(forms)


def _bases(stem: str, ending: str) -> set[str]:
    bases = {stem}
    if ending in ("ing", "ed"):
        bases.add(stem + "e")
        if len(stem) > 2 and stem[-1] == stem[-2]:
            bases.add(stem[:-1])
    return bases


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a column or table name in the singular: "Ship_Dates", "shipDate" and "ship date" agree."""
    if re.fullmatch(r"[A-Z]{2,}s", name):
        return (name[:-1].lower(),)
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return tuple(singular(word) for word in re.findall(r"[^\W_]+", apart))


def last_word(name: str) -> str:
    """The last of `name_words`, which says what a thing is; "" for a name of signs alone, which nothing can call."""
    words = name_words(name)
    return words[-1] if words else ""


def agents_of(participle: str) -> frozenset[str]:
    """Who does it: "approver" for approved, "enterer" for entered, "editor" for edited."""
    bases = word_forms(participle) - {participle}
    return frozenset(base + end for base in bases for end in (("r", "or") if base.endswith("e") else ("er", "or")))
