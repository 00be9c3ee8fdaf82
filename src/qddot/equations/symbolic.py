"""Exact arrays in SymPy, for those who go on there. SymPy is imported here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from qddot.equations import notation
from qddot.model.angles import Angle
from qddot.model.names import rate_name
from qddot.numbers.exact import Generator, Polynomial

if TYPE_CHECKING:
    from qddot.equations.array import ExactArray
    from qddot.equations.textbook.written import Sum


def array(values: ExactArray) -> Any:
    """An expression for a scalar, a Matrix for one or two dimensions, else an Array."""
    images = [generator_image(generator) for generator in values.ring.generators]
    return _shaped(values, [polynomial(entry, images) for entry in values.entries])


def written(values: ExactArray, sums: Sequence[Sum], angles: Mapping[str, Angle]) -> Any:
    """The same with common factors taken out; angles: what turning names stand for, q23 for q2 + q3."""
    images = [
        getattr(sympy, g.kind)(_angle(angles[g.name]))
        if g.name in angles and g.kind in ("cos", "sin")
        else generator_image(g)
        for g in values.ring.generators
    ]
    return _shaped(values, [_sum(entry, images) for entry in sums])


def _sum(total: Sum, images: Sequence[Any]) -> Any:
    products = []
    for product in total.products:
        factors = [images[k] ** e for k, e in product.powers]
        inner = [] if product.inner is None else [_sum(product.inner, images)]
        number = sympy.Rational(product.coefficient.numerator, product.coefficient.denominator)
        # SymPy would multiply a number into a bracket that stands alone beside it
        products.append(sympy.Mul(number, *factors, *inner, evaluate=not inner or bool(factors)))
    return sympy.Add(*products)


def _shaped(values: ExactArray, entries: list[Any]) -> Any:
    if not values.shape:
        return entries[0]
    if values.ndim <= 2:
        return sympy.Matrix(values.shape[0], values.shape[1] if values.ndim == 2 else 1, entries)
    return sympy.ImmutableDenseNDimArray(entries, values.shape)


def generator_image(generator: Generator) -> Any:
    """cos(q1) of a real Symbol q1, Symbol qd1, sqrt(2) …"""
    kind, name = generator.kind, generator.name
    if kind in ("cos", "sin"):
        argument = _angle(generator.angle or Angle(symbols=generator.of))
        return getattr(sympy, kind)(argument)
    if kind == "root":
        return sympy.sqrt(int(name))
    if kind == "sgn":
        return sympy.sign(_symbol(rate_name(name)))
    if kind in ("qd", "qdd"):
        return _symbol(notation.text(generator))
    return sympy.pi if generator.key == "pi" else _symbol(name)


def polynomial(value: Polynomial, images: list[Any]) -> Any:
    """The expanded sum."""
    terms = []
    for exponents, c in value.terms():
        factors = [image**e for image, e in zip(images, exponents, strict=True) if e]
        terms.append(sympy.Mul(sympy.Rational(c.numerator, c.denominator), *factors))
    return sympy.Add(*terms)


def _symbol(name: str) -> Any:
    return sympy.Symbol(name, real=True)


def _angle(angle: Angle) -> Any:
    parts = [sympy.Rational(str(angle.pi)) * sympy.pi, sympy.Rational(str(angle.radians))]
    return sympy.Add(*parts, *(sympy.Rational(str(n)) * _symbol(name) for name, n in angle.symbols))
