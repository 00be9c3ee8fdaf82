"""Exact arrays: what M, Γ, C, G and every intermediate are given as."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.equations import latex, notation, text
from qddot.errors import ExactnessError, did_you_mean
from qddot.model.angles import Angle
from qddot.model.expressions import Expression, Trigonometric
from qddot.model.expressions import cos_sin as constant_cos_sin
from qddot.model.parser import angle, expression
from qddot.numbers.exact import Polynomial, Ring
from qddot.numbers.values import TermTable

LONGEST_DISPLAY = 1_000  # terms that a notebook still sets in mathematics without stalling


class ExactArray:
    """An array of exact polynomials of one ring; immutable. A scalar has the shape ().

    Indexing follows NumPy, from 0: `M[0, 1]`, `M[0]`, `M[:, 0]`. Names are those that are printed:
    coordinates "q1", rates "qd1", accelerations "qdd1", the model's symbols.
    """

    def __init__(self, ring: Ring, nested: Any, name: str = "", symmetric: tuple[int, int] | None = None) -> None:
        self.ring = ring
        self.name = name
        self.symmetric = symmetric
        self.shape = _shape(nested)
        self.entries: tuple[Polynomial, ...] = tuple(ring.convert(entry) for entry in _flat(nested))

    @classmethod
    def _made(cls, ring: Ring, entries: Sequence[Polynomial], shape: tuple[int, ...], name: str = "") -> ExactArray:
        made = cls.__new__(cls)
        made.ring, made.entries, made.shape = ring, tuple(entries), shape
        made.name, made.symmetric = name, None
        return made

    def __getitem__(self, index: Any) -> ExactArray:
        places = np.arange(len(self.entries)).reshape(self.shape)[index]
        name = self.name
        if np.ndim(places) == 0 and self.shape:
            name += text.label(int(k) for k in np.unravel_index(int(places), self.shape))
        chosen = [self.entries[k] for k in np.ravel(places)]
        return ExactArray._made(self.ring, chosen, np.shape(places), name)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[ExactArray]:
        return (self[k] for k in range(len(self)))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def terms(self) -> int:
        """Number of terms of the expanded normal form, of symmetric pairs of entries the first alone."""
        return sum(len(entry) for _, entry in self.labelled())

    @property
    def T(self) -> ExactArray:
        """The axes in reverse order."""
        places = np.arange(len(self.entries)).reshape(self.shape).T
        chosen = [self.entries[k] for k in np.ravel(places)]
        return ExactArray._made(self.ring, chosen, places.shape, f"{self.name}^T")

    @property
    def free_symbols(self) -> set[str]:
        """Names of the coordinates, rates, accelerations and symbols that occur."""
        keys = {key for entry in self.entries for key in entry.variables()}
        found: set[str] = set()
        for generator in self.ring.generators:
            if generator.key in keys and generator.kind != "root":
                if generator.angle is not None:
                    found.update(name for name, _ in generator.angle.symbols)
                elif generator.kind in ("qd", "qdd"):
                    found.add(notation.text(generator))
                elif generator.kind == "sgn":
                    found.add(notation.rate_name(generator.name))
                else:
                    found.add(generator.name)
        return found

    # arithmetic

    def __add__(self, other: Any) -> ExactArray:
        return self._entrywise(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> ExactArray:
        return self._entrywise(other, lambda a, b: a - b)

    def __neg__(self) -> ExactArray:
        return ExactArray._made(self.ring, [-entry for entry in self.entries], self.shape)

    def __mul__(self, other: Any) -> ExactArray:
        """Times a scalar: a number, a text such as "m1/2", or an array of shape ()."""
        factor = self._operand(other)
        if factor.shape:
            raise ExactnessError("a product of arrays entry by entry", remedy="use A @ B for matrices")
        scaled = [self.ring.convert(entry * factor.entries[0]) for entry in self.entries]
        return ExactArray._made(self.ring, scaled, self.shape)

    __rmul__ = __mul__

    def __matmul__(self, other: ExactArray) -> ExactArray:
        """The product of matrices and vectors, as NumPy has it for one or two dimensions."""
        right = self._operand(other)
        if self.ndim not in (1, 2) or right.ndim not in (1, 2) or self.shape[-1] != right.shape[0]:
            raise ExactnessError(f"{self.shape} @ {right.shape}", expected="matching matrices or vectors")
        rows = [self.entries] if self.ndim == 1 else _rows(self)
        columns = [right.entries] if right.ndim == 1 else _rows(right.T)
        flat = [_dot(self.ring, row, column) for row in rows for column in columns]
        return ExactArray._made(self.ring, flat, (*self.shape[:-1], *right.shape[1:]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactArray | int | float | str | Expression) and not hasattr(other, "numerator"):
            return NotImplemented
        right = self._operand(other)
        return self.shape == right.shape and all(a == b for a, b in zip(self.entries, right.entries, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        """Whether any entry differs from zero."""
        return any(self.entries)

    def _entrywise(self, other: Any, combine: Callable[[Any, Any], Any]) -> ExactArray:
        right = self._operand(other)
        if right.shape not in ((), self.shape):
            raise ExactnessError(f"arrays of shapes {self.shape} and {right.shape}", expected="equal shapes")
        others = right.entries if right.shape == self.shape else right.entries * len(self.entries)
        flat = [self.ring.convert(combine(a, b)) for a, b in zip(self.entries, others, strict=True)]
        return ExactArray._made(self.ring, flat, self.shape)

    def _operand(self, other: Any) -> ExactArray:
        if isinstance(other, ExactArray):
            if other.ring is self.ring:
                return other
            return ExactArray._made(self.ring, [self.ring.convert(e) for e in other.entries], other.shape)
        return ExactArray._made(self.ring, [self._polynomial(other)], ())

    def _polynomial(self, value: Any) -> Polynomial:
        found = expression(value)
        self._check_known(found.symbols())
        return self.ring.convert(found.evaluate(self.ring))

    def _check_known(self, names: set[str]) -> None:
        for name in sorted(names):
            if name not in self.ring.index:
                raise ExactnessError(
                    f"no symbol {name!r} in these equations", remedy=did_you_mean(name, self.ring.symbols)
                )

    # calculus and substitution

    def diff(self, name: str) -> ExactArray:
        """∂/∂ a coordinate (its sine and cosine included), a rate, an acceleration or a symbol."""
        if name in self.ring.coordinates:
            slopes = [self.ring.convert(self.ring.differentiate(e, name)) for e in self.entries]
        else:
            key = notation.key_of(name, self.ring.coordinates)
            if key not in self.ring.index:
                raise ExactnessError(f"no {name!r} to differentiate by", remedy=did_you_mean(name, self.names()))
            if any(
                used == name
                for generator in self.ring.generators
                if generator.angle
                for used, _ in generator.angle.symbols
            ):
                raise ExactnessError(f"{name!r} occurs in a constant angle", expected="a symbol outside angles")
            slopes = [self.ring.wrap(e.derivative(key).poly) for e in self.entries]
        return ExactArray._made(self.ring, slopes, self.shape)

    def names(self) -> list[str]:
        """Every name that may be substituted or differentiated by."""
        c = self.ring.coordinates
        rates = [notation.rate_name(name, dots) for dots in (1, 2) for name in c]
        return [*c, *rates, *self.ring.symbols, *self.ring.extra]

    def subs(self, mapping: Mapping[str, Any] | None = None, **values: Any) -> ExactArray:
        """Names replaced, all at once: symbols and rates by expressions, coordinates by angles or numbers.

        `M.subs(m1=2, l="l1/2", q2="90deg")`. An angle of a turning joint may be any constant angle.
        """
        wanted = {**(mapping or {}), **values}
        for name in wanted:
            if name not in self.names():
                raise ExactnessError(f"no {name!r} to replace", remedy=did_you_mean(name, self.names()))
        turned = {name: angle(value) for name, value in wanted.items() if name in self.ring.turning}
        ring = self._ring_with(turned.values())
        images: dict[str, Polynomial] = {}
        for name, value in wanted.items():
            if name in turned:
                c, s = (part.evaluate(ring) for part in constant_cos_sin(turned[name]))
                images[f"cos({name})"], images[f"sin({name})"] = ring.convert(c), ring.convert(s)
                if name in self.ring.plain:
                    images[f"q({name})"] = ring.convert(expression(value).evaluate(ring))
            else:
                key = f"q({name})" if name in self.ring.plain else notation.key_of(name, self.ring.coordinates)
                self._check_known(expression(value).symbols())
                images[key] = ring.convert(expression(value).evaluate(ring))
        replaced = [entry.composed(images, ring) for entry in self.entries]
        return ExactArray._made(ring, replaced, self.shape, self.name)

    def _ring_with(self, angles: Any) -> Ring:
        """This array's ring, with what the cosines and sines of further constant angles need."""
        atoms = {atom for a in angles for part in constant_cos_sin(a) for atom in part.atoms()}
        new = [a.angle for a in atoms if isinstance(a, Trigonometric) and a.angle not in self.ring.angles]
        roots = len(atoms) > sum(isinstance(a, Trigonometric) for a in atoms) or any(
            isinstance(a, Angle) and a.pi for a in new
        )
        if not new and not (roots and not self.ring.roots):
            return self.ring
        return self.ring.extended(roots=bool(roots), angles=new)

    # numbers and print

    @cached_property
    def _table(self) -> TermTable:
        return TermTable(self.ring, self.entries)

    def values(self, generators: Mapping[str, float]) -> NDArray[np.float64]:
        """In floats, from the values of the ring's generators by their keys."""
        return self._table(generators).reshape(self.shape)

    def required(self) -> set[str]:
        """Keys of the generators whose values are needed."""
        return {generator.key for generator in self._table.used}

    def labelled(self) -> Iterator[tuple[str, Polynomial]]:
        """("M12", entry) of every entry, of symmetric pairs the first."""
        for place, entry in zip(product(*(range(size) for size in self.shape)), self.entries, strict=True):
            if self.symmetric is None or place[self.symmetric[0]] <= place[self.symmetric[1]]:
                yield self.name + text.label(place), entry

    def text(self, width: int = 100) -> str:
        """One line an entry, zero entries summed up at the end."""
        return text.array(self, width)

    def latex(self) -> str:
        """A matrix where it is one, else one aligned line an entry that is not zero."""
        return latex.array(self)

    def sympy(self) -> Any:
        """The same in SymPy: an expression, a Matrix or an Array; imported only now."""
        from qddot.equations import symbolic

        return symbolic.array(self)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if self.terms <= 12 or not self.shape:
            return self.text()
        shape = " × ".join(str(size) for size in self.shape)
        return f"<{self.name or 'array'}: {shape}, {self.terms} terms>"

    def _repr_latex_(self) -> str | None:
        return f"$\\displaystyle {self.latex()}$" if self.terms <= LONGEST_DISPLAY else None


def _shape(nested: Any) -> tuple[int, ...]:
    if not isinstance(nested, list | tuple):
        return ()
    return (len(nested), *(_shape(nested[0]) if nested else ()))


def _flat(nested: Any) -> Iterator[Any]:
    if isinstance(nested, list | tuple):
        for part in nested:
            yield from _flat(part)
    else:
        yield nested


def _rows(matrix: ExactArray) -> list[tuple[Polynomial, ...]]:
    width = matrix.shape[1]
    return [matrix.entries[k * width : (k + 1) * width] for k in range(matrix.shape[0])]


def _dot(ring: Ring, row: Sequence[Polynomial], column: Sequence[Polynomial]) -> Polynomial:
    total = ring.zero
    for a, b in zip(row, column, strict=True):
        total = total + a * b
    return total
