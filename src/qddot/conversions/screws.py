"""Any arm by the screws of its joints at q = 0: nothing needs more than products, so that all stays exact.

Space screws are given in the base frame, body screws in the tool's frame at q = 0. Source: Lynch & Park 2017, §4.1.
"""

from __future__ import annotations

from dataclasses import replace

from qddot.conversions.check import checked
from qddot.conversions.constants import Constants
from qddot.conversions.home import placed
from qddot.conversions.merging import merged, own_notes
from qddot.model.bodies import BASE
from qddot.model.model import Model
from qddot.spatial import Pose


def space(model: Model) -> Model:
    """The arm with every joint's frame along the base's axes at q = 0; links keep their frames."""
    return _converted(merged(model), in_tool=False)


def body(model: Model) -> Model:
    """The arm with every joint's frame along the tool's axes at q = 0; links keep their frames."""
    return _converted(merged(model), in_tool=True)


def _converted(model: Model, in_tool: bool) -> Model:
    k = Constants(model)
    parts = placed(model, k)
    tool = k.tidy(parts[model.tool_body].frame @ k.pose(model.tool))
    seen_from = tool if in_tool else Pose.identity()
    homes = {BASE: Pose.identity(), **{name: part.frame for name, part in parts.items()}}
    bodies = []
    for name, part in parts.items():
        own = part.body.joint
        stands = seen_from.inverse() @ part.joint
        axis = seen_from.R.T.apply(part.axis)
        nearest = axis.cross(stands.p.cross(axis)) if own.turns else stands.p - stands.p
        frame = seen_from @ Pose(Pose.identity().R, nearest)
        joint = replace(
            own,
            type="revolute" if own.turns else own.type,
            axis=axis.map(k.expression),
            placement=(homes[own.parent].inverse() @ frame).map(k.expression),
            offset=(frame.inverse() @ homes[name]).map(k.expression),
        )
        bodies.append(replace(part.body, joint=joint))
    return checked(model, replace(model, notes=own_notes(model), bodies=tuple(bodies)))
