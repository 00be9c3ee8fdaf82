"""Computes the conditions of closed chains for searches of configurations, before coordinates are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qddot.algebra.checked_arrays import numbers
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.calls import Calls
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.physics.independent import Independents
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel


def conditions_of(model: ClosedModel) -> Callable[..., tuple[Any, Any]]:
    """Returns the function of q, and of symbols by name, that returns φ and all rows of A."""
    calls = Calls(ClosedSystem(model, Independents((), (), ())))

    def conditions(q: Any, **symbols: Any) -> tuple[Any, Any]:
        phi, A = calls.results(FUNCTIONS["closure"], [numbers(q, "q", error=EvaluationError)], symbols)
        return phi, A

    return conditions
