"""Defines ExactArray, an array of exact polynomials; M, Γ, C, G and all intermediate results are such arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import PI
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Terms
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import ExactnessError, QddotError, did_you_mean, is_one_of, shortened
from qddot.base.nested_lists import flat, has_shape, shape_of
from qddot.base.records import record
from qddot.exact.equations.arrays import indexing, products
from qddot.exact.equations.arrays.printed import WHOLE, Display, Printed, all_places
from qddot.exact.printing import notation
from qddot.exact.printing.digits import NumberForm, form_of, rounded
from qddot.exact.printing.reading import readable
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import Sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.algebra.numbers.floats import Floats
    from qddot.algebra.numbers.polynomials.term_table import TermTable


@record()
class ExactArray(Printed):
    """An exact array is immutable; its entries are polynomials of one ring in normal form. A scalar has shape ().

    Indexing follows NumPy, from 0: `M[0, 1]`, `M[0]`, `M[:, 0]`. Variables have their printed names: coordinates "q1",
        rates "qd1", accelerations "qdd1", the model's symbols. Two arrays are equal if their normal forms are equal. If
        constant angles depend on each other in a way that the ring does not know, equal arrays may compare as
        different, but different arrays never compare as equal.
    """

    entries: tuple[Polynomial, ...]

    __repr__ = Printed.__repr__
    __array_ufunc__ = None  # makes NumPy leave mixed arithmetic to this class

    @classmethod
    def of(
        cls,
        ring: Ring,
        nested: Any,
        name: str = "",
        symmetric: tuple[int, int] | None = None,
        display: Display = WHOLE,
    ) -> ExactArray:
        """Returns nested lists of numbers and polynomials as an array; display: how it is shown."""
        shape = shape_of(nested)
        entries = tuple(ring.convert(entry) for entry in flat(nested, len(shape)))
        return cls(ring, entries, shape, name, symmetric, all_places(shape), True, display)

    def _like(
        self, entries: Sequence[Polynomial], shape: tuple[int, ...] | None = None, ring: Ring | None = None
    ) -> ExactArray:
        """Returns an array with other entries of this shape, or of another; without a name."""
        display = replace(self.display, columns=shape is None and self.axes == 1 < self.ndim)
        shape = self.shape if shape is None else shape
        return ExactArray(ring or self.ring, tuple(entries), shape, "", None, all_places(shape), True, display)

    @property
    def T(self) -> ExactArray:
        """Returns the array with its axes in reverse order."""
        order, shape = indexing.transposed(self.shape)
        return self._like([self.entries[k] for k in order], shape)

    @property
    def free_symbols(self) -> set[str]:
        """Returns the names of the coordinates, rates, accelerations and symbols that occur."""
        keys = {key for entry in self.entries for key in entry.variables()}
        names: set[str] = set()
        for generator in self.ring.generators:
            if generator.key not in keys or generator.kind == "root" or generator.key == PI:
                continue
            if generator.applied is not None:
                names.update(generator.applied.argument.symbols())
            elif generator.kind in ("sin", "cos"):
                names.update(name for name, _ in generator.of or (generator.angle or Angle()).symbols)
            elif generator.kind == "sgn":
                names.add(rate_name(generator.name))
            else:
                names.add(notation.text(generator) if generator.kind in ("qd", "qdd") else generator.name)
        return names

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
            raise ExactnessError("entrywise-product")
        return left._like([left.ring.convert(entry * factor.entries[0]) for entry in left.entries])

    __rmul__ = __mul__

    def __truediv__(self, number: Any) -> ExactArray:
        """Returns the array divided by a number."""
        from qddot.exact.equations.arrays.substitution import rational

        constant = rational(number)
        if not constant:
            raise ExactnessError("array-divided-by-zero")
        return self * (1 / constant)

    def __matmul__(self, other: Any) -> ExactArray:
        """Returns the product of matrices and vectors, as in NumPy: `A[0] @ A[1]`, `J_tool @ ["qd1", "qd2"]`.

        A list has numbers, or expressions in the array's names. The matrices of all links are multiplied one by one:
        `J @ ["qd1", "qd2"]` has the velocities of each link. raises ExactnessError: the shapes do not match
        """
        left, right = self._joined(other)
        return left._times(right)

    def __rmatmul__(self, other: Any) -> ExactArray:
        right, left = self._joined(other)
        return left._times(right)

    def _times(self, right: ExactArray) -> ExactArray:
        entries, shape = products.product(self.entries, self.shape, right.entries, right.shape)
        product = self._like([self.ring.convert(entry) for entry in entries], shape)
        return replace(product, display=replace(product.display, columns=right.ndim == 1 < product.ndim))

    def __eq__(self, other: object) -> bool:
        try:
            left, right = self._joined(other)
        except QddotError:
            return NotImplemented
        return left.shape == right.shape and left.entries == right.entries

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'ExactArray'")

    def __float__(self) -> float:
        """Returns the value of a scalar without variables."""
        missing = sorted(self.free_symbols)
        if self.shape or missing:
            raise ExactnessError("not-a-number-yet", text=shortened(str(self)))
        from qddot.algebra.numbers.floats import Floats

        return float(self.entries[0].evaluate(Floats({}, {})))

    def _entrywise(self, other: Any, combine: Callable[[Any, Any], Any]) -> ExactArray:
        left, right = self._joined(other)
        if right.shape not in ((), left.shape):
            raise ExactnessError("arrays-of-two-shapes", one=left.shape, other=right.shape)
        others = right.entries if right.shape == left.shape else right.entries * len(left.entries)
        return left._like([left.ring.convert(combine(a, b)) for a, b in zip(left.entries, others, strict=True)])

    def _joined(self, other: Any) -> tuple[ExactArray, ExactArray]:
        """Returns this array and another (or a number or text as a scalar, or lists of them) in one ring."""
        if not isinstance(other, ExactArray):
            if isinstance(other, Printed):
                raise ExactnessError("written-array-calculated")
            from qddot.exact.equations.arrays.substitution import constants

            other = other.tolist() if hasattr(other, "tolist") else other
            shape = shape_of(other)
            if not has_shape(other, shape):
                raise ExactnessError("ragged-lists", other=shortened(other))
            ring, values = constants(self.ring, list(flat(other, len(shape))))
            return self._in(ring), self._like(values, shape, ring)
        ring = self.ring.joined(other.ring)
        return self._in(ring), other._in(ring)

    def _in(self, ring: Ring) -> ExactArray:
        if ring is self.ring:
            return self
        return replace(self, ring=ring, entries=tuple(map(ring.convert, self.entries)))

    # calculus and substitution

    def diff(self, name: str) -> ExactArray:
        """Returns the derivative with respect to a coordinate, a rate, an acceleration or a symbol.

        The sines and cosines of a coordinate are differentiated, too.
        raises ExactnessError: the name is unknown, is a symbol inside a constant angle, or is a position of a joint
            with a quaternion
        """
        self._check_name(name, "no-name-to-differentiate")
        if name in self.ring.quasi_positions:
            raise ExactnessError("derivative-by-position", name=name)
        if name in self.ring.coordinates and name not in self.ring.quasi:
            return self._like([self.ring.convert(self.ring.differentiate(e, name)) for e in self.entries])
        inside = {used for g in self.ring.generators if g.angle is not None for used, _ in g.angle.symbols}
        if name in inside:
            raise ExactnessError("symbol-in-constant-angle", name=repr(name))
        key = notation.key_of(name, self.ring.coordinates, self.ring.quasi)
        return self._like([self.ring.convert(self.ring.partial(entry, name, key)) for entry in self.entries])

    def subs(self, mapping: Mapping[str, Any] | None = None, **values: Any) -> ExactArray:
        """Returns the array with names replaced simultaneously by numbers or by expressions in names.

        `M.subs(m1=2, l="l1/2", q2="90deg", q3="-q2 + 30deg")`. The coordinate of a revolute joint is replaced by an
        angle: a sum of constants and integer multiples of such coordinates.
        """
        if mapping is not None and not isinstance(mapping, Mapping):
            raise ExactnessError("subs-not-mapping", mapping=shortened(mapping))
        from qddot.exact.equations.arrays import substitution

        replacements = {**(mapping or {}), **values}
        for name in replacements:
            self._check_name(name, "no-name-to-replace")
        ring, images = substitution.images(self.ring, replacements)
        return replace(self, ring=ring, entries=tuple(ring.composed(entry, images) for entry in self.entries))

    def _check_name(self, name: Any, code: str) -> None:
        if not is_one_of(name, self.names()):
            raise ExactnessError(code, name=shortened(name), remedy=did_you_mean(name, self.names()))

    # values and printing

    @cached_property
    def _table(self) -> TermTable:
        from qddot.algebra.numbers.polynomials.term_table import TermTable

        return TermTable(self.ring, self.entries)

    def values(self, numbers: Floats) -> NDArray[np.float64]:
        """Returns the array in floats, from the values of symbols and a state."""
        return self._table(numbers).reshape(self.shape)

    def expression(self, entry: Polynomial) -> Sum:
        """Returns the written form of an entry: every term of the normal form, in the most readable angles.

        Of an entry that is longer than the display allows, the terms with the largest numbers are written.
        """
        longest = self.display.longest
        if longest is None or len(entry) <= longest:
            return expanded(rounded(self.readable(entry), self.display.digits), self._numbers)
        terms = readable(Unreduced.of(self.ring, entry.largest_terms(longest)))
        return expanded(rounded(terms, self.display.digits), self._numbers).with_ellipsis

    @cached_property
    def _numbers(self) -> NumberForm:
        return NumberForm.ROUNDED if self.display.decimals else form_of(self.entries)

    @cached_property
    def _readable(self) -> dict[int, tuple[Polynomial, Terms]]:
        return {}

    def readable(self, entry: Polynomial) -> Terms:
        """Returns an entry of this array in its most readable angles."""
        if id(entry) not in self._readable:
            self._readable[id(entry)] = entry, readable(entry)
        return self._readable[id(entry)][1]

    def angle_sums(self) -> dict[str, str]:
        """Returns the definitions of sums of angles in the text: {"q23": "q2 + q3"} if c23 occurs."""
        sums = (generator for _, _, entry in self.labelled() for generator in self.readable(entry).generators())
        return {generator.name: str(Angle(symbols=generator.of)) for generator in sums if len(generator.of) > 1}

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        return in_notebooks.latex(self)
