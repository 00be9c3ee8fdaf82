"""Robot is what a user works with: each method calls one package, and exact equations are derived once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from qddot.base.checked import real
from qddot.base.errors import EvaluationError, ModelError, number_of, shortened
from qddot.base.system.parts import installed
from qddot.faces.checking import Checking
from qddot.faces.described import Described
from qddot.faces.exporting import Exporting
from qddot.faces.moving import Moving
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.calls import named_as_written
from qddot.robot.model import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.exact.equations.quantities import Quantities
    from qddot.exact.forms.base import BaseParameters
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.inspect.doctor.diagnosis import Diagnosis
    from qddot.papers.draw.camera import Direction
    from qddot.papers.draw.widget import ArmWidget
    from qddot.proof.bounds.table import Bounds
    from qddot.proof.certify.proof_files import ProofFiles
    from qddot.proof.certify.vectors.suite import Vectors


@named_as_written
class Robot(NumericArm, Exporting, Checking, Moving, Described):
    """A robot is an arm with its model. Equations, numbers, code and motion are all derived from the model.

    raises ModelError: the argument is no Model
    """

    model: Model

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise ModelError("robot-without-model", model=shortened(model))
        model.check_moves()
        super().__init__(model)
        self._equations: dict[str, EquationsOfMotion] = {}

    def _with_model(self, model: Model) -> Self:
        return type(self)(model)

    def equations(self, route: str = "composite") -> EquationsOfMotion:
        """Returns the exact equations of motion τ = M q̈ + h + G + springs + friction, derived at the first call.

        route: "composite" (composite bodies and Christoffel symbols), "newton_euler", or one of
        Lagrange's forms "dh4x4", "com_jacobian", "screw", "energy"
        raises QddotError: no such route
        """
        if not isinstance(route, str):
            raise EvaluationError("route-no-name", route=shortened(route))
        if route not in self._equations:
            from qddot.exact.equations.quantities import Quantities
            from qddot.faces.equations_of_motion import EquationsOfMotion

            ring = self._equations["composite"].quantities.ring if "composite" in self._equations else None
            self._equations[route] = EquationsOfMotion(Quantities(self.model, route, ring))
        return self._equations[route]

    @property
    def quantities(self) -> Quantities:
        return self.equations().quantities

    def prove(
        self,
        routes: Sequence[str] | None = None,
        progress: Callable[[str], None] | None = None,
        seed: int | None = None,
    ) -> Certificate:
        """Returns a certificate of the equations: all routes give the same ones, and the laws of mechanics hold.

        routes, progress, seed, and what is done for long arms: as in `EquationsOfMotion.prove`
        """
        return self.equations().prove(routes, progress, seed)

    def certificate(self, to: str = "coq") -> ProofFiles:
        """Returns files with which another program proves the equations from the arm's description.

        to: "coq" or "pari". `.export(folder)` writes the files. For Coq they include a theory; `make` then proves four
        statements. Along every twice differentiable motion, Lagrange's equations of the description, with the kinetic
        energy ½ Σ tr(Ṫ J Ṫᵀ), are the printed ones. M is symmetric. Ṁ − 2C is skew. The rate of the energy is the
        power of the torques. For PARI/GP there is a script that derives M, Γ and G again and compares them.
        raises QddotError: no such program; ModelError: spherical or free joints, equations that are given entry by
        entry, two springs in one joint, or chains that are too long
        """
        from qddot.proof.certify.proof_files import proof_files

        return proof_files(self.equations().in_joint_angles.quantities, to)

    def vectors(self, states: int = 3) -> Vectors:
        """Returns conformance vectors, with which any library of dynamics can be tested: `.export(folder)` writes them.

        For each of some exact states they have M, C, G, h = C q̇, the torques of springs and friction, τ, and each
        link's frame and Jacobian, as decimals of 30 digits, all of which are proved. If joints have quaternions, the
        values are given in the conventions of qddot, Pinocchio, MuJoCo, Drake, iDynTree and the engine Newton.
        `.data()` and `.to_json()` have the same.
        raises QddotError: a symbol has no value, the equations are given entry by entry, or `states` is no whole number
        """
        with installed():
            from qddot.proof.certify.vectors.suite import Vectors, vectors

        return Vectors([vectors(self.model, states)])

    def base_parameters(self, armature: bool = False, friction: bool = False) -> BaseParameters:
        """Returns a minimal set of combinations of dynamic parameters that determines the torques.

        The set is minimal for almost all values of the symbols; if the defaults of some, such as g = 0, make it
        smaller, it is minimal for these, which `special` names. The combinations are exact, or have a proved bound of
        their error: see `exact` and `error_bound`.
        armature, friction: whether to include the joints' armature and friction coefficients
        raises QddotError: the geometry has so many symbols that numbers are needed
        Source: Gautier & Khalil 1990.
        """
        from qddot.exact.forms.base import base_parameters

        return base_parameters(self.model, armature, friction)

    def bounds(self, region: Mapping[str, Any] | None = None, gap: float = 0.01, seconds: float = 10.0) -> Bounds:
        """Returns proven bounds of the constants that proofs of controllers use, over a region, as a table.

        They are λmin and λmax of M, the largest ‖G‖ and ‖∂G/∂q‖, k_C in ‖C(q, v) w‖ ≤ k_C ‖v‖ ‖w‖, and, if the region
        limits rates and accelerations, the largest and the least torque of each joint. No state in the region is
        beyond a bound, rounding included; a positive λmin proves that M is positive definite there. Each row has a pose
        that nearly attains the bound. Norms mix units where joints turn and slide.
        region: {"q2": ("-90deg", "90deg"), "qd": 2, "qdd": 5}: ranges of coordinates, by default the joints' limits, or
        one turn; "qd1" or, for all joints, "qd" limits |q̇|, "qdd1" or "qdd" |q̈|, beside which rates have by default
        the limits of the joints' rates, or 1 rad/s or m/s
        gap: a bound is good enough if |proven − found| / |found| is at most this; `found` is the most extreme value
        that a search has found
        seconds: the processor time for all rows; then unfinished rows have the bounds proved so far, and a note
        raises QddotError: an impossible region, a joint that slides without limits, a symbol without a value, a joint
        with quasi-velocities
        Source: Moore, Kearfott & Cloud 2009; Kelly, Santibáñez & Loría 2005, ch. 4.
        """
        with installed():
            from qddot.proof.bounds.constants import bounds

        return bounds(self.model, region, real(gap, "gap", 0, above=True), real(seconds, "seconds", 0))

    def armature_error(self, region: Mapping[str, Any], seconds: float = 10.0) -> dict[str, float]:
        """Returns for each coordinate a proven bound of the torque that armature in place of rotors loses [N·m or N].

        Most programs and files describe a motor's rotor as `armature`, n² J in its joint alone. The torques between its
        spin and the motion of the link that carries it are neglected then; in the region they are at most these.

        region: as in `bounds`; it must limit rates and accelerations, such as {"qd": 2, "qdd": 5}
        seconds: the processor time for all bounds, which hold also where it is up
        raises QddotError: an arm without rotors, or as `bounds`
        """
        with installed():
            from qddot.proof.bounds.neglected import armature_errors

        return armature_errors(self.model, region, real(seconds, "seconds", 0))

    def doctor(self) -> Diagnosis:
        """Returns the mistakes and oddities of the description: findings with reasons and remedies.

        `.proved` has sentences about bounds of M and G that are proved over the joint limits within two seconds.
        """
        from qddot.inspect.doctor.examine import diagnose

        return diagnose(self.model, bounded=True)

    def plot(
        self,
        q: ArrayLike | None = None,
        frames: bool = True,
        camera: Direction | None = None,
        lang: str = "",
    ) -> Figure:
        """Returns a Matplotlib figure of the arm at q [rad or m], by default `neutral()`.

        It shows the joints' axes with the sense of their coordinates, gravity and the scale. An arm that moves in one
        plane is seen along the plane's normal, any other obliquely, without perspective; up is opposite to gravity.
        frames: whether to draw the frames, {0} of the base, {k} of the k-th link, {T} of the tool (x red, y green,
        z blue); camera: (elevation, azimuth) in degrees, or with a third number, the
        distance of the eye in extents of the picture, in perspective
        lang: "en" or "zh", by default the language in use
        raises QddotError: not as many finite numbers as q has, or a symbol of the geometry without a value
        """
        with installed():
            from qddot.papers.draw import picture

        return picture.pose(self.model, q, frames, camera, lang)

    def view(self, q: ArrayLike | None = None, lang: str = "") -> ArmWidget:
        """Returns a widget for a notebook: the arm in three dimensions, a slider for each joint, the tool's pose.

        q: the configuration at first [rad or m], by default `neutral()`; the widget's `q` follows the sliders, and the
        arm follows `q`. lang: "en" or "zh", by default the language in use
        A symbol without a value counts as 1, and is named below the arm.
        raises QddotError: anywidget is not installed, qddot's page is neither built (`make page`) nor installed, or not
        as many finite numbers as q has
        """
        with installed():
            from qddot.papers.draw import in_notebook

        return in_notebook.of_arm(self.model, q, lang)

    def report(
        self,
        path: str | Path,
        route: str | Sequence[str] = "composite",
        lang: str = "",
        significance: float | None = None,
        code: str | None = None,
        level: str = "lecture",
        bounds: bool = False,
        overwrite: bool = False,
        form: str = "sums",
        lumped: bool = True,
        format: str = "report",  # noqa: A002
    ) -> Path:
        """Writes the derivation of the equations as a document, and returns its path.

        It has the robot with its picture, convention and symbols, the transforms, each route's steps, M, Γ, C, B, C2, G
        and the torques in short form with their constants, the certificate, one state in numbers, base parameters and
        counts, a motion with its account of energy, and the sources.
        path: .html (one file), .pdf, .tex, .typ, .md or .ipynb; pictures of .tex, .typ and .md are files beside it
        route: as in `equations`; several, or "all", are compared in a table, and written side by side in HTML
        lang: "en" or "zh", by default the language in use
        significance: adds an abbreviated model with this threshold; code: "c", "python" or "js" adds
        source code of inverse dynamics
        level: "full" writes every link and entry; "lecture" does so for up to three coordinates; for longer arms it
        shows one link and one entry of each quantity, and lists other entries in an appendix if they are short;
        "summary" has the robot, M, G and the torques, and what was proved
        bounds: adds proven constants for control over the joints' limits, as in `bounds`, and, except in a summary,
        also the ranges of M and G; arms with more than three joints may take 20 seconds
        overwrite: whether files are replaced that are there already and not from an earlier report
        form, lumped: as in `equations().textbook`: "multiple-angle" has cos 2θ in place of squares; whether constants
        get names
        format: "slides" writes a slide for each idea, as .html, whose keys the page tells after a question mark, as
        .pdf or as .typ
        raises QddotError: another format, no such route, language, level or form, no such folder, a missing extra or
        font, or a file that may not be replaced; nothing is written then
        """
        from qddot.faces import derivation_report

        written = (form, lumped)
        options = (significance, code, level, bounds, overwrite, written, format)
        return derivation_report.write(self, path, route, lang, *options)

    def exam(
        self,
        path: str | Path,
        seed: int = 0,
        questions: str | Sequence[str] | None = None,
        lang: str = "",
        *,
        vary: Sequence[str] = ("lengths", "gravity", "frames", "numbers"),
        constants: bool = False,
        route: str = "com_jacobian",
        students: int | str | Path | None = None,
        folder: str | Path | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Writes an exam on the arm with its solution, and returns the sheet's path.

        Besides the sheet, exam.pdf, it writes exam-solution.pdf with the marks, exam-arm.toml with the variant of the
        arm, exam-rubric.toml, by which `qddot check` marks answers, and exam-answers.txt with the right answers. The
        solution shows the command that marks them.
        path: as in `report`, or .xml for a quiz in Moodle, which contains its solution; formulas need its plugin STACK
        seed: the variant; 0 is the arm as it is described
        questions: quantities (M, C, Gamma, h, G, P, tau) or entries (M12) to derive; laws to show: "skew" (Ṁ − 2C),
        "power" (Ė), "velocity" (C q̇ = Ṁ q̇ − ∂K/∂q), "christoffel" (Γ_ijk + Γ_jik = ∂M_ij/∂q_k), "potential"
        (G = ∂P/∂q), "linear" (τ = Y β), "definite" (M > 0), "equilibrium" (rest without torques); M@, C@, G@, h@, tau@
        to compute in numbers; by default "M,G,skew,tau@", without tau@ where a symbol has no value. "M=8" gives 8
        marks; without it there is one for each minute that writing down the solution takes
        vary: what seeds change: "lengths" scales each symbol of a length (or, if there is only one, each link),
        "gravity" turns gravity, "frames" uses the other Denavit–Hartenberg convention, "numbers" changes the values of
        symbols. All variants have the same marks, and the operations in their solutions, the measure of difficulty
        that is printed there, differ by at most 10 % from those of a reference. "joint" makes a revolute joint
        prismatic or the reverse, too; then each variant has its own marks
        constants: whether to name the lumped constants in which results are to be written; route: of the solution
        students: a number, or a file with one name on each line: each student gets a variant, numbered from `seed` or 1
        on, and the path of a table of the seeds is returned; a quiz has all variants in one file, and draws one for
        each student
        folder: where the files are written; it is made if it is not there
        overwrite: whether files are replaced that are there already and not from an earlier exam
        raises QddotError: no such question, language, change or format, too few marks for the length of a
        question's solution, an arm that is too long (the errors name what fits), a seed that makes an impossible
        arm, a missing extra or font, or a file that may not be replaced; nothing is written then
        """
        from qddot.faces import exam_files
        from qddot.teach.exam.exams import Asked
        from qddot.teach.exam.variants import Variants

        variants, asked = Variants(self.model, vary), Asked(questions, route, constants)
        return exam_files.write(variants, path, seed, asked, lang, students, overwrite, folder).main

    @property
    def _robot(self) -> type[Robot]:
        return Robot

    def __getstate__(self) -> dict[str, Any]:
        # a copy in another process derives its equations again: polynomials cannot be pickled
        return {"model": self.model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"])  # type: ignore[misc]

    def __repr__(self) -> str:
        joints = ", ".join(self.model.coordinates)
        if self.model.lagrangian is not None:
            return f"<system {self.name}: coordinates {joints}>"
        return f"<Robot {self.name}: {number_of(len(self.model.bodies), 'link')}, coordinates {joints}>"

    def _repr_html_(self) -> str:
        from qddot.papers import overview

        return overview.as_html(self.model)
