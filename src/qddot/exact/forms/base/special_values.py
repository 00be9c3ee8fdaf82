"""Finds symbols of geometry and gravity whose defaults make more columns of the regressor depend on each other.

Almost all values of symbols give the same relations, but some give more: without gravity, g = 0, a first moment that
only gravity shows has no effect, and a length that is 0 lets axes meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ExpressionError
from qddot.exact.forms.base.relations import relations
from qddot.formats.conversions.substitute import replaced
from qddot.robot.model import Model


def special_symbols(model: Model, armature: bool, generic: int) -> tuple[str, ...]:
    """Returns the fewest symbols whose defaults give as few base parameters as the defaults of all symbols do.

    generic: the number of base parameters for almost all values
    """
    used = set().union(*(part.symbols() for part in (*model.geometry(), *map(expression, model.gravity))))
    kept = [
        name
        for name, symbol in model.symbols.items()
        if name in used and symbol.value is not None and _fits(model, name)
    ]

    def count(names: Sequence[str]) -> int:
        return len(relations(at_defaults(model, names), armature).stay)

    least = count(kept) if kept else generic
    if least == generic:
        return ()
    for name in tuple(kept):
        others = [other for other in kept if other != name]
        if count(others) == least:
            kept = others
    return tuple(kept)


def _fits(model: Model, name: str) -> bool:
    """Returns whether a default can stand in place of its symbol: an angle of √2 radians has no exact sine."""
    try:
        at_defaults(model, (name,))
    except ExpressionError:
        return False
    return True


def at_defaults(model: Model, names: Sequence[str]) -> Model:
    """Returns the model with the defaults of some symbols in the places of these in its geometry and its gravity."""
    values = {name: symbol.value for name in names if (symbol := model.symbols[name]).value is not None}
    if not values:
        return model
    return replace(
        model,
        bodies=replaced(model.bodies, values),
        gravity=replaced(model.gravity, values),
        tool=replaced(model.tool, values),
    )
