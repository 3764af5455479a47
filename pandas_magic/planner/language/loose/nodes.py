"""Rules as plain JSON, as the records of constraints write them: making nodes, and one form for one meaning."""

import json
from collections.abc import Sequence
from typing import Any

from pandas_magic.constraints.algebra.conditions import MIRRORED, OPPOSITE

Node = dict[str, Any]
Plain = bool | int | float | str
_JSON = json.JSONEncoder(sort_keys=True, check_circular=False)


def column(name: str) -> Node:
    """The value in the row's column."""
    return {"node": "column", "name": name}


def value(content: Plain) -> Node:
    """A number, a text or a truth value."""
    return {"node": "value", "value": content}


def moment(iso: str) -> Node:
    """A date."""
    return {"node": "moment", "iso": iso}


def now(*, midnight: bool = False) -> Node:
    """The time of the run."""
    return {"node": "now", "midnight": midnight}


def span(amount: float, unit: str) -> Node:
    """A length of time."""
    return {"node": "span", "amount": amount, "unit": unit}


def part(name: str, of: Node) -> Node:
    """A part of a date."""
    return {"node": "part", "part": name, "of": of}


def arithmetic(left: Node, sign: str, right: Node) -> Node:
    """Two expressions joined by a sign."""
    return {"node": "arithmetic", "sign": sign, "left": left, "right": right}


def compare(left: Node, relation: str, right: Node, within: float | None = None) -> Node:
    """One value in a relation to another."""
    closeness = {"within": within} if within is not None else {}
    return {"node": "compare", "relation": relation, "left": left, "right": right, **closeness}


def present(of: Node) -> Node:
    """The value is not missing."""
    return {"node": "present", "of": of}


def one_of(of: Node, values: Sequence[Plain]) -> Node:
    """The value is among those listed."""
    return {"node": "one_of", "of": of, "values": list(values)}


def negated(condition: Node) -> Node:
    """The condition does not hold."""
    return {"node": "not", "condition": condition}


def every(*conditions: Node) -> Node:
    """All of the conditions hold."""
    return {"node": "all", "conditions": list(conditions)}


def either(*conditions: Node) -> Node:
    """One of the conditions holds."""
    return {"node": "any", "conditions": list(conditions)}


def between(of: Node, low: Node, high: Node, ends: tuple[str, str] = (">=", "<=")) -> Node:
    """The value lies between two others; `ends` say whether it may be one of them."""
    return every(compare(of, ends[0], low), compare(of, ends[1], high))


def distance(left: Node, right: Node) -> Node:
    """How far apart two numbers or dates are."""
    return {"node": "absolute", "of": arithmetic(left, "-", right)}


def folded(of: Node, fold: str) -> Node:
    """A text without its "case" or its outer "space"."""
    return {"node": "folded", "of": of, "fold": fold}


def parses(of: Node, kind: str) -> Node:
    """The text can be read as one of the kind, or the number is a whole one."""
    return {"node": "parses", "of": of, "type": kind}


def exists(of: Sequence[Node], table: str, keys: Sequence[str]) -> Node:
    """There is a row in the table of which the keys are these."""
    return {"node": "exists", "of": list(of), "table": table, "keys": list(keys)}


def lookup(column_here: str, table: str, key: str, of: Node) -> Node:
    """What is in the row of the table to which a column refers."""
    return {"node": "lookup", "join": {"columns": [column_here], "table": table, "keys": [key]}, "of": of}


def statistic(node: str, name: str, of: Node | None = None, where: Node | None = None, **more: Any) -> Node:  # noqa: ANN401 - JSON
    """A statistic over rows: group, rollup or aggregate."""
    optional = {key: content for key, content in (("of", of), ("where", where)) if content is not None}
    return {"node": node, "statistic": name, **optional, **more}


def text_of(node: Node | str) -> str:
    """The node as one text; two nodes of the same text are the same."""
    return _JSON.encode(node)


_FLAGS = ("ignore_case", "missing_equal", "midnight")


def normal(node: Any) -> Any:  # noqa: ANN401 - JSON
    """One form for what means the same: sorted lists, no double negations, the smaller side of a comparison left."""
    if isinstance(node, (list, tuple)):
        return [normal(part) for part in node]
    if isinstance(node, float):
        return int(node) if node.is_integer() else node
    if not isinstance(node, dict):
        return node
    plain = {
        k: v if isinstance(v, str) else normal(v)
        for k, v in node.items()
        if v is not None and not (v is False and k in _FLAGS)
    }
    form = _FORMS.get(plain.get("node", ""))
    return form(plain) if form is not None else plain


def _matches(node: Node) -> Node:
    pattern = node["pattern"].replace(r"\d", "[0-9]").replace(r"\-", "-")
    return {"node": "matches", "of": node["of"], "pattern": pattern}


def _one_of(node: Node) -> Node:
    if len(node["values"]) == 1:
        return _compare(compare(node["of"], "==", value(node["values"][0])))
    return {**node, "values": sorted(node["values"], key=str)}


def _compare(node: Node) -> Node:
    left, relation, right = node["left"], node["relation"], node["right"]
    literal = right.get("value") if right["node"] == "value" else None
    if isinstance(literal, bool) and relation == "!=":
        return {**node, "relation": "==", "right": value(not literal)}
    if literal == 1 and left["node"] == "group" and not left.get("where") and left["by"]:
        if relation in ("<=", "==") and left["statistic"] == "count":
            return {"node": "unique", "by": left["by"]}
        if relation == "==" and left["statistic"] == "distinct":
            return {**node, "relation": "<="}
    moved = _to_the_left(node)
    if moved is not None:
        return moved
    if right["node"] not in ("value", "moment", "span") and text_of(left) > text_of(right):
        return {**node, "left": right, "right": left, "relation": MIRRORED[relation]}
    return node


def _to_the_left(node: Node) -> Node | None:
    """Like "a + 3 days >= b" for "a >= b - 3 days", where the length is the same on every day."""
    right = node["right"]
    if right["node"] != "arithmetic" or right["sign"] != "-" or right["right"]["node"] != "span":
        return None
    if right["left"]["node"] == "now" or right["right"]["unit"] in ("months", "years"):
        return None
    later = arithmetic(node["left"], "+", right["right"])
    return _compare(compare(right["left"], MIRRORED[node["relation"]], later))


def _not(node: Node) -> Node:
    inner = node["condition"]
    if inner["node"] == "not":
        return inner["condition"]  # type: ignore[no-any-return]
    if inner["node"] == "compare":
        return _compare({**inner, "relation": OPPOSITE[inner["relation"]]})
    if inner["node"] in ("any", "all"):
        joined = "all" if inner["node"] == "any" else "any"
        return _joined({"node": joined, "conditions": [_not(negated(part)) for part in inner["conditions"]]})
    return node


def _joined(node: Node) -> Node:
    parts: list[Node] = []
    for part in node["conditions"]:
        parts += part["conditions"] if part["node"] == node["node"] else [part]
    ordered = [found for _, found in sorted({text_of(part): part for part in parts}.items())]
    return ordered[0] if len(ordered) == 1 else {**node, "conditions": ordered}


def joined(how: str, conditions: Sequence[Node]) -> Node:
    """Normal conditions joined by "all" or "any", in normal form."""
    return conditions[0] if len(conditions) == 1 else _joined({"node": how, "conditions": list(conditions)})


def joined_with_text(how: str, conditions: Sequence[tuple[str, Node]]) -> tuple[Node, str]:
    """Normal conditions, each behind its text, joined by "all" or "any" in normal form; with the text of that."""
    if len(conditions) == 1:
        return conditions[0][1], conditions[0][0]
    parts: dict[str, Node] = {}
    for text, node in conditions:
        parts.update({text_of(part): part for part in node["conditions"]} if node["node"] == how else {text: node})
    ordered = sorted(parts.items())
    if len(ordered) == 1:
        return ordered[0][1], ordered[0][0]
    whole = f'{{"conditions": [{", ".join(text for text, _ in ordered)}], "node": "{how}"}}'
    return {"node": how, "conditions": [node for _, node in ordered]}, whole


def _arithmetic(node: Node) -> Node:
    if node["sign"] in "+*" and text_of(node["left"]) > text_of(node["right"]):
        return {**node, "left": node["right"], "right": node["left"]}
    return node


def _by(node: Node) -> Node:
    return {**node, "by": sorted(node.get("by", []), key=text_of)}


_FORMS = {
    "matches": _matches,
    "one_of": _one_of,
    "compare": _compare,
    "not": _not,
    "all": _joined,
    "any": _joined,
    "arithmetic": _arithmetic,
    "unique": _by,
    "group": _by,
}


def is_range(node: Node) -> bool:
    """Whether the condition says that one value lies between two others."""
    parts = node.get("conditions", [])
    if node["node"] != "all" or len(parts) != 2 or any(part["node"] != "compare" for part in parts):
        return False
    first, second = parts
    apart: bool = first["relation"][0] != second["relation"][0]
    return apart and text_of(first["left"]) == text_of(second["left"])


def conjuncts(node: Node | None) -> list[Node]:
    """The parts of a normal condition that must all hold; ranges stay whole."""
    if node is None:
        return []
    if node["node"] == "all" and not is_range(node):
        return [part for each in node["conditions"] for part in conjuncts(each)]
    return [node]


def rule_form(rule: Node) -> Node:
    """A whole rule in its normal form."""
    found: Node = {"shape": rule["shape"], "table": rule["table"], "must": normal(rule["must"])}
    if rule.get("where"):
        found["where"] = normal(rule["where"])
    tolerance = {key: normal(limit) for key, limit in (rule.get("tolerance") or {}).items() if limit is not None}
    if tolerance:
        found["tolerance"] = tolerance
    return found


_OTHER_ROWS = ('"group"', '"unique"', '"previous"')


def meaning_key(rule: Node) -> str:
    """One text for rules that flag the same rows: "where a: must be b" and "must be b unless a" are one."""
    form = rule_form(rule)
    whole = text_of(form)
    if form["shape"] != "rows" or "tolerance" in form or any(sign in whole for sign in _OTHER_ROWS):
        return whole
    broken = conjuncts(form.get("where")) + conjuncts(normal(negated(form["must"])))
    texts = {text_of(part) for part in broken}
    # What is compared and found so, or not so, is not missing.
    plain = [part["condition"] if part["node"] == "not" else part for part in broken]
    positive = [text_of(part) for part in plain if part["node"] in _TELLING]
    positive += [text_of(part["of"]) for part in plain if part["node"] == "exists"]
    spare = {
        text_of(part)
        for part in broken
        if part["node"] == "present" and any(text_of(part["of"]) in text for text in positive)
    }
    return f"{form['table']} {sorted(texts - spare)}"


_TELLING = ("compare", "one_of", "matches", "has_text", "parses")
