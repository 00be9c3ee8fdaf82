"""Each route derives exact M, Γ and G from a model in its own way.

An algorithm that one route alone takes is loaded with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from qddot.dynamics import composite, coriolis
from qddot.dynamics.derivation import Calculus, Derivation, Derivative, read_off
from qddot.dynamics.mechanism import Mechanism
from qddot.dynamics.of_model import dynamics_of
from qddot.dynamics.parallel import Before
from qddot.equations.centres import Centres, OwnCentres
from qddot.equations.shortest import long_runs, of_absolute_angles
from qddot.errors import QddotError, near, shortened
from qddot.model.model import Model
from qddot.numbers.exact import Polynomial, Ring
from qddot.spatial import Number

QUICKEST = "composite"
GIVEN = "given"  # the route of a model whose equations are given entry by entry


def derive(model: Model, route: str, ring: Ring, M: list[list[Number]] | None = None) -> Derivation:
    """Returns M, Γ, G and the intermediate results of one route, without rotors, friction and springs.

    M: the bodies' mass matrix by composite bodies, where it is there already
    raises QddotError: an unknown route
    """
    given = dynamics_of(model, ring).given()
    if given is not None:
        return given
    if not isinstance(route, str) or route not in ROUTES:
        raise QddotError(f"no route {shortened(route)}", expected=", ".join(ROUTES), remedy=near(route, ROUTES))
    return _composite(model, ring, M) if route == QUICKEST else ROUTES[route](model, ring)


def derivative(model: Model, ring: Ring) -> Derivative:
    """Returns the derivative ∂/∂q_k by the coordinate's index."""
    return lambda value, k: ring.differentiate(value, model.coordinates[k])


def calculus(model: Model, ring: Ring) -> Calculus:
    """Returns the derivatives by the coordinates, rates and accelerations of a model, by index."""
    names = model.coordinates

    def partial(kind: str) -> Derivative:
        return lambda value, k: value.derivative(f"{kind}({names[k]})") if isinstance(value, Polynomial) else 0

    return Calculus(derivative(model, ring), partial("qd"), partial("qdd"))


def _composite(model: Model, ring: Ring, M: list[list[Number]] | None = None) -> Derivation:
    """Derives by composite bodies; a model with long runs of parallel joints in the absolute rates of their links."""
    arm = Mechanism.of(model, ring)
    steps = {
        "composite_inertia": lambda: [I.spatial_matrix() for I in composite.composite_inertias(arm)],
        "S": [list(joint.S) for joint in arm.joints],
    }
    before = long_runs(arm, ring)
    if before:
        from qddot.dynamics import absolute

        found = in_angles(model, ring, arm, before)
        return absolute.in_coordinates(arm, before, found)._replace(steps=steps, in_angles=found)
    M = M or composite.mass_matrix(arm)
    return Derivation(M, coriolis.christoffel(M, derivative(model, ring)), composite.gravity_torques(arm), steps)


def in_angles(model: Model, ring: Ring, arm: Mechanism, before: Before) -> Derivation:
    """Returns M, Γ and G in the absolute angles of long runs of parallel joints, and in the rates of these angles."""
    from qddot.dynamics import absolute

    by_angle = derivative(model, of_absolute_angles(ring, before))
    return absolute.derive(arm, before, lambda value, k: ring.renamed(by_angle(value, k)), calculus(model, ring).by_qd)


def _newton_euler(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics import newton_euler

    arm = Mechanism.of(model, ring)
    tau = newton_euler.torques(arm)
    M, gamma, G = read_off(tau, arm.qd, arm.qdd, calculus(model, ring))

    @cache
    def found() -> newton_euler.Recursion:
        return newton_euler.inverse_dynamics(arm)

    return Derivation(
        M=M,
        christoffel=gamma,
        G=G,
        steps={
            "w": lambda: [list(state.w) for state in found().motion],
            "dw": lambda: [list(state.dw) for state in found().motion],
            "a": lambda: [list(state.a) for state in found().motion],
            "F": lambda: [list(wrench.f) for wrench in found().inertial],
            "N": lambda: [list(wrench.n) for wrench in found().inertial],
            "f": lambda: [list(wrench.f) for wrench in found().reaction],
            "n": lambda: [list(wrench.n) for wrench in found().reaction],
            "tau": tau,
        },
    )


def _dh4x4(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import dh4x4

    return dh4x4.derive(Mechanism.of(model, ring))


def _com_jacobian(model: Model, ring: Ring) -> Derivation:
    return by_centres(model, Centres(model, ring))


def by_centres(model: Model, centres: Centres | OwnCentres) -> Derivation:
    """Returns the derivation in (m, c, I_c); where a link has a first moment only, its centre of mass gets symbols.

    In the result every such c occurs once, with its m, and m c is replaced by the first moment. This is exact, since
    m ≠ 0. The intermediate results keep the symbols.
    """
    from qddot.dynamics.lagrange import com_jacobian

    return com_jacobian.derive(centres.arm, derivative(model, centres.target), centres.to_first_moments)


def _screw(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import screw

    return screw.derive(Mechanism.of(model, ring), derivative(model, ring))


def _energy(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import energy

    return energy.derive(Mechanism.of(model, ring), calculus(model, ring))


ROUTES: Mapping[str, Callable[[Model, Ring], Derivation]] = {
    "composite": _composite,
    "newton_euler": _newton_euler,
    "dh4x4": _dh4x4,
    "com_jacobian": _com_jacobian,
    "screw": _screw,
    "energy": _energy,
}
