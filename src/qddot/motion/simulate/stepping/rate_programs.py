"""Writes the rates of a plant's state as programs for SciPy's solver and the compiled methods that may repeat steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.algebra.program.rates import Rates
from qddot.algebra.spatial import inner
from qddot.base.nested_lists import nested
from qddot.machine.tracing import choice
from qddot.machine.tracing.choice import Way
from qddot.machine.tracing.trace import torques
from qddot.motion.simulate.acting.changing import Changing
from qddot.motion.simulate.plant import Plant, PlantState
from qddot.motion.simulate.stepping.methods import Method
from qddot.motion.simulate.stepping.taylor.expanded import Expanded


def rates(plant: Plant, method: Method) -> Rates:
    """Returns the programs of d/dt (q, q̇, z, ledger), of the guards, and of the exact Jacobian if it is needed."""

    def written(way: Way) -> Program:
        return _program(plant, way, "slopes", lambda here, _: _rates(here))

    slopes = choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open))
    guards = jacobian = None
    plain = choice.ways(plant.open)[0]
    if plant.limits or plant.event is not None or plant.carried or plant.closed:
        guards = _program(plant, plain, "guards", lambda here, _: [*here.guards(), *here.switches()])
    if method.jacobian:
        by_state = lambda here, state: derivatives.jacobian(_rates(here), state)  # noqa: E731
        jacobian = _program(plant, plain, "jacobian", by_state)
    return Rates(method.name, slopes, guards, jacobian, plant.watched)


def in_modes(of: Expanded, method: Method, watched: bool) -> Rates:
    """Returns the programs of rates whose switches are parameters, of the guards that end a step, and of the Jacobian.

    A joint that friction holds has no acceleration; its guards need the torque that holds it.
    """
    size, n, _, count = (port.size for port in of.motion.inputs)

    def written(name: str, results: Callable[[dict[str, list[Any]], list[Any]], Any]) -> Program:
        graph = Graph()
        state, time = graph.input("state", (size,)), graph.input("time", (1,))
        parameters = graph.input("parameters", (count,))

        def motion(accelerations: Sequence[Any]) -> dict[str, list[Any]]:
            values = iter(graph.inlined(of.motion, [state, accelerations, time, parameters]))
            return {port.name: list(islice(values, port.size)) for port in of.motion.outputs}

        unmoved = motion([0.0] * n)
        inverse, residual = nested(unmoved["inverse"], (n, n)), unmoved["residual"]
        moved = motion([-inner(row, residual) for row in inverse])
        return graph.program(name, {name: results(moved, state)})

    slopes = written("slopes", lambda moved, _: moved["rates"])
    guards = written("guards", lambda moved, _: moved["guards"])
    by_state = lambda moved, state: derivatives.jacobian(moved["rates"], state)  # noqa: E731
    jacobian = written("jacobian", by_state) if method.jacobian else None
    return Rates(method.name, slopes, guards, jacobian, watched)


def _rates(here: PlantState) -> list[Any]:
    """Returns the rates of all numbers of the state; those of the discrete state are zero."""
    return [*here.state_rates(), *[0] * here.plant.discrete_size]


def _program(plant: Plant, way: Way, name: str, results: Callable[[PlantState, list[Any]], Any]) -> Program:
    """Returns the program of a function of the plant's state."""
    graph, changing = Graph(), Changing(plant)
    state, (t,) = plant.ports(graph, "state", "time")
    here = changing.plant_state(t, state, graph.input("parameters", (changing.size,)), way)
    return graph.program(name, {name: results(here, state)})


def slopes(plant: Plant) -> Program:
    """Returns the program (state, row, parameters) → d/dt (q, q̇, z, ledger); rows are t and the samples."""

    def written(way: Way) -> Program:
        graph = Graph()
        state, (t, *samples), parameters = plant.ports(graph, "state", "row", "parameters")
        motion = PlantState(plant, t, state, samples, parameters, way)
        return graph.program("slopes", {"slopes": motion.state_rates()})

    return choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open))
