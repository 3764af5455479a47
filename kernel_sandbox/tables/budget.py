"""How much memory a frame takes once it is decoded, told by the sizes of its arrays before anything is."""

from typing import Any

import pyarrow as pa

from kernel_sandbox.tables.boundary import NotRepresentable

# A Python object with its reference: numbers take 36 bytes, moments 56, decimals 112, texts 57 and up to four bytes for
# each byte that is stored.
_OBJECT_BYTES, _REFERENCE_BYTES, _CHARACTER_BYTES = 100, 8, 4
# What pandas makes of each label of an index with levels, and of each category, to find it again.
_LOOKUP_BYTES = 64


def check_budget(arrays: list[pa.Array], description: dict[str, Any], *, most_bytes: int) -> None:
    """Nothing, when the frame takes at most `most_bytes` of memory besides its file.

    Raises: NotRepresentable naming the column that passes it.
    """
    index = description["index"]
    labels = [column["label"] for column in description["columns"]]
    tags = [column["dtype"] for column in description["columns"]]
    if index is not None and "range" not in index:
        tags += index["dtypes"]
    if len(tags) != len(arrays):
        raise NotRepresentable(f"its description does not fit: {len(tags)} dtypes for {len(arrays)} columns")
    total = 0
    for number, (tag, array) in enumerate(zip(tags, arrays, strict=True)):
        is_level = number >= len(labels) and index["multi"]
        total += _decoded_bytes(tag, array) + (_LOOKUP_BYTES * len(array) if is_level else 0)
        if total > most_bytes:
            name = f"column {ascii(labels[number])[:80]}" if number < len(labels) else "its index"
            raise NotRepresentable(
                f"it would take more than {most_bytes:,} bytes of memory, with {name} of dtype {ascii(tag)[:80]}; "
                "fetch fewer rows, or change columns of dtype object to one of pandas' own"
            )


def _decoded_bytes(tag: object, array: pa.Array) -> int:
    cells, stored_bytes = _cells(array), int(array.get_total_buffer_size())
    if isinstance(tag, dict):
        if not pa.types.is_dictionary(array.type):
            return stored_bytes
        values = array.dictionary
        return 2 * stored_bytes + _LOOKUP_BYTES * len(values) + _decoded_bytes(tag.get("categories"), values)
    match tag:
        case None:
            return max(stored_bytes, cells)
        case "object" if not stored_bytes:
            return _REFERENCE_BYTES * cells
        case "object":
            return _OBJECT_BYTES * cells + _CHARACTER_BYTES * stored_bytes
        case "str" | "string":
            return stored_bytes + _REFERENCE_BYTES * cells
    return 2 * (stored_bytes + cells)


def _cells(array: pa.Array) -> int:
    """The values of the array and of all below it; nothing in it is looked at."""
    kind = array.type
    below = [array.values] if pa.types.is_list(kind) or pa.types.is_large_list(kind) else []
    if pa.types.is_struct(kind):
        below = [array.field(number) for number in range(kind.num_fields)]
    return len(array) + sum(map(_cells, below))
