"""Runs SciPy's Radau IIA with an error estimate that does not miss kinks.

SciPy repeats the estimate of a large error e with the rates f(y + e), which may lie beyond a kink and then hide it.
Here the rates are f + J e, as in the compiled steps.
"""

from __future__ import annotations

from typing import Any

from scipy.integrate import Radau


class OneSidedRadau(Radau):  # type: ignore[misc]
    """This has one estimate changed: SciPy asks for rates at a step's beginning again for that one alone."""

    fun: Any

    def __init__(self, rates: Any, t0: float, y0: Any, t_bound: float, **options: Any) -> None:
        super().__init__(rates, t0, y0, t_bound, **options)
        evaluated = self.fun

        def near(t: float, y: Any) -> Any:
            return self.f + self.J @ (y - self.y) if t == self.t else evaluated(t, y)

        self.fun = near
