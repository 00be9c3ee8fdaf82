"""The two precisions of compiled numbers: how they round, and by how much."""

from __future__ import annotations

import math
import struct

from qddot.base.records import record


@record()
class Precision:
    """Numbers have `bits` significant bits; the least positive one is 2 ** (lowest)."""

    name: str
    bits: int
    lowest: int

    @property
    def unit(self) -> float:
        """Returns the largest relative error of one operation."""
        return 2.0**-self.bits

    @property
    def tiny(self) -> float:
        """Returns a bound of the error of a result that underflows gradually."""
        return math.ldexp(1.0, max(self.lowest, -1074))

    def half_ulp(self, size: float) -> float:
        """Returns the largest rounding error of numbers up to `size`."""
        return math.ldexp(self.unit, math.frexp(size)[1] - 1) if size else 0.0

    def nearest(self, value: float) -> float:
        """Returns the number of this precision that is nearest to a double."""
        return value if self.bits == 53 else float(struct.unpack("<f", struct.pack("<f", value))[0])


SINGLE = Precision("float32", 24, -149)
DOUBLE = Precision("float64", 53, -1074)
PRECISIONS = {each.name: each for each in (DOUBLE, SINGLE)}
