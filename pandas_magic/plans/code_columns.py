"""What the code of a plan reads, and what its request names that it does not read.

Code that answers another question than was asked often runs well, and its answer looks like one; what it never looked
at shows it.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.checking.column_reads import columns_read, reads_of
from pandas_magic.constraints import identifier
from pandas_magic.plans.request_words import stems

_TOLD = frozenset(("findings", "chart"))  # what code binds to tell of its result
_LONG = 4  # letters; shorter values ("IT", "US") are words of their own when they are written small
_DENYING = frozenset(("no", "not", "never", "without", "none", "t", "cannot", "lack", "lacking"))  # "haven't" ends in t
_NEAR = 3  # words behind such a word: "never placed an order"


def reads_in_words(code: str, tables: Mapping[str, Table]) -> str:
    """One line for people: `users.age, users.country; all columns of orders, since …`."""
    columns = {identifier(name): tuple(table.columns) for name, table in tables.items()}
    found = reads_of(without_telling(code), columns)
    return found.in_words().removeprefix("reads ")


def without_telling(code: str) -> str:
    """The code, without comments, and without what only tells of the result: its findings and its chart."""
    tree = ast.parse(code)
    tree.body = [statement for statement in tree.body if not _tells(statement)]
    return ast.unparse(tree)


def not_read(request: str, code: str, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """What was chosen or is named and never looked at, each in one clause.

    That are tables, columns that the request names by all words of their name, and columns in which a text occurs that
    the request says. A column is not missed where one of the same name is read of another table.
    """
    used = columns_read(without_telling(code), tables)
    read = {column for columns in used.values() for column in columns}
    unused = (f"the code reads nothing of {name}" for name in tables if name not in used)
    return (*unused, *_columns_not_read(request, read, tables), *_values_not_read(request, read, tables))


def absence_not_looked_for(request: str, code: str, tables: Mapping[str, Table]) -> str:
    """What of the request code cannot answer: "users who never placed an order" of users alone; "" when nothing.

    That there is none is seen in the table itself, or in a column that refers to it, and nowhere else. `tables` are all
    that the request may be about.
    """
    used = columns_read(without_telling(code), {name: tables[name] for name in tables if identifier(name) in code})
    read = [words for columns in used.values() for words in map(stems, columns)]
    said = stems(request)
    near = [said[place + 1 : place + 1 + _NEAR] for place, word in enumerate(said) if word in _DENYING]
    for name in tables:
        noun = stems(name)
        missed = name not in used and not any(_stands_in(noun, column) for column in read)
        if missed and any(_stands_in(noun, words) for words in near):
            return f"the request is about what {name} does not have, and the code does not look there"
    return ""


def _tells(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but give a value to what is told, or add to it."""
    match statement:
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Name) and target.id in _TOLD for target in targets)
        case ast.AugAssign(target=ast.Name(id=name)):
            return name in _TOLD
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name in _TOLD
        case ast.If(body=body, orelse=rest):
            return all(map(_tells, (*body, *rest)))
        case _:
            return False


def _columns_not_read(request: str, read: Collection[str], tables: Mapping[str, Table]) -> Iterator[str]:
    said = stems(request)
    named: dict[str, list[str]] = {}
    for name, table in tables.items():
        for column in table.columns:
            if column not in read and _stands_in(stems(column), said):
                named.setdefault(column, []).append(f"{name}.{column}")
    for columns in named.values():
        yield f"the request names {' or '.join(columns)}, which the code does not read"


def _values_not_read(request: str, read: Collection[str], tables: Mapping[str, Table]) -> Iterator[str]:
    places: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        for column, values in table.values.items():
            for value in filter(lambda value: _says(request, value), values):
                places.setdefault(value, {})[column] = f"{name}.{column}"
    for value, columns in places.items():
        # A text may stand in several columns ("active" users and "active" loans); one of them is enough.
        if columns.keys().isdisjoint(read):
            named = " or ".join(columns.values())
            yield f'the request says "{value}", a value of {named}, which the code does not read'


def _says(request: str, value: str) -> bool:
    if len(value) < _LONG:
        return len(value) > 1 and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", request) is not None
    return _stands_in(stems(value), stems(request))


def _stands_in(words: list[str], said: list[str]) -> bool:
    return any(said[start : start + len(words)] == words for start in range(len(said))) if words else False
