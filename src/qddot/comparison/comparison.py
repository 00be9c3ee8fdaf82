"""Two models of one arm: where their descriptions and equations differ, and which confusion explains it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from qddot.comparison.confusions import corrections
from qddot.comparison.described import Array, Described, shared_values
from qddot.comparison.differences import CLOSE, Difference, central, differences, inertias_differ, matched
from qddot.errors import EvaluationError, shortened
from qddot.robot import Robot

STATES, SEED = 4, 1
ROUNDING = 1e-13  # of what could be there: an entry that vanishes in one description is rounding in another
QUANTITIES = ("M", "C", "G")


@dataclass(frozen=True)
class Explanation:
    """The confusion that makes the equations agree once it is undone."""

    confusion: str
    text: str


@dataclass(frozen=True)
class Comparison:
    """Two models of one arm, A and B; true if they agree.

    differences: of the descriptions, in the base frame at q = 0; worst: the largest difference of M, C and G over
    the largest entry, in random states; at: the same in the state asked for, with all rates 1; explanation: the
    confusion that explains unequal equations, if one does; notes: symbols without a value
    """

    a: str
    b: str
    differences: tuple[Difference, ...]
    worst: dict[str, float]
    at: dict[str, float] | None = None
    explanation: Explanation | None = None
    notes: tuple[str, ...] = ()

    @property
    def equations_agree(self) -> bool:
        """Whether M, C and G do."""
        return agree(self.worst)

    def __bool__(self) -> bool:
        return self.equations_agree and not self.differences

    def __str__(self) -> str:
        return "\n".join([*self.summary(), *("  ".join(each.row()).strip() for each in self.differences)])

    def summary(self) -> list[str]:
        """The verdicts in lines: on the descriptions, the equations, and what explains them."""
        count = len(self.differences)
        described = (
            "the descriptions agree" if not count else f"the descriptions differ in {count} place{'s' * (count > 1)}"
        )
        lines = [f"A = {self.a}, B = {self.b}: {described}"]
        verdict = "M, C and G agree" if self.equations_agree else "M, C and G differ"
        lines.append(f"{verdict} in random states: worst relative difference {_sizes(self.worst)}")
        if self.at is not None:
            lines.append(f"at the given q, rates 1: {_sizes(self.at)}")
        if not self.equations_agree:
            named = f"they agree if one thing is undone: {self.explanation.text}" if self.explanation else ""
            lines.append(named or "no single one of the classic confusions explains it")
        return [*lines, *self.notes]

    def json(self) -> str:
        """All of it as JSON, with `agree` in front."""
        verdicts = {"agree": bool(self), "equations_agree": self.equations_agree}
        return json.dumps({**verdicts, **asdict(self)}, indent=2, ensure_ascii=False)


def _sizes(worst: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.2g}" for name, size in worst.items())


def agree(worst: dict[str, float]) -> bool:
    return all(size <= CLOSE for size in worst.values())


def compare(a: Robot, b: Robot, q: Any = None) -> Comparison:
    """Compare two models of one arm, whatever the conventions of their descriptions.

    q: n coordinates in A's order, where M, C (all rates 1) and G are compared besides random states
    Joints are matched by their links' names, else by their coordinates', else by order.
    raises ModelError: not as many joints; EvaluationError: no Robot, or q is not n finite numbers
    """
    for arm in (a, b):
        if not isinstance(arm, Robot):
            raise EvaluationError(f"an arm {shortened(arm)}", expected="a Robot; qddot.load(name) finds one")
    values_a, values_b, unknown = shared_values(a.model, b.model)
    ours, theirs = Described.of(a.model, values_a), Described.of(b.model, values_b)
    order = matched(ours, theirs)
    states = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (2, STATES, a.n))
    worst = relative_differences(ours, theirs, order, *states)
    at = None if q is None else relative_differences(ours, theirs, order, _state(q, a.n), np.ones((1, a.n)))
    notes: tuple[str, ...] = ()
    if a.model.explicit or b.model.explicit:
        notes = ("where equations are given entry by entry, links have no inertias to compare",)
    notes += (f"no value for {_listed(unknown)}: one generic number for each, the same in A and B",) if unknown else ()
    explanation = None if agree(worst) else _explained(ours, theirs, order, states)
    found = tuple(differences(ours, theirs, order))
    return Comparison(a.name, b.name, found, worst, at, explanation, notes)


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _state(q: Any, n: int) -> Array:
    try:
        numbers = np.asarray(q, dtype=float)
    except (TypeError, ValueError):
        raise EvaluationError(f"q is {shortened(q)}", expected=f"{n} numbers") from None
    if numbers.shape != (n,) or not np.isfinite(numbers).all():
        raise EvaluationError(f"q is {shortened(q)}", expected=f"{n} finite numbers")
    return numbers[None]


def relative_differences(a: Described, b: Described, order: Sequence[int], q: Array, qd: Array) -> dict[str, float]:
    """The largest |A − B| of M, C and G over the largest entry of either, in states of shape (k, n) in A's order."""
    place = np.argsort(order)
    ours, theirs = a.equations(q, qd), list(b.equations(q[:, place], qd[:, place]))
    theirs = [theirs[0][:, order][:, :, order], theirs[1][:, order][:, :, order], theirs[2][:, order]]
    found = {}
    for name, x, y, natural in zip(QUANTITIES, ours, theirs, _natural(a, ours[0], qd), strict=True):
        largest, difference = max(np.abs(x).max(), np.abs(y).max()), np.abs(x - y).max()
        found[name] = float(difference / largest) if difference > ROUNDING * natural else 0.0
    return found


def _natural(arm: Described, M: Array, qd: Array) -> tuple[float, float, float]:
    """The sizes that rounding in M, C and G is measured by: M, M q̇, and |g| m max(1, L)."""
    inertia = float(np.abs(M).max())
    bodies = np.array([central(body) for body in arm.carried])
    length = max(1.0, float(np.abs(bodies[:, 1:4]).max()))
    weight = float(np.abs(bodies[:, 0]).sum() * np.linalg.norm(np.array(list(arm.home.gravity), dtype=float)))
    return inertia, inertia * float(np.abs(qd).max()), weight * length


def _explained(a: Described, b: Described, order: Sequence[int], states: Array) -> Explanation | None:
    """The first confusion that makes the equations agree once it is undone in one of the arms."""
    joints = inertias_differ(a, b, order)
    for name, text, ours, theirs in corrections(a, b, (joints, {order[k] for k in joints})):
        if agree(relative_differences(ours, theirs, order, *states)):
            return Explanation(name, text)
    return None
