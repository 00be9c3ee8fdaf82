"""EquationsOfMotion holds the exact equations of one model, and derives results from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.base.errors import number_of
from qddot.base.system.parts import installed
from qddot.exact.equations.quantities import Quantities, quantities_of
from qddot.exact.equations.quantity_table import Attributes, of_motion
from qddot.faces.equations import Equations
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_unknown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.arrays.printed import Printed
    from qddot.exact.equations.linearize import Linearization
    from qddot.exact.equations.proofs.certificate import Certificate
    from qddot.exact.equations.state_values import Values
    from qddot.exact.forms.abbreviate import Abbreviated
    from qddot.exact.forms.textbook import Textbook
    from qddot.exact.forms.textbook.shares.why import Why
    from qddot.exact.printing.tree import Equation


class EquationsOfMotion(Attributes, Equations):
    """These are the exact equations of one model, by one route.

    τ = M q̈ + h + G + springs + friction with h = C q̇ = B [q̇_j q̇_k] + C2 [q̇_j²], j < k. Every quantity is an
    ExactArray: M (n, n), christoffel Γ_ijk (n, n, n), C (n, n), B (n, n(n−1)/2), C2 (n, n), h, G, springs, friction,
    tau (n), K, P and L scalars. K includes the armature; P is the potential energy of gravity alone, zero at the
    world's origin. For the b bodies: A (b, 4, 4) in their parents' frames; T (b, 4, 4), p_c (b, 3), J at their origins
    and J_c at their centres of mass (b, 6, n), in base axes. For the tool: T_tool (4, 4) and J_tool (6, n). A
    Jacobian's rows are linear, then angular.
    """

    def __init__(self, quantities: Quantities) -> None:
        """quantities: those of one model by one route"""
        self.quantities = quantities
        self.model, self.route, self.n = quantities.model, quantities.route, quantities.n
        self._IN_SYMPY = [name for name in of_motion() if name in quantities_of(self.model)]

    @property
    def _links(self) -> Model:
        return self.model

    @property
    def _data(self) -> Quantities:
        return self.quantities

    @property
    def law(self) -> str:
        """Returns the equations in names, "M q̈ + h + G = τ", with springs and friction if there are any."""
        return self._law("q̇", "q̈", "")

    def array(self, name: str) -> ExactArray:
        """Returns a quantity or a step by its name, or one entry or matrix of it by its printed name.

        `eq.array("M11")` is eq.M[0, 0], and by the route dh4x4 `eq.array("U313")` is ∂²T_3/∂q_1∂q_3.
        raises QddotError: no such quantity, or no such indices
        """
        return self.quantities.array(name)

    def _law_of(self, part: Printed) -> Equation | None:
        return self.quantities.law_of(part)

    @property
    def steps(self) -> Mapping[str, ExactArray]:
        """Returns the route's intermediate results; "com_jacobian" may write centres of mass as symbols cx1 …."""
        return self.quantities.steps

    @cached_property
    def in_joint_angles(self) -> EquationsOfMotion:
        """Returns the same equations in the sines and cosines of the joints' own angles."""
        own = self.quantities.in_joint_angles
        return self if own is self.quantities else EquationsOfMotion(own)

    def textbook(self, form: str = "sums", lumped: bool = True) -> Textbook:
        """Returns the equations as a person would write them: sums of angles, sin² or cos², named constants.

        form: "sums", or "multiple-angle" for cos 2θ in place of squares; lumped: whether constants get names.
        The result has the quantities; `.constants`; the counts of terms and operations; `.proved()`, which expands
        every entry again and compares it with the normal form; `.shares(name)`, which gives the links that each term
        comes from; and `.model`, which computes and exports.
        raises QddotError: no such form
        """
        from qddot.exact.forms.textbook import Textbook

        return Textbook(self.quantities, form, lumped)

    def why(self, name: str) -> Why:
        """Returns where the terms of an entry come from, and why: `print(eq.why("M12"))`.

        Each part of the entry belongs to one link's mass, with the lever arms by which the coordinates move its centre
        of mass, or to its inertia, with the axes about which they turn it; or to an armature, a spring or friction in a
        joint. `why[0].reasons` lists them, and `why[0].proved` tells whether they add up to the entry, in normal form.
        name: an entry such as "M12", "h1", "G2", "tau1", "K" or "P", or a whole quantity for all of its entries
        raises QddotError: no such entry, one that is no sum over the links, or equations given in place of links
        """
        from qddot.exact.forms.textbook.shares.why import why

        return why(self.quantities, name)

    def abbreviate(
        self,
        /,
        significance: float | Mapping[str, float] = 0.01,
        against_joint: float = 0.001,
        region: Mapping[str, Any] | None = None,
        budget: int | None = None,
        allow_indefinite: bool = False,
        **symbols: float,
    ) -> Abbreviated:
        """Returns a short model in numbers, without small terms.

        A term is small if it is below `significance` times its entry's largest magnitude over the region, or below
        `against_joint` times the largest term of the same joint. A term of G is compared with the joint's row of G, a
        term of M, B or C2 with the joint's rows of all three, as torques at the region's rates and accelerations of 1.
        significance: one number, or by matrix {"M": 0.01, "B": 0.05, "C2": 0.05, "G": 0.001}
        region: {"q2": ("-90deg", "90deg"), "qd1": (-2, 2)}; by default the limits of joints, or one turn, and of
        their rates, or 1 rad/s or m/s
        budget: operations of inverse dynamics; the thresholds are raised together until it takes no more than these
        allow_indefinite: whether to return a model whose mass matrix is known not to be positive definite
        symbols: values in place of the defaults
        The result bounds the error of each entry over the whole region, by interval arithmetic.
        raises QddotError: symbols without a value, an empty region, thresholds outside (0, 1), an indefinite M
        Source: Armstrong, Khatib, Burdick, ICRA 1986.
        """
        with installed():
            from qddot.exact.forms.abbreviate import Asked, abbreviate

        refuse_unknown(self.model, symbols, self.abbreviate)
        asked = Asked.of(significance, against_joint, budget, allow_indefinite)
        return abbreviate(self.quantities, asked, region, symbols)

    def at(
        self,
        /,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> Values:
        """Returns every quantity, and every step of the route, as NumPy arrays in one state, by name; SI units.

        q: a number for each of `model.positions`, in that order; qd, qdd: a number for each of `model.coordinates`; or
        mappings by these names. Missing numbers of qd and qdd are zero. values: those of symbols, in place of their
        defaults.
        raises EvaluationError: wrong lengths, unknown names, symbols without a value (all are named)
        """
        with installed():
            from qddot.exact.equations.state_values import Values

        refuse_unknown(self.model, values, self.at)
        return Values.of(self.quantities, (q, qd, qdd), values)

    def interval(
        self,
        name: str,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> tuple[Any, Any]:
        """Returns the (lower, upper) bounds of a quantity over the tolerances of the symbols, arrays of its shape.

        The bounds are guaranteed by ball arithmetic, and are the tightest if the quantity is linear in the symbols.
        name: that of a quantity, such as "tau"; the other arguments are those of `at`; a symbol with a value other than
        its default has no tolerance.
        raises QddotError: no such quantity; EvaluationError as in `at`
        """
        from qddot.exact.equations.tolerances import interval

        refuse_unknown(self.model, values, self.interval)
        state = self.at(q, qd, qdd, **values)
        return interval(self.quantities, name, state.state, state.symbols)

    def prove(
        self,
        routes: Sequence[str] | None = None,
        progress: Callable[[str], None] | None = None,
        seed: int | None = None,
    ) -> Certificate:
        """Returns a certificate of the equations; `bool(certificate)` is True if every identity holds.

        The equations are derived by the other routes and proved equal, then the laws of mechanics are proved. Arms
        with six or more parallel joints in a row are treated in their links' absolute angles and the rates of these.

        If an arm is too long for an exact expansion, its identities are verified in random states modulo primes, and
        the certificate bounds the probability of error. It is too long if some path from the base to a link has more
        than nine revolute joints that are not parallel to the one before, or has p revolute joints in runs of six or
        more parallel ones and r others with p + r > 12 and p + 4 r > 30. An arm with quasi-velocities that is too long,
        such as a humanoid on a free base, is still proved exactly if M has at most 500,000 terms, no path has more than
        eleven revolute joints, and `routes` is not given: its equations are quadratic in the rates, so that it suffices
        to compare them with the Newton–Euler equations at unit accelerations, and in the states in which one or two
        rates are 1 and all others are 0.

        routes: names of some routes, by default all; progress: a function that is called with each identity's name
        seed: that of a certificate modulo primes, to repeat it; by default it is drawn, and exact proofs have none
        raises QddotError: no such route
        """
        from qddot.exact.equations.proofs.prove import prove

        return prove(self.quantities, routes, progress, seed)

    def linearize(self, q0: Sequence[Any] | Mapping[str, Any]) -> Linearization:
        """Returns the exact equations near rest at q0: M δq̈ + damping δq̇ + stiffness δq = δτ, and the state space.

        q0: for each coordinate a number, an angle such as "30deg", or its own name to leave it free
        raises EvaluationError: a wrong length or name, or Coulomb friction, which has no slope at rest
        """
        from qddot.exact.equations.linearize import linearize

        return linearize(self.quantities, q0)

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Writes the equations and their model to a JSON file that `load` reads.

        overwrite: whether a file is replaced that is there already and does not have equations
        raises FormatError: the file cannot be written, or may not be replaced
        """
        from qddot.exact.equations import storage

        storage.save(self.quantities, path, overwrite)

    @classmethod
    def load(cls, path: str | Path) -> EquationsOfMotion:
        """Returns the equations that `save` wrote. raises FormatError: the file is missing, damaged or changed"""
        from qddot.exact.equations import storage

        return cls(Quantities(*storage.load(path)))

    def __repr__(self) -> str:
        if "christoffel" not in self.quantities.names:
            return f"<equations of motion of {self.model.name}: {number_of(self.n, 'coordinate')}>"
        return (
            f"<equations of motion of {self.model.name}: {number_of(self.n, 'coordinate')}, "
            f"{number_of(self.M.terms, 'term')} in M, {self.christoffel.terms} in christoffel, {self.G.terms} in G>"
        )
