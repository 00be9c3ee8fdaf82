"""Writes a plant as a `Series`: inverse dynamics as the residual, accelerations as the unknowns.

So a chain has far fewer products of series than forward dynamics has, and no quotient: the mass matrix is inverted once
a step, at order 0.
"""

from __future__ import annotations

from typing import Any

from qddot.errors import SimulationError
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.program.series import ANALYTIC
from qddot.simulate.plant import Plant, PlantState
from qddot.tracing import choice
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques


def drive_size(plant: Plant) -> int:
    """Returns how many parameters say which torque there is between two samples: a time, values, slopes."""
    return 1 + 2 * plant.n if plant.torque.kind == "samples" else 0


def motion(plant: Plant) -> Program:
    """Returns the program of a plant's series, written in the way with the fewest operations.

    Parameters are those of the plant, then the torque's between two samples.
    raises SimulationError: something in it has no derivatives
    """

    def written(way: Way) -> Program:
        graph = Graph()
        return graph.program("motion", _motion(plant, graph, way))

    program = choice.shortest(written, plant.free, torques(plant.model, plant.values, plant.free))
    kinked = sorted({node.op for node in program.nodes} - set(ANALYTIC))
    if kinked:
        raise SimulationError(f"{', '.join(kinked)} in what acts on {plant.model.name}", expected="smooth functions")
    return program


def _motion(plant: Plant, graph: Graph, way: Way) -> dict[str, Any]:
    n = plant.n
    state = graph.input("state", (plant.state_size,))
    unknown = graph.input("unknown", (n,))
    (t,) = graph.input("time", (1,))
    parameters = graph.input("parameters", (plant.parameter_size + drive_size(plant),))
    q, qd = state[:n], state[n : 2 * n]
    drive = parameters[plant.parameter_size :]
    samples = [u + slope * (t - drive[0]) for u, slope in zip(drive[1 : 1 + n], drive[1 + n :], strict=True)]
    z = state[2 * n : plant.moving_size]
    here = PlantState(plant, graph, t, q, qd, samples, parameters[: plant.parameter_size], way, z)
    required = here.arm.with_accelerations(unknown).dynamics.inverse_dynamics()
    columns = [here.arm.solve([int(i == j) for i in range(n)]) for j in range(n)]
    return {
        "rates": [*qd, *unknown, *here.memory_rates, *here.powers()],
        "residual": [tau - u for tau, u in zip(required, here.arm.given["tau"], strict=True)],
        "inverse": [list(row) for row in zip(*columns, strict=True)],
        "guards": here.guards(),
    }
