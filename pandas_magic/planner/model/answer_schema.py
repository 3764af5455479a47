"""A record's JSON schema in the subset that every server's strict mode takes."""

from typing import Any

from pandas_magic.record import Record

# Strict modes know no limits; the record itself checks them again. Titles and descriptions are for readers of our code.
_LEFT_OUT = {
    *("title", "description", "default"),
    *("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"),
}


def answer_schema(kind: type[Record]) -> dict[str, Any]:
    """The schema: every field required, no other allowed, `oneOf` as `anyOf`, definitions in their places."""
    whole = kind.model_json_schema()
    definitions = whole.pop("$defs", {})
    strict: dict[str, Any] = _strict(whole, definitions)
    return strict


def _strict(part: Any, definitions: dict[str, Any]) -> Any:  # noqa: ANN401 - any part of a JSON schema
    if isinstance(part, list):
        return [_strict(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _strict(definitions[part["$ref"].rsplit("/", 1)[-1]], definitions)
    made: dict[str, Any] = {}
    for name, value in part.items():
        if name == "properties":
            made[name] = {field: _strict(schema, definitions) for field, schema in value.items()}
        elif name not in _LEFT_OUT:
            made["anyOf" if name == "oneOf" else name] = _strict(value, definitions)
    if "properties" in made:
        made |= {"required": list(made["properties"]), "additionalProperties": False}
    return made
