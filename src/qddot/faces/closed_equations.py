"""ClosedEquations holds the exact equations of one closed chain in its independent coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from qddot.base.errors import QddotError, number_of, shortened
from qddot.base.system.parts import installed
from qddot.exact.equations.assembled import arrays_in
from qddot.exact.equations.closed.definitions import MOTION, after_conditions, definitions
from qddot.exact.equations.closed.reduced import ChainAttributes, ReducedEquations
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.printing.writer import Sheet
from qddot.faces.equations import Equations
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.closed.coefficients import Quotient
    from qddot.exact.equations.closed.linear import ClosedLinearization
    from qddot.exact.equations.closed.values import ClosedValues
    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.exact.forms.abbreviate import AbbreviatedChain
    from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook


class ClosedEquations(ChainAttributes, Equations):
    """These are M̄ u̇ + C̄ u + Ḡ + springs + friction = Rᵀ τ, where u has the rates of the m independent coordinates.

    M, C (m, m), h = C u, G, springs, friction, tau (m,): those of the closed chain (M̄, C̄, …), written in the kinematic
    coefficients r_kj of R (n, m) and their derivatives r_kj,l; q̇ = R u, and q̇ and u may have quasi-velocities. All
    quantities of a tree but its poses A are there, with u in place of q̇ and torques multiplied by Rᵀ; the Jacobians
    J (b, 6, m) give v = J u.
    phi: the independent conditions of the loops, φ = 0; A (conditions, n): A q̇ = 0, with the rows of φ̇, then those of
    rolling wheels; gamma: γ in A q̈ = −γ.
    """

    _MOTION = MOTION
    _IN_SYMPY = ("phi", "A", "gamma", "R", "M", "C", "h", "G", "springs", "friction", "tau")

    def __init__(self, reduced: ReducedEquations, near: NDArray[np.float64] | None = None) -> None:
        """near: q near the closed configuration of proofs"""
        self.reduced, self.model, self._near = reduced, reduced.model, near

    @property
    def _links(self) -> Model:
        return self.model.tree

    def array(self, name: str) -> ExactArray:
        """Returns a quantity, a step, a part ("M11"), a coefficient ("r21") or a dependent rate ("qd2") by its name.

        raises QddotError: no such quantity, or no such indices
        """
        return self.reduced.array(name)

    @property
    def steps(self) -> Mapping[str, ExactArray]:
        """Returns the intermediate results by name.

        A_d and A_i: the columns of A of the dependent and of the independent coordinates, A_d R_d = −A_i
        adj, det: A_d⁻¹ has the rows of adj, each divided by its entry of det; they are left out where they are too long
        R_rate: Ṙ, with q̈ = R u̇ + Ṙ u; M_t, C_t, G_t: those of the links without loops, in which q̇ = R u
        M_R = M_t R, C_R = C_t R + M_t Ṙ: Rᵀ multiplies them, and G_t, to give M, C and G
        """
        return self.reduced.steps

    @property
    def tree(self) -> EquationsOfMotion:
        """Returns the equations of the chain without its loops."""
        return EquationsOfMotion(self.reduced.tree)

    def why(self, name: str) -> NoReturn:
        """Raises QddotError: Rᵀ … R mixes the links in each entry; `eq.tree.why` explains those of the links alone."""
        raise QddotError("chain-entries-unexplained", name=shortened(name))

    @cached_property
    def in_joint_angles(self) -> ClosedEquations:
        """Returns the same equations in the sines and cosines of the joints' own angles."""
        own = self.reduced.in_joint_angles
        return self if own is self.reduced else ClosedEquations(own, self._near)

    @property
    def coefficients(self) -> list[Quotient]:
        """Returns the definitions of r_kj and r_kj,l, each a name with numerator and denominator."""
        of = self.reduced.coefficients
        return [*of.first_named, *of.second_named]

    def prove(self, near: NDArray[np.float64] | None = None) -> Certificate:
        """Returns a certificate of the equations where the loops are closed, near one configuration.

        Proved are: det A_d ≠ 0 at a closed configuration that the certificate names, by ball arithmetic, so that the
        rank of A is at least that of the kept conditions there, where A_d has their dependent columns; A q̇ equals the
        conditions' rates, the coefficients solve A R = 0 and Ȧ R + A Ṙ = 0, dM̄/dt − 2C̄ is skew, the energy's rate is
        the power, and Newton–Euler equations of the links give the same torques along q̇ = R u, as identities of
        polynomials, for all closed q with det A_d ≠ 0 and all values of the symbols. That conditions left out follow
        from the others is proved where it holds for all q, and else verified at several closed configurations.
        near: q near the configuration, by default that of the chain, or the neutral position
        """
        from qddot.exact.equations.closed.laws import certified
        from qddot.exact.equations.closed.left_out_conditions import left_out

        with installed():
            from qddot.machine.numeric.closed_evidence import evidence

        eq, rest = self.reduced, left_out(self.reduced)
        rows = rest.there if rest.there or rest.moving else None
        return certified(eq, rest, evidence(eq.model, eq.choice, rows, self._near if near is None else near))

    @property
    def _data(self) -> ReducedEquations:
        return self.reduced

    @property
    def law(self) -> str:
        """Returns the equations in names, "M u̇ + h + G = Rᵀ τ", with springs and friction if there are any."""
        return self._law("u", "u̇", "Rᵀ ")

    @property
    def _effects(self) -> list[str]:
        """Returns the names of those of the links; to know whether R cancels them would take the coefficients."""
        return [name for name in JOINT_PARTS if self.reduced.tree.array(name)]

    @property
    def shown(self) -> list[str]:
        """Returns the names that are shown by default: the conditions phi of loops and A of wheels come first."""
        conditions = [
            name for name, there in (("phi", self.model.positional), ("A", not self.model.integrable)) if there
        ]
        return [*conditions, *super().shown]

    def sheet(self, only: Sequence[str] | None = None, digits: int | None = None) -> Sheet:
        """Returns the chosen quantities; after the conditions, the definitions of the coefficients in the others."""
        arrays = self._chosen(only)
        names = set[str]().union(*(array.free_symbols for array in arrays_in(arrays)))
        listed = definitions(self.reduced.coefficients, names, lambda array: array.rounded(digits))
        return Sheet(after_conditions([array.rounded(digits) for array in arrays], listed))

    def textbook(self, form: str = "sums", lumped: bool = True) -> ClosedTextbook:
        """Returns the equations as a person would write them: sums of angles, sin² or cos², named constants.

        form, lumped: as in `EquationsOfMotion.textbook`. The coefficients r_kj and r_kj,l keep their names, and their
        definitions are in short form, too; `.proved()` expands both again and compares them with the normal form.
        raises QddotError: no such form
        """
        from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook

        return ClosedTextbook(self.reduced, self.shown, form, lumped)

    def abbreviate(
        self,
        /,
        significance: float | Mapping[str, float] = 0.01,
        against_joint: float = 0.001,
        region: Mapping[str, Any] | None = None,
        budget: int | None = None,
        allow_indefinite: bool = False,
        **symbols: float,
    ) -> AbbreviatedChain:
        """Returns a short model in numbers: the equations of the links without small terms, and the exact loops.

        M̄ = Rᵀ M R, h̄ = Rᵀ (h + M Ṙ u) and Ḡ = Rᵀ G with short M, h = B [q̇_j q̇_k] + C2 [q̇_j²] and G, and with exact R.
        A term is dropped if what it adds to each entry of M̄, B̄, C̄2 and Ḡ in closed configurations is below
        `significance` times the entry's largest magnitude, or below `against_joint` times the largest entry of its row.
        region: {"q1": (-1, 1), "qd1": (-2, 2)}, intervals of any coordinates and of independent rates; by default what
        the branch of the chain's configuration reaches within the joints' limits, and |u| ≤ 1
        significance, against_joint, budget, allow_indefinite, symbols: as in `EquationsOfMotion.abbreviate`
        The errors of M̄, B̄, C̄2 and Ḡ are the largest ones in a sample of closed configurations that keep away from
        singular ones; those of the links' entries have guaranteed bounds. M̄ is positive definite where M is.
        raises QddotError: as `EquationsOfMotion.abbreviate`, or the branch has hardly any configuration in the region
        """
        with installed():
            from qddot.exact.forms.abbreviate import Asked, abbreviate_chain

        refuse_unknown(self._links, symbols, self.abbreviate)
        asked = Asked.of(significance, against_joint, budget, allow_indefinite)
        return abbreviate_chain(self.reduced, asked, self._near, region, symbols)

    def linearize(self) -> ClosedLinearization:
        """Returns the exact linear equations near rest: M δu̇ + damping δu + stiffness δq = δ(Rᵀτ), and the state space.

        They hold in every closed configuration, since they contain the coefficients r_kj; `.at(q)` has their numbers.
        raises EvaluationError: Coulomb friction, which has no slope at rest, or rolling wheels
        """
        with installed():
            from qddot.exact.equations.closed.linear import linearize_closed

        return linearize_closed(self.reduced)

    def at(
        self,
        /,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> ClosedValues:
        """Returns every quantity as a NumPy array in one state, by name; SI units.

        q: of all joints, in which the loops are closed, such as `chain.assemble(…).q`; qd, qdd: numbers of all
        velocities and accelerations, of which those of the independent coordinates count, or mappings of these by
        their names. Missing numbers of qd and qdd are zero. values: those of symbols, in place of their defaults.
        raises EvaluationError: open loops, wrong lengths, unknown names, symbols without a value (all are named)
        """
        with installed():
            from qddot.exact.equations.closed.values import ClosedValues

        refuse_unknown(self._links, values, self.at)
        return ClosedValues(self.reduced, (q, qd, qdd), values)

    def interval(
        self,
        name: str,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> tuple[Any, Any]:
        """Returns the (lower, upper) bounds of a quantity over the tolerances of the symbols, arrays of its shape.

        The independent coordinates and their motion stay those of q, qd and qdd. The other coordinates follow from them
        for each value of the lengths; they are enclosed by Krawczyk's operator, and all else by ball arithmetic, so
        that the bounds are guaranteed, but not the tightest.
        name: that of a quantity, such as "tau"; the other arguments are those of `at`; a symbol with a value other than
        its default has no tolerance.
        raises QddotError: no such quantity; EvaluationError as in `at`, or tolerances that are too wide for the proof
        """
        with installed():
            from qddot.exact.equations.closed.tolerances import interval

        refuse_unknown(self._links, values, self.interval)
        return interval(self.reduced, name, self.at(q, qd, qdd, **values))

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Writes the equations, their chain and its configuration to a JSON file that `load` reads.

        overwrite: whether a file is replaced that is there already and does not have equations
        raises FormatError: the file cannot be written, or may not be replaced
        """
        from qddot.exact.equations import storage

        storage.save_chain(self.reduced, self._near, path, overwrite)

    @classmethod
    def load(cls, path: str | Path) -> ClosedEquations:
        """Returns the equations that `save` wrote. raises FormatError: the file is missing, damaged or changed"""
        with installed():
            import numpy as np

        from qddot.exact.equations import storage

        reduced, near = storage.load_chain(path)
        return cls(reduced, None if near is None else np.array(near))

    def __repr__(self) -> str:
        terms = f"{number_of(self.M.terms, 'term')} in M, {self.G.terms} in G"
        return f"<equations of motion of {self.model.name}: independent {', '.join(self.reduced.independent)}, {terms}>"
