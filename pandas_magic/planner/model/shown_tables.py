"""An answer that models are shown before they write code, on tables of no one.

Without one, small models parse the block of data, or read the file again that a table came from.
"""

from pandas_magic.planner.model.disclosure import data_block
from pandas_magic.planner.model.prompts import ChatMessage, Prompt

_TABLES = {
    "members": {"club_id": ("integer", "int64"), "age": ("number", "float64")},
    "clubs": {"club_id": ("integer", "int64")},
}


def shown_schema() -> str:
    """The tables, as those of a person are told."""
    tables = [
        {
            "name": table,
            "variable": table,
            "file": f"{table}.csv",
            "columns": [{"name": name, "type": kind, "dtype": dtype} for name, (kind, dtype) in columns.items()],
        }
        for table, columns in _TABLES.items()
    ]
    return data_block({"tables": tables})


def shown_first(prompt: Prompt, asked: str, answer: str) -> Prompt:
    """The prompt with a turn of the same form, and its answer, behind the words of the system."""
    turns = (ChatMessage(role="user", content=asked), ChatMessage(role="assistant", content=answer))
    return prompt.model_copy(update={"messages": (prompt.messages[0], *turns, *prompt.messages[1:])})
