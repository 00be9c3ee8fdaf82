"""The base parameters: which combinations of the inertial parameters the motion can tell apart.

τ = Y π is linear in the ten parameters of every body. Columns of Y that depend on each other for every motion
belong to parameters that no motion can separate. Since Y is what Lagrange's operator makes of the energies, and
that operator takes nothing but constants to zero, columns of Y depend on each other as the energies K + P of the
parameters do, up to constants. Four steps, a file each: `relations` decides which columns depend on which, modulo
primes, at the very angles of the model; `shares` finds the coefficients exactly, `enclosures` bounds them where
angles had to be rounded, and `check` holds the answer against the regressor. Sources: Gautier & Khalil, "Direct
calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6, 1990; Khalil & Dombre, *Modeling,
Identification and Control of Robots*, 2002, §9.4.
"""

from qddot.forms.base.find import base_parameters
from qddot.forms.base.parameters import BaseParameter, BaseParameters, Share

__all__ = ["BaseParameter", "BaseParameters", "Share", "base_parameters"]
