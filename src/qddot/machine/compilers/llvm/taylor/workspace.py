"""A Workspace is the layout of a series's coefficients in memory, in vectors over arms or over products."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property

from qddot.algebra.program.operations import CIRCULAR
from qddot.algebra.program.series import Operand, Series
from qddot.machine.compilers.llvm.lanes import fields_of_lanes, offsets
from qddot.machine.compilers.llvm.registers import AVX_512, Vectors
from qddot.machine.compilers.llvm.taylor.nodes import FIXED


class Workspace(ABC):
    """This is the memory of `lanes` arms, whose orders are computed in blocks.

    across: the vectors in which convolutions are summed
    block: the number of orders for which the terms of earlier orders are summed together, which saves loads
    turns: the number of orders in a block whose functions differ
    copies: the points of each arm in a vector of points at which a step is checked
    nodes: how many of them are the same in each step; the others are samples
    points: these vectors; those of the first points come first
    step: the bytes from a coefficient to that of the next order
    run: the bytes of an operand's coefficients, including one that stays zero
    """

    block: int
    turns: int
    copies: int
    nodes: int

    def __init__(self, series: Series, lanes: int, across: int) -> None:
        self.series, self.lanes = series, lanes
        self.of, self.across, self.points = Vectors(lanes), Vectors(across), Vectors(self.copies * lanes)
        self.step = self.across.bytes
        self.run = (series.order + 1) * self.step

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Returns where each part begins, in bytes, and the "size" of all."""
        state, unknown, parameters, guards = self.series.sizes
        d, order = self.of.bytes, self.series.order
        runs, sums = self.counts()
        return offsets(
            {
                "runs": runs * self.run,
                "sums": sums * self.block * self.step,
                **fields_of_lanes(self.of, state, parameters),
                "states": (order + 1) * state * d,
                "inverse": unknown * unknown * d,
                "constants": len(self.series.nodes) * d,
                "guards": guards * order * d,
                **self._fields_of_checks(),
            }
        )

    def _fields_of_checks(self) -> dict[str, int]:
        """Returns the parts that the check of a step needs, with their bytes.

        inner, slopes: states and rates of the polynomial at points; results: the rates called there, what remains of
        the residual, guards; nodes: rates and guards at the nodes of a step of fixed order; first: those at its start
        defects: the largest sums of their squares in a step, of the two parts of the state, which are relative to
        `scales`; apart: the largest of the guards, relative to their size
        trial: the step that is tried; fixed: 1 where it is of fixed order; recorded: the number of samples within it;
        near: that of `called`
        """
        state, unknown, _, guards = self.series.sizes
        wide, d = self.points.bytes, self.of.bytes
        groups = -(-FIXED // self.copies)
        return {
            "inner": state * wide,
            "slopes": state * wide,
            "results": (state + unknown + guards) * wide,
            "nodes": groups * (state + guards) * wide,
            "first": state * d,
            "scales": 2 * d,
            "defects": 2 * d,
            **dict.fromkeys(("apart", "trial", "fixed", "near", "recorded"), d),
        }

    @abstractmethod
    def counts(self) -> tuple[int, int]:
        """Returns the numbers of runs of coefficients, and of vectors of sums for each order of a block."""

    @abstractmethod
    def operand(self, convolution: Operand, side: int) -> int:
        """Returns where the coefficients of a convolution's left or right operand begin."""

    @abstractmethod
    def sum(self, convolution: Operand, turn: int) -> int:
        """Returns the place of the sum of a convolution's earlier terms, for one order of a block."""

    @abstractmethod
    def newest(self, convolution: Operand, turn: int) -> Iterator[tuple[int, int]]:
        """Yields the terms that an order adds itself: the side of the newer factor, and its age in orders."""

    def state(self, order: int, element: int) -> int:
        """Returns where a coefficient of the state lies."""
        return self.offsets["states"] + (order * self.series.sizes[0] + element) * self.of.bytes

    def guard(self, which: int, order: int) -> int:
        """Returns where a coefficient of a guard lies; those of all orders follow one another."""
        return self.offsets["guards"] + (which * self.series.order + order) * self.of.bytes


class ArmsInLanes(Workspace):
    """Each lane is an arm, and each operand has one run of coefficients."""

    copies = nodes = 2

    def __init__(self, series: Series, lanes: int) -> None:
        super().__init__(series, lanes, lanes)
        # with few registers, 64 Pandas take 15 % less time with blocks of three orders, 64 UR5s 40 % less
        self.block = self.turns = 4 if self.of.bytes == AVX_512 else 3
        self.places = {name: k for k, name in enumerate(series.convolutions)}
        used = dict.fromkeys(operand for pair in series.convolutions.values() for operand in pair)
        self.operands = {operand: k for k, operand in enumerate(used)}

    def counts(self) -> tuple[int, int]:
        return len(self.operands), len(self.places)

    def begin(self, operand: Operand) -> int:
        """Returns where an operand's coefficients begin."""
        return self.offsets["runs"] + self.operands[operand] * self.run

    def operand(self, convolution: Operand, side: int) -> int:
        return self.begin(self.series.convolutions[convolution][side])

    def sum(self, convolution: Operand, turn: int) -> int:
        return self.offsets["sums"] + (self.places[convolution] * self.block + turn) * self.step

    def newest(self, convolution: Operand, turn: int) -> Iterator[tuple[int, int]]:
        for age in range(1, turn + 1):
            yield from ((side, age) for side in (0, 1))


class ProductsInLanes(Workspace):
    """The lanes hold products of one arm; each product has its own copies of the coefficients of both operands.

    A vector is stored as a whole, since one that was stored in parts cannot be loaded again at once. First come the
    sines and cosines, which are computed in vectors, too; then the products that do not depend on unknowns; last those
    whose right factors depend on unknowns, and are computed so late that each order adds its newest term itself.
    """

    copies, nodes = 8, 4
    block, turns = 3, 1  # the Panda takes a fifth longer with single orders, and no less with blocks of four

    def __init__(self, series: Series, width: int) -> None:
        super().__init__(series, 1, width)
        names, late = list(series.convolutions), series.late
        circular = [name for name in names if name.kind in CIRCULAR and name.place in series.speeds]
        waiting = [name for name in names if series.convolutions[name][1].place in late]
        early = [name for name in names if name not in {*circular, *waiting}]
        parts = [self._divided(part) for part in (circular, early, waiting)]
        self.vectors = [names for part in parts for names in part]
        first, second = len(parts[0]), len(parts[0]) + len(parts[1])
        self.circular, self.early, self.late = range(first), range(first, second), range(second, len(self.vectors))
        # the vector and the lane of each product
        self.places = {name: (k, lane) for k, names in enumerate(self.vectors) for lane, name in enumerate(names)}

    def _divided(self, names: list[Operand]) -> list[list[Operand]]:
        return [names[k : k + self.across.lanes] for k in range(0, len(names), self.across.lanes)]

    @property
    def kinds(self) -> Iterator[range]:
        """Returns the vectors of each kind that has any."""
        return filter(None, (self.circular, self.early, self.late))

    def is_turning(self, name: Operand) -> bool:
        """Returns whether a convolution is of a sine or a cosine that is computed in a vector."""
        return self.places[name][0] in self.circular

    def counts(self) -> tuple[int, int]:
        return 2 * len(self.vectors), len(self.vectors)

    def row(self, vector: int, side: int) -> int:
        """Returns where the coefficients of one side of a vector of products begin."""
        return self.offsets["runs"] + (2 * vector + side) * self.run

    def operand(self, convolution: Operand, side: int) -> int:
        vector, lane = self.places[convolution]
        return self.row(vector, side) + 8 * lane

    def sum(self, convolution: Operand, turn: int) -> int:
        vector, lane = self.places[convolution]
        return self.offsets["sums"] + vector * self.block * self.step + 8 * lane

    def newest(self, convolution: Operand, turn: int) -> Iterator[tuple[int, int]]:
        if self.places[convolution][0] in self.late:
            yield 1, 1
