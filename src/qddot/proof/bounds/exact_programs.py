"""Traces the matrices of an arm's equations over exact constants, as functions of its coordinates alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from flint import arb

from qddot.algebra.expressions.angles import ONCE, QUARTER, Angle
from qddot.algebra.expressions.expression import PI
from qddot.algebra.numbers.balls import ball, ends, precise
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.program.graph import Graph, Symbolic
from qddot.algebra.program.operations import OPERATIONS
from qddot.algebra.program.program import Node, Port, Program
from qddot.algebra.spatial import inner
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.dynamics import SLID
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.effects.effect import Effect
from qddot.robot.symbol_values import refuse_missing

IRRATIONAL = "irrational"
FRICTION = "friction"  # the part of effects that oppose motion


class ExactProgram(NamedTuple):
    """A program whose constants are fractions, with enclosures of its irrational inputs; its other input is q."""

    program: Program
    irrational: Sequence[tuple[float, float]]

    @property
    def coordinates(self) -> list[int]:
        """Returns the places in q on which the results depend."""
        inputs = self.program.inputs
        nodes = [node for node in self.program.nodes if node.op == "input"]
        return sorted({node.element[1] for node in nodes if inputs[node.element[0]].name == "q"})


class EquationNodes:
    """The parts of a system's equation of motion as nodes of one graph, from which programs of some of them are made.

    M; Γ_ijk, whose sum over k with v_k is C(q, v); G; static: G and the springs' torques. Those of a closed chain are
    along the rates of its independent coordinates, as functions of all coordinates.
    n: the number of rates; integrable: whether they are rates of coordinates, so that Γ is symmetric in j and k
    raises QddotError: a symbol without a value
    """

    arm: TracedArm | TracedChain

    def __init__(self, system: System) -> None:
        model = system.tree
        symbols = {name: symbol.value for name, symbol in model.symbols.items() if symbol.value is not None}
        used = [name for name in model.symbols if name not in symbols]
        refuse_missing(used, model.name)
        self.system, self.model, self.graph, self.n = system, model, ExactGraph(), len(system.rates)
        self.q = self.graph.input("q", (model.n,))
        traced = TracedArm(model, self.graph, {"q": self.q}, symbols, kind=ExactNodes)
        self.arm = self.tree = traced.in_frames(SLID) if model.explicit is None else traced
        if isinstance(system, ClosedSystem):
            self.arm = TracedChain(self.tree, system)
        self.integrable = not isinstance(system, ClosedSystem) or system.model.integrable

    @cached_property
    def M(self) -> list[list[Any]]:
        return self.arm.dynamics.mass_matrix()

    @cached_property
    def gravity(self) -> list[Any]:
        return self.arm.dynamics.gravity_torques()

    @cached_property
    def static(self) -> list[Any]:
        return self.arm.dynamics.inverse_dynamics()

    def pushed(self, i: int) -> Sequence[int]:
        """Returns the rates with which viscous friction in the i-th equation grows."""
        return [i] if self.arm is self.tree else range(self.n)

    def viscous(self, i: int) -> list[Any]:
        """Returns the coefficients of viscous friction in the i-th equation, one for each rate in `pushed`."""
        own = self._coefficients(lambda kind: kind.power == 1)
        if isinstance(self.arm, TracedChain):
            columns = self.arm.columns
            own = [inner([x * c for x, c in zip(columns[i], own, strict=True)], columns[j]) for j in range(self.n)]
        return [own[j] for j in self.pushed(i)]

    def drag(self, i: int) -> Any:
        """Returns the coefficient of drag in the i-th equation of an arm, whose own rate it depends on; else 0."""
        return 0 if isinstance(self.arm, TracedChain) else self._coefficients(lambda kind: kind.power == 2)[i]

    def dry(self, i: int, rates: Sequence[float]) -> Any:
        """Returns the most that dry friction adds to the i-th equation, and drag to that of a chain.

        rates: the largest sizes of the equations' rates, from which those of a chain's joints follow as Σ |R| rates
        """
        own = self._coefficients(lambda kind: kind.power == 0 and kind.uses == "sign")
        if not isinstance(self.arm, TracedChain):
            return own[i]
        sizes = [[each.apply("maximum", -each) for each in map(self.graph.lifted, c)] for c in self.arm.columns]
        fastest = [inner(row, map(self.graph.constant, rates)) for row in zip(*sizes, strict=True)]
        drag = self._coefficients(lambda kind: kind.power == 2)
        most = [f + d * (v * v) if d else f for f, d, v in zip(own, drag, fastest, strict=True)]
        return inner(sizes[i], most)

    def _coefficients(self, is_one: Callable[[Effect], bool]) -> list[Any]:
        """Returns the sums of the coefficients of some kinds of friction for all joints."""
        total: list[Any] = [0] * self.model.n
        for each in self.tree.links.effects:
            if each.effect.part == FRICTION and is_one(each.effect):
                total[each.dof] = total[each.dof] + each.coefficient
        return total

    @cached_property
    def stiffness(self) -> list[list[Any]]:
        return self.arm.by_q(self.gravity)

    @cached_property
    def christoffel(self) -> list[list[list[Any]]]:
        """Returns Γ_ijk = ½(∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i).

        With rolling wheels, ∂/∂q_k are derivatives along the columns of R, and ½([kj]_i − [ki]_j − [ji]_k) is added,
        with the brackets [kj]_i = R_iᵀ M (∂R_j/∂q_k − ∂R_k/∂q_j), which are zero for rates of coordinates.
        Source: Koszul's formula (do Carmo, *Riemannian Geometry*, 1992, §2.3).
        """
        n = range(self.n)
        pairs = [(i, j) for i in n for j in n if j <= i]
        rows = self.arm.by_q([self.M[i][j] for i, j in pairs])
        slopes, half = dict(zip(pairs, rows, strict=True)), self.graph.constant(0.5)
        bracket = self._brackets()

        def dM(i: int, j: int, k: int) -> Any:
            return slopes[max(i, j), min(i, j)][k]

        def gamma(i: int, j: int, k: int) -> Any:
            symmetric = dM(i, j, k) + dM(i, k, j) - dM(j, k, i)
            return (symmetric + bracket(k, j, i) - bracket(k, i, j) - bracket(j, i, k)) * half

        return [[[gamma(i, j, k) for k in n] for j in n] for i in n]

    def _brackets(self) -> Callable[[int, int, int], Any]:
        """Returns the function of k, j and i that has [kj]_i."""
        if self.integrable or not isinstance(self.arm, TracedChain):
            return lambda k, j, i: 0
        columns, M = self.arm.columns, self.tree.dynamics.mass_matrix()
        momenta = [[inner(row, column) for row in M] for column in columns]
        slopes = [self.arm.by_q(list(map(self.graph.lifted, column))) for column in columns]

        def bracket(k: int, j: int, i: int) -> Any:
            return inner([a[k] - b[j] for a, b in zip(slopes[j], slopes[k], strict=True)], momenta[i])

        return bracket

    def quadratic(self, i: int) -> list[list[Any]]:
        """Returns the symmetric matrix of the terms with products of rates in the i-th equation."""
        rows, n, half = self.christoffel[i], range(self.n), self.graph.constant(0.5)
        return rows if self.integrable else [[(rows[j][k] + rows[k][j]) * half for k in n] for j in n]

    @property
    def loops(self) -> tuple[list[Any], list[list[Any]]]:
        """Returns φ of a closed chain's loops, and all rows of A."""
        assert isinstance(self.arm, TracedChain)
        return self.arm.closure()

    def program(self, outputs: Mapping[str, Any]) -> ExactProgram:
        """Returns the program of nested lists of nodes, by name."""
        return ExactProgram(self.graph.program(self.model.name, outputs), [ends(x) for x in self.graph.irrational])


class ExactGraph(Graph):
    """The constants of this graph are fractions; the irrational ones, in `irrational`, are elements of an input.

    Differences of positions do not depend on where a base stands, since the common terms of long sums cancel.
    """

    cancels = 6

    def __init__(self) -> None:
        super().__init__()
        self.irrational: list[arb] = []
        self._elements: dict[str, Symbolic] = {}
        self._port = -1

    def number(self, value: Any) -> Any:
        return Fraction(value)

    def applied(self, function: str, *values: Any) -> Symbolic:
        operation = OPERATIONS[function]
        if not operation.analytic:
            return self.constant(operation.value(*values))
        return self.irrational_of(f"{function}{values}", lambda: operation.ball(*map(ball, values)))

    def irrational_of(self, key: str, value: Callable[[], arb]) -> Symbolic:
        """Returns the node of a number that a ball encloses; its definition is the key."""
        if key not in self._elements:
            if self._port < 0:
                self._port = len(self.ports)
                self.ports.append(Port(IRRATIONAL, (0,)))
            place = self.place(Node("input", element=(self._port, len(self.irrational))))
            self._elements[key] = Symbolic(self, place)
            with precise():
                self.irrational.append(value())
            self.ports[self._port] = Port(IRRATIONAL, (len(self.irrational),))
        return self._elements[key]


class ExactNodes(GraphNumbers):
    """This kind of number has the nodes of an ExactGraph, so that dynamics become a Program without rounding.

    `symbols` has the expressions of the symbols' values.
    """

    graph: ExactGraph

    def rational(self, value: Fraction) -> Symbolic:
        return self.graph.constant(value)  # type: ignore[arg-type]  # the numbers of this graph are fractions

    def symbol(self, name: str) -> Any:
        if name != PI:
            value = self.symbols[name].evaluate(self)
            return value if isinstance(value, Symbolic) else self.graph.constant(value)
        return self.graph.irrational_of(PI, arb.pi)

    def root(self, of: int) -> Symbolic:
        return self.graph.irrational_of(f"sqrt({of})", lambda: arb(of).sqrt())

    def circular(self, angle: Angle) -> tuple[Symbolic, Symbolic]:
        """Returns (cos, sin) of a constant angle; those of whole quarter turns are 0 or ±1."""
        quarters = angle.pi / QUARTER
        if not angle.symbols and not angle.radians and quarters.denominator == 1:
            c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(quarters) % 4]
            return self.graph.constant(c), self.graph.constant(s)
        radians: Any = self.rational(angle.radians)
        if angle.pi:
            radians = radians + self.symbol(PI) * self.rational(angle.pi)
        for name, n in angle.symbols:
            radians = radians + self.symbol(name) * self.rational(n)
        return radians.apply("cos"), radians.apply("sin")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        angle = self.q[name] * self.rational(times)
        return angle.apply("cos"), angle.apply("sin")
