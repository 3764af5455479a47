"""Several columns or rows at once: what they share, exclude or add up to, and which values are allowed."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, OneOf, Present, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, HowMany, Value
from pandas_magic.planner.grammar import (
    amounts,
    associations,
    claims,
    clauses,
    column_lists,
    comparisons,
    constants,
    counting,
    dependencies,
    limits,
    listed_values,
    moods,
    nouns,
    phrases,
    possession,
    qualities,
    rows,
    uniqueness,
    values,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, after_be
from pandas_magic.planner.grammar.logic import all_in, any_of, has_window, negate
from pandas_magic.planner.grammar.meaning import Claim, compare, kind_of_expression
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart

Found = Iterator[tuple[Position, Claim]]


def several(p: Parse, i: Position, table: str) -> Found:
    """Several columns at once: "a and b must be present", "neither a nor b may be missing"."""
    for start in (i, *p.phrase(i, phrases.BEFORE_SEVERAL)):
        said = p.source(i, start).lower() if start > i else ""
        for middle, names in possession.column_list(p, start, table):
            if len(names) < 2:
                continue
            joint = column_lists.joint_of(p, start, middle)
            mood = "must"
            if said.startswith(("neither", "none")):
                joint, mood = "neither", "may"
            pairs = list(_compared_pair(p, middle, table, names))
            yield from _added_together(p, middle, table, names) if joint == "and" else ()
            each = column_lists.each_of(p, middle, table, names, mood, joint) if not _adds_up(p, middle) else ()
            for end, condition in each:
                # "The origin and the destination must be different": from each other, not unique.
                if not (has_window(condition) and any(int(end) == int(other) for other, _ in pairs)):
                    yield end, claims.demand(table, condition)
            yield from pairs
            yield from uniqueness.unique_together(p, middle, table, names)
            yield from _both_or_neither(p, middle, table, names)
            yield from _given_together(p, middle, table, names, said if joint == "or" else joint)
    yield from _in_brackets(p, i, table)
    for middle, condition in possession.how_many_present(p, i, table):
        for end in p.seq_ends(
            middle,
            f"?{words.MUST}",
            f"{after_be(words.PRESENT)}|{after_be(words.MANDATORY)}|have a value|exist",
        ):
            yield end, claims.demand(table, condition)
        for end in p.seq_ends(middle, f"{words.MUST} be|be", words.NONEMPTY):
            yield (
                p.note(middle, end, "neither missing nor an empty text"),
                claims.demand(table, _not_blank(p, table, condition)),
            )
    yield from uniqueness.combination(p, i, table)


def _not_blank(p: Parse, table: str, condition: Condition) -> Condition:
    """The same of values that are neither missing nor blank, where it is about values that are present."""
    if isinstance(condition, Present):
        kind = kind_of_expression(p.schema, table, condition.of)
        return negate(qualities.blank(condition.of, kind, stripped=True))
    if isinstance(condition, Any_ | All):
        return condition.model_copy(update={"conditions": tuple(_not_blank(p, table, c) for c in condition.conditions)})
    if isinstance(condition, Compare) and isinstance(condition.left, HowMany):
        parts = tuple(_not_blank(p, table, part) for part in condition.left.conditions)
        return condition.model_copy(update={"left": HowMany(conditions=parts)})
    return condition


def _in_brackets(p: Parse, i: Position, table: str) -> Found:
    """Like "(a, b) must be unique"."""
    for middle, (names,) in p.seq(i, "(", lambda p, i: possession.column_list(p, i, table), ")"):
        if len(names) > 1:
            yield from uniqueness.said_to_be_unique(p, middle, table, names)


def _compared_pair(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Like "Origin and destination must differ"."""
    pairs: tuple[tuple[str, Relation], ...] = ((phrases.BE_DIFFERENT, "!="), (phrases.BE_THE_SAME, "=="))
    for said, relation in pairs:
        for end in p.phrase(i, said) if len(names) == 2 else ():
            found = compare(p.schema, table, names[0], relation, names[1])
            if found is not None:
                yield p.note(i, end, relation), claims.demand(table, found)


def _both_or_neither(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Present and missing together; not both."""
    present = tuple(Present(of=name) for name in names)
    filled = f"{after_be(words.PRESENT)}"
    for end in p.seq_ends(
        i, f"?{words.MUST}|{words.MUST} either", phrases.BOTH_OR_NEITHER, f"?{phrases.OR_BOTH_OR_NEITHER}"
    ):
        yield end, claims.demand(table, possession.all_or_none(present))
    at_once = p.seq_ends(i, phrases.MUST_NOT, filled, phrases.AT_THE_SAME_TIME)
    for end in (*p.seq_ends(i, phrases.NOT_BOTH, filled), *(at_once if len(names) == 2 else ())):
        yield end, claims.demand(table, negate(all_in(present)))
    for end in p.seq_ends(i, phrases.NOT_BOTH, after_be(f"{words.MISSING}|empty|blank")) if len(names) == 2 else ():
        yield p.note(i, end, "at least one of them"), claims.demand(table, any_of(*present))
    for end in p.seq_ends(i, phrases.EXCLUDE_EACH_OTHER):
        yield (
            end,
            claims.demand(table, negate(all_in(present)) if len(present) == 2 else possession.at_most_one(present)),
        )


def _added_together(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Like "(The tax and the net amount) must add up to the total"."""
    if any(kind_of_expression(p.schema, table, name) not in ("integer", "number") for name in names):
        return
    total = names[0]
    for name in names[1:]:
        total = Arithmetic(sign="+", left=total, right=name)
    for start in p.phrase(i, "together|in total|taken together|combined|in sum|added up|summed up|added together"):
        for end, condition in clauses.value_phrase(p, p.note(i, start, "their sum"), table, total, "must"):
            if isinstance(condition, Compare):
                yield end, claims.demand(table, condition)
    for start, negated in moods.head(p, i, "must"):
        for after in p.phrase(start, phrases.ADD_UP_TO) if not negated else ():
            noted = p.note(i, after, "their sum")
            yield from (
                (end, claims.demand(table, condition))
                for end, condition in (
                    *comparisons.comparison(p, noted, table, total),
                    *comparisons.compared(p, noted, table, total, "=="),
                )
            )


def _adds_up(p: Parse, i: Position) -> bool:
    """Like "a and b must add up to c": their sum does, not each of them."""
    return any(True for _ in adding_up(p, i, "must"))


def adding_up(p: Parse, i: Position, mood: str) -> Iterator[tuple[Position, bool]]:
    """Where "must add up to" ends, behind several columns, and whether it is denied."""
    return ((end, denied) for start, denied in moods.head(p, i, mood) for end in p.phrase(start, phrases.ADD_UP_TO))


def _one_of_two(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Behind "either a or b": "must be given, but not both"."""
    filled_in = f"{after_be(words.PRESENT)}|have a value|exist"
    for after in p.seq_ends(i, f"?{words.MUST}", filled_in) if len(names) == 2 else ():
        for end in p.phrase(after, phrases.BUT_NOT_BOTH):
            parts = HowMany(conditions=tuple(Present(of=name) for name in names))
            one = Compare(relation="==", left=parts, right=Value(value=1))
            yield p.note(i, end, "exactly one of the two"), claims.demand(table, one)
    for after in p.seq_ends(i, words.MAY, filled_in) if len(names) == 2 else ():
        for end in p.phrase(after, phrases.BUT_NOT_BOTH):
            present = tuple(Present(of=name) for name in names)
            yield p.note(i, end, "not both"), claims.demand(table, negate(all_in(present)))


def _given_together(p: Parse, i: Position, table: str, names: tuple[Expression, ...], joint: str) -> Found:
    if joint == "either":
        yield from _one_of_two(p, i, table, names)
    for end in _in_one_state(p, i) if joint == "and" else ():
        present = tuple(Present(of=name) for name in names)
        yield p.note(i, end, "all or none"), claims.demand(table, possession.all_or_none(present))


def _in_one_state(p: Parse, i: Position) -> Iterator[Position]:
    """Like "must either both be filled or both be empty", "belong together: both are given or neither"."""
    for start in (i, *p.phrase(i, f"{words.MUST}|:")):
        ends = [*p.phrase(start, phrases.BOTH_OR_NEITHER)] if p.tokens[start : start + 1] else []
        yield from _both_so_or_not(p, start)
        for middle in (
            end for last in ends for end in p.phrase(last, ":|,|-|–|;|(|, i.e .|. that is ,|, so|, meaning")
        ):
            for end in (*_both_so_or_not(p, middle), *p.phrase(middle, phrases.ONE_WITHOUT_THE_OTHER)):
                yield from (end, *p.phrase(end, ")"))


def _both_so_or_not(p: Parse, i: Position) -> Iterator[Position]:
    for start in (i, *p.phrase(i, "either")):
        for middle in p.seq_ends(start, phrases.BOTH_BE, f"{words.PRESENT}|{words.MANDATORY}"):
            yield from p.seq_ends(middle, "?,", phrases.OR_BOTH_BE, f"{words.MISSING}|{words.EMPTY}|blank")
            yield from p.seq_ends(middle, "?,", phrases.OR_NEITHER)


def allowed_values(p: Parse, i: Position, table: str) -> Found:
    """Like "The only allowed order statuses are …", "allowed values for currency: …"."""
    allowed = phrases.ALLOWED_VALUES
    for start in p.seq_ends(i, f"?{words.ARTICLE}|as", allowed, f"?{phrases.VALUES_OF}"):
        for middle, x in nouns.own_column(p, start, table):
            for after in p.phrase(middle, phrases.VALUES_ARE):
                for end, listed in values.value_list(p, after, table, x, True):
                    for last in (end, *p.phrase(end, phrases.ANYTHING_ELSE_IS_WRONG)):
                        yield last, claims.demand(table, OneOf(of=x, values=listed))
                for end, condition in comparisons.between(p, after, table, x):
                    yield end, claims.demand(table, condition)
    yield from _only_these(p, i, table)
    yield from listed_values.listed(p, i, table)
    for middle, x in nouns.own_column(p, i, table):
        for start in p.seq_ends(
            middle, ":|be", f"?{words.ARTICLE}", allowed, "?values|value|entries", ":|be|include only|are"
        ):
            for end, listed in values.value_list(p, start, table, x, True):
                yield end, claims.demand(table, OneOf(of=x, values=listed))


def _only_these(p: Parse, i: Position, table: str) -> Found:
    """Like "only the currencies EUR and USD are allowed"."""
    for middle, (x,) in p.seq(i, "only|only the", lambda p, i: nouns.own_column(p, i, table)):
        for end, listed in values.value_list(p, middle, table, x, True):
            for last in p.phrase(end, phrases.VALUES_ALLOWED):
                yield last, claims.demand(table, OneOf(of=x, values=listed))
    yield from _the_only(p, i, table)
    for start in p.phrase(i, "nothing but|nothing other than|nothing else than|nothing except"):
        for column in p.schema.tables[table].columns:
            of = Column(name=column)
            for end, listed in values.value_list(p, start, table, of, True):
                for after in p.seq_ends(end, phrases.VALUES_ALLOWED, "as|for|in", f"?{words.ARTICLE}"):
                    for last, x in nouns.own_column(p, after, table):
                        if x == of:
                            yield last, claims.demand(table, OneOf(of=of, values=listed))


def _the_only(p: Parse, i: Position, table: str) -> Found:
    """Like "the only currencies we have are EUR and USD"."""
    for middle, (x,) in p.seq(i, "the only", lambda p, i: nouns.own_column(p, i, table)):
        dealt_in = (
            end
            for end in p.seq_ends(middle, "?that|which", "we", phrases.DEAL_IN, "?through|via|in|by|to|from|at|with")
            if not any(tells_rows_apart(p, token, table) for token in p.tokens[middle:end])
        )
        for after in dict.fromkeys((middle, *p.phrase(middle, phrases.THAT_WE_HAVE), *dealt_in)):
            for start in p.phrase(after, "be|:|be :"):
                for end, listed in values.value_list(p, start, table, x, True):
                    if len(listed) > 1:  # "the only city is Rome" tells what there is today
                        yield p.note(i, end, "no other values"), claims.demand(table, OneOf(of=x, values=listed))


def same_values(p: Parse, i: Position, table: str) -> Found:
    """Like "All rows with the same zip must have the same city", "each zip has exactly one city"."""
    for start in p.seq_ends(i, f"?{words.EVERY}", "?the|a"):
        for middle, found in rows.plain_rows(p, start):
            if found.table != table:
                continue
            for after in p.phrase(middle, f"{phrases.WITH_THE_SAME}|of one|of a|of an|on one|on an|in one|from one"):
                yield from _constant(p, after, table, found.where)
    for after in p.phrase(i, "the same|same|each|every|a|any|a given|one|an"):
        yield from _constant(p, after, table, None)
    for middle, by in associations.rows_of_one(p, i, table):
        yield from _one_value(p, middle, table, by, None)
    yield from _always_together(p, i, table)
    yield from constants.constant_claims(p, i, table)
    yield from dependencies.settled(p, i, table)


def _always_together(p: Parse, i: Position, table: str) -> Found:
    """Like "The same zip must always come with the same city", "the same zip may never go with two cities"."""
    for start in p.phrase(i, "the same|same|one and the same|the very same|an identical|identical|equal"):
        for middle, x in nouns.own_column(p, start, table):
            for after, negated in moods.head(p, middle, "must"):
                if negated and moods.half_negated(p, middle):
                    continue  # "must not always come with the same city"
                said = phrases.TWO_DIFFERENT if negated else phrases.THE_SAME_ONE
                for begin in p.seq_ends(after, f"{phrases.GOES_WITH}|{phrases.BELONGS_SOMEWHERE}", said):
                    for end, other in nouns.own_column(p, begin, table):
                        if other != x and not _by_the_row(p, table, (x,)):
                            noted = p.note(middle, end, "one value in each group")
                            yield noted, claims.demand(table, limits.constant(other, (x,)))


def _constant(p: Parse, i: Position, table: str, where: Condition | None) -> Found:
    from pandas_magic.planner.grammar.counting import group_keys

    for middle, by in group_keys(p, i, table):
        for end in (middle, *nouns.of_this_row(p, middle, table)):
            yield from _one_value(p, end, table, by, where)


def _one_value(p: Parse, i: Position, table: str, by: tuple[Expression, ...], where: Condition | None) -> Found:
    yield from _one_only(p, i, table, by, where)
    same = (
        *p.phrase(i, phrases.HAVE_THE_SAME),
        *constants.one_and_the_same(p, i),
        *p.seq_ends(
            i, f"?{words.MUST}", "?also|all|both|always", "share", f"{phrases.ONE_AND_THE_SAME}|{phrases.VERY_SAME}"
        ),
        *p.seq_ends(i, f"?{words.MUST}", "?also|all|both|always", "have|show|carry|use", phrases.VERY_SAME),
    )
    for after in dict.fromkeys(same):
        noted = p.note(i, after, "one value in each group")
        for start in (noted, *p.phrase(noted, phrases.ONE_DISTINCT)):
            referred = ((end, Column(name=link.column)) for end, link in nouns.parent(p, start, table))
            for end, x in (*nouns.own_column(p, start, table), *referred):
                # "Each team has exactly one captain" counts the captains, where being one is true or false.
                counted = kind_of_expression(p.schema, table, x) == "boolean" and not _says_same(p, i, after)
                if x not in by and not counted and not _by_the_row(p, table, by):
                    yield end, claims.demand(table, limits.constant(x, by), where)


def _one_only(p: Parse, i: Position, table: str, by: tuple[Expression, ...], where: Condition | None) -> Found:
    """Like "(a batch number) belongs to one drug only"."""
    asked = f"?{words.MUST}|{words.MAY}|{words.MUST} always|always"
    for start in p.seq_ends(i, asked, phrases.BELONGS_SOMEWHERE, "one|a single|one single|exactly one|just one"):
        for middle, x in constants.columns(p, start, table):
            counted = kind_of_expression(p.schema, table, x) == "boolean"
            for end in p.phrase(middle, "only|alone") if not counted else ():
                if x not in by and not _by_the_row(p, table, by):
                    yield p.note(i, end, "one value in each group"), claims.demand(table, limits.constant(x, by), where)


def _says_same(p: Parse, i: Position, end: Position) -> bool:
    return any(token.low in ("same", "identical", "consistent", "agree") for token in p.tokens[i:end])


def _by_the_row(p: Parse, table: str, by: tuple[Expression, ...]) -> bool:
    # "Every product has exactly one category" asks for a category, not for the same one in rows of one product.
    return Column(name=p.schema.key(table) or "") in by


def sums(p: Parse, i: Position, table: str) -> Found:
    """Like "The totals of a user's orders may not add up to more than the credit limit"."""
    for middle, total in (*counting.summed_children(p, i, table), *amounts.summed(p, i, table)):
        yield from _added_up(p, middle, table, total)
        for start, negated in moods.head(p, middle, "must"):
            for after in p.phrase(start, phrases.ADD_UP_TO):
                for end, condition in comparisons.comparison(p, p.note(middle, after, "their sum"), table, total):
                    yield end, claims.demand(table, negate(condition) if negated else condition)
                for end, condition in comparisons.compared(p, p.note(middle, after, "their sum"), table, total, "=="):
                    yield end, claims.demand(table, negate(condition) if negated else condition)
            for after in p.phrase(start, phrases.EXCEED_TOGETHER):
                if (negated and p.tokens[start].low in ("together", "in", "combined")) or (
                    negated and "total" in p.source(start, after)
                ):
                    for end, condition in comparisons.compared(p, after, table, total, ">"):
                        yield end, claims.demand(table, negate(condition))


def _added_up(p: Parse, i: Position, table: str, total: Expression) -> Found:
    """Like "(The quantities of all defects of a batch), added up, must not be more than 10"."""
    for end, condition in clauses.value_phrase(p, i, table, total, "must"):
        for last in p.phrase(end, phrases.IN_TOTAL) if isinstance(condition, Compare) else ():
            yield p.note(end, last, "their sum"), claims.demand(table, condition)
    for start in p.phrase(i, phrases.ADDED_UP):
        noted = p.note(i, start, "their sum")
        for end, condition in clauses.value_phrase(p, noted, table, total, "must"):
            yield end, claims.demand(table, condition)
