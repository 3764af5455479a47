"""Values that come from other rows, as pandas: of the same table, of another table, of a whole table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import Condition, Exists
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Group,
    Join,
    Lookup,
    Previous,
    Rollup,
    Share,
    Statistic,
)
from pandas_magic.constraints.algebra.tree import columns_read, local_nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.constraints.code.python_text import ATOM, Code, filled, frame_of, listing, literal
from pandas_magic.constraints.code.writer import At, Writer
from pandas_magic.constraints.types.value_types import ValueType

Reach = Lookup | Rollup | Group | Previous | Aggregate | Share
_METHODS: dict[Statistic, str] = {"distinct": "nunique"}
_EMPTY_IS_ZERO = ("count", "sum", "distinct")
_FRACTIONAL = ("mean", "median", "std", "quantile")


def reach(writer: Writer, expression: Expression, at: At) -> Code:
    """The expression's values in the rows at hand, in their order and with their index."""
    match expression:
        case Lookup():
            return _lookup(writer, expression, at)
        case Rollup():
            return _rollup(writer, expression, at)
        case Group(by=()):
            return _aggregate(writer, expression, at)
        case Group():
            return _group(writer, expression, at)
        case Previous():
            return _previous(writer, expression, at)
        case Aggregate(table=table):
            return _statistic_found(writer, expression, _aggregate(writer, expression, writer.whole(table)))
        case Share(table=table, condition=condition, where=where):
            rows = writer.chosen(where, writer.whole(table))
            mask = _counted(as_series(writer.mask(condition, rows, True), rows), condition, rows)
            return _statistic_found(writer, expression, Code(f"{mask.within(ATOM)}.mean()", scalar=True))
    raise TypeError(f"no code for a {type(expression).__name__}")


def as_series(mask: Code, at: At) -> Code:
    """The mask as a Series, which that of an approximate comparison may not be, without missing truths."""
    return Code(f"pd.Series({mask.text}, index={at.frame}.index)") if "np.isclose(" in mask.text else filled(mask)


def _counted(mask: Code, condition: Condition, at: At) -> Code:
    """The mask with every row counted, also when a column of plain truth values gets its first gap after today."""
    read = [part for part in local_nodes(condition) if isinstance(part, Column)]
    plain = any(at.table.columns.get(column.name) == "bool" for column in read)
    return filled(replace(mask, holey=True)) if plain else mask


def column_list(names: Sequence[str]) -> str:
    """One column's name as a text, several as a list."""
    return literal(names[0]) if len(names) == 1 else listing(map(literal, names))


def key_frame(writer: Writer, by: Sequence[Expression], at: At) -> str:
    """A DataFrame of the expressions' values, with the index of the rows at hand."""
    return frame_of({f"key_{number}": writer.value(part, at).text for number, part in enumerate(by, 1)})


def match_keys(writer: Writer, exists: Exists, at: At, there: At) -> Code:
    """Whether each row's values stand together in a row of the other table."""
    names = [f"key_{number}" for number in range(1, len(exists.keys) + 1)]
    mine = writer.bind("keys", Code(key_frame(writer, exists.of, at)))
    known = f"{there.frame}[{listing(map(literal, exists.keys))}].set_axis({listing(map(literal, names))}, axis=1)"
    known = writer.bind("known_keys", Code(f"{known}.dropna().drop_duplicates()")).text
    merged = f'{mine.text}.merge({known}, how="left", indicator=True)["_merge"]'
    return Code(f'{merged}.eq("both").set_axis({at.frame}.index)')


def _statistic_found(writer: Writer, expression: Aggregate | Share, code: Code) -> Code:
    if writer.statistics is None:
        return code
    label = expression_words(expression).removeprefix("the ")
    writer.statistics[label] = code
    return Code(f"found[{literal(label)}]")


def _lookup(writer: Writer, lookup: Lookup, at: At) -> Code:
    join, there = lookup.join, writer.whole(lookup.join.table)
    keys = column_list(join.keys)
    first = f"{there.frame}.dropna(subset={keys}).drop_duplicates({keys})"
    stem = f"{there.frame}_by_{'_'.join(join.keys)}"
    if len(join.keys) == 1:
        # The key stays a column as well when what is looked up needs it.
        key_needed = (join.table, join.keys[0]) in set(columns_read(lookup.of, join.table))
        kept = ", drop=False" if key_needed else ""
        rows = At(there.table, writer.bind(stem, Code(f"{first}.set_index({keys}{kept})")).text)
        found = _kept_exact(writer.value(lookup.of, rows), writer.type_of(lookup.of, rows))
        code = _brought(writer, join, at, found)
    else:
        rows = At(there.table, writer.bind(stem, Code(first)).text)
        found = _kept_exact(writer.value(lookup.of, rows), writer.type_of(lookup.of, rows))
        code = _attached(join, at, f"{rows.frame}[{listing(map(literal, join.keys))}].assign(found={found.text})")
    named = lookup.of.name if isinstance(lookup.of, Column) else "value"
    return writer.bind(f"{there.frame}_{named}", code)


def _key_column(writer: Writer, join: Join, at: At) -> str:
    column = Column(name=join.columns[0])
    code, mine = writer.value(column, at), writer.type_of(column, at)
    theirs = writer.type_of(Column(name=join.keys[0]), writer.whole(join.table))
    # NumPy has no unsigned number for a gap, and pandas tries to find one.
    is_unlike = theirs.dtype.startswith("uint") and theirs.is_numpy and mine.kind == "integer" and not mine.is_numpy
    return f"{code.text}.astype(object)" if mine.is_category or is_unlike else code.text


def _brought(writer: Writer, join: Join, at: At, found: Code, *, fill: str = "") -> Code:
    """The values found under each key, brought to the rows at hand; `fill` stands where there are none."""
    # Unlike map(), reindex() keeps the dtype when there is nothing to be found, or nobody to find it for.
    filled = f", fill_value={fill}" if fill else ""
    keys = _key_column(writer, join, at)
    return Code(f"{found.within(ATOM)}.reindex({keys}{filled}).set_axis({at.frame}.index)")


def _kept_exact(code: Code, found: ValueType) -> Code:
    """Whole numbers and truth values in a dtype that can hold a missing one, so that none is turned into a float."""
    dtype = {"integer": "Int64", "boolean": "boolean"}.get(found.kind)
    if dtype is None or not found.is_numpy:
        return code
    return Code(f"{code.within(ATOM)}.astype({literal(dtype)})")


def _attached(join: Join, at: At, right: str) -> Code:
    """The column `found` of the right frame, whose other columns are the keys, brought to the rows at hand."""
    columns = list(map(literal, join.columns))
    renamed = f'.set_axis([{", ".join(columns)}, "found"], axis=1)' if join.columns != join.keys else ""
    mine = f"{at.frame}[{listing(columns)}]"
    return Code(f'{mine}.merge({right}{renamed}, how="left")["found"].set_axis({at.frame}.index)')


def _rollup(writer: Writer, rollup: Rollup, at: At) -> Code:
    join = rollup.join
    rows = writer.chosen(rollup.where, writer.whole(join.table))
    keys = [Column(name=key) for key in join.keys]
    if rollup.of is None:
        observed = ", observed=True" if any(writer.type_of(key, rows).is_category for key in keys) else ""
        grouped = f"{rows.frame}.groupby({column_list(join.keys)}{observed}, sort=False)"
    else:
        grouped = _grouped(writer, rollup.of, keys, rows)
    method = "size()" if rollup.of is None else _method(rollup.statistic, rollup.quantile)
    found = Code(f"{grouped}.{method}")
    kind = writer.type_of(rollup, at)
    if rollup.statistic in ("min", "max"):
        found = _kept_exact(found, kind)
    zero = "pd.Timedelta(0)" if kind.kind == "duration" else "0"
    fill = zero if rollup.of is None or rollup.statistic in _EMPTY_IS_ZERO else ""
    if len(join.keys) == 1:
        code = _brought(writer, join, at, found, fill=fill)
    else:
        code = _attached(join, at, f'{found.text}.reset_index(name="found")')
        code = Code(f"{code.text}.fillna({fill})") if fill else code
    return writer.bind(_stem(rollup.statistic, rollup.of, join.table), code)


def _stem(statistic: Statistic, of: Expression | None, table: str) -> str:
    if of is None:
        return f"{table}_count"
    return f"{of.name}_{statistic}" if isinstance(of, Column) else f"{table}_{statistic}"


def _method(statistic: Statistic, quantile: float | None) -> str:
    if statistic == "quantile":
        return f"quantile({quantile!r})"
    return f"{_METHODS.get(statistic, statistic)}()"


def _grouped(writer: Writer, of: Expression | None, by: Sequence[Expression], rows: At) -> str:
    """The grouped column that a statistic is taken of; with no `of`, one of the grouping columns."""
    observed = ", observed=True" if any(writer.type_of(part, rows).is_category for part in by) else ""
    if of is None or (isinstance(of, Column) and _is_plain(writer, of, rows)):
        name = of.name if isinstance(of, Column) else next(_columns_within(by))
        keys = _group_keys(writer, by, rows)
        return f"{rows.frame}.groupby({keys}{observed}, sort=False)[{literal(name)}]"
    values = _summed(writer, of, rows)
    return f"{values.within(ATOM)}.groupby({_key_series(writer, by, rows)}{observed}, sort=False)"


def _is_plain(writer: Writer, of: Expression, rows: At) -> bool:
    found = writer.type_of(of, rows)
    return found.kind != "mixed" and (found.kind != "number" or (found.is_numpy and not found.is_narrow))


def _summed(writer: Writer, of: Expression, rows: At) -> Code:
    """The values that a statistic is taken of, as numbers that can be added up without loss."""
    found = writer.type_of(of, rows)
    code = writer.value(of, rows, ValueType("number") if found.kind == "mixed" else None)
    if found.kind == "number" and (not found.is_numpy or found.is_narrow):
        return Code(f'{code.within(ATOM)}.astype("float64")')
    return code


def _columns_within(by: Iterable[Expression]) -> Iterator[str]:
    for part in by:
        for node in local_nodes(part):
            if isinstance(node, Column):
                yield node.name


def _group_keys(writer: Writer, by: Sequence[Expression], rows: At) -> str:
    items = [literal(part.name) if isinstance(part, Column) else writer.value(part, rows).text for part in by]
    return items[0] if len(items) == 1 else listing(items)


def _key_series(writer: Writer, by: Sequence[Expression], rows: At) -> str:
    items = [writer.value(part, rows).text for part in by]
    return items[0] if len(items) == 1 else listing(items)


def _group(writer: Writer, group: Group, at: At) -> Code:
    if group.where is None:
        grouped = _grouped(writer, group.of, group.by, at)
        name = '"size"' if group.of is None else _transform(group.statistic, group.quantile)
        return writer.bind(_stem(group.statistic, group.of, "group"), Code(f"{grouped}.transform({name})"))
    chosen = as_series(writer.mask(group.where, at, True), at)
    keys = _key_series(writer, group.by, at)
    observed = ", observed=True" if any(writer.type_of(part, at).is_category for part in group.by) else ""
    if group.of is None:
        values, name = chosen, '"sum"'
    else:
        kind = writer.type_of(group.of, at)
        whole_sum = group.statistic == "sum" and kind.kind == "integer"
        of = _summed(writer, group.of, at)
        values = Code(f"{of.within(ATOM)}.where({chosen.text}{', 0' if whole_sum else ''})")
        name = _transform(group.statistic, group.quantile)
    code = Code(f"{values.within(ATOM)}.groupby({keys}{observed}, sort=False).transform({name})")
    return writer.bind(_stem(group.statistic, group.of, "group"), code)


def _transform(statistic: Statistic, quantile: float | None) -> str:
    name = literal(_METHODS.get(statistic, statistic))
    return f"{name}, {quantile!r}" if statistic == "quantile" else name


def _previous(writer: Writer, previous: Previous, at: At) -> Code:
    rows = _ordered(writer, previous.order, at)
    kind = writer.type_of(previous.of, rows)
    if previous.by:
        of = _kept_exact(writer.value(previous.of, rows), kind)
        shifted = f"{of.within(ATOM)}.groupby({_key_series(writer, previous.by, rows)}).shift()"
    else:
        shifted = f"{_kept_exact(writer.value(previous.of, rows), kind).within(ATOM)}.shift()"
    if previous.order is not None:
        shifted += f".reindex({at.frame}.index)"
    named = previous.of.name if isinstance(previous.of, Column) else "value"
    return writer.bind(f"previous_{named}", Code(shifted))


def _ordered(writer: Writer, order: Expression | None, at: At) -> At:
    """The rows in the order of the expression, those without a value for it left out."""
    if order is None:
        return at
    if isinstance(order, Column):
        key = literal(order.name)
        code = f'{at.frame}.dropna(subset={key}).sort_values({key}, kind="stable")'
    else:
        places = writer.value(order, at).within(ATOM)
        code = f'{at.frame}.loc[{places}.dropna().sort_values(kind="stable").index]'
    return At(at.table, writer.bind("ordered", Code(code)).text)


def _aggregate(writer: Writer, aggregate: Aggregate | Group, whole: At) -> Code:
    where: Condition | None = aggregate.where
    rows = writer.chosen(where, whole)
    if aggregate.of is None:
        return Code(f"len({rows.frame})", scalar=True)
    values = _summed(writer, aggregate.of, rows)
    found = writer.type_of(aggregate.of, rows)
    may_be_na = found.kind == "mixed" or (found.kind in ("integer", "boolean") and not found.is_numpy)
    if may_be_na and aggregate.statistic in _FRACTIONAL:
        # Of no rows, a nullable column's mean is NA, which compares with nothing; that of plain numbers is NaN.
        values = Code(f'{values.within(ATOM)}.astype("float64")')
    return Code(f"{values.within(ATOM)}.{_method(aggregate.statistic, aggregate.quantile)}", scalar=True)
