"""Reads joints that follow others: <mimic>, by multiplier · q + offset of another joint's q, and <coupling> of URDF+.

By a coupling the coordinate of the successor's joint is `ratio` times that of the predecessor's joint. In general, the
sums of the coordinates of the joints from the nearest common link to each end have this ratio; couplings over several
moving joints are not read. Source: see `loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.base.words.message import Listed, say
from qddot.formats.shared import couplings as of_joints
from qddot.formats.shared.couplings import Coupling
from qddot.formats.urdf.numbers import number
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import Body

ENDS = ("predecessor", "successor")
ONE_COORDINATE = ("revolute", "continuous", "prismatic")


def couplings(root: Element, carried: Mapping[str, Element], end: Callable[[Element, str], str]) -> Iterator[Coupling]:
    """Yields the couplings of joints, by the joints' names.

    carried: by link, the joint whose child it is; end: returns the link at a coupling's predecessor or successor
    raises FormatError: a coupling runs over no moving joint or over several, or its ratio is zero
    """
    for coupling in root.all("coupling"):
        predecessor, successor = (_above(end(coupling, tag), carried) for tag in ENDS)
        common = {id(joint) for joint in predecessor} & {id(joint) for joint in successor}
        names = []
        for way, tag in zip((predecessor, successor), ENDS, strict=True):
            moving = [joint for joint in way if id(joint) not in common and joint.attributes.get("type") != "fixed"]
            if len(moving) != 1 or moving[0].attributes.get("type") not in ONE_COORDINATE:
                listed = Listed(shortened(joint.attributes["name"]) for joint in moving) or say("no-moving-joint")
                raise FormatError("coupling-over-several", where=coupling.where, tag=tag, joints=listed)
            names.append(moving[0].attributes["name"])
        element = coupling.child("ratio")
        ratio = number(element if element is not None else coupling, "value", "1")
        if not ratio:
            raise FormatError("ratio-zero", where=coupling.where)
        yield Coupling(names[1], names[0], ratio, ratio * 0, coupling.where)


def _above(link: str, carried: Mapping[str, Element]) -> list[Element]:
    """Returns the joints that carry a link, from it to the root."""
    joints = []
    while link in carried:
        joints.append(carried[link])
        parent = carried[link].child("parent")
        link = parent.attributes["link"] if parent is not None else ""
    return joints


def coupled(
    bodies: Sequence[Body], elements: Mapping[str, Element], others: Sequence[Coupling]
) -> tuple[list[Body], list[str]]:
    """Returns the bodies with <mimic> and other couplings applied, and notes.

    Friction and armature of followers go to their leaders.
    """
    by_joint = {body.joint.name: body for body in bodies}
    return of_joints.coupled(by_joint, [*_mimics(by_joint, elements), *others])


def _mimics(by_joint: Mapping[str, Body], elements: Mapping[str, Element]) -> Iterator[Coupling]:
    for name, element in elements.items():
        mimic = element.child("mimic")
        if mimic is None or not by_joint[name].joint.moves:
            continue
        leader, where = mimic.required("joint"), f"{mimic.where} of {element.label}"
        if leader not in elements:
            raise FormatError(
                "no-such-joint", where=where, name=shortened(leader), remedy=did_you_mean(leader, elements)
            )
        ratio = number(mimic, "multiplier", "1")
        if not ratio:
            raise FormatError("multiplier-zero", where=mimic.where)
        yield Coupling(name, leader, ratio, number(mimic, "offset", "0"), where)
