"""A Machine keeps the compiled functions of a plant and a method for the next run with both."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, lru_cache

from qddot.algebra.program.program import Program
from qddot.algebra.program.series import Series
from qddot.base.records import Named
from qddot.machine.compilers.batch import BatchFunction, compiled
from qddot.machine.compilers.fixed_steps import FixedSteps
from qddot.machine.compilers.integrators import Integrator
from qddot.motion.simulate.acting import renewal
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.stepping import events, rate_programs, schemes
from qddot.motion.simulate.stepping.methods import Method
from qddot.motion.simulate.stepping.schemes import Scheme
from qddot.motion.simulate.stepping.taylor.expanded import Expanded, expanded


def machine(plant: Plant, method: Method) -> Machine:
    """Returns the machine of this plant and method, made when it is first needed."""
    facts = (  # everything that the code depends on; users' functions are compared by their programs
        plant.model.hash,
        method,
        tuple(sorted(plant.values.items())),
        (plant.free, plant.damped, plant.limits, plant.bent),
        tuple((type(part), part.facts) for part in plant.acting),
        plant.event.hash if plant.event else "",
        plant.closed.facts if plant.closed else (),
    )
    return _kept_machine(Named(facts, (plant, method)))


@lru_cache(maxsize=32)
def _kept_machine(key: Named[tuple[Plant, Method]]) -> Machine:
    return Machine(*key.value)


def _function(program: Callable[[Plant], Program]) -> cached_property[BatchFunction]:
    """Returns a property with a program of the machine's plant, compiled; the program's ports are its arguments."""
    return cached_property(lambda self: compiled(program(self.plant)))


class Machine:
    """A machine has the functions of a plant, each compiled at its first use; it keeps the plant alive."""

    resampled = _function(renewal.sampling)
    switched = _function(renewal.switching)
    closing = _function(schemes.closing)
    conditions = _function(schemes.conditions)
    momenta = _function(schemes.momenta)
    velocities = _function(schemes.velocities)
    slopes = _function(rate_programs.slopes)
    guards = _function(events.program)

    def __init__(self, plant: Plant, method: Method) -> None:
        self.plant = plant
        self.method = method

    @property
    def in_momenta(self) -> bool:
        """Returns whether the state is (q, p)."""
        return self.method.in_momenta

    @property
    def scheme(self) -> Scheme:
        """Returns the scheme of a method with fixed steps; adaptive methods have none."""
        assert self.method.scheme
        return self.method.scheme()

    @cached_property
    def stepper(self) -> FixedSteps:
        """Returns the stepper of a method with fixed steps."""
        return FixedSteps(self.scheme.recurrence(self.plant))

    @cached_property
    def observe(self) -> BatchFunction:
        """Returns the function (state, row, parameters) → τ, K, P, before them q̇ where the state has momenta."""
        return compiled(schemes.observer(self.plant, self.in_momenta))

    @cached_property
    def taylor(self) -> Callable[[int, bool], Integrator]:
        """Returns the function (order, whether there are several arms) → the integrator by series."""
        of, plant = self.expanded, self.plant
        holding = 2 * len(of.of_joint)  # the last guards
        accounts = range(plant.moving_size, plant.integrated_size)
        facts = plant.at_rates.stop, of.called, accounts, of.judge is not None, holding
        return cache(lambda order, several: Integrator(Series(of.motion, order, *facts), several))

    @cached_property
    def runge_kutta(self) -> Callable[[bool], Integrator]:
        """Returns the function (whether there are several arms) → the integrator by rates."""
        if self.plant.dry_joints:
            rates = rate_programs.in_modes(self.expanded, self.method, self.plant.watched)
        else:
            rates = rate_programs.rates(self.plant, self.method)
        return cache(lambda several: Integrator(rates, several))

    @cached_property
    def expanded(self) -> Expanded:
        """Returns the programs of the plant's series."""
        return expanded(self.plant)
