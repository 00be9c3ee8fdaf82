"""A Setup is a run as a user requests it, checked before anything runs."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import numbers, read
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.base.words.message import Both, Listed, say
from qddot.machine.compilers import integrators
from qddot.machine.compilers.batch import compiled
from qddot.machine.numeric.manifold import integrate, with_unit_quaternions
from qddot.machine.numeric.possible_values import refuse
from qddot.machine.tracing.ports import STATE
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting import bristles, forces
from qddot.motion.simulate.acting.drive import Drive
from qddot.motion.simulate.acting.drives import SampledLaw, TracedLaw
from qddot.motion.simulate.acting.payloads import carried
from qddot.motion.simulate.acting.user_torque import drive_of
from qddot.motion.simulate.clock import clock
from qddot.motion.simulate.laws.compared import TracedFunction
from qddot.motion.simulate.laws.law import REMEMBERED, function_program
from qddot.motion.simulate.laws.sampling import NEAR, Sampled
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.plant import Closed, Plant
from qddot.motion.simulate.stepping import events, mixing
from qddot.motion.simulate.stepping.methods import ANY, ENCLOSURE, SMOOTH, Method, Tolerance, method_of, on_rates
from qddot.motion.simulate.stepping.radii import Radii, radii_of
from qddot.motion.simulate.stepping.schemes import closing, conditions
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing, unknown_symbol

CLOSED = 1e-9  # the largest residual of the loops at the start of a run, in rad or m, and that of their rates


@record()
class RunRequest:
    """This is a run as a user requests it; radius: half-width of the box it begins in, None if it is not enclosed."""

    motion: Motion
    record_every: Any = 1
    radius: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)


@record()
class Setup:
    """A setup has q0, qd0 (N, n) and parameters (N, P); every `record_every`-th of the steps of `step` seconds is kept.

    tolerance: of an adaptive method; shortened: its steps as a fraction of those that the tolerance allows
    hurried: whether it gives up where it would take very many steps, since the run only serves for a comparison
    radii: the box in which an enclosed run begins; functions: the user's functions that were compiled
    """

    plant: Plant
    method: Method
    q0: Any
    qd0: Any
    parameters: Any
    step: float
    steps: int
    record_every: int
    single: bool
    tolerance: Tolerance | None = None
    shortened: float = 1.0
    hurried: bool = False
    radii: Radii | None = None
    functions: tuple[TracedFunction, ...] = ()

    @property
    def arms(self) -> int:
        return len(self.q0)

    @property
    def records(self) -> int:
        """Returns the number of samples, the first included."""
        return self.steps // self.record_every + 1

    @property
    def beginning(self) -> Any:
        """Returns each arm's q0, q̇0 and z0 with an empty ledger, (N, m)."""
        plant = self.plant
        state = np.zeros((self.arms, plant.state_size))
        state[:, plant.at_q], state[:, plant.at_rates] = self.q0, self.qd0
        if plant.drive.states:
            state[:, plant.memory_places] = plant.drive.z0
        if plant.carried:
            state[:, -plant.carried.size :] = plant.carried.columns(-self.step, 0.0, self.step)
        return state

    def knots(self, start: float, end: float) -> list[float]:
        """Returns the times between start and end at which a torque, a force or its slope jumps."""
        each, h = self.plant.knots(start, end), self.step
        if not len(each):
            return []
        steps = np.rint(each / h)
        each = np.unique(np.where(np.abs(each - steps * h) < NEAR * h, steps * h, each))
        return [float(t) for t in each[(each > start) & (each < end)]]

    @property
    def times(self) -> Any:
        return self.times_from(0, self.records)

    def times_from(self, first: int, count: int) -> Any:
        """Returns the times of `count` samples [s], beginning with the sample `first`."""
        return np.arange(first, first + count) * self.record_every * self.step


def checked(model: Model, request: RunRequest, closed: Closed | None = None) -> Setup:
    """Returns the setup of a run; symbols without a value have the model's defaults.

    closed: the loops of a closed chain
    raises SimulationError: the requested run is impossible; ModelError: no robot has these values of symbols
    """
    setup = planned(model, request, closed)
    if free := setup.plant.free:
        own = {name: setup.parameters[:, k] for k, name in enumerate(free)}
        refuse(model.with_values(_scalars(request.values)), own)
    _check_start(setup)
    return setup


def planned(model: Model, request: RunRequest, closed: Closed | None = None) -> Setup:
    """Returns the setup of a run that may begin beyond a limit, or have values of symbols that no robot has.

    In a sweep the starts and the values that differ from run to run are drawn, and those of one run are medians.
    closed: as in `checked`
    raises SimulationError: the requested run is impossible; ModelError: no robot has values that are not drawn
    """
    values = {name: read(value) for name, value in request.values.items()}
    motion, model = request.motion, model.with_given(values)
    method, allowed = (None, None) if motion.method is None else method_of(motion.method)
    sizes = None if request.radius is None else radii_of(request.radius, model.symbols)
    n, (length, h, steps) = model.n, clock(motion.duration, motion.step, request.record_every)
    free, columns = _values(model, values)
    q = with_unit_quaternions(model, _state(motion.q0, len(model.positions), "q0"), "q0", SimulationError)
    qd = _state(np.zeros(n) if motion.qd0 is None else motion.qd0, n, "qd0")
    own = damping_rows(motion.damping, n)
    shared = [q, qd, *columns, *([] if own is None else [own])]
    arms = _arms(shared, motion.torque)
    q, qd = (np.ascontiguousarray(x if len(x) == arms else np.broadcast_to(x, (arms, x.shape[1]))) for x in (q, qd))
    moved = partial(integrate, model) if model.freedoms else operator.add
    drive = drive_of(motion.torque, n, length, h, (q, qd), moved)
    event = (
        None if motion.event is None else function_program(motion.event, say("the-event-function"), 1, (q[0], qd[0]))
    )
    known = {**model.defaults(), **_scalars(values)}
    folded = {name: value for name, value in known.items() if name not in free}
    if model.time in values:
        raise SimulationError("value-of-the-time", time=model.time)
    refuse_missing(model.used_symbols - {*known, *free, model.time}, model.name, error=SimulationError)
    if given := _scalars(request.values):
        model.check_values(given)
    acting, loads = None, None
    if motion.forces is not None:
        trial_arm = TracedArm.with_ports(model, STATE, folded, free)
        acting, payloads = forces.checked(motion.forces, trial_arm, length, (q[0], qd[0]))
        if payloads:
            model, loads = carried(model, payloads, trial_arm, h, (q[0], qd[0]))
            folded |= dict.fromkeys(loads.names, 1.0)
    limits = _limited(model, motion.limits)
    smooth, bent = bristles.split(model)
    plant = Plant(smooth, folded, free, own is not None, drive, limits, event, acting, loads, closed=closed)
    plant = replace(plant, bent=bent, whole=model)
    if sizes is not None:
        method = ENCLOSURE
    elif method is None:
        method = usual(plant)
        allowed = method.tolerance
    _check_calls(drive, method, arms)
    _check_steep(plant, method)
    if model.freedoms:
        _check_quasi_velocities(model, drive, method)
    if (closed or model.time) and method.in_momenta:
        what = say("a-closed-chain") if closed else say("energies-of-the-time", time=model.time)
        raise SimulationError("method-does-not-take", method=method, what=what, expected=on_rates())
    starts: Any = motion.q0, motion.qd0
    single = arms == 1 and all(np.ndim(each) <= 1 for each in starts)
    parameters = _parameters(plant, columns, own, arms)
    every = request.record_every
    functions = (*_traced(motion, drive, event), *(acting.traced if acting else ()), *(loads.traced if loads else ()))
    return Setup(plant, method, q, qd, parameters, h, steps, every, single, allowed, radii=sizes, functions=functions)


def beside(setup: Setup, arm: int, q0: Any, qd0: Any) -> Setup:
    """Returns the setup of one arm of a run from other starts, a row of q0 and qd0 for each.

    raises SimulationError: a start that is impossible, or a law with a state, whose start may depend on theirs
    """
    plant = setup.plant
    if plant.drive.states:
        raise SimulationError("starts-of-a-law-with-state")
    q = with_unit_quaternions(plant.model, _state(q0, len(plant.model.positions), "q0"), "q0", SimulationError)
    qd = _state(qd0, plant.n, "qd0")
    parameters = np.repeat(setup.parameters[arm : arm + 1], len(q), axis=0)
    other = replace(setup, q0=q, qd0=qd, parameters=parameters, single=False)
    _check_start(other)
    return other


def _traced(motion: Motion, drive: Drive, event: Program | None) -> Iterator[TracedFunction]:
    """Yields the torque law and the event function, if they are compiled."""
    law = drive.law if isinstance(drive, SampledLaw) else drive
    if isinstance(law, TracedLaw):
        function = motion.torque.law if isinstance(motion.torque, Sampled) else motion.torque
        yield TracedFunction(say("the-torque-law"), function, law.program)
    if event is not None:
        yield TracedFunction(say("the-event-function"), motion.event, event)


def usual(plant: Plant) -> Method:
    """Returns the default method of a run.

    Series are the most precise, and cost no more, where all torques and forces are smooth and traced. What is called
    from Python or rounds has no series, nor has friction with an infinite slope; sampling and kinks end its steps
    early; a law that switches may switch without end. Fixed steps accept all of these.
    """
    is_rough = plant.drive.rough or (plant.forces and plant.forces.rough) or plant.rounds or _steep(plant.model)
    return ANY if is_rough or not integrators.are_there() else SMOOTH


def joined_values(values: Any, symbols: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of symbols that are given as a mapping, and as keywords.

    raises SimulationError: `values` is no mapping by names, or a name has two values
    """
    if values is None:
        return dict(symbols)
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise SimulationError("values-no-mapping", values=shortened(values))
    twice = sorted(values.keys() & symbols.keys())
    if twice:
        raise SimulationError("two-values", twice=twice[0])
    return {**values, **symbols}


def _arms(shared: Sequence[Any], torque: Any) -> int:
    """Returns the number of arms: the number of rows of any argument that has more than one."""
    sizes = {len(rows) for rows in shared if len(rows) > 1}
    listed = isinstance(torque, list) or (isinstance(torque, np.ndarray) and torque.ndim)
    rows = [row for row in torque if np.iterable(row) and not isinstance(row, str)] if listed else []
    sizes |= {len(rows)} if len(rows) > 1 else set()
    if len(sizes) > 1:
        raise SimulationError("batches-of-two-sizes", sizes=Both(sorted(sizes)))
    return max(sizes, default=1)


def _parameters(plant: Plant, columns: Sequence[Any], damping: Any, arms: int) -> Any:
    """Returns the parameters of each arm, (N, P): symbols, damping and torque."""
    n = plant.n
    parts = [np.broadcast_to(column.reshape(-1, 1), (arms, 1)) for column in columns]
    parts += [] if damping is None else [np.broadcast_to(damping, (arms, n))]
    parts += [plant.drive.parameters(arms)] if plant.drive.parameter_size else []
    parts += [np.zeros((arms, plant.closed.parameter_size))] if plant.closed else []  # they are known at the start
    return np.ascontiguousarray(np.concatenate(parts, axis=1)) if parts else np.zeros((arms, plant.parameter_size))


def _state(value: Any, n: int, what: str) -> Any:
    state = numbers(value, what, say("numbers-or-texts"))
    if state.ndim not in (1, 2) or state.shape[-1] != n or state.size == 0:
        raise SimulationError("state-misshapen", what=what, shape=state.shape, n=n)
    _check_finite(state, what)
    return state.reshape(-1, n)


def _check_finite(values: Any, what: str) -> None:
    if not np.isfinite(values).all():
        place = [int(k) for k in np.argwhere(~np.isfinite(values))[0]]
        raise SimulationError("entry-not-finite", name=what, place=place or "", value=values[tuple(place)])


def damping_rows(damping: Any, n: int) -> Any:
    """Returns D of each arm's joints, (1, n) or (N, n), or None. raises SimulationError: other numbers"""
    if damping is None:
        return None
    c = numbers(damping, "damping", say("one-or-n-numbers", n=n))
    if c.ndim > 2 or (c.ndim and c.shape[-1] != n):
        raise SimulationError("damping-misshapen", shape=c.shape, n=n)
    _check_finite(c, "damping")
    if (c < 0).any():
        raise SimulationError("damping-negative", entry=c.min())
    return np.broadcast_to(c, (n,)).reshape(1, n) if c.ndim < 2 else c


def _values(model: Model, values: Mapping[str, Any]) -> tuple[tuple[str, ...], list[Any]]:
    """Returns the symbols that differ from arm to arm, and their numbers."""
    for name in values:
        if name not in model.symbols:
            raise unknown_symbol(name, model, error=SimulationError)
    columns = {}
    for name, value in values.items():
        column = numbers(value, name, say("one-or-each-arm"))
        if column.ndim > 1 or column.size == 0 or not np.isfinite(column).all():
            raise SimulationError("values-not-finite", name=name, value=shortened(value))
        if column.ndim == 1:
            columns[name] = column
    return tuple(columns), list(columns.values())


def _scalars(values: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(numbers(value, name)) for name, value in values.items() if np.ndim(value) == 0}


def _limited(model: Model, limits: Any) -> tuple[int, ...]:
    if not isinstance(limits, bool):
        raise SimulationError("limits-no-flag", limits=shortened(limits))
    return tuple(i for i, body in enumerate(model.moving()) if limits and body.joint.limits)


def _check_calls(drive: Drive, method: Method, arms: int) -> None:
    """Raises SimulationError for a law that remembers, in a batch or with a method that repeats steps."""
    caller = drive.caller
    if caller is None or not caller.in_order:
        return
    if caller.remembers and arms > 1:
        raise SimulationError("law-remembers-in-a-batch", arms=arms, why=caller.why, remedy=REMEMBERED)
    if drive.in_stages and method.adaptive:
        raise SimulationError("law-remembers-in-repeated-steps", method=method, why=caller.why, usual=ANY)


def _check_steep(plant: Plant, method: Method) -> None:
    """Raises SimulationError for friction whose slope is infinite at rest, with a method that needs slopes."""
    names = _steep(plant.model)
    if names and (method.series or method.jacobian or method is ENCLOSURE):
        raise SimulationError("steep-friction-with-method", method=method, names=Listed(names), usual=ANY)


def _steep(model: Model) -> list[str]:
    """Returns the coordinates with friction whose slope is infinite at rest, so that the motion has no series."""
    joints = (body.joint for body in model.moving())
    return [str(joint.coordinate) for joint in joints if any(effect.steep for effect in joint.effects)]


def _check_quasi_velocities(model: Model, drive: Drive, method: Method) -> None:
    """Raises ModelError for requests that joints with quasi-velocities do not support."""
    if method.in_momenta:
        refuse_several(model, say("the-method", method=method), on_rates())
    if drive.sampling and drive.sampling.encoder:
        refuse_several(model, say("an-encoder"), say("encoder-of-zero"))


def _check_start(setup: Setup) -> None:
    """Raises SimulationError unless every arm begins with closed loops, within its limits and before its event."""
    plant = setup.plant
    if plant.closed:
        _mix(setup)
        _check_closed(setup)
    if not plant.limits and plant.event is None:
        return
    above = compiled(events.program(plant))(np.zeros((setup.arms, 1)), setup.q0, setup.qd0, setup.parameters)
    if (above > 0).any():
        arm, k = (int(x) for x in np.argwhere(above > 0)[0])
        guard = events.guards(plant)[k]
        key = "arm-begins-beyond-a-limit" if guard.joint else "arm-begins-beyond-the-event"
        raise SimulationError(key, arm=arm, place=guard.place)


def _check_closed(setup: Setup) -> None:
    """Raises SimulationError for a closed chain that begins with open loops, or with rates that open them."""
    plant, state = setup.plant, np.concatenate([setup.q0, setup.qd0], axis=1)
    discrete_state = setup.beginning[:, plant.integrated_size :]
    apart = np.abs(compiled(closing(plant))(state, discrete_state, setup.parameters) - state)
    model = plant.model
    for key, names, part in (
        ("start-opens-the-loops", model.positions, apart[:, plant.at_q]),
        ("rates-open-the-loops", model.coordinates, apart[:, plant.at_rates]),
    ):
        if not (part <= CLOSED).all():
            arm, k = (int(x) for x in np.argwhere(~(part <= CLOSED))[0])
            off = f"{part[arm, k]:.3g}"
            raise SimulationError(key, where=model.name, coordinate=names[k], arm=arm, apart=off)


def _mix(setup: Setup) -> None:
    """Mixes the conditions of each closed chain, and keeps det A Aᵀ. raises SimulationError: one is singular there"""
    plant, of_all = setup.plant, compiled(conditions(setup.plant))
    at = setup.q0, setup.beginning[:, plant.integrated_size :]
    setup.parameters[:] = mixing.mixed(plant, of_all, *at, setup.parameters)
    _, A, determinants = of_all(*at, setup.parameters)
    singular = mixing.distance(plant, A) <= mixing.NEAREST
    if singular.any():
        raise SimulationError("arm-begins-singular", where=plant.model.name, arm=int(singular.argmax()))
    setup.parameters[:, -1] = determinants[..., 0]
