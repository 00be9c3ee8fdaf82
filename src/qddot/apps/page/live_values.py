"""Writes JavaScript for the numbers that the page shows while an arm is moved: terms of equations, torques."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.program.program import Program
from qddot.apps.page.equation_terms import length
from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.printing.reading_order import atoms
from qddot.exact.printing.tree import (
    ZERO,
    Atom,
    Chain,
    Circular,
    Equation,
    Factor,
    Matrix,
    Named,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from qddot.machine.compilers import javascript
from qddot.machine.tracing.ports import MOTION
from qddot.machine.tracing.traced import TracedArm
from qddot.robot.model import Model
from qddot.robot.units import written_unit

STATE = ("q", "qd", "qdd")
MOST = 3_000  # the most terms, whose JavaScript a browser compiles in a moment


class TermNodes:
    """These are the written terms of an array as nodes of an arm's graph.

    constants: the definitions of names in the array
    """

    def __init__(self, traced: TracedArm, array: Printed, constants: Mapping[str, Polynomial]) -> None:
        self._numbers = traced.numbers
        self._constants = constants
        self._variables = {
            _meaning(atom): generator
            for ring in _rings(array)
            for atom, generator in zip(atoms(ring), ring.generators, strict=True)
        }
        self._nodes: dict[Any, Any] = {}

    def product(self, product: Product) -> Any:
        """Returns the node of a term."""
        total: Any = self._numbers.rational(product.number)
        for base, exponent in product.factors:
            assert not isinstance(base, Quotient | Matrix | Chain)  # entries of arms' quantities are polynomials
            factor = self._sum(base) if isinstance(base, Sum) else self._atom(base)
            for _ in range(exponent):
                total = total * factor
        return total

    def values(self, right: Sum | Matrix) -> list[Any]:
        """Returns the nodes of the terms of a sum, or of the entries of a matrix, row by row."""
        if isinstance(right, Matrix):
            return [self._sum(entry) for row in right.rows for entry in row]
        return list(map(self.product, right.products))

    def _sum(self, total: Sum) -> Any:
        return sum(map(self.product, total.products), start=self._numbers.graph.constant(0))

    def _atom(self, atom: Atom) -> Any:
        if isinstance(atom, Named):
            return self.product(atom.of)
        key = _meaning(atom)
        if key not in self._nodes:
            generator = self._variables[key]
            meaning = self._constants.get(generator.key, generator)
            self._nodes[key] = meaning.evaluate(self._numbers)
        return self._nodes[key]


def _meaning(atom: Factor) -> Any:
    """Returns what two atoms have in common that stand for the same: notations give sines and cosines other names."""
    return (atom.kind, atom.angle) if isinstance(atom, Circular) and atom.kind in ("sin", "cos") else atom


def terms(model: Model, array: Printed, constants: Mapping[str, Polynomial]) -> dict[str, Any]:
    """Returns a module with `values(q, qd, qdd)`, the value of each term, and each equation with its number of terms.

    For a matrix it is the value of each entry. An equation of a vector or a matrix has no unit, since the units of its
    entries may differ, as those of poses and Jacobians do.
    constants: the definitions of names in the array. A symbol without a value counts as 1.
    raises QddotError: the array has more than MOST terms
    """
    written, entries = program(model, array, constants)
    return {"module": javascript.module([written]), "entries": entries}


def program(model: Model, array: Printed, constants: Mapping[str, Polynomial]) -> tuple[Program, list[dict[str, Any]]]:
    """Returns the program of that module, and the equations."""
    listed = list(array.listed_equations())
    count = sum(map(length, listed))
    if count > MOST:
        raise QddotError("terms-numbers", count=f"{count:,}", most=f"{MOST:,}")
    arm = _arm(model)
    nodes = TermNodes(arm, array, constants)
    values = [nodes.values(each.right) for each in listed]
    units = _units(model, array)
    entries = [
        {"name": name, "values": len(own), "columns": _columns(each.right), "unit": units.get(name, "")}
        for each, own in zip(listed, values, strict=True)
        for name in [_name(each)]
    ]
    return arm.graph.program("values", {"values": [value for own in values for value in own]}), entries


def _columns(right: Sum | Matrix) -> int:
    """Returns the number of columns of an equation's values, 0 if they are the terms of a sum."""
    return len(right.rows[0]) if isinstance(right, Matrix) else 0


def _units(model: Model, array: Printed) -> dict[str, str]:
    """Returns the units of an array's entries by their names, or nothing if the entries are vectors or matrices."""
    if matrix_axes(array.name):
        return {}
    units = {}
    for _, place, _ in array.labelled():
        name = _name(Equation(array.named(place), ZERO))
        units[name] = written_unit(model, array.name, place)
    return units


def torques(model: Model) -> str:
    """Returns a module with `values(q, qd, qdd)`, the torques of the motors by the inverse dynamics.

    A symbol without a value counts as 1.
    """
    arm = _arm(model)
    return javascript.module([arm.graph.program("values", {"tau": list(arm.dynamics.inverse_dynamics())})])


def _arm(model: Model) -> TracedArm:
    values = {**dict.fromkeys(model.symbols, 1.0), **model.defaults()}
    return TracedArm.with_ports(model, MOTION, values)


def _rings(array: Printed) -> list[Ring]:
    """Returns the rings in whose variables the entries are written: each in the angles in which it is most readable."""
    if isinstance(array, ExactArray):
        return list(dict.fromkeys(array.readable(entry).ring for entry in array.entries))
    return [array.ring]


def _name(equation: Equation) -> str:
    return equation.left.text if isinstance(equation.left, Symbol) else ""
