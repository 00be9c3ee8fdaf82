"""Lists the kinds of effects in the order of tables; a new one is a file of this folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.robot.effects.armature import Armature
from qddot.robot.effects.bristles import Bristles
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.drag import Drag
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.elastic import Elastic
from qddot.robot.effects.internal_damping import InternalDamping
from qddot.robot.effects.load import LoadFriction
from qddot.robot.effects.offset import Offset
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.square_root import SquareRoot
from qddot.robot.effects.stribeck import Stribeck
from qddot.robot.effects.viscous import Viscous

KINDS: Mapping[str, type[Effect]] = {
    kind.key: kind
    for kind in (
        *(Viscous, Coulomb, Stribeck, Bristles, LoadFriction, SquareRoot, Drag, Offset),
        *(Armature, Spring, Elastic, InternalDamping),
    )
}
