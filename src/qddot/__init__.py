"""qddot turns a robot's description into its exact equations of motion, with proofs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qddot.version import __version__

if TYPE_CHECKING:
    from qddot.describe.finding import zoo
    from qddot.errors import QddotError
    from qddot.faces.constructors import from_dh, from_mdh, from_screws, load, load_closed_chain, loads
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.faces.robot import Robot
    from qddot.faces.run import Run
    from qddot.faces.sweeping import load_sweep, sweep
    from qddot.inspect.comparison.comparison import diff
    from qddot.model.bodies import Body, Joint, Symbol, mass_properties, pose
    from qddot.model.effects import Armature, Coulomb, Spring, Viscous
    from qddot.model.explicit import ExplicitEquations
    from qddot.model.model import Model
    from qddot.simulate.acting import forces
    from qddot.simulate.laws import ready as laws
    from qddot.simulate.laws.elementary import clip, cos, exp, maximum, minimum, rint, sign, sin, sqrt, tanh
    from qddot.simulate.motion import Motion
    from qddot.simulate.options import Options
    from qddot.spatial import Inertia, Pose
    from qddot.sweeps import measures as reductions
    from qddot.sweeps.distributions import choice, grid, log_uniform, normal, uniform
    from qddot.sweeps.draws import Draws

_HOMES = {
    "Armature": "qddot.model.effects",
    "Body": "qddot.model.bodies",
    "Coulomb": "qddot.model.effects",
    "Draws": "qddot.sweeps.draws",
    "EquationsOfMotion": "qddot.faces.equations_of_motion",
    "ExplicitEquations": "qddot.model.explicit",
    "Inertia": "qddot.spatial",
    "Joint": "qddot.model.bodies",
    "Model": "qddot.model.model",
    "Motion": "qddot.simulate.motion",
    "Options": "qddot.simulate.options",
    "Pose": "qddot.spatial",
    "QddotError": "qddot.errors",
    "Robot": "qddot.faces.robot",
    "Run": "qddot.faces.run",
    "Spring": "qddot.model.effects",
    "Symbol": "qddot.model.bodies",
    "Viscous": "qddot.model.effects",
    **dict.fromkeys(
        ("clip", "cos", "exp", "maximum", "minimum", "rint", "sign", "sin", "sqrt", "tanh"),
        "qddot.simulate.laws.elementary",
    ),
    **dict.fromkeys(("choice", "grid", "log_uniform", "normal", "uniform"), "qddot.sweeps.distributions"),
    "diff": "qddot.inspect.comparison.comparison",
    "forces": "qddot.simulate.acting.forces",
    "from_dh": "qddot.faces.constructors",
    "from_mdh": "qddot.faces.constructors",
    "from_screws": "qddot.faces.constructors",
    "laws": "qddot.simulate.laws.ready",
    "load": "qddot.faces.constructors",
    "load_closed_chain": "qddot.faces.constructors",
    "loads": "qddot.faces.constructors",
    "mass_properties": "qddot.model.bodies",
    "load_sweep": "qddot.faces.sweeping",
    "pose": "qddot.model.bodies",
    "reductions": "qddot.sweeps.measures",
    "sweep": "qddot.faces.sweeping",
    "zoo": "qddot.describe.finding",
}
__all__ = [
    "Armature",
    "Body",
    "Coulomb",
    "Draws",
    "EquationsOfMotion",
    "ExplicitEquations",
    "Inertia",
    "Joint",
    "Model",
    "Motion",
    "Options",
    "Pose",
    "QddotError",
    "Robot",
    "Run",
    "Spring",
    "Symbol",
    "Viscous",
    "__version__",
    "choice",
    "clip",
    "cos",
    "diff",
    "exp",
    "forces",
    "from_dh",
    "from_mdh",
    "from_screws",
    "grid",
    "laws",
    "load",
    "load_closed_chain",
    "load_sweep",
    "loads",
    "log_uniform",
    "mass_properties",
    "maximum",
    "minimum",
    "normal",
    "pose",
    "reductions",
    "rint",
    "sign",
    "sin",
    "sqrt",
    "sweep",
    "tanh",
    "uniform",
    "zoo",
]


def __getattr__(name: str) -> Any:
    """Imports a public name from its module at its first use, so that importing qddot loads nothing else."""
    if name not in _HOMES:
        raise AttributeError(f"module 'qddot' has no attribute {name!r}")
    try:
        home = import_module(_HOMES[name])
    except ModuleNotFoundError as error:
        from qddot.system.parts import not_installed

        raise not_installed(error) from None
    return home if name in ("forces", "laws", "reductions") else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
