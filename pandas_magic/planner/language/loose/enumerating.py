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
    terms = columns_of(scene, scene.target)
    computed = [*(lengths(terms) if "LENGTH" in scene.cues else ()), *date_parts(scene, terms)]
    value_atoms(scene, [*terms, *computed], bag)
    known_atoms(scene, scene.target, paths_from(scene, scene.target), bag)
    presence_atoms(terms, bag)
    pair_atoms(scene, [*terms, *computed, *unsaid(scene, terms)], bag)
    sum_atoms(scene, terms, bag)
    distance_atoms(scene, terms, bag)
    time_atoms(scene, terms, bag)
    parent_atoms(scene, terms, bag)
    child_atoms(scene, terms, bag)
    window_atoms(scene, terms, bag)
    table_atoms(scene, terms, bag)
    share_atoms(scene, list(bag.atoms.values()), bag)
    return sorted(bag.atoms.values(), key=_looseness)[:MOST_ATOMS]


def _looseness(atom: Atom) -> float:
    """How loosely each of its columns is named: one of four columns is not given up for having four."""
    return atom.tier / max(1, sum(label[0] == "C" for label, _ in atom.slots))
