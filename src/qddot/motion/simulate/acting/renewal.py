"""Updates a plant's discrete state between steps: the torques and the state of a sampled law, and the payloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.machine.tracing.choice import PLAIN, Way
from qddot.motion.simulate.plant import Plant, PlantState, rates_from_momenta
from qddot.physics.algorithms import composite, energies

Ports = Mapping[str, list[Any]]


def resampled(plant: Plant, ports: Ports, t: Any, in_momenta: bool, way: Way) -> list[Any]:
    """Returns the state with the torques that a sampled law computes in it at t, and with the law's own state."""
    state, m = ports["state"], plant.integrated_size
    q, qd, graph = state[plant.at_q], state[plant.at_rates], state[0].graph
    if in_momenta:
        qd = rates_from_momenta(plant, q, qd, ports["parameters"], way, state[m:])
    discrete_state, z = state[m : plant.memory_places.start], state[plant.memory_places]
    others = state[m + plant.drive.discrete_size :]
    return [*state[:m], *plant.drive.renewed(graph, (t, q, qd, z), discrete_state), *others]


def switched(plant: Plant, motion: PlantState, new: Sequence[Any], row: Sequence[Any], in_momenta: bool) -> list[Any]:
    """Returns a state of the moving plant after payloads have been picked up and released.

    A payload already moves with the hand, so that rates stay and momenta change. Its energy is added to the ledger.
    new: the numbers that are integrated; row: those that the plant adds to a row of time
    """
    carried, graph = plant.carried, motion.traced.graph
    assert carried is not None
    own, before = motion.discrete_state[: -carried.size], motion.discrete_state[-carried.size :]
    following = carried.switched(graph, (motion.t, motion.q, motion.qd), before, row[-carried.size :])
    account, state = plant.moving_size + plant.ledger.index("external"), list(new)
    for k in range(carried.size // 2):
        more = (following[2 * k] - following[2 * k + 1]) - (before[2 * k] - before[2 * k + 1])
        body = carried.alone(motion.traced, k)
        state[account] = state[account] + more * (energies.kinetic_energy(body) + energies.potential_energy(body))
        if in_momenta:
            momentum = energies.momentum(composite.mass_matrix(body), tuple(motion.qd))
            pairs = zip(state[plant.at_rates], momentum, strict=True)
            state[plant.at_rates] = [p + more * part for p, part in pairs]
    return [*state, *own, *following]


def sampling(plant: Plant) -> Program:
    """Returns the program (state, row, parameters) → the state with new torques of a sampled law; rows begin with t."""
    return _written(plant, "sampled", lambda ports: resampled(plant, ports, ports["row"][0], False, PLAIN))


def switching(plant: Plant) -> Program:
    """Returns the program (state, row, parameters) → the state after payloads have been picked up and released."""

    def after(ports: Ports) -> list[Any]:
        state, (t, *row) = ports["state"], ports["row"]
        motion = PlantState(plant, t, state, row, ports["parameters"], PLAIN)
        return switched(plant, motion, state[: plant.integrated_size], row, False)

    return _written(plant, "switched", after)


def _written(plant: Plant, name: str, after: Callable[[Ports], list[Any]]) -> Program:
    graph, names = Graph(), ("state", "row", "parameters")
    return graph.program(name, {"state": after(dict(zip(names, plant.ports(graph, *names), strict=True)))})
