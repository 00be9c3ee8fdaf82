"""What a formula of a report is in numbers, for what the report prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from formula_reading import Node
from matrices import adjoint, exponential, hat, skew, times
from printed_names import Name, general, name_of
from printed_values import Point, Printed, UnknownError

from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import Document, Paragraph, Table
from qddot.papers.report.formula import Formula
from qddot.physics.algorithms import kinematics

POWERS: Mapping[str, Callable[[Any], Any]] = {"T": np.transpose, "-1": np.linalg.inv}
STEP = 1e-30  # of a complex step, whose square is nothing beside 1
LINKS = frozenset("ATpJIH𝒢vFNfneℐRVXzoWDr") | {"Phi", "omega", "rho", "gamma", "ad"}


class Evaluated:
    """The value of a formula's parts, for given values of its indices."""

    def __init__(self, printed: Printed, indices: Mapping[str, Any]) -> None:
        self.printed, self.indices = printed, indices
        self.arm, self.eq = printed.eq.dynamics.mechanism, printed.eq

    def value(self, node: Node, at: Point) -> Any:
        return getattr(self, f"_{node.kind}")(at, *node.parts)

    def _number(self, at: Point, number: float) -> Any:
        return np.array([[complex(number)]])

    def _sum(self, at: Point, *terms: tuple[int, Node]) -> Any:
        total: Any = None
        for sign, node in terms:
            part = sign * self.value(node, at)
            total = part if total is None else total + part
        return total

    def _product(self, at: Point, a: Node, b: Node) -> Any:
        a, b = self.value(a, at), self.value(b, at)
        if a.shape[1] == 4 and b.shape == (3, 1):  # a point has a fourth coordinate 1
            b = np.vstack([b, [[1]]])
        if a.shape == (1, 3) and b.shape[0] == 4:
            a = np.hstack([a, [[0]]])
        return np.reshape(times(a, b), (1, 1)) if np.size(times(a, b)) == 1 else times(a, b)

    def _stack(self, at: Point, *parts: Node) -> Any:
        """(0, γ) is a column of three zeros and γ."""
        columns = [self.value(part, at) for part in parts]
        return np.vstack([np.zeros((3, 1)) if column.size == 1 else column for column in columns])

    def _cross(self, at: Point, a: Node, b: Node) -> Any:
        return skew(self.value(a, at)) @ self.value(b, at)

    def _over(self, at: Point, letters: str, body: Node) -> Any:
        ranges: list[Sequence[int]] = [values_of(letter, [body], self.printed) for letter in letters]
        if any(set(symbol.below.split(",")) & {"a", "in"} for symbol in symbols_of(body)):  # links that follow directly
            ranges = [[k.index + 1 for k in self.arm.links if k.parent == self.indices["i"] - 1]]
            if not ranges[0]:
                return 0
        inner = (dict(self.indices) | dict(zip(letters, chosen, strict=True)) for chosen in product(*ranges))
        return sum(Evaluated(self.printed, indices).value(body, at) for indices in inner)

    def _call(self, at: Point, function: Symbol, inner: Node) -> Any:
        value = self.value(inner, at)
        if function.head in "RT":
            return self._elementary(function, np.ravel(value)[0])
        if function.head == "Tr":
            return np.array([[np.trace(value)]])
        if function.head == "det":
            return np.array([[np.linalg.det(value)]])
        return {"exp": exponential, "Ad": adjoint}[function.head](value)

    def _elementary(self, function: Symbol, by: complex) -> Any:
        """R_z(θ) or T_z(d) as a 4×4 matrix."""
        unit = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}[function.below]
        return exponential(hat(np.array([*unit, 0, 0, 0] if function.head == "R" else [0, 0, 0, *unit]) * by))

    def _derivative(self, at: Point, of: Node, by: Node) -> Any:
        symbol: Symbol = by.parts[0]
        if of.kind == "symbol" and of.parts[0].head == "ℒ":
            return self._of_lagrangian(symbol, at)
        columns = [self.indices[symbol.below] - 1] if symbol.below else range(len(at.q))
        slopes = [self._slope(of, symbol, k, at) for k in columns]
        return slopes[0] if symbol.below else np.vstack(slopes) if slopes[0].size == 1 else np.hstack(slopes)

    def _slope(self, of: Node, by: Symbol, k: int, at: Point) -> Any:
        parts = [list(part) for part in at]
        parts[by.dots][k] += 1j * STEP
        return self.value(of, Point(*map(tuple, parts))).imag / STEP

    def _of_lagrangian(self, by: Symbol, at: Point) -> Any:
        """∂ℒ/∂q̇ as it is printed, coordinate by coordinate."""
        return np.vstack([self.printed.partial(by.dots, k, at) for k in range(len(at.q))])

    def _rate(self, at: Point, of: Node) -> Any:
        q, qd = (
            tuple(x + 1j * STEP * rate for x, rate in zip(part, rates, strict=True))
            for part, rates in ((at.q, at.qd), (at.qd, at.qdd))
        )
        return self.value(of, Point(q, qd, at.qdd)).imag / STEP

    def _hat(self, at: Point, inner: Node) -> Any:
        """[ω] and [S]; but [q̇_j q̇_k] and [q̇_j²] are the columns of all such products."""
        if free := [letter for letter in "jk" if letter in letters_of(inner) and letter not in self.indices]:
            n = range(1, len(at.q) + 1)
            chosen = [(j,) for j in n] if len(free) == 1 else [(j, k) for j in n for k in n if j < k]
            indices = (dict(zip(free, places, strict=True)) for places in chosen)
            return np.array(
                [np.ravel(Evaluated(self.printed, each).value(inner, at)) for each in indices], dtype=complex
            ).reshape(-1, 1)
        return hat(self.value(inner, at))

    def _integral(self, at: Point, inner: Node) -> Any:
        """∫ r rᵀ dm, of the body that is described."""
        return np.array([[self.printed.exact(x) for x in row] for row in self._link("i").inertia.pseudo()])

    def _symbol(self, at: Point, symbol: Symbol) -> Any:
        value = self._plain(symbol, at)
        if symbol.above == "2":
            return value * value
        return POWERS[symbol.above](value) if symbol.above in POWERS else value

    def _plain(self, symbol: Symbol, at: Point) -> Any:
        label, letters = general(symbol)
        places = tuple(self.indices[letter] for letter in letters)
        if symbol.head == "q" and not label:
            part = np.array(at[symbol.dots], dtype=complex).reshape(-1, 1)
            return part[places[0] - 1 : places[0]] if places else part
        name = name_of(symbol, label)
        if not places and "link" in self.indices and symbol.head in ("A", "R"):
            places = (self.indices["link"],)
        if symbol.head == "J" and label in ("v", "omega") and len(places) == 2:
            whole = symbol._replace(below=f"{label},{letters[0]}")
            return self._plain(whole, at)[:, places[1] - 1 : places[1]]
        if symbol.head == "D" or (symbol.head == "G" and label and len(places) == 2):
            link, *cell = places
            whole = self.printed.array(name, (link,), at)
            return np.reshape(whole[tuple(np.subtract((*cell, 1)[:2], 1))], (1, 1)) if cell else whole
        if symbol.head == "B" and not places:
            return self._products(name, at)
        if places == (0,):  # the base
            return self._of_base(symbol)
        # m_i is not a derivative of M, and an inertia about an origin is not that of a composite body
        apart = (symbol.head == "m" and len(places) == 1) or (symbol.head, symbol.above) == ("I", "o")
        apart = apart or (symbol.head in "Rpr" and label == "a") or symbol.head == "r"
        value = None if apart else self.printed.array(name, places, at)
        if value is None and symbol.dots and symbol.head != "V":
            undotted = symbol._replace(dots=symbol.dots - 1, above="")
            return self._rate(at, Node("symbol", (undotted,)))
        return self._given(symbol, label, places, at) if value is None else value

    def _of_base(self, symbol: Symbol) -> Any:
        """The base stands still, but its upward acceleration stands for gravity."""
        still, up = np.zeros((3, 1)), -self._gravity(symbol) * symbol.dots
        return {"omega": still, "v": up, "V": np.vstack([still, up])}.get(symbol.head, np.eye(4))

    def _products(self, name: Name, at: Point) -> Any:
        n = range(1, len(at.q) + 1)
        pairs = [(j, k) for j in n for k in n if j < k]
        return np.array([[self.printed.array(name, (i, *pair), at).item() for pair in pairs] for i in n]).reshape(
            len(n), -1
        )

    def _link(self, letter: str) -> Any:
        return self.arm.links[self.indices[letter] - 1]

    def _given(self, symbol: Symbol, label: str, places: tuple[int, ...], at: Point) -> Any:
        """What stands in tables and sentences, or follows from its name."""
        printed, head = self.printed, symbol.head
        link: Any = self.arm.links[places[0] - 1] if places and head not in "q" else None
        pose = ("T", "", 0, "", "0", False)
        given: dict[tuple[str, str], Callable[[], Any]] = {
            ("g", "0"): lambda: self._gravity(symbol),
            ("T", "0"): lambda: np.eye(4),
            ("u", ""): lambda: np.array([[0], [0], [0], [1]], dtype=complex),
            ("m", ""): lambda: np.array([[printed.exact(link.inertia.m)]]),
            ("ℐ", ""): lambda: self._central(link),
            ("R", ""): lambda: printed.array(pose, places, at)[:3, :3],
            ("X", ""): lambda: adjoint(
                np.linalg.inv(printed.array(pose, places[1:], at)) @ printed.array(pose, places[:1], at)
            ),
            ("J", "v"): lambda: self._jacobian(places)[:3],
            ("J", "omega"): lambda: self._jacobian(places)[3:],
            ("r", "c"): lambda: self._centre(link),
            ("r", "a"): lambda: self._step(places)[:3, 3:] + self._step(places)[:3, :3] @ self._to_axis(places, at),
            ("R", "a"): lambda: self._step(places)[:3, :3],
            ("p", "a"): lambda: self._step(places)[:3, 3:],
            ("h", ""): lambda: printed.vector(tuple(link.inertia.h)),
            ("I", ""): lambda: np.array([[printed.exact(x) for x in row] for row in link.inertia.I.rows()]),
            ("V", ""): lambda: self._twist(symbol, places),
            ("ad", "V"): lambda: self._bracket(places),
            ("𝒢", ""): lambda: np.array([[printed.exact(x) for x in row] for row in link.inertia.spatial_matrix()]),
            ("E", ""): lambda: self._energy(at),
            ("K", ""): lambda: self._kinetic(at),
            **{(key, ""): partial(self._of_row, key) for key in ("theta", "d", "a", "alpha")},
        }
        if (head, label) not in given or (link is None and head in "ℐmX𝒢V"):
            raise UnknownError(str(symbol))
        return given[head, label]()

    def _jacobian(self, places: tuple[int, ...]) -> Any:
        J = self.eq.J_c[places[0] - 1]
        return np.array([self.printed.exact(entry) for entry in J.entries]).reshape(J.shape)

    def _gravity(self, symbol: Symbol) -> Any:
        g = self.printed.vector(tuple(self.arm.gravity))
        return g

    def _central(self, link: Any) -> Any:
        m = self.printed.exact(link.inertia.m)
        I = np.array([[self.printed.exact(x) for x in row] for row in link.inertia.I.rows()])
        c = np.array([self.printed.exact(x) for x in link.inertia.h]) / (m or 1)
        return I + m * skew(c) @ skew(c)

    def _step(self, places: tuple[int, ...]) -> Any:
        return self.printed.array(("A", "", 0, "", "", False), places, self.printed.point)

    def _to_axis(self, places: tuple[int, ...], at: Point) -> Any:
        name = ("rho", "", 0, "", "", False)
        return self.printed.array(name, places, at) if name in self.printed.arrays else np.zeros((3, 1))

    def _centre(self, link: Any) -> Any:
        m = self.printed.exact(link.inertia.m)
        known = link.com is not None
        return self.printed.vector(tuple(link.com if known else link.inertia.h)) / (1 if known or not m else m)

    def _of_row(self, key: str) -> Any:
        row = self.printed.rows[self.indices["link"] - 1]
        part, moving = getattr(row, key), "d" if row.slides else "theta"
        if key in ("theta", "alpha"):
            value = float(part.pi) * np.pi + float(part.radians)
            value += sum(float(n) * self.printed.symbols[of] for of, n in part.symbols)
        else:
            value = self.printed.exact(part.evaluate(self.eq.ring))
        if row.coordinate and key == moving:
            value += row.sign * self.printed.point.q[self.printed.coordinates.index(row.coordinate)]
        return np.array([[value]])

    def _twist(self, symbol: Symbol, places: tuple[int, ...]) -> Any:
        V = self.arm.twists
        twists = kinematics.twist_rates(self.arm) if symbol.dots else V
        return self.printed.vector(tuple(twists[places[0] - 1]))

    def _bracket(self, places: tuple[int, ...]) -> Any:
        V = np.ravel(self.printed.vector(tuple(self.arm.twists[places[0] - 1])))
        return np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])

    def _kinetic(self, at: Point) -> Any:
        M = self._quantity("M", at)
        rates = np.array(at.qd).reshape(-1, 1)
        if at == self.printed.point:
            return np.array([[self.printed.exact(self.eq.K.entries[0])]])
        return rates.T @ M @ rates / 2

    def _energy(self, at: Point) -> Any:
        springs = self.printed.array(("P", "", 0, "s", "", False), (), at)
        total = self._kinetic(at) + self._quantity("P", at)
        return total if springs is None else total + springs

    def _quantity(self, head: str, at: Point) -> Any:
        """A quantity by its letter, with a bar where the arm has that letter for itself."""
        bar = any(name[0] == head and name[5] for name in self.printed.arrays)
        return self._plain(Symbol(head, head, bar=bar), at)


def symbols_of(node: Any) -> Iterator[Symbol]:
    if isinstance(node, Symbol):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from symbols_of(part)


def letters_of(node: Any) -> set[str]:
    return {letter for symbol in symbols_of(node) for letter in general(symbol)[1]}


def kinds(symbol: Symbol, count: int) -> str:
    """Whether each index of a symbol counts links (l) or coordinates (q)."""
    if symbol.head == "m":
        return "l" if count == 1 else "q" * count
    return {"U": "lqq", "ℬ": "lq", "J": "lq"}.get(symbol.head, ("l" if symbol.head in LINKS else "q") * count)


def values_of(letter: str, nodes: Sequence[Any], printed: Printed) -> range:
    """All values of an index: links or coordinates, as the symbols have it that carry it."""
    for symbol in symbols_of(tuple(nodes)):
        letters = general(symbol)[1]
        if letter in letters:
            of_links = kinds(symbol, len(letters))[letters.index(letter)] == "l"
            return range(1, (len(printed.model.bodies) if of_links else len(printed.coordinates)) + 1)
    raise UnknownError(letter)


def laws(document: Document) -> Iterator[Formula]:
    """Every formula of a document's sentences, also of those in tables."""
    for block in document.blocks():
        cells = [cell for row in block.rows for cell in row] if isinstance(block, Table) and block.given else []
        for paragraph in (block, *cells):
            if isinstance(paragraph, Paragraph):
                yield from (part for part in paragraph.parts if isinstance(part, Formula))
