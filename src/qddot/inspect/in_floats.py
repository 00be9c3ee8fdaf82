"""Evaluates a model in floats at q = 0, for the doctor and the comparison."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.dynamics.mechanism import Mechanism
from qddot.model.model import Model
from qddot.numbers.floats import Floats


def at_home(model: Model, values: Mapping[str, float], kind: type[Floats] = Floats) -> Mechanism:
    """Returns the arm at q = 0; values: those of its symbols; kind: other floats, such as angles read in degrees."""
    return Mechanism.of(model, kind(values, dict.fromkeys(model.coordinates, 0.0)))
