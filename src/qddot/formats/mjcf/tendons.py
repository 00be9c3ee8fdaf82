"""Reads fixed tendons of MJCF, whose lengths are sums Σ coef · q of joints: what one on a single joint does there.

Stiffness k, damping d, dry friction f and armature J on a length c q act on q as c² k, c² d, |c| f and c² J. Source:
MuJoCo's XML reference, tendon/fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous

OF_JOINT = "mjWRAP_JOINT"


def coefficients(tendon: Any) -> dict[str, float]:
    """Returns the coefficients of a fixed tendon by the joints' names; none of one that runs over sites."""
    ways = list(tendon.path)
    if any(way.type.name != OF_JOINT for way in ways):
        return {}
    total = dict[str, float]()
    for way in ways:
        total[way.target.name] = total.get(way.target.name, 0.0) + way.coef
    return total


def acts_on_one(tendon: Any) -> bool:
    """Returns whether a tendon acts on one joint as effects in it do; a spring with slack does not."""
    has_slack = tendon.springlength[0] != tendon.springlength[1]
    return len(list(tendon.path)) == 1 == len(coefficients(tendon)) and not has_slack


def effects(arrays: Any, j: int) -> Iterator[Effect]:
    """Yields the effects of tendons in MuJoCo's joint j; the rest of a spring is where its length is that of rest."""
    m = arrays
    for t in range(m.ntendon):
        way = m.tendon_adr[t]
        if m.tendon_num[t] != 1 or m.wrap_objid[way] != j or not m.wrap_prm[way]:
            continue
        c, k = _number(m.wrap_prm[way]), _number(m.tendon_stiffness[t])
        strengths = {Armature: m.tendon_armature[t], Viscous: m.tendon_damping[t]}
        yield from (kind(Expression.constant(c * c * _number(each))) for kind, each in strengths.items() if each)
        if m.tendon_frictionloss[t]:
            yield Coulomb(Expression.constant(abs(c) * _number(m.tendon_frictionloss[t])))
        if k:
            rest = _number(m.tendon_lengthspring[t][0]) / c
            yield Spring(Expression.constant(c * c * k), Expression.constant(rest))


def joined(springs: Sequence[Spring]) -> Sequence[Spring]:
    """Returns one spring with the torque of all: k = Σ k_i, at rest at Σ k_i r_i / k; those that cancel stay apart."""
    k = sum((Fraction(each.stiffness.rational or 0) for each in springs), Fraction(0))
    if len(springs) < 2 or not k:
        return springs
    moment = sum((each.stiffness * each.rest for each in springs), Expression.constant(0))
    return [Spring(Expression.constant(k), moment * (1 / k))]


def _number(value: Any) -> Fraction:
    """Returns a double as the shortest decimal that names it."""
    return Fraction(repr(float(value)))
