"""Robot: what a user holds of an arm. Each method asks one room, and what is computed is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.errors import EvaluationError, FormatError, ModelError, is_one_of, shortened
from qddot.model.bodies import Body, Joint
from qddot.model.model import Model, symbol_table
from qddot.numeric.arm import NumericArm
from qddot.spatial import Pose

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from qddot.equations.prove import Certificate
    from qddot.expressions.expression import Scalar
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.faces.run import Run
    from qddot.forms.base import BaseParameters
    from qddot.inspect.doctor.diagnosis import Diagnosis
    from qddot.simulate.plant import Event
    from qddot.simulate.torque import Law


# numbers, or texts such as "90deg", for one arm or for each of N
Start: TypeAlias = "ArrayLike | Sequence[Scalar] | Sequence[Sequence[Scalar]]"


class Robot(NumericArm):
    """A robot is an arm with its model, from which everything is derived: equations, numbers, code and motion.

    raises ModelError: what it is made of is no Model
    """

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise ModelError(f"a robot made of {shortened(model)}", expected="a Model; qddot.load(name) finds one")
        super().__init__(model)
        self._equations: dict[str, EquationsOfMotion] = {}

    def equations(self, route: str = "composite") -> EquationsOfMotion:
        """Returns the exact equations of motion τ = M q̈ + h + G + springs + friction, derived at the first call.

        route: "composite" (composite bodies and Christoffel symbols), "newton_euler", or one of
        Lagrange's forms "dh4x4", "com_jacobian", "screw", "energy"
        raises QddotError: no such route
        """
        if not isinstance(route, str):
            raise EvaluationError(f"a route {shortened(route)}", expected="a name")
        if route not in self._equations:
            from qddot.faces.equations_of_motion import EquationsOfMotion

            ring = self._equations["composite"].ring if "composite" in self._equations else None
            self._equations[route] = EquationsOfMotion(self.model, route, ring)
        return self._equations[route]

    def prove(self, routes: Sequence[str] | None = None, progress: Callable[[str], None] | None = None) -> Certificate:
        """Derives the equations by all routes, proves them equal, proves the laws of mechanics, and returns the
        certificate. routes, progress: as of `EquationsOfMotion.prove`"""
        return self.equations().prove(routes, progress)

    def base_parameters(self, armature: bool = False, friction: bool = False) -> BaseParameters:
        """Returns the smallest set of combinations of dynamic parameters that the motion can tell apart.

        They hold for generic symbols. The combinations are exact, or have a proved bound of their error: `exact` and
        `error_bound` say which.
        armature, friction: whether the joints' rotors and friction coefficients are among the parameters
        raises QddotError: so many symbols in the geometry that numbers are needed
        Source: Gautier & Khalil 1990.
        """
        from qddot.forms.base import base_parameters

        return base_parameters(self.model, armature, friction)

    def doctor(self) -> Diagnosis:
        """Examines the description and returns what is wrong or looks wrong: findings with reasons and remedies."""
        from qddot.inspect.doctor.examine import diagnose

        return diagnose(self.model)

    def simulate(
        self,
        q0: Start,
        qd0: Start | None = None,
        duration: float = 10.0,
        step: float = 1e-3,
        method: str = "rk4",
        torque: ArrayLike | tuple[ArrayLike, ArrayLike] | Law | None = None,
        damping: ArrayLike | None = None,
        record_every: int = 1,
        threads: int | None = None,
        progress: Callable[[float], None] | None = None,
        event: Event | None = None,
        limits: bool = True,
        **values: ArrayLike,
    ) -> Run:
        """Computes the motion from (q0, qd0) over `duration` seconds and returns it as a `Run`, both ends included.

        q0, qd0: (n,), or (N, n) for N arms at once; qd0 is 0 by default.
        method: "rk4" on (q, q̇); "semi-implicit" and "midpoint" on (q, p = M q̇), where they are symplectic; all
        three compiled with the dynamics. "dop853" and "radau" of SciPy with adaptive steps, sampled every `step`.
        torque: None; (n,) or (N, n) numbers; (times, values) of shape (K,) and (K, n), straight between; or a
        law τ(t, q, qd) in ordinary arithmetic and `qddot.sin` and the like, which is compiled, too (`qddot.laws`
        has some). A law that cannot be traced is called from Python at every stage; `run.notes` says so.
        damping: D of a torque −D q̇ added to the model's own friction, a number, (n,) or (N, n).
        record_every: 10 keeps every tenth sample. progress: called with the fraction that is done.
        event: a function of (t, q, qd) that stops an arm where it rises above 0; limits: joint limits stop, too.
        values: of symbols, a number, or N of them, one for each arm.
        Ctrl-C ends the run with what has been computed. A state that grows without bound stops its own arm.

        raises SimulationError: what cannot be run, before it is run
        """
        from qddot.faces.run import Run
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
        return Run.of(simulation.run(asked, threads, progress), Robot)

    def plot(self, q: ArrayLike, frames: bool = True, camera: tuple[float, float] | None = None) -> Figure:
        """Returns a Matplotlib figure of the arm at the coordinates q, shape (n,) [rad or m].

        frames: whether every link's frame is drawn (x red, y green, z blue); camera: (elevation, azimuth) in degrees
        raises QddotError: other than n finite numbers
        """
        from qddot.draw import scene

        return scene.pose(self, q, frames, camera)

    def export(
        self,
        target: str,
        functions: Sequence[str] = ("inverse_dynamics",),
        folder: str | Path = ".",
        name: str = "",
        real: str = "double",
        free: Sequence[str] = (),
        body: int | str | None = None,
        frame: str = "world",
        wrenches: bool = False,
    ) -> list[Path]:
        """Writes functions as source code with a self-test, and returns the paths of the files.

        target: "c" (header and source, C99) or "python" (NumPy); real: "double", or "float" in C; free: symbols
        that stay arguments, the others are folded in; body, frame: of kinematics, as in `jacobian`; wrenches: whether
        the dynamics take external ones
        raises QddotError: an unknown target or function, symbols without a value, a folder that cannot be written
        """
        from qddot.numeric import source_code

        options = {"body": body, "frame": frame, "wrenches": wrenches}
        return source_code.write(self, target, functions, folder, name, real, free, options)

    def to_toml(self, convention: str = "tree") -> str:
        """Returns the arm as the text of a robot file, which `qddot.load` reads; its notes are comments.

        convention: "tree", or "dh", "mdh", "screws", "body_screws" where the arm is described so (`as_dh` and others)
        raises FormatError: an arm that the convention cannot say
        """
        from qddot.describe import robot_file

        return robot_file.dumps(self.model, convention)

    def to_urdf(self) -> str:
        """Returns the arm as the text of a URDF file, with its symbols' values in SI units.

        URDF has no word for gravity, rotors and springs: where they are not the usual ones, g = 9.81 and none, they
        are comments (<!-- qddot: gravity 0 0 -1.62 -->), which `qddot.load` reads back and other programs pass over.
        raises FormatError: a symbol without a value
        """
        from qddot.describe import urdf

        return urdf.dumps(self.model)

    def with_values(self, /, **values: Scalar) -> Robot:
        """Returns the same arm with other defaults of its symbols. raises QddotError: no such symbol, or no number"""
        self._known(tuple(values))
        return Robot(self.model.with_values(values))

    def with_payload(
        self,
        mass: Scalar,
        com: Sequence[Scalar] | ArrayLike = (0, 0, 0),
        inertia: Sequence[Scalar] | ArrayLike = (0, 0, 0, 0, 0, 0),
        about: str = "com",
        name: str = "",
        body: int | str | None = None,
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Robot:
        """Returns the arm with one more body, which is fixed at the tool's frame.

        mass [kg], com [m] and inertia (xx, xy, xz, yy, yz, zz) [kg·m²] are along that frame; about: the point of the
        inertia, "com", "origin" or "pseudo"; body: the link that carries the payload, by its index or name, then at
        that link's frame; name: of the new body, by default "payload"; symbols: that the arguments introduce, as names
        or with values. The new body is the last one of wrenches, reactions and the regressor; what has a default body
        keeps to the link that carries the tool.
        raises ModelError: no such link, or an inertia that no body has
        """
        names = [other.name for other in self.model.bodies]
        if not isinstance(name, str) or not isinstance(body, int | str | None):
            raise ModelError(f"body {shortened(body)}, name {shortened(name)}", expected="names; body may be an index")
        if isinstance(body, int) and -len(names) <= body < len(names):
            body = names[body]
        at_tool = body is None or body == "tool"
        carrier = self.model.tool_body if at_tool else self.model.body(body).name  # type: ignore[arg-type]
        place = self.model.tool if at_tool else Pose.identity()
        numbered = ("payload" if k == 1 else f"payload{k}" for k in count(1))
        free = next(each for each in numbered if each not in names)
        joint = Joint("fixed", parent=carrier, placement=place)
        payload = Body.of(name or free, joint, mass=mass, com=com, about=about, inertia=inertia)
        declared = symbol_table(symbols)
        for known in set(declared) & set(self.model.symbols):
            raise ModelError(
                f"symbol {known!r} is declared already", where=self.name, remedy="leave it out of symbols="
            )
        declared = {**declared, **self.model.symbols}
        return Robot(replace(self.model, bodies=(*self.model.bodies, payload), symbols=declared))

    def as_dh(self) -> Robot:
        """Returns the same arm in the frames of standard rows, T = Rz(θ) Tz(d) Tx(a) Rx(α).

        The coordinates, torques and motion stay; the notes of its model say what was rounded.

        raises QddotError: an arm that branches, or a symbol under a root that has no value
        """
        from qddot.describe.conversions import to_dh

        return Robot(to_dh.standard(self.model))

    def as_mdh(self) -> Robot:
        """Returns the same arm in the frames of modified rows, T = Rx(α) Tx(a) Rz(θ) Tz(d).

        All else is as in `as_dh`.
        """
        from qddot.describe.conversions import to_dh

        return Robot(to_dh.modified(self.model))

    def as_screws(self, frame: str = "space") -> Robot:
        """Returns the same arm by its joints' screws (ω, v) at q = 0; its links keep their frames.

        frame: "space" for screws in the base frame, "body" for the tool's
        raises FormatError: no such frame, or an arm that screws cannot say
        """
        from qddot.describe.conversions import to_screws

        ways = {"space": to_screws.space, "body": to_screws.body}
        if not is_one_of(frame, ways):
            raise FormatError(f"frame {shortened(frame)}", expected='"space" or "body"')
        return Robot(ways[frame](self.model))

    def as_tree(self) -> Robot:
        """Returns the same arm as a tree, in which every link's frame stands at its joint."""
        from qddot.describe.conversions import to_tree

        return Robot(to_tree.tree(self.model))

    def __getstate__(self) -> dict[str, Any]:
        # equations are derived again where they are needed: their polynomials do not travel
        return {"model": self.model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"])  # type: ignore[misc]

    def __repr__(self) -> str:
        joints = ", ".join(self.model.coordinates)
        return f"<Robot {self.name}: {len(self.model.bodies)} links, coordinates {joints}>"
