"""Abbreviated equations have numbers in place of symbols and no small terms.

Every entry has a guaranteed bound of its error over a region of motion. Armstrong, Khatib and Burdick
did this by hand: "The explicit dynamic model and inertial parameters of the PUMA 560 arm", ICRA 1986.
"""

from qddot.exact.forms.abbreviate.abbreviated import Abbreviated
from qddot.exact.forms.abbreviate.abbreviated_chain import AbbreviatedChain
from qddot.exact.forms.abbreviate.abbreviation import Asked, abbreviate
from qddot.exact.forms.abbreviate.chains import abbreviate_chain
from qddot.exact.forms.abbreviate.definite import Definiteness
from qddot.exact.forms.abbreviate.region import Region

__all__ = ["Abbreviated", "AbbreviatedChain", "Asked", "Definiteness", "Region", "abbreviate", "abbreviate_chain"]
