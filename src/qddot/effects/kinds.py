"""Lists the kinds of effects in the order of tables; a new one is a file of this folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.effects.armature import Armature
from qddot.effects.coulomb import Coulomb
from qddot.effects.drag import Drag
from qddot.effects.effect import Effect
from qddot.effects.offset import Offset
from qddot.effects.spring import Spring
from qddot.effects.viscous import Viscous

KINDS: Mapping[str, type[Effect]] = {kind.key: kind for kind in (Viscous, Coulomb, Drag, Offset, Armature, Spring)}
