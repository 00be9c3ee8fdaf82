"""Reads the rotors of motors from simple transmissions of URDF, as armature of their joints: n² J.

J is the inertia of the rotor (<motorInertia>, in Drake's files rotor_inertia), n the reduction (<mechanicalReduction>,
or gear_ratio), 1 by default; both may stand in the actuator, the joint, or the transmission itself. A file says neither
which link carries the rotor nor about which axis it spins, so that the rotor's motion with a link is left out, as in
other programs. A transmission without inertia changes no equation: what is wrong in it is noted. Source:
wiki.ros.org/urdf/XML/Transmission; Drake, multibody parsing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction

from qddot.algebra.expressions.angles import decimal as shown
from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.base.words.message import Either, Part, say
from qddot.formats.urdf.numbers import decimal
from qddot.formats.xml.elements import Element
from qddot.robot.notes import note, noted

TRANSMISSION, SIMPLE = "transmission", "SimpleTransmission"
INERTIAS = ("motorInertia", "rotorInertia", "rotor_inertia")
REDUCTIONS = ("mechanicalReduction", "gear_ratio")
TYPES = ("revolute", "continuous", "prismatic")  # of joints that one motor turns


def armatures(root: Element, joints: Mapping[str, Element]) -> tuple[dict[str, Fraction], list[str]]:
    """Returns the armature [kg m² or kg] by the joints' names, and notes. joints: the elements by their names.

    raises FormatError: a transmission with an inertia has no joint, one that does not move, or an impossible number
    """
    total, notes = dict[str, Fraction](), list[str]()
    for transmission in root.all(TRANSMISSION):
        place = note("line-of-element", line=transmission.line, label=transmission.label)
        acts = any(is_not_zero(value(each)) for each in inertias(transmission))
        if not is_simple(transmission):
            told = note("content-unread", what=say("transmission-of-several-joints"), remedy=say("write-rotor"))
            notes += [] if acts else [noted(place, told)]
            continue
        try:
            name, motors = _motors(transmission, joints)
        except FormatError as error:
            if acts:
                raise
            why = Part(error.message, 2 if error.remedy else 1)
            notes.append(noted(place, note("content-unread", what=Part(error.message, 0), remedy=why)))
            continue
        for J, n in motors:
            total[name] = total.get(name, Fraction(0)) + n * n * J
            read = note("motor-as-armature", inertia=shown(J), reduction=shown(n), armature=shown(n * n * J))
            notes.append(noted(f"joint {name!r}", read))
    return total, notes


def is_simple(transmission: Element) -> bool:
    """Returns whether a transmission turns one joint; one of no type does."""
    kind = transmission.child("type")
    name = transmission.attributes.get("type", "") if kind is None else kind.text
    return (not name or name.rpartition("/")[2] == SIMPLE) and len(list(transmission.all("joint"))) < 2


def inertias(transmission: Element) -> Iterator[Element]:
    """Yields the elements that give the inertia of a rotor."""
    for holder in _holders(transmission):
        yield from (child for child in holder.children if child.tag in INERTIAS)


def _holders(transmission: Element) -> list[Element]:
    return [*transmission.all("actuator"), *transmission.all("joint"), transmission]


def _motors(transmission: Element, joints: Mapping[str, Element]) -> tuple[str, list[tuple[Fraction, Fraction]]]:
    """Returns the joint's name, and J and n of each rotor."""
    joint = transmission.child("joint")
    if joint is None:
        raise FormatError("transmission-without-joint", where=transmission.where)
    name = joint.required("name")
    if name not in joints:
        remedy = did_you_mean(name, joints)
        raise FormatError("no-such-joint", where=joint.where, name=shortened(name), remedy=remedy)
    if (kind := joints[name].attributes.get("type", "")) not in TYPES:
        types = Either(TYPES)
        raise FormatError(
            "transmission-joint-type", where=joint.where, name=repr(name), type=shortened(kind), types=types
        )
    of_all = [_reduction(each) for each in (joint, transmission)]
    motors = list[tuple[Fraction, Fraction]]()
    for holder in _holders(transmission):
        given = [n for n in (_reduction(holder), *of_all) if n is not None]
        stated = {_inertia(child) for child in holder.children if child.tag in INERTIAS}
        motors += [(J, given[0] if given else Fraction(1)) for J in sorted(stated) if J]
    return name, motors


def _reduction(holder: Element) -> Fraction | None:
    """Returns the reduction that an element gives, if it does; a negative one turns the motor the other way round."""
    element = next((child for child in holder.children if child.tag in REDUCTIONS), None)
    if element is None:
        return None
    n = decimal(value(element), element.tag, element)
    if not n:
        raise FormatError("reduction-zero", where=element.where)
    return n


def _inertia(element: Element) -> Fraction:
    J = decimal(value(element), element.tag, element)
    if J < 0:
        raise FormatError("value-negative", where=element.where, tag=element.tag)
    return J


def value(element: Element) -> str:
    """Returns the attribute `value` of an element, or else its text."""
    return element.attributes.get("value", element.text).strip()


def is_not_zero(text: str) -> bool:
    """Returns whether a value is neither zero nor missing."""
    with suppress(ValueError):
        return float(text) != 0
    return bool(text)
