"""Exact arrays in SymPy, for those who go on there. SymPy is imported here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from qddot.equations import notation
from qddot.model.angles import Angle
from qddot.model.names import rate_name
from qddot.numbers.exact import Generator, Polynomial

if TYPE_CHECKING:
    from qddot.equations.array import ExactArray


def array(values: ExactArray) -> Any:
    """An expression for a scalar, a Matrix for one or two dimensions, else an Array."""
    images = [generator_image(generator) for generator in values.ring.generators]
    entries = [polynomial(entry, images) for entry in values.entries]
    if not values.shape:
        return entries[0]
    if values.ndim <= 2:
        return sympy.Matrix(values.shape[0], values.shape[1] if values.ndim == 2 else 1, entries)
    return sympy.ImmutableDenseNDimArray(entries, values.shape)


def generator_image(generator: Generator) -> Any:
    """cos(q1) of a real Symbol q1, Symbol qd1, sqrt(2) …"""
    kind, name = generator.kind, generator.name
    if kind in ("cos", "sin"):
        argument = _angle(generator.angle) if generator.angle is not None else _symbol(name)
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
