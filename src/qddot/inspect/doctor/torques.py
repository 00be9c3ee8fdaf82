"""Checks whether the equations of motion can be solved, and which symbols they lack, by residues modulo a prime.

Angles and symbols without a value are random: a mass matrix that is singular only in some poses is not reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, replace

from qddot.dynamics.of_model import dynamics_of
from qddot.expressions.expression import Expression, Trigonometric
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, place_of
from qddot.model.effects import Armature, Effect
from qddot.model.model import Model
from qddot.numbers.modular import Modular
from qddot.spatial import Vec3


def singular_mass_matrix(case: Examined) -> Iterator[Finding]:
    """Yields findings on motions that no inertia resists in any pose: M q̇ = 0."""
    model, numbers = case.model, _with_defaults(case.model)
    M = dynamics_of(model, numbers).mass_matrix()
    for moves in numbers.null_space(M):
        names = [name for name, does in zip(model.coordinates, moves, strict=True) if does]
        motion = f"a motion of {names[0]}" if len(names) == 1 else f"a joint motion of {', '.join(names)}"
        last = next(body.joint for body in model.moving() if body.joint.coordinate == names[-1])
        yield Finding(
            "error",
            place_of(last),
            f"the mass matrix is singular in every pose: no inertia resists {motion}",
            "forward dynamics and simulation need M⁻¹",
            "give the moving links mass and inertia, or one of these joints an armature",
            "singular_mass_matrix",
        )


def joints_without_load(case: Examined) -> Iterator[Finding]:
    """Yields findings on joints that no inertia resists but that of their own rotors."""
    model = case.model
    if not any(body.joint.has(Armature) for body in model.moving()):
        return
    numbers = _with_defaults(model)
    M = dynamics_of(model, numbers).body_mass_matrix()
    for body, row in zip(model.moving(), M, strict=True):
        if body.joint.has(Armature) and not any(map(numbers.integer, row)):
            yield Finding(
                "hint",
                place_of(body.joint),
                "it moves no inertia except that of its own rotor",
                "its acceleration affects no torque except that of its own rotor",
                "give the links beyond it inertial data",
                "joints_without_load",
            )


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
    numbers = Modular.of(generic)
    before = _torques(generic, numbers)
    silent = [name for name in candidates if _torques(generic, numbers.changed(name)) == before]
    if silent:
        yield Finding(
            "hint",
            "symbols",
            f"no torque contains {', '.join(silent)}",
            "no measured torque would reveal a wrong value",
            "nothing needs to be done if this is intended; `qddot base` lists the parameters on which the torques "
            "depend",
            "symbols_without_effect",
        )


def unused_symbols(names: Iterable[str], used: Collection[str]) -> Iterator[Finding]:
    """Yields a finding on symbols that are used nowhere; used: all that are used."""
    unused = [name for name in names if name not in used]
    if unused:
        found, why = f"used nowhere: {', '.join(unused)}", "an unused symbol may be a typing error"
        yield Finding("hint", "symbols", found, why, "use them, or remove them", "symbols_without_effect")


def _names(part: Effect | Vec3) -> set[str]:
    """Returns the symbols of an effect or a vector."""
    entries = (getattr(part, field.name) for field in fields(part))
    return {name for entry in entries if isinstance(entry, Expression) for name in entry.symbols()}


def _torques(model: Model, numbers: Modular) -> list[int]:
    """Returns M and G as residues in one random state."""
    dynamics = dynamics_of(model, numbers)
    rows = (*dynamics.body_mass_matrix(), dynamics.gravity_torques())
    return [numbers.integer(entry) for row in rows for entry in row]


def _with_defaults(model: Model) -> Modular:
    """Returns residues in which symbols have their values, except for values with sines and cosines."""
    values = {name: symbol.value for name, symbol in model.symbols.items() if symbol.value is not None}
    plain = {
        name: value
        for name, value in values.items()
        if not any(isinstance(atom, Trigonometric) for atom in value.atoms())
    }
    return Modular.of(model, values=plain)
