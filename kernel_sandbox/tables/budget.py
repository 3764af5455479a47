"""How much memory a frame takes once it is decoded, told by its stream before anything is."""

from typing import Any

from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.messages import FieldContent, Stream

# A Python object with its reference: numbers take 36 bytes, moments 56, decimals 112, texts 57 and up to four bytes for
# each byte that is stored.
_OBJECT_BYTES, _REFERENCE_BYTES, _CHARACTER_BYTES = 100, 8, 4


def check_budget(stream: Stream, description: dict[str, Any], *, most_bytes: int) -> None:
    """Nothing, when the frame takes at most `most_bytes` of memory besides its file.

    Raises: NotRepresentable naming the column that passes it.
    """
    index = description["index"]
    labels = [column["label"] for column in description["columns"]]
    tags = [column["dtype"] for column in description["columns"]]
    if index is not None and "range" not in index:
        tags += index["dtypes"]
    if len(tags) != len(stream.columns):
        raise NotRepresentable(f"its description does not fit: {len(tags)} dtypes for {len(stream.columns)} columns")
    total = 0
    for number, (tag, content) in enumerate(zip(tags, stream.columns, strict=True)):
        total += _decoded_bytes(tag, content, stream.categories.get(number))
        if total > most_bytes:
            name = f"column {ascii(labels[number])[:80]}" if number < len(labels) else "its index"
            raise NotRepresentable(
                f"it would take more than {most_bytes:,} bytes of memory, with {name} of dtype {ascii(tag)[:80]}; "
                "fetch fewer rows, or change columns of dtype object to one of pandas' own"
            )


def _decoded_bytes(tag: object, content: FieldContent, categories: FieldContent | None) -> int:
    if isinstance(tag, dict):
        inner = 0 if categories is None else _decoded_bytes(tag.get("categories"), categories, None)
        return 2 * content.stored_bytes + inner
    match tag:
        case None:
            return max(content.stored_bytes, content.cells)
        case "object" if not content.stored_bytes:
            return _REFERENCE_BYTES * content.cells
        case "object":
            return _OBJECT_BYTES * content.cells + _CHARACTER_BYTES * content.stored_bytes
        case "str" | "string":
            return content.stored_bytes + _REFERENCE_BYTES * content.cells
    return 2 * (content.stored_bytes + content.cells)
