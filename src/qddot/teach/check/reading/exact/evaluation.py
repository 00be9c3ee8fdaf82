"""Computes trees exactly, as numerators and denominators in an arm's ring, within bounds of time and memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.roots import square_root
from qddot.algebra.expressions.turning import LARGEST_MULTIPLE
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import ExactnessError, ExpressionError
from qddot.base.words.message import say
from qddot.teach.check.reading.exact.half_angles import half_turns, has_halves, names_of_half, without_halves
from qddot.teach.check.reading.exact.motion import drive_symbol
from qddot.teach.check.reading.exact.quotients import Quotient, Quotients
from qddot.teach.check.reading.exact.turned_angles import angle_of, is_small, opaque, turned
from qddot.teach.check.reading.syntax import (
    TIME,
    Call,
    Derivative,
    Meaning,
    Name,
    Node,
    Number,
    Power,
    Product,
    Reference,
    Sum,
    Table,
    Transposed,
    Tree,
)
from qddot.teach.check.reading.texts.written import Written

MOST_TERMS_OF_COSINE = 20_000
CIRCULAR: Mapping[str, Callable[[Polynomial, Polynomial, Polynomial], tuple[Polynomial, Polynomial]]] = {
    "cos": lambda c, s, one: (c, one),
    "sin": lambda c, s, one: (s, one),
    "tan": lambda c, s, one: (s, c),
    "cot": lambda c, s, one: (c, s),
    "sec": lambda c, s, one: (one, c),
    "csc": lambda c, s, one: (one, s),
}
NOTHING = Meaning("")


class Evaluation:
    """This computes trees in one ring, with common bounds of time and memory.

    angles: the answer's definitions as angles, by name; values: the values of definitions that are used as numbers
    of_arm: returns the arm's own K, P or L, or a component such as f_4,1, which an answer may use undefined
    """

    def __init__(
        self, ring: Ring, angles: Mapping[str, Angle | None], of_arm: Callable[[Meaning], Any] | None = None
    ) -> None:
        self.ring, self.angles, self.of_arm = ring, angles, of_arm
        self.values: dict[str, Quotient] = {}
        self.quotients = Quotients(ring, self._error)
        self.one = self.quotients.one
        self.larger: Fraction | None = None  # a decimal to increase by half a unit of its last place
        self._faults: dict[str, ExpressionError] = {}
        self.opaque: dict[str, Angle] = {}  # angles whose cosines are symbols, by their names
        self.written = Written("")

    def value(self, tree: Tree) -> Quotient:
        """Returns the value of a tree; raises ExpressionError with the place of a fault."""
        quotient = self._whole_angles(tree)
        if has_halves(quotient.numerator, self.ring) or has_halves(quotient.denominator, self.ring):
            raise self._error(tree.node, "half-angle-alone")
        return quotient

    def _whole_angles(self, tree: Tree) -> Quotient:
        self.written = tree.written
        top, below = self._value(tree.node)
        whole = without_halves(below, self.ring)
        return self.quotients.reduced(Quotient(without_halves(top, self.ring), self.one if whole == 1 else whole))

    def define(self, key: str, definition: Tree) -> None:
        """Computes a name that the answer defines; a fault in the definition is raised where the name is used."""
        try:
            self.values[key] = self._whole_angles(definition)
        except ExpressionError as error:
            self._faults[key] = error

    def of_node(self, node: Node) -> Quotient:
        """Returns the value of a part of a tree, in which half angles may be left."""
        return self._value(node)

    def again(self, decimal: Fraction | None = None) -> Evaluation:
        """Returns an evaluation with the same definitions, in which a decimal may be increased by half a unit."""
        other = Evaluation(self.ring, self.angles, self.of_arm)
        other.larger, other.values, other._faults = decimal, dict(self.values), dict(self._faults)
        return other

    def _number(self, node: Number) -> Fraction:
        return node.value + node.half_unit if node.value == self.larger else node.value

    def _value(self, node: Node) -> Quotient:
        match node:
            case Number():
                return self.quotients.whole(self.ring.convert(self._number(node)))
            case Name() | Reference():
                return self._of_name(node)
            case Sum():
                return self.quotients.sum([(sign, self._value(term)) for sign, term in node.terms], node)
            case Product():
                return self._product(node)
            case Power():
                return self._power(node)
            case Call():
                return self._call(node)
            case Transposed():
                return self._value(node.of)
            case Derivative():
                return self.derivative(self._value(node.of), node.by)
            case Table() if len(node.parts) == 1:
                return self._value(node.parts[0])
        raise self._error(node, "matrix-where-number")

    def _of_name(self, node: Name | Reference) -> Quotient:
        meaning = node.meaning if isinstance(node, Name) else Meaning("own", node.key)
        ring, name = self.ring, meaning.name
        if name in self._faults and meaning.kind.startswith("own"):
            raise self._faults[name]
        match meaning.kind:
            case "own":
                return self.values[name]
            case "own rate":
                return self.derivative(self.values[name], TIME)
            case "own acceleration":
                return self.derivative(self.derivative(self.values[name], TIME), TIME)
            case "energy" | "component" | "matrix" if self.of_arm is not None:
                return self.quotients.whole(self.ring.convert(self.of_arm(meaning)))
            case "symbol":
                return self.quotients.whole(ring.symbol(name))
            case "coordinate":
                return self.quotients.whole(ring.coordinate(name))
            case "rate":
                return self.quotients.whole(ring.rate(name))
            case "acceleration":
                return self.quotients.whole(ring.acceleration(name))
            case "drive":
                return self.quotients.whole(ring.symbol(drive_symbol(ring, name)))
            case "pi":
                return self.quotients.whole(ring.symbol("pi"))
            case "degree":
                return self.quotients.whole(ring.symbol("pi") / 180)
            case "cosines":
                pair = self._cos_sin(node, meaning.angle)
                factor = self.one
                for letter in meaning.name:
                    factor = self.quotients.times(factor, pair[letter == "s"], node)
                return self.quotients.whole(factor)
        raise self._error(node, "name-without-argument", name=meaning.name)

    def derivative(self, value: Quotient, by: Node) -> Quotient:
        """Returns the derivative of a value with respect to time or to a variable."""
        value = Quotient(*(without_halves(part, self.ring) for part in value))
        if any(has_halves(part, self.ring) for part in value):
            raise self._error(by, "derivative-of-half-angle")
        top, below = (self._slope(part, by) for part in value)
        if not below:
            return Quotient(top, value.denominator)
        numerator = self.quotients.times(top, value.denominator, by) - self.quotients.times(value.numerator, below, by)
        return Quotient(numerator, self.quotients.times(value.denominator, value.denominator, by))

    def _slope(self, value: Polynomial, by: Node) -> Polynomial:
        ring, meaning = self.ring, by.meaning if isinstance(by, Name) else NOTHING
        match meaning.kind:
            case "time":
                if any(generator.kind == "qdd" for generator in value.generators()):
                    raise self._error(by, "rate-of-acceleration")
                return ring.convert(ring.time_derivative(value))
            case "coordinate":
                return ring.convert(ring.differentiate(value, meaning.name))
            case "rate" | "acceleration":
                key = f"{'qd' if meaning.kind == 'rate' else 'qdd'}({meaning.name})"
                return ring.convert(value.derivative(key))
            case "symbol":
                return ring.convert(value.derivative(meaning.name) if meaning.name in ring.index else 0)
        raise self._error(
            by,
            "derivative-by-no-variable",
        )

    # arithmetic

    def _product(self, node: Product) -> Quotient:
        total = self.quotients.whole(self.one)
        for exponent, factor in node.factors:
            part = self._value(factor)
            part = part if exponent > 0 else self.quotients.inverse(part, factor)
            total = self.quotients.multiplied(total, part, node)
        return total

    def _power(self, node: Power) -> Quotient:
        base, exponent = self._value(node.base), node.exponent
        base = base if exponent >= 0 else self.quotients.inverse(base, node.base)
        total = self.quotients.whole(self.one)
        for _ in range(abs(exponent)):
            total = self.quotients.multiplied(total, base, node)
        return total

    # functions

    def _call(self, node: Call) -> Quotient:
        if node.function in CIRCULAR:
            angle = angle_of(node.argument, self.angles)
            if angle is None or not is_small(angle):
                raise self._error(node, "no-angle-after", function=node.function)
            names = opaque(angle, self.ring.turning.coordinates)
            self.opaque |= {str(angle): angle} if names else {}
            cosine, sine = map(self.ring.symbol, names) if names else self._cos_sin(node, angle)
            top, below = CIRCULAR[node.function](cosine, sine, self.one)
            return Quotient(top, below) if below is self.one else self.quotients.divided(top, below, node)
        if node.function == "sqrt":
            return self.quotients.whole(self._root(node))
        rate = node.argument
        if not isinstance(rate, Name) or rate.meaning.kind != "rate":
            raise self._error(node, "sign-of-no-rate")
        return self.quotients.whole(self.ring.sign(rate.meaning.name))

    def _cos_sin(self, node: Node, angle: Angle) -> tuple[Polynomial, Polynomial]:
        """Returns cosine and sine, expanded in those of the ring's angles."""
        ring, parts = self.ring, turned(angle, self.ring.turning.coordinates)
        sliding = [name for name, _ in parts.constant.symbols if name in ring.coordinates]
        if sliding:
            raise self._error(
                node,
                "cosine-of-length",
                name=sliding[0],
            )
        try:
            halves = half_turns(parts.coordinates, ring.turning)
            self._check_turns(node, halves)
            pair = ring.circular(parts.constant)
            for own, n in halves.items():
                pair = sum_of_angles(pair, ring.cos_sin(own, Fraction(n // 2)))
                if n % 2:
                    cosine, sine = map(ring.symbol, names_of_half(own))
                    pair = sum_of_angles(pair, (cosine, sine))
        except ExactnessError as error:
            raise self._error(node, "angle-not-exact", problem=error.message, expected=error.expected) from None
        return ring.convert(pair[0]), ring.convert(pair[1])

    def _check_turns(self, node: Node, multiples: Mapping[str, int]) -> None:
        """Raises ExpressionError for larger or more multiples of joint angles than a short answer has."""
        if any(abs(n) > 2 * LARGEST_MULTIPLE for n in multiples.values()):
            raise self._error(node, "angle-multiple-large", most=LARGEST_MULTIPLE)
        if prod(abs(n) + 1 for n in multiples.values()) > MOST_TERMS_OF_COSINE:
            raise self._error(node, "angles-too-many")

    def _root(self, node: Call) -> Polynomial:
        argument = angle_of(node.argument, self.angles)
        number = None if argument is None or argument.pi or argument.symbols else argument.radians
        root = None if number is None else square_root(number)
        if root is None:
            raise self._error(node, "answer-root-not-exact")
        value = self.ring.convert(root[0])
        for prime in root[1]:
            value = value * self.ring.root(prime)
        return self.ring.convert(value)

    def _error(self, node: Node, code: str, **slots: Any) -> ExpressionError:
        text = self.written.text[slice(*node.span)]
        shown = say("excerpt", text=f"{text[:40].strip()}{'…' if len(text) > 40 else ''}") if text.strip() else ""
        return self.written.error(node.span[0], code, excerpt=shown, **slots)
