"""Reads MJCF's equalities of joints: a joint follows another, or stands still. Source: MuJoCo's XML reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qddot.base.errors import FormatError
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, fraction
from qddot.formats.shared.joint_equalities import Affine


def relations(made: Compiled, reader: Reader) -> Iterator[Affine]:
    """Yields the equalities of joints: q1 − r1 = c0 + c1 (q2 − r2), with their values r in the initial
    configuration.
    """
    m, carriers = made.arrays, reader.carriers
    for equality in made.spec.equalities:
        if kind(equality) != "joint":
            continue
        one, other = int(m.eq_obj1id[equality.id]), int(m.eq_obj2id[equality.id])
        coefficients = [fraction(part) for part in m.eq_data[equality.id][:5]]
        if other >= 0 and any(coefficients[2:]):
            raise FormatError(
                "an equality of joints that is not linear",
                where=label(equality),
                expected='polycoef="c0 c1 0 0 0"',
                remedy="describe the mechanism between the joints by bodies and <connect>",
            )
        value = fraction(m.qpos0[m.jnt_qposadr[one]]) + coefficients[0]
        if other < 0 or not coefficients[1]:
            yield Affine(carriers[one], None, coefficients[0] * 0, value, label(equality))
            continue
        offset = value - coefficients[1] * fraction(m.qpos0[m.jnt_qposadr[other]])
        yield Affine(carriers[one], carriers[other], coefficients[1], offset, label(equality))


def is_curved(equality: Any) -> bool:
    """Returns whether an equality of two joints is a polynomial that is not linear."""
    return kind(equality) == "joint" and bool(equality.name2) and any(equality.data[2:5])


def kind(equality: Any) -> str:
    """Returns connect, weld, joint, tendon …"""
    return str(equality.type.name).removeprefix("mjEQ_").lower()


def label(equality: Any) -> str:
    """Returns a name for errors, such as line 41 <connect 'tip'>."""
    name = f" {equality.name!r}" if equality.name else ""
    return f"{equality.info} <{kind(equality)}{name}>".strip()
