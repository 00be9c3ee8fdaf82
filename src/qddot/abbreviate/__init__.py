"""Short approximate equations whose error is known: numbers put in, small terms dropped, every entry with a
guaranteed bound of what was dropped over a region of motion.

As Armstrong, Khatib and Burdick did by hand: "The explicit dynamic model and inertial parameters of the PUMA 560
arm", ICRA 1986.
"""

from qddot.abbreviate.abbreviation import Abbreviated, abbreviate
from qddot.abbreviate.definite import Definiteness
from qddot.abbreviate.region import Region

__all__ = ["Abbreviated", "Definiteness", "Region", "abbreviate"]
