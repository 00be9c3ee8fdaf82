"""Writes a plant as a `Series`: inverse dynamics as the residual, accelerations as the unknowns.

This takes far fewer products of series than forward dynamics, and no quotient: the mass matrix is inverted once a step,
at order 0. Signs, minima and maxima are constant during a step, which ends where one of them changes. A joint that its
friction holds has no acceleration: its row and column are left out of the mass matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qddot.dynamics.algorithms import forward
from qddot.nested_lists import nested
from qddot.program import derivatives
from qddot.program.graph import Graph
from qddot.program.piecewise import Piecewise, smooth
from qddot.program.program import Program
from qddot.program.series import OUTPUTS, PARAMETERS
from qddot.simulate.acting.changing import Changing
from qddot.simulate.plant import Plant, PlantState
from qddot.tracing import choice
from qddot.tracing.arms import Arm
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques


@dataclass(frozen=True)
class Expanded:
    """These are the programs of a plant's series, and where the parameters that a run changes begin.

    motion: the program of the series
    judge: (state, time, parameters) → arguments of the switches, their slopes in time, holding torques, and the largest
    friction torques; None if there is no switch
    dry_joints: the joints that friction can hold; of_joint: the switch of each of them
    held, modes: where the parameters of held joints (1 if held) and of modes begin, after those of torques and forces
    guards: the number of the plant's own guards; those after them end a step: each switch, then each joint twice
    """

    motion: Program
    judge: Program | None
    dry_joints: tuple[int, ...]
    of_joint: tuple[int, ...]
    held: slice
    modes: slice
    guards: int


def expanded(plant: Plant) -> Expanded:
    """Returns the programs of a plant's series, the first in the way with the fewest operations."""
    joints = plant.dry_joints
    changing = Changing(plant)
    held = slice(changing.size, changing.size + len(joints))

    def written(way: Way) -> Program:
        graph = Graph()
        return graph.program("motion", _motion(plant, graph, way, changing, joints))

    program = choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open))
    pieces, stopping = smooth(program, PARAMETERS), program.outputs[3].size
    modes = slice(held.stop, held.stop + len(pieces.modes))
    if not pieces.modes:
        return Expanded(program, None, (), (), slice(changing.size, changing.size), modes, stopping)
    of_joint = tuple(_switch(pieces, plant.at_rates.start + joint) for joint in joints)
    still = pieces.inputs[PARAMETERS][held]
    frictions = [_friction(pieces, joint, switch) for joint, switch in zip(joints, of_joint, strict=True)]
    guards = [*pieces.outputs["guards"], *(-(m * x) for m, x in zip(pieces.modes, pieces.arguments, strict=True))]
    for joint, fixed, most in zip(joints, still, frictions, strict=True):
        holding = pieces.outputs["residual"][joint]
        guards += [fixed * (sign * holding - most) - (1.0 - fixed) for sign in (1.0, -1.0)]
    n, outputs = plant.n, pieces.outputs
    inverse = nested(outputs["inverse"], (n, n))
    listed = dict(zip(OUTPUTS, (outputs["rates"], outputs["residual"], inverse, guards), strict=True))
    judge = _judge(pieces, plant.n, joints, frictions)
    return Expanded(pieces.graph.program("motion", listed), judge, joints, of_joint, held, modes, stopping)


def _motion(plant: Plant, graph: Graph, way: Way, changing: Changing, joints: Sequence[int]) -> dict[str, Any]:
    n = plant.n
    state = graph.input("state", (plant.state_size,))
    unknown = graph.input("unknown", (n,))
    (t,) = graph.input("time", (1,))
    parameters = graph.input("parameters", (changing.size + len(joints),))
    samples, discrete_state = changing.nodes(parameters, t)
    own, z = parameters[: plant.parameter_size], state[plant.at_memory]
    here = PlantState(plant, graph, t, state[plant.at_q], state[plant.at_rates], samples, own, way, z, discrete_state)
    rates = [*here.position_rates, *unknown, *here.memory_rates, *here.powers(), *[0] * plant.discrete_size]
    guards = [*here.guards(), *here.switches()]
    if plant.closed:  # the residual of explicit accelerations
        residual = [x - own for x, own in zip(unknown, here.accelerations(), strict=True)]
        inverse = [[int(i == j) for j in range(n)] for i in range(n)]
        return {"rates": rates, "residual": residual, "inverse": inverse, "guards": guards}
    required = here.arm.with_accelerations(unknown).dynamics.inverse_dynamics()
    free = {joint: 1.0 - fixed for joint, fixed in zip(joints, parameters[changing.size :], strict=True)}
    return {
        "rates": rates,
        "residual": [tau - u for tau, u in zip(required, here.arm.inputs["tau"], strict=True)],
        "inverse": _inverse(here.arm, free),
        "guards": guards,
    }


def _inverse(arm: Arm, free: dict[int, Any]) -> list[list[Any]]:
    """Returns M⁻¹ of the joints that are not held; free: 1 or 0 for each joint that can be held."""
    n = arm.model.n
    M: list[list[Any]] = [list(row) for row in arm.dynamics.mass_matrix()]
    for joint, share in free.items():
        for k in range(n):
            M[joint][k] = M[k][joint] = M[joint][k] * share
        M[joint][joint] = M[joint][joint] + (1.0 - share)
    above = forward.ancestors(arm.links)
    factors = forward.factorised(M, above, arm.reciprocal)
    columns = [forward.solved(*factors, above, [int(i == j) for i in range(n)]) for j in range(n)]
    return [[columns[j][i] * free.get(i, 1) * free.get(j, 1) for j in range(n)] for i in range(n)]


def _switch(pieces: Piecewise, element: int) -> int:
    """Returns the switch whose argument is an element of the state."""
    return next(k for k, x in enumerate(pieces.arguments) if x.index == pieces.inputs[0][element].index)


def _friction(pieces: Piecewise, joint: int, switch: int) -> Any:
    """Returns the largest torques that friction can hold, from how the residual depends on the mode."""
    ((most,),) = derivatives.jacobian([pieces.outputs["residual"][joint]], [pieces.modes[switch]])
    return most


def _judge(pieces: Piecewise, n: int, joints: Sequence[int], frictions: Sequence[Any]) -> Program:
    """Returns the program by which modes are checked at a state."""
    state, unknown, time, _parameters = pieces.inputs
    graph, outputs = pieces.graph, pieces.outputs
    zero = {x.index: graph.constant(0.0) for x in unknown}
    rest = derivatives.replaced(outputs["residual"], zero)
    rows = nested(outputs["inverse"], (n, n))
    accelerations = [-sum((m * r for m, r in zip(row, rest, strict=True)), start=graph.constant(0.0)) for row in rows]
    moved = {x.index: a for x, a in zip(unknown, accelerations, strict=True)}
    rates = derivatives.replaced(outputs["rates"], moved)
    seeds: dict[int, Any] = {x.index: rate for x, rate in zip(state, rates, strict=True)}
    seeds[time[0].index] = 1
    parts = {
        "arguments": list(pieces.arguments),
        "slopes": derivatives.directional(pieces.arguments, seeds),
        "holding": derivatives.replaced([outputs["residual"][joint] for joint in joints], moved),
        "friction": list(frictions),
    }
    return graph.program("judge", parts)
