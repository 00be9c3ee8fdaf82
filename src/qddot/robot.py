"""Robot: the face that a user holds. It composes the rooms, and computes what is asked for, once."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.errors import EvaluationError, FormatError, ModelError, did_you_mean, shortened
from qddot.model.bodies import Body, Joint, listed
from qddot.model.model import Model

if TYPE_CHECKING:
    from qddot.compilers.batch import BatchFunction
    from qddot.doctor.diagnosis import Diagnosis
    from qddot.equations.base import BaseParameters
    from qddot.equations.equations import EquationsOfMotion
    from qddot.equations.prove import Certificate
    from qddot.program.program import Deferred, Program
    from qddot.simulate.run import Run


CALLING = ("out", "dtype", "threads", "check")


class Robot:
    """An arm: its model, and everything that is derived from it."""

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise ModelError(f"a robot made of {shortened(model)}", expected="a Model; qddot.load(name) finds one")
        self.model = model
        self._equations: dict[str, EquationsOfMotion] = {}
        self._functions: dict[tuple[str, tuple[str, ...], str], BatchFunction] = {}
        self._direct = _Direct(self)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def n(self) -> int:
        """Number of joint coordinates."""
        return self.model.n

    def equations(self, route: str = "composite") -> EquationsOfMotion:
        """The exact equations of motion by one route, derived at the first call.

        route: "composite" (composite bodies and Christoffel symbols), "newton_euler", or one of
        Lagrange's forms "dh4x4", "com_jacobian", "screw", "energy"
        """
        if not isinstance(route, str):
            raise EvaluationError(f"a route {shortened(route)}", expected="a name")
        if route not in self._equations:
            from qddot.equations.equations import EquationsOfMotion

            ring = self._equations["composite"].ring if "composite" in self._equations else None
            self._equations[route] = EquationsOfMotion(self.model, route, ring)
        return self._equations[route]

    def prove(self, **options: Any) -> Certificate:
        """All routes derived and proved equal, with the other identities of mechanics."""
        return self.equations().prove(**options)

    def base_parameters(self, armature: bool = False, friction: bool = False) -> BaseParameters:
        """The smallest set of inertial combinations that the motion can tell apart, exact for generic geometry.

        armature, friction: with the joints' rotors and friction coefficients among the parameters
        """
        from qddot.equations.base import base_parameters

        return base_parameters(self.model, armature, friction)

    def diagnose(self) -> Diagnosis:
        """What is wrong with the description, or looks wrong: findings with their reasons and remedies."""
        from qddot.doctor.examine import diagnose

        return diagnose(self.model)

    def coriolis_matrix(self, q: Any, qd: Any, **given: Any) -> Any:
        """C with C_ij = Σ_k Γ_ijk q̇_k, so that Ṁ − 2C is skew, shape (…, n, n)."""
        return self._call("coriolis_matrix", (q, qd), given)

    def jacobian_rate(self, q: Any, qd: Any, body: int | str = -1, frame: str = "world", **given: Any) -> Any:
        """J̇ q̇ of the Jacobian with the same options, shape (…, 6)."""
        return self._call("jacobian_rate", (q, qd), given, body=body, frame=frame)

    def regressor(self, q: Any, qd: Any, qdd: Any, **given: Any) -> Any:
        """Y with τ = Y π for the bodies, shape (…, n, 10·bodies); columns for each body: m, mx, my, mz,
        Ixx, Ixy, Ixz, Iyy, Iyz, Izz about its frame's origin."""
        return self._call("regressor", (q, qd, qdd), given)

    def inverse_dynamics_derivatives(self, q: Any, qd: Any, qdd: Any, **given: Any) -> Any:
        """(∂τ/∂q, ∂τ/∂q̇, M), each of shape (…, n, n)."""
        return self._call("inverse_dynamics_derivatives", (q, qd, qdd), given)

    def forward_dynamics_derivatives(self, q: Any, qd: Any, tau: Any, **given: Any) -> Any:
        """(∂q̈/∂q, ∂q̈/∂q̇, M⁻¹ = ∂q̈/∂τ), each of shape (…, n, n)."""
        return self._call("forward_dynamics_derivatives", (q, qd, tau), given)

    def linearize(self, q0: Any, tau0: Any = None, **values: Any) -> tuple[Any, Any]:
        """(A, B) of d/dt (δq, δq̇) = A (δq, δq̇) + B δτ about rest at q0, (…, 2n, 2n) and (…, 2n, n).

        tau0: the torque there; by default the one that holds the arm still
        """
        import numpy as np

        still, n = np.zeros(self.n), self.n
        held = self.bias(q0, still, **values) if tau0 is None else tau0
        by_q, by_qd, by_tau = self.forward_dynamics_derivatives(q0, still, held, **values)
        batch = by_q.shape[:-2]
        A, B = np.zeros((*batch, 2 * n, 2 * n)), np.zeros((*batch, 2 * n, n))
        A[..., :n, n:] = np.eye(n)
        A[..., n:, :n], A[..., n:, n:], B[..., n:, :] = by_q, by_qd, by_tau
        return A, B

    def simulate(
        self,
        q0: Any,
        qd0: Any = None,
        duration: float = 10.0,
        step: float = 1e-3,
        method: str = "rk4",
        torque: Any = None,
        damping: Any = None,
        record_every: int = 1,
        threads: int | None = None,
        progress: Callable[[float], None] | None = None,
        event: Any = None,
        limits: bool = True,
        **values: Any,
    ) -> Run:
        """The motion from (q0, qd0) for `duration` seconds, steps + 1 samples with both ends, as a `Run`.

        q0, qd0: (n,), or (N, n) for N arms at once; qd0 is 0 by default.
        method: "rk4" on (q, q̇); "semi-implicit" and "midpoint" on (q, p = M q̇), where they are symplectic; all
        three compiled with the dynamics. "dop853" and "radau" of SciPy with adaptive steps, sampled every `step`.
        torque: None; (n,) or (N, n) numbers; (times, values) of shape (K,) and (K, n), straight between; or a
        law τ(t, q, qd) in ordinary arithmetic and `qddot.sin` and the like, which is compiled, too (`qddot.laws`
        has some). A law that cannot be traced is called from Python at every stage; `run.notes` says so.
        damping: D of a torque −D q̇ added to the model's own friction, a number, (n,) or (N, n).
        record_every: keep every so manieth sample. progress: called with the fraction that is done.
        event: a function of (t, q, qd) that stops an arm where it rises above 0; limits: joint limits stop, too.
        values: of symbols, a number, or N of them, one for each arm.
        Ctrl-C ends the run with what has been computed. A state that grows without bound stops its own arm.

        raises SimulationError: what cannot be run, before it is run
        """
        from qddot.simulate import setup, simulation

        setup.check_calling(threads, progress)
        asked = setup.checked(
            self.model,
            self.model.defaults(),
            q0,
            qd0,
            duration,
            step,
            method,
            torque,
            damping,
            record_every,
            event,
            limits,
            values,
        )
        return simulation.run(asked, threads, progress)

    def plot(self, q: Any, **options: Any) -> Any:
        """The arm in one pose with its frames; a Matplotlib figure. options: of `qddot.scene.pose`"""
        from qddot import scene

        return scene.pose(self, q, **options)

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """One function as straight-line code with this arm's constants folded.

        function: the name of a numeric method; free: symbols that stay inputs; options: as that method's
        """
        from qddot.tracing import trace

        names = sorted(set(self._known(free)))
        values = {name: value for name, value in self.model.defaults().items() if name not in names}
        missing = sorted(self._used_symbols(function) - set(values) - set(names))
        if missing:
            raise EvaluationError(
                f"no value for {', '.join(missing)}", where=self.name, remedy=f"give them: {missing[0]}=..."
            )
        return trace(self.model, function, {**dict.fromkeys(self.model.symbols, 0.0), **values}, names, **options)

    def _known(self, names: Sequence[str]) -> list[str]:
        listed_names = _texts(names, "symbols")
        for name in listed_names:
            if name not in self.model.symbols:
                raise EvaluationError(
                    f"no symbol {name!r} in {self.name}", remedy=did_you_mean(name, self.model.symbols)
                )
        return listed_names

    def _used_symbols(self, function: str) -> set[str]:
        """What a function may need values of: all symbols, or for motion alone those of the geometry."""
        from qddot.tracing import GEOMETRIC

        if function not in GEOMETRIC:
            return set(self.model.used_symbols)
        return set().union(*(expression.symbols() for expression in self.model.geometry()))

    def _compiled(self, function: str, free: tuple[str, ...], **options: Any) -> BatchFunction:
        key = (function, free, repr(sorted(options.items())))
        if key not in self._functions:
            from qddot.compilers.batch import BatchFunction

            self._functions[key] = BatchFunction(self._deferred(function, free, options))
        return self._functions[key]

    def _deferred(self, function: str, free: tuple[str, ...], options: dict[str, Any]) -> Program | Deferred:
        """The program's interface from the cache where it has been made before, else the program."""
        from qddot.compilers import cache
        from qddot.program.program import Deferred

        request = repr((cache.source_stamp(), self.model.hash(), function, free, sorted(options.items())))
        key = hashlib.sha256(request.encode()).hexdigest() + ".json"
        known = cache.read(key)
        if known is not None:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                return Deferred.parsed(known.decode(), lambda: self.program(function, free, **options))
        program = self.program(function, free, **options)
        cache.write(key, program.interface().encode())
        return program

    def _call(self, function: str, arrays: tuple[Any, ...], given: dict[str, Any], **options: Any) -> Any:
        if not given and not options:
            results = self._direct[function](*arrays)
            if results is not None:
                return results
        calling = {name: given.pop(name) for name in CALLING if name in given}
        free = tuple(sorted(given))
        return self._compiled(function, free, **options)(*arrays, *(given[name] for name in free), **calling)

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any, wrenches: Any = None, **given: Any) -> Any:
        """τ = M q̈ + h + G + springs + friction − Σ Jᵀ wrenches, shape (…, n) [N·m or N].

        q, qd, qdd: shape (…, n); wrenches: (…, bodies, 6), external force then moment on each body, in
        body axes at the body's origin. given: symbols' values (a number, or one value a state), and
        out=, dtype="float64" | "float32", threads=, check=.
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

    def gravity(self, q: Any, **given: Any) -> Any:
        """G(q) = ∂P/∂q, gravity alone, shape (…, n)."""
        return self._call("gravity", (q,), given)

    def bias(self, q: Any, qd: Any, **given: Any) -> Any:
        """Inverse dynamics at q̈ = 0, friction and springs included, shape (…, n)."""
        return self._call("bias", (q, qd), given)

    def forward_kinematics(self, q: Any, body: int | str = -1, **given: Any) -> Any:
        """T_0b of a body's frame, by its index or name, shape (…, 4, 4)."""
        return self._call("forward_kinematics", (q,), given, body=body)

    def skeleton(self, q: Any, **given: Any) -> Any:
        """What a drawing needs, in the base frame [m]: (…, bodies, 4, 3), for each body its joint's point before and
        after the joint's motion, the joint's axis and the frame's origin; and the tool's point, (…, 3)."""
        return self._call("skeleton", (q,), given)

    def jacobian(self, q: Any, body: int | str = -1, frame: str = "world", **given: Any) -> Any:
        """J at the body frame's origin, rows linear then angular, world or body axes, shape (…, 6, n)."""
        return self._call("jacobian", (q,), given, body=body, frame=frame)

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

    def export(
        self,
        target: str,
        functions: Sequence[str] = ("inverse_dynamics",),
        folder: str | Path = ".",
        name: str = "",
        real: str = "double",
        free: Sequence[str] = (),
    ) -> list[Path]:
        """Write functions as source code with a self-test; returns the files.

        target: "c" (header and source, C99) or "python" (NumPy); real: "double" or "float"; free: symbols
        that stay arguments, the others are folded in
        raises QddotError: an unknown target or function, symbols without a value, a folder that cannot be written
        """
        from qddot import __version__
        from qddot.compilers import TARGETS, target_files
        from qddot.compilers.exported import Origin

        for what, value, known in (("target", target, tuple(TARGETS)), ("real", real, ("double", "float"))):
            if value not in known:
                raise FormatError(f"{what} {shortened(value)}", expected=" or ".join(known))
        wanted = list(dict.fromkeys(_texts(functions, "functions")))
        if not wanted:
            raise FormatError("no functions", expected="names such as inverse_dynamics")
        programs = [self.program(function, free) for function in wanted]
        stem = name or self.name
        if not isinstance(stem, str) or not stem.isidentifier() or not stem.isascii():
            raise FormatError(f"the name {shortened(stem)}", expected="a C identifier", remedy="give name=")
        origin = Origin(self.name, self.model.hash(), __version__)
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            written = []
            for file, text in target_files(target, programs, origin, stem, real).items():
                written.append(Path(folder) / file)
                written[-1].write_text(text, encoding="utf-8")
        except (OSError, TypeError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise FormatError(f"cannot be written: {reason}", where=shortened(folder)) from None
        return written

    def to_urdf(self) -> str:
        """The arm as the text of a URDF file, with its symbols' values; the strength of gravity is not in it.

        raises FormatError: a symbol without a value, or what URDF cannot say (rotors, springs)
        """
        from qddot.formats import urdf

        return urdf.dumps(self.model)

    def with_values(self, **values: Any) -> Robot:
        """The same arm with other defaults of its symbols."""
        symbols = dict(self.model.symbols)
        for name in self._known(tuple(values)):
            symbols[name] = replace(symbols[name], value=values[name])
        return Robot(replace(self.model, symbols=symbols))

    def with_payload(
        self,
        mass: Any,
        com: Any = (0, 0, 0),
        inertia: Any = (0, 0, 0, 0, 0, 0),
        about: str = "com",
        name: str = "payload",
    ) -> Robot:
        """The arm with a body fixed at the tool's frame: com and inertia (xx, xy, xz, yy, yz, zz) along it."""
        joint = Joint("fixed", parent=self.model.tool_body, placement=self.model.tool)
        payload = Body.of(name, joint, mass=mass, com=com, about=about, tensor=inertia)
        return Robot(replace(self.model, bodies=(*self.model.bodies, payload)))

    def to_dh(self) -> Robot:
        """The same arm in frames of standard rows, T = Rz(θ) Tz(d) Tx(a) Rx(α); its notes say what was rounded.

        raises QddotError: an arm that branches, or a symbol under a root that has no value
        """
        from qddot.conversions import dh

        return Robot(dh.standard(self.model))

    def to_mdh(self) -> Robot:
        """The same arm in frames of modified rows, T = Rx(α) Tx(a) Rz(θ) Tz(d); else as `to_dh`."""
        from qddot.conversions import dh

        return Robot(dh.modified(self.model))

    def to_screws(self, frame: str = "space") -> Robot:
        """The same arm by its joints' screws at q = 0, in the base frame ("space") or in the tool's ("body")."""
        from qddot.conversions import screws

        ways = {"space": screws.space, "body": screws.body}
        if frame not in ways:
            raise FormatError(f"frame {shortened(frame)}", expected='"space" or "body"')
        return Robot(ways[frame](self.model))

    def to_tree(self) -> Robot:
        """The same arm as a tree whose links' frames stand at their joints."""
        from qddot.conversions import tree

        return Robot(tree.tree(self.model))

    def operational_space(self, q: Any, qd: Any, body: int | str = -1, **given: Any) -> tuple[Any, Any, Any]:
        """(Λ, μ, p) at a body frame's origin in world axes: Λ v̇ + μ + p is the force for the motion.

        Λ = (J M⁻¹ Jᵀ)⁻¹, μ = Λ (J M⁻¹ h − J̇ q̇), p = Λ J M⁻¹ G, shapes (…, 6, 6), (…, 6), (…, 6); h without
        friction and springs. Source: Khatib, "A unified approach for motion and force control", 1987.
        raises EvaluationError where J has not full rank
        """
        import numpy as np

        J = self.jacobian(q, body, **given)
        M, G = self.mass_matrix(q, **given), self.gravity(q, **given)
        h = (self.coriolis_matrix(q, qd, **given) @ np.asarray(qd, dtype=float)[..., None])[..., 0]
        JM = np.swapaxes(np.linalg.solve(M, np.swapaxes(J, -1, -2)), -1, -2)
        mobility = JM @ np.swapaxes(J, -1, -2)
        if not np.isfinite(mobility).all():
            raise EvaluationError("q is not finite, or M is singular there", where=self.name)
        if self.n < 6 or np.linalg.cond(mobility).max(initial=0) > 1e12:
            raise EvaluationError(
                "the body cannot move in all six directions here", where=self.name, expected="a Jacobian of rank 6"
            )
        inertia = np.linalg.inv(mobility)
        rate = self.jacobian_rate(q, qd, body, **given)
        drift, weight = ((JM @ torque[..., None])[..., 0] for torque in (h, G))
        return inertia, (inertia @ (drift - rate)[..., None])[..., 0], (inertia @ weight[..., None])[..., 0]

    def __getstate__(self) -> dict[str, Any]:
        # equations are derived again where they are needed: their polynomials do not travel
        return {"model": self.model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"])  # type: ignore[misc]

    def __repr__(self) -> str:
        joints = ", ".join(self.model.coordinates)
        return f"<Robot {self.name}: {len(self.model.bodies)} links, coordinates {joints}>"


class _Direct(dict[str, Callable[..., Any]]):
    """The functions with all symbols folded in, for plain arrays of one state or one batch; None is their
    answer to anything else."""

    def __init__(self, arm: Robot) -> None:
        self.arm = arm

    def __missing__(self, function: str) -> Callable[..., Any]:
        self[function] = self.arm._compiled(function, ()).direct
        return self[function]


def _texts(values: Any, what: str) -> list[str]:
    """A list of names; a single name is a list of one."""
    names = [values] if isinstance(values, str) else listed(values, what)
    for name in names:
        if not isinstance(name, str):
            raise EvaluationError(f"{what} has {shortened(name)}", expected="names")
    return list(names)
