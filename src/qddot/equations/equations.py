"""EquationsOfMotion: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ, exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from qddot.dynamics import coriolis
from qddot.dynamics.derivation import Derivation
from qddot.dynamics.dynamics import Dynamics
from qddot.dynamics.effects import with_inertias
from qddot.dynamics.of_model import dynamics_of
from qddot.equations import latex, routes
from qddot.equations.array import ExactArray
from qddot.equations.numeric import OUTSIDE, QUANTITIES, Steps, Values
from qddot.errors import QddotError, is_one_of, near, shortened
from qddot.model.bodies import listed
from qddot.model.model import Model
from qddot.numbers.exact import Ring

if TYPE_CHECKING:
    from qddot.abbreviate import Abbreviated
    from qddot.equations.linearize import Linearization
    from qddot.equations.prove import Certificate
    from qddot.equations.textbook import Textbook


class EquationsOfMotion:
    """The exact equations of one model, by one route.

    τ = M q̈ + h + G + springs + friction with h = C q̇. Every quantity is an ExactArray: M (n, n),
    christoffel Γ_ijk (n, n, n), C (n, n), B (n, n(n−1)/2), C2 (n, n), h, G, springs, friction, tau (n),
    K and P scalars. K counts the rotors, P counts gravity alone, zero at the base's origin. `steps`
    has the route's own intermediates by name.
    """

    def __init__(
        self,
        model: Model,
        route: str = "composite",
        ring: Ring | None = None,
        found: Derivation | None = None,
    ) -> None:
        self.model = model
        self.ring = ring or Ring.of(model)
        self.route = route if self.dynamics.has_bodies else routes.GIVEN
        self._found = found or routes.derive(model, route, self.ring)

    def __reduce__(self) -> tuple[Any, ...]:
        # derived again where it arrives: the polynomials do not travel
        return EquationsOfMotion, (self.model, self.route)

    @property
    def n(self) -> int:
        return self.model.n

    @cached_property
    def dynamics(self) -> Dynamics:
        """The physics over this ring."""
        return dynamics_of(self.model, self.ring)

    def _array(self, nested: Any, name: str, symmetric: tuple[int, int] | None = None) -> ExactArray:
        return ExactArray(self.ring, nested, name, symmetric)

    @cached_property
    def M(self) -> ExactArray:
        """The mass matrix, rotors on its diagonal."""
        return self._array(with_inertias(self._found.M, self.dynamics.arm.effects), "M", (0, 1))

    def textbook(self, form: str = "sums", lumped: bool = True) -> Textbook:
        """The same as a person would write it: sums of angles, short squares, constants with names, common factors
        taken out.

        form: "sums", or "multiple-angle" for cos 2θ in place of squares; lumped: with names for the constants.
        The result has the quantities, `.constants`, counts before and after, `.proved()`, which writes every entry
        out again and compares it with the normal form, and `.model`, which computes and exports.
        """
        from qddot.equations.textbook import Textbook

        return Textbook(self, form, lumped)

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
        """A short model in numbers: terms dropped that are below `significance` of their entry's largest magnitude
        over the region, or below `against_joint` of the largest term of the same joint.

        significance: one number, or by matrix {"M": 0.01, "B": 0.05, "C2": 0.05, "G": 0.001}
        region: {"q2": ("-90deg", "90deg"), "qd1": (-2, 2)}; by default all angles, limits of prismatic joints, |q̇| ≤ 1
        budget: operations of inverse dynamics; thresholds are raised together until it is kept
        allow_indefinite: whether a mass matrix that is refuted to be positive definite may be returned
        symbols: values in place of the defaults
        The result's bounds of each entry's error hold over the whole region, by interval arithmetic.
        raises QddotError: symbols without a value, an empty region, thresholds outside (0, 1), an M that is refuted
        Source: Armstrong, Khatib, Burdick, ICRA 1986.
        """
        from qddot.abbreviate import abbreviate

        return abbreviate(self, significance, against_joint, region, budget, allow_indefinite, symbols)

    @cached_property
    def christoffel(self) -> ExactArray:
        """Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self._array(self._found.christoffel, "Γ", (1, 2))

    @cached_property
    def C(self) -> ExactArray:
        """C_ij = Σ_k Γ_ijk q̇_k."""
        return self._array(coriolis.coriolis_matrix(self._found.christoffel, self.dynamics.arm.qd), "C")

    @cached_property
    def B(self) -> ExactArray:
        """What multiplies q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n)."""
        found = self._array(coriolis.coriolis_products(self._found.christoffel), "B")
        found.places = tuple((i, j, k) for i in range(self.n) for j, k in combinations(range(self.n), 2))
        return found

    @cached_property
    def C2(self) -> ExactArray:
        """What multiplies q̇_j²."""
        return self._array(coriolis.centrifugal_matrix(self._found.christoffel), "C2")

    @cached_property
    def h(self) -> ExactArray:
        """C q̇."""
        return self._array(coriolis.velocity_torques(self._found.christoffel, self.dynamics.arm.qd), "h")

    @cached_property
    def G(self) -> ExactArray:
        """∂P/∂q, gravity alone."""
        return self._array(self._found.G, "G")

    @cached_property
    def springs(self) -> ExactArray:
        """k (q − q0) of each spring."""
        return self._array(self.dynamics.torques_of("springs"), "springs")

    @cached_property
    def friction(self) -> ExactArray:
        """c q̇ + f sgn q̇."""
        return self._array(self.dynamics.torques_of("friction"), "friction")

    @cached_property
    def tau(self) -> ExactArray:
        """M q̈ + h + G + springs + friction: what the motion requires of the joints."""
        qdd = ExactArray(self.ring, list(self.dynamics.arm.qdd))
        total = self.M @ qdd + self.h + self.G + self.springs + self.friction
        return self._array(list(total.entries), "tau")

    @cached_property
    def K(self) -> ExactArray:
        """Kinetic energy of bodies and rotors."""
        return self._array(self.dynamics.kinetic_energy(), "K")

    @cached_property
    def P(self) -> ExactArray:
        """−Σ m gᵀ p_c; springs apart."""
        return self._array(self.dynamics.potential_energy(), "P")

    @cached_property
    def steps(self) -> Mapping[str, ExactArray]:
        """The route's own intermediates; those of "com_jacobian" may have centres of mass cx1 … of their own."""
        # equations that were read from a file come without them
        found = self._found if self._found.steps else routes.derive(self.model, self.route, self.ring)
        ring = self.ring
        if self.route == "com_jacobian":
            ring = routes.Centres(self.model, self.ring).ring
        return Steps(ring, found.steps)

    def at(
        self,
        /,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> Values:
        """Every quantity, and every step, as NumPy arrays in one state.

        q, qd, qdd: n numbers in the order of the model's coordinates, or a mapping by their names; what
        is missing of qd and qdd is zero. values: symbols, in place of their defaults.
        raises EvaluationError: wrong lengths, unknown names, symbols left without a value (all named)
        """
        return Values.of(self, (q, qd, qdd), values)

    def interval(
        self,
        name: str,
        q: ArrayLike | Mapping[str, float],
        qd: ArrayLike | Mapping[str, float] | None = None,
        qdd: ArrayLike | Mapping[str, float] | None = None,
        **values: float,
    ) -> tuple[Any, Any]:
        """(lower, upper) bounds of a quantity by its name, such as "tau", over the tolerances of the symbols.

        Guaranteed by ball arithmetic, and the least ones where the quantity is linear in the symbols. Arguments as
        in `at`; a symbol that is given another value than its default has no tolerance.
        """
        from qddot.equations.tolerances import interval

        known = Values.of(self, (q, qd, qdd), values)
        return interval(self, name, known.state, known.symbols)

    def prove(self, routes: Any = None, progress: Any = None) -> Certificate:
        """Prove the identities of these equations; see `qddot.equations.prove`."""
        from qddot.equations.prove import prove

        return prove(self, routes, progress)

    def linearize(self, q0: Sequence[Any] | Mapping[str, Any]) -> Linearization:
        """The exact equations near rest at q0; see `qddot.equations.linearize`."""
        from qddot.equations.linearize import linearize

        return linearize(self, q0)

    def save(self, path: str | Path) -> None:
        """Write the equations and their model to a JSON file that `load` reads."""
        from qddot.equations import storage

        storage.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> EquationsOfMotion:
        """Read what `save` wrote; raises FormatError where it is damaged."""
        from qddot.equations import storage

        return storage.load(path)

    def sympy(self) -> dict[str, Any]:
        """Every quantity in SymPy, by name."""
        return {name: getattr(self, name).sympy() for name in QUANTITIES}

    def array(self, name: str) -> ExactArray:
        """A quantity or a step by its name."""
        if is_one_of(name, QUANTITIES):
            return getattr(self, name)  # type: ignore[no-any-return]
        known = (*QUANTITIES, *self.steps)
        if not is_one_of(name, known):
            raise QddotError(f"no quantity {shortened(name)}", expected=", ".join(known), remedy=near(name, known))
        return self.steps[name]

    def text(self, only: Sequence[str] = ("M", "h", "G", *OUTSIDE), width: int = 100, digits: int | None = None) -> str:
        """The chosen quantities and steps as plain text; springs and friction only where there are any.

        digits: significant ones of the numbers, for reading; by default all
        """
        only = [only] if isinstance(only, str) else listed(only, "only")
        chosen = [self.array(name).rounded(digits) for name in only]
        shown = [array for name, array in zip(only, chosen, strict=True) if name not in OUTSIDE or array]
        return "\n\n".join(array.text(width) for array in shown)

    def latex(self, only: Sequence[str] = ("M", "h", "G"), digits: int | None = None) -> str:
        """The chosen quantities and steps as LaTeX equations, one a line; digits as in `text`."""
        only = [only] if isinstance(only, str) else listed(only, "only")
        arrays = [self.array(name).rounded(digits) for name in only]
        return "\n".join(f"{latex.name(array.name)} = {array.latex()}" for array in arrays)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (
            f"<equations of motion of {self.model.name}: {self.n} coordinates, "
            f"{self.M.terms} terms in M, {self.christoffel.terms} in christoffel, {self.G.terms} in G>"
        )

    def _repr_latex_(self) -> str | None:
        if self.M.terms + self.h.terms + self.G.terms > 400:
            return None
        lines = " \\\\ ".join(self.latex().splitlines())
        return f"$\\displaystyle \\begin{{gathered}} {lines} \\end{{gathered}}$"
