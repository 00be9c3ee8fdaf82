"""Checks which symbols the equations of motion lack, by residues modulo a prime."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from qddot.algebra.numbers.modular import Modular
from qddot.algebra.spatial import Force, Vec3, inner
from qddot.base.words.message import Listed, say
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, check
from qddot.inspect.doctor.site import Site
from qddot.physics.algorithms.composite import gravity_in_links
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of, has_bodies
from qddot.robot.effects.effect import Effect
from qddot.robot.model import Model, expressions_in


@check("A symbol is used nowhere, or no torque contains it.")
def symbols_without_effect(case: Examined) -> Iterator[Finding]:
    """Yields findings on symbols that are used nowhere, or that no torque contains."""
    model = case.model
    yield from unused_symbols(model.symbols, model.used_symbols)
    effects = (effect for body in model.bodies for effect in body.joint.effects)
    # gravity has no effect on an arm in a horizontal plane: that is not reported
    parts: Iterable[Effect | Vec3] = (*effects, model.gravity)
    felt = {name for part in parts for name in _names(part)}
    candidates = [name for name in model.symbols if name in model.used_symbols - felt]
    if not candidates:
        return
    # without defaults, since some may be zero
    generic = replace(
        model, symbols={name: replace(symbol, value=None, tolerance=None) for name, symbol in model.symbols.items()}
    )
    silent = _silent(generic, candidates)
    if silent:
        yield Finding("hint", Site.symbols(silent), say("finding-silent-symbols", names=Listed(silent)))


def unused_symbols(names: Iterable[str], used: Collection[str]) -> Iterator[Finding]:
    """Yields a finding on symbols that are used nowhere; used: all that are used."""
    unused = [name for name in names if name not in used]
    if unused:
        told = say("finding-unused-symbols", names=Listed(unused))
        yield Finding("hint", Site.symbols(unused), told, "symbols_without_effect")


def _names(part: object) -> set[str]:
    """Returns the symbols of an effect, a vector or a body."""
    return set().union(*(entry.symbols() for entry in expressions_in(part)))


def _silent(model: Model, symbols: Iterable[str]) -> list[str]:
    """Returns those symbols on which neither M nor G depends.

    Each symbol takes a second random residue in one random state; bodies that do not name it stay as they are. If M or
    G depends on a symbol, so does q̇ᵀ (M q̇ + G), since its parts are of the second and the first degree in q̇, and a
    symmetric matrix is zero if its quadratic form is.
    """
    numbers = Modular.of(model)
    mechanism = Mechanism.of(model, numbers)
    named = [(body, _names(body)) for body in model.bodies]
    before = _power(model, numbers, mechanism)

    def depends(symbol: str) -> bool:
        others = numbers.changed(symbol)
        changed = mechanism.with_bodies(model, others, (body for body, names in named if symbol in names))
        return _power(model, others, changed) != before

    return [symbol for symbol in symbols if not depends(symbol)]


def _power(model: Model, numbers: Modular, mechanism: Mechanism) -> int:
    """Returns q̇ᵀ (M q̇ + G), of bodies as Σ V · (𝒢 V − W) with the twist V and the weight W of each."""
    if not has_bodies(model):
        dynamics = dynamics_of(model, numbers, lambda: mechanism)
        torques = zip(dynamics.momentum(), dynamics.gravity_torques(), dynamics.outside(), strict=True)
        return numbers.integer(inner(map(sum, torques), mechanism.qd))
    total: Any = 0
    for link, V, g in zip(mechanism.links, mechanism.twists, gravity_in_links(mechanism), strict=True):
        weight = Force(link.inertia.h.cross(g), g * link.inertia.m)
        total = total + V.dot(link.inertia.momentum(V)) - V.dot(weight)
    return numbers.integer(total)
