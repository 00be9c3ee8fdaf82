"""What short models of arms and of closed chains have in common: their functions in numbers, and what these take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from qddot.machine.numeric.numeric_system import NumericSystem

if TYPE_CHECKING:
    from qddot.algebra.program.program import Program


class ShortModel(ABC):
    """This is a short model, whose functions take fewer operations than those of the exact one.

    _in_numbers, _exact_in_numbers: the functions of both
    """

    @property
    @abstractmethod
    def _in_numbers(self) -> NumericSystem: ...
    @property
    @abstractmethod
    def _exact_in_numbers(self) -> NumericSystem: ...

    def program(self, function: str = "inverse_dynamics") -> Program:
        """Returns a function as straight-line code, as `Robot.program` and `ClosedChain.program` do."""
        return self._in_numbers.program(function)

    @cached_property
    def operations(self) -> int:
        """Returns the number of operations of compiled inverse dynamics, without sines and cosines."""
        return self.program().total_operations

    @cached_property
    def exact_operations(self) -> int:
        """Returns the number of operations of the exact model's inverse dynamics."""
        return self._exact_in_numbers.program("inverse_dynamics").total_operations
