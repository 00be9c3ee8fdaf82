"""Proves the equations: identities of mechanics, each by comparing normal forms with zero.

A zero normal form is always a proof. Where a difference is not zero the verdict is "false" only with a
witness: a state in which a ball around the difference excludes zero. Otherwise it is "undecided",
which happens only where constant angles depend on each other in a way that the ring does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from qddot.equations.absolute_rates import AbsoluteLaws
from qddot.equations.certificate import Certificate, Identity, Report
from qddot.equations.identities import Difference, Laws
from qddot.equations.quantities import Quantities
from qddot.equations.routes import ROUTES
from qddot.equations.shortest import long_runs
from qddot.errors import QddotError, is_one_of, near, shortened
from qddot.system.collector import without_collector


def prove(eq: Quantities, routes: Sequence[str] | None = None, progress: Report | None = None) -> Certificate:
    """Returns the certificate of all identities, after deriving the equations by all routes (or those named).

    progress: called with the name of each identity before it is tried
    raises QddotError: an unknown route
    """
    runs = long_runs(eq.dynamics.arm, eq.ring)
    if not runs:
        return certified([Laws(eq)], routes, progress)
    started, laws = perf_counter(), AbsoluteLaws(eq, runs)
    found = certified([laws], routes, progress)
    return replace(found, model_hash=eq.model.hash, angles=laws.angles, seconds=perf_counter() - started)


def certified(in_kinds: Sequence[Laws], routes: Sequence[str] | None, progress: Report | None) -> Certificate:
    """Returns the certificate of the same identities in one or several kinds of number."""
    started, eq = perf_counter(), in_kinds[0].eq
    chosen = checked_routes(eq, routes, progress)
    found: list[Identity] = []
    for same in zip(*(laws.identities(chosen) for laws in in_kinds), strict=True):
        name, law, _ = same[0]
        if progress:
            progress(name)
        differences = (
            (laws, difference) for laws, (_, _, of) in zip(in_kinds, same, strict=True) for difference in of()
        )
        with without_collector():  # the many polynomials are in no cycles
            found.append(_identity(name, law, in_kinds[0].holding, differences))
    used = tuple(dict.fromkeys((eq.route, *chosen)))
    return Certificate(eq.model.name, eq.model.hash, used, tuple(found), perf_counter() - started)


def checked_routes(eq: Quantities, routes: Any, progress: Any) -> tuple[str, ...]:
    """Returns the routes to compare, all if none are named. raises QddotError: an unknown route"""
    if routes is not None and not isinstance(routes, list | tuple):
        raise QddotError(f"routes {shortened(routes)}", expected="a list of " + ", ".join(ROUTES))
    if progress is not None and not callable(progress):
        raise QddotError(f"progress = {shortened(progress)}", expected="a function of an identity's name")
    chosen = tuple(routes or ROUTES) if eq.dynamics.has_bodies else ()
    for route in chosen:
        if not is_one_of(route, ROUTES):
            raise QddotError(f"no route {shortened(route)}", expected=", ".join(ROUTES), remedy=near(route, ROUTES))
    return chosen


def _identity(name: str, law: str, holding: str, differences: Iterable[tuple[Laws, Difference]]) -> Identity:
    """Returns the verdict on differences that must vanish; it ends at the first that does not."""
    started, count = perf_counter(), 0
    for laws, (place, difference) in differences:
        count += 1
        if difference:
            normal = laws.ring.convert(difference) if isinstance(difference, int) else difference
            verdict, detail = laws.counterexample(str(place), normal)
            return Identity(name, law, verdict, perf_counter() - started, count, detail)
    return Identity(name, law, holding, perf_counter() - started, count)
