"""What the equations of a report say in numbers, taken from nothing but what is printed, at one state of the arm.

A derivative is that of the printed formula, by a step in the complex plane, which loses no digits.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import numpy as np
from matrices import times
from printed_names import Name, name_of, parted, reference

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.assembled import ASSEMBLED
from qddot.exact.equations.quantity_names import general_name, matrix_axes
from qddot.exact.equations.quantity_table import told
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Circular, Matrix, Partial, Root, Sign, Sum, Symbol
from qddot.formats.rows.dh_table import table_of
from qddot.papers.report.document import Document, EquationBlock
from qddot.papers.report.sections import inward_step, motion_equations, route_steps
from qddot.papers.report.sections.blocks_of import is_shown
from qddot.physics.algorithms.regressor import parameters
from qddot.robot.effects.acting import parameters_of

MIRRORED = {
    "M": (0, 1),
    "Gamma": (1, 2),
    "U": (1, 2),
    "h": (2, 3),
    "m": (0, 1),
    "b": (1, 2),
    "sigma": (0, 1),
}  # axes that may change
SIZES = dict.fromkeys(("A", "T", "U", "Q", "H", "ℰ"), (4, 4)) | dict.fromkeys(("Phi", "ℬ", "𝒮"), (6, 1))
SIZES |= dict.fromkeys(("p", "omega", "v", "F", "N", "f", "n", "e", "rho", "z", "o", "gamma"), (3, 1))
SIZES |= {"𝒢": (6, 6), "I": (6, 6), "W": (6, 1), "V": (6, 1), "ad": (6, 6), "ℐ": (3, 3)}


class Point(NamedTuple):
    """A state: coordinates, rates and accelerations by name, perhaps on the way of a complex step."""

    q: tuple[complex, ...]
    qd: tuple[complex, ...]
    qdd: tuple[complex, ...]


class UnknownError(Exception):
    """A symbol of a formula that the document has nowhere defined."""


class ComplexNumbers(Floats):
    """Floats in which a state may be complex, as it is where slopes are taken by a step off the real line."""

    def sign(self, name: str) -> float:
        return float(np.sign(complex(self.qd[name]).real))


class Printed:
    """The printed equations of a document about an arm, and what its tables and sentences give.

    What is too long to be printed has the values of the exact arrays, which the printed laws then rest on.

    like: another one of the same short forms, whose exact numbers are taken over
    """

    def __init__(
        self, document: Document, shorts: Sequence[Textbook], seed: int = 1, like: Printed | None = None
    ) -> None:
        self.document, self.eq, self.model = document, shorts[0].eq, shorts[0].eq.model
        self.coordinates = self.model.coordinates
        self.newton = next((short.eq for short in shorts if short.eq.route == "newton_euler"), self.eq)
        random = Random(seed)
        self.symbols = {name: random.uniform(0.4, 1.6) for name in self.eq.ring.symbols if name != "pi"}
        state = [tuple(random.uniform(-1.2, 1.2) for _ in self.coordinates) for _ in range(3)]
        self.point = Point(*state)
        self.trees: dict[str, Sum] = {}  # of the lumped constants
        self.arrays: dict[Name, dict[tuple[int, ...], Any]] = {}
        self.partials: dict[str, Sum] = {}
        self.twice: list[tuple[str, Any, Any]] = []  # names that are told twice
        self.blocks = equations_of(document)
        self.symmetric: set[Name] = set()  # matrices of which each pair of entries is listed once
        for block in self.blocks:
            for left, right, _ in block.listed:
                self._keep(block.key, left, right)
                if block.mirrored and isinstance(left, Symbol):
                    self.symmetric.add(name_of(left, parted(left)[0]))
        self.too_long = {array.name: array for short in shorts for name, array in told_by(short) if not is_shown(array)}
        exact = (short.eq.array(name) for short in shorts for name, array in told_by(short) if not is_shown(array))
        self._exact = [ExactPlaces(array) for array in exact]
        self._known: dict[Any, Any] = {}
        self._atoms: dict[Point, dict[Any, complex]] = {}
        self._generators: dict[tuple[Ring, Point, int], complex] = {}
        self._polynomials: dict[int, tuple[Polynomial, Any, Any]] = {} if like is None else like._polynomials
        self._numbers: dict[tuple[int, Point], complex] = {} if like is None else like._numbers

    def _keep(self, key: str, left: Symbol | Partial, right: Any) -> None:
        if isinstance(left, Partial):
            self.partials[f"{left.by.dots}{left.by.text}"] = right
        elif key in ("constants", "other constants"):
            self.trees[left.text] = right
        elif key not in ("base", ASSEMBLED) and not key.endswith(("newton_euler.tau", inward_step.NAMED)):
            label, places, cell = parted(left)
            right = self._meant(right)
            array = self.arrays.setdefault(name_of(left, label), {})
            if cell:
                array.setdefault(places, {})[cell] = right
            elif array.setdefault(places, right) != right:
                self.twice.append((left.text, array[places], right))

    def _meant(self, right: Any) -> Any:
        """The matrix that a right side is, where it is the name of one: T_1 = A_1."""
        factors = right.products[0].factors if isinstance(right, Sum) and right.products else ()
        if len(factors) == 1 and isinstance(base := factors[0][0], Symbol) and base.head in ("A", "T"):
            name, places = reference(base)
            named = self.arrays.get(name, {}).get(places)
            if named is not None:
                return named if right.products[0].number == 1 else Sum(())
        return right

    @cached_property
    def rows(self) -> Any:
        """The rows of the arm's table."""
        table = table_of(self.model, "dh") or table_of(self.model, "mdh")
        assert table
        return table[1]

    # exact numbers

    def exact(self, value: Any, at: Point | None = None) -> complex:
        """A number of the arm's ring, or of another one of its, or a plain one."""
        if not isinstance(value, Polynomial):
            return float(value)
        if (id(value), at := at or self.point) not in self._numbers:
            self._numbers[id(value), at] = self._sum(value, at)
        return self._numbers[id(value), at]

    def _sum(self, value: Polynomial, at: Point) -> complex:
        if id(value) not in self._polynomials:
            terms = list(value.terms())
            powers = np.array([exponents for exponents, _ in terms], dtype=int).reshape(
                len(terms), len(value.ring.generators)
            )
            self._polynomials[id(value)] = value, powers, np.array([float(c) for _, c in terms])
        _, powers, total = self._polynomials[id(value)]
        for k in np.flatnonzero(powers.any(axis=0)):
            known = self._value(value.ring, at, k)
            total = total * np.cumprod([1, *[known] * powers[:, k].max()])[powers[:, k]]
        return complex(total.sum())

    def _value(self, ring: Ring, at: Point, place: int) -> complex:
        """The value of one of a ring's generators."""
        if (ring, at, place) not in self._generators:
            state = (dict(zip(self.coordinates, part, strict=True)) for part in at)
            generator = ring.generators[place]
            symbols = self.symbols if generator.name in self.symbols else {**self.auxiliary, **self.symbols}
            numbers = ComplexNumbers(symbols, *state, cmath.cos, cmath.sin)  # type: ignore[call-arg]
            self._generators[ring, at, place] = generator.evaluate(numbers)
        return self._generators[ring, at, place]

    def vector(self, values: Sequence[Any]) -> Any:
        return np.array([[self.exact(value)] for value in values], dtype=complex)

    # what is printed

    def tree(self, tree: Sum | Matrix, at: Point) -> Any:
        if isinstance(tree, Matrix):
            return np.array([[self._number(entry, at) for entry in row] for row in tree.rows])
        return np.array([[self._number(tree, at)]])

    def _number(self, tree: Sum, at: Point) -> complex:
        atoms, total = self._atoms.setdefault(at, {}), 0j
        for term in tree.products:
            part = complex(term.number)
            for base, exponent in term.factors:
                if isinstance(base, Sum):
                    factor = self._number(base, at)
                elif base in atoms:
                    factor = atoms[base]
                else:
                    factor = atoms[base] = self._atom(base, at)
                for _ in range(exponent):
                    part *= factor
            total += part
        return total

    def product(self, tree: Sum, told: Mapping[Any, Any]) -> complex:
        """A sum of products of vectors and numbers, some of which are known by their references."""
        total: Any = 0
        for term in tree.products:
            part: Any = complex(term.number)
            for base, exponent in term.factors:
                for _ in range(exponent):
                    part = times(part, self._factor(base, told))
            total = total + part
        return complex(np.ravel(total)[0])

    def _factor(self, base: Any, told: Mapping[Any, Any]) -> Any:
        if isinstance(base, Sum):
            return self.product(base, told)
        if isinstance(base, Symbol) and (value := told.get(base, told.get(reference(base)))) is not None:
            return np.transpose(value) if base.above == "T" else value
        return self._atom(base, self.point)

    def _atom(self, atom: Any, at: Point) -> complex:
        if isinstance(atom, Circular):
            angle = atom.angle
            whole = float(angle.pi) * np.pi + float(angle.radians)
            turned = whole + sum(float(n) * self.named(of, at) for of, n in angle.symbols)
            return complex(getattr(cmath, atom.kind)(turned))
        if isinstance(atom, Root):
            assert isinstance(atom.of, int)
            return complex(atom.of**0.5)
        if isinstance(atom, Sign):
            return complex(np.sign(self.named(atom.of.text, at).real))
        return self.named(atom.text, at)

    def named(self, text: str, at: Point) -> complex:
        """A symbol of the arm, or a constant that the document explains."""
        for dots, part in enumerate(at):
            for name, value in zip(self.coordinates, part, strict=True):
                if text == (rate_name(name, dots) if dots else name):
                    return complex(value)
        if text == "pi":
            return complex(np.pi)
        if text in self.symbols:
            return complex(self.symbols[text])
        if text in self.trees:
            return self._number(self.trees[text], at)
        if text in self.auxiliary:
            return complex(self.auxiliary[text])
        raise UnknownError(text)

    def partial(self, dots: int, k: int, at: Point) -> Any:
        """The Lagrangian's derivative with respect to a coordinate or its rate."""
        name = self.coordinates[k]
        tree = self.partials.get(f"{dots}{rate_name(name) if dots else name}")
        if tree is not None:
            return self.tree(tree, at)
        quantity = "dL_dqd" if dots else "dL_dq"
        exact = next((each for each in self._exact if each.array.name == quantity), None)
        if exact is None:
            raise UnknownError(f"∂ℒ/∂{name}")
        return np.array([[self.exact(exact.array.entries[k], at)]])

    @cached_property
    def auxiliary(self) -> dict[str, Any]:
        """The symbols of centres of mass that stand for first moments over masses."""
        centres = self.eq.centres
        values = {name: self.exact(mass) for name, mass in getattr(centres, "new_masses", {}).items()}
        if hasattr(centres, "definitions"):
            values |= {name: self.exact(h) / self.exact(m) for name, (h, m) in centres.definitions().items()}
        return values

    def array(self, name: Name, places: tuple[int, ...], at: Point) -> Any:
        """A quantity by its indices; an entry that is not printed is zero. None if there is no such quantity."""
        key = (name, places, at)
        if key not in self._known:
            self._known[key] = self._array(name, places, at)
        return self._known[key]

    def _array(self, name: Name, places: tuple[int, ...], at: Point) -> Any:
        array = self.arrays.get(name, {})
        if not any(len(place) == len(places) for place in array):  # U_ijk may be too long where U_ij is printed
            exact = next((each for each in self._exact if each.has(name, len(places))), None)
            if exact is not None or not array:
                return None if exact is None else exact.picked(places, lambda entry: self.exact(entry, at))
        size = self.size(name)
        axes = MIRRORED.get(name[0], ())
        for order in permutations(range(len(places))):
            moved = tuple(places[k] for k in order)
            if (moved == places or all(order[k] == k for k in range(len(places)) if k not in axes)) and moved in array:
                return self._entry(array[moved], size, at, name in self.symmetric)
        if not places and any(array):
            return self._whole(name, places, at)
        return np.zeros(size, dtype=complex)

    def _entry(self, entry: Any, size: tuple[int, int], at: Point, symmetric: bool = False) -> Any:
        if isinstance(entry, Sum) and not entry.products:
            return np.zeros(size, dtype=complex)
        if isinstance(entry, Matrix | Sum):
            return self.tree(entry, at)
        whole = np.zeros(size, dtype=complex)
        for cell, tree in entry.items():
            place = cell[0] - 1, cell[1] - 1 if len(cell) > 1 else 0
            whole[place] = self.tree(tree, at).item()
            if symmetric:
                whole[place[::-1]] = whole[place]
        return whole

    def size(self, name: Name) -> tuple[int, int]:
        """The rows and columns of a quantity with all its indices."""
        if name[0] == "J":
            rows = {"v": 3, "omega": 3, "b": 6, "": 4}[name[1]]
            return rows, 4 if rows == 4 else len(self.coordinates)
        if (name[0] == "M" and name[1]) or name[0] == "D":
            return len(self.coordinates), len(self.coordinates)
        if name[0] == "G" and name[1]:
            return len(self.coordinates), 1
        if name[0] == "F" and (name[1] or name[3]):
            return 6, 1
        return SIZES.get(name[0], (1, 1))

    def _whole(self, name: Name, places: tuple[int, ...], at: Point) -> Any:
        """A vector or a matrix by its entries."""
        count, n = max(map(len, self.arrays[name])), range(1, len(self.coordinates) + 1)
        if places or count > 2:
            raise UnknownError(f"{name}{places}")
        if name[0] == "B":
            raise UnknownError("B")
        rows = [[(i, j) for j in n] if count == 2 else [(i,)] for i in n]
        return np.array([[self.array(name, place, at).item() for place in row] for row in rows])


class ExactPlaces:
    """An exact array whose entries are found by the indices that a report prints."""

    def __init__(self, array: ExactArray) -> None:
        self.array = array
        self._name = name_of(symbol := general_name(array.name, ""), symbol.below)
        self._axes = matrix_axes(array.name)
        self._entries: dict[tuple[int, ...], list[Polynomial]] = {}
        for place, entry in zip(array.places, array.entries, strict=True):
            first = tuple(k + 1 for k in place[: len(place) - self._axes])
            self._entries.setdefault(first, []).append(entry)

    def has(self, name: Name, count: int) -> bool:
        """Whether it is a quantity of so many indices, or of none, as a whole."""
        with_bar = (*self._name[:5], True)  # where the arm has the letter for itself
        if self.array.name in ("K_links", "P_links") and count == 0:  # the sum has the same letter
            return False
        return name in (self._name, with_bar) and count in (0, len(self.array.places[0]) - self._axes)

    def picked(self, places: tuple[int, ...], value: Callable[[Polynomial], complex]) -> Any:
        whole = not places and () not in self._entries
        entries = self.array.entries if whole else self._entries[places]
        columns = self.array.shape[-1] if self._axes == 2 or (whole and self.array.ndim == 2) else 1
        return np.array([value(entry) for entry in entries], dtype=complex).reshape(-1, columns)


def equations_of(document: Document) -> list[EquationBlock]:
    """The equations but those of the worked state, which hold there alone."""
    return [
        block for block in document.blocks() if isinstance(block, EquationBlock) and not block.key.startswith("state.")
    ]


def told_by(short: Textbook) -> Iterator[tuple[str, Any]]:
    """All quantities that a report tells of a route, in short form."""
    names = dict.fromkeys(
        (*told(kinematic=True), *motion_equations.written_quantities(short), *route_steps.quantities_of_steps(short))
    )
    yield from ((name, short.array(name)) for name in names)


def base_values(printed: Printed, names: Sequence[str]) -> dict[str, complex]:
    """The inertial parameters of an arm by their printed names."""
    arm = printed.eq.dynamics.mechanism
    plain = parameters(arm)
    kinds = {name.partition("_")[0] for name in names[len(plain) :]}
    joints = parameters_of(arm, "Ia" in kinds, "Fv" in kinds)
    values = [printed.exact(value) for value in (*plain, *(value for *_, value in joints))]
    return dict(zip(names, values, strict=True))
