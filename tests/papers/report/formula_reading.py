"""Reads the formulas of reports as mathematics: trees of sums, products, sums over indices, derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from qddot.exact.printing.tree import Symbol
from qddot.papers.report.formula import THIN, WORDS, Formula, Operator

CALLED = ("R", "T")  # R_z(θ), T_x(a)
ENDS = ("=", "+", "−", ")", "]", ",", "/", "dm")


class Node(NamedTuple):
    """kind: "number", "symbol", "sum", "product", "cross", "over", "call", "derivative", "rate", "hat", "integral" or
    "stack"
    """

    kind: str
    parts: tuple[Any, ...]


class UnreadableError(Exception):
    """A formula that this grammar does not have."""


def sides(law: Formula) -> list[Node]:
    """The sides of an equation; one where it is none."""
    reader = _Reader([part for part in law.parts if not (isinstance(part, Operator) and part.text == THIN)])
    nodes = [reader.total()]
    while reader.takes("="):
        nodes.append(reader.total())
    if not reader.ended:
        raise UnreadableError(f"{law.text}: {reader.next}")
    return nodes


class _Reader:
    def __init__(self, parts: list[Symbol | Operator]) -> None:
        self._parts, self._at = parts, 0

    @property
    def ended(self) -> bool:
        return self._at == len(self._parts)

    @property
    def next(self) -> Symbol | Operator:
        return Operator("") if self.ended else self._parts[self._at]

    def sees(self, *signs: str) -> bool:
        return isinstance(self.next, Operator) and self.next.text in signs

    def takes(self, sign: str) -> bool:
        seen = self.sees(sign)
        self._at += seen
        return seen

    def expects(self, sign: str) -> None:
        if not self.takes(sign):
            raise UnreadableError(f"{self.next} where {sign} should stand")

    def total(self) -> Node:
        terms = [(-1 if self.takes("−") else 1, self.product())]
        while self.sees("+", "−"):
            sign = -1 if self.takes("−") else 1
            self.takes("+")
            terms.append((sign, self.product()))
        return Node("sum", tuple(terms))

    def product(self) -> Node:
        node = self.factor()
        while not self.ended and not self.sees(*ENDS):
            kind = "cross" if self.takes("×") else "product"
            node = Node(kind, (node, self.factor()))
        return node

    def factor(self) -> Node:
        part = self.next
        self._at += 1
        if isinstance(part, Symbol):
            return self._named(part)
        readers: dict[str, Callable[[], Node]] = {
            "Σ": lambda: Node("over", (part.below, self.product())),
            "∂": self._derivative,
            "d": self._rate,
            "∫": self._integral,
            "(": lambda: self._closed(")"),
            "[": lambda: Node("hat", (self._closed("]"),)),
            "½": lambda: Node("number", (0.5,)),
        }
        if part.text in readers:
            return readers[part.text]()
        try:
            return Node("number", (float(part.text),))
        except ValueError:
            raise UnreadableError(str(part)) from None

    def _closed(self, sign: str) -> Node:
        inner = [self.total()]
        while self.takes(","):
            inner.append(self.total())
        self.expects(sign)
        return inner[0] if len(inner) == 1 else Node("stack", tuple(inner))

    def _named(self, part: Symbol) -> Node:
        function = part.head in CALLED and part.below in ("x", "y", "z")
        if (part.head in WORDS and part.head != "ad") or (function and self.sees("(")):
            return Node("call", (part, self.factor()))
        return Node("symbol", (part,))

    def _derivative(self) -> Node:
        of = self.factor()
        self.expects("/")
        self.expects("∂")
        return Node("derivative", (of, self.factor()))

    def _rate(self) -> Node:
        """d/dt (…), or dE/dt."""
        of = None if self.sees("/") else self.factor()
        self.expects("/")
        self.expects("d")
        self.factor()
        return Node("rate", (self.factor() if of is None else of,))

    def _integral(self) -> Node:
        inner = self.product()
        self.expects("dm")
        return Node("integral", (inner,))
