"""ExactArray is what M, Γ, C, G and every intermediate result are: an array of exact polynomials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

from qddot.equations import indexing
from qddot.equations.printable import Printed
from qddot.errors import ExactnessError, QddotError, did_you_mean, is_one_of, shortened
from qddot.expressions.angles import Angle
from qddot.expressions.expression import PI
from qddot.expressions.names import rate_name
from qddot.numbers.exact import Polynomial, Ring
from qddot.printing import notation
from qddot.printing.digits import Numbers, form_of, rounded
from qddot.printing.quantity_names import indices
from qddot.printing.reading import readable
from qddot.printing.reading_order import expanded
from qddot.printing.tree import Sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.numbers.term_table import TermTable

LONGEST_DISPLAY = 1_000  # terms of an entry, which fill more lines than a notebook shows
LONGEST_REPR, LONGEST_SCALAR = 12, 40  # terms of an array, and of a scalar, whose text is its repr

Place = tuple[int, ...]


class ExactArray(Printed):
    """An exact array has polynomials of one ring as entries; it is immutable. A scalar has the shape ().

    Indexing follows NumPy, from 0: `M[0, 1]`, `M[0]`, `M[:, 0]`. Names are those that are printed:
    coordinates "q1", rates "qd1", accelerations "qdd1", the model's symbols. Two arrays are equal if
    their normal forms are. Where constant angles depend on each other in a way that the ring does not
    know, equal arrays may compare as different, but different arrays never as equal.
    """

    whole = True  # or picked from another array
    _longest: int | None = None  # terms of an entry that are printed
    _decimals = False  # whether numbers are printed as decimals throughout
    _digits: int | None = None  # significant ones, to which numbers are printed
    __array_ufunc__ = None  # NumPy leaves mixed arithmetic to this class

    def __init__(self, ring: Ring, nested: Any, name: str = "", symmetric: tuple[int, int] | None = None) -> None:
        self.ring = ring
        self.name = name
        self.symmetric = symmetric
        self.shape = _shape(nested)
        self.entries: tuple[Polynomial, ...] = tuple(ring.convert(entry) for entry in flat(nested, len(self.shape)))
        self.places: tuple[Place, ...] = tuple(product(*(range(size) for size in self.shape)))

    def _like(
        self, entries: Sequence[Polynomial], shape: tuple[int, ...] | None = None, ring: Ring | None = None
    ) -> ExactArray:
        """Returns an array with other entries of this shape, or of another; without a name."""
        made = ExactArray(ring or self.ring, [])
        made.entries, made.shape = tuple(entries), self.shape if shape is None else shape
        made.places = tuple(product(*(range(size) for size in made.shape)))
        return made

    def __getitem__(self, index: Any) -> ExactArray:
        chosen, shape = indexing.picked(self.shape, index)
        part = self._like([self.entries[k] for k in chosen], shape)
        part.name, part.places = self.name, tuple(self.places[k] for k in chosen)
        part.whole = False
        part._decimals, part._digits = self._decimals, self._digits
        return part

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
        """Returns the number of terms in the expanded normal form; symmetric pairs of entries count once."""
        return sum(len(entry) for _, _, entry in self.labelled())

    @property
    def T(self) -> ExactArray:
        """Returns the array with its axes in reverse order."""
        order, shape = indexing.transposed(self.shape)
        return self._like([self.entries[k] for k in order], shape)

    @property
    def free_symbols(self) -> set[str]:
        """Returns the names of the coordinates, rates, accelerations and symbols that occur."""
        keys = {key for entry in self.entries for key in entry.variables()}
        found: set[str] = set()
        for generator in self.ring.generators:
            if generator.key not in keys or generator.kind == "root" or generator.key == PI:
                continue
            if generator.kind in ("sin", "cos"):
                found.update(name for name, _ in generator.of or (generator.angle or Angle()).symbols)
            elif generator.kind == "sgn":
                found.add(rate_name(generator.name))
            else:
                found.add(notation.text(generator) if generator.kind in ("qd", "qdd") else generator.name)
        return found

    # arithmetic

    def __add__(self, other: Any) -> ExactArray:
        return self._entrywise(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> ExactArray:
        return self._entrywise(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> ExactArray:
        return (-self).__add__(other)

    def __neg__(self) -> ExactArray:
        return self._like([-entry for entry in self.entries])

    def __mul__(self, other: Any) -> ExactArray:
        """Returns the array times a scalar: a number, a text such as "m1/2", or an array of shape ()."""
        left, factor = self._joined(other)
        if factor.shape:
            raise ExactnessError("a product of arrays entry by entry", remedy="use A @ B for matrices")
        return left._like([left.ring.convert(entry * factor.entries[0]) for entry in left.entries])

    __rmul__ = __mul__

    def __truediv__(self, number: Any) -> ExactArray:
        """Returns the array divided by a number."""
        from qddot.equations.substitution import rational

        constant = rational(number)
        if not constant:
            raise ExactnessError("a division by zero")
        return self * (1 / constant)

    def __matmul__(self, other: Any) -> ExactArray:
        """Returns the product of matrices and vectors, as in NumPy for one or two dimensions."""
        left, right = self._joined(other)
        if left.ndim not in (1, 2) or right.ndim not in (1, 2) or left.shape[-1] != right.shape[0]:
            raise ExactnessError(f"{left.shape} @ {right.shape}", expected="matching matrices or vectors")
        rows = left._rows() if left.ndim == 2 else [left.entries]
        columns = right.T._rows() if right.ndim == 2 else [right.entries]
        flat = [_dot(left.ring, row, column) for row in rows for column in columns]
        return left._like(flat, (*left.shape[:-1], *right.shape[1:]))

    def __eq__(self, other: object) -> bool:
        try:
            left, right = self._joined(other)
        except QddotError:
            return NotImplemented
        return left.shape == right.shape and left.entries == right.entries

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        """Returns whether any entry is not zero."""
        return any(self.entries)

    def __float__(self) -> float:
        """Returns the value of a scalar without variables."""
        missing = sorted(self.free_symbols)
        if self.shape or missing:
            raise ExactnessError(f"not a number: {shortened(str(self))}", remedy="give values with subs or eq.at")
        from qddot.numbers.at_state import generator_values, value_of

        still = dict.fromkeys(self.ring.coordinates, 0.0)  # what is left are constants: π, roots, constant angles
        return value_of(self.entries[0], generator_values(self.ring, still, still, still, {}))

    def _entrywise(self, other: Any, combine: Callable[[Any, Any], Any]) -> ExactArray:
        left, right = self._joined(other)
        if right.shape not in ((), left.shape):
            raise ExactnessError(f"arrays of shapes {left.shape} and {right.shape}", expected="equal shapes")
        others = right.entries if right.shape == left.shape else right.entries * len(left.entries)
        return left._like([left.ring.convert(combine(a, b)) for a, b in zip(left.entries, others, strict=True)])

    def _joined(self, other: Any) -> tuple[ExactArray, ExactArray]:
        """Returns this array and another (or a number or text as a scalar) in one ring."""
        if not isinstance(other, ExactArray):
            from qddot.equations.substitution import constant

            ring, value = constant(self.ring, other)
            return self._in(ring), self._like([value], (), ring)
        ring = self.ring.joined(other.ring)
        return self._in(ring), other._in(ring)

    def _in(self, ring: Ring) -> ExactArray:
        if ring is self.ring:
            return self
        moved = self._like([ring.convert(entry) for entry in self.entries], ring=ring)
        moved.name, moved.places, moved.symmetric = self.name, self.places, self.symmetric
        moved.whole = self.whole
        return moved

    def _rows(self) -> list[tuple[Polynomial, ...]]:
        width = self.shape[1]
        return [self.entries[k * width : (k + 1) * width] for k in range(self.shape[0])]

    # calculus and substitution

    def diff(self, name: str) -> ExactArray:
        """Returns the derivative by a coordinate (through sine and cosine, too), a rate, an acceleration or a symbol.

        raises ExactnessError: an unknown name, or a symbol inside a constant angle
        """
        self._check_name(name, "to differentiate by")
        if name in self.ring.coordinates:
            return self._like([self.ring.convert(self.ring.differentiate(e, name)) for e in self.entries])
        inside = {used for g in self.ring.generators if g.angle is not None for used, _ in g.angle.symbols}
        if name in inside:
            raise ExactnessError(f"{name!r} occurs in a constant angle", expected="a symbol outside angles")
        key = notation.key_of(name, self.ring.coordinates)
        return self._like([self.ring.convert(entry.derivative(key)) for entry in self.entries])

    def names(self) -> list[str]:
        """Returns every name by which one may substitute or differentiate."""
        c = self.ring.coordinates
        rates = [rate_name(name, dots) for dots in (1, 2) for name in c]
        return [*c, *rates, *self.ring.symbols, *self.ring.extra]

    def subs(self, mapping: Mapping[str, Any] | None = None, **values: Any) -> ExactArray:
        """Returns the array with names replaced, all at once, by numbers or expressions in the other names.

        `M.subs(m1=2, l="l1/2", q2="90deg", q3="-q2 + 30deg")`. A turning joint's coordinate becomes an
        angle: constants, and integer multiples of turning coordinates.
        """
        if mapping is not None and not isinstance(mapping, Mapping):
            raise ExactnessError(f"subs of {shortened(mapping)}", expected="a mapping from names to values")
        from qddot.equations import substitution

        wanted = {**(mapping or {}), **values}
        for name in wanted:
            self._check_name(name, "to replace")
        ring, images = substitution.images(self.ring, wanted)
        replaced = self._like([entry.composed(images, ring) for entry in self.entries], ring=ring)
        replaced.name, replaced.places, replaced.whole = self.name, self.places, self.whole
        return replaced

    def _check_name(self, name: Any, purpose: str) -> None:
        if not is_one_of(name, self.names()):
            raise ExactnessError(f"no {shortened(name)} {purpose}", remedy=did_you_mean(name, self.names()))

    # numbers and print

    @cached_property
    def _table(self) -> TermTable:
        from qddot.numbers.term_table import TermTable

        return TermTable(self.ring, self.entries)

    def values(self, generators: Mapping[str, float]) -> NDArray[np.float64]:
        """Returns the array in floats, from the values of the ring's generators by their keys."""
        return self._table(generators).reshape(self.shape)

    def rounded(self, digits: int | None) -> ExactArray:
        """Returns the same array, which prints its coefficients to so many significant digits. None: all."""
        if digits is None:
            return self
        made: ExactArray = copy(self)
        for kept in ("_written", "_numbers"):
            vars(made).pop(kept, None)
        made._digits, made._decimals = digits, True
        return made

    def brief(self) -> ExactArray:
        """Returns the same array, which prints of an entry only so many terms as somebody looks at."""
        if all(len(entry) <= LONGEST_DISPLAY for entry in self.entries):
            return self
        made = copy(self)
        made._longest = LONGEST_DISPLAY
        return made

    def labelled(self) -> Iterator[tuple[str, Place, Polynomial]]:
        """Yields (name, place, entry) of every entry; of symmetric pairs only the first."""
        for place, entry in zip(self.places, self.entries, strict=True):
            if self.symmetric is None or place[self.symmetric[0]] <= place[self.symmetric[1]]:
                yield self.name, place, entry

    def written(self, entry: Polynomial) -> Sum:
        """Returns an entry as it is written: every term of the normal form, in the angles that read best."""
        if self._longest is not None and len(entry) > self._longest:
            entry = self.ring.unreduced(islice(entry.terms(), self._longest))
        return expanded(rounded(self.readable(entry), self._digits), self._numbers)

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers.ROUNDED if self._decimals else form_of(self.entries)

    @cached_property
    def _readable(self) -> dict[int, tuple[Polynomial, Polynomial]]:
        return {}

    def readable(self, entry: Polynomial) -> Polynomial:
        """Returns an entry of this array in the angles that it reads best in."""
        if id(entry) not in self._readable:
            self._readable[id(entry)] = entry, readable(entry)
        return self._readable[id(entry)][1]

    def angle_sums(self) -> dict[str, str]:
        """Returns what the names of sums of angles stand for in the text: {"q23": "q2 + q3"} where c23 occurs."""
        sums = (generator for _, _, entry in self.labelled() for generator in self.readable(entry).generators())
        return {generator.name: str(Angle(symbols=generator.of)) for generator in sums if len(generator.of) > 1}

    def __repr__(self) -> str:
        if self.terms <= (LONGEST_REPR if self.shape else LONGEST_SCALAR):
            return self.text()
        shape = " × ".join(str(size) for size in self.shape) or "scalar"
        place = () if self.whole or self.shape else self.places[0]
        return f"<{self.name + indices(place) or 'array'}: {shape}, {self.terms} terms>"

    def _repr_latex_(self) -> str:
        from qddot.equations import heads

        return heads.latex(self)


def _shape(nested: Any) -> tuple[int, ...]:
    if not isinstance(nested, list | tuple):
        return ()
    return (len(nested), *(_shape(nested[0]) if nested else ()))


def flat(nested: Any, ndim: int) -> Iterable[Any]:
    """Returns the entries of nested lists of so many levels."""
    parts: Iterable[Any] = (nested,)
    for _ in range(ndim):
        parts = chain.from_iterable(parts)
    return parts


def _dot(ring: Ring, row: Sequence[Polynomial], column: Sequence[Polynomial]) -> Polynomial:
    total = ring.zero
    for a, b in zip(row, column, strict=True):
        total = total + a * b
    return total
