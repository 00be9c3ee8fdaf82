"""Reads equalities of MJCF that are linear relations of joints: those of joints, and those of fixed tendons.

Source: MuJoCo's XML reference, equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from qddot.base.errors import FormatError
from qddot.formats.mjcf.mjcf_reader import Compiled, Reader, fraction
from qddot.formats.mjcf.tendons import coefficients
from qddot.formats.shared.joint_equalities import Linear

OF_JOINTS, OF_TENDONS = "joint", "tendon"  # kinds of equalities


def is_of_joints(equality: Any, spec: Any) -> bool:
    """Returns whether an equality relates coordinates of joints."""
    if kind(equality) != OF_TENDONS:
        return kind(equality) == OF_JOINTS
    used = [each for each in spec.tendons if each.name in (equality.name1, equality.name2)]
    return all(map(coefficients, used))


def is_curved(equality: Any) -> bool:
    """Returns whether an equality of two joints or tendons is a polynomial that is not linear."""
    return kind(equality) in (OF_JOINTS, OF_TENDONS) and bool(equality.name2) and any(equality.data[2:5])


def relations(made: Compiled, reader: Reader) -> Iterator[Linear]:
    """Yields y1 − r1 = c0 + c1 (y2 − r2), y = Σ c q of each joint or tendon, with its value r in the initial
    configuration.
    """
    m = made.arrays
    for equality in made.spec.equalities:
        if kind(equality) not in (OF_JOINTS, OF_TENDONS):
            continue
        if is_curved(equality):
            raise FormatError("equality-not-linear", where=label(equality))
        c0, c1 = (fraction(part) for part in m.eq_data[equality.id][:2])
        total, value = dict[str, Fraction](), c0
        for end, c in ((int(m.eq_obj1id[equality.id]), Fraction(1)), (int(m.eq_obj2id[equality.id]), -c1)):
            for j, coefficient in _sum(m, kind(equality), end):
                name = reader.carriers[j]
                total[name] = total.get(name, Fraction(0)) + c * coefficient
                value += c * coefficient * fraction(m.qpos0[m.jnt_qposadr[j]])
        follower = next(iter(total)) if kind(equality) == OF_JOINTS else ""
        yield Linear({name: c for name, c in total.items() if c}, value, follower, label(equality))


def _sum(m: Any, kind: str, end: int) -> Iterator[tuple[int, Fraction]]:
    """Yields the joints and coefficients of a joint or a fixed tendon; none for the number −1 of neither."""
    if end < 0:
        return
    if kind == OF_JOINTS:
        yield end, Fraction(1)
        return
    for way in range(m.tendon_adr[end], m.tendon_adr[end] + m.tendon_num[end]):
        yield int(m.wrap_objid[way]), fraction(m.wrap_prm[way])


def kind(equality: Any) -> str:
    """Returns connect, weld, joint, tendon …"""
    return str(equality.type.name).removeprefix("mjEQ_").lower()


def label(equality: Any) -> str:
    """Returns a name for errors, such as line 41 <connect 'tip'>."""
    name = f" {equality.name!r}" if equality.name else ""
    return f"{equality.info} <{kind(equality)}{name}>".strip()
