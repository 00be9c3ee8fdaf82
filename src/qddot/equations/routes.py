"""Each route derives exact M, Γ and G from a model in its own way.

An algorithm that one route alone takes is loaded with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from qddot.dynamics import composite, coriolis
from qddot.dynamics.derivation import Calculus, Derivation, Derivative, read_off
from qddot.dynamics.mechanism import Link, Mechanism
from qddot.dynamics.of_model import dynamics_of
from qddot.dynamics.parallel import Before
from qddot.equations.shortest import long_runs, of_absolute_angles
from qddot.errors import QddotError, near, shortened
from qddot.expressions.names import fresh
from qddot.model.model import Model
from qddot.numbers.exact import Polynomial, Ring
from qddot.spatial import Number, Vec3

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
    return _composite(model, ring, M) if route == "composite" else ROUTES[route](model, ring)


def derivative(model: Model, ring: Ring) -> Derivative:
    """Returns the derivative ∂/∂q_k by the coordinate's index."""
    return lambda value, k: ring.differentiate(value, model.coordinates[k])


def calculus(model: Model, ring: Ring) -> Calculus:
    """Returns the derivatives by the coordinates, rates and accelerations of a model, by index."""
    names = model.coordinates

    def partial(kind: str) -> Derivative:
        return lambda value, k: value.derivative(f"{kind}({names[k]})") if isinstance(value, Polynomial) else 0

    moving = [f"{kind}({name})" for kind in ("qd", "qdd") for name in names]

    def at_rest(value: Any) -> Any:
        return value.without(moving) if isinstance(value, Polynomial) else value

    return Calculus(derivative(model, ring), partial("qd"), partial("qdd"), at_rest)


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

        return absolute.in_coordinates(arm, before, in_angles(model, ring, arm, before))._replace(steps=steps)
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
    found = newton_euler.inverse_dynamics(arm)
    M, gamma, G = read_off(arm.n, found.tau, calculus(model, ring))
    return Derivation(
        M=M,
        christoffel=gamma,
        G=G,
        steps={
            "w": [list(state.w) for state in found.motion],
            "dw": [list(state.dw) for state in found.motion],
            "a": [list(state.a) for state in found.motion],
            "F": [list(wrench.f) for wrench in found.inertial],
            "N": [list(wrench.n) for wrench in found.inertial],
            "f": [list(wrench.f) for wrench in found.reaction],
            "n": [list(wrench.n) for wrench in found.reaction],
            "tau": found.tau,
        },
    )


def _dh4x4(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import dh4x4

    return dh4x4.derive(Mechanism.of(model, ring))


def _com_jacobian(model: Model, ring: Ring) -> Derivation:
    """Returns the derivation in (m, c, I_c); where a link has a first moment only, its centre of mass gets symbols.

    In the result every such c occurs once, with its m, and m c is replaced by the first moment. This is exact, since
    m ≠ 0. The intermediate results keep the symbols.
    """
    from qddot.dynamics.lagrange import com_jacobian

    centres = Centres(model, ring)
    return com_jacobian.derive(centres.arm, derivative(model, ring), centres.to_first_moments)


def _screw(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import screw

    return screw.derive(Mechanism.of(model, ring), derivative(model, ring))


def _energy(model: Model, ring: Ring) -> Derivation:
    from qddot.dynamics.lagrange import energy

    return energy.derive(Mechanism.of(model, ring), calculus(model, ring))


class Centres:
    """This has a mechanism in which every link has a centre of mass, if necessary as symbols of a larger ring.

    names: the symbols cx, cy, cz of each such link's centre
    masses: the symbol of its mass, a new one where the mass is not a single symbol
    """

    def __init__(self, model: Model, ring: Ring) -> None:
        self.target = ring
        plain = Mechanism.of(model, ring)
        self.unknown = [link for link in plain.links if _centre(ring, link) is None]
        taken = set(ring.index)
        self.names = {
            link.index: tuple(fresh(f"{axis}{link.index + 1}", taken) for axis in ("cx", "cy", "cz"))
            for link in self.unknown
        }
        self.masses = {
            link.index: _lone_symbol(link.inertia.m) or fresh(f"mass{link.index + 1}", taken) for link in self.unknown
        }
        self.new_masses = {
            name: link.inertia.m
            for link, name in zip(self.unknown, self.masses.values(), strict=True)
            if name not in ring.index
        }
        extra = [*(name for names in self.names.values() for name in names), *self.new_masses]
        self.ring = ring.extended(extra)
        arm = Mechanism.of(model, self.ring) if self.unknown else plain
        self.arm = replace(arm, links=tuple(self._with_centre(link) for link in arm.links))

    def definitions(self) -> dict[str, tuple[Any, Any]]:
        """Returns (first moment, mass) by the name of each auxiliary coordinate."""
        return {
            name: (moment, link.inertia.m)
            for link in self.unknown
            for name, moment in zip(self.names[link.index], link.inertia.h, strict=True)
        }

    def to_first_moments(self, value: Any) -> Any:
        """Returns a polynomial with first moments in place of the products m c."""
        if not isinstance(value, Polynomial) or not self.unknown:
            return value
        total: Any = value.without(self.definitions())
        for link in self.unknown:
            mass = self.ring.generator(self.masses[link.index]).poly
            for name, moment in zip(self.names[link.index], self.arm.links[link.index].inertia.h, strict=True):
                slope = value.derivative(name)
                if not slope:
                    continue
                quotient, rest = divmod(slope.poly, mass)
                assert not rest, "a centre of mass without its mass"
                total = total + self.ring.wrap(quotient) * moment
        return self._with_masses(self.ring.convert(total))

    def _with_masses(self, value: Polynomial) -> Polynomial:
        """Returns a polynomial with the true masses in place of the auxiliary ones."""
        if not self.new_masses:
            return self.target.convert(value)
        images = {name: self.target.convert(mass) for name, mass in self.new_masses.items()}
        return value.composed(images, self.target)

    def _with_centre(self, link: Link) -> Link:
        names = self.names.get(link.index)
        if names is None:
            return replace(link, com=_centre(self.ring, link))
        mass = self.ring.symbol(self.masses[link.index])
        inertia = replace(link.inertia, m=mass)
        return replace(link, com=Vec3(*(self.ring.symbol(name) for name in names)), inertia=inertia)


def _lone_symbol(mass: Any) -> str:
    """Returns the name of a mass that is a single symbol, else ""."""
    if not isinstance(mass, Polynomial):
        return ""
    symbols = [key for key in mass.variables() if key in mass.ring.symbols]
    return symbols[0] if len(symbols) == 1 and mass == mass.ring.generator(symbols[0]) else ""


def _centre(ring: Ring, link: Link) -> Vec3 | None:
    """Returns the centre of mass if it is known as a polynomial, else None."""
    m, h = link.inertia.m, link.inertia.h
    if link.com is not None:
        return link.com
    if all(entry == 0 for entry in h):
        return Vec3.zero()
    constant = ring.convert(m)
    if constant.variables():
        return None
    number = next(constant.terms())[1]
    return h.map(lambda entry: ring.convert(entry) / number)


ROUTES: Mapping[str, Callable[[Model, Ring], Derivation]] = {
    "composite": _composite,
    "newton_euler": _newton_euler,
    "dh4x4": _dh4x4,
    "com_jacobian": _com_jacobian,
    "screw": _screw,
    "energy": _energy,
}
