"""ClosedChain is a mechanism whose links form loops: its reduced equations, configurations and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from qddot.base.checked import real
from qddot.base.errors import ModelError, QddotError, few, shortened
from qddot.base.system.parts import installed
from qddot.base.words.message import Message
from qddot.faces.assembling import Assembling
from qddot.faces.checking import Checking
from qddot.faces.configurations import configuration
from qddot.faces.described import Described
from qddot.faces.exporting import Exporting
from qddot.faces.moving import Moving
from qddot.faces.robot import Robot
from qddot.machine.numeric.calls import named_as_written
from qddot.physics.independent import Independents
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel, names_of_conditions

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.exact.forms.base.of_chains import ChainBaseParameters
    from qddot.faces.closed_equations import ClosedEquations
    from qddot.inspect.doctor.diagnosis import Diagnosis
    from qddot.motion.simulate.plant import Closed
    from qddot.papers.draw.camera import Direction
    from qddot.papers.draw.widget import ArmWidget
    from qddot.proof.bounds.table import Bounds
    from qddot.proof.certify.proof_files import ProofFiles
    from qddot.proof.certify.vectors.suite import Vectors
    from qddot.teach.check.chain_quantities import ChainQuantities


@named_as_written
class ClosedChain(Assembling, Exporting, Checking, Described, Moving):
    """A closed chain is a tree of links with loops: M q̈ + h + G + springs + friction = τ + Aᵀ λ, φ(q) = 0 and A q̇ = 0.

    q has the coordinates of all joints, and u the rates of the independent ones (m). The others follow from them:
    q̇ = R u. With spherical and free joints, q has positions and quaternions, and q̇ (n) and u have quasi-velocities.

    Functions take configurations in which all loops are closed, such as `assemble` returns, with any leading
    dimensions, and values of symbols by name, also one for each state; other symbols have their defaults.
    """

    model: ClosedModel

    def __init__(
        self,
        model: ClosedModel,
        independent: str | Sequence[str] | None = None,
        near: ArrayLike | Mapping[str, float] | None = None,
    ) -> None:
        """independent: names of coordinates, by default those of the motors if the description names motors and they
        determine the others, else the first ones that do, or the last if wheels roll

        near: a guess of a configuration with closed loops, for an over-constrained mechanism. Because its lengths are
        special, some of its conditions follow from the others near the guess and along the motion; these are left out.
        By default a configuration is looked for, if fewer conditions are independent where loops are closed than where
        they are open, and `notes` say which
        raises ModelError: the argument is no ClosedModel, the coordinates do not determine the others, or nothing moves
        raises EvaluationError: the loops cannot be closed near the guess, or are singular there
        """
        if not isinstance(model, ClosedModel):
            raise ModelError("chain-without-model", model=shortened(model))
        self.model = model
        self._near = self._given = near
        self._notes: tuple[Message, ...] = ()
        self._equations: ClosedEquations | None = None
        self._choice = self._chosen(independent)
        super().__init__(ClosedSystem(model, self._choice))

    def __repr__(self) -> str:
        names = ", ".join(self.model.tree.coordinates)
        return f"<closed chain {self.name}: coordinates {names}; independent {', '.join(self.independent)}>"

    def _chosen(self, independent: str | Sequence[str] | None) -> Independents:
        with installed():
            from qddot.machine.numeric.opening import opened, opened_near

        if self._given is not None:
            return opened_near(self.model, independent, configuration(self.model, self._given))
        choice, self._near, self._notes = opened(self.model, independent)
        return choice

    @property
    def tree(self) -> Robot:
        """Returns the chain without its loops."""
        return Robot(self.model.tree)

    @property
    def m(self) -> int:
        """Returns the mobility: the number of independent coordinates."""
        return len(self._choice.independent)

    @property
    def independent(self) -> tuple[str, ...]:
        """Returns the names of the independent coordinates."""
        return self.system.rates

    @property
    def dependent(self) -> tuple[str, ...]:
        """Returns the names of the coordinates that follow."""
        return tuple(self.model.tree.coordinates[k] for k in self._choice.dependent)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Returns the names of all conditions, in the order of the rows of A: "pin, x" of a loop called pin.

        They are those of a point along x, y and z, of perpendicular axes of the first and the second frame (x ⊥ z), of
        a rod's length, and of wheels that do not slip along x or y.
        """
        return names_of_conditions(self.model)

    @property
    def redundant(self) -> tuple[str, ...]:
        """Returns the names of the conditions that are left out, since they follow from the others."""
        return tuple(name for k, name in enumerate(self.conditions) if k not in self._choice.conditions)

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns what there is to know about how the chain was opened, if something is unusual."""
        return tuple(map(str, self._notes))

    def with_independent(self, *names: str) -> ClosedChain:
        """Returns the same chain with other independent coordinates.

        raises ModelError: unknown names, or coordinates that do not determine the others
        """
        chain = ClosedChain(self.model, names, self._near)
        chain._given, chain._notes = self._given, self._notes
        return chain

    def _with_model(self, model: ClosedModel) -> Self:
        """Returns the chain with another model, by the same coordinates and near the same guess as far as it has them.

        Other coordinates are chosen if the model has more freedoms, or lacks coordinates that followed from others.
        """
        old, new = self.model.tree, model.tree
        lost = set(old.coordinates) - set(new.coordinates)
        same = set(new.coordinates) <= set(old.coordinates) and lost <= set(self.independent)
        independent = [name for name in self.independent if name not in lost] if same else None
        near = None
        if self._given is not None:
            guess = zip(old.positions, configuration(self.model, self._given), strict=True)
            near = {name: value for name, value in guess if name in new.positions}
        try:
            return type(self)(model, independent, near)
        except QddotError as error:
            if not lost:
                raise
            raise ModelError(
                "held-coordinates", where=self.name, names=few(sorted(lost)), found=error.message
            ) from None

    def equations(self) -> ClosedEquations:
        """Returns the exact equations of motion in the independent coordinates, derived at the first call."""
        if self._equations is None:
            from qddot.exact.equations.closed.reduced import ReducedEquations
            from qddot.faces.closed_equations import ClosedEquations

            near = None if self._near is None else configuration(self.model, self._near)
            self._equations = ClosedEquations(ReducedEquations(self.model, self._choice), near)
        return self._equations

    def prove(self, near: ArrayLike | Mapping[str, float] | None = None) -> Certificate:
        """Returns a certificate of the equations where the loops are closed, as `ClosedEquations.prove` does.

        near: a guess of the closed configuration near which they are proved, as in `assemble`; by default that of the
        chain, or one near the neutral position
        """
        return self.equations().prove(None if near is None else configuration(self.model, near))

    def certificate(self, to: str = "coq") -> ProofFiles:
        """Returns files with which another program proves the equations from the links, loops and wheels.

        to: "coq" or "pari". `.export(folder)` writes the files; `make` then lets Coq prove that along every motion the
        rates of φ, and the velocities with which wheels slip, are A q̇; and, where det A_d ≠ 0, that A R = 0, that the
        motions that keep the conditions have q̇ = R u and q̈ = R u̇ + Ṙ u, and that Rᵀτ = M̄ u̇ + C̄ u + Ḡ with springs
        and friction, if Lagrange's equations of the links hold with torques τ + Aᵀλ. The rate of the energy is the
        power of Rᵀτ. For PARI/GP there is a script that derives A, M̄, Γ̄ and Ḡ again and compares them.
        raises QddotError: no such program; ModelError: as `Robot.certificate`
        """
        from qddot.proof.certify.proof_files import proof_files

        return proof_files(self.equations().reduced.in_joint_angles, to)

    def base_parameters(self, armature: bool = False, friction: bool = False) -> ChainBaseParameters:
        """Returns a minimal set of combinations of dynamic parameters that determines Rᵀ τ where the loops are closed.

        The combinations are exact, and the set is proved minimal, by ball arithmetic at closed configurations. If
        special lengths or rolling wheels relate more parameters than loops of any lengths do, combinations are those at
        the default lengths, which are verified to many digits at closed configurations: see `states`. They hold on the
        branch of the chain's configuration, and on others that have the same conditions.
        armature, friction: whether to include the joints' armature and friction coefficients
        raises QddotError: a symbol of the geometry has no value, or no closed configurations are found
        Source: Khalil & Dombre, *Modeling, Identification and Control of Robots*, 2002, §9.4 and §10.5.
        """
        with installed():
            from qddot.exact.forms.base.of_chains import chain_base_parameters

        return chain_base_parameters(self.equations().reduced, self._assembled(None).q, armature, friction)

    def vectors(self, states: int = 3) -> Vectors:
        """Returns conformance vectors, with which any library of closed chains can be tested; `.export(folder)` writes.

        For each of some states whose loops are closed they have q, q̇, q̈, u, u̇, φ, A, R, the torques and M̄ along u, the
        forces λ of the loops if motors drive the independent joints, and each link's frame, as decimals of 30 digits.
        All are proved, and the configurations as well. Over-constrained loops are closed if the conditions that are
        left out follow from the others, which is verified to these digits. `.data()` and `.to_json()` have the same.
        raises QddotError: a symbol has no value, too few configurations are found, or `states` is no whole number
        """
        with installed():
            from qddot.proof.certify.vectors.chains import chain_vectors
            from qddot.proof.certify.vectors.suite import Vectors

        return Vectors([chain_vectors(self.model, self._choice, self._assembled(None).q, states)])

    def bounds(
        self,
        region: Mapping[str, Any] | None = None,
        gap: float = 0.01,
        seconds: float = 10.0,
        near: ArrayLike | Mapping[str, float] | None = None,
    ) -> Bounds:
        """Returns proven bounds of M̄, Ḡ, ∂Ḡ/∂q, C̄ and the torques Rᵀ τ over a region, as `Robot.bounds` does for arms.

        They hold in all configurations with closed loops on one branch: the one that leads from the chain's
        configuration, or from the one near a guess, to the region, and continues throughout it; `branch` of the result
        has the coordinates that follow from the loops in the middle of the region. That it does, and that the
        independent coordinates determine the others there, is proved by Krawczyk's operator. C̄ is that of
        `coriolis_matrix`. If wheels roll, there is no row of ∂Ḡ/∂q, since no potential has Ḡ as its slopes.
        region: ranges of the coordinates that the loops leave free, by default the joints' limits, or one turn; with
        rolling wheels there are more of these than independent rates. Those on which nothing depends, such as the
        place of a bicycle on the ground, need no range. "qd1" or "qd", and "qdd1" or "qdd", limit the independent
        rates u and u̇
        gap, seconds: as in `Robot.bounds`; the branch takes at most half of the time
        near: a guess of a configuration on the branch, as in `assemble`
        raises QddotError: an impossible region, a symbol without a value, a joint with quasi-velocities, a branch that
            ends in the region or on the way there (at a dead point, which the error names), or one for which there is
            not enough time
        Source: Neumaier, *Interval Methods for Systems of Equations*, 1990, §5.
        """
        with installed():
            from qddot.proof.bounds.constants import bounds

        start = self._assembled(near)
        return bounds(self.system, region, real(gap, "gap", 0, above=True), real(seconds, "seconds", 0), near=start)

    @cached_property
    def quantities(self) -> ChainQuantities:
        """Returns the quantities with which `check` compares answers, on the branch of the chain's configuration."""
        with installed():
            from qddot.teach.check.chain_quantities import ChainQuantities

        return ChainQuantities(self.equations().reduced, self._assembled(None).q)

    def armature_error(self, region: Mapping[str, Any], seconds: float = 10.0) -> dict[str, float]:
        """Returns for each coordinate a proven bound of the torque that armature in place of rotors loses [N·m or N].

        It is that of the links without loops, in all of whose motions in the region it holds; arguments and errors are
        those of `Robot.armature_error`.
        """
        return self.tree.armature_error(region, seconds)

    def doctor(self) -> Diagnosis:
        """Returns the mistakes and oddities of the description: findings about its links and its loops."""
        from qddot.inspect.doctor.closed_chains import diagnose_chain

        return diagnose_chain(self.model, self._choice)

    def plot(
        self,
        near: ArrayLike | Mapping[str, float] | None = None,
        frames: bool = True,
        camera: Direction | None = None,
        lang: str = "",
    ) -> Figure:
        """Returns a Matplotlib figure of a closed configuration, with its wheels and the rods that close loops.

        near: a guess of it, as in `assemble`; by default that of the chain, or any configuration
        frames, camera, lang: as in `Robot.plot`
        raises QddotError: the loops cannot be closed near the guess, or a symbol has no value
        """
        with installed():
            from qddot.papers.draw import picture

        return picture.pose(self.tree.model, self._assembled(near).q, frames, camera, lang, closed=self.model)

    def view(self, near: ArrayLike | Mapping[str, float] | None = None, lang: str = "") -> ArmWidget:
        """Returns a widget for a notebook: the links in three dimensions, with a slider for each joint.

        The sliders of the independent coordinates move the chain, and the other coordinates follow, since `assemble`
        closes the loops in Python; where it cannot, the chain stays as it is. Rods are not drawn.
        near: a guess of the configuration at first, as in `plot`; lang: "en" or "zh", by default the language in use
        raises QddotError: as in `Robot.view`, or the loops cannot be closed near the guess
        """
        with installed():
            from qddot.papers.draw import in_notebook

        return in_notebook.of_chain(self.model, self._assembled(near).q, self._closed_near, lang)

    def report(
        self,
        path: str | Path,
        lang: str = "",
        near: ArrayLike | Mapping[str, float] | None = None,
        level: str = "lecture",
        overwrite: bool = False,
        significance: float | None = None,
        form: str | None = None,
        lumped: bool = True,
        format: str = "report",  # noqa: A002
    ) -> Path:
        """Writes the derivation of the equations, with their proof, and returns the path.

        path: a file .html, .md, .ipynb, .pdf, .tex or .typ; lang: "en" or "zh", by default the language in use
        near: a guess of the configuration that the report draws and computes in numbers, as in `assemble`; by default
        it is that of the chain, or of `some_assembly`
        level: "full" writes all coefficients as quotients, where they have such; "lecture" defines the long ones by the
        equations that they solve, instead; "summary" has the robot, its conditions, R, M, G and the proof
        overwrite: whether files are replaced that are there already and not from an earlier report of a closed chain
        significance: adds an abbreviated model with this threshold
        form: None for the normal form, "sums" or "multiple-angle" for that of `equations().textbook`, in which M, C and
        G are proved equal to it; lumped: whether constants get names in it
        format: "slides" writes a slide for each idea, as .html, .pdf or .typ
        raises QddotError: another kind of file, an unknown language, level or form, or a file that may not be replaced;
            nothing is written then
        """
        from qddot.faces import closed_report

        return closed_report.write(self, path, lang, near, level, overwrite, significance, form, lumped, format)

    def exam(
        self,
        path: str | Path,
        seed: int = 0,
        questions: str | Sequence[str] | None = None,
        lang: str = "",
        *,
        vary: Sequence[str] = ("lengths", "gravity", "numbers"),
        constants: bool = False,
        students: int | str | Path | None = None,
        folder: str | Path | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Writes an exam on the chain with its solution, and returns the sheet's path; files as those of `Robot.exam`.

        path, seed, lang, constants, students, folder, overwrite: as in `Robot.exam`; formulas are essays in a quiz
        questions: phi, A and R of the conditions; the quantities of `Robot.exam` along the independent rates u; laws to
        show: "mobility" (the rank of A), and those of `Robot.exam` but "equilibrium"; "velocity" and "christoffel" only
        without wheels; A@, R@, M@, C@, G@, h@, tau@ and lambda@ (the forces of the loops where motors drive the
        independent coordinates) to compute in a configuration with closed loops, which is certified; by default
        "mobility,R,M,G,tau@"
        vary: what seeds change: "lengths" writes multiples of them and divides their values, "gravity" turns it,
        "numbers" changes the values of symbols, those of lengths only if the loops still close
        raises QddotError: as in `Robot.exam`, or a symbol has no value
        """
        with installed():
            from qddot.faces import exam_files
            from qddot.teach.exam.chain_variants import ChainVariants
            from qddot.teach.exam.exams import Asked

        variants, asked = ChainVariants(self.quantities, vary), Asked(questions, constants=constants)
        return exam_files.write(variants, path, seed, asked, lang, students, overwrite, folder).main

    @property
    def _robot(self) -> type[Robot]:
        return Robot

    @property
    def _loops(self) -> Closed:
        from qddot.motion.simulate.plant import Closed

        return Closed(self.model, self._choice)
