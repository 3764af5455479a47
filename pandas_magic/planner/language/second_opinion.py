"""What the proposals take a sentence for that was read, where that is clearly something else: a second opinion."""

from pandas_magic.constraints import ColumnsRule, reads
from pandas_magic.constraints.algebra.conditions import Any_, Compare, Condition, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column, Now, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.linking import DefinedMeant, Linked
from pandas_magic.planner.language.linking.spans import EVENT
from pandas_magic.planner.language.logic import all_of, replaced
from pandas_magic.planner.language.strict.sameness import sense

# From this probability on a proposal that differs makes a question of a reading: on the frozen sentences it asks about
# most of those read wrongly, and about one in twenty of those read rightly.
_CLEAR = 0.6
# Candidates that a second opinion weighs: with the 280 of a question it objects to the same frozen sentences.
_OPINION_BREADTH = 60


def second_opinion(linked: Linked, constraint: Constraint) -> Constraint | None:
    """What the proposals take the sentence for, where that is clearly something else; None where they do not object.

    The ranking shares no line with the reader: what one of them misreads, the other seldom misreads alike. One that
    does a word like "median" no justice says nothing against a reading that does, nor does one that counts nothing
    against "the number of orders".
    """
    from pandas_magic.planner.language.loose import propose

    reckoned = (meant for span in linked.segments() for meant in span.of(DefinedMeant))
    # Proposals are about rows, and know no quantity that the glossary defines.
    if isinstance(constraint, ColumnsRule) or any(getattr(meant, "quantity", None) for meant in reckoned):
        return None
    first = next(iter(propose(linked, most=1, breadth=_OPINION_BREADTH)), None)
    if first is None or first.probability < _CLEAR or first.undischarged:
        return None
    said = {cue for span in linked.segments() for cue in span.cues}
    if "COUNT" in said and _counts(constraint) and not _counts(first.constraint):
        return None
    mine, theirs = _of_references(constraint), _of_references(first.constraint)
    if sense(mine) == sense(theirs) or sense(_by_the_day(mine)) == sense(_by_the_day(theirs)):
        return None
    if _passes_over(first.constraint, constraint, linked) or _says_less_or_unsaid(first.constraint, constraint, linked):
        return None
    return None if objections(first.constraint, linked) else first.constraint


def _passes_over(other: Constraint, constraint: Constraint, linked: Linked) -> bool:
    """Whether the other looks at nothing that some words name, and the reading does."""
    named = [{meant.column for meant in span.columns if meant.tier <= EVENT} for span in linked.segments()]
    mine, theirs = ({one for some in reads(rule).values() for one in some} for rule in (constraint, other))
    return any(columns & mine and not columns & theirs for columns in named)


def _says_less_or_unsaid(other: Constraint, constraint: Constraint, linked: Linked) -> bool:
    """Whether the other differs in what the sentence does not say, or in what it says and the other leaves out.

    A limit where a number is told, a column that no word names; one of the conditions, one half of "closed ones have
    it, and all others don't", and that a text is more than nothing where it is not empty.
    """
    if not isinstance(other, RowRule) or not isinstance(constraint, RowRule):
        return False
    ways = (part for part in conjuncts(constraint.must) if isinstance(part, Any_))
    if any(sense(constraint.model_copy(update={"must": part})) == sense(other) for part in ways):
        return True
    if not _conditions(other) <= _conditions(constraint):
        return False
    mine, theirs = _demands(constraint), _demands(other)
    named = {meant.column for span in linked.segments() for meant in span.columns if meant.tier <= EVENT}
    theirs = {one for one in theirs if one in mine or not _is_of_another(one, named)}
    mine -= {one for one in mine - theirs if isinstance(one, Compare) and one.right == Value(value="")}
    cues = {cue for span in linked.segments() for cue in span.cues}
    if cues.isdisjoint(("GE", "LE", "GT", "LT")):
        mine, theirs = ({_as_equal(one) for one in parts} for parts in (mine, theirs))
    return mine == theirs


def _conditions(rule: RowRule) -> set[Condition]:
    return {*conjuncts(rule.where)} if rule.where is not None else set()


def _demands(rule: RowRule) -> set[Condition]:
    plain = _of_references(rule)
    return {*conjuncts(plain.must)} if isinstance(plain, RowRule) else set()


def _is_of_another(part: Condition, named: set[str]) -> bool:
    return isinstance(part, Present) and isinstance(part.of, Column) and part.of.name not in named


def _as_equal(part: Condition) -> Condition:
    is_limit = isinstance(part, Compare) and part.relation in ("<=", ">=") and isinstance(part.right, Value)
    return part.model_copy(update={"relation": "=="}) if is_limit else part


def _counts(constraint: Constraint) -> bool:
    return any(getattr(node, "statistic", "") in ("count", "distinct") for node in every_node(constraint))


def _of_references(constraint: Constraint) -> Constraint:
    """The rule without the demand that what refers to other rows is there: which of both is meant the grammar knows."""
    if not isinstance(constraint, RowRule):
        return constraint
    parts = conjuncts(constraint.must)
    referring = [key for part in parts if isinstance(part, Exists) for key in part.of]
    kept = [part for part in parts if not (isinstance(part, Present) and part.of in referring)]
    return constraint.model_copy(update={"must": all_of(kept)}) if len(kept) < len(parts) else constraint


def _by_the_day(constraint: Constraint) -> Constraint:
    """The rule with the run's day for its time: which of both "today" and "in the future" are the grammar knows."""
    return replaced(constraint, Now(), Now(midnight=True))
