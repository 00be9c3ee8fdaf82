"""qddot: from a robot's description to its exact equations of motion, proven."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qddot.comparison.comparison import compare
    from qddot.constructors import from_dh, from_mdh, from_screws, load
    from qddot.equations.equations import EquationsOfMotion
    from qddot.errors import QddotError
    from qddot.formats.load import zoo
    from qddot.functions import clip, cos, exp, maximum, minimum, sign, sin, sqrt, tanh
    from qddot.model.bodies import Armature, Body, Coulomb, Joint, Spring, Viscous, mass_properties, place
    from qddot.model.model import Model
    from qddot.robot import Robot
    from qddot.simulate import laws
    from qddot.simulate.run import Run
    from qddot.spatial import Inertia

__version__ = "0.1.0"

_HOMES = {
    "Armature": "qddot.model.bodies",
    "Body": "qddot.model.bodies",
    "Coulomb": "qddot.model.bodies",
    "EquationsOfMotion": "qddot.equations.equations",
    "Inertia": "qddot.spatial",
    "Joint": "qddot.model.bodies",
    "Model": "qddot.model.model",
    "QddotError": "qddot.errors",
    "Robot": "qddot.robot",
    "Run": "qddot.simulate.run",
    "Spring": "qddot.model.bodies",
    "Viscous": "qddot.model.bodies",
    **dict.fromkeys(("clip", "cos", "exp", "maximum", "minimum", "sign", "sin", "sqrt", "tanh"), "qddot.functions"),
    "compare": "qddot.comparison.comparison",
    "from_dh": "qddot.constructors",
    "from_mdh": "qddot.constructors",
    "from_screws": "qddot.constructors",
    "laws": "qddot.simulate.laws",
    "load": "qddot.constructors",
    "mass_properties": "qddot.model.bodies",
    "place": "qddot.model.bodies",
    "zoo": "qddot.formats.load",
}
__all__ = [
    "Armature",
    "Body",
    "Coulomb",
    "EquationsOfMotion",
    "Inertia",
    "Joint",
    "Model",
    "QddotError",
    "Robot",
    "Run",
    "Spring",
    "Viscous",
    "clip",
    "compare",
    "cos",
    "exp",
    "from_dh",
    "from_mdh",
    "from_screws",
    "laws",
    "load",
    "mass_properties",
    "maximum",
    "minimum",
    "place",
    "sign",
    "sin",
    "sqrt",
    "tanh",
    "zoo",
]


def __getattr__(name: str) -> Any:
    """A public name, from its room, at its first use: importing qddot loads nothing else."""
    if name not in _HOMES:
        raise AttributeError(f"module 'qddot' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if name == "laws" else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
