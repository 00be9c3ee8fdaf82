"""Writes a plant as a `Series`: inverse dynamics as the residual, accelerations as the unknowns.

This takes far fewer products of series than forward dynamics, and no quotient: the mass matrix is inverted once a step,
at order 0. Signs, minima and maxima are constant during a step, which ends where one of them changes. A joint that its
friction holds has no acceleration: its row and column are left out of the mass matrix. In a closed chain, whose joints
move together, the friction of a few joints holds others as well; see `chain_modes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.piecewise import Piecewise, smooth
from qddot.algebra.program.program import Program
from qddot.algebra.program.series import CALLED_OUTPUTS, OUTPUTS, PARAMETERS
from qddot.algebra.spatial import summed
from qddot.base.nested_lists import nested
from qddot.base.records import record
from qddot.machine.tracing import choice
from qddot.machine.tracing.choice import Way
from qddot.machine.tracing.joined import Joined
from qddot.machine.tracing.trace import torques
from qddot.machine.tracing.traced import TracedArm, left_of
from qddot.motion.simulate.acting.changing import Changing
from qddot.motion.simulate.plant import Plant
from qddot.physics.algorithms import forward

Results: TypeAlias = dict[str, Any]  # nodes by output
Pair: TypeAlias = Sequence[Any]  # two nodes
# the largest torque at rest, as a part of the friction, so that rounding does not move a joint whose torque is as large
GRIP = 1 + 1e-9


@record()
class Expanded:
    """These are the programs of a plant's series, and where the parameters that a run changes begin.

    motion: the program of the series
    called: its rates, residual and guards, with the switches as they are; see `Series`
    judge: (state, unknown, time, parameters) → arguments of the switches, their slopes in time, holding torques, and
    the largest friction torques of each joint, against motion backward and forward; in a closed chain also how
    accelerations respond to holding torques; None without a switch
    dry_joints: the joints that friction can hold; of_joint: the switch of each of them
    held, modes: where the parameters of held joints (1 if held) and of modes begin, after those of torques and forces
    still: where those of joints at rest begin, which are the held ones and, in a closed chain, those that follow them
    choosing: for each switch whether it is a minimum or a maximum
    guards: the number of the plant's own guards; those after them end a step: each switch, then each joint twice
    """

    motion: Program
    called: Program
    judge: Program | None
    dry_joints: tuple[int, ...]
    of_joint: tuple[int, ...]
    held: slice
    still: slice
    modes: slice
    choosing: tuple[bool, ...]
    guards: int


def expanded(plant: Plant) -> Expanded:
    """Returns the programs of a plant's series, the first in the way with the fewest operations."""
    joints = plant.dry_joints
    changing = Changing(plant)
    held = slice(changing.size, changing.size + len(joints))
    still = slice(held.stop, held.stop + len(joints)) if plant.closed else held

    def written(way: Way) -> Program:
        graph = Graph()
        return graph.program("motion", _motion(plant, graph, way, changing, joints, still.stop))

    program = choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open))
    pieces, stopping = smooth(program, PARAMETERS), program.outputs[3].size
    modes = slice(still.stop, still.stop + len(pieces.modes))
    of_joint = tuple(_switch(pieces, plant.at_rates.start + joint) for joint in joints)
    frictions = _frictions(pieces, of_joint)
    guards = [*pieces.outputs["guards"], *_turning(pieces, of_joint, still), *_slipping(pieces, held, frictions)]
    n, outputs = plant.n, pieces.outputs
    inverse = nested(outputs["inverse"], (n, n))
    listed = dict(zip(OUTPUTS, (outputs["rates"], outputs["residual"], inverse, guards), strict=True))
    motion = pieces.graph.program("motion", listed)
    judge = _judge(pieces, n, frictions) if pieces.modes else None
    as_they_are = _as_they_are(pieces, of_joint)
    switched = {name: derivatives.replaced(listed[name], as_they_are) for name in CALLED_OUTPUTS}
    called = pieces.graph.program("called", switched)
    return Expanded(motion, called, judge, joints, of_joint, held, still, modes, pieces.choosing, stopping)


def _as_they_are(pieces: Piecewise, of_joint: Sequence[int]) -> dict[int, Any]:
    """Returns for the modes of all switches but those of dry friction the signs of their arguments; see `Series`."""
    (near,) = pieces.graph.input("near", (1,))
    images = dict[int, Any]()
    for k, (mode, argument) in enumerate(zip(pieces.modes, pieces.arguments, strict=True)):
        if k not in of_joint:
            (argument,) = derivatives.replaced([argument], images)
            images[mode.index] = (argument + near * mode).apply("sign")
    return images


def _turning(pieces: Piecewise, of_joint: Sequence[int], still: slice) -> list[Any]:
    """Returns numbers that rise above zero where a switch changes; for a joint at rest, zero instead of rounding."""
    guards = [-(m * x) for m, x in zip(pieces.modes, pieces.arguments, strict=True)]
    for switch, rests in zip(of_joint, pieces.inputs[PARAMETERS][still], strict=True):
        guards[switch] = guards[switch] * (1.0 - rests)
    return guards


def _slipping(pieces: Piecewise, held: slice, frictions: Sequence[Pair]) -> list[Any]:
    """Returns the numbers that rise above zero where friction no longer holds a joint, two for each joint."""
    holds = pieces.inputs[PARAMETERS][held]
    return [
        fixed * (sign * holding - GRIP * most) - (1.0 - fixed)
        for fixed, holding, both in zip(holds, pieces.outputs.get("holding", ()), frictions, strict=True)
        for sign, most in zip((1.0, -1.0), both, strict=True)
    ]


def _motion(
    plant: Plant, graph: Graph, way: Way, changing: Changing, joints: Sequence[int], size: int
) -> dict[str, Any]:
    """Returns the results of the series' program, and those that tell about joints with dry friction.

    size: the number of parameters without those of modes
    """
    n = plant.n
    state = graph.input("state", (plant.state_size,))
    unknown = graph.input("unknown", (n,))
    (t,) = graph.input("time", (1,))
    parameters = graph.input("parameters", (size,))
    here = changing.plant_state(t, state, parameters, way)
    rates = [*here.traced.position_rates, *unknown, *here.memory_rates, *here.powers(), *[0] * plant.discrete_size]
    guards = [*here.guards(), *here.switches()]
    holds = dict(zip(joints, parameters[changing.size :], strict=False))
    if plant.closed:
        residual, inverse, dry = _of_chain(here.joined, unknown, holds)
    else:
        residual, inverse, dry = _of_tree(here.traced, unknown, holds)
    return {"rates": rates, "residual": residual, "inverse": inverse, "guards": guards, **dry}


def _of_tree(
    traced: TracedArm, unknown: Sequence[Any], holds: dict[int, Any]
) -> tuple[list[Any], list[list[Any]], Results]:
    """Returns the torques that are missing, M⁻¹ of the joints that are not held, and what tells about friction."""
    arm = traced.relieved
    required = arm.with_accelerations(unknown).dynamics.inverse_dynamics()
    residual = [tau - u for tau, u in zip(required, arm.inputs["tau"], strict=True)]
    inverse = _inverse(arm, {joint: 1.0 - fixed for joint, fixed in holds.items()})
    acting = [residual[joint] for joint in holds]
    dry: Results = {"holding": acting, "rubbing": acting} if holds else {}
    if arm is not traced:
        dry["gears"] = [most for joint in holds for most in _of_gears(traced, joint)]
        # each joint has its switch, even where no torque ever loads its gear
        dry["signs"] = [traced.inputs["qd"][joint].apply("sign") for joint in holds]
    return residual, inverse, dry


def _of_gears(traced: TracedArm, joint: int) -> list[Any]:
    """Returns the largest torques with which all friction of a joint at rest holds it, backward and forward.

    Of the torque u that other friction leaves, u ∓ f reach the gear once the joint moves; it moves forward if what the
    gear leaves of u − f is more than the joint needs at rest, and backward if what it leaves of u + f is less.
    """
    own = [each for each in traced.links.effects if each.dof == joint and each.effect.sticks]
    share, f = (summed(each.coefficient for each in own if each.effect.of_load is load) for load in (True, False))
    u = traced.inputs["tau"][joint] - traced.relieved.dynamics.torques_of("friction")[joint]
    forward, backward = (left_of(u - sign * f, sign * share) for sign in (1, -1))
    return [backward - u, u - forward]


def _inverse(traced: TracedArm, free: dict[int, Any]) -> list[list[Any]]:
    """Returns M⁻¹ of the joints that are not held; free: 1 or 0 for each joint that can be held."""
    n = traced.model.n
    M: list[list[Any]] = [list(row) for row in traced.dynamics.mass_matrix()]
    for joint, share in free.items():
        for k in range(n):
            M[joint][k] = M[k][joint] = M[joint][k] * share
        M[joint][joint] = M[joint][joint] + (1.0 - share)
    above = forward.ancestors(traced.links)
    factors = forward.factorised(M, above, traced.reciprocal)
    columns = [forward.solved(*factors, above, [int(i == j) for i in range(n)]) for j in range(n)]
    return [[columns[j][i] * free.get(i, 1) * free.get(j, 1) for j in range(n)] for i in range(n)]


def _of_chain(
    chain: Joined, unknown: Sequence[Any], holds: dict[int, Any]
) -> tuple[list[Any], list[list[Any]], Results]:
    """Returns the residual of explicit accelerations, its inverse, and what tells about friction."""
    n, dry = range(len(unknown)), Results()
    accelerations = chain.accelerations()
    if holds:
        accelerations, torques, responses = chain.held_by_friction(holds)
        bias = chain.arm.dynamics.bias()
        dry = {"holding": torques, "rubbing": [bias[joint] for joint in holds], "responses": responses}
    residual = [x - own for x, own in zip(unknown, accelerations, strict=True)]
    return residual, [[int(i == j) for j in n] for i in n], dry


def _switch(pieces: Piecewise, element: int) -> int:
    """Returns the switch whose argument is an element of the state."""
    return next(k for k, x in enumerate(pieces.arguments) if x.index == pieces.inputs[0][element].index)


def _frictions(pieces: Piecewise, of_joint: Sequence[int]) -> list[Pair]:
    """Returns the largest torques with which each joint's friction can hold it, backward and forward.

    Without friction that grows with the load, both are the derivative of friction with respect to the mode.
    """
    if "gears" in pieces.outputs:
        return list(zip(*(iter(pieces.outputs["gears"]),) * 2, strict=True))
    rubbing = pieces.outputs.get("rubbing", ())
    slopes = (derivatives.jacobian([rubbing[k]], [pieces.modes[switch]])[0][0] for k, switch in enumerate(of_joint))
    return [(most, most) for most in slopes]


def _judge(pieces: Piecewise, n: int, frictions: Sequence[Pair]) -> Program:
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
        "holding": derivatives.replaced(outputs.get("holding", ()), moved),
        "friction": [most for both in frictions for most in both],
        **({"responses": outputs["responses"]} if "responses" in outputs else {}),
    }
    return graph.program("judge", parts)
