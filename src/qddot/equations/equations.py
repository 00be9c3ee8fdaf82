"""EquationsOfMotion: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ, exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.dynamics import coriolis, effects, energy
from qddot.dynamics.derivation import Derivation
from qddot.equations import routes
from qddot.equations.array import ExactArray
from qddot.errors import EvaluationError, did_you_mean
from qddot.model.expressions import Expression
from qddot.model.mechanism import Mechanism
from qddot.model.model import Model
from qddot.numbers.exact import Ring
from qddot.numbers.values import generator_values
from qddot.spatial import Number

if TYPE_CHECKING:
    from qddot.equations.prove import Certificate

QUANTITIES = ("M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P")


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
        self.route = route
        self.ring = ring or Ring.of(model)
        self._found = found or routes.derive(model, route, self.ring)

    @property
    def n(self) -> int:
        return self.model.n

    @cached_property
    def _arm(self) -> Mechanism:
        return Mechanism.of(self.model, self.ring)

    def _evaluate(self, expression: Expression) -> Any:
        return expression.evaluate(self.ring)

    def _coordinate(self, i: int) -> Number:
        return self.ring.coordinate(self.model.coordinates[i])

    def _array(self, nested: Any, name: str, symmetric: tuple[int, int] | None = None) -> ExactArray:
        return ExactArray(self.ring, nested, name, symmetric)

    @cached_property
    def M(self) -> ExactArray:
        """The mass matrix, rotors on its diagonal."""
        return self._array(effects.add_armature(self._found.M, self.model, self._evaluate), "M", (0, 1))

    @cached_property
    def christoffel(self) -> ExactArray:
        """Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self._array(self._found.christoffel, "Γ", (1, 2))

    @cached_property
    def C(self) -> ExactArray:
        """C_ij = Σ_k Γ_ijk q̇_k."""
        return self._array(coriolis.coriolis_matrix(self._found.christoffel, self._arm.qd), "C")

    @cached_property
    def B(self) -> ExactArray:
        """What multiplies q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n)."""
        return self._array(coriolis.coriolis_products(self._found.christoffel), "B")

    @cached_property
    def C2(self) -> ExactArray:
        """What multiplies q̇_j²."""
        return self._array(coriolis.centrifugal_matrix(self._found.christoffel), "C2")

    @cached_property
    def h(self) -> ExactArray:
        """C q̇."""
        return self._array(coriolis.velocity_torques(self._found.christoffel, self._arm.qd), "h")

    @cached_property
    def G(self) -> ExactArray:
        """∂P/∂q, gravity alone."""
        return self._array(self._found.G, "G")

    @cached_property
    def springs(self) -> ExactArray:
        """k (q − q0) of each spring."""
        return self._array(effects.spring_torques(self.model, self._coordinate, self._evaluate), "springs")

    @cached_property
    def friction(self) -> ExactArray:
        """c q̇ + f sgn q̇."""
        sign = lambda i: self.ring.sign(self.model.coordinates[i])  # noqa: E731
        found = effects.friction_torques(self.model, self._arm.qd, sign, self._evaluate)
        return self._array(found, "friction")

    @cached_property
    def tau(self) -> ExactArray:
        """M q̈ + h + G + springs + friction: what the motion requires of the joints."""
        qdd = ExactArray(self.ring, list(self._arm.qdd))
        total = self.M @ qdd + self.h + self.G + self.springs + self.friction
        return self._array(list(total.entries), "tau")

    @cached_property
    def K(self) -> ExactArray:
        """Kinetic energy of bodies and rotors."""
        bodies = energy.kinetic_energy(self._arm)
        rotors = effects.armature_energy(self.model, self._arm.qd, self._evaluate)
        return self._array(bodies + rotors, "K")

    @cached_property
    def P(self) -> ExactArray:
        """−Σ m gᵀ p_c; springs apart."""
        return self._array(energy.potential_energy(self._arm), "P")

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
        return Values(self, self._state(q, qd, qdd), self._symbol_values(values))

    def _state(self, *given: Any) -> list[dict[str, float]]:
        return [self._named(value, label) for value, label in zip(given, ("q", "qd", "qdd"), strict=True)]

    def _named(self, value: Any, label: str) -> dict[str, float]:
        names = self.model.coordinates
        if value is None:
            return dict.fromkeys(names, 0.0)
        if isinstance(value, Mapping):
            for name in value:
                if name not in names:
                    raise EvaluationError(f"{label} has {name!r}", remedy=did_you_mean(str(name), names))
            return {name: float(value.get(name, 0.0)) for name in names}
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise EvaluationError(f"{label} is not numeric", expected=f"{len(names)} numbers") from None
        if numbers.shape != (len(names),):
            raise EvaluationError(
                f"{label} has the shape {numbers.shape}", expected=f"({len(names)},): {', '.join(names)}"
            )
        return dict(zip(names, numbers.tolist(), strict=True))

    def _symbol_values(self, given: Mapping[str, Any]) -> dict[str, float]:
        for name, value in given.items():
            if name not in self.model.symbols:
                raise EvaluationError(
                    f"no symbol {name!r} in {self.model.name}", remedy=did_you_mean(name, self.model.symbols)
                )
            if not isinstance(value, int | float) and not hasattr(value, "__float__"):
                raise EvaluationError(f"{name} = {value!r}", expected="a number")
        return {**self.model.defaults(), **{name: float(value) for name, value in given.items()}}

    def prove(self, routes: Any = None, progress: Any = None) -> Certificate:
        """Prove the identities of these equations; see `qddot.equations.prove`."""
        from qddot.equations.prove import prove

        return prove(self, routes, progress)

    def save(self, path: str | Path) -> None:
        """Write the equations and their model to a JSON file that `load` reads."""
        from qddot.equations import storage

        storage.save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> EquationsOfMotion:
        """Read what `save` wrote; raises FormatError where it is damaged."""
        from qddot.equations import storage

        return storage.load(Path(path))

    def sympy(self) -> dict[str, Any]:
        """Every quantity in SymPy, by name."""
        return {name: getattr(self, name).sympy() for name in QUANTITIES}

    def text(self, only: tuple[str, ...] = ("M", "h", "G", "springs", "friction"), width: int = 100) -> str:
        """The chosen quantities as plain text; springs and friction only where there are any."""
        chosen = [name for name in only if name not in ("springs", "friction") or getattr(self, name)]
        return "\n\n".join(getattr(self, name).text(width) for name in chosen)

    def latex(self, only: tuple[str, ...] = ("M", "h", "G")) -> str:
        """The chosen quantities as aligned LaTeX equations."""
        from qddot.equations.latex import name as latex_name

        return "\n".join(f"{latex_name(name)} = {getattr(self, name).latex()}" for name in only)

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


class Steps(Mapping[str, ExactArray]):
    """A route's intermediates by name, each made into an exact array when it is asked for."""

    def __init__(self, ring: Ring, nested: Mapping[str, Any]) -> None:
        self._ring, self._nested = ring, nested
        self._made: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> ExactArray:
        if name not in self._made:
            if name not in self._nested:
                raise KeyError(f"{name}; {did_you_mean(name, self._nested)}")
            self._made[name] = ExactArray(self._ring, self._nested[name], name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested)

    def __len__(self) -> int:
        return len(self._nested)


class Values(Mapping[str, NDArray[np.float64]]):
    """Numeric arrays by the names of the quantities and the steps, each computed when it is asked for."""

    def __init__(self, eq: EquationsOfMotion, state: list[dict[str, float]], symbols: dict[str, float]) -> None:
        self._eq = eq
        self._qd = np.array(list(state[1].values()))
        self._qdd = np.array(list(state[2].values()))
        self._state, self._symbols = state, symbols
        self._done: dict[str, NDArray[np.float64]] = {}
        missing = sorted(
            name
            for name in set().union(*(array.free_symbols for array in (eq.M, eq.G, eq.springs, eq.friction)))
            if name in eq.model.symbols and name not in symbols
        )
        if missing:
            raise EvaluationError(
                f"no value for {', '.join(missing)}",
                where=eq.model.name,
                remedy=f"give them: eq.at(q, ..., {missing[0]}=...)",
            )

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self._done:
            if name not in list(self):
                raise KeyError(f"{name}; {did_you_mean(name, self)}")
            self._done[name] = self._compute(name)
        return self._done[name]

    def __iter__(self) -> Iterator[str]:
        yield from QUANTITIES
        yield from (name for name in self._eq.steps if name not in QUANTITIES)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _compute(self, name: str) -> NDArray[np.float64]:
        if name in _DERIVED:
            return np.asarray(_DERIVED[name](self, self._qd, self._qdd))
        array = getattr(self._eq, name) if name in QUANTITIES else self._eq.steps[name]
        q, qd, qdd = self._state
        known = generator_values(array.ring, q, qd, qdd, self._symbols)
        known.update(self._centres(array, known))
        found: NDArray[np.float64] = array.values(known)
        return found

    def _centres(self, array: ExactArray, known: Mapping[str, float]) -> dict[str, float]:
        """Values of a route's auxiliary centres of mass: first moment over mass."""
        if not array.ring.extra:
            return {}
        definitions = routes.Centres(self._eq.model, self._eq.ring).definitions()
        arrays = {name: ExactArray(self._eq.ring, list(pair)) for name, pair in definitions.items()}
        pairs = {name: both.values(known) for name, both in arrays.items()}
        return {name: float(moment / mass) for name, (moment, mass) in pairs.items()}


def _products(values: Values, qd: Any, qdd: Any) -> Any:
    gamma = values["christoffel"]
    return np.array([2 * plane[np.triu_indices(len(gamma), 1)] for plane in gamma])


def _tau(values: Values, qd: Any, qdd: Any) -> Any:
    return values["M"] @ qdd + sum(values[name] for name in ("h", "G", "springs", "friction"))


# what follows from M, Γ and G in numbers, so that its long exact form need not be made
_DERIVED: Mapping[str, Callable[[Values, Any, Any], Any]] = {
    "C": lambda values, qd, qdd: values["christoffel"] @ qd,
    "B": _products,
    "C2": lambda values, qd, qdd: np.diagonal(values["christoffel"], axis1=1, axis2=2).copy(),
    "h": lambda values, qd, qdd: values["C"] @ qd,
    "tau": _tau,
    "K": lambda values, qd, qdd: qd @ values["M"] @ qd / 2,
}
