"""All atoms that the words of a rule allow about the rows of one table."""

from pandas_magic.planner.language.loose.atoms import Atom, AtomBag
from pandas_magic.planner.language.loose.known_values import known_atoms, presence_atoms
from pandas_magic.planner.language.loose.pair_atoms import distance_atoms, pair_atoms, sum_atoms
from pandas_magic.planner.language.loose.reach_atoms import child_atoms, parent_atoms
from pandas_magic.planner.language.loose.row_atoms import value_atoms
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.table_atoms import share_atoms, table_atoms
from pandas_magic.planner.language.loose.terms import columns_of, date_parts, lengths, paths_from
from pandas_magic.planner.language.loose.time_atoms import time_atoms
from pandas_magic.planner.language.loose.unsaid import unsaid
from pandas_magic.planner.language.loose.window_atoms import window_atoms

# Of a sentence that allows thousands those that name their columns most literally.
MOST_ATOMS = 1_000


def atoms_of(scene: Scene) -> list[Atom]:
    """The atoms, each once."""
    bag = AtomBag()
    add = bag.add
    terms = columns_of(scene, scene.target)
    computed = [*(lengths(terms) if "LENGTH" in scene.cues else ()), *date_parts(scene, terms)]
    value_atoms(scene, [*terms, *computed], add)
    known_atoms(scene, scene.target, paths_from(scene, scene.target), add)
    presence_atoms(terms, add)
    pair_atoms(scene, [*terms, *computed, *unsaid(scene, terms)], add)
    sum_atoms(scene, terms, add)
    distance_atoms(scene, terms, add)
    time_atoms(scene, terms, add)
    parent_atoms(scene, terms, add)
    child_atoms(scene, terms, add)
    window_atoms(scene, terms, add)
    table_atoms(scene, terms, add)
    share_atoms(scene, list(bag.atoms.values()), add)
    return sorted(bag.atoms.values(), key=_looseness)[:MOST_ATOMS]


def _looseness(atom: Atom) -> float:
    """How loosely each of its columns is named: one of four columns is not given up for having four."""
    return atom.tier / max(1, sum(label[0] == "C" for label, _ in atom.slots))
