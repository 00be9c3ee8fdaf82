"""Writes the equations of a closed chain for enclosed runs: those of its motion in all coordinates, and of its start.

The accelerations solve M q̈ = τ − bias + Aᵀ λ and A q̈ = −γ. So A q̇ is constant along each solution, and with A q̇ = 0 so
is φ(q): a motion that begins with closed loops keeps them closed, and no condition is enforced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from qddot.base.nested_lists import nested
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.choice import PLAIN
from qddot.machine.tracing.joined import Joined
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.enclosing.lohner import Set
from qddot.motion.enclosing.loops import Starts, near_middle
from qddot.motion.enclosing.variations import VectorField
from qddot.motion.simulate.plant import Closed, Plant, PlantState
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.fields import Fields, Function
from qddot.physics.algorithms import closure
from qddot.physics.systems import ClosedSystem


def near(setup: Setup, fields: Fields) -> Callable[[Set], VectorField]:
    """Returns the function of a set that returns d/dt (q, q̇, z, ledger), with a matrix that is inverted there."""
    plant, closed = setup.plant, setup.plant.closed
    assert closed is not None
    size = plant.n + len(closed.choice.conditions)
    matrix = fields.of(plant.at_q.stop, partial(_matrix, closed))
    rates = fields.of(plant.state_size, partial(_rates, closed, size), size * size)
    return partial(near_middle, rates, matrix)


def start(setup: Setup, fields: Fields) -> Set:
    """Returns the set in which the motion begins. raises SimulationError: its loops are not proved to close"""
    plant, closed, sizes = setup.plant, setup.plant.closed, setup.radii
    assert closed is not None and sizes is not None
    places, positions = list(closed.choice.independent), plant.at_q.stop
    residuals = fields.of(positions, partial(_residuals, closed))
    velocities = fields.of(positions + len(places), partial(_velocities, closed))
    starts = Starts(closed.model, closed.choice, fields.names, (sizes.q, sizes.qd), setup.q0[0], residuals)
    return starts.set(velocities, setup.qd0[0][places], setup.beginning[0][plant.at_rates.stop :])


def _rates(closed: Closed, size: int, plant: Plant, t: Any, state: list[Any], parameters: list[Any]) -> Function:
    """Returns d/dt (q, q̇, z, ledger); parameters: the last ones are about the inverse of the matrix"""
    motion = PlantState(plant, t, state, [], parameters, PLAIN)
    joined = Joined(motion.traced, closed.model, closed.choice)
    accelerations, slopes = joined.preconditioned(nested(parameters[len(parameters) - size * size :], (size, size)))
    rates, others = Function.of(motion.traced.position_rates), Function.of([*motion.memory_rates, *motion.powers()])
    return Function(
        [*rates.values, *accelerations, *others.values],
        lambda by: [*rates.slopes(by), *slopes(by), *others.slopes(by)],
    )


def _matrix(closed: Closed, plant: Plant, _: Any, q: list[Any], parameters: list[Any]) -> Function:
    matrix = Joined(_traced(plant, q, parameters), closed.model, closed.choice).matrix
    return Function.of([x for row in matrix for x in row])


def _residuals(closed: Closed, plant: Plant, _: Any, q: list[Any], parameters: list[Any]) -> Function:
    """Returns φ."""
    traced = _traced(plant, q, parameters)
    return Function.of(closure.residuals(traced.links, closed.model, traced.evaluate))


def _velocities(closed: Closed, plant: Plant, _: Any, state: list[Any], parameters: list[Any]) -> Function:
    """Returns q̇ = R u; state: q and u"""
    system = ClosedSystem(closed.model, closed.choice)
    traced = _traced(plant, state, parameters)
    return Function.of(TracedChain(traced, system).velocities(state[plant.at_q.stop :]))


def _traced(plant: Plant, state: Sequence[Any], parameters: Sequence[Any]) -> TracedArm:
    """Returns the arm at the configuration with which a state begins."""
    return TracedArm(plant.model, state[0].graph, {"q": state[plant.at_q]}, plant.symbols(parameters, []))
