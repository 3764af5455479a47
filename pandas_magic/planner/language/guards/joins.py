"""Joins: a value that is looked up stands in one row, or nobody knows which one is meant."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Lookup
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.linking import Linked


def joins_in_doubt(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Which lookups go by columns that are no key of the other table."""
    for node in every_node(constraint):
        if not isinstance(node, Lookup) or len(node.join.keys) > 1:
            continue
        there, (key,) = linked.tables[node.join.table], node.join.keys
        is_named_so = re.search(r"(?:^|_)(?:id|code|key|uuid)$", spelt(key))
        if there.keys and key not in there.keys and not is_named_so:
            yield f"several rows of {there.name} may share {key}, and which one is meant is not said"
