"""Computes the base parameters of a closed chain: those of its tree, with the relations that its loops add.

The torques are Rᵀ Y π. The tree's relations between columns of Y hold in a chain as well. In addition, inertia that the
joint of a loop does not feel may be moved across it, as across a joint of the tree: a point mass at a pin belongs to
either link. These relations are exact. That there are no others is proved in balls, by the rank of Rᵀ Y in states whose
loops are closed. Otherwise special lengths or rolling wheels relate more columns. Then all relations are found in balls
at the default lengths, which verifies them to many digits, and proves that there are no others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.balls import ball, middle, precise
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.spatial import Inertia, Rotation, SymmetricMatrix3, Vec3, inner, unit_inertia
from qddot.base.errors import ExactnessError
from qddot.base.words.message import Listed, Message, Told, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.closed_states import ClosedState, ClosedStates, values_in_balls
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.forms.base.elimination import Row, eliminate
from qddot.exact.forms.base.find import KEPT_BITS, at_defaults, base_parameters, lowest
from qddot.exact.forms.base.parameters import BaseParameter, BaseParameters, ParameterShare
from qddot.exact.forms.base.relations import SPARE_STATES, TENSOR, elimination_order, entries, simplest_rows
from qddot.machine.numeric.closed_evidence import symbols_of_conditions
from qddot.physics.algorithms import kinematics
from qddot.physics.algorithms.regressor import PARAMETERS, regressor
from qddot.robot.closed_model import ClosedModel
from qddot.robot.effects.acting import unit_column
from qddot.robot.left_out import sentences
from qddot.robot.loops import EVERYWHERE, PARALLEL, TURNED, Conditions, Loop

BITS = 512
NOTHING = arb(2) ** -256  # the largest size of an entry that counts as zero
DIGITS = 75  # to which an entry is zero then
LARGEST_DENOMINATOR = 10**25  # of coefficients that are recognized in their digits
Quotient: TypeAlias = tuple[Polynomial, Polynomial]
Shares: TypeAlias = dict[int, dict[int, Quotient]]  # of columns in those that stay


class ChainBaseParameters(BaseParameters):
    """This is a minimal set of the parameters of a closed chain, Rᵀ τ = Y_b π_b.

    The massless frames by which loops hold links are no bodies: none of their parameters is in a combination, though
    the regressor has columns of them.
    states: if relations between columns were found in numbers, in how many states; else 0
    The other attributes are those of the base parameters of a robot.
    """

    def __init__(
        self,
        equations: ReducedEquations,
        tree: BaseParameters,
        parameters: Sequence[BaseParameter],
        special: Sequence[str] = (),
        states: int = 0,
        error_bound: float = 0.0,
    ) -> None:
        """equations: those of the chain; tree: the base parameters of its tree"""
        frames = _frames(equations.model)
        parameters = [
            replace(each, shares=tuple(share for share in each.shares if share.parameter not in frames))
            for each in parameters
        ]
        used = {each.parameter for each in parameters} | frames
        used |= {share.parameter for each in parameters for share in each.shares}
        never = [k for k in range(len(tree.names)) if k not in used]
        self._all = len(tree.names) - len(frames)
        super().__init__(
            tree.model, tree.ring, tree.mechanism, parameters, tree.names, never, error_bound, special or tree.special
        )
        self._equations, self.states = equations, states

    @cached_property
    def regressor(self) -> ExactArray:
        """Returns the exact Y_b, m × len(self), in the coefficients of `equations().R`."""
        of, tree = self._equations.coefficients, self._equations.tree
        rows = [list(map(of.moving, row)) for row in self._rows(tree.dynamics.mechanism, tree.ring)]
        columns = list(zip(*rows, strict=True))
        reduced = [[inner(own, column) for column in columns] for own in zip(*of.R, strict=True)]
        return ExactArray.of(of.ring, reduced, "Y_b")

    @property
    def _count(self) -> Message:
        return say("count-of-base-parameters", count=len(self), all=self._all)

    @property
    def remarks(self) -> list[str]:
        """Returns sentences about what the model lacks, parameters without effect, and relations found in numbers."""
        if not self.states:
            return super().remarks
        none = [Told(say("no-torque-depends", names=Listed(self.unidentifiable)))] if self.unidentifiable else []
        return [*sentences(self.model.left_out), *none, self.rounding]

    @property
    def rounding(self) -> str:
        """Returns a sentence about relations that were found in numbers, or "" if all are exact."""
        if not self.states:
            return super().rounding
        values = Listed(f"{name} = {self.model.symbols[name].value}" for name in self.special)
        key = "combinations-found-at-values" if values else "combinations-found"
        return Told(say(key, states=self.states, values=values, digits=DIGITS))


def _frames(model: ClosedModel) -> set[int]:
    """Returns the columns of massless links that are fixed to others and held by loops."""
    held, number = {name for loop in model.loops for name in loop.links}, len(PARAMETERS)
    return {
        number * k + parameter
        for k, body in enumerate(model.tree.bodies)
        if body.name in held and not body.joint.moves and body.inertia == Inertia.zero()
        for parameter in range(number)
    }


def chain_base_parameters(
    equations: ReducedEquations, near: NDArray[np.float64], armature: bool, friction: bool
) -> ChainBaseParameters:
    """Returns the minimal set of a chain on the branch of a closed configuration.

    near: the configuration in doubles; armature, friction: as for the base parameters of robots
    raises EvaluationError: a symbol of the geometry has no value, or no closed configurations are found
    """
    model, choice = equations.model, equations.choice
    with precise(BITS):
        tree = base_parameters(model.tree, armature, friction)
        columns = Columns(ClosedStates(model, choice, near, _values(model)), tree.names)
        if tree.exact:
            parameters = _with_loops(tree, model, columns.first)
            if not columns.relations([each.parameter for each in parameters]):
                return ChainBaseParameters(_at(equations, tree), tree, parameters)
        special = sorted(name for name in _geometry(model) if model.tree.symbols[name].value is not None)
        tree = base_parameters(at_defaults(model.tree, special), armature, friction)
        parameters, number, bound = _in_numbers(tree, model, columns)
    return ChainBaseParameters(_at(equations, tree), tree, parameters, special, number, bound)


def _at(equations: ReducedEquations, tree: BaseParameters) -> ReducedEquations:
    """Returns the equations of a chain with the tree of base parameters, in which symbols may have their defaults."""
    model = replace(equations.model, tree=tree.model)
    return equations if model == equations.model else ReducedEquations(model, equations.choice)


def _geometry(model: ClosedModel) -> set[str]:
    """Returns the symbols on which the columns of the regressor depend."""
    gravity = (expression(part).symbols() for part in model.tree.gravity)
    return symbols_of_conditions(model) | (set[str]().union(*gravity) - {"pi"})


def _values(model: ClosedModel) -> dict[str, Any]:
    """Returns the values of symbols in balls; 1 stands for masses without values, on which no column depends."""
    others = model.used_symbols - _geometry(model)
    return {**dict.fromkeys(others, ball(1)), **values_in_balls(model)}


# exact relations, across loops


def _with_loops(tree: BaseParameters, model: ClosedModel, state: ClosedState) -> list[BaseParameter]:
    """Returns the tree's base parameters without those that can be moved across the joints of loops."""
    ring, shares, order = tree.ring, _shares(tree.ring, tree.parameters), _preferred(model, tree.columns)[::-1]
    rows = [_of_those_that_stay(ring, row, shares) for loop in model.loops for row in _unfelt_rows(loop, state)]
    numbers = Modular.of(tree.model)
    places = numbers.echelon([[numbers.integer(row.get(k, 0)) for k in order] for row in rows])[0]
    moved = [order[place] for place in places]
    if moved:
        rows = [
            rows[k] for k in simplest_rows([[numbers.integer(r.get(k, 0)) for k in moved] for r in rows], numbers.prime)
        ]
        eliminate(rows, moved)
    for column, row in zip(moved, rows, strict=False):
        shares[column] = {k: lowest(-value, row[column]) for k, value in row.items() if k != column}
    return _parameters(
        [k for k in tree.columns if k not in moved], _resolved(ring, shares, {k: shares[k] for k in moved})
    )


def _preferred(model: ClosedModel, columns: Collection[int]) -> list[int]:
    """Returns columns in the order in which they are to be kept: those of bodies, then those of joints."""
    order = elimination_order(len(model.tree.bodies))
    return [*(k for k in order if k in columns), *sorted(k for k in columns if k >= len(order))]


def _unfelt_rows(loop: Loop, state: ClosedState) -> Iterator[dict[int, Any]]:
    """Yields relations Σ coefficient · column = 0: one link can take inertia of the other that the joint does not feel.

    Both links have the loop's frames. Axes of these may be opposite, as they are in the configuration of the state.
    """
    poses, index = kinematics.poses(state.mechanism), {link.name: link.index for link in state.mechanism.links}
    attitudes = [poses[index[name]].R if name in index else Rotation.identity() for name in loop.links]
    turned = _between(loop, *attitudes)
    for inertia in _unfelt(loop.conditions):
        row: dict[int, Any] = {}
        for name, sign, own in zip(loop.links, (1, -1), (inertia, inertia.rotated(turned)), strict=True):
            if name in index:
                row |= {len(PARAMETERS) * index[name] + k: sign * x for k, x in enumerate(entries(own)) if x}
        yield row


def _unfelt(conditions: Conditions) -> list[Inertia]:
    """Returns a basis of the inertias that a loop's joint does not feel, in its frame: see `relations.unfelt`."""
    is_held = conditions.place == EVERYWHERE
    inertias = [unit_inertia(0)] if is_held else []
    if conditions.attitude == TURNED:
        inertias += [unit_inertia(k) for k in range(1 if is_held else TENSOR, len(PARAMETERS))]
    if conditions.attitude == PARALLEL:
        inertias += [Inertia(0, Vec3.zero(), SymmetricMatrix3.diagonal(1, 1, 0))]
        inertias += [unit_inertia(PARAMETERS.index("mz"))] if is_held else []
    return inertias


def _between(loop: Loop, first: Rotation, second: Rotation) -> Rotation:
    """Returns the attitude of the first frame in the second as far as the loop holds it, in whole numbers."""
    if loop.conditions.attitude == TURNED:
        return (second.T @ first).map(lambda entry: round(float(entry)))
    if loop.conditions.attitude == PARALLEL:
        along: Any = first.T.z.dot(second.T.z)
        sign = round(float(along))
        return Rotation(Vec3(1, 0, 0), Vec3(0, sign, 0), Vec3(0, 0, sign))
    return Rotation.identity()


def _shares(ring: Ring, parameters: Sequence[BaseParameter]) -> Shares:
    """Returns each column of the regressor by those that stay."""
    one = ring.convert(1)
    shares: Shares = {each.parameter: {each.parameter: (one, one)} for each in parameters}
    for each in parameters:
        for share in each.shares:
            shares.setdefault(share.parameter, {})[each.parameter] = share.numerator, share.denominator
    return shares


def _of_those_that_stay(ring: Ring, row: Mapping[int, Any], shares: Shares) -> Row:
    """Returns a relation between columns as one between those that stay, without denominators."""
    total = _combined(ring, {k: (ring.convert(x), ring.convert(1)) for k, x in row.items()}, shares)
    common = ring.convert(1).poly
    for _, bottom in total.values():
        common *= bottom.poly / common.gcd(bottom.poly)
    return {k: ring.wrap(top.poly * (common / bottom.poly)) for k, (top, bottom) in total.items()}


def _resolved(ring: Ring, shares: Shares, moved: Shares) -> Shares:
    """Returns all columns by those that stay; moved: those of them that no longer do, by the others."""
    one = ring.convert(1)
    known: Shares = {k: {k: (one, one)} for parts in shares.values() for k in parts} | moved
    return {k: _combined(ring, parts, known) for k, parts in shares.items()}


def _combined(ring: Ring, parts: Mapping[int, Quotient], shares: Shares) -> dict[int, Quotient]:
    """Returns Σ part · share, by the columns that stay."""
    total: dict[int, Quotient] = {}
    for k, (top, bottom) in parts.items():
        for stays, (numerator, denominator) in shares.get(k, {}).items():
            a, b = total.get(stays, (ring.zero, ring.convert(1)))
            c, d = top * numerator, bottom * denominator
            total[stays] = lowest(a * d + c * b, b * d)
    return {k: part for k, part in total.items() if part[0]}


def _parameters(stay: Sequence[int], shares: Shares) -> list[BaseParameter]:
    """Returns the parameters that stay, each with its shares of the others."""
    of: dict[int, list[ParameterShare]] = {k: [] for k in stay}
    for column, parts in sorted(shares.items()):
        for k, part in parts.items():
            if k != column:
                of[k].append(ParameterShare(column, *part))
    return [BaseParameter(k, tuple(of[k])) for k in sorted(stay)]


# relations in numbers


class Columns:
    """These are the columns of Rᵀ Y in states with closed loops, in balls."""

    def __init__(self, states: ClosedStates, names: Sequence[str]) -> None:
        """names: of the columns; those of joints come after those of bodies"""
        self._states, self._names = states, names
        self._rows = list[list[list[Any]]]()

    @cached_property
    def first(self) -> ClosedState:
        """Returns the first state."""
        return self._states.first(1)[0]

    @property
    def number(self) -> int:
        """Returns in how many states columns were compared."""
        return len(self._rows)

    def relations(self, columns: Sequence[int]) -> dict[int, dict[int, Any]]:
        """Returns the columns that depend on others, each as a combination of those that stay, in balls.

        raises ExactnessError: balls do not decide whether a column depends on others
        """
        ordered = _preferred(self._states.model, columns)
        number = -(-(len(ordered) + SPARE_STATES) // len(self._states.choice.independent))
        self._rows += map(self._of, self._states.first(number)[self.number :])
        rows = [[row[k] for k in ordered] for each in self._rows[:number] for row in each]
        places = _echelon(rows, self._states.model.name)
        stay = [ordered[place] for place in places]
        others = [place for place in range(len(ordered)) if place not in places]
        return {ordered[e]: {k: row[e] for k, row in zip(stay, rows, strict=False)} for e in others}

    def _of(self, state: ClosedState) -> list[list[Any]]:
        """Returns Rᵀ Y in one state."""
        names = self._states.model.tree.coordinates
        rows = [list(row) for row in regressor(state.mechanism)]
        for name in self._names[len(rows[0]) :]:
            kind, _, coordinate = name.partition("_")
            i = names.index(coordinate)
            sign, effects = state.qd[i].sgn(), state.mechanism.effects
            for row, own in zip(rows, unit_column(effects, kind, i, state.qd, state.qdd, sign), strict=True):
                row.append(own)
        columns = [state.onto(list(map(ball, column))) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]


def _echelon(rows: list[list[Any]], where: str) -> list[int]:
    """Brings rows into reduced row echelon form, in place, and returns the places of the pivots."""
    pivots: list[int] = []
    for place in range(len(rows[0])):
        done = len(pivots)
        left = range(done, len(rows))
        best = max(left, key=lambda k: float(rows[k][place].abs_lower()))
        if rows[best][place].contains(0):
            if any(not abs(rows[k][place]) < NOTHING for k in left):
                raise ExactnessError("regressor-columns-alike", where=where)
            continue
        rows[done], rows[best] = rows[best], rows[done]
        inverse = 1 / rows[done][place]
        rows[done] = [entry * inverse for entry in rows[done]]
        for k, row in enumerate(rows):
            if k != done and row[place] != 0:
                rows[k] = [a - row[place] * b for a, b in zip(row, rows[done], strict=True)]
        pivots.append(place)
    return pivots


def _in_numbers(tree: BaseParameters, model: ClosedModel, columns: Columns) -> tuple[list[BaseParameter], int, float]:
    """Returns the parameters that stay, the number of states in which this was found, and a bound of shares' errors.

    tree: the base parameters at the default lengths. If their shares and the coefficients in balls are not both exact,
    all relations are found in balls, so that errors do not add up.
    """
    if tree.exact:
        parameters = _with_loops(tree, model, columns.first)
        moved, bound = _recognized(tree.ring, columns.relations([each.parameter for each in parameters]))
        if not bound:
            stay = [each.parameter for each in parameters if each.parameter not in moved]
            shares = _resolved(tree.ring, _shares(tree.ring, parameters), moved)
            return _parameters(stay, shares), columns.number, 0.0
    moved, bound = _recognized(tree.ring, columns.relations(range(len(tree.names))))
    stay = [k for k in range(len(tree.names)) if k not in moved]
    return _parameters(stay, moved), columns.number, bound


def _recognized(ring: Ring, relations: Mapping[int, Mapping[int, Any]]) -> tuple[Shares, float]:
    """Returns columns by those that stay, and a bound of the relative errors of coefficients that had to be rounded."""
    shares, bound = Shares(), 0.0
    for column, parts in relations.items():
        shares[column] = {}
        for k, value in parts.items():
            if not abs(value) < NOTHING:
                number, error = _number(value)
                shares[column][k], bound = (ring.convert(number), ring.convert(1)), max(bound, error)
    return shares, bound


def _number(value: arb) -> tuple[Fraction, float]:
    """Returns the fraction with a small denominator in a ball and 0, or a rounded number and its relative error."""
    simple = middle(value).limit_denominator(LARGEST_DENOMINATOR)
    if value.contains(ball(simple)):
        return simple, 0.0
    rounded = middle(value).limit_denominator(2**KEPT_BITS)
    return rounded, float((abs(value - ball(rounded)) / abs(value)).upper())
