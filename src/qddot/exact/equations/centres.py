"""Gives centres of mass to links that are described by first moments, for the route that uses centres of mass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.names import fresh
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.spatial import Vec3
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.model import Model


class Centres:
    """This is a mechanism in which every link has a centre of mass, if necessary as symbols of a larger ring.

    names: the symbols cx, cy, cz for the centre of each such link
    masses: the symbol of each such link's mass, a new one if the mass is not a single symbol
    """

    def __init__(self, model: Model, ring: Ring, plain: Mechanism) -> None:
        self.target = ring
        self.unknown = [link for link in plain.links if _centre(ring, link) is None]
        names = set(ring.index)
        self.names = {
            link.index: tuple(fresh(f"{axis}{link.index + 1}", names) for axis in ("cx", "cy", "cz"))
            for link in self.unknown
        }
        self.masses = {
            link.index: _lone_symbol(link.inertia.m) or fresh(f"mass{link.index + 1}", names) for link in self.unknown
        }
        self.new_masses = {
            name: link.inertia.m
            for link, name in zip(self.unknown, self.masses.values(), strict=True)
            if name not in ring.index
        }
        extra = [*(name for names in self.names.values() for name in names), *self.new_masses]
        self.ring = ring.extended(extra)
        mechanism = Mechanism.of(model, self.ring) if self.unknown else plain
        self.mechanism = replace(mechanism, links=tuple(self._with_centre(link) for link in mechanism.links))

    def definitions(self) -> dict[str, tuple[Any, Any]]:
        """Returns (first moment, mass) by the name of each auxiliary coordinate."""
        return {
            name: (moment, link.inertia.m)
            for link in self.unknown
            for name, moment in zip(self.names[link.index], link.inertia.h, strict=True)
        }

    def to_first_moments(self, value: Any) -> Any:
        """Returns a polynomial with the products m c replaced by first moments."""
        if not isinstance(value, Polynomial) or not self.unknown:
            return value
        total: Any = value.without(self.definitions())
        for link in self.unknown:
            mass = self.ring.generator(self.masses[link.index]).poly
            for name, moment in zip(self.names[link.index], self.mechanism.links[link.index].inertia.h, strict=True):
                slope = value.derivative(name)
                if not slope:
                    continue
                quotient, rest = divmod(slope.poly, mass)
                assert not rest, "a centre of mass occurs without its mass"
                total = total + self.ring.wrap(quotient) * moment
        return self._with_masses(self.ring.convert(total))

    def _with_masses(self, value: Polynomial) -> Polynomial:
        """Returns a polynomial with auxiliary masses replaced by the true ones."""
        if not self.new_masses:
            return self.target.convert(value)
        images = {name: self.target.convert(mass) for name, mass in self.new_masses.items()}
        return self.target.composed(value, images)

    def _with_centre(self, link: Link) -> Link:
        names = self.names.get(link.index)
        if names is None:
            return replace(link, com=_centre(self.ring, link))
        mass = self.ring.symbol(self.masses[link.index])
        inertia = replace(link.inertia, m=mass)
        return replace(link, com=Vec3(*(self.ring.symbol(name) for name in names)), inertia=inertia)


class OwnCentres:
    """This is a mechanism in which the symbols of first moments temporarily represent centres of mass.

    No larger ring is needed: the symbol of m x is used for the coordinate x of a centre, and each product of that
        symbol with m is divided by m in the results.
    """

    def __init__(self, ring: Ring, plain: Mechanism) -> None:
        self.target = self.ring = ring
        self._unknown = [link for link in plain.links if _centre(ring, link) is None]
        self._bits = sum(moment.mask for link in self._unknown for moment in _moments(link))
        links = (replace(link, com=_centre(ring, link) or link.inertia.h) for link in plain.links)
        self.mechanism = replace(plain, links=tuple(links))

    @classmethod
    def suit(cls, mechanism: Mechanism) -> bool:
        """Returns whether first moments are symbols that occur nowhere else in the arm, and the masses are symbols."""
        unknown = [link for link in mechanism.links if link.com is None and any(link.inertia.h)]
        moments = [moment for link in unknown for moment in _moments(link)]
        masks = [part.mask for part in _parts(mechanism) if isinstance(part, Polynomial)]
        alone = (_lone_symbol(moment) and sum(mask & moment.mask > 0 for mask in masks) == 1 for moment in moments)
        return all(_lone_symbol(link.inertia.m) for link in unknown) and all(alone)

    def to_first_moments(self, value: Any) -> Any:
        """Returns a polynomial with products m c replaced by first moments; every c occurs linearly, with its m."""
        if not isinstance(value, Polynomial):
            return value
        value.look()
        with_centres: Any = 0
        with_moments: Any = 0
        for link in self._unknown:
            for moment in _moments(link):
                if value.mask & moment.mask:
                    slope = value.derivative(moment.variables()[0])
                    quotient, left = divmod(slope.poly, self.ring.convert(link.inertia.m).poly)
                    assert not left, "a centre of mass occurs without its mass"
                    with_centres = with_centres + slope * moment
                    with_moments = with_moments + Polynomial(self.ring, quotient, slope.mask) * moment
        rest = self.ring.convert(value - with_centres)
        rest.look()
        assert not rest.mask & self._bits, "a centre of mass occurs nonlinearly"
        return rest + with_moments


def _moments(link: Link) -> list[Polynomial]:
    """Returns the entries of a first moment that are not structural zeros."""
    return [entry for entry in link.inertia.h if isinstance(entry, Polynomial)]


def _parts(mechanism: Mechanism) -> Iterator[Any]:
    """Yields all numbers of an arm except those of the effects in its joints."""
    yield from mechanism.gravity
    for link in mechanism.links:
        yield from (link.inertia.m, *link.inertia.h, *link.inertia.I, *link.axis, link.ratio)
        for pose in (link.placement, link.offset):
            yield from (*pose.p, *(entry for row in pose.R for entry in row))


def _lone_symbol(mass: Any) -> str:
    """Returns the name of a mass that is a single symbol, else ""."""
    if not isinstance(mass, Polynomial):
        return ""
    symbols = [key for key in mass.variables() if key in mass.ring.symbols]
    return symbols[0] if len(symbols) == 1 and mass == mass.ring.generator(symbols[0]) else ""


def _centre(ring: Ring, link: Link) -> Vec3 | None:
    """Returns the centre of mass if it is a polynomial, else None."""
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
