"""Which tables and columns a piece of pandas code reads, found without running it.

Every column whose name the code mentions (as a text, inside a text, as an attribute or a keyword) counts as read. That
is all, as long as each whole table is only used in ways that look at no other column: filtered, sorted, merged on named
keys, grouped and then projected. Any other use of a whole table reads all of its columns, and the reason is given. The
answer errs on the side of more: code that gets only the columns reported gives the same rows.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pandas_magic.catalog import Catalog, Table
from pandas_magic.checking.frame_uses import FrameUses
from pandas_magic.constraints import identifier
from pandas_magic.registry.compiled_check import CompiledCheck

_SUFFIX_ARGUMENTS = frozenset({"suffixes", "lsuffix", "rsuffix"})
# What pandas appends to equal names of merged tables.
_DEFAULT_SUFFIXES = ("_x", "_y")


@dataclass(frozen=True)
class Reads:
    """The columns read, by table, in the table's order; a table without any is one whose rows are only counted.

    `whole` gives, for tables of which every column may be read, why.
    """

    columns: dict[str, tuple[str, ...]]
    whole: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """One line for people: `reads users.id; all columns of orders, since …`."""
        parts = [
            f"all columns of {table}, since {self.whole[table]}"
            if table in self.whole
            else ", ".join(f"{table}.{column}" for column in columns) or f"only the rows of {table}"
            for table, columns in self.columns.items()
        ]
        return "reads " + "; ".join(parts) if parts else "reads no table"


def reads_of(code: str, tables: Mapping[str, Sequence[str]]) -> Reads:
    """What `code` reads of `tables`, which maps the names that tables have in the code to their columns.

    Raises: SyntaxError when the code does not parse.
    """
    tree = ast.parse(code)
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used = [table for table in tables if table in named]
    mentions = _Mentions.of(tree)
    whole = FrameUses(tree, {table: frozenset(tables[table]) for table in used}).whole_uses()
    columns = {
        table: tuple(column for column in tables[table] if table in whole or mentions.has(column)) for table in used
    }
    return Reads(columns, {table: whole[table] for table in used if table in whole})


def columns_read(code: str, tables: Mapping[str, Table]) -> dict[str, tuple[str, ...]]:
    """The columns that `code` reads of each table it uses, by the table's own name, which may be none in code.

    Raises: SyntaxError when the code does not parse.
    """
    found = reads_of(code, {identifier(name): tuple(table.columns) for name, table in tables.items()}).columns
    return {name: found[identifier(name)] for name in tables if identifier(name) in found}


@dataclass(frozen=True)
class _Mentions:
    """Every text and name in a piece of code that may name a column."""

    names: frozenset[str]  # attributes and keywords
    texts: tuple[str, ...]
    suffixes: tuple[str, ...]

    @classmethod
    def of(cls, tree: ast.AST) -> "_Mentions":
        names, texts, suffixes = set[str](), set[str](), set(_DEFAULT_SUFFIXES)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.keyword) and node.arg:
                names.add(node.arg)
                if node.arg in _SUFFIX_ARGUMENTS:
                    suffixes |= {text for text in _texts_in(node.value) if text}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
        return cls(frozenset(names), tuple(sorted(texts)), tuple(sorted(suffixes)))

    def has(self, column: str) -> bool:
        """Whether the code mentions the column, by itself or with a suffix that a merge gives it."""
        if column in self.names or column in self.texts:
            return True
        forms = [column, *(column + suffix for suffix in self.suffixes)]
        return bool(column) and any(_occurs(form, text) for form in forms for text in self.texts if form in text)


def _occurs(name: str, text: str) -> bool:
    """Whether the name stands in the text as a word of its own: query and eval hold names inside a text."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _texts_in(node: ast.AST) -> set[str]:
    return {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def read_by_edited(code: str, compiled: CompiledCheck, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The columns that edited code of a check reads, and the table that is checked, whatever the code reads of it."""
    names = {name for name in catalog.names() if identifier(name) in code} | set(compiled.plan.reads)
    columns = {name: tuple(catalog.schema(name).columns) for name in sorted(names)}
    found = reads_of(code, {identifier(name): columns[name] for name in columns}).columns
    return {
        name: found.get(identifier(name), ())
        for name in columns
        if identifier(name) in found or name == compiled.target
    }
