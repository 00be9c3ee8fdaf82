"""Goes through the identities of an arm's equations, and says of each whether it holds.

A zero normal form is always a proof. If a difference is not zero, the verdict is "false" only with a witness: a state
in which a ball around the difference excludes zero. A difference that is zero by relations of constant angles which the
ring does not know, such as 8 cos³ 20° − 6 cos 20° = 1, has a certificate: written in ξ = 2 cos(2π/N), its coefficients
are multiples of the minimal polynomial of ξ (`membership`). The verdict "undecided" remains only where constant angles
are given in radians, or are fractions of one symbol, such as alpha/2 and alpha/3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

from qddot.base.errors import QddotError, shortened
from qddot.base.system.collector import without_collector
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Listed, Told, Words, say, told
from qddot.exact.equations.proofs.certificate import PROVED, Certificate, Identity, Report
from qddot.exact.equations.proofs.laws import identities
from qddot.exact.equations.proofs.subject import Difference, Judge, Subject
from qddot.exact.equations.routes import ROUTES, Route, checked, expresses
from qddot.physics.dynamics import Dynamics
from qddot.robot.left_out import sentences


def certified(subjects: Sequence[Subject], routes: Sequence[str] | None, progress: Report | None) -> Certificate:
    """Returns the certificate of the identities, each of which must hold for all subjects."""
    started, first = perf_counter(), subjects[0]
    chosen = checked_routes(first.dynamics, routes, progress)
    verdicts: list[Identity] = []
    for same in zip(*(identities(subject, chosen) for subject in subjects), strict=True):
        name, law, _ = same[0]
        if progress:
            progress(str(name))
        pairs = zip(subjects, same, strict=True)
        differences = ((subject, difference) for subject, (_, _, of) in pairs for difference in of())
        with without_collector():  # the many polynomials form no reference cycles
            verdicts.append(verdict(name, law, first.holding, differences))
    others = (route.name for route in chosen if expresses(route, first.dynamics.mechanism))
    used = tuple(dict.fromkeys((first.route, *others)))
    model, seconds = first.model, perf_counter() - started
    return Certificate(
        model.name, model.hash, used, tuple(verdicts), seconds, left_out=tuple(sentences(model.left_out))
    )


def checked_routes(dynamics: Dynamics, routes: Any, progress: Any) -> tuple[Route, ...]:
    """Returns the routes to compare, by default all. raises QddotError: a route is unknown"""
    if routes is not None and not isinstance(routes, list | tuple):
        raise QddotError("routes-not-list", routes=shortened(routes), names=Listed(ROUTES))
    if progress is not None and not callable(progress):
        raise QddotError("progress-not-function", progress=shortened(progress))
    if not dynamics.has_bodies:
        return ()
    chosen = tuple(map(checked, routes or ROUTES))
    for route in chosen:
        if routes and not expresses(route, dynamics.mechanism):
            raise QddotError("route-without-quasi-velocities", name=route.name, expected=say("velocities-of-rates"))
    return chosen


def verdict(name: Words, law: Words, holding: str, differences: Iterable[tuple[Judge, Difference]]) -> Identity:
    """Returns the verdict on differences that must vanish, each with its judge; stops at the first that does not."""
    started, count = perf_counter(), 0
    reason: Words = ""
    relations: list[dict[str, Any]] = []
    for judge, (place, difference) in differences:
        count += 1
        if difference:
            normal = judge.ring.convert(difference) if isinstance(difference, int) else difference
            decision, reason, relation = judge.decided(place, normal)
            if decision != PROVED:
                holding, relations = decision, []
                break
            relations += [{"place": told(place, ENGLISH), **relation.data()}] if relation else []
    seconds = perf_counter() - started
    return Identity(Told(name), Told(law), holding, seconds, count, Told(reason), tuple(relations))
