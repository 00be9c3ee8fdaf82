"""Computes the poses and velocities of an arm's links, by methods like those of `numeric.arm`."""
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qddot.machine.numeric.calls import Out, compiled, named_as_written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray


@named_as_written
class Kinematics:
    """These are the functions of an arm that do not depend on masses: poses and velocities of its links."""

    @compiled
    def forward_kinematics(
        self,
        q: ArrayLike,
        body: int | str | None = None,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns T_0b of a body's frame, shape (…, 4, 4).

        body: an index (negative from the end), a name, or "tool" for the tool's frame; by default the link that
        carries the tool, which is the last one unless the model says otherwise
        """

    @compiled
    def skeleton(
        self,
        q: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns points and axes for a drawing in the base frame [m], in arrays of shapes (…, bodies, 4, 3), (…, 3).

        The first contains for each body the joint's point before and after the joint's motion, the joint's axis and the
        frame's origin; the second is the tool's point.
        """

    @compiled
    def jacobian(
        self,
        q: ArrayLike,
        body: int | str | None = None,
        frame: str = "world",
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns J at the body frame's origin, linear then angular rows, in world or body axes, shape (…, 6, n).

        body: as in `forward_kinematics`
        """

    @compiled
    def jacobian_drift(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        body: int | str | None = None,
        frame: str = "world",
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns J̇ q̇ of the Jacobian with the same options, shape (…, 6).

        It is the acceleration of the body's frame at q̈ = 0, which other libraries call its bias acceleration, J̇ ν.
        """

    @compiled
    def contact_jacobian(
        self,
        q: ArrayLike,
        bodies: Sequence[int | str] | int | str | None = None,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the linear rows of J of several bodies' frames, in world axes, shape (…, 3·bodies, n).

        Its three rows for each body are the velocity of its frame's origin, in the order of the names: forces on these
        points along the world's axes give the torques Jᵀ f.
        bodies: their names or indices, each as in `forward_kinematics`, such as ["left_foot", "right_foot", "tool"]; by
        default the link that carries the tool
        """

    @compiled
    def contact_jacobian_drift(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        bodies: Sequence[int | str] | int | str | None = None,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns J̇ q̇ of the contact Jacobian of the same bodies, shape (…, 3·bodies) [m/s²].

        Contacts that stay where they are require J q̈ + J̇ q̇ = 0.
        """
