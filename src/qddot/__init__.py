"""qddot turns a robot's description into its exact equations of motion, with proofs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qddot.base.version import __version__

if TYPE_CHECKING:
    from qddot.algebra.spatial import Inertia, Pose
    from qddot.base import errors
    from qddot.base.errors import QddotError
    from qddot.faces import aliases
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.closed_equations import ClosedEquations
    from qddot.faces.constructors import (
        from_dh,
        from_mdh,
        from_screws,
        load,
        load_closed_chain,
        loads,
        loads_closed_chain,
    )
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.faces.exam_checking import check_exam
    from qddot.faces.lagrange import lagrange
    from qddot.faces.robot import Robot
    from qddot.faces.run import Run
    from qddot.faces.speaking import speaking
    from qddot.faces.sweeping import load_sweep, sweep
    from qddot.formats.finding import zoo
    from qddot.inspect.comparison.comparison import diff
    from qddot.motion.simulate.acting import forces
    from qddot.motion.simulate.laws import ready as laws
    from qddot.motion.simulate.laws.elementary import clip, cos, exp, maximum, minimum, rint, sign, sin, sqrt, tanh
    from qddot.motion.simulate.motion import Motion
    from qddot.motion.simulate.options import Options
    from qddot.motion.sweeps import measures as reductions
    from qddot.motion.sweeps.distributions import choice, grid, log_uniform, normal, uniform
    from qddot.motion.sweeps.draws import Draws
    from qddot.robot.bodies import Body, Joint, Symbol, mass_properties
    from qddot.robot.effects.armature import Armature
    from qddot.robot.effects.bristles import Bristles
    from qddot.robot.effects.coulomb import Coulomb
    from qddot.robot.effects.drag import Drag
    from qddot.robot.effects.load import LoadFriction
    from qddot.robot.effects.offset import Offset
    from qddot.robot.effects.spring import Spring
    from qddot.robot.effects.square_root import SquareRoot
    from qddot.robot.effects.stribeck import Stribeck
    from qddot.robot.effects.viscous import Viscous
    from qddot.robot.explicit import ExplicitEquations
    from qddot.robot.model import Model
    from qddot.robot.placements import pose
    from qddot.robot.shapes import made as shapes

_ELEMENTARY = "qddot.motion.simulate.laws.elementary"  # has also all public functions of `OPERATIONS`
_HOMES = {
    "Armature": "qddot.robot.effects.armature",
    "Body": "qddot.robot.bodies",
    "Bristles": "qddot.robot.effects.bristles",
    "ClosedChain": "qddot.faces.closed_chain",
    "Coulomb": "qddot.robot.effects.coulomb",
    "ClosedEquations": "qddot.faces.closed_equations",
    "Draws": "qddot.motion.sweeps.draws",
    "EquationsOfMotion": "qddot.faces.equations_of_motion",
    "ExplicitEquations": "qddot.robot.explicit",
    "Inertia": "qddot.algebra.spatial",
    "Joint": "qddot.robot.bodies",
    "LoadFriction": "qddot.robot.effects.load",
    "Model": "qddot.robot.model",
    "Motion": "qddot.motion.simulate.motion",
    "Options": "qddot.motion.simulate.options",
    "Pose": "qddot.algebra.spatial",
    "QddotError": "qddot.base.errors",
    "Robot": "qddot.faces.robot",
    "Run": "qddot.faces.run",
    "Drag": "qddot.robot.effects.drag",
    "Offset": "qddot.robot.effects.offset",
    "Spring": "qddot.robot.effects.spring",
    "SquareRoot": "qddot.robot.effects.square_root",
    "Stribeck": "qddot.robot.effects.stribeck",
    "Symbol": "qddot.robot.bodies",
    "Viscous": "qddot.robot.effects.viscous",
    "aliases": "qddot.faces.aliases",
    "check_exam": "qddot.faces.exam_checking",
    "clip": _ELEMENTARY,
    **dict.fromkeys(("choice", "grid", "log_uniform", "normal", "uniform"), "qddot.motion.sweeps.distributions"),
    "errors": "qddot.base.errors",
    "diff": "qddot.inspect.comparison.comparison",
    "forces": "qddot.motion.simulate.acting.forces",
    "from_dh": "qddot.faces.constructors",
    "from_mdh": "qddot.faces.constructors",
    "from_screws": "qddot.faces.constructors",
    "lagrange": "qddot.faces.lagrange",
    "laws": "qddot.motion.simulate.laws.ready",
    "load": "qddot.faces.constructors",
    "load_closed_chain": "qddot.faces.constructors",
    "loads": "qddot.faces.constructors",
    "loads_closed_chain": "qddot.faces.constructors",
    "mass_properties": "qddot.robot.bodies",
    "load_sweep": "qddot.faces.sweeping",
    "pose": "qddot.robot.placements",
    "reductions": "qddot.motion.sweeps.measures",
    "shapes": "qddot.robot.shapes.made",
    "speaking": "qddot.faces.speaking",
    "sweep": "qddot.faces.sweeping",
    "zoo": "qddot.formats.finding",
}
MODULES = ("aliases", "errors", "forces", "laws", "reductions", "shapes")  # public names that are modules
__all__ = [
    "Armature",
    "Body",
    "Bristles",
    "ClosedChain",
    "ClosedEquations",
    "Coulomb",
    "Drag",
    "Draws",
    "EquationsOfMotion",
    "ExplicitEquations",
    "Inertia",
    "Joint",
    "LoadFriction",
    "Model",
    "Motion",
    "Offset",
    "Options",
    "Pose",
    "QddotError",
    "Robot",
    "Run",
    "Spring",
    "SquareRoot",
    "Stribeck",
    "Symbol",
    "Viscous",
    "__version__",
    "aliases",
    "check_exam",
    "choice",
    "clip",
    "cos",
    "diff",
    "errors",
    "exp",
    "forces",
    "from_dh",
    "from_mdh",
    "from_screws",
    "grid",
    "lagrange",
    "laws",
    "load",
    "load_closed_chain",
    "load_sweep",
    "loads",
    "loads_closed_chain",
    "log_uniform",
    "mass_properties",
    "maximum",
    "minimum",
    "normal",
    "pose",
    "reductions",
    "rint",
    "shapes",
    "sign",
    "sin",
    "speaking",
    "sqrt",
    "sweep",
    "tanh",
    "uniform",
    "zoo",
]


def __getattr__(name: str) -> Any:
    """Imports a public name from its module at its first use, so that importing qddot loads nothing else."""
    if name not in _HOMES and not _is_operation(name):
        raise AttributeError(f"module 'qddot' has no attribute {name!r}")
    try:
        home = import_module(_HOMES.get(name, _ELEMENTARY))
    except ModuleNotFoundError as error:
        from qddot.base.system.parts import not_installed

        raise not_installed(error) from None
    value = home if name in MODULES else getattr(home, name)
    if name in __all__:
        globals()[name] = value  # laws look up functions at every call
    return value


def __dir__() -> list[str]:
    return __all__


def _is_operation(name: str) -> bool:
    from qddot.algebra.program.operations import is_public

    return is_public(name)
