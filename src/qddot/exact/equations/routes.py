"""Lists the routes to the equations, each of which derives M, Γ and G in its own way, over any kind of number.

The algorithm of a route is imported when the route is used. A new route is a function here and a record in ROUTES;
proof, verification modulo primes, values and reports then use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.state_numbers import Differentiable
from qddot.algebra.spatial import Number
from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.message import Listed, say
from qddot.exact.equations.centres import Centres, OwnCentres
from qddot.exact.equations.shortest_angles import long_runs, of_absolute_angles
from qddot.physics.algorithms import composite, coriolis
from qddot.physics.derivation import Calculus, Derivation, Derivative, LagrangeTerms, Torques, read_off
from qddot.physics.dynamics import Dynamics
from qddot.physics.frames.parallel_joints import Before
from qddot.physics.mechanism import Mechanism

QUICKEST = "composite"
GIVEN = "given"  # the route of a model whose equations are given entry by entry
# properties of the numbers that a route may need
SLOPES, MOMENTA, CENTRES = "∂/∂q", "d/dt ∂/∂q̇", "centres of mass"
RATES = "velocities that are rates"  # since derivatives along quasi-velocities depend on their order


class Route(NamedTuple):
    """A route is one derivation of the equations.

    sentence: the idea of the route
    derive: takes an arm and the derivatives of its numbers, and computes M, Γ and G without the effects in joints, or
        only τ if the numbers have no derivatives with respect to q̇ and q̈
    needs: other properties that the numbers must have; steps_of_laws: the steps that laws use
    """

    name: str
    sentence: str
    derive: Callable[[Mechanism, Calculus], Derivation | Torques]
    needs: frozenset[str] = frozenset()
    steps_of_laws: tuple[str, ...] = ()


def _composite(mechanism: Mechanism, calculus: Calculus, M: list[list[Number]] | None = None) -> Derivation:
    assert calculus.by_q, "a kind of number with derivatives"
    M = M or composite.mass_matrix(mechanism)
    steps = _of_composite(mechanism, M, calculus.by_q)
    christoffel = coriolis.christoffel(M, calculus.by_q, mechanism.brackets)
    return Derivation(M, christoffel, composite.gravity_torques(mechanism), steps)


def at_rest(mechanism: Mechanism) -> Derivation:
    """Returns M and G by composite bodies, without Γ, which is by far the longest."""
    return Derivation(composite.mass_matrix(mechanism), [], composite.gravity_torques(mechanism))


def _of_composite(mechanism: Mechanism, M: list[list[Number]], derivative: Derivative) -> Mapping[str, Any]:
    of_links = {
        "Phi": lambda: [list(link.S) for link in mechanism.links],
        "F_c": lambda: [[[*F.n, *F.f] for F in row] for row in composite.wrenches(mechanism)],
    }
    of_velocities = {"Phi": lambda: [list(joint.column(k)) for k, joint in enumerate(mechanism.joints)]}
    return {
        "composite_inertia": lambda: [I.spatial_matrix() for I in mechanism.composite_inertias],
        **(of_velocities if mechanism.brackets else of_links),
        "m_ijk": lambda: [[[derivative(entry, k) for k in range(mechanism.n)] for entry in row] for row in M],
        "g_links": lambda: [list(g) for g in composite.gravity_in_links(mechanism)],
        "W": lambda: [[*W.n, *W.f] for W in composite.weights(mechanism)],
    }


def _newton_euler(mechanism: Mechanism, calculus: Calculus) -> Derivation | Torques:
    from qddot.physics.algorithms import newton_euler

    @cache
    def recursion() -> newton_euler.Recursion:
        return newton_euler.inverse_dynamics(mechanism)

    tau = newton_euler.torques(mechanism)
    centres = [link.com for link in mechanism.links if link.com is not None]
    of_centres = {
        "a_c": lambda: [list(state.a + state.U @ c) for state, c in zip(recursion().motion, centres, strict=True)],
        "N_c": lambda: [list(W.n - c.cross(W.f)) for W, c in zip(recursion().inertial, centres, strict=True)],
    }
    of_axes = {
        "axis": lambda: [list(newton_euler.own_axis(link)) for link in mechanism.links],
        "to_axis": lambda: [list(newton_euler.to_axis(link)) for link in mechanism.links],
        "n_axis": lambda: [
            list(newton_euler.moment_about_axis(link, wrench))
            for link, wrench in zip(mechanism.links, recursion().reaction, strict=True)
        ],
    }
    steps = {
        "w": lambda: [list(state.w) for state in recursion().motion],
        "dw": lambda: [list(state.dw) for state in recursion().motion],
        "v": lambda: [list(twist.v) for twist in mechanism.twists],
        "a": lambda: [list(state.a) for state in recursion().motion],
        **(of_centres if len(centres) == len(mechanism.links) else {}),
        "F": lambda: [list(wrench.f) for wrench in recursion().inertial],
        "N": lambda: [list(wrench.n) for wrench in recursion().inertial],
        "f": lambda: [list(wrench.f) for wrench in recursion().reaction],
        "n": lambda: [list(wrench.n) for wrench in recursion().reaction],
        **of_axes,
        "tau_bodies": tau,
    }
    return read_off(tau, mechanism.qd, mechanism.qdd, calculus, steps, mechanism.brackets)


def _dh4x4(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    from qddot.physics.lagrange import dh4x4

    return dh4x4.derive(mechanism, calculus)


def _com_jacobian(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    from qddot.physics.lagrange import com_jacobian

    return com_jacobian.derive(mechanism, calculus)


def _screw(mechanism: Mechanism, calculus: Calculus) -> Derivation:
    from qddot.physics.lagrange import screw

    return screw.derive(mechanism, calculus)


def _energy(mechanism: Mechanism, calculus: Calculus) -> Derivation | Torques:
    from qddot.physics.lagrange import energy

    return energy.derive(mechanism, calculus)


ROUTES: Mapping[str, Route] = {
    route.name: route
    for route in (
        Route(QUICKEST, "M from composite bodies, Γ from its derivatives", _composite, frozenset({SLOPES})),
        Route("newton_euler", "forces and moments, link by link", _newton_euler, steps_of_laws=("tau_bodies",)),
        Route("dh4x4", "homogeneous 4×4 matrices and pseudo-inertias", _dh4x4, frozenset({RATES})),
        Route(
            "com_jacobian",
            "Jacobians of the centres of mass",
            _com_jacobian,
            frozenset({SLOPES, CENTRES, RATES}),
            ("p_c", "Jv"),
        ),
        Route("screw", "screws and products of exponentials", _screw, frozenset({SLOPES, RATES}), ("J_body", "V")),
        Route("energy", "d/dt ∂L/∂q̇ − ∂L/∂q of the energies", _energy, frozenset({SLOPES, MOMENTA})),
    )
}


def expresses(route: Route, mechanism: Mechanism) -> bool:
    """Returns whether a route supports an arm; some routes require velocities that are rates of coordinates."""
    return not (RATES in route.needs and mechanism.brackets)


def checked(name: Any) -> Route:
    """Returns the route with a name. raises QddotError: there is no such route"""
    check_one_of(name, ROUTES, say("no-route"), QddotError)
    return ROUTES[name]


def derive(
    name: str,
    ring: Ring,
    dynamics: Dynamics,
    centres: Callable[[], Centres | OwnCentres],
    M: list[list[Number]] | None = None,
) -> Derivation:
    """Returns M, Γ, G and the intermediate results of one route in normal form, without the effects in joints.

    In the result every centre of mass c that is a symbol occurs linearly with its mass m. So m c is replaced by the
    first moment, which is exact since m ≠ 0. The intermediate results keep the symbols.
    centres: makes the mechanism in which every link has a centre of mass
    M: the bodies' mass matrix by composite bodies, if it is computed already
    """
    explicit = dynamics.explicit_derivation()
    if explicit is not None:
        return explicit._replace(steps=_of_energies(dynamics, ring))
    before = long_runs(dynamics.mechanism, ring) if name == QUICKEST else {}
    if before:
        from qddot.physics.frames import absolute_rates as absolute

        of_angles = in_angles(ring, dynamics.mechanism, before)
        derivative = calculus(ring).by_q
        assert derivative
        converted = absolute.in_coordinates(dynamics.mechanism, before, of_angles)
        steps = _of_composite(dynamics.mechanism, converted.M, derivative)
        return converted._replace(steps=steps, in_angles=of_angles)
    route = ROUTES[name]
    if not expresses(route, dynamics.mechanism):
        others = Listed(other.name for other in ROUTES.values() if expresses(other, dynamics.mechanism))
        raise QddotError("route-for-rates-only", name=name, others=others)
    if name == QUICKEST:
        return _composite(dynamics.mechanism, calculus(ring), M)
    if CENTRES in route.needs:
        of = centres()
        arm, derivatives = of.mechanism, calculus(of.target)._replace(settled=of.to_first_moments)
    else:
        arm, derivatives = dynamics.mechanism, calculus(ring)
    derivation = route.derive(arm, derivatives)
    assert isinstance(derivation, Derivation), "polynomials have all derivatives, and derive returns M, Γ and G"
    return derivation


def _of_energies(dynamics: Dynamics, ring: Ring) -> Mapping[str, Any]:
    """Returns the steps of equations that are given entry by entry, which only those of a Lagrangian have."""
    if dynamics.lagrangian is None:
        return {}
    return LagrangeTerms.of(dynamics.lagrangian[0], dynamics.mechanism.n, calculus(ring)).steps


def in_angles(ring: Ring, mechanism: Mechanism, before: Before) -> Derivation:
    """Returns M, Γ and G in the absolute angles of long runs of parallel joints and in their rates."""
    from qddot.physics.frames import absolute_rates as absolute

    by_angle, by_rate = calculus(of_absolute_angles(ring, before)).by_q, calculus(ring).by_qd
    assert by_angle and by_rate
    slope = by_angle
    return absolute.derive(mechanism, before, lambda value, k: ring.renamed(slope(value, k)), by_rate)


def calculus(numbers: Differentiable) -> Calculus:
    """Returns the derivatives of a kind of number by index; only polynomials have those by accelerations."""
    names = numbers.coordinates
    return Calculus(
        lambda value, k: numbers.differentiate(value, names[k]),
        lambda value, k: numbers.by_rate(value, names[k]),
        _by_acceleration(numbers) if isinstance(numbers, Ring) else None,
        numbers.time_derivative,
    )


def _by_acceleration(ring: Ring) -> Derivative:
    names = ring.coordinates
    return lambda value, k: value.derivative(f"qdd({names[k]})") if isinstance(value, Polynomial) else 0
