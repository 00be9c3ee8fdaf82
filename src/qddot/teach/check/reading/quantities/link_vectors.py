"""Knows components of links' vectors by their names, f_4,1 and nᵉ_3,2, as the route of Newton and Euler gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from unicodedata import normalize

from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import styles
from qddot.teach.check.exact_arrays import exact_array
from qddot.teach.check.reading.exact.definitions import Definitions, names_used
from qddot.teach.check.reading.names.left_sides import of_component, parted
from qddot.teach.check.reading.quantities.known_steps import letters_of
from qddot.teach.check.reading.syntax import Name, Node, walk

ROUTE = "newton_euler"
COMPONENT = 2  # indices of a component, the link's and the axis's
SYMBOL = 3  # indices of a Christoffel symbol
CHRISTOFFEL = ("b", "Gamma")
OF_COORDINATES = ("christoffel", "m_ijk")  # quantities with three indices


class LinkVectors:
    """These are the components of links' velocities, forces and moments, in the frames of the links, and b_i,jk.

    An answer may use them without definitions; a line that does so is compared with the exact values, but says nothing
    of what was asked.
    """

    def __init__(self, eq: Quantities) -> None:
        self.eq, notation = eq, notation_of(eq.model.notation)
        own = {style.head: name for name, style in notation.letters.items() if name in OF_COORDINATES}
        self._of_coordinates = {**dict.fromkeys(CHRISTOFFEL, "christoffel"), **own}
        self.used: dict[str, tuple[str, tuple[int, ...]]] = {}  # step and place by the name in the answer

    def take(self, text: str) -> bool:
        """Keeps a name that the answer uses, if it is that of a component; returns whether it is."""
        head, indices = parted(text)
        place = tuple(index - 1 for index in of_component(text) or indices)
        name = self._of_coordinates.get(head, "") if len(place) == SYMBOL else ""
        if name and place in set(self._array(name).places):
            self.used[text] = name, place
            return True
        if len(place) != COMPONENT or min(place) < 0:
            return False
        spelling = normalize("NFKC", head)
        steps = (name for name, style in styles() if spelling in letters_of(style) and name in self._steps)
        step = next((name for name in steps if place in self._steps[name].places), None)
        if step is not None:
            self.used[text] = step, place
        return step is not None

    def value(self, text: str) -> Any:
        """Returns the exact value of a component by its name in the answer."""
        step, place = self.used[text]
        return self._array(step)[place].entries[0]

    def _array(self, name: str) -> ExactArray:
        return exact_array(self.eq, name) if name in OF_COORDINATES else self._steps[name]

    def in_trees(self, nodes: Iterable[Node], definitions: Definitions) -> list[str]:
        """Returns the components that occur in trees, or in the answer's definitions that these use."""
        if not self.used:
            return []
        waiting, seen, names = list(nodes), set[str](), set[str]()
        while waiting:
            node = waiting.pop()
            names.update(_components(node))
            keys = set(names_used(node)) - seen
            seen |= keys
            waiting += [definitions.trees[key] for key in keys]
        return sorted(names)

    @cached_property
    def _steps(self) -> Mapping[str, ExactArray]:
        try:
            return self.eq.in_joint_angles.by_routes[ROUTE].steps
        except (QddotError, KeyError):  # the route does not support this arm
            return {}


def _components(node: Node) -> Iterator[str]:
    yield from (tree.meaning.name for tree in walk(node) if isinstance(tree, Name) and tree.meaning.kind == "component")
