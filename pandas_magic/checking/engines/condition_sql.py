"""Conditions in SQL, whose own three truths are those of the meaning."""

from functools import partial

from pandas_magic.checking.engines.dialect import EXACT_IN_DOUBLE, NotExpressible
from pandas_magic.checking.engines.portable_patterns import ANY_DATE, NOT_TOO_FINE, portable
from pandas_magic.checking.engines.value_sql import moment, pair, value
from pandas_magic.checking.engines.writing import Standing, Writing
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Expression, Moment, Value
from pandas_magic.constraints.algebra.patterns import PARSED
from pandas_magic.constraints.algebra.shapes import (
    ROUNDING,
    ROUNDING_SHARE,
    TERMS_SHARE,
    WHOLE_SHARE,
    cancelling_terms,
    divided,
    is_computed,
    is_rounded,
    one_by_one,
)
from pandas_magic.constraints.types.value_types import ValueType

_NUMBERS = frozenset({"integer", "number"})
_FITTING: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "datetime": str,
    "boolean": bool,
    "integer": (int, float),
    "number": (int, float),
}


def truth(node: Condition, w: Writing, rows: Standing) -> str:
    """Whether the condition is true in the row; NULL when that is unknown. Raises: NotExpressible."""
    match node:
        case All(conditions=parts):
            return _joined([truth(part, w, rows) for part in parts], "AND")
        case Any_(conditions=parts):
            return _joined([truth(part, w, rows) for part in parts], "OR")
        case Not(condition=part):
            return f"(NOT {truth(part, w, rows)})"
        case Present(of=of):
            return f"({value(of, w, rows)} IS NOT NULL)"
        case Compare():
            return _compared(node, w, rows)
        case Unique():
            return _is_unique(node, w, rows)
        case Exists():
            return _exists(node, w, rows)
        case OneOf() if is_computed(node.of):
            return truth(one_by_one(node), w, rows)
        case _:
            return _of_one_value(node, w, rows)


def _joined(parts: list[str], word: str) -> str:
    return f"({f' {word} '.join(parts)})" if parts else _known(word == "AND")


def _of_one_value(node: OneOf | Matches | HasText | Parses, w: Writing, rows: Standing) -> str:
    if isinstance(node, OneOf):
        return _is_listed(node, w, rows)
    if isinstance(node, Parses):
        return _reads(node, w, rows)
    found = w.type_in(node.of, rows.table)
    if found.kind != "text":
        raise NotExpressible(f"a {found.kind} as a text")
    text = value(node.of, w, rows)
    return _matches(w, text, node.pattern) if isinstance(node, Matches) else _has_text(node, w, text)


def _known(true: bool) -> str:
    return f"(1 = {int(true)})"


def _has_text(node: HasText, w: Writing, text: str) -> str:
    found = w.dialect.say("lower", text) if node.ignore_case else text
    return w.dialect.say(node.where, found, w.dialect.text(node.text))


def _matches(w: Writing, text: str, pattern: str) -> str:
    spelt, ignores_case = portable(pattern)
    if ignores_case:
        text = w.dialect.say("ascii_only", text)
    return w.dialect.say("matches_folded" if ignores_case else "matches", text, w.dialect.text(spelt))


def _reads(node: Parses, w: Writing, rows: Standing) -> str:
    if node.type == "integer" and is_computed(node.of):
        return _is_whole(node.of, w, rows)
    text, kind = value(node.of, w, rows), w.type_in(node.of, rows.table).kind
    if kind == "text" and node.type == "text":
        return f"({text} IS NOT NULL OR NULL)"
    if kind == "text":
        patterns = (ANY_DATE, NOT_TOO_FINE) if node.type == "date" else (PARSED[node.type],)
        return _joined([_matches(w, text, pattern) for pattern in patterns], "AND")
    if node.type == "integer" and kind == "number":
        return f"(CASE WHEN {text} IS NOT NULL THEN {w.dialect.say('is_whole', text)} END)"
    raise NotExpressible(f"whether a {kind} reads as a {node.type}")


def _is_whole(of: Expression, w: Writing, rows: Standing) -> str:
    sides = divided(of)
    if sides and {w.type_in(side, rows.table).kind for side in sides} == {"integer"}:
        left, right = pair(*sides, w, rows)
        return f"({left} % {right} = 0)"
    x = w.dialect.say("double", value(of, w, rows))
    slack = f"{w.dialect.number(ROUNDING)} + {w.dialect.number(WHOLE_SHARE)} * abs({x})"
    near = f"abs({x} - floor({x} + 0.5)) <= {slack}"
    return f"(CASE WHEN {x} IS NOT NULL THEN COALESCE({near}, {_known(False)}) END)"


def _is_listed(node: OneOf, w: Writing, rows: Standing) -> str:
    found = w.type_in(node.of, rows.table)
    fits = _FITTING.get(found.kind, ())
    if not all(isinstance(each, fits) and isinstance(each, bool) is (found.kind == "boolean") for each in node.values):
        raise NotExpressible("listed values of another kind")
    of = value(node.of, w, rows)
    if found.kind == "datetime":
        listed = [moment(Moment(iso=str(each)), w, found.zone) for each in node.values]
    else:
        listed = [_alike(Value(value=each), value(Value(value=each), w, rows), found) for each in node.values]
    return f"({of} IN ({', '.join(listed)}))" if listed else f"(CASE WHEN {of} IS NOT NULL THEN {_known(False)} END)"


def _alike(node: Expression, text: str, beside: ValueType) -> str:
    """A number that the rule names. Raises: NotExpressible beside fractions when it is beyond what these hold."""
    whole = node.value if isinstance(node, Value) and isinstance(node.value, int) else 0
    if beside.kind == "number" and abs(whole) > EXACT_IN_DOUBLE:
        raise NotExpressible("a whole number beyond 2**53 beside a fraction")
    return text


def _compared(node: Compare, w: Writing, rows: Standing) -> str:
    types = w.type_in(node.left, rows.table), w.type_in(node.right, rows.table)
    kinds = types[0].kind, types[1].kind
    if not (kinds[0] == kinds[1] or set(kinds) <= _NUMBERS) or kinds[0] == "mixed":
        raise NotExpressible(f"a {kinds[0]} beside a {kinds[1]}")
    if "datetime" in kinds and (types[0].zone is None) != (types[1].zone is None) and not _has_literal(types):
        raise NotExpressible("a moment with a zone beside one without")
    left, right = pair(node.left, node.right, w, rows)
    relation = {"==": "=", "!=": "<>"}.get(node.relation, node.relation)
    if node.within is None and (not is_rounded(node) or kinds == ("integer", "integer")):
        if kinds[0] != kinds[1]:
            left, right = _both_doubles(node, (left, right), w, kinds)
        return f"({left} {relation} {right})"
    if kinds == ("integer", "integer"):
        return f"(abs({left} - {right}) {'<=' if relation == '=' else '>'} {w.dialect.number(node.within or 0)})"
    if not set(kinds) <= _NUMBERS:
        raise NotExpressible(f"a {kinds[0]} up to rounding")
    terms = cancelling_terms(node)
    size = None if terms is None else value(terms, w, rows)
    return _rounded(w, (left, right), relation, _slack(w, node.within or 0.0, right, size))


def _has_literal(types: tuple[ValueType, ValueType]) -> bool:
    return any(found.literal or found.zone == "*" for found in types)


def _both_doubles(node: Compare, sides: tuple[str, str], w: Writing, kinds: tuple[str, str]) -> tuple[str, str]:
    """A whole number beside a fraction, which Python compares exactly."""
    spelt = []
    for side, text, kind in zip((node.left, node.right), sides, kinds, strict=True):
        if kind == "integer" and not isinstance(side, Value):
            spelt.append(w.dialect.say("exact_double", text))
        else:
            spelt.append(_alike(side, text, ValueType("number")))
    return spelt[0], spelt[1]


def _slack(w: Writing, within: float, right: str, terms: str | None) -> str:
    number, double = w.dialect.number, partial(w.dialect.say, "double")
    slack = f"{number(within + ROUNDING)} + {number(ROUNDING_SHARE)} * abs({double(right)})"
    return slack if terms is None else f"{slack} + {number(TERMS_SHARE)} * {double(terms)}"


def _rounded(w: Writing, sides: tuple[str, str], relation: str, slack: str) -> str:
    """The comparison up to rounding, as `meaning` has it."""
    a, b = (w.dialect.say("double", side) for side in sides)
    finite = f"{w.dialect.say('is_finite', a)} AND {w.dialect.say('is_finite', b)}"
    near = f"({a} = {b} OR ({finite} AND abs({a} - {b}) <= {slack}))"
    if relation in ("=", "<>"):
        return near if relation == "=" else f"(NOT {near})"
    if relation in ("<=", ">="):
        return f"({near} OR {a} {relation} {b})"
    return f"(NOT {near} AND {a} {relation} {b})"


def _is_unique(node: Unique, w: Writing, rows: Standing) -> str:
    keys = [value(part, w, rows) for part in node.by]
    inner = w.stand(rows.table, rows.relation)
    there = [value(part, w, inner) for part in node.by]
    if node.missing_equal and not w.dialect.joins_missing:
        counted = f"SELECT {inner.alias}.{w.position} AS k1, count(*) OVER (PARTITION BY {', '.join(there)}) AS n"
        twice = w.named("twice", f"SELECT k1 FROM ({counted} FROM {inner.source}) q WHERE n > 1")
        return f"({w.join(rows, twice, [f'{rows.alias}.{w.position}'])}.k1 IS NULL)"
    known = [] if node.missing_equal else [f"{key} IS NOT NULL" for key in there]
    if node.missing_equal and len(there) > 1 and "hash" in w.dialect.templates:
        # Of wide rows only those whose hash repeats are grouped by all that they hold.
        hashed = w.dialect.say("hash", ", ".join(there))
        repeated = w.named("hashes", f"SELECT {hashed} AS h FROM {inner.source} GROUP BY 1 HAVING count(*) > 1")
        known = [f"{hashed} IN (SELECT h FROM {repeated})"]
    items = ", ".join(f"{key} AS k{number}" for number, key in enumerate(there, 1))
    places = ", ".join(str(number) for number in range(1, len(there) + 1))
    where = f" WHERE {' AND '.join(known)}" if known else ""
    grouped = f"SELECT {items}, count(*) AS n FROM {inner.source}{where} GROUP BY {places} HAVING count(*) > 1"
    alias = w.join(rows, w.named("twice", grouped), keys, missing_equal=node.missing_equal)
    alone = f"({alias}.n IS NULL)"
    return alone if node.missing_equal else f"(CASE WHEN {_all_known(keys)} THEN {alone} END)"


def _exists(node: Exists, w: Writing, rows: Standing) -> str:
    mine = [(part, value(part, w, rows)) for part in node.of]
    keys = w.keys(mine, rows.table, table=node.table, keys=node.keys)
    there = w.chosen(node.where, w.stand(node.table, w.rows_of(node.table)))
    names = [f"{there.alias}.{w.dialect.quote(key)}" for key in node.keys]
    items = ", ".join(f"{key} AS k{number}" for number, key in enumerate(keys.items(names), 1))
    known = w.named("known", f"SELECT DISTINCT {items} FROM {there.source} WHERE {_all_known(names)}")
    found = f"({w.join(rows, known, keys.here)}.k1 IS NOT NULL)"
    return f"(CASE WHEN {_all_known([text for _, text in mine])} THEN {found} END)"


def _all_known(values: list[str]) -> str:
    return " AND ".join(f"{each} IS NOT NULL" for each in values)
