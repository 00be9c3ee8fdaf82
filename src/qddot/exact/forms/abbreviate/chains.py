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
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.expression import Expression
from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.forms.abbreviate.abbreviated_chain import NOISE, AbbreviatedChain
from qddot.exact.forms.abbreviate.abbreviation import MATRICES, Asked, ShortLinks, values_of
from qddot.exact.forms.abbreviate.closed_sample import sample
from qddot.exact.forms.abbreviate.definite import Definiteness, in_states
from qddot.exact.forms.abbreviate.region import Region, within_limits
from qddot.formats.conversions.substitute import in_numbers, replaced
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.physics.of_model import check_timeless
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model

Array = NDArray[np.float64]
ByName = Mapping[str, Array]  # arrays of M, B, C2 and G, or of those of the chain


def abbreviate_chain(
    eq: ReducedEquations,
    asked: Asked,
    near: Array | None,
    region: Mapping[str, Any] | None = None,
    symbols: Mapping[str, float] | None = None,
) -> AbbreviatedChain:
    """Returns the short model; see `ClosedEquations.abbreviate`. near: a guess of a configuration of its branch"""
    refuse_several(eq.model.tree, say("an-abbreviated-model"))
    check_timeless(eq.model.tree, say("the-abbreviated-model"))
    return asked.met(_ShortChain(eq, near, region, values_of(eq.tree, symbols or {}, eq.model.used_symbols)))


class _ShortChain:
    """This abbreviates the equations of one closed chain at any thresholds.

    q: closed configurations; entries: M̄, B̄, C̄2 and Ḡ there; units: the factors that bring them into common units
    """

    def __init__(
        self, eq: ReducedEquations, near: Array | None, region: Mapping[str, Any] | None, values: Mapping[str, Fraction]
    ) -> None:
        self.name, self.choice = eq.model.name, eq.choice
        self._numbers = {name: Expression.constant(value) for name, value in values.items()}
        tree = in_numbers(eq.model.tree, self._numbers)
        self.exact = self._with_tree(eq.model, tree)
        chain = NumericChain(ClosedSystem(self.exact, eq.choice))
        given = Region.of(tree, region, eq.independent, within_limits)
        self.q = sample(chain, given, near)
        at = dict(zip(tree.coordinates, self.q.T, strict=True))
        turning = {name for name, turns in zip(tree.coordinates, tree.turning, strict=True) if turns}
        self.links = ShortLinks(eq.tree, given.reaching(at, turning), values, at)
        self.motions = _Motions(chain, self.q)
        self.entries = self.motions.along({k: [each.values for each in of] for k, of in self.links.entries.items()})
        self.units = self._units(eq.independent)
        self.largest = self._in_units(self.entries)

    def _with_tree(self, model: ClosedModel, tree: Model) -> ClosedModel:
        """Returns a closed chain with another tree and lengths in numbers."""
        loops, conditions = (replaced(part, self._numbers) for part in (model.loops, model.conditions))
        return ClosedModel(tree, loops, model.rolling, conditions)

    def _units(self, names: Sequence[str]) -> ByName:
        """Returns the factors with which each M̄_kk is 1 in all states. raises EvaluationError: no inertia"""
        diagonal = np.diagonal(self.entries["M"], axis1=1, axis2=2)
        for name, inertias in zip(names, diagonal.T, strict=True):
            if not inertias.min() > NOISE * inertias.max():
                raise EvaluationError("motion-without-inertia", where=self.name, name=name)
        unit = 1 / np.sqrt(diagonal)
        columns = {"M": unit, "B": _products(unit), "C2": unit**2, "G": np.ones((len(unit), 1))}
        return {name: unit[:, :, None] * of[:, None, :] for name, of in columns.items()}

    def _in_units(self, entries: ByName) -> dict[str, Array]:
        """Returns the largest magnitudes of the chain's entries in the common units."""
        return {name: np.abs(of * self.units[name]).max(axis=0) for name, of in entries.items()}

    def abbreviated(self, levels: Mapping[str, float], against_joint: float) -> AbbreviatedChain:
        shorts = self.links.without(self._least(levels, against_joint))
        links = self.links.written(shorts, levels, against_joint)
        dropped = self.motions.along({name: [short.dropped for short in of] for name, of in shorts.items()})
        definite = links.definite
        if definite.verdict != "proved":
            states = dict(zip(links.region.q, self.q.T, strict=True))
            definite = in_states(self.entries["M"] - dropped["M"], states)
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

    def is_indefinite(self, definite: Definiteness) -> bool:
        q = np.array(list((definite.witness or {}).values()))
        M = self.entries["M"][np.argmin(np.abs(self.q - q).sum(axis=1))]
        return bool(np.min(np.linalg.eigvalsh(M)) <= 1e-12 * np.max(np.abs(M)))

    def _least(self, levels: Mapping[str, float], against_joint: float) -> dict[str, Sequence[float]]:
        """Returns the smallest size of a term that stays, by matrix and entry of the links' equations."""
        heaviest = np.max([weights for *_, weights in self._weights], axis=0)
        least = np.full_like(heaviest, np.inf)
        for name, place, weights in self._weights:
            allowed = max(levels[name] * self.largest[name][place], against_joint * self._rows[name][place])
            matters = weights > NOISE * heaviest
            least[matters] = np.minimum(least[matters], allowed / weights[matters])
        return {name: least[:, of].ravel().tolist() for name, of in self.motions.places.items()}

    @cached_property
    def _weights(self) -> list[tuple[str, tuple[int, int], Array]]:
        """Returns for each entry of the chain how much it contains of each X_iw, at most, in the common units."""
        M, R, weights = self.motions.places["M"], self.motions.R, []
        for name, columns in self.motions.columns.items():
            for c, Y in enumerate(columns):
                for k in range(R.shape[2]):
                    shares = (R[:, :, k] * self.units[name][:, k, c, None])[:, :, None] * Y[:, None, :]
                    own = shares[:, :, M]  # M_ij and M_ji have the same terms
                    shares[:, :, M] = own + np.where(np.eye(own.shape[1], dtype=bool), 0.0, own.transpose(0, 2, 1))
                    weights.append((name, (k, c), np.abs(shares).max(axis=0)))
        return weights

    @cached_property
    def _rows(self) -> dict[str, Array]:
        """Returns the size of an entry that makes the largest torque of its row: of M̄, B̄ and C̄2, or of Ḡ alone.

        Accelerations are 1, and rates the region's fastest ones, at the median of each M̄_kk.
        """
        unit = np.median(1 / np.sqrt(np.diagonal(self.entries["M"], axis1=1, axis2=2)), axis=0)
        speed = np.array([self.links.region.fastest(name) for name in self.links.region.qd]) / unit
        scales = {"M": 1 / unit, "B": _products(speed[None])[0], "C2": speed**2}
        motion = np.max([(self.largest[name] * of).max(axis=1, initial=0.0) for name, of in scales.items()], axis=0)
        with np.errstate(divide="ignore"):
            sizes = {name: motion[:, None] / scale for name, scale in scales.items()}
        return {**sizes, "G": np.broadcast_to(self.largest["G"], (len(motion), 1))}

    def _shares(self, dropped: ByName) -> dict[str, Array]:
        """Returns the largest errors relative to the largest entries, or to the rows' sizes where entries are zero."""
        shares = {}
        for name, errors in self._in_units(dropped).items():
            most, rows = self.largest[name], self._rows[name]
            whole = np.where(most > NOISE * rows, most, rows)
            shares[name] = errors / np.where(whole > 0, whole, 1.0)
        return shares


class _Motions:
    """This says how the entries of the links' equations add to those of the chain in closed configurations.

    Each entry (k, c) of M̄, B̄, C̄2 or Ḡ is Σ R_ik X_iw Y_wc, where X has the columns of M, B, C2 and G side by side.
    R: (states, n, m); columns: those of Y, by the chain's matrix; places: of the links' matrices in X
    """

    def __init__(self, chain: NumericChain, q: Array) -> None:
        states, n, m = *q.shape, len(chain.system.rates)
        rates = [chain.velocities(q, np.tile(unit, (states, 1))) for unit in np.eye(m)]

        def drift(rate: Array) -> Array:
            """Returns Ṙ u at q̇ = R u."""
            return chain.accelerations(q, rate, np.zeros((states, m)))

        def column(M: Any = 0.0, B: Any = 0.0, C2: Any = 0.0, G: float = 0.0) -> Array:
            parts = ((M, n), (B, n * (n - 1) // 2), (C2, n), (G, 1))
            return np.concatenate([np.broadcast_to(part, (states, size)) for part, size in parts], axis=1)

        def squared(v: Array) -> Array:
            return column(drift(v), _products(v), v * v)

        own, sums = list(map(squared, rates)), (squared(a + b) for a, b in combinations(rates, 2))
        mixed = [both - a - b for both, (a, b) in zip(sums, combinations(own, 2), strict=True)]
        self.R = np.stack(rates, axis=-1)
        self.columns = {"M": [column(v) for v in rates], "B": mixed, "C2": own, "G": [column(G=1.0)]}
        ends = np.cumsum([0, n, n * (n - 1) // 2, n, 1])
        self.places = {name: slice(*ends[k : k + 2]) for k, name in enumerate(MATRICES)}

    def along(self, links: Mapping[str, Sequence[Array]]) -> dict[str, Array]:
        """Returns M̄, B̄, C̄2 and Ḡ in all states, from the entries of the links' M, B, C2 and G."""
        states, n, m = self.R.shape
        X = np.concatenate([np.stack(links[name], axis=1).reshape(states, n, -1) for name in MATRICES], axis=2)
        through = np.einsum("sik,siw->skw", self.R, X)
        whole = {name: [np.einsum("skw,sw->sk", through, Y) for Y in of] for name, of in self.columns.items()}
        return {name: np.stack(of, axis=-1) if of else np.zeros((states, m, 0)) for name, of in whole.items()}


def _products(rates: Array) -> Array:
    """Returns the products of two different rates, in the order of B's columns, in all states."""
    first, second = np.triu_indices(rates.shape[1], 1)
    return np.asarray(rates[:, first] * rates[:, second])
