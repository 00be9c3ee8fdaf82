"""A tolerance determines the order of a series and the length of its steps.

Each step leaves an error of about relative · max(|x|, absolute / relative), for the largest element of the state.
Sources: Jorba & Zou, *A Software Package for the Numerical Integration of ODEs by Means of High-Order Taylor Methods*,
2005, §3. Measurements show that a third more orders than theirs save more time than they cost.
"""

from __future__ import annotations

import math

MORE = 4 / 3  # orders for each one that the tolerance needs
ROUNDING = 1e-12


def order_for(relative: float) -> int:
    """Returns the order at which steps of e⁻² radii of convergence have an error equal to the tolerance."""
    return math.ceil(1 - math.log(relative) / 2)


def order(relative: float) -> int:
    """Returns the number of orders to which a series is expanded."""
    return max(6, round(MORE * order_for(relative)))


def share(relative: float) -> float:
    """Returns the step as a fraction of the radius of convergence, which the last orders estimate."""
    least = order_for(relative)
    return math.exp(-(2 + 0.7 / (least - 1)) * least / order(relative))


def defect(relative: float) -> float:
    """Returns the largest defect of a step, times its length and relative to the state's size, that is within it."""
    return max(100 * relative, ROUNDING)
