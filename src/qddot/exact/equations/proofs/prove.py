"""Proves the equations of an arm in the kind of numbers in which its identities are shortest."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.numbers.arbitrary import LARGEST_SEED
from qddot.base.checked import whole
from qddot.exact.equations.proofs import absolute_rates, modulo_primes, unit_rates
from qddot.exact.equations.proofs.certificate import Certificate, Report
from qddot.exact.equations.proofs.subject import InNormalForm
from qddot.exact.equations.proofs.verdicts import certified
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.shortest_angles import long_runs


def prove(
    eq: Quantities, routes: Sequence[str] | None = None, progress: Report | None = None, seed: int | None = None
) -> Certificate:
    """Derives the equations by all routes, or those named, and returns the certificate of all identities.

    They are tried in normal form; those of long runs of parallel joints in the absolute angles of their links. Those of
    arms that are too long are tried at unit rates if that suffices, and else in random states modulo primes.
    progress: called with the name of each identity before it is tried; seed: that of a certificate modulo primes
    raises QddotError: a route is unknown
    """
    seed = None if seed is None else whole(seed, "seed", 0, LARGEST_SEED)
    joints = eq.of_joints.dynamics.mechanism if eq.is_derived else None
    if joints and modulo_primes.is_too_long(eq.model, joints):
        if routes is None and unit_rates.suits(joints):
            return unit_rates.prove(unit_rates.InUnitRates(eq), progress)
        return modulo_primes.verify(eq.model, routes, progress, seed)
    runs = long_runs(eq.dynamics.mechanism, eq.ring)
    if runs:
        return absolute_rates.prove(eq, runs, routes, progress)
    return certified([InNormalForm(eq)], routes, progress)
