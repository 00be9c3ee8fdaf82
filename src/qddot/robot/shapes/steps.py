"""The integrals from which the inertia of a shape follows, step by step, as data with their limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.expressions.expression import PI, Expression, Monomial, Trigonometric
from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.substitution import Substitution
from qddot.algebra.spatial import SymmetricMatrix3
from qddot.base.words.message import Listed, say
from qddot.robot.bodies import Body
from qddot.robot.shapes.integration import Region
from qddot.robot.shapes.uniform import AXES, SIZES, Part


class Limits(NamedTuple):
    """A variable of integration goes from a lower to an upper limit, which are texts."""

    variable: str
    lower: str
    upper: str


class Iterated(NamedTuple):
    """This is an iterated integral. limits: the outermost first"""

    integrand: str
    limits: tuple[Limits, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """Returns the names of the variables, the outermost first."""
        return tuple(each.variable for each in self.limits)

    @property
    def text(self) -> str:
        """Returns the integral as text: ∫[0, l] x**2 dx."""
        signs = [f"∫[{each.lower}, {each.upper}]" for each in self.limits]
        ends = [f"d{name}" for name in reversed(self.variables)]
        return " ".join([*signs, *([self.integrand] if self.integrand != "1" else []), *ends])


class Integral(NamedTuple):
    """This is one integral over a uniform body.

    of: the coordinates whose product is integrated: ("x", "x") for ∫x² dm, and none for ∫dV
    regions: iterated integrals with density 1, whose sum times the density is the result
    """

    of: tuple[str, ...]
    regions: tuple[Iterated, ...]
    value: Expression

    def text(self, density: str) -> str:
        """Returns the integral as text: ∫x**2 dm = rho ∫[-l/2, l/2] x**2 dx."""
        regions = " + ".join(each.text for each in self.regions)
        if not self.of:
            return f"V = ∫dV = {regions}"
        product = self.of[0] if len(self.of) == 1 else f"{self.of[0]}**2"
        return f"∫{product} dm = {density} " + (f"({regions})" if len(self.regions) > 1 else regions)


def integrals(part: Part) -> list[Integral]:
    """Returns ∫dV and those integrals ∫x dm, ∫x² dm … along the axes of the shape that are not zero.

    The axes are parallel to those of the link unless the part is turned. Products such as ∫xy dm are all zero.
    """
    of_kind, by = part.kind, AXES.index(part.axis) + 1 if part.axis else 0
    taken = set().union(*(size.symbols() for size in part.sizes))
    axes = [fresh(AXES[(k + by) % 3], taken) for k in range(3)]
    inner = {variable.name for region in of_kind.regions for variable in region.variables} - {*AXES}
    names = dict(zip(AXES, axes, strict=True)) | {name: fresh(name, taken) for name in sorted(inner)}
    put = Substitution(part.named_sizes | {own: expression(name) for own, name in names.items()})

    def over(*own: int) -> tuple[Iterated, ...]:
        return tuple(_iterated(region, own, put) for region in of_kind.regions)

    V, (cx, cy, cz), second = part.moments
    m = part.central.m
    found = [Integral((), over(), V)]
    for k, c in enumerate((cx, cy, cz)):
        if c != 0:
            found.append(Integral((axes[k],), over(k), expression(m * c)))
    for k, (about_centre, c) in enumerate(((second.xx, cx), (second.yy, cy), (second.zz, cz))):
        if about_centre != 0:
            found.append(Integral((axes[k],) * 2, over(k, k), expression(part.massive(about_centre) + m * c * c)))
    return found


def _iterated(region: Region, own: tuple[int, ...], put: Substitution) -> Iterated:
    """Returns the integral of a product of coordinates over a region, in the symbols of the link."""
    element = expression(put.put(region.element))
    limits = tuple(
        Limits(*(readable(expression(put.put(entry))) for entry in (Expression.of(each.name), each.lower, each.upper)))
        for each in region.variables
    )
    coordinates = [expression(put.put(region.point[k])) for k in own]
    if all(len(each.terms) == 1 for each in coordinates):
        for each in coordinates:
            element = element * each
        return Iterated(readable(element), limits)
    power = f"({readable(coordinates[0])})" + (f"**{len(own)}" if len(own) > 1 else "")
    return Iterated(power if element == 1 else f"{power}*{readable(element)}", limits)


def readable(value: Expression) -> str:
    """Returns an expression as text; π comes first in a product, sines and cosines last."""
    terms = [
        _term(monomial, c) for monomial, c in sorted(value.terms.items(), key=lambda term: (term[1] < 0, str(term)))
    ]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term(monomial: Monomial, number: Fraction) -> str:
    factors = sorted(monomial, key=lambda each: (isinstance(each[0], Trigonometric), each[0] != PI, str(each[0])))
    texts = [f"{atom}**{e}" if e > 1 else str(atom) for atom, e in factors]
    if not texts or abs(number.numerator) != 1:
        texts.insert(0, str(abs(number.numerator)))
    text = "*".join(texts) + (f"/{number.denominator}" if number.denominator > 1 else "")
    return text if number > 0 else f"-{text}"


def lines(body: Body) -> Iterator[str]:
    """Yields the integration of a body's inertia as lines of text, or nothing if it has no shapes."""
    if body.shapes is None:
        return
    for part in body.shapes.parts:
        m, com, tensor = part.central
        sizes = [say("size-with-value", size=SIZES[k], value=readable(size)) for k, size in part.named_sizes.items()]
        told = say(
            "uniform-shape",
            link=body.name,
            noun=part.kind.noun,
            along=say("along-axis", axis=part.axis) if part.axis else "",
            turned=say("of-turned-axes") if part.is_turned else "",
            sizes=Listed(sizes),
            mass=readable(m),
            com=_vector(com),
        )
        yield str(told)
        for each in integrals(part):
            yield f"  {each.text(density(part))} = {readable(each.value)}"
        yield f"  I_c = −∫p̂ p̂ dm: {_entries(tensor)}"
    moved = "tensor-about-origin" if len(body.shapes.parts) == 1 else "sum-about-origin"
    yield f"  {say(moved, link=body.name, tensor=_entries(body.inertia.I))}"
    rows = (", ".join(readable(expression(entry)) for entry in row) for row in body.inertia.pseudo())
    yield f"  {say('pseudo-inertia-of', link=body.name, rows='; '.join(rows))}"


def density(part: Part) -> str:
    """Returns the density of a part, or its mass over V."""
    if part.density is not None:
        return readable(part.density)
    m = part.central.m
    return f"{readable(m)}/V" if len(m.terms) == 1 else f"({readable(m)})/V"


def _vector(entries: Iterable[Any]) -> str:
    return f"({', '.join(readable(expression(entry)) for entry in entries)})"


def _entries(tensor: SymmetricMatrix3) -> str:
    """Returns the entries that are not zero."""
    named = zip(("xx", "xy", "xz", "yy", "yz", "zz"), map(expression, tensor), strict=True)
    return ", ".join(f"{name} = {readable(entry)}" for name, entry in named if entry) or "0"
