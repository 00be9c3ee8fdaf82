"""Describes the vectors of a kernel: their number of lanes, and the types of their numbers in registers and arrays."""

from __future__ import annotations

import struct
from functools import cached_property

from qddot.base.records import record

WIDTHS = {"double": 8, "float": 4}  # bytes
SUFFIXES = {"double": "f64", "float": "f32"}  # of LLVM's intrinsics
LINE = 64  # bytes of a cache line
AVX, AVX_512 = 32, 64  # bytes of a register; there are 16 and 32 of these


@record()
class Vectors:
    """These are vectors of `lanes` numbers: of type `real` in registers, of type `element` in arrays, double or float.

    Where the arrays are floats and the arithmetic is double, numbers are widened when they are loaded, and rounded when
    they are stored.
    """

    lanes: int
    real: str = "double"
    element: str = "double"

    @cached_property
    def reals(self) -> str:
        """Returns the type of a vector in registers."""
        return f"<{self.lanes} x {self.real}>"

    @cached_property
    def elements(self) -> str:
        """Returns the type of a vector in arrays."""
        return f"<{self.lanes} x {self.element}>"

    @cached_property
    def mask(self) -> str:
        """Returns the type of a mask of lanes."""
        return f"<{self.lanes} x i1>"

    @cached_property
    def suffix(self) -> str:
        """Returns the end of the names of LLVM's intrinsics over a vector in registers."""
        return f"v{self.lanes}{SUFFIXES[self.real]}"

    @property
    def is_widened(self) -> bool:
        """Returns whether numbers have different types in registers and in arrays."""
        return self.real != self.element

    @property
    def width(self) -> int:
        """Returns the bytes of an array's element."""
        return WIDTHS[self.element]

    @property
    def bytes(self) -> int:
        """Returns the bytes of a vector in registers."""
        return self.lanes * WIDTHS[self.real]

    def constant(self, value: float) -> str:
        """Returns a vector of equal numbers."""
        return "<" + ", ".join([f"{self.real} {bits(value, self.real)}"] * self.lanes) + ">"

    def chosen(self, count: int) -> str:
        """Returns the mask of the first lanes."""
        return "<" + ", ".join(f"i1 {int(k < count)}" for k in range(self.lanes)) + ">"


def bits(value: float, real: str = "double") -> str:
    """Returns a number in LLVM's hexadecimal notation, which is a double's for floats, too; these are rounded first."""
    rounded = struct.unpack("<f", struct.pack("<f", value))[0] if real == "float" else value
    return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}"
