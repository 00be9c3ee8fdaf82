"""Abbreviates closed chains: drops small terms of the equations of their links, and leaves the loops exact.

M̄ = Rᵀ M R, h̄ = Rᵀ (h + M Ṙ u) and Ḡ = Rᵀ G are linear in the entries of M, B, C2 and G. A term of such an entry is
dropped if what it adds to each entry of M̄, B̄, C̄2 and Ḡ is small there, in all closed configurations of a sample. The
short equations have the same R and φ, so that loops stay closed, and M̄ stays symmetric.

Near a singular configuration R is large, and so are the entries. They are compared in units in which each M̄_kk is 1 in
every configuration, those of rates √M̄_kk u_k, so that no term is small because other configurations are singular.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import refuse_several
from qddot.base.errors import EvaluationError, number_of
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.forms.abbreviate.abbreviated_chain import AbbreviatedChain
from qddot.exact.forms.abbreviate.abbreviation import MATRICES, Asked, ShortLinks, values_of
from qddot.exact.forms.abbreviate.definite import Definiteness, in_states
from qddot.exact.forms.abbreviate.region import Region, within_limits
from qddot.formats.conversions.substitute import in_numbers, replaced
from qddot.machine.numeric.assembly import assembled, found
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.machine.numeric.walks import walk
from qddot.physics.independent import Independents, of_loops
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model
from qddot.robot.symbol_values import all_values

Array = NDArray[np.float64]
STATES, STEPS = 500, 2_000  # closed configurations to find, and steps to find them
FEWEST = 20  # closed configurations that tell something
NOISE = 1e-12  # relative size of what is zero but for rounding
CLEAR = 0.25  # how far from singular ones they are, relative to the first: the least singular value of A_d over A's


def abbreviate_chain(
    eq: ReducedEquations,
    asked: Asked,
    near: Array | None,
    region: Mapping[str, Any] | None = None,
    symbols: Mapping[str, float] | None = None,
) -> AbbreviatedChain:
    """Returns the short model; see `ClosedEquations.abbreviate`. near: a guess of a configuration of its branch"""
    refuse_several(eq.model.tree, "an abbreviated model")
    return asked.met(_ShortChain(eq, near, region, values_of(eq.tree, symbols or {}, eq.model.used_symbols)))


class _ShortChain:
    """This abbreviates the equations of one closed chain at any thresholds."""

    def __init__(
        self, eq: ReducedEquations, near: Array | None, region: Mapping[str, Any] | None, values: Mapping[str, Fraction]
    ) -> None:
        self.name, self.choice = eq.model.name, eq.choice
        self._numbers = {name: Expression.constant(value) for name, value in values.items()}
        tree = in_numbers(eq.model.tree, self._numbers)
        self.exact = self._with_tree(eq.model, tree)
        chain = NumericChain(ClosedSystem(self.exact, eq.choice))
        given = Region.of(tree, region, eq.independent, within_limits)
        self.q = _sample(chain, given, near)
        at = dict(zip(tree.coordinates, self.q.T, strict=True))
        turning = {name for name, turns in zip(tree.coordinates, tree.turning, strict=True) if turns}
        self.links = ShortLinks(eq.tree, given.reaching(at, turning), values, at)
        self.motions = _Motions(chain, self.q)
        self.entries = self.motions.along(
            {name: [each.values for each in of] for name, of in self.links.entries.items()}
        )
        self.motions.choose_units(self.entries["M"], self.name, eq.independent)
        self.largest = self.motions.largest(self.entries)

    def _with_tree(self, model: ClosedModel, tree: Model) -> ClosedModel:
        """Returns a closed chain with another tree and lengths in numbers."""
        return ClosedModel(tree, replaced(model.loops, self._numbers), model.rolling)

    def abbreviated(self, levels: Mapping[str, float], against_joint: float) -> AbbreviatedChain:
        shorts = self.links.without(self._least(levels, against_joint))
        links = self.links.written(shorts, levels, against_joint)
        dropped = self.motions.along({name: [short.dropped for short in of] for name, of in shorts.items()})
        definite = links.definite
        if definite.verdict != "proved":
            definite = in_states(
                self.entries["M"] - dropped["M"], dict(zip(self.links.region.q, self.q.T, strict=True))
            )
        return AbbreviatedChain(
            links=links,
            exact=self.exact,
            model=self._with_tree(self.exact, links.model),
            choice=self.choice,
            definite=definite,
            states=len(self.q),
            errors={name: np.abs(entries).max(axis=0) for name, entries in dropped.items()},
            largest={name: np.abs(entries).max(axis=0) for name, entries in self.entries.items()},
            shares=self._shares(dropped),
        )

    def _shares(self, dropped: Mapping[str, Array]) -> dict[str, Array]:
        """Returns the largest errors relative to the largest entries, or to the rows' sizes if entries are zero."""
        errors = self.motions.largest(dropped)
        least = {name: NOISE * self._joints[name] for name in errors}
        whole = {name: np.where(most > least[name], most, self._joints[name]) for name, most in self.largest.items()}
        return {name: error / np.where(whole[name] > 0, whole[name], 1.0) for name, error in errors.items()}

    def is_indefinite(self, definite: Definiteness) -> bool:
        q = np.array(list((definite.witness or {}).values()))
        M = self.entries["M"][np.argmin(np.abs(self.q - q).sum(axis=1))]
        return bool(np.min(np.linalg.eigvalsh(M)) <= 1e-12 * np.max(np.abs(M)))

    def _least(self, levels: Mapping[str, float], against_joint: float) -> dict[str, Sequence[float]]:
        """Returns the smallest size of a term that stays, by matrix and entry of the links' equations."""
        allowed = {
            name: np.maximum(level * self.largest[name], against_joint * self._joints[name])
            for name, level in levels.items()
        }
        return {name: self.motions.sizes(name, allowed).ravel().tolist() for name in levels}

    @cached_property
    def _joints(self) -> dict[str, Array]:
        """Returns the size of an entry whose torque is the largest of its row: of M̄, B̄ and C̄2, or of Ḡ alone."""
        rates = np.array([self.links.region.fastest(name) for name in self.links.region.qd])
        speed, unit = rates * self.motions.inertia, self.motions.inertia
        scales = {"M": unit, "B": np.array([a * b for a, b in combinations(speed, 2)]), "C2": speed**2}
        motion = np.max([(self.largest[name] * of).max(axis=1, initial=0.0) for name, of in scales.items()], axis=0)
        with np.errstate(divide="ignore"):
            sizes = {name: motion[:, None] / scale for name, scale in scales.items()}
        return {**sizes, "G": self.largest["G"]}


class _Motions:
    """This says how the entries of the links' equations add to those of the chain in closed configurations.

    Each entry (k, c) of M̄, B̄, C̄2 or Ḡ is Σ R_ik X_iw Y_wc, where X has the columns of M, B, C2 and G side by side.
    """

    def __init__(self, chain: NumericChain, q: Array) -> None:
        states, n, m = *q.shape, len(chain.system.rates)
        self.R = np.stack([chain.velocities(q, np.tile(unit, (states, 1))) for unit in np.eye(m)], axis=-1)
        first, second = np.triu_indices(n, 1)
        still = np.zeros((states, m))
        rates = [self.R[..., j] for j in range(m)]
        drift = [chain.accelerations(q, rate, still) for rate in rates]

        def column(M: Any = 0.0, B: Any = 0.0, C2: Any = 0.0, G: float = 0.0) -> Array:
            parts = ((M, n), (B, len(first)), (C2, n), (G, 1))
            return np.concatenate([np.broadcast_to(part, (states, size)) for part, size in parts], axis=1)

        def mixed(j: int, l: int) -> Array:
            both = chain.accelerations(q, rates[j] + rates[l], still) - drift[j] - drift[l]
            a, b = rates[j], rates[l]
            return column(both, a[:, first] * b[:, second] + a[:, second] * b[:, first], 2 * a * b)

        self.columns: dict[str, list[Array]] = {
            "M": [column(rate) for rate in rates],
            "B": [mixed(j, l) for j, l in combinations(range(m), 2)],
            "C2": [column(s, v[:, first] * v[:, second], v * v) for s, v in zip(drift, rates, strict=True)],
            "G": [column(G=1.0)],
        }
        ends = np.cumsum([0, n, len(first), n, 1])
        self._places = {name: slice(*ends[k : k + 2]) for k, name in enumerate(MATRICES)}

    def along(self, links: Mapping[str, Sequence[Array]]) -> dict[str, Array]:
        """Returns the chain's M̄, B̄, C̄2 and Ḡ in all states, from the entries of the links' M, B, C2 and G."""
        states, n, m = self.R.shape
        X = np.concatenate([np.stack(links[name], axis=1).reshape(states, n, -1) for name in MATRICES], axis=2)
        through = np.einsum("sik,siw->skw", self.R, X)
        whole = {name: [np.einsum("skw,sw->sk", through, Y) for Y in of] for name, of in self.columns.items()}
        return {name: np.stack(of, axis=-1) if of else np.zeros((states, m, 0)) for name, of in whole.items()}

    def choose_units(self, M: Array, where: str, names: Sequence[str]) -> None:
        """Chooses units of rates in which each M̄_kk is 1 in all states. M: M̄

        raises EvaluationError: a motion without inertia
        """
        diagonal = np.diagonal(M, axis1=1, axis2=2)
        for name, inertias in zip(names, diagonal.T, strict=True):
            if not inertias.min() > NOISE * inertias.max():
                raise EvaluationError(f"a motion of {name} has no inertia", where=where, expected="links with inertias")
        unit = 1 / np.sqrt(diagonal)
        products = [unit[:, j] * unit[:, l] for j, l in combinations(range(len(names)), 2)]
        by = {
            "M": unit,
            "B": np.stack(products, axis=1) if products else unit[:, :0],
            "C2": unit**2,
            "G": 1 + 0 * M[:, 0, :1],
        }
        self.units = {name: unit[:, :, None] * columns[:, None, :] for name, columns in by.items()}
        self.inertia = np.median(1 / unit, axis=0)

    def largest(self, entries: Mapping[str, Array]) -> dict[str, Array]:
        """Returns the largest magnitudes of the chain's entries in these units."""
        return {name: np.abs(of * self.units[name]).max(axis=0) for name, of in entries.items()}

    def sizes(self, name: str, allowed: Mapping[str, Array]) -> Array:
        """Returns the sizes of terms in the links' entries that add as much as is allowed to an entry of the chain.

        allowed: in the chosen units
        """
        n = self.R.shape[1]
        least = np.full((n, self.columns["M"][0].shape[1]), np.inf)
        for of, place, weights in self._weights:
            matters = weights > NOISE * self._heaviest
            least[matters] = np.fmin(least[matters], allowed[of][place] / weights[matters])
        return least[:, self._places[name]]

    @cached_property
    def _heaviest(self) -> Array:
        return np.asarray(np.max([weights for *_, weights in self._weights], axis=0))

    @cached_property
    def _weights(self) -> list[tuple[str, tuple[int, int], Array]]:
        """Returns for each entry of the chain how much it contains of each X_iw, at most, in the chosen units."""
        M, weights = self._places["M"], []
        for name, columns in self.columns.items():
            for c, Y in enumerate(columns):
                for k in range(self.R.shape[2]):
                    shares = (self.R[:, :, k] * self.units[name][:, k, c, None])[:, :, None] * Y[:, None, :]
                    own = shares[:, :, M]
                    shares[:, :, M] = own + np.where(np.eye(own.shape[1], dtype=bool), 0.0, own.transpose(0, 2, 1))
                    weights.append((name, (k, c), np.abs(shares).max(axis=0)))
        return weights


def _sample(chain: NumericChain, region: Region, near: Array | None) -> Array:
    """Returns closed configurations of one branch within a region, on a random walk that is the same in each call.

    near: a guess of a configuration on the branch
    raises EvaluationError: the walk finds hardly any in the region
    """
    model, choice, values = chain.system.model, chain.system.choice, all_values(chain.system.model)
    loops = of_loops(model, choice)
    if near is None:
        start = found(model, loops, chain.closure, values).q
    else:
        start = assembled(model, loops, chain.closure, near, values).q
    low, high = (np.array([ends[k] for ends in region.q.values()]) for k in (0, 1))

    def outside(q: Array) -> float:
        return float(np.maximum(np.maximum(low - q, q - high), 0.0).sum())

    clear = CLEAR * _clearance(chain, choice, start)

    def accepts(q: Array, there: Array) -> bool:
        return outside(there) <= outside(q) and _clearance(chain, choice, there) >= clear

    reach = float(min(1.0, (high - low).min()))
    inside: list[Array] = []
    for q in islice(walk(model, loops, chain.closure, start, accepts, reach), STEPS):
        if outside(q) == 0 and not (inside and q is inside[-1]):
            inside.append(q)
        if len(inside) == STATES:
            break
    if len(inside) < FEWEST:
        fact = f"{number_of(len(inside), 'closed configuration')} in the region {region}"
        remedy = "widen it, or choose one that the branch of the chain's configuration reaches"
        raise EvaluationError(fact, where=model.name, expected=f"at least {FEWEST}", remedy=remedy)
    return np.array(inside)


def _clearance(chain: NumericChain, choice: Independents, q: Array) -> float:
    """Returns how far a configuration is from those where the independent coordinates do not determine the others."""
    A = chain.closure(q)[1][list(choice.conditions)]
    part, whole = (np.linalg.svd(rows, compute_uv=False) for rows in (A[:, list(choice.dependent)], A))
    return float(part[-1] / whole[0])
