"""Computes motions and torques of motors, by methods like those of `numeric.arm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import named_as_written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from qddot.machine.numeric.elastic_motion import ElasticMotion
    from qddot.physics.systems import System


@named_as_written
class Drives:
    """These are the functions of the motors of an arm, or of a closed chain's links: gears and elastic joints."""

    system: System

    def elastic_motion(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, q3: ArrayLike, q4: ArrayLike
    ) -> ElasticMotion:
        """Returns how motors of elastic joints must move, and their torques, so that the links move as asked.

        q … q4: the coordinates of the links and their four time derivatives, (…, m) without those of motors [rad or m,
        per s up to s⁴]. Returns q, q̇ and q̈ of links and motors, and τ, each (…, n), exactly zero where no motor is:
        θ = q + r / k with the torque r that the link requires, θ̇ and θ̈ by its exact rates along the motion, and
        τ = B θ̈ + friction + k (θ − q). Symbols have their default values. With dry friction in a link, r and so θ
        jump where that link turns round, which no motor follows.
        raises EvaluationError: no elastic joint, one with damping or a cubic spring, a ball or a free joint, a motor
            whose rotor stands on a link that moves, which makes the links feel θ̈, or loops
        Source: De Luca & Lucibello, "A general algorithm for dynamic feedback linearization of robots with elastic
        joints", ICRA 1998.
        """
        with installed():
            from qddot.machine.numeric.elastic_motion import elastic_motion

        return elastic_motion(self.system, (q, qd, qdd, q3, q4))

    def gear_ratios(self) -> NDArray[np.float64]:
        """Returns A of q_m = A q, with a row for each rotor and a column for each coordinate that has a motor.

        raises EvaluationError: A is not square and regular: the motors do not determine the joints, or the joints them
        """
        with installed():
            from qddot.machine.numeric import gearing

        ratios: NDArray[np.float64] = gearing.ratios(self.system.tree)
        return ratios

    def motor_torques(
        self, tau: ArrayLike, qd: ArrayLike | None = None, efficiency: ArrayLike = 1.0
    ) -> NDArray[np.float64]:
        """Returns the torques of the motors, before their gears, for torques τ in the joints: τ_m = A⁻ᵀ τ.

        tau: (…, n), of which joints without motors are ignored; qd: q̇, (…, n), needed for an efficiency below 1
        efficiency: η of the gears in (0, 1], a number or one for each motor: a motor that drives gives τ_m / η, one
            that is driven, or at rest, η τ_m. What its rotor and friction need is in τ already
        raises EvaluationError: as `gear_ratios`, another η or shape, or an η below 1 without q̇
        Source: Siciliano et al., *Robotics*, 2009, §5.1.
        """
        with installed():
            from qddot.machine.numeric import gearing

        torques: NDArray[np.float64] = gearing.motor_torques(self.system.tree, tau, qd, efficiency)
        return torques

    def joint_torques(
        self, tau_m: ArrayLike, qd: ArrayLike | None = None, efficiency: ArrayLike = 1.0
    ) -> NDArray[np.float64]:
        """Returns the torques in the joints, (…, n), for torques of the motors, (…, m), before their gears: τ = Aᵀ τ_m.

        This is the inverse of `motor_torques`, with the same other arguments and errors.
        """
        with installed():
            from qddot.machine.numeric import gearing

        torques: NDArray[np.float64] = gearing.joint_torques(self.system.tree, tau_m, qd, efficiency)
        return torques
