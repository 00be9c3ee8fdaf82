"""Applies <mimic>: a joint moves by multiplier · q + offset, where q is another joint's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.formats.shared import couplings
from qddot.formats.shared.couplings import Coupling
from qddot.formats.urdf.numbers import number
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import Body


def coupled(
    bodies: Sequence[Body], elements: Mapping[str, Element], others: Sequence[Coupling] = ()
) -> tuple[list[Body], list[str]]:
    """Returns the bodies with <mimic> and other couplings applied, and notes.

    Friction and armature of followers go to their leaders.
    """
    by_joint = {body.joint.name: body for body in bodies}
    changed, notes = couplings.coupled(by_joint, [*_mimics(by_joint, elements), *others])
    return list(changed.values()), notes


def _mimics(by_joint: Mapping[str, Body], elements: Mapping[str, Element]) -> Iterator[Coupling]:
    for name, element in elements.items():
        mimic = element.child("mimic")
        if mimic is None or not by_joint[name].joint.moves:
            continue
        leader, where = mimic.required("joint"), f"{mimic.where} of {element.label}"
        if leader not in elements:
            raise FormatError(f"no joint {shortened(leader)}", where=where, remedy=did_you_mean(leader, elements))
        ratio = number(mimic, "multiplier", "1")
        if not ratio:
            raise FormatError("a multiplier of 0", where=mimic.where, remedy='make the joint type="fixed"')
        yield Coupling(name, leader, ratio, number(mimic, "offset", "0"), where)
