"""Converts exact arrays to SymPy. SymPy is imported here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from qddot.expressions.angles import Angle
from qddot.expressions.names import rate_name
from qddot.numbers.exact import Polynomial
from qddot.numbers.generators import Generator
from qddot.printing import notation
from qddot.printing.sums import Sum


def array(shape: tuple[int, ...], entries: Sequence[Polynomial]) -> Any:
    """Returns an expression for a scalar, a Matrix for one or two dimensions, else an Array."""
    images = [generator_image(generator) for generator in entries[0].ring.generators] if entries else []
    return _shaped(shape, [polynomial(entry, images) for entry in entries])


def written(shape: tuple[int, ...], sums: Sequence[Sum], angles: Mapping[str, Angle]) -> Any:
    """Returns the same with common factors taken out; angles: what turning names stand for, q23 for q2 + q3."""
    images = [
        getattr(sympy, g.kind)(_angle(angles[g.name]))
        if g.name in angles and g.kind in ("cos", "sin")
        else generator_image(g)
        for g in (sums[0].ring.generators if sums else ())
    ]
    return _shaped(shape, [_sum(entry, images) for entry in sums])


def _sum(total: Sum, images: Sequence[Any]) -> Any:
    products = []
    for product in total.products:
        factors = [images[k] ** e for k, e in product.powers]
        inner = [] if product.inner is None else [_sum(product.inner, images)]
        number = sympy.Rational(product.coefficient.numerator, product.coefficient.denominator)
        # SymPy would multiply a number into a bracket that stands alone beside it
        products.append(sympy.Mul(number, *factors, *inner, evaluate=not inner or bool(factors)))
    return sympy.Add(*products)


def _shaped(shape: tuple[int, ...], entries: list[Any]) -> Any:
    if not shape:
        return entries[0]
    if len(shape) <= 2:
        return sympy.Matrix(shape[0], shape[1] if len(shape) == 2 else 1, entries)
    return sympy.ImmutableDenseNDimArray(entries, shape)


def generator_image(generator: Generator) -> Any:
    """Returns a generator in SymPy: cos(q1) of a real Symbol q1, Symbol qd1, sqrt(2) …"""
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
    """Returns the expanded sum."""
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
