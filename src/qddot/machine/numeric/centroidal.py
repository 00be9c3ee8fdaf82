"""Computes the motion of the centre of mass and the momentum about it, by methods like those of `numeric.arm`."""
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.machine.numeric.calls import Out, compiled, named_as_written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray


@named_as_written
class Centroidal:
    """These are the functions of an arm as a whole: its centre of mass, and the momentum of all links about it."""

    @compiled
    def centre_of_mass(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the centre of mass of all links in the base frame, shape (…, 3) [m].

        It is NaN where values of symbols leave no mass.
        raises EvaluationError: no link has a mass, or the equations are given entry by entry
        """

    @compiled
    def com_jacobian(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns J_com with ċ = J_com q̇, the velocity of the centre of mass of all links, shape (…, 3, n).

        Its axes are the world's. Of a closed chain it is J_com R, shape (…, 3, m).
        """

    @compiled
    def com_jacobian_drift(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns J̇_com q̇, the acceleration of the centre of mass at q̈ = 0, shape (…, 3) [m/s²].

        Of a closed chain it is that at u̇ = 0.
        """

    @compiled
    def centroidal_momentum_matrix(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns A_G with h_G = A_G q̇, linear then angular rows, shape (…, 6, n).

        h_G is the momentum of all links about their centre of mass, along the world's axes [kg·m/s, kg·m²/s]: the
        linear one is m ċ. Armature, which stands for rotors that the model has no links for, does not contribute. Of a
        closed chain it is A_G R, shape (…, 6, m).
        Source: Orin, Goswami & Lee, "Centroidal dynamics of a humanoid robot", Autonomous Robots 35, 2013.
        """

    @compiled
    def centroidal_momentum_drift(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns Ȧ_G q̇, the rate of the centroidal momentum at q̈ = 0, shape (…, 6) [N, N·m].

        A_G q̈ + Ȧ_G q̇ is the sum of all external forces, gravity included, and of their moments about the centre of
        mass. Of a closed chain Ȧ_G q̇ is the rate at u̇ = 0.
        """
