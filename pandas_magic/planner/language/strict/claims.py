"""Functions of meanings that give whole claims and rules."""

from pandas_magic.constraints import (
    Arithmetic,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Exists,
    Expression,
    Group,
    Not,
    Present,
    Previous,
    RowRule,
    Share,
    TableRule,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.constraints.algebra.polarity import columns_in
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.algebra.tree import conjuncts, nodes
from pandas_magic.planner.language.strict.conditions import blank, compare, empty
from pandas_magic.planner.language.strict.expressions import folded, plus
from pandas_magic.planner.language.strict.logic import EVERY_ROW, among, both, either, for_must, for_where, negate
from pandas_magic.planner.language.strict.other_rows import known
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Claim, Kin, Of


def of(about: About, expression: Expression, where: Condition) -> Of | None:
    """The expression, in those rows."""
    return Of(expression, where)


def claim(about: About, where: Condition, must: Condition) -> Claim | None:
    """In those rows, the condition has to hold."""
    return None if must == EVERY_ROW else Claim(where, must)


def claim_of(about: About, subject: Of, must: Condition) -> Claim | None:
    """In the subject's rows, the condition has to hold."""
    return claim(about, subject.where, must)


def under(about: About, where: Condition, stated: Claim) -> Claim | None:
    """The claim, only where the condition is true as well; "unique in every order" is no claim on all rows."""
    if where == EVERY_ROW and any(isinstance(part, Unique) for part in nodes(stated.must)):
        return None
    return Claim(both(where, stated.where), stated.must)


def offence(about: About, found: Condition) -> Claim | None:
    """No row may be like that: what was said last of it must not hold of those that the rest is said of."""
    parts = conjuncts(found)
    if not parts:
        return None
    return Claim(both(*parts[:-1]), negate(parts[-1]))


def all_claims(about: About, stated: tuple[Claim, ...]) -> Claim | None:
    """Several claims in one, each under its own condition."""
    wheres = {one.where for one in stated}
    if len(wheres) == 1:
        return Claim(stated[0].where, both(*(one.must for one in stated)))
    parts = [one.must if one.where == EVERY_ROW else _implied(one) for one in stated]
    return Claim(EVERY_ROW, both(*parts))


def _implied(stated: Claim) -> Condition:
    return either(negate(stated.where), stated.must)


def rule(about: About, stated: Claim) -> Constraint | None:
    """The claim as a rule of the table."""
    where = for_where(stated.where)
    must = _without_known(for_must(stated.must), where)
    return RowRule(table=about.table, where=None if where == EVERY_ROW else where, must=must)


def _without_known(must: Condition, where: Condition) -> Condition:
    """What is demanded, without that a value be there which is there in all rows that are judged."""
    there = {part for part in conjuncts(where) if isinstance(part, Present)}
    parts = conjuncts(must)
    rest = [part for part in parts if part not in there]
    return both(*rest) if rest and len(rest) < len(parts) else must


def tolerated(about: About, stated: Claim, share: Value, most: str) -> Constraint | None:
    """The claim may be broken by a share: at least so many percent keep it, or at most so many break it."""
    if isinstance(share.value, (str, bool)):
        return None
    broken = 100 - share.value if most == "kept" else share.value
    found = rule(about, stated)
    if not isinstance(found, RowRule) or not 0 <= broken <= 100:
        return None
    return found.model_copy(update={"tolerance": Tolerance(max_share=round(broken / 100, 12))})


def tolerated_rows(about: About, stated: Claim, rows: Value) -> Constraint | None:
    """The claim may be broken by so many rows."""
    found = rule(about, stated)
    if not isinstance(found, RowRule) or not isinstance(rows.value, int):
        return None
    return found.model_copy(update={"tolerance": Tolerance(max_rows=rows.value)})


def whole_table(about: About, must: Condition) -> Constraint:
    """A demand on statistics of the whole table."""
    return TableRule(table=about.table, must=must)


def row_by_row(about: About, found: Constraint) -> Constraint | None:
    """The rule, unless it compares rows: then "within each order" says with which."""
    compared = isinstance(found, RowRule) and any(isinstance(part, (Unique, Group)) for part in nodes(found.must))
    return None if compared else found


def share_of_rows(about: About, condition: Condition, where: Condition) -> Expression | None:
    """Which share of the rows fulfil the condition."""
    if condition == EVERY_ROW:
        return None
    return Share(table=about.table, condition=condition, where=None if where == EVERY_ROW else where)


def have_columns(about: About, columns: tuple[Column, ...]) -> Constraint:
    """The table has these columns."""
    return ColumnsRule(table=about.table, required=tuple(column.name for column in columns))


def lack_columns(about: About, columns: tuple[Column, ...]) -> Constraint:
    """The table has none of these columns."""
    return ColumnsRule(table=about.table, forbidden=tuple(column.name for column in columns))


def given_claim(about: About, subject: Of, must: Condition) -> Claim | None:
    """The claim on values that are there."""
    return claim(about, both(subject.where, Present(of=subject.of)), must)


def also_claims(about: About, one: Claim, other: Claim) -> Claim | None:
    """Two claims in one."""
    return all_claims(about, (one, other))


def either_way(about: About, condition: Condition, one: Claim, other: Claim) -> Claim | None:
    """One claim where the condition is true, the other where it is not."""
    here, there = under(about, condition, one), under(about, negate(condition), other)
    return all_claims(about, (here, there)) if here is not None and there is not None else None


def the_others(about: About, stated: Claim, other: Condition) -> Claim | None:
    """One claim on some rows, and another value of the same column on all others."""
    if stated.where == EVERY_ROW or columns_in(stated.must) != columns_in(other):
        return None
    return all_claims(about, (stated, Claim(negate(stated.where), other)))


def if_and_only_if(about: About, condition: Condition, stated: Claim) -> Claim:
    """The claim holds where the condition is true, and nowhere else."""
    must = both(either(negate(condition), stated.must), either(condition, negate(stated.must)))
    return Claim(stated.where, must)


def agreed(about: About, one: Condition, other: Condition) -> Condition | None:
    """What is said twice of the same rows."""
    return one if one == other else None


def present_of(about: About, subject: Of) -> Condition:
    """The subject's value is there."""
    return Present(of=subject.of)


def filled_of(about: About, subject: Of) -> Condition:
    """The subject's value is there, and no text without characters."""
    return negate(empty(about, subject.of))


def written_of(about: About, subject: Of) -> Condition:
    """The subject's value is there, and no text of spaces."""
    return negate(blank(about, subject.of))


def compare_of(about: About, subject: Of, relation: str, number: float) -> Condition | None:
    """The subject's value in relation to a number."""
    return compare(about, subject.of, relation, Value(value=number))


def at_most_of(about: About, subject: Of, limit: Expression) -> Claim | None:
    """The subject's value is no more than that."""
    must = compare(about, subject.of, "<=", limit)
    return None if must is None else Claim(subject.where, must)


def one_of_of(about: About, subject: Of, values: tuple[bool | int | float | str, ...]) -> Condition:
    """The subject's value is one of these."""
    return among(subject.of, values)


def known_of(about: About, subject: Of, kin: Kin) -> Condition | None:
    """The subject's value is the key of a row of the other table."""
    return known(about, subject.of, kin)


def gapless(about: About, subject: Of) -> Claim | None:
    """The numbers follow one another: but for the lowest, each has the one before it."""
    number = subject.of
    if not isinstance(number, Column) or about.kind(number) not in NUMBERS:
        return None
    first = Group(statistic="min", of=number)
    before = Arithmetic(sign="-", left=number, right=Value(value=1))
    found = Exists(of=(before,), table=about.table, keys=(number.name,))
    return Claim(both(subject.where, Compare(relation=">", left=number, right=first)), found)


def numbered(about: About, subject: Of, keys: tuple[Expression, ...]) -> Claim | None:
    """The rows of each group are numbered from 1 on, each number once."""
    number = subject.of
    if about.kind(number) not in NUMBERS or any(key == number for key in keys):
        return None
    rows, first, last = (Group(statistic=name, of=number, by=keys) for name in ("count", "min", "max"))
    ends = Compare(relation="==", left=first, right=Value(value=1)), Compare(relation="==", left=last, right=rows)
    return Claim(subject.where, both(*ends, Unique(by=(*keys, number))))


def allowing_missing(about: About, found: Constraint) -> Constraint | None:
    """The rule without the demand that a value be there."""
    if not isinstance(found, RowRule):
        return None
    parts = conjuncts(found.must)
    rest = [part for part in parts if not isinstance(part, Present)]
    return found.model_copy(update={"must": both(*rest)}) if rest else None


def and_filled(about: About, found: Constraint) -> Constraint | None:
    """The rule with the demand that the one column that it speaks of is filled."""
    columns = {node for node in nodes(found.must) if isinstance(node, Column)} if isinstance(found, RowRule) else set()
    if not isinstance(found, RowRule) or len(columns) != 1:
        return None
    filled = negate(empty(about._replace(table=found.table), *columns))
    return found.model_copy(update={"must": both(found.must, filled)})


def plainly(about: About, condition: Condition) -> Condition:
    """The condition without what it says of values being there in passing."""
    return for_where(condition)


def without_case(about: About, stated: Claim) -> Claim | None:
    """The claim that texts are unique, whatever their case."""
    if not isinstance(stated.must, Unique):
        return None
    by = tuple(folded(about, part, "case") or part for part in stated.must.by)
    return Claim(stated.where, Unique(by=by)) if by != stated.must.by else None


def ordered(about: About, subject: Of, relation: str) -> Claim | None:
    """Each value stands in the relation to the one in the row before, among rows that have one."""
    must = compare(about, subject.of, relation, Previous(of=subject.of))
    return Claim(both(subject.where, Present(of=subject.of)), must) if must is not None else None


def ordered_by_itself(about: About, subject: Of, column: Expression) -> Claim | None:
    """Each value is greater than the one in the row before, when the two are of one column."""
    return ordered(about, subject, ">") if subject.of == column else None


def stepped(about: About, number: Expression) -> Claim | None:
    """Each value is one more than the one in the row before."""
    before = plus(about, Previous(of=number), Value(value=1))
    must = compare(about, number, "==", before) if before is not None else None
    return Claim(Present(of=number), must) if must is not None else None


def fractions(about: About, value: Value) -> Value | None:
    """A percentage as a share from 0 to 1."""
    return None if isinstance(value.value, (str, bool)) else Value(value=round(value.value / 100, 12))


def allowing_missing_of(about: About, found: Constraint, of: Expression) -> Constraint | None:
    """The rule without the demand that a value be there, when it is about that value."""
    said = isinstance(found, RowRule) and any(part == of for part in nodes(found.must))
    return allowing_missing(about, found) if said else None


def demanded(about: About, said: Condition) -> Condition | None:
    """What a note says of a column; that it is missing may be a complaint as well as a demand."""
    return None if isinstance(said, Not) and isinstance(said.condition, Present) else said
