"""The functions of an arm in numbers: traced, compiled at the first call, for batches of any shape."""

from __future__ import annotations

import contextlib
import hashlib
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from qddot.errors import EvaluationError, did_you_mean, flag, shortened
from qddot.model.bodies import listed
from qddot.model.model import Model

if TYPE_CHECKING:
    from qddot.compilers.batch import BatchFunction
    from qddot.program.program import Deferred, Program

CALLING = ("out", "dtype", "threads", "check")
KEYWORDS = (*CALLING, "wrenches", "body", "frame")
LARGEST_CONDITION = 1e12  # of J M⁻¹ Jᵀ
LARGEST_INDEX = 1_000_000
SHOWN = 8  # names in a message


class NumericArm:
    """What a model computes; arrays have any leading batch dimensions, `given` may hold symbols' values and out=,
    dtype="float64" | "float32", threads=, check=."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._functions: dict[tuple[str, tuple[str, ...], str], BatchFunction] = {}
        self._direct = _Direct(self)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def n(self) -> int:
        """Number of joint coordinates."""
        return self.model.n

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any, wrenches: Any = None, **given: Any) -> Any:
        """τ = M q̈ + h + G + springs + friction − Σ Jᵀ wrenches, shape (…, n) [N·m or N].

        q, qd, qdd: shape (…, n); wrenches: (…, bodies, 6), external force then moment on each body, in
        body axes at the body's origin. given: symbols' values (a number, or one value a state), and
        out=, array or arrays to fill; dtype="float64" | "float32", of inputs and results; threads=, how many share a
        batch; check=True, to raise where an input or a result is not finite.
        raises EvaluationError: wrong shapes or types, symbols without a value
        """
        if wrenches is not None:
            return self._call("inverse_dynamics", (q, qd, qdd, wrenches), given, wrenches=True)
        return self._call("inverse_dynamics", (q, qd, qdd), given)

    def forward_dynamics(self, q: Any, qd: Any, tau: Any, wrenches: Any = None, **given: Any) -> Any:
        """q̈ = M⁻¹ (τ − bias + Σ Jᵀ wrenches), shape (…, n); arguments as in `inverse_dynamics`."""
        if wrenches is not None:
            return self._call("forward_dynamics", (q, qd, tau, wrenches), given, wrenches=True)
        return self._call("forward_dynamics", (q, qd, tau), given)

    def state_derivative(self, q: Any, qd: Any, tau: Any, **given: Any) -> Any:
        """d/dt (q, q̇) = (q̇, q̈), shape (…, 2n)."""
        return self._call("state_derivative", (q, qd, tau), given)

    def mass_matrix(self, q: Any, **given: Any) -> Any:
        """M(q) with the rotors, shape (…, n, n)."""
        return self._call("mass_matrix", (q,), given)

    def coriolis_matrix(self, q: Any, qd: Any, **given: Any) -> Any:
        """C with C_ij = Σ_k Γ_ijk q̇_k, so that Ṁ − 2C is skew, shape (…, n, n)."""
        return self._call("coriolis_matrix", (q, qd), given)

    def gravity(self, q: Any, **given: Any) -> Any:
        """G(q) = ∂P/∂q, gravity alone, shape (…, n)."""
        return self._call("gravity", (q,), given)

    def bias(self, q: Any, qd: Any, **given: Any) -> Any:
        """Inverse dynamics at q̈ = 0, friction and springs included, shape (…, n)."""
        return self._call("bias", (q, qd), given)

    def forward_kinematics(self, q: Any, body: int | str | None = None, **given: Any) -> Any:
        """T_0b of a body's frame, shape (…, 4, 4).

        body: an index (negative from the end), a name, or "tool" for the tool's frame; by default the link that
        carries the tool, which is the last one unless the model says otherwise
        """
        return self._call("forward_kinematics", (q,), given, body=body)

    def skeleton(self, q: Any, **given: Any) -> Any:
        """What a drawing needs, in the base frame [m]: (…, bodies, 4, 3), for each body its joint's point before and
        after the joint's motion, the joint's axis and the frame's origin; and the tool's point, (…, 3)."""
        return self._call("skeleton", (q,), given)

    def jacobian(self, q: Any, body: int | str | None = None, frame: str = "world", **given: Any) -> Any:
        """J at the body frame's origin, rows linear then angular, world or body axes, shape (…, 6, n).

        body: as in `forward_kinematics`
        """
        return self._call("jacobian", (q,), given, body=body, frame=frame)

    def jacobian_drift(self, q: Any, qd: Any, body: int | str | None = None, frame: str = "world", **given: Any) -> Any:
        """J̇ q̇ of the Jacobian with the same options, shape (…, 6)."""
        return self._call("jacobian_drift", (q, qd), given, body=body, frame=frame)

    def kinetic_energy(self, q: Any, qd: Any, **given: Any) -> Any:
        """½ q̇ᵀ M q̇, rotors included, shape (…) [J]."""
        return self._call("kinetic_energy", (q, qd), given)

    def potential_energy(self, q: Any, **given: Any) -> Any:
        """P = −Σ m gᵀ p_c, zero at the base's origin, springs apart, shape (…) [J]."""
        return self._call("potential_energy", (q,), given)

    def momentum(self, q: Any, qd: Any, **given: Any) -> Any:
        """p = M q̇, shape (…, n)."""
        return self._call("momentum", (q, qd), given)

    def reactions(self, q: Any, qd: Any, qdd: Any, **given: Any) -> Any:
        """The wrench that each body's parent exerts on it, shape (…, bodies, 6): force then moment,
        in body axes at the body's origin; friction, springs and rotors do not enter."""
        return self._call("reactions", (q, qd, qdd), given)

    def regressor(self, q: Any, qd: Any, qdd: Any, armature: bool = False, friction: bool = False, **given: Any) -> Any:
        """Y with τ = Y π for the bodies, shape (…, n, 10·bodies); columns for each body: m, mx, my, mz,
        Ixx, Ixy, Ixz, Iyy, Iyz, Izz about its frame's origin.

        armature: n more columns for the rotors' inertias; friction: 2n more, for each joint its viscous and its
        Coulomb coefficient. `dynamic_parameters` gives π in the same order; springs are not among them
        """
        return self._call("regressor", (q, qd, qdd), given, **_columns(armature, friction))

    def dynamic_parameters(self, armature: bool = False, friction: bool = False, **values: Any) -> Any:
        """π in the order of the columns of `regressor` with the same options, shape (10·bodies + …,)."""
        import numpy as np

        from qddot.dynamics import effects, regressor
        from qddot.dynamics.mechanism import Mechanism
        from qddot.numbers.floats import Floats

        self._known(tuple(values))
        known = {**self.model.defaults(), **{name: _number(name, value) for name, value in values.items()}}
        self._refuse_missing(self.model.used_symbols - set(known))
        numbers = Floats(known, dict.fromkeys(self.model.coordinates, 0.0))
        arm = Mechanism.of(self.model, numbers)
        beside = effects.parameters_of(arm, **_columns(armature, friction))
        return np.array([*regressor.parameters(arm), *(value for *_, value in beside)], dtype=float)

    def inverse_dynamics_derivatives(self, q: Any, qd: Any, qdd: Any, **given: Any) -> Any:
        """(∂τ/∂q, ∂τ/∂q̇, M), each of shape (…, n, n)."""
        return self._call("inverse_dynamics_derivatives", (q, qd, qdd), given)

    def forward_dynamics_derivatives(self, q: Any, qd: Any, tau: Any, **given: Any) -> Any:
        """(∂q̈/∂q, ∂q̈/∂q̇, M⁻¹ = ∂q̈/∂τ), each of shape (…, n, n)."""
        return self._call("forward_dynamics_derivatives", (q, qd, tau), given)

    def linearize(self, q0: Any, tau0: Any = None, **given: Any) -> tuple[Any, ...]:
        """(A, B) of d/dt (δq, δq̇) = A (δq, δq̇) + B δτ about rest at q0, (…, 2n, 2n) and (…, 2n, n).

        tau0: the torque there; by default the one that holds the arm still. Coulomb friction, which has no slope at
        rest, is left out
        """
        import numpy as np

        asked = self._asked(given)
        still, n = np.zeros(self.n), self.n
        held = self.bias(q0, still, **given) if tau0 is None else tau0
        by_q, by_qd, by_tau = self.forward_dynamics_derivatives(q0, still, held, **given)
        batch = by_q.shape[:-2]
        A, B = np.zeros((*batch, 2 * n, 2 * n)), np.zeros((*batch, 2 * n, n))
        A[..., :n, n:] = np.eye(n)
        A[..., n:, :n], A[..., n:, n:], B[..., n:, :] = by_q, by_qd, by_tau
        return self._delivered("linearize", {"A": (A, 2), "B": (B, 2)}, *asked)

    def operational_space(self, q: Any, qd: Any, body: int | str | None = None, **given: Any) -> tuple[Any, ...]:
        """(Λ, μ, p) at a body frame's origin in world axes: Λ v̇ + μ + p is the force for the motion.

        Λ = (J M⁻¹ Jᵀ)⁻¹, μ = Λ (J M⁻¹ h − J̇ q̇), p = Λ J M⁻¹ G, shapes (…, 6, 6), (…, 6), (…, 6); h without
        friction and springs. body: as in `forward_kinematics`; computed in double precision, whatever the dtype.
        Source: Khatib, "A unified approach for motion and force control", 1987.
        raises EvaluationError where J has not full rank: the condition of J M⁻¹ Jᵀ is above 1e12
        """
        import numpy as np

        asked = self._asked(given)
        J = self.jacobian(q, body, **given)
        M, G = self.mass_matrix(q, **given), self.gravity(q, **given)
        h = (self.coriolis_matrix(q, qd, **given) @ np.asarray(qd, dtype=float)[..., None])[..., 0]
        JM = np.swapaxes(np.linalg.solve(M, np.swapaxes(J, -1, -2)), -1, -2)
        mobility = JM @ np.swapaxes(J, -1, -2)
        if not np.isfinite(mobility).all():
            raise EvaluationError("q is not finite, or M is singular there", where=self.name)
        bad = np.argwhere(np.linalg.cond(mobility) > LARGEST_CONDITION)
        if self.n < 6 or len(bad):
            state = f" in state {[int(k) for k in bad[0]]}" if len(bad) and bad.shape[1] else ""
            raise EvaluationError(
                f"the body cannot move in all six directions{state}", where=self.name, expected="a Jacobian of rank 6"
            )
        inertia = np.linalg.inv(mobility)
        rate = self.jacobian_drift(q, qd, body, **given)
        drift, weight = ((JM @ torque[..., None])[..., 0] for torque in (h, G))
        mu, p = ((inertia @ force[..., None])[..., 0] for force in (drift - rate, weight))
        return self._delivered("operational_space", {"Lambda": (inertia, 2), "mu": (mu, 1), "p": (p, 1)}, *asked)

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """One function as straight-line code with this arm's constants folded.

        function: the name of a numeric method; free: symbols that stay inputs; options: as that method's, and
        wrenches=True where it takes them
        """
        from qddot.tracing import trace

        names = sorted(set(self._known(free)))
        known = {name: value for name, value in self.model.defaults().items() if name not in names}
        values = {**dict.fromkeys(self.model.symbols, 0.0), **known}
        unknown = sorted(self.model.used_symbols - set(known) - set(names))
        if unknown:
            trial = trace(self.model, function, values, [*unknown, *names], **options)
            first = len(trial.inputs) - len(unknown) - len(names)
            read = {node.element[0] - first for node in trial.nodes if node.op == "input"}
            self._refuse_missing([name for k, name in enumerate(unknown) if k in read])
        return trace(self.model, function, values, names, **options)

    def _refuse_missing(self, names: Collection[str]) -> None:
        if names:
            shown = sorted(names)
            more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
            raise EvaluationError(
                f"no value for {', '.join(shown[:SHOWN])}{more}",
                where=self.name,
                remedy=f"give them: {shown[0]}=..., or once and for all with_values({shown[0]}=...)",
            )

    def _asked(self, given: dict[str, Any]) -> tuple[Any, Any]:
        """out= and dtype=, taken out of what is given; the rest are symbols, threads= and check=."""
        out, dtype = given.pop("out", None), given.pop("dtype", "float64")
        self._known([name for name in given if name not in CALLING], CALLING)
        return out, dtype

    def _delivered(self, function: str, found: Mapping[str, tuple[Any, int]], out: Any, dtype: Any) -> tuple[Any, ...]:
        """Results, each with how many axes a state has, in the type and in the arrays that are asked for."""
        from qddot.compilers import batch
        from qddot.program.program import Port

        ports = [Port(name, array.shape[array.ndim - axes :]) for name, (array, axes) in found.items()]
        array, axes = next(iter(found.values()))
        targets = batch.targets_of(
            out, ports, array.shape[: array.ndim - axes], batch.dtype_name(dtype, function), function
        )
        batch.check_apart(targets, ports, function)
        for target, (result, _) in zip(targets, found.values(), strict=True):
            target[...] = result
        return tuple(targets)

    def _known(self, names: Sequence[str], keywords: Sequence[str] = ()) -> list[str]:
        """Names of symbols; keywords: what else may have been meant."""
        listed_names = names_of(names, "symbols")
        for name in listed_names:
            if name not in self.model.symbols:
                raise EvaluationError(
                    f"no symbol {name!r} in {self.name}", remedy=did_you_mean(name, [*self.model.symbols, *keywords])
                )
        return listed_names

    def _compiled(self, function: str, free: tuple[str, ...], **options: Any) -> BatchFunction:
        key = (function, free, repr(sorted(options.items())))
        if key not in self._functions:
            from qddot.compilers.batch import MAKING, BatchFunction

            with MAKING:
                if key not in self._functions:
                    self._functions[key] = BatchFunction(self._deferred(function, free, options))
        return self._functions[key]

    def _deferred(self, function: str, free: tuple[str, ...], options: dict[str, Any]) -> Program | Deferred:
        """The program's interface from the cache where it has been made before, else the program."""
        from qddot.compilers import cache
        from qddot.program.program import Deferred

        request = repr((cache.source_stamp(), self.model.hash, function, free, sorted(options.items())))
        key = hashlib.sha256(request.encode()).hexdigest() + ".json"
        known = cache.read(key)
        if known is not None:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                model = self.model  # not self, which holds the function: both would wait for the collector
                return Deferred.parsed(known.decode(), lambda: NumericArm(model).program(function, free, **options))
        program = self.program(function, free, **options)
        cache.write(key, program.interface().encode())
        return program

    def _call(self, function: str, arrays: tuple[Any, ...], given: dict[str, Any], **options: Any) -> Any:
        if not given and not options:
            results = self._direct[function](*arrays)
            if results is not None:
                return results
        if options.get("body") is not None:
            options["body"] = _body(options["body"])
        if not isinstance(options.get("frame", ""), str):
            raise EvaluationError(f"frame {shortened(options['frame'])}", expected='"world" or "body"')
        calling = {name: given.pop(name) for name in CALLING if name in given}
        free = tuple(sorted(self._known(list(given), KEYWORDS)))
        return self._compiled(function, free, **options)(*arrays, *(given[name] for name in free), **calling)


class _Direct(dict[str, Callable[..., Any]]):
    """The functions with all symbols folded in, for plain arrays of one state or one batch; None is their
    answer to anything else."""

    def __init__(self, arm: NumericArm) -> None:
        self.arm = weakref.ref(arm)  # which holds this: an arm that nobody has goes at once, with its code

    def __missing__(self, function: str) -> Callable[..., Any]:
        arm = self.arm()
        assert arm is not None
        self[function] = arm._compiled(function, ()).direct
        return self[function]


def _columns(armature: Any, friction: Any) -> dict[str, bool]:
    """The regressor's options."""
    return {"armature": flag(armature, "armature"), "friction": flag(friction, "friction")}


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(f"{name} is {shortened(value)}", expected="a number") from None


def _body(value: Any) -> int | str:
    """A body's name or index. raises EvaluationError"""
    try:
        found = value if isinstance(value, str) else index(value)
    except TypeError:
        found = LARGEST_INDEX
    if isinstance(found, int) and abs(found) >= LARGEST_INDEX:
        raise EvaluationError(f"body {shortened(value)}", expected="a name or an index")
    return found


def names_of(values: Any, what: str) -> list[str]:
    """A list of names; a single name is a list of one."""
    names = [values] if isinstance(values, str) else listed(values, what)
    for name in names:
        if not isinstance(name, str):
            raise EvaluationError(f"{what} has {shortened(name)}", expected="names")
    return list(names)
