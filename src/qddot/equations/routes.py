"""The routes to the equations of motion: each by its name, from a model to exact M, Γ and G."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from qddot.dynamics import composite, coriolis, newton_euler
from qddot.dynamics.derivation import Calculus, Derivation, Derivative, read_off
from qddot.dynamics.lagrange import com_jacobian, dh4x4, energy, screw
from qddot.errors import QddotError, did_you_mean
from qddot.model.mechanism import Link, Mechanism
from qddot.model.model import Model
from qddot.numbers.exact import Polynomial, Ring
from qddot.spatial import Vec3


def derive(model: Model, route: str, ring: Ring) -> Derivation:
    """M, Γ, G and the intermediates of one route; rotors, friction and springs apart."""
    if route not in ROUTES:
        raise QddotError(f"no route {route!r}", expected=", ".join(ROUTES), remedy=did_you_mean(route, ROUTES))
    return ROUTES[route](model, ring)


def derivative(model: Model, ring: Ring) -> Derivative:
    """∂/∂q_k by the coordinate's index."""
    return lambda value, k: ring.differentiate(value, model.coordinates[k])


def calculus(model: Model, ring: Ring) -> Calculus:
    """Derivatives by the coordinates, rates and accelerations of a model, by index."""
    names = model.coordinates

    def partial(kind: str) -> Derivative:
        return lambda value, k: value.derivative(f"{kind}({names[k]})") if isinstance(value, Polynomial) else 0

    moving = [f"{kind}({name})" for kind in ("qd", "qdd") for name in names]

    def at_rest(value: Any) -> Any:
        return value.without(moving) if isinstance(value, Polynomial) else value

    return Calculus(derivative(model, ring), partial("qd"), partial("qdd"), at_rest)


def _composite(model: Model, ring: Ring) -> Derivation:
    arm = Mechanism.of(model, ring)
    M = composite.mass_matrix(arm)
    return Derivation(
        M=M,
        christoffel=coriolis.christoffel(M, derivative(model, ring)),
        G=composite.gravity_torques(arm),
        steps={
            "composite_inertia": [I.spatial_matrix() for I in composite.composite_inertias(arm)],
            "S": [list(joint.S) for joint in arm.joints],
        },
    )


def _newton_euler(model: Model, ring: Ring) -> Derivation:
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
    return dh4x4.derive(Mechanism.of(model, ring))


def _com_jacobian(model: Model, ring: Ring) -> Derivation:
    """The route in (m, c, I_c); where a link has a first moment only, its centre gets symbols.

    In the result every such c occurs once, beside its m, and m c becomes the first moment again:
    exact, since m ≠ 0. The intermediates keep the centres' symbols.
    """
    centres = Centres(model, ring)
    return com_jacobian.derive(centres.arm, derivative(model, ring), centres.to_first_moments)


def _screw(model: Model, ring: Ring) -> Derivation:
    return screw.derive(Mechanism.of(model, ring), derivative(model, ring))


def _energy(model: Model, ring: Ring) -> Derivation:
    return energy.derive(Mechanism.of(model, ring), calculus(model, ring))


class Centres:
    """A mechanism in which every link has a centre of mass, if need be as symbols of a larger ring."""

    def __init__(self, model: Model, ring: Ring) -> None:
        self.target = ring
        plain = Mechanism.of(model, ring)
        self.unknown = [link for link in plain.links if _centre(link) is None]
        taken = set(ring.index)
        self.names = {
            link.index: tuple(_fresh(f"{axis}{link.index + 1}", taken) for axis in ("cx", "cy", "cz"))
            for link in self.unknown
        }
        self.ring = ring.extended([name for names in self.names.values() for name in names])
        arm = Mechanism.of(model, self.ring) if self.unknown else plain
        self.arm = replace(arm, links=tuple(self._with_centre(link) for link in arm.links))

    def definitions(self) -> dict[str, tuple[Any, Any]]:
        """(first moment, mass) for the name of each auxiliary coordinate."""
        return {
            name: (moment, link.inertia.m)
            for link in self.unknown
            for name, moment in zip(self.names[link.index], link.inertia.h, strict=True)
        }

    def to_first_moments(self, value: Any) -> Any:
        """A polynomial with m c for first moments as one in the first moments themselves."""
        if not isinstance(value, Polynomial) or not self.unknown:
            return value
        total = self.target.convert(value.without(self.definitions()))
        for name, (moment, mass) in self.definitions().items():
            quotient, rest = divmod(value.derivative(name).poly, self.ring.convert(mass).poly)
            assert not rest, "a centre of mass without its mass"
            total = total + self.target.convert(self.ring.wrap(quotient)) * moment
        return total

    def _with_centre(self, link: Link) -> Link:
        names = self.names.get(link.index)
        com = Vec3(*(self.ring.symbol(name) for name in names)) if names else _centre(link)
        return replace(link, com=com)


def _centre(link: Link) -> Vec3 | None:
    """The centre of mass if it is known as a polynomial."""
    m, h = link.inertia.m, link.inertia.h
    if link.com is not None:
        return link.com
    if all(entry == 0 for entry in h):
        return Vec3.zero()
    if isinstance(m, Polynomial) and not m.poly.is_constant():
        return None
    constant = next(iter(m.terms()))[1] if isinstance(m, Polynomial) else m
    return h.map(lambda entry: entry / constant)


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


ROUTES: Mapping[str, Callable[[Model, Ring], Derivation]] = {
    "composite": _composite,
    "newton_euler": _newton_euler,
    "dh4x4": _dh4x4,
    "com_jacobian": _com_jacobian,
    "screw": _screw,
    "energy": _energy,
}
