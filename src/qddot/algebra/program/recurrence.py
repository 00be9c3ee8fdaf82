"""Defines Recurrence: programs that advance a state step by step."""

from __future__ import annotations

import hashlib

from qddot.algebra.program.program import Program, ProgramError
from qddot.base.records import record
from qddot.base.words.message import Listed

DUE = 2  # the element of a row that decides whether the sampled program runs at the end of the step
PORTS = ("state", "inner", "row", "parameters")
UNSETTLED = 2  # the column of the log after STATUS and STEPS: the first step that did not converge
COLUMNS = 3  # columns of the log


@record()
class Recurrence:
    """A recurrence steps a state: the inner program runs several times, then the outer program returns the next state.

    Both programs take the ports `state` (m,), `inner` (k,), `row` (r,) and `parameters` (p,). The inner program
    returns the next value of `inner`. The outer program returns the state and `guards`; a guard above zero, or a
    state that is not finite, stops the arm of a batch before the step.

    start: for each element of `inner`, the element of the state that it starts from
    repeats: the number of runs of the inner program, each with its own row
    tolerance: if it is not zero, the inner program has one row per step and also returns a `scale` (k,); it runs until
        no element changes by more than tolerance · (scale + magnitude), at most `repeats` times
    sampled: a program over the same ports that returns a changed state; it runs on the new state after the outer
        program, in those steps whose first row is nonzero at DUE
    """

    inner: Program
    outer: Program
    start: tuple[int, ...]
    repeats: int
    tolerance: float = 0.0
    sampled: Program | None = None

    def __post_init__(self) -> None:
        others = [self.outer, *([self.sampled] if self.sampled else [])]
        names = [tuple(port.name for port in program.inputs) for program in (self.inner, *others)]
        if set(names) != {PORTS} or any(other.inputs != self.inner.inputs for other in others):
            raise ProgramError("recurrence-ports", names=names, expected=Listed(PORTS))
        sizes = [port.size for port in (*self.inner.outputs, self.outer.outputs[0])]
        sizes += [port.size for port in self.sampled.outputs] if self.sampled else []
        expected_sizes = [*[self.inner_size] * (2 if self.tolerance else 1), *[self.state_size] * len(others)]
        if sizes != expected_sizes or len(self.start) != self.inner_size:
            raise ProgramError("recurrence-sizes-differ")

    @property
    def state_size(self) -> int:
        return self.inner.inputs[0].size

    @property
    def inner_size(self) -> int:
        return self.inner.inputs[1].size

    @property
    def row_size(self) -> int:
        return self.inner.inputs[2].size

    @property
    def parameter_size(self) -> int:
        return self.inner.inputs[3].size

    @property
    def stages(self) -> int:
        """Returns the number of rows for one step."""
        return 1 if self.tolerance else self.repeats

    @property
    def hash(self) -> str:
        """Returns a fingerprint of everything that the code depends on."""
        sampled = self.sampled.hash if self.sampled else ""
        parts = (self.inner.hash, self.outer.hash, sampled, str(self.start), str(self.repeats), repr(self.tolerance))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
