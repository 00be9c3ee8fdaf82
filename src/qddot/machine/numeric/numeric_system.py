"""Computes the functions of a system in numbers, traced and compiled at the first call, for batches of any shape.

A method marked `compiled` has no body: it declares the arguments and results of the function with its name.
"""
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qddot.base.errors import QddotError, check_one_of, is_one_of
from qddot.base.system.parts import installed
from qddot.base.words.message import say
from qddot.machine.numeric.calls import Calls, Out, by_record, compiled, named_as_written
from qddot.machine.numeric.centroidal import Centroidal
from qddot.machine.numeric.drives import Drives
from qddot.machine.numeric.kinematics import Kinematics
from qddot.machine.tracing.functions import FUNCTIONS, PUT_TOGETHER
from qddot.robot.symbol_values import refuse_unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from qddot.algebra.program.program import Program
    from qddot.machine.numeric.linear_model import LinearModel
    from qddot.physics.systems import System


@named_as_written
class NumericSystem(Kinematics, Centroidal, Drives):
    """A numeric system computes a system's functions in batches: arrays may have any leading dimensions.

    Equations have a row for each rate: for each of the n velocities of an arm, for each of the m independent
    coordinates of a closed chain, along which the torques of all joints are Rᵀ τ with q̇ = R u.
    Besides its arrays and options, every method but `program` and `dynamic_parameters` takes `out`, an array or arrays
    to fill; `dtype`, "float64" or "float32", of inputs, arithmetic and results (`linearize` and `operational_space`
    compute in doubles); `threads`, the number that share a batch; `check=True`, to raise an error if an input or a
    result is not finite; and values of symbols, each a number or one number per state. It raises EvaluationError for
    wrong shapes or types and for symbols without a value.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._calls = Calls(system)
        self._table = self._calls.table  # looked up by every call

    @property
    def name(self) -> str:
        return self.system.name

    @property
    def n(self) -> int:
        """Returns the number of velocities, which is the number of entries of q unless a joint has a quaternion."""
        return self.system.tree.n

    @property
    def driven(self) -> tuple[str, ...]:
        """Returns the names of the velocities that motors drive: all of them, unless the description says which."""
        return tuple(self.system.tree.coordinates[k] for k in self.system.tree.drives)

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """Returns one function as a straight-line program with this arm's constants folded.

        function: the name of a numeric method
        free: symbols that stay inputs
        options: options of the method. With wrenches=True the program of a method that accepts wrenches has them as
        inputs; otherwise they are zero.
        """
        return self._calls.program(function, free, **options)

    def call(self, function: str, *arrays: ArrayLike, **keywords: Any) -> Any:
        """Returns the result of a function by its name, also of one that has only its record in FUNCTIONS.

        arrays, keywords: as those of a method
        raises QddotError: no such function
        """
        if is_one_of(function, PUT_TOGETHER):
            return getattr(self, function)(*arrays, **keywords)
        check_one_of(function, FUNCTIONS, say("no-function"), QddotError)
        return by_record(FUNCTIONS[function])(self, *arrays, **keywords)

    def integrate(self, q: ArrayLike, qd: ArrayLike, t: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Returns the position that is reached from q after a time t [s] at constant q̇, in the shape of q.

        The result is q + q̇ t, except for joints with a quaternion. Their body moves with a twist ν that is constant
        along its own axes, so that a free body makes a screw motion. Quaternions have the norm 1 to rounding.
        Of a closed chain it is the configuration near there in which the loops are closed, with the coordinates that
        they leave free.
        raises EvaluationError: shapes are wrong, a quaternion does not have norm 1, or the loops cannot be closed there
        """
        with installed():
            from qddot.machine.numeric import manifold

        return manifold.integrate(self.system.tree, q, qd, t)

    def difference(self, q1: ArrayLike, q2: ArrayLike) -> NDArray[np.float64]:
        """Returns the q̇ that leads from q1 to q2 in one second, (…, n): q2 = integrate(q1, difference(q1, q2)).

        Between two attitudes it is the shortest rotation.
        raises EvaluationError: as `integrate`
        """
        with installed():
            from qddot.machine.numeric import manifold

        return manifold.difference(self.system.tree, q1, q2)

    @compiled
    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrenches: ArrayLike | None = None,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns τ = M q̈ + h + G + springs + friction − Σ Jᵀ wrenches, shape (…, n) [N·m or N].

        Of a closed chain it returns Rᵀ τ, the torques along the independent coordinates, shape (…, m).

        q: shape (…, n), or (…, entries of q) if joints have quaternions; qd, qdd: (…, n); wrenches: (…, bodies, 6),
            external force then moment on each body, in body axes at the body's origin. values: values of symbols, each
            a number or one number per state; out: array to fill; dtype: "float64" or "float32", of inputs, arithmetic
            and results; threads: the number that share a batch; check=True: raises an error if an input or a result is
            not finite.
        raises EvaluationError: shapes or types are wrong, or a symbol has no value
        """

    @compiled
    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrenches: ArrayLike | None = None,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns q̈ = M⁻¹ (τ − bias + Σ Jᵀ wrenches), shape (…, n); arguments as in `inverse_dynamics`.

        tau: shape (…, n) [N·m or N]. The loops of a closed chain are held; the result does not depend on the choice of
        independent coordinates, and needs none where these are singular.
        """

    @compiled
    def state_derivative(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns (q̇, q̈), shape (…, 2n).

        If joints have quaternions, it is the rate of q, which has more entries than ν, and then the rates of ν.
        """

    @compiled
    def mass_matrix(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the mass matrix M(q), armature included, shape (…, n, n).

        Of a closed chain it is M̄ = Rᵀ M R, shape (…, m, m).
        """

    @compiled
    def coriolis_matrix(
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
        """Returns C with C_ij = Σ_k Γ_ijk q̇_k, so that Ṁ − 2C is skew, shape (…, n, n).

        Of a closed chain it is C̄ = Rᵀ (C R + M Ṙ), shape (…, m, m).
        """

    @compiled
    def coriolis_torque(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qd_r: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns C(q, q̇) q̇_r with C of `coriolis_matrix`, shape (…, n) [N·m or N]; C itself is not computed.

        Of a closed chain it is C̄ u_r, shape (…, m), and qd_r has the rates of the independent coordinates.
        """

    @compiled
    def slotine_torque(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qd_r: ArrayLike,
        qdd_r: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns M q̈_r + C(q, q̇) q̇_r + G + springs + friction, shape (…, n) [N·m or N].

        C is that of `coriolis_matrix`, so that Ṁ − 2C is skew; the friction is that of q̇. Controllers that are proved
        stable by passivity feed these torques forward: with s = q̇ − q̇_r and τ = slotine_torque − K s, M ṡ + C s + K s =
        0. Of a closed chain it is M̄ u̇_r + C̄ u_r + …, shape (…, m).

        qd_r, qdd_r: rates and accelerations of a reference motion, shape (…, n); of a closed chain those of the
            independent coordinates, (…, m); other arguments as in `inverse_dynamics`
        Source: Slotine & Li, "On the adaptive control of robot manipulators", 1987.
        """

    @compiled
    def gravity(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns G(q) = ∂P/∂q, gravity alone, shape (…, n); of a closed chain Rᵀ G, shape (…, m)."""

    @compiled
    def bias(
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
        """Returns inverse dynamics at q̈ = 0, friction and springs included, shape (…, n).

        Of a closed chain it is that at u̇ = 0, shape (…, m).
        """

    @compiled
    def kinetic_energy(
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
        """Returns ½ q̇ᵀ M q̇, armature included, shape (…) [J]."""

    @compiled
    def potential_energy(
        self,
        q: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns P = −Σ m gᵀ p_c, zero at the world's origin, without springs, shape (…) [J]."""

    @compiled
    def momentum(
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
        """Returns p = M q̇, shape (…, n); of a closed chain M̄ u, shape (…, m)."""

    @compiled
    def reactions(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the wrench that each body's parent exerts on it, shape (…, bodies, 6): force then moment [N, N·m].

        The wrench is expressed in body axes at the body's origin; friction, springs and armature do not contribute.
        In a closed chain the loops share the load: it is that of motors in the independent coordinates alone.
        """

    @compiled
    def regressor(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        armature: bool = False,
        friction: bool = False,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the regressor Y with τ = Y π for the bodies, shape (…, n, 10·bodies); of a closed chain (…, m, …).

        Columns for each body: m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz about its frame's origin.
        armature: adds n columns for the armature; friction: adds 2n columns, for each joint the viscous and the Coulomb
            coefficient. `dynamic_parameters` returns π in the same order; springs are not included.
        """

    @compiled
    def slotine_regressor(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qd_r: ArrayLike,
        qdd_r: ArrayLike,
        armature: bool = False,
        friction: bool = False,
        *,
        out: Out | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> NDArray[np.float64]:
        """Returns the regressor Y with `slotine_torque` = Y π for the bodies, shape (…, n, 10·bodies).

        Of a closed chain its shape is (…, m, …). Columns and options are those of `regressor`; springs are not
        included. Source: as `slotine_torque`.
        """

    def dynamic_parameters(
        self, armature: bool = False, friction: bool = False, **values: float
    ) -> NDArray[np.float64]:
        """Returns π in the order of the columns of `regressor` with the same options, shape (10·bodies + …,)."""
        with installed():
            from qddot.machine.numeric import dynamic_parameters

        refuse_unknown(self.system.tree, values, self.dynamic_parameters)
        return dynamic_parameters.values(self.system.tree, armature, friction, values)

    @compiled
    def inverse_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns (∂τ/∂q, ∂τ/∂q̇, M), each of shape (…, n, n).

        With quaternions ∂/∂q is the derivative along each of the n velocities. Of a closed chain they are the
        derivatives of Rᵀ τ by q, u and u̇, (…, m, p), (…, m, m) and M̄; q̈ = R u̇ + Ṙ u, such as `accelerations` returns.
        The p coordinates are those that loops leave free: the independent ones, or all n where wheels roll and no loop
        holds q. When one of them changes, u and u̇ stay the same, and the other coordinates, q̇ and q̈ follow.
        """

    @compiled
    def inverse_dynamics_second_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns (∂²τ/∂q∂q, ∂²τ/∂q̇∂q̇, ∂²τ/∂q∂q̇, ∂M/∂q), each of shape (…, n, n, n).

        They are the derivatives of what `inverse_dynamics_derivatives` returns, of which the last index says by what:
        ∂²τ_i/∂q_j∂q_k, ∂²τ_i/∂q̇_j∂q̇_k, ∂²τ_i/∂q_j∂q̇_k, ∂M_ij/∂q_k. With quaternions ∂/∂q_k is the derivative along the
        k-th velocity, and the first array is not symmetric in j and k: these derivatives do not commute. Of a closed
        chain they have the shapes (…, m, p, p), (…, m, m, m), (…, m, p, m), (…, m, m, p).
        Source: Singh, Russell & Wensing, "On second-order derivatives of rigid-body dynamics: theory and
        implementation", IEEE T-RO 40, 2024.
        """

    @compiled
    def forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns (∂q̈/∂q, ∂q̈/∂q̇, M⁻¹ = ∂q̈/∂τ), each of shape (…, n, n).

        With quaternions ∂/∂q is the derivative along each of the n velocities. Of a closed chain they are the
        derivatives of u̇ by q, u and τ, (…, m, p), (…, m, m) and (…, m, n), as in `inverse_dynamics_derivatives`.
        """

    def linearize(
        self,
        q0: ArrayLike,
        qd0: ArrayLike | None = None,
        tau0: ArrayLike | None = None,
        *,
        driven: str | Sequence[str] | None = None,
        discrete: float | None = None,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> LinearModel:
        """Returns the motion near states (q0, q̇0) with torques τ0, to first order: ẋ ≈ A x + B u + c.

        x = (δq, δq̇) is the deviation from the state and u = δτ that of the m motors' torques, which are those of
        `driven`; c = (q̇0, q̈) is the rate of the state itself, zero in an equilibrium. `A, B = arm.linearize(q0)`
        unpacks the matrices, shapes (…, 2n, 2n) and (…, 2n, m); `.c` is (…, 2n), and `.data` is all of it as an xarray
        Dataset with names of states and inputs.
        qd0: 0 by default; tau0: by default the torques with q̈ = 0, also in passive joints, so that they hold the arm
            still at rest. Coulomb friction has no derivative at rest, and is left out of A.
        driven: names of the inputs' joints in place of the description's motors, as in `with_driven`
        discrete: a time step Δ [s]: then x(t + Δ) = A x + B u + c, exactly that of the linear motion with u held
        With quaternions δq is the motion along ν that leads from q0 to q, `difference(q0, q)`. The state of a closed
        chain is (δq, δu) with the p coordinates that loops leave free, as in `inverse_dynamics_derivatives`; its tau0
        is by default the smallest of the motors that the description names, or else that of motors in the independent
        coordinates. `run.linearize` does this along a run.
        raises EvaluationError: as other functions, or the motors cannot hold the chain
        """
        with installed():
            from qddot.machine.numeric import composed

        refuse_unknown(self.system.tree, values, self.linearize)
        settings = {"threads": threads, "check": check, **values}
        return composed.linearize(self._calls, (q0, qd0, tau0), driven, discrete, settings, out, dtype)

    def operational_space(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        body: int | str | None = None,
        task: str | None = None,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns (Λ, μ, p) at a body frame's origin in world axes: Λ v̇ + μ + p is the force that the motion requires.

        Λ = (J M⁻¹ Jᵀ)⁻¹, μ = Λ (J M⁻¹ h − J̇ q̇), p = Λ J M⁻¹ G, shapes (…, k, k), (…, k), (…, k); h is without
        friction and springs; a closed chain has J R and M̄. body: as in `forward_kinematics`; task: the k rows of J,
        "x y z rx ry rz" or some of them, such as "x y". The computation is in double precision for any dtype.
        Source: Khatib, "A unified approach for motion and force control", 1987.
        raises EvaluationError: J does not have full rank: along some direction of the task the mobility J M⁻¹ Jᵀ is
            below 1e-12 of the largest one that the joints could give the body
        """
        with installed():
            from qddot.machine.numeric import composed

        refuse_unknown(self.system.tree, values, self.operational_space)
        options = {"body": body, "task": task, "threads": threads, "check": check, **values}
        return composed.operational_space(self._calls, q, qd, options, out, dtype)
