"""An order in which alike things stand together."""

from __future__ import annotations

import numpy as np

from pandas_magic.explore.confined.formulas import Array


def side_by_side(likeness: Array) -> list[int]:
    """The order of the leaves of a tree by average linkage: the most alike (by a square matrix) are joined first.

    Of the two ways to put two branches beside each other, the one whose touching ends are more alike is taken.

    Source: Sokal and Michener (1958), the unweighted pair-group method; as `scipy.cluster.hierarchy.average`.
    """
    branches = {at: [at] for at in range(len(likeness))}
    mean = likeness.astype(np.float64).copy()
    np.fill_diagonal(mean, -np.inf)
    while len(branches) > 1:
        first, second = (int(at) for at in np.unravel_index(int(np.argmax(mean)), mean.shape))
        left, right = branches[first], branches.pop(second)
        sizes = len(left), len(right)
        joined = (sizes[0] * mean[first] + sizes[1] * mean[second]) / sum(sizes)
        mean[first], mean[:, first] = joined, joined
        mean[first, first] = -np.inf
        mean[second], mean[:, second] = -np.inf, -np.inf
        branches[first] = _joined(left, right, likeness)
    return next(iter(branches.values())) if branches else []


def _joined(left: list[int], right: list[int], likeness: Array) -> list[int]:
    ways = [(one, other) for one in (left, left[::-1]) for other in (right, right[::-1])]
    one, other = max(ways, key=lambda way: float(likeness[way[0][-1], way[1][0]]))
    return one + other
