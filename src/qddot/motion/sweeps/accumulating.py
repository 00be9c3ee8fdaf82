"""Adds the slots of reductions to a plant's state, so that one recurrence both moves the arm and reduces its run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.algebra.program.recurrence import Recurrence
from qddot.base.errors import SweepError
from qddot.base.records import record
from qddot.machine.tracing.choice import PLAIN
from qddot.motion.simulate.plant import Plant, PlantState, rates_from_momenta
from qddot.motion.simulate.stepping.methods import fixed_scheme
from qddot.motion.simulate.stepping.schemes import velocities
from qddot.motion.sweeps.measures import KINDS, Kind, Measure, Moment
from qddot.physics.algorithms import energies


@record()
class Reducing:
    """These are the programs of a plant whose runs are reduced to measures."""

    plant: Plant
    method: str
    measures: tuple[Measure, ...]

    @property
    def in_momenta(self) -> bool:
        return fixed_scheme(self.method).in_momenta

    @cached_property
    def sizes(self) -> list[int]:
        """Returns how many numbers each measure has. raises SweepError: a function that cannot be traced"""
        graph = Graph()
        (t,), state, parameters = self.plant.ports(graph, "t", "state", "parameters")
        at = self._moment(graph, t, state, parameters)
        return [len(_values(measure, at)) for measure in self.measures]

    @property
    def state_size(self) -> int:
        """Returns the size of a plant's state with all slots."""
        slots = (KINDS[each.kind].slots * size for each, size in zip(self.measures, self.sizes, strict=True))
        return self.plant.state_size + sum(slots)

    def recurrence(self) -> Recurrence:
        """Returns the recurrence of one step, which also updates the slots."""
        plain = fixed_scheme(self.method).recurrence(self.plant)
        inner, outer = (_Widened(program, self.state_size) for program in (plain.inner, plain.outer))
        new, guards = outer.outputs["state"], outer.outputs["guards"]
        state, _, (t, h, *_rest), parameters = outer.inputs
        at = self._moment(outer.graph, t + h, new, parameters)
        slots = [slot for kind, old, value in self._counting(at, state) for slot in kind.step(old, value, t, h)]
        guards = [*guards, *at.plant.near_singular()]
        return replace(
            plain,
            inner=inner.graph.program("inner", inner.outputs),
            outer=outer.graph.program("outer", {"state": [*new, *slots], "guards": guards}),
        )

    def beginning(self) -> Program:
        """Returns the program (q, q̇, parameters) → the state with its slots, and the guards there."""
        graph = Graph()
        q, qd, parameters = self.plant.ports(graph, "q", "qd", "parameters")
        zero = graph.constant(0.0)
        at = self._at_rates(graph, zero, [*q, *qd, *[zero] * len(self.plant.ledger)], parameters)
        slots = [
            slot for each in self.measures for value in _values(each, at) for slot in KINDS[each.kind].begin(value)
        ]
        second = energies.momentum(at.plant.traced.dynamics.mass_matrix(), tuple(qd)) if self.in_momenta else qd
        state = [*q, *second, *at.accounts, *slots]
        return graph.program("beginning", {"state": state, "guards": [*at.plant.guards(), *at.plant.near_singular()]})

    def ending(self) -> Program:
        """Returns the program (state, (t, h), parameters) → all measures of a run that ended at t."""
        graph = Graph()
        state = graph.input("state", (self.state_size,))
        t, h = graph.input("time", (2,))
        parameters = graph.input("parameters", (self.plant.parameter_size,))
        at = self._moment(graph, t, state[: self.plant.state_size], parameters)
        results = [kind.end(slots, value, t, h) for kind, slots, value in self._counting(at, state)]
        return graph.program("ending", {"results": results})

    def velocities(self) -> Program | None:
        """Returns the program (q, p, nothing, parameters) → q̇ where the state has momenta, else None."""
        return velocities(self.plant) if self.in_momenta else None

    def _counting(self, at: Moment, state: Sequence[Any]) -> Iterator[tuple[Kind, list[Any], Any]]:
        """Yields the kind of each value of each measure, its slots in a state and the value."""
        place = self.plant.state_size
        for measure in self.measures:
            kind = KINDS[measure.kind]
            for value in _values(measure, at):
                yield kind, list(state[place : place + kind.slots]), value
                place += kind.slots

    def _moment(self, graph: Graph, t: Any, state: Sequence[Any], parameters: Sequence[Any]) -> Moment:
        """Returns the plant in a state as its method has it, with rates or with momenta."""
        plant = self.plant
        q, second = state[plant.at_q], state[plant.at_rates]
        qd = rates_from_momenta(plant, q, second, parameters, PLAIN) if self.in_momenta else second
        return self._at_rates(graph, t, [*q, *qd, *state[plant.at_rates.stop : plant.state_size]], parameters)

    def _at_rates(self, graph: Graph, t: Any, state: Sequence[Any], parameters: Any) -> Moment:
        here = PlantState(self.plant, t, state, [0] * self.plant.row_size, parameters, PLAIN)
        return Moment(graph, here, state[self.plant.at_rates.stop :])


def _values(measure: Measure, at: Moment) -> list[Any]:
    try:
        values = [at.graph.constant(value) if isinstance(value, int | float) else value for value in measure.of(at)]
    except Exception as error:
        raise SweepError("function-not-traced", name=repr(measure.name), problem=error) from error
    if not values:
        raise SweepError("function-returned-no-number", name=repr(measure.name))
    return values


class _Widened:
    """This is one of a recurrence's programs in a new graph, whose state has more numbers after the old ones."""

    def __init__(self, program: Program, size: int) -> None:
        self.graph = Graph()
        shapes = {**{port.name: port.shape for port in program.inputs}, "state": (size,)}
        self.inputs = [self.graph.input(name, shape) for name, shape in shapes.items()]
        self.outputs = program.by_output(self.graph.inlined(program, self.inputs))
