"""Base parameters are the combinations of inertial parameters that motion can identify.

τ = Y π is linear in the ten parameters of every body. Columns of Y that depend on each other for every motion
belong to parameters that no motion can separate. Lagrange's operator turns the energies into Y, and only constants into
zero; so columns of Y have the same linear relations as the energies K + P of the parameters, up to constants. There are
five steps, one per file: `relations` decides modulo primes which columns depend on which, at the model's exact angles;
`special_values` puts in the defaults that make more of them depend; `elimination` computes the coefficients exactly;
`share_errors` bounds their errors if angles had to be rounded; `verify_base` checks the result with the regressor.
Sources: Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6,
1990; Khalil & Dombre, *Modeling, Identification and Control of Robots*, 2002, §9.4.
"""

from qddot.exact.forms.base.find import base_parameters
from qddot.exact.forms.base.parameters import BaseParameter, BaseParameters, ParameterShare

__all__ = ["BaseParameter", "BaseParameters", "ParameterShare", "base_parameters"]
