"""Lists the functions of systems: their arrays and options, and how they are computed from the dynamics.

FUNCTIONS is the only list, for trees, equations that are given entry by entry, and closed chains: `trace` and `numeric`
use it, and a test compares it with the methods and their table in the documentation. A computation takes a `TracedArm`
or a `TracedChain`. This file does not import the dynamics, so that listing a robot's methods is fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.base.records import record
from qddot.machine.tracing import computations
from qddot.machine.tracing.algorithms import (
    BY_MASS_MATRIX,
    COMPOSITE_C,
    COMPOSITE_M,
    Algorithm,
    of_accelerations,
    of_coriolis_matrix,
    of_mass_matrix,
)
from qddot.machine.tracing.options import OPTIONS
from qddot.machine.tracing.ports import DRIVEN, INPUTS, MOTION, REFERENCE, STATE, WRENCHES, PortRecord, of_joints, port

if TYPE_CHECKING:
    from qddot.machine.tracing.computations import Traced
    from qddot.machine.tracing.traced import TracedArm


@record(eq=False)
class Function:
    """A function of a system has input arrays, a computation of its outputs, and options.

    sentence: what it returns; inputs: the arrays that it takes
    compute: returns the entries of the only output, or of all outputs in their order, from what is traced and options
    pushed: whether it accepts external wrenches
    usual: the algorithm that suits every system, if `compute` takes one; algorithms: those that may be shortest
    of_loops: whether only closed chains have it
    """

    name: str
    sentence: str
    inputs: tuple[PortRecord, ...]
    outputs: tuple[PortRecord, ...]
    compute: Callable[..., Any]
    options: tuple[str, ...] = ()
    pushed: bool = False
    usual: Algorithm | None = None
    algorithms: Callable[[TracedArm], tuple[Algorithm, ...]] | None = None
    of_loops: bool = False

    def plainly(self, traced: Traced, **options: Any) -> dict[str, Any]:
        """Returns `results` by the algorithm that suits every system, if there are several."""
        by = {"algorithm": self.usual} if self.usual else {}
        return self.results(traced, **by, **options)

    @cached_property
    def units(self) -> dict[str, str]:
        """Returns the units of the outputs, by name."""
        return {port.name: port.unit for port in self.outputs}

    @property
    def arrays(self) -> tuple[str, ...]:
        """Returns the names of the arrays that it takes."""
        return tuple(port.name for port in self.inputs)

    def results(self, traced: Traced, **options: Any) -> dict[str, Any]:
        """Returns the entries of all outputs, by name."""
        entries = self.compute(traced, **options)
        names = [port.name for port in self.outputs]
        return dict(zip(names, entries if len(names) > 1 else [entries], strict=True))

    @property
    def parameters(self) -> tuple[str, ...]:
        """Returns the names of all arrays and options, in the order of a call."""
        return (*self.arrays, *((WRENCHES,) if self.pushed else ()), *self.options)

    @property
    def divided(self) -> bool:
        """Returns whether the function divides by M, as those of torques do."""
        return "tau" in self.arrays

    @cached_property
    def with_wrenches(self) -> Function:
        """Returns the same function with external wrenches among its arrays."""
        return replace(self, inputs=(*self.inputs, INPUTS[WRENCHES]), pushed=False)

    def chosen(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Returns those of the values that are options and not defaults, as plain values by name.

        raises EvaluationError: an option cannot have this value
        """
        plain = {name: OPTIONS[name].plain(values[name]) for name in self.options if name in values}
        return {name: value for name, value in plain.items() if value != OPTIONS[name].usual}


Q = INPUTS["q"]
QDD = of_joints("qdd", "velocities", "the accelerations of all joints")
FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function(
            "inverse_dynamics",
            "τ = M q̈ + h + G + springs + friction − Σ Jᵀ wrenches",
            MOTION,
            (of_joints("tau", "rates", "the torques and forces that the motion requires"),),
            lambda traced: traced.dynamics.inverse_dynamics(),
            pushed=True,
        ),
        Function(
            "forward_dynamics",
            "q̈ = M⁻¹ (τ − bias + Σ Jᵀ wrenches)",
            DRIVEN,
            (QDD,),
            lambda traced, algorithm: algorithm.compute(traced),
            pushed=True,
            usual=BY_MASS_MATRIX,
            algorithms=lambda traced: of_accelerations(traced.model),
        ),
        Function(
            "state_derivative",
            "(q̇, q̈)",
            DRIVEN,
            (port("xd", "the rates of q, then the accelerations", "states"),),
            lambda traced, algorithm: [*traced.tree.position_rates, *algorithm.compute(traced)],
            usual=BY_MASS_MATRIX,
            algorithms=lambda traced: of_accelerations(traced.model),
        ),
        Function(
            "mass_matrix",
            "the mass matrix M(q), armature included",
            (Q,),
            (port("M", "the mass matrix", "rates", "rates"),),
            lambda traced, algorithm: algorithm.compute(traced),
            usual=COMPOSITE_M,
            algorithms=lambda traced: of_mass_matrix(traced.dynamics),
        ),
        Function(
            "coriolis_matrix",
            "C with C_ij = Σ_k Γ_ijk q̇_k, so that Ṁ − 2C is skew",
            STATE,
            (port("C", "the Coriolis matrix", "rates", "rates"),),
            lambda traced, algorithm: algorithm.compute(traced),
            usual=COMPOSITE_C,
            algorithms=lambda traced: of_coriolis_matrix(traced.dynamics),
        ),
        Function(
            "coriolis_torque",
            "C(q, q̇) q̇_r with C of `coriolis_matrix`",
            REFERENCE[:-1],
            (of_joints("Cv", "rates", "the Coriolis matrix times the reference rates", "tau"),),
            lambda traced: traced.dynamics.coriolis_torques(*traced.reference),
        ),
        Function(
            "slotine_torque",
            "M q̈_r + C(q, q̇) q̇_r + G + springs + friction",
            REFERENCE,
            (of_joints("tau", "rates", "the torques that a passive controller feeds forward"),),
            lambda traced: traced.dynamics.slotine_torques(*traced.reference),
        ),
        Function(
            "gravity",
            "G(q) = ∂P/∂q, gravity alone",
            (Q,),
            (of_joints("G", "rates", "the torques of gravity", "tau"),),
            lambda traced: traced.dynamics.gravity_torques(),
        ),
        Function(
            "bias",
            "inverse dynamics at q̈ = 0, friction and springs included",
            STATE,
            (of_joints("bias", "rates", "the torques that are required without accelerations", "tau"),),
            lambda traced: traced.dynamics.bias(),
        ),
        Function(
            "kinetic_energy",
            "½ q̇ᵀ M q̇, armature included",
            STATE,
            (port("K", "the kinetic energy", unit="J"),),
            lambda traced: traced.dynamics.kinetic_energy(),
        ),
        Function(
            "potential_energy",
            "P = −Σ m gᵀ p_c, zero at the world's origin, without springs",
            (Q,),
            (port("P", "the potential energy of gravity", unit="J"),),
            lambda traced: traced.dynamics.potential_energy(),
        ),
        Function(
            "momentum",
            "p = M q̇",
            STATE,
            (port("p", "the momentum of each rate", "rates"),),
            lambda traced: traced.dynamics.momentum(),
        ),
        Function(
            "reactions",
            "the wrench that each body's parent exerts on it",
            MOTION,
            (port(WRENCHES, "the force and moment on each body, in its axes", "bodies", 6, unit="N, N m"),),
            lambda traced: [[*wrench.f, *wrench.n] for wrench in traced.reactions()],
        ),
        Function(
            "regressor",
            "the regressor Y with τ = Y π for the bodies",
            MOTION,
            (port("Y", "the factors of the dynamic parameters", "rates", ""),),
            computations.regressor,
            ("armature", "friction"),
        ),
        Function(
            "slotine_regressor",
            "the regressor Y with `slotine_torque` = Y π for the bodies",
            REFERENCE,
            (port("Y", "the factors of the dynamic parameters", "rates", ""),),
            computations.slotine_regressor,
            ("armature", "friction"),
        ),
        Function(
            "forward_kinematics",
            "T_0b of a body's frame",
            (Q,),
            (port("T", "the pose of the body's frame in the base frame", 4, 4),),
            computations.forward_kinematics,
            ("body",),
        ),
        Function(
            "skeleton",
            "points and axes for a drawing in the base frame",
            (Q,),
            (
                port("bodies", "the joint before and after its motion, its axis, the body's origin", "bodies", 4, 3),
                port("tool", "the tool's point", 3, unit="m"),
            ),
            computations.skeleton,
        ),
        Function(
            "jacobian",
            "J at the body frame's origin, linear then angular rows",
            (Q,),
            (port("J", "the velocity of the body's frame for each rate", 6, "rates"),),
            computations.jacobian,
            ("body", "frame"),
        ),
        Function(
            "jacobian_drift",
            "J̇ q̇ of the Jacobian with the same options",
            STATE,
            (port("Jdot_qd", "the acceleration of the body's frame without those of the rates", 6),),
            computations.jacobian_drift,
            ("body", "frame"),
        ),
        Function(
            "contact_jacobian",
            "the linear rows of J of several bodies' frames, in world axes",
            (Q,),
            (port("J", "the velocities of the frames' origins for each rate", "", "rates"),),
            computations.contact_jacobian,
            ("bodies",),
        ),
        Function(
            "contact_jacobian_drift",
            "J̇ q̇ of the contact Jacobian of the same bodies",
            STATE,
            (port("Jdot_qd", "the accelerations of the frames' origins without those of the rates", ""),),
            lambda traced, bodies=None: computations.drift(traced, computations.contact_jacobian(traced.tree, bodies)),
            ("bodies",),
        ),
        Function(
            "centre_of_mass",
            "the centre of mass of all links in the base frame",
            (Q,),
            (port("c", "the centre of mass of all links", 3, unit="m"),),
            lambda traced: list(traced.tree.mass_and_centre[1]),
        ),
        Function(
            "com_jacobian",
            "J_com with ċ = J_com q̇, the velocity of the centre of mass of all links",
            (Q,),
            (port("J", "the velocity of the centre of mass for each rate", 3, "rates"),),
            lambda traced: computations.along_rates(traced, computations.com_jacobian(traced.tree)),
        ),
        Function(
            "com_jacobian_drift",
            "J̇_com q̇",
            STATE,
            (port("Jdot_qd", "the acceleration of the centre of mass without those of the rates", 3, unit="m/s^2"),),
            lambda traced: computations.drift(traced, computations.com_jacobian(traced.tree)),
        ),
        Function(
            "centroidal_momentum_matrix",
            "A_G with h_G = A_G q̇, linear then angular rows",
            (Q,),
            (port("A_G", "the momentum of all links about their centre of mass for each rate", 6, "rates"),),
            lambda traced: computations.along_rates(traced, computations.centroidal_momentum_matrix(traced.tree)),
        ),
        Function(
            "centroidal_momentum_drift",
            "Ȧ_G q̇",
            STATE,
            (port("AGdot_qd", "the rate of the momentum about the centre of mass without accelerations", 6),),
            lambda traced: computations.drift(traced, computations.centroidal_momentum_matrix(traced.tree)),
        ),
        Function(
            "operational_space",
            "(Λ, μ, p) at a body frame's origin in world axes",
            STATE,
            (
                port("Lambda", "the inertia along the task's rows", "", ""),
                port("mu", "the velocity forces along them", ""),
                port("p", "the gravity forces along them", ""),
                port("mobility", "the inverse of Lambda", "", ""),
                port("largest", "about the largest mobility that joints could give each row", ""),
            ),
            computations.operational_space,
            ("body", "task"),
        ),
        Function(
            "inverse_dynamics_derivatives",
            "(∂τ/∂q, ∂τ/∂q̇, M)",
            MOTION,
            (
                port("dtau_dq", "the derivatives of the torques by position", "rates", "directions"),
                port("dtau_dqd", "those by rate", "rates", "rates"),
                port("M", "the mass matrix, those by acceleration", "rates", "rates"),
            ),
            lambda traced: traced.torque_derivatives(),
        ),
        Function(
            "inverse_dynamics_second_derivatives",
            "(∂²τ/∂q∂q, ∂²τ/∂q̇∂q̇, ∂²τ/∂q∂q̇, ∂M/∂q)",
            MOTION,
            (
                port("d2tau_dq_dq", "the derivatives of ∂τ/∂q by position", "rates", "directions", "directions"),
                port("d2tau_dqd_dqd", "those of ∂τ/∂q̇ by rate", "rates", "rates", "rates"),
                port("d2tau_dq_dqd", "those of ∂τ/∂q by rate", "rates", "directions", "rates"),
                port("dM_dq", "those of the mass matrix by position", "rates", "rates", "directions"),
            ),
            lambda traced: traced.second_torque_derivatives(),
        ),
        Function(
            "forward_dynamics_derivatives",
            "(∂q̈/∂q, ∂q̈/∂q̇, M⁻¹ = ∂q̈/∂τ)",
            DRIVEN,
            (
                port("dqdd_dq", "the derivatives of the rates' accelerations by position", "rates", "directions"),
                port("dqdd_dqd", "those by rate", "rates", "rates"),
                port("dqdd_dtau", "those by the torques in all joints", "rates", "velocities"),
            ),
            lambda traced: traced.acceleration_derivatives(),
        ),
        Function(
            "velocities",
            "q̇ = R u",
            (Q, INPUTS["u"]),
            (of_joints("qd", "velocities", "the velocities of all joints"),),
            lambda chain: chain.velocities(chain.inputs["u"]),
            of_loops=True,
        ),
        Function(
            "accelerations",
            "q̈ = R u̇ + Ṙ u",
            (*STATE, INPUTS["ud"]),
            (QDD,),
            lambda chain: chain.moved(chain.inputs["ud"]),
            of_loops=True,
        ),
        Function(
            "velocity_derivatives",
            "(∂q̇/∂q, R = ∂q̇/∂u)",
            STATE,
            (
                port("dqd_dq", "the derivatives of all joints' velocities by position", "velocities", "directions"),
                port("R", "those by the rates of the independent coordinates", "velocities", "rates"),
            ),
            lambda chain: chain.velocity_derivatives(),
            of_loops=True,
        ),
        Function(
            "closure",
            "φ(q), and A with A q̇ = 0",
            (Q,),
            (
                port("phi", "the conditions of the loops", "loop conditions"),
                port("A", "the rows of all conditions on the velocities", "conditions", "velocities"),
            ),
            lambda chain: chain.closure(),
            of_loops=True,
        ),
        Function(
            "multipliers",
            "λ with M q̈ + bias = τ + Aᵀ λ",
            (*MOTION, INPUTS["tau"]),
            (port("lambda", "the force of each independent condition", "held"),),
            lambda chain: chain.multipliers(),
            of_loops=True,
        ),
    )
}
# methods that put functions together after these are computed, and so have no program of their own
PUT_TOGETHER = {"linearize": ("forward_dynamics_derivatives", "forward_dynamics")}
OF_COORDINATES = ("skeleton",)  # functions that are not available for joints with quasi-velocities
INVERSE_DYNAMICS = FUNCTIONS["inverse_dynamics"]  # the function by which frames are chosen
