"""Lists the algorithms by which M, C and accelerations may be computed, and which may be shortest for a system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from qddot.physics.dynamics import Dynamics
    from qddot.robot.model import Model


class Algorithm(NamedTuple):
    """An algorithm computes a matrix or accelerations from a `TracedArm` or a `TracedChain`.

    along_base: whether it computes along the base's axes, where other frames of the links save nothing
    """

    name: str
    compute: Callable[[Any], Any]
    along_base: bool = False


COMPOSITE_M = Algorithm("composite bodies", lambda traced: traced.dynamics.mass_matrix())
COMPOSITE_C = Algorithm("composite bodies", lambda traced: traced.dynamics.coriolis_matrix(traced.tree))
M_ALONG_BASE = Algorithm("base axes", lambda traced: traced.dynamics.mass_matrix_along_base(), along_base=True)
C_ALONG_BASE = Algorithm("base axes", lambda traced: traced.dynamics.coriolis_matrix_along_base(), along_base=True)
BY_MASS_MATRIX = Algorithm("mass matrix", lambda traced: traced.accelerations())
ARTICULATED = Algorithm("articulated bodies", lambda traced: traced.articulated_accelerations())


def of_mass_matrix(dynamics: Dynamics) -> tuple[Algorithm, ...]:
    """Returns the algorithms for M that may take the fewest operations."""
    return (M_ALONG_BASE,) if dynamics.has_short_mass_matrix_along_base else (COMPOSITE_M,)


def of_coriolis_matrix(dynamics: Dynamics) -> tuple[Algorithm, ...]:
    """Returns the algorithms for C that may take the fewest operations."""
    return (C_ALONG_BASE,) if dynamics.has_short_coriolis_matrix_along_base else (COMPOSITE_C,)


def of_accelerations(model: Model) -> tuple[Algorithm, ...]:
    """Returns the algorithms for a model's accelerations."""
    follows = any(body.joint.ratio is not None for body in model.bodies)
    return (BY_MASS_MATRIX, ARTICULATED) if model.explicit is None and not follows else (BY_MASS_MATRIX,)
