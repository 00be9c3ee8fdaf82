"""Computes the functions of an arm in numbers: traced and compiled at the first call, for batches of any shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from qddot.errors import EvaluationError, shortened
from qddot.numeric.calls import Out, direct, may_be_signals
from qddot.numeric.poses import Kinematics
from qddot.numeric.requests import columns, place
from qddot.tracing.functions import (
    BIAS,
    CORIOLIS_MATRIX,
    FORWARD_DYNAMICS,
    FORWARD_DYNAMICS_DERIVATIVES,
    GRAVITY,
    INVERSE_DYNAMICS,
    INVERSE_DYNAMICS_DERIVATIVES,
    KINETIC_ENERGY,
    MASS_MATRIX,
    MOMENTUM,
    OPERATIONAL_SPACE,
    POTENTIAL_ENERGY,
    REACTIONS,
    REGRESSOR,
    STATE_DERIVATIVE,
    rows_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray


class NumericArm(Kinematics):
    """A numeric arm computes what a model gives, in batches: arrays may have any leading dimensions.

    Besides its arrays and options every method takes: out, array or arrays to fill; dtype, "float64" or "float32", of
    inputs, arithmetic and results; threads, how many share a batch; check=True, to raise where an input or a result is
    not finite; and values of symbols, one number or one per state each. It raises EvaluationError: wrong shapes or
    types, symbols without a value.
    """

    @property
    def n(self) -> int:
        """Returns the number of joint coordinates."""
        return self.model.n

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    @direct(INVERSE_DYNAMICS)
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

        q, qd, qdd: shape (…, n); wrenches: (…, bodies, 6), external force then moment on each body, in
        body axes at the body's origin. values: those of symbols, a number or one value per state;
        out: array to fill; dtype: "float64" or "float32", of inputs, arithmetic and results; threads: how many
        share a batch; check=True: raise where an input or a result is not finite.
        raises EvaluationError: wrong shapes or types, symbols without a value
        """
        if wrenches is not None:
            return self._call(
                INVERSE_DYNAMICS, (q, qd, qdd, wrenches), values, out, dtype, threads, check, wrenches=True
            )
        return self._call(INVERSE_DYNAMICS, (q, qd, qdd), values, out, dtype, threads, check)

    @direct(FORWARD_DYNAMICS)
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
        """Returns q̈ = M⁻¹ (τ − bias + Σ Jᵀ wrenches), shape (…, n); arguments as in `inverse_dynamics`."""
        if wrenches is not None:
            return self._call(
                FORWARD_DYNAMICS, (q, qd, tau, wrenches), values, out, dtype, threads, check, wrenches=True
            )
        return self._call(FORWARD_DYNAMICS, (q, qd, tau), values, out, dtype, threads, check)

    @direct(STATE_DERIVATIVE)
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
        """Returns d/dt (q, q̇) = (q̇, q̈), shape (…, 2n)."""
        return self._call(STATE_DERIVATIVE, (q, qd, tau), values, out, dtype, threads, check)

    @direct(MASS_MATRIX)
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
        """Returns M(q) with the rotors, shape (…, n, n)."""
        return self._call(MASS_MATRIX, (q,), values, out, dtype, threads, check)

    @direct(CORIOLIS_MATRIX)
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
        """Returns C with C_ij = Σ_k Γ_ijk q̇_k, so that Ṁ − 2C is skew, shape (…, n, n)."""
        return self._call(CORIOLIS_MATRIX, (q, qd), values, out, dtype, threads, check)

    @direct(GRAVITY)
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
        """Returns G(q) = ∂P/∂q, gravity alone, shape (…, n)."""
        return self._call(GRAVITY, (q,), values, out, dtype, threads, check)

    @direct(BIAS)
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
        """Returns inverse dynamics at q̈ = 0, friction and springs included, shape (…, n)."""
        return self._call(BIAS, (q, qd), values, out, dtype, threads, check)

    @direct(KINETIC_ENERGY)
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
        """Returns ½ q̇ᵀ M q̇, rotors included, shape (…) [J]."""
        return self._call(KINETIC_ENERGY, (q, qd), values, out, dtype, threads, check)

    @direct(POTENTIAL_ENERGY)
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
        """Returns P = −Σ m gᵀ p_c, zero at the base's origin, without springs, shape (…) [J]."""
        return self._call(POTENTIAL_ENERGY, (q,), values, out, dtype, threads, check)

    @direct(MOMENTUM)
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
        """Returns p = M q̇, shape (…, n)."""
        return self._call(MOMENTUM, (q, qd), values, out, dtype, threads, check)

    @direct(REACTIONS)
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

        It is in body axes at the body's origin, without friction, springs and rotors.
        """
        return self._call(REACTIONS, (q, qd, qdd), values, out, dtype, threads, check)

    @direct(REGRESSOR)
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
        """Returns Y with τ = Y π for the bodies, shape (…, n, 10·bodies).

        Columns for each body: m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz about its frame's origin.
        armature: n more columns for the rotors' inertias; friction: 2n more, for each joint its viscous and its
        Coulomb coefficient. `dynamic_parameters` returns π in the same order; springs are not among them.
        """
        only = {name: True for name, is_asked in columns(armature, friction).items() if is_asked}
        return self._call(REGRESSOR, (q, qd, qdd), values, out, dtype, threads, check, **only)

    def dynamic_parameters(
        self, armature: bool = False, friction: bool = False, **values: float
    ) -> NDArray[np.float64]:
        """Returns π in the order of the columns of `regressor` with the same options, shape (10·bodies + …,)."""
        import numpy as np

        from qddot.dynamics import effects
        from qddot.dynamics.algorithms import regressor
        from qddot.dynamics.mechanism import Mechanism
        from qddot.numbers.floats import Floats

        self._known(tuple(values))
        known = {**self.model.defaults(), **{name: _number(name, value) for name, value in values.items()}}
        self._refuse_missing(self.model.used_symbols - set(known))
        numbers = Floats(known, dict.fromkeys(self.model.coordinates, 0.0))
        arm = Mechanism.of(self.model, numbers)
        beside = effects.parameters_of(arm, **columns(armature, friction))
        return np.array([*regressor.parameters(arm), *(value for *_, value in beside)], dtype=float)

    @direct(INVERSE_DYNAMICS_DERIVATIVES)
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
        """Returns (∂τ/∂q, ∂τ/∂q̇, M), each of shape (…, n, n)."""
        return self._call_for_several(INVERSE_DYNAMICS_DERIVATIVES, (q, qd, qdd), values, out, dtype, threads, check)

    @direct(FORWARD_DYNAMICS_DERIVATIVES)
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
        """Returns (∂q̈/∂q, ∂q̈/∂q̇, M⁻¹ = ∂q̈/∂τ), each of shape (…, n, n)."""
        return self._call_for_several(FORWARD_DYNAMICS_DERIVATIVES, (q, qd, tau), values, out, dtype, threads, check)

    def linearize(
        self,
        q0: ArrayLike,
        tau0: ArrayLike | None = None,
        *,
        out: Sequence[Out] | None = None,
        dtype: DTypeLike = "float64",
        threads: int | None = None,
        check: bool = False,
        **values: ArrayLike,
    ) -> tuple[NDArray[np.float64], ...]:
        """Returns (A, B) of d/dt (δq, δq̇) = A (δq, δq̇) + B δτ about rest at q0, (…, 2n, 2n) and (…, 2n, n).

        tau0: the torque there; by default the one that holds the arm still. Coulomb friction, which has no slope at
        rest, is left out.
        """
        import numpy as np

        from qddot.numeric import composed

        part = partial(self._in_double, values, threads, check)
        still = np.zeros(self.n)
        held = part(BIAS, q0, still) if tau0 is None else tau0
        A, B = composed.linearized(*part(FORWARD_DYNAMICS_DERIVATIVES, q0, still, held))
        return composed.delivered("linearize", {"A": (A, 2), "B": (B, 2)}, out, dtype)

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
        """Returns (Λ, μ, p) at a body frame's origin in world axes: Λ v̇ + μ + p is the force for the motion.

        Λ = (J M⁻¹ Jᵀ)⁻¹, μ = Λ (J M⁻¹ h − J̇ q̇), p = Λ J M⁻¹ G, shapes (…, m, m), (…, m), (…, m); h is without
        friction and springs. body: as in `forward_kinematics`; task: the m rows of J, "x y z rx ry rz" or some of them,
        such as "x y". It is computed in double precision, whatever the dtype.
        Source: Khatib, "A unified approach for motion and force control", 1987.
        raises EvaluationError: J has not full rank: the condition of J M⁻¹ Jᵀ is above 1e12
        """
        from qddot.numeric import composed

        options = place(body) | ({} if task is None else {"task": task})
        if task is not None:
            rows_of(task)
        found = self._in_double(values, threads, check, OPERATIONAL_SPACE, q, qd, **options)
        inertia, mu, p, mobility = found
        if may_be_signals([inertia]):
            return inertia, mu, p
        composed.check_rank(mobility, inertia, self.name)
        results = {"Lambda": (inertia, 2), "mu": (mu, 1), "p": (p, 1)}
        return composed.delivered("operational_space", results, out, dtype)


def _number(name: str, value: ArrayLike) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(f"{name} is {shortened(value)}", expected="a number") from None
