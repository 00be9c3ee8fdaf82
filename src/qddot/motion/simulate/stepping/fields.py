"""Makes functions of a setup's state and symbols, with derivatives, to be computed over balls.

Every symbol is a ball about its exact decimal number, so that an enclosure holds for the equations themselves and not
for coefficients rounded to doubles; a symbol with a radius adds a dimension to the box at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.piecewise import kinks
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.base.words.message import Listed
from qddot.motion.enclosing import lohner
from qddot.motion.enclosing.variations import VectorField
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.setup import Setup

Slopes: TypeAlias = Callable[[Sequence[Any]], list[list[Any]]]  # of nodes


class Function(NamedTuple):
    """These are the values of a function in a graph, and the function of nodes that returns the derivatives by them."""

    values: list[Any]
    slopes: Slopes

    @classmethod
    def of(cls, values: list[Any]) -> Function:
        """Returns a function with the derivatives of its nodes."""
        return cls(values, partial(derivatives.jacobian, values))


Written: TypeAlias = Callable[[Plant, Any, list[Any], list[Any]], Function]  # of the plant, t, state and parameters


class Fields:
    """These are functions of one setup, whose symbols are inputs.

    plant: that of the setup; names: of its symbols; parameters: balls of them, and of its other parameters
    unsure: the places of the symbols that have a radius
    """

    def __init__(self, setup: Setup) -> None:
        assert setup.radii is not None
        plant, spread = setup.plant, setup.radii.symbols or {}
        used = (plant.closed or plant).model.used_symbols
        self.names = tuple(name for name in sorted(plant.values) if name in used)
        self.plant = replace(plant, values={}, free=self.names)
        self.unsure = tuple(place for place, name in enumerate(self.names) if spread.get(name, 0.0) > 0)
        symbols = [lohner.ball(plant.values[name], spread.get(name, 0.0), is_decimal=True) for name in self.names]
        own = [lohner.ball(float(x)) for x in setup.parameters[0][len(plant.free) :]]
        self.parameters = [*symbols, *own, lohner.ball(0.0)]

    @property
    def values(self) -> dict[str, Any]:
        """Returns the balls of all symbols."""
        return dict(zip(self.names, self.parameters, strict=False))

    def of(self, size: int, written: Written, more: int = 0) -> VectorField:
        """Returns a function of a state with its derivatives.

        size: of the state; more: how many parameters follow those of the plant, at the end
        raises SimulationError: it is not smooth
        """
        orders = range(3 if self.unsure else 2)
        rates, jacobian, *curvature = (self._program(size, written, more, order) for order in orders)
        return VectorField(rates, jacobian, self.parameters, self.unsure, *curvature)

    def _program(self, size: int, written: Written, more: int, orders: int) -> Program:
        """Returns the program of a function, its Jacobian, and the Jacobian's derivative along a direction.

        orders: how many times the function is differentiated
        """
        graph = Graph()
        state, (t,) = graph.input("state", (size,)), graph.input("time", (1,))
        parameters = graph.input("parameters", (len(self.parameters) + more,))
        function = written(self.plant, t, state, parameters)
        outputs: dict[str, Any] = {"rates": function.values}
        by = [*state, *(parameters[place] for place in self.unsure)]
        if orders > 0:
            outputs["jacobian"] = function.slopes(by)
        if orders > 1:
            direction = graph.input("direction", (len(by),))
            seeds = {x.index: d for x, d in zip(by, direction, strict=True)}
            entries = [x for row in outputs["jacobian"] for x in row]
            outputs["turning"] = derivatives.directional(entries, seeds)
        program = graph.program("slopes", outputs)
        if kinked := sorted(set(kinks(program))):
            raise SimulationError("enclosed-run-with-kinks", functions=Listed(kinked))
        return program
