"""qddot turns a robot's description into its exact equations of motion, with proofs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qddot.version import __version__

if TYPE_CHECKING:
    from qddot.describe.finding import zoo
    from qddot.errors import QddotError
    from qddot.faces.constructors import from_dh, from_mdh, from_screws, load, loads
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.faces.robot import Robot
    from qddot.faces.run import Run
    from qddot.inspect.comparison.comparison import diff
    from qddot.model.bodies import Armature, Body, Coulomb, Joint, Spring, Symbol, Viscous, mass_properties, pose
    from qddot.model.explicit import ExplicitEquations
    from qddot.model.model import Model
    from qddot.simulate import laws
    from qddot.simulate.elementary import clip, cos, exp, maximum, minimum, sign, sin, sqrt, tanh
    from qddot.spatial import Inertia, Pose

_HOMES = {
    "Armature": "qddot.model.bodies",
    "Body": "qddot.model.bodies",
    "Coulomb": "qddot.model.bodies",
    "EquationsOfMotion": "qddot.faces.equations_of_motion",
    "ExplicitEquations": "qddot.model.explicit",
    "Inertia": "qddot.spatial",
    "Joint": "qddot.model.bodies",
    "Model": "qddot.model.model",
    "Pose": "qddot.spatial",
    "QddotError": "qddot.errors",
    "Robot": "qddot.faces.robot",
    "Run": "qddot.faces.run",
    "Spring": "qddot.model.bodies",
    "Symbol": "qddot.model.bodies",
    "Viscous": "qddot.model.bodies",
    **dict.fromkeys(
        ("clip", "cos", "exp", "maximum", "minimum", "sign", "sin", "sqrt", "tanh"), "qddot.simulate.elementary"
    ),
    "diff": "qddot.inspect.comparison.comparison",
    "from_dh": "qddot.faces.constructors",
    "from_mdh": "qddot.faces.constructors",
    "from_screws": "qddot.faces.constructors",
    "laws": "qddot.simulate.laws",
    "load": "qddot.faces.constructors",
    "loads": "qddot.faces.constructors",
    "mass_properties": "qddot.model.bodies",
    "pose": "qddot.model.bodies",
    "zoo": "qddot.describe.finding",
}
__all__ = [
    "Armature",
    "Body",
    "Coulomb",
    "EquationsOfMotion",
    "ExplicitEquations",
    "Inertia",
    "Joint",
    "Model",
    "Pose",
    "QddotError",
    "Robot",
    "Run",
    "Spring",
    "Symbol",
    "Viscous",
    "__version__",
    "clip",
    "cos",
    "diff",
    "exp",
    "from_dh",
    "from_mdh",
    "from_screws",
    "laws",
    "load",
    "loads",
    "mass_properties",
    "maximum",
    "minimum",
    "pose",
    "sign",
    "sin",
    "sqrt",
    "tanh",
    "zoo",
]


def __getattr__(name: str) -> Any:
    """Takes a public name from its room at its first use, so that importing qddot loads nothing else."""
    if name not in _HOMES:
        raise AttributeError(f"module 'qddot' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if name == "laws" else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
