"""ClosedChain is a mechanism whose links form loops: its reduced equations, configurations and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.algebra.freedoms import refuse_several
from qddot.base.errors import EvaluationError, ModelError, SimulationError, shortened
from qddot.base.system.parts import installed
from qddot.faces.checking import Checking
from qddot.faces.configurations import configuration, listed
from qddot.faces.exporting import Exporting
from qddot.faces.robot import Robot
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.physics.independent import Independents, of_loops
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel, names_of_conditions
from qddot.robot.symbol_values import all_values, refuse_unknown, symbols_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from qddot.algebra.expressions.expression import Scalar
    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.exact.forms.base.of_chains import ChainBaseParameters
    from qddot.faces.closed_equations import ClosedEquations
    from qddot.faces.run import Run
    from qddot.inspect.doctor.diagnosis import Diagnosis
    from qddot.machine.numeric.assembly import Assembly
    from qddot.motion.simulate.acting.forces import Given
    from qddot.motion.simulate.laws.law import Event
    from qddot.motion.simulate.motion import GivenMethod, GivenTorque, Start
    from qddot.motion.simulate.options import Options
    from qddot.proof.certify.vectors.suite import Vectors
    from qddot.teach.check.chain_quantities import ChainQuantities


@named_as_written
class ClosedChain(NumericChain, Exporting, Checking):
    """A closed chain is a tree of links with loops: M q̈ + h + G + springs + friction = τ + Aᵀ λ, φ(q) = 0 and A q̇ = 0.

    q has the coordinates of all joints, and u the rates of the independent ones (m). The others follow from them:
    q̇ = R u. With spherical and free joints, q has positions and quaternions, and q̇ (n) and u have quasi-velocities.

    Functions take configurations in which all loops are closed, such as `assemble` returns, with any leading
    dimensions, and values of symbols by name, also one for each state; other symbols have their defaults.
    """

    def __init__(
        self,
        model: ClosedModel,
        independent: str | Sequence[str] | None = None,
        near: ArrayLike | Mapping[str, float] | None = None,
    ) -> None:
        """independent: names of coordinates, by default the first that determine the others, or the last if wheels roll

        near: a guess of a configuration with closed loops, for an over-constrained mechanism. Because its lengths are
        special, some of its conditions follow from the others near the guess and along the motion; these are left out.
        By default a configuration is looked for, if fewer conditions are independent where loops are closed than where
        they are open, and `notes` say which
        raises ModelError: the argument is no ClosedModel, the coordinates do not determine the others, or nothing moves
        raises EvaluationError: the loops cannot be closed near the guess, or are singular there
        """
        if not isinstance(model, ClosedModel):
            problem = f"the model of a closed chain is {shortened(model)}"
            raise ModelError(problem, expected="a ClosedModel; qddot.load_closed_chain(name) finds one")
        self.model = model
        self._near = self._given = near
        self._notes: tuple[str, ...] = ()
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

    if not TYPE_CHECKING:  # a type checker knows the methods

        def __getattr__(self, name: str) -> Any:
            """Raises AttributeError, which says how to call a method of robots that closed chains do not have."""
            there = hasattr(Robot, name)
            remedy = f"; chain.tree.{name} is that of the links without their loops" if there else ""
            raise AttributeError(f"a closed chain has no {name}{remedy}", name=name, obj=self)

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
        return self._notes

    def with_independent(self, *names: str) -> ClosedChain:
        """Returns the same chain with other independent coordinates.

        raises ModelError: unknown names, or coordinates that do not determine the others
        """
        chain = ClosedChain(self.model, names, self._near)
        chain._given, chain._notes = self._given, self._notes
        return chain

    def with_values(self, /, **values: Scalar) -> ClosedChain:
        """Returns the same chain with other defaults of its symbols. raises QddotError: no such symbol, or no number"""
        symbols_of(self.model.tree, tuple(values))
        model = replace(self.model, tree=self.model.tree.with_values(values))
        return ClosedChain(model, self.independent, self._given)

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

    @cached_property
    def quantities(self) -> ChainQuantities:
        """Returns the quantities with which `check` compares answers, on the branch of the chain's configuration."""
        with installed():
            from qddot.teach.check.chain_quantities import ChainQuantities

        return ChainQuantities(self.equations().reduced, self._assembled(None).q)

    def assemble(self, guess: ArrayLike | Mapping[str, float]) -> Assembly:
        """Returns a configuration `.q` near a guess in which all loops are closed, and the proved `.radius`.

        The independent coordinates keep their values. The true configuration lies within `radius` of q in each
        coordinate, and no other one does: this is proved by Krawczyk's operator in ball arithmetic.
        guess: as many numbers as q has, or a mapping by their names, by default 0 [rad or m]
        raises EvaluationError: the loops cannot be closed near the guess, or are singular there
        Source: Rump, "Verification methods", Acta Numerica 19, 2010, §13.
        """
        with installed():
            from qddot.machine.numeric.assembly import assembled

        choice = of_loops(self.model, self._choice)
        return assembled(self.model, choice, self.closure, configuration(self.model, guess), all_values(self.model))

    def some_assembly(self) -> Assembly:
        """Returns a configuration in which all loops are closed, proved as by `assemble`; it is the same in each call.

        Of those that are found, it is one within limits if possible, with joints turned as little as possible, so that
        a drawing looks natural; of several that are turned equally little, it is the one that hangs lowest.
        raises EvaluationError: none is found within some starts of Newton's method
        """
        with installed():
            from qddot.machine.numeric.assembly import found

        return found(self.model, of_loops(self.model, self._choice), self.closure, all_values(self.model))

    def doctor(self) -> Diagnosis:
        """Returns the mistakes and oddities of the description: findings about its links and its loops."""
        from qddot.inspect.doctor.closed_chains import diagnose_chain

        return diagnose_chain(self.model, self._choice)

    def plot(
        self,
        near: ArrayLike | Mapping[str, float] | None = None,
        frames: bool = True,
        camera: tuple[float, float] | None = None,
        lang: str = "en",
    ) -> Figure:
        """Returns a Matplotlib figure of a closed configuration, with the rods that close loops.

        near: a guess of it, as in `assemble`; by default that of the chain, or any configuration
        frames, camera, lang: as in `Robot.plot`
        raises QddotError: the loops cannot be closed near the guess, or a symbol has no value
        """
        with installed():
            from qddot.papers.draw import picture

        return picture.pose(self.tree.model, self._assembled(near).q, frames, camera, lang, rods=self.model.rods)

    def report(
        self,
        path: str | Path,
        lang: str = "en",
        near: ArrayLike | Mapping[str, float] | None = None,
        level: str = "lecture",
        overwrite: bool = False,
    ) -> Path:
        """Writes the derivation of the equations, with their proof, and returns the path.

        path: a file .html, .md, .ipynb, .pdf, .tex or .typ; lang: "en" or "zh"
        near: a guess of the configuration that the report draws and computes in numbers, as in `assemble`; by default
        it is that of the chain, or of `some_assembly`
        level: "full" writes all coefficients as quotients, where they have such; "lecture" defines the long ones by the
        equations that they solve, instead; "summary" has the robot, its conditions, R, M, G and the proof
        overwrite: whether files are replaced that are there already and not from an earlier report of a closed chain
        raises QddotError: another kind of file, an unknown language or level, or a file that may not be replaced;
            nothing is written then
        """
        from qddot.faces import closed_report

        return closed_report.write(self, path, lang, near, level, overwrite)

    def exam(
        self,
        path: str | Path,
        seed: int = 0,
        questions: str | Sequence[str] = "mobility,R,M,G,tau@",
        lang: str = "en",
        *,
        vary: Sequence[str] = ("lengths", "gravity", "numbers"),
        constants: bool = False,
        students: int | str | Path | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Writes an exam on the chain with its solution, and returns the sheet's path; files as those of `Robot.exam`.

        path, seed, lang, constants, students, overwrite: as in `Robot.exam`; formulas are essays in a quiz for Moodle
        questions: phi, A and R of the conditions; the quantities of `Robot.exam` along the independent rates u; laws to
        show: "mobility" (the rank of A), and those of `Robot.exam` but "equilibrium"; "velocity" and "christoffel" only
        without wheels; A@, R@, M@, C@, G@, h@, tau@ and lambda@ (the forces of the loops where motors drive the
        independent coordinates) to compute in a configuration with closed loops, which is certified
        vary: what seeds change: "lengths" writes multiples of them and divides their values, "gravity" turns it,
        "numbers" changes the values of symbols, those of lengths only if the loops still close
        raises QddotError: as in `Robot.exam`, or a symbol has no value
        """
        with installed():
            from qddot.faces import exam_files
            from qddot.teach.exam.chain_variants import ChainVariants
            from qddot.teach.exam.exams import Asked

        variants, asked = ChainVariants(self.quantities, vary), Asked(questions, constants=constants)
        return exam_files.write(variants, path, seed, asked, lang, students, overwrite)

    def assembly_modes(self, independent: ArrayLike | Mapping[str, float]) -> list[Assembly]:
        """Returns all configurations with these independent coordinates, each with its proved radius; none is missing.

        independent: an array, or a mapping by coordinates [rad or m]. The loops leave these coordinates free; with
        rolling wheels there are more of them than independent rates. A dependent angle is searched over all turns
        after which every joint that follows it is back; a slide or a screw is searched within its limits, or as far as
        the loops let it go.
        raises EvaluationError: other coordinates, a coordinate that is not given, modes that meet in one configuration,
            more than three dependent coordinates that must be found together, or one without limits and without a
            proved bound
        Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, §8.3.
        """
        with installed():
            from qddot.machine.numeric.assembly_modes import modes

        refuse_several(self.model.tree, "a search for all assembly modes", remedy="assemble finds one near a guess")
        choice = of_loops(self.model, self._choice)
        names = [self.model.tree.coordinates[k] for k in choice.independent]
        if not isinstance(independent, Mapping):
            independent = dict(zip(names, listed(self.name, independent, len(names)), strict=True))
        others, missing = [k for k in independent if k not in names], [k for k in names if k not in independent]
        if others or missing:
            some = shortened(others[0]) if others else f"no {' and no '.join(missing)}"
            problem = f"{some} among the independent coordinates"
            raise EvaluationError(problem, where=self.name, expected=", ".join(names))
        guess = configuration(self.model, independent)
        return modes(self.model, choice, self.closure, guess, all_values(self.model))

    def simulate(
        self,
        q0: Start,
        qd0: Start | None = None,
        duration: float = 10.0,
        step: float = 1e-3,
        method: GivenMethod | None = None,
        *,
        torque: GivenTorque = None,
        damping: ArrayLike | None = None,
        forces: Given | Sequence[Given] | None = None,
        event: Event | None = None,
        limits: bool = True,
        options: Options | None = None,
        values: Mapping[str, ArrayLike] | None = None,
        **symbols: ArrayLike,
    ) -> Run:
        """Returns the motion from (q0, qd0) as a `Run`, with closed loops; arguments as in `Robot.simulate`.

        q0, qd0: of all joints, such as `assemble(…).q` and `velocities(q0, u)`; torque: of all joints, (n,), zero in
        those without a motor
        method: "rk4", whose steps end with closed loops; or "taylor" (the default where it is possible), "dop853" or
        "radau", whose samples are closed by one step of Newton's method. The forces of the loops do no work, and the
        ledger of energy is that of the links. A chain stops at a turning point, where the independent coordinates do
        not determine the others; a chain with other independent coordinates may pass it.
        raises SimulationError: the run is impossible, or does not begin with closed loops
        """
        with installed():
            from qddot.faces.run import Run
            from qddot.motion.simulate import setup, simulation
            from qddot.motion.simulate.motion import Motion
            from qddot.motion.simulate.plant import Closed

        refuse_unknown(self.model.tree, symbols, self.simulate, SimulationError)
        motion: tuple[Any, ...] = (q0, qd0, duration, step, method, torque, damping, forces, event, limits)
        all_values = setup.joined_values(values, symbols)
        closed = Closed(self.model, self._choice)
        return Run(simulation.simulated(self.model.tree, Motion(*motion), options, all_values, closed), Robot)

    def _assembled(self, near: Any) -> Assembly:
        """Returns the configuration near a guess, near that of the chain, or any one."""
        near = self._near if near is None else near
        return self.some_assembly() if near is None else self.assemble(near)
