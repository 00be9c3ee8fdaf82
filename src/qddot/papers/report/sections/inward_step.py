"""Writes inward steps of Newton and Euler by the names of forces and moments whose values are too long to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from qddot.algebra.spatial import Force, Number, Vec3
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Sum, Symbol
from qddot.papers.report.document import EquationBlock, Numbered
from qddot.papers.report.sections import torques_by_newton
from qddot.papers.report.sections.blocks_of import sums, times
from qddot.papers.report.wording import Words
from qddot.physics.algorithms.newton_euler import to_axis

Terms: TypeAlias = list[tuple[Number | int, Symbol]]  # coefficients of components
OWN = {"f": "F", "n": "N", "n_axis": "n"}  # the quantity of the same link that each step begins with
UNITS = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)
ZERO = Vec3.zero()
NAMED = "named"  # the end of the keys of these equations


def equations(short: Textbook, words: Words, name: str, links: Iterable[int], uses: Sequence[str]) -> EquationBlock:
    """Returns the components of f, n or the moment about the axis, as in f_3,1 = F_3,1 + c4 f_4,1 − s4 f_4,3."""
    places = [(link, place) for link in links for place in range(len(UNITS))]
    totals = _written(short, [_terms(short, words, name, *place) for place in places])
    listed = tuple(map(Numbered, (words.name(name, link, inner=(k,)) for link, k in places), totals))
    return EquationBlock(f"{short.eq.route}.{name}.{NAMED}", listed, tuple(uses))


def projection(short: Textbook, words: Words, link: int, uses: Sequence[str]) -> EquationBlock:
    """Returns the torque of a link's joint, as in τ_3 = n_3,2, with the components of the axis put in."""
    place, wrench = short.eq.dynamics.mechanism.links[link].places[0], torques_by_newton.wrench_of(short, link)
    components = enumerate(short.eq.array("axis")[link].entries)
    (along,) = _written(short, [[(entry, words.name(wrench, link, inner=(k,))) for k, entry in components if entry]])
    total = along._replace(products=(*along.products, *torques_by_newton.of_effects(short, words, place)))
    return EquationBlock(f"{short.eq.route}.tau.{NAMED}", (Numbered(words.name("tau", place), total),), tuple(uses))


def _terms(short: Textbook, words: Words, name: str, link: int, place: int) -> Terms:
    """Returns the terms of a component, except those with a component that is zero."""
    own = (OWN[name], link, UNITS)
    return [
        (coefficient, words.name(quantity, other, inner=(k,)))
        for quantity, other, images in (own, *_others(short, name, link))
        for k, image in enumerate(images)
        if (coefficient := tuple(image)[place]) and short.eq.array(quantity)[other][k]
    ]


def _others(short: Textbook, name: str, k: int) -> Iterator[tuple[str, int, Sequence[Vec3]]]:
    """Yields the quantities that a step adds, each with its link and the images of unit vectors along its axes."""
    mechanism = short.eq.dynamics.mechanism
    if name == "n_axis":
        rho = to_axis(mechanism.links[k])
        yield "f", k, [-rho.cross(unit) for unit in UNITS]
        return
    for link in mechanism.links:
        if link.parent == k:
            if name == "n":
                yield "n", link.index, [link.X.to_parent(Force(unit, ZERO)).n for unit in UNITS]
            forces = [link.X.to_parent(Force(ZERO, unit)) for unit in UNITS]
            yield "f", link.index, [force.f if name == "f" else force.n for force in forces]


def _written(short: Textbook, rows: Sequence[Terms]) -> Iterator[Sum]:
    """Yields the sum of each row; all coefficients have one form of numbers."""
    coefficients = iter(sums(short, [coefficient for terms in rows for coefficient, _ in terms]))
    for terms in rows:
        factors = list(islice(coefficients, len(terms)))
        products = (times(factor, name) for factor, (_, name) in zip(factors, terms, strict=True))
        yield Sum(tuple(products), *(factor.numbers for factor in factors[:1]))
