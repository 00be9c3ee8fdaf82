"""A Workspace says where the coefficients of a series lie in memory, in vectors over arms or over products.

Over arms, a lane is an arm, and each operand has one run of coefficients. One arm alone has its products in the lanes:
both operands of a product have runs of their own, so that one vector operation serves several products.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from qddot.compilers.llvm.lanes import offsets, parts_of_lanes
from qddot.compilers.llvm.registers import Vectors
from qddot.program.program import Program
from qddot.program.series import Operand, Series

ONE_ARM, ARMS = (1,), (0, 1, 2, 3)  # how many of the newest terms each order of a block adds by itself


@dataclass(frozen=True)
class Workspace:
    """This is the memory of `lanes` arms; `width` products are in a vector where there is one arm."""

    series: Series
    lanes: int
    width: int

    @property
    def is_single(self) -> bool:
        return self.lanes == 1

    @property
    def late(self) -> tuple[int, ...]:
        """Returns, for each order of a block, how many of the newest terms on either side it adds by itself.

        A vector that was just stored in parts cannot be loaded yet, so that one arm keeps away from the newest order.
        Several arms take four orders at a time, which saves loads.
        """
        return ONE_ARM if self.is_single else ARMS

    @property
    def direct(self) -> int:
        """Returns the first order that is computed in blocks; the orders before it have sums of their own."""
        return 3 if self.is_single else len(ARMS)

    @cached_property
    def of(self) -> Vectors:
        """Returns the vectors over arms."""
        return Vectors(self.lanes)

    @cached_property
    def across(self) -> Vectors:
        """Returns the vectors over products."""
        return Vectors(self.width) if self.is_single else self.of

    @property
    def program(self) -> Program:
        return self.series.program

    @cached_property
    def operands(self) -> dict[Operand, int]:
        """Returns the run of each operand, where lanes are arms."""
        used = [operand for pair in self.series.convolutions.values() for operand in pair]
        return {operand: k for k, operand in enumerate(dict.fromkeys(used))}

    @cached_property
    def places(self) -> dict[Operand, int]:
        """Returns the place of each convolution."""
        return {name: k for k, name in enumerate(self.series.convolutions)}

    @property
    def groups(self) -> int:
        """Returns the number of vectors of products of one arm."""
        return -(-len(self.places) // self.width)

    @property
    def run(self) -> int:
        """Returns the bytes of a run of coefficients."""
        return (self.series.order + 1) * self.across.bytes

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Returns where each part begins, in bytes, and the "size" of all."""
        state, unknown, parameters, guards = self.series.sizes
        d, order = self.of.bytes, self.series.order
        runs = 2 * self.groups if self.is_single else len(self.operands)
        sums = self.groups * self.across.bytes if self.is_single else len(self.places) * len(self.late) * d
        return offsets(
            {
                "runs": runs * self.run,
                "sums": sums,
                **parts_of_lanes(self.of, state, parameters),
                "states": (order + 1) * state * d,
                "inverse": unknown * unknown * d,
                "constants": len(self.program.nodes) * d,
                "guards": guards * order * d,
            }
        )

    def state(self, order: int, element: int) -> int:
        """Returns where a coefficient of the state lies."""
        return self.offsets["states"] + (order * self.series.sizes[0] + element) * self.of.bytes

    def guard(self, which: int, order: int) -> int:
        """Returns where a coefficient of a guard lies; those of all orders follow one another."""
        return self.offsets["guards"] + (which * self.series.order + order) * self.of.bytes

    def operand(self, convolution: Operand, side: int) -> int:
        """Returns where the coefficients of a convolution's left or right operand begin."""
        if self.is_single:
            group, lane = divmod(self.places[convolution], self.width)
            return self.offsets["runs"] + (2 * group + side) * self.run + 8 * lane
        return self.offsets["runs"] + self.operands[self.series.convolutions[convolution][side]] * self.run

    def stored(self, operand: Operand) -> list[int]:
        """Returns where an operand's coefficients begin, once for every place that reads them."""
        if not self.is_single:
            return [self.operand_run(operand)] if operand in self.operands else []
        pairs = self.series.convolutions.items()
        return [self.operand(name, side) for name, pair in pairs for side in (0, 1) if pair[side] == operand]

    def operand_run(self, operand: Operand) -> int:
        return self.offsets["runs"] + self.operands[operand] * self.run

    def sum(self, convolution: Operand, turn: int) -> int:
        """Returns where the known part of a convolution lies, for one order of a block."""
        place = self.places[convolution]
        if self.is_single:
            return self.offsets["sums"] + 8 * place
        return self.offsets["sums"] + (place * len(self.late) + turn) * self.of.bytes
