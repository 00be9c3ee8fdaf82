"""Linearizes the equations at rest exactly: M δq̈ + damping δq̇ + stiffness δq = δτ, also as a state space over det M."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.checked import real
from qddot.base.errors import EvaluationError, did_you_mean, number_of, shortened
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.substitution import check_quaternions
from qddot.exact.equations.quantities import Quantities
from qddot.physics.algorithms.cramer import Minors
from qddot.physics.of_model import check_quadratic
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

SECOND_ORDER = (
    "M\\, \\delta\\ddot{q} + \\mathrm{damping}\\, \\delta\\dot{q} + \\mathrm{stiffness}\\, \\delta q = \\delta\\tau"
)
FIRST_ORDER = (
    "\\tfrac{d}{dt} \\begin{bmatrix} \\delta q \\\\ \\delta\\dot{q} \\end{bmatrix} = \\tfrac{1}{\\mathrm{det}} "
    "\\Bigl( A \\begin{bmatrix} \\delta q \\\\ \\delta\\dot{q} \\end{bmatrix} + \\mathrm{input}\\, \\delta\\tau \\Bigr)"
)


@record()
class Linearization:
    """These are the exact linear equations near rest at q0, where the torque `holding`, (n,), keeps the arm at rest.

    Where `holding` has an entry for a joint without a motor, the arm does not stay at rest there by its motors alone.
    The equations are M δq̈ + damping δq̇ + stiffness δq = δτ with matrices of shape (n, n). As a state space they are
    d/dt (δq, δq̇) = (A / det) (δq, δq̇) + (input / det) δτ with A of shape (2n, 2n) and input (2n, m), where δτ has only
    the m torques of the motors; m = n unless some joint is passive. A, input and det = det M(q0) are polynomials, since
    the ring has no division.
    """

    M: ExactArray
    damping: ExactArray
    stiffness: ExactArray
    holding: ExactArray
    A: ExactArray
    input: ExactArray
    det: ExactArray
    defaults: Mapping[str, float]
    left_out: tuple[str, ...] = ()

    def at(self, q: Mapping[str, float] | None = None, **values: float) -> tuple[Any, Any]:
        """Returns the matrices A and B of the state space in floats: the exact `A` and `input`, each divided by `det`.

        q: values of the coordinates that were left free; symbols have their defaults, or the values in keywords
        raises EvaluationError: a symbol or a coordinate has no value, or M is singular
        """
        numbers = {**self.defaults, **(q or {}), **values}
        parts = [self.A, self.input, self.det]
        names = {generator.name for part in parts for generator in part.ring.generators} | set(self.defaults)
        for name, value in numbers.items():
            if name not in names:
                raise EvaluationError(
                    "no-symbol-or-coordinate", name=repr(name), remedy=did_you_mean(name, sorted(names))
                )
            real(value, name, error=EvaluationError)
        used = set[str]().union(*(part.free_symbols for part in parts))
        refuse_missing(used - set(numbers), "", "give-values-such-as")
        A, B, det = (_floats(part, numbers) for part in parts)
        if not det:
            raise EvaluationError("mass-matrix-singular")
        return A / det, B / det

    def __repr__(self) -> str:
        size, terms = number_of(len(self.M), "coordinate"), number_of(self.M.terms, "term")
        return f"<linearization with {size}: {terms} in M, {self.A.terms} in A>"

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks
        from qddot.exact.equations.arrays import notebook_latex as notebook

        mechanical, _ = in_notebooks.blocks([self.M, self.damping, self.stiffness, self.holding])
        state_space, _ = in_notebooks.blocks([self.A, self.input, self.det])
        return notebook.stacked([SECOND_ORDER, *mechanical, FIRST_ORDER, *state_space])

    def __str__(self) -> str:
        driven = [self.input] if self.input.shape[1] else []
        arrays = (self.M, self.damping, self.stiffness, self.holding, self.A, *driven, self.det)
        by_motors = " + (input / det) δτ" if driven else ""
        law = f"M δq̈ + damping δq̇ + stiffness δq = δτ; d/dt (δq, δq̇) = (A / det) (δq, δq̇){by_motors}"
        return "\n\n".join(map(str, [*self.left_out, law, *arrays]))


def _floats(part: ExactArray, numbers: Mapping[str, float]) -> Any:
    """Returns an array in floats for values of symbols and coordinates; it contains no rates."""
    return part.values(Floats(numbers, numbers))


def linearize(eq: Quantities, q0: Sequence[Any] | Mapping[str, Any]) -> Linearization:
    """Returns the equations near rest at q0.

    q0: for each entry of q a number, an angle such as "30deg", or its name, such as "q1", to leave it free. For
        quasi-velocities δq is a motion along their vector fields, whose rate at rest is δν.
    raises EvaluationError: a length or name is wrong, a quaternion is not exactly of norm 1, or there is Coulomb
        friction (sgn q̇ has no derivative at rest)
    """
    check_quadratic(eq.model, say("the-linearization"))
    names = eq.model.positions
    if isinstance(q0, str) or not hasattr(q0, "__len__"):
        raise EvaluationError("q0-not-entries", q0=shortened(q0), names=Listed(names))
    at = dict(q0) if isinstance(q0, Mapping) else dict(zip(names, q0, strict=False))
    if not isinstance(q0, Mapping) and len(q0) != len(names):
        raise EvaluationError("q0-of-another-length", count=len(q0), expected_count=len(names), names=Listed(names))
    for name in at:
        if name not in names:
            raise EvaluationError("unknown-name-in-q0", name=shortened(name), remedy=did_you_mean(str(name), names))
    if sticking := eq.model.sticking:
        raise EvaluationError("coulomb-friction-there", names=Listed(sticking))
    check_quaternions(eq.ring, at, EvaluationError, say("takes-decimals", function="arm.linearize"))
    rates = [name if name in eq.ring.quasi else rate_name(name) for name in eq.model.coordinates]
    static_torques, of_rates = eq.G + eq.springs, eq.friction
    if eq.model.lagrangian is not None:
        of_rates, still = eq.friction + eq.forces, dict.fromkeys(rates, 0)
        static_torques, at = static_torques + of_rates.subs(still), {**at, **still}
    M, holding = eq.M.subs(at), static_torques.subs(at)
    stiffness = _columns([_slope(static_torques, name).subs(at) for name in eq.model.coordinates], "stiffness")
    damping = _columns([of_rates.diff(name).subs(at) for name in rates], "damping")
    ring = M.ring.joined(stiffness.ring).joined(damping.ring)
    return _state_space(ring, M, damping, stiffness, holding, eq.model)


def _slope(array: ExactArray, name: str) -> ExactArray:
    """Returns the derivative with respect to a coordinate, or along the vector field of a quasi-velocity."""
    ring = array.ring
    return replace(array, entries=tuple(ring.convert(ring.differentiate(entry, name)) for entry in array.entries))


def _columns(columns: Sequence[ExactArray], name: str) -> ExactArray:
    ring = columns[0].ring
    for column in columns[1:]:
        ring = ring.joined(column.ring)
    rows = [[ring.convert(column.entries[i]) for column in columns] for i in range(len(columns))]
    return ExactArray.of(ring, rows, name)


def _state_space(
    ring: Ring,
    M: ExactArray,
    damping: ExactArray,
    stiffness: ExactArray,
    holding: ExactArray,
    model: Model,
) -> Linearization:
    n = M.shape[0]
    rows = [list(map(ring.convert, row)) for row in M.nested]
    adjugate, det = _adjugate(ring, rows)
    inverse = ExactArray.of(ring, adjugate)
    low = [-(inverse @ part) for part in (stiffness, damping)]
    zero, unit = ring.zero, det
    A = [[zero] * n + [unit if i == j else zero for j in range(n)] for i in range(n)]
    A += [[part.entries[i * n + j] for part in low for j in range(n)] for i in range(n)]
    B = [[zero] * len(model.drives) for _ in range(n)] + [[row[k] for k in model.drives] for row in adjugate]

    def array(nested: Any, name: str) -> ExactArray:
        return ExactArray.of(ring, nested, name)

    static_torques = array([ring.convert(entry) for entry in holding.entries], "holding")
    state_space = (array(A, "A"), array(B, "input"), array(det, "det"))
    mechanical, left_out = (array(rows, "M"), damping, stiffness, static_torques), tuple(sentences(model.left_out))
    return Linearization(*mechanical, *state_space, model.defaults(), left_out)


def _adjugate(ring: Ring, M: list[list[Polynomial]]) -> tuple[list[list[Any]], Polynomial]:
    """Returns adj M with M adj M = det M · 1, and det M."""
    minors, every = Minors(M), tuple(range(len(M)))
    adjugate = [list(map(ring.convert, column)) for column in zip(*minors.cofactors(), strict=True)]
    return adjugate, ring.convert(minors.minor(every, every))
