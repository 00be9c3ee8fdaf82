"""Derives the exact equations of a closed chain in independent coordinates: M̄ u̇ + C̄ u + Ḡ + springs + friction = Rᵀ τ.

With q̇ = R u, the forces of the loops do no work: Rᵀ Aᵀ λ = 0. M̄ = Rᵀ M R, C̄ = Rᵀ (C R + M Ṙ) and Ḡ = Rᵀ G, so that
dM̄/dt − 2C̄ is skew. What follows from M̄, Γ̄, Ḡ and P̄ does so as in a tree, with u in place of q̇. With spherical and free
joints, q̇ stands for the velocities, of which some are no rates.
Source: Murray, Li, Sastry, *A Mathematical Introduction to Robotic Manipulation*, 1994, §6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.algebra.spatial import inner, summed
from qddot.base.errors import ModelError, QddotError, is_one_of
from qddot.base.nested_lists import nested
from qddot.base.records import record
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.coefficients import Coefficients
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Quantities, Steps, quantities_of, shown
from qddot.exact.equations.quantity import Entries, Quantity, quantities_in
from qddot.exact.equations.quantity_names import part_named
from qddot.exact.equations.quantity_table import QUANTITIES, STEPS, Attributes, EntriesByName
from qddot.exact.equations.routes import at_rest
from qddot.exact.equations.shortest_angles import converted, in_absolute_angles
from qddot.physics.algorithms import closure
from qddot.physics.independent import Independents, chosen
from qddot.robot.closed_model import ClosedModel, names_of_conditions


@record(eq=False, kw_only=True)
class OfChain(Quantity):
    """This is a quantity that only closed chains have, or that they compute in a way of their own.

    reduced: computes it for a chain; in_tree: whether it is written in the coordinates of the tree, without u
    """

    reduced: Callable[[ReducedEquations], Entries]
    in_tree: bool = False


class ChainAttributes(Attributes):
    """This has the quantities of a closed chain as attributes; R multiplies those of its tree."""

    phi = OfChain(
        sentence="The independent conditions φ, which are zero where the loops are closed.",
        reduced=lambda chain: [chain.phi[k] for k in chain.choice.conditions if k < len(chain.phi)],
        in_tree=True,
    )
    A = OfChain(
        sentence="The matrix in A q̇ = 0, with a row for each independent condition: those of φ̇, then those of wheels.",
        reduced=lambda chain: chain.A,
        in_tree=True,
    )
    gamma = OfChain(
        sentence="The vector γ = Ȧ q̇ in A q̈ = −γ.",
        reduced=lambda chain: chain.gamma(),
        in_tree=True,
    )
    R = OfChain(
        sentence="The matrix in q̇ = R u, by which all velocities follow from the independent ones.",
        reduced=lambda chain: chain.coefficients.R,
    )
    christoffel = OfChain(
        sentence="Γ̄_jkl in C̄_jk = Σ_l Γ̄_jkl u_l.",
        reduced=lambda chain: chain.christoffel(),
        symmetric=(1, 2),
    )


OWN = quantities_in(ChainAttributes, OfChain)


class ReducedEquations:
    """These are the equations of one closed chain.

    tree: the quantities of the chain without its loops, M q̈ + h + G + springs + friction = τ + Aᵀ λ
    """

    def __init__(
        self,
        model: ClosedModel,
        choice: Independents | None = None,
        tree: Quantities | None = None,
        slopes: bool = True,
    ) -> None:
        """choice: of independent coordinates, by default that of `chosen`; slopes: whether there are r_kj,l

        tree: by default in the absolute angles of parallel joints, in which conditions are short
        """
        self.model = model
        self.choice: Independents = choice or chosen(model)
        self.tree = tree or Quantities(model.tree, ring=in_absolute_angles(model.tree))
        self._arrays: dict[str, ExactArray] = {}
        self._slopes = slopes
        self._check_constants()

    @cached_property
    def in_joint_angles(self) -> ReducedEquations:
        """Returns the same equations in the sines and cosines of the joints' own angles."""
        own = self.tree.in_joint_angles
        return self if own is self.tree else ReducedEquations(self.model, self.choice, own)

    @cached_property
    def at_rest(self) -> ReducedEquations:
        """Returns the same conditions, R, M and G, without Γ and the derivatives of R, which take long to derive."""
        tree = self.tree
        if tree.dynamics.has_bodies:
            tree = Quantities(tree.model, tree.route, tree.ring, at_rest(tree.dynamics.mechanism), tree.dynamics)
        return ReducedEquations(self.model, self.choice, tree, slopes=False)

    @property
    def independent(self) -> tuple[str, ...]:
        return tuple(self.model.tree.coordinates[k] for k in self.choice.independent)

    @property
    def velocities(self) -> tuple[str, ...]:
        """Returns the names of the velocities, one for each row of M: the independent ones."""
        return self.independent

    @property
    def dependent(self) -> tuple[str, ...]:
        return tuple(self.model.tree.coordinates[k] for k in self.choice.dependent)

    @cached_property
    def phi(self) -> list[Any]:
        """Returns all conditions of loops over the tree's ring; some may be zero."""
        evaluate = partial(Expression.evaluate, numbers=self.tree.ring)
        residuals = closure.residuals(self.tree.dynamics.mechanism, self.model, evaluate)
        return list(map(self.tree.ring.convert, residuals))

    @cached_property
    def A(self) -> list[list[Any]]:
        """Returns the independent rows of A, over the tree's ring."""
        rows = closure.jacobian(self.tree.dynamics.mechanism, self.model)
        return [list(map(self.tree.ring.convert, rows[k])) for k in self.choice.conditions]

    @cached_property
    def coefficients(self) -> Coefficients:
        return Coefficients(self.tree.ring, self.A, self.choice, self._integrable, self.model.name, not self._slopes)

    @property
    def _integrable(self) -> bool:
        """Returns whether all velocities are rates, and all conditions those of loops."""
        return self.model.integrable and not self.model.tree.freedoms

    @property
    def ring(self) -> Ring:
        """Returns the ring of all entries that contain kinematic coefficients."""
        return self.coefficients.ring

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the names of all quantities and steps."""
        own = (name for name in quantities_of(self.model.tree) if name not in OWN)
        return (*OWN, *own, *self.steps)

    def array(self, name: str) -> ExactArray:
        """Returns a quantity, a step, or a part of one, such as "M11"; or a coefficient or dependent rate by its name.

        raises QddotError: an unknown name, or a step of a route
        """
        if is_one_of(name, self.steps):
            return self.steps[name]
        if not is_one_of(name, self._arrays):
            if is_one_of(name, STEPS):
                raise QddotError("step-of-route", where=self.model.name, name=name)
            if not is_one_of(name, self.names):
                if (value := self.coefficients.named(name)) is not None:
                    return ExactArray.of(self.ring, value, name, display=self.tree.display)
                return part_named(name, self.names, self.array, notation_of(self.model.tree.notation))
            self._arrays[name] = self._own(OWN[name]) if name in OWN else self._array(name)
        return self._arrays[name]

    @cached_property
    def steps(self) -> Steps:
        """Returns the intermediate results by which A and the tree's equations give those of the chain.

        A_d⁻¹ has the rows of the cofactors `adj`, each divided by its entry of `det`; these two are left out if they
        are too long to be written out.
        """
        of, tree = self.coefficients, self.tree
        steps: dict[str, Any] = {
            "A_d": lambda: [[row[k] for k in of.dependent] for row in self.A],
            "A_i": lambda: [[row[k] for k in of.independent] for row in self.A],
        }
        if not of.implied_rows:
            steps |= {"adj": lambda: of.inverse[0], "det": lambda: of.inverse[1]}
        steps |= {
            "R_rate": lambda: of.R_rate,
            "M_t": lambda: tree.array("M").nested,
            "C_t": lambda: _over(tree.array("C").nested, of.moving),
            "G_t": lambda: tree.array("G").nested,
            "M_R": lambda: _matrix_product(_over(tree.array("M").nested, of.moving), of.R),
            "C_R": self._velocity_terms,
        }
        return Steps(lambda: self.ring, steps, tree.display)

    def _velocity_terms(self) -> list[list[Any]]:
        """Returns C R + M Ṙ, with M and C of the tree, which Rᵀ multiplies to give C of the chain."""
        M, C = (_over(self.tree.array(name).nested, self.coefficients.moving) for name in "MC")
        rows = zip(_matrix_product(C, self.coefficients.R), _matrix_product(M, self.coefficients.R_rate), strict=True)
        return [[x + y for x, y in zip(*pair, strict=True)] for pair in rows]

    def keep(self, entries: Mapping[str, Entries]) -> None:
        """Takes M, Γ and G over the ring as they were derived before."""
        for name, nested_entries in entries.items():
            quantity = OWN.get(name) or QUANTITIES[name]
            symmetric = quantity.symmetric if self._integrable or name not in OWN else None
            self._arrays[name] = ExactArray.of(self.ring, nested_entries, name, symmetric, self.tree.display)

    def _own(self, quantity: OfChain) -> ExactArray:
        ring = self.tree.ring if quantity.in_tree else self.ring
        symmetric = quantity.symmetric if self._integrable else None
        return ExactArray.of(ring, quantity.reduced(self), quantity.name, symmetric, self.tree.display)

    def _array(self, name: str) -> ExactArray:
        """Returns a quantity that follows from others, or from that of the tree."""
        quantity = QUANTITIES[name]
        if quantity.follows and (name != "L" or self.model.tree.lagrangian is None):
            array = ExactArray.of(
                self.ring, quantity.follows(self._others), name, quantity.symmetric, self.tree.display
            )
            return replace(array, places=quantity.places(self.coefficients.m)) if quantity.places else array
        array = self.tree.array(name)
        if quantity.kinematic and not quantity.covariant:
            return array
        ring = self.ring.joined(array.ring)
        moved = ring.convert if quantity.kinematic else self.coefficients.moving
        R = converted(self.coefficients.R, ring.convert)
        entries = nested([moved(entry) if entry else 0 for entry in array.entries], array.shape)
        entries = _along(R, entries, array.ndim, quantity.covariant)
        return ExactArray.of(ring, entries, name, quantity.symmetric, array.display)

    @cached_property
    def _others(self) -> EntriesByName:
        """Returns the entries of other quantities, with u in place of q̇."""
        accelerations = [self.ring.acceleration(name) for name in self.independent]
        return shown(self, self.coefficients.u, accelerations)

    def gamma(self) -> list[Any]:
        """Returns γ = Ȧ q̇, so that A q̈ = −γ."""
        ring, qd = self.tree.ring, self.tree.dynamics.mechanism.qd
        moving = [inner(row, qd) for row in self.A]
        return [_product((ring.differentiate(speed, name) for name in ring.coordinates), qd) for speed in moving]

    def christoffel(self) -> list[list[list[Any]]]:
        """Returns Γ̄_jkl = Σ_i R_ij (Σ_ps Γ_ips R_pk R_sl + Σ_p M_ip r_pk,l), so that C̄ = Rᵀ (C R + M Ṙ)."""
        of, n, m = self.coefficients, range(self.tree.n), range(self.coefficients.m)
        tree_M, tree_christoffel = (self.tree.array(name).nested for name in ("M", "christoffel"))
        M, christoffel = converted((tree_M, tree_christoffel), lambda entry: of.ring.convert(entry) if entry else 0)
        columns = list(zip(*of.R, strict=True))
        full: list[list[list[Any]]] = [[[0] * of.m for _ in m] for _ in m]
        for l in m:
            along = [[_product(christoffel[i][p], columns[l]) for p in n] for i in n]
            for k in range(l + 1) if self._integrable else m:
                slopes = [of.slope(p, k, l) for p in n]
                vector = [_product(along[i], columns[k]) + _product(M[i], slopes) for i in n]
                for j in m:
                    full[j][k][l] = _product(columns[j], vector)
                    if self._integrable:
                        full[j][l][k] = full[j][k][l]
        return full

    def _check_constants(self) -> None:
        """Raises ModelError for a condition that no coordinate changes and that is not zero."""
        from qddot.exact.printing import text

        names = self.tree.ring.coordinates
        loops = [loop for loop in self.model.loops for _ in range(loop.conditions.number)]
        for loop, own, condition in zip(loops, names_of_conditions(self.model), self.phi, strict=False):
            if condition and not any(self.tree.ring.differentiate(condition, name) for name in names):
                which = own.removeprefix(f"{loop.name}, ")
                raise ModelError(
                    "condition-never-holds",
                    where=f"{self.model.name}: loop {loop.name!r}",
                    which=which,
                    condition=text.polynomial(condition),
                )


def _along(R: Sequence[Sequence[Any]], entries: Any, axes: int, covariant: int) -> Any:
    """Returns nested lists with so many axes, the last ones of which are multiplied by R."""
    if not covariant:
        return entries
    if axes > covariant:
        return [_along(R, part, axes - 1, covariant) for part in entries]
    if axes == 1:
        return [_product(column, entries) for column in zip(*R, strict=True)]
    parts = [_along(R, part, axes - 1, covariant - 1) for part in entries]
    return [list(row) for row in zip(*(_along(R, column, 1, 1) for column in zip(*parts, strict=True)), strict=True)]


def _over(rows: Sequence[Sequence[Any]], change: Callable[[Any], Any]) -> list[list[Any]]:
    """Returns a matrix whose entries are changed."""
    return [list(map(change, row)) for row in rows]


def _matrix_product(a: Sequence[Sequence[Any]], b: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[_product(row, column) for column in zip(*b, strict=True)] for row in a]


def _product(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Returns Σ a_k b_k, in which many terms are zero."""
    return summed(x * y for x, y in zip(a, b, strict=True) if x and y)
