"""Writes the torque of each joint by Newton and Euler: the moment or force along its axis, and the joint's effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from qddot.algebra.freedoms import AXES
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import rate
from qddot.exact.printing.tree import Product, Sum
from qddot.papers.report.document import EquationBlock, Numbered
from qddot.papers.report.wording import Words

ONE = Fraction(1)


def equations(short: Textbook, words: Words, key: str, uses: Sequence[str]) -> EquationBlock:
    """Returns τ_1 = e_1ᵀ n_1 … with the link that each coordinate moves; several that share one are added up."""
    model = short.eq.model
    listed = []
    for i, coordinate in enumerate(model.coordinates):
        links = [k for k, body in enumerate(model.bodies) if body.joint.coordinate == coordinate]
        products = [product for k in links for product in _of_link(short, words, k)]
        products += [] if links else _of_quasi_velocity(short, words, coordinate)
        products += of_effects(short, words, i)
        listed.append(Numbered(words.name("tau", i), Sum(tuple(products))))
    return EquationBlock(key, tuple(listed), tuple(uses))


def uses(short: Textbook) -> tuple[str, ...]:
    """Returns the steps that the torques follow from: forces where joints slide, moments where they turn."""
    turning = {body.joint.kind.is_angle for body in short.eq.model.moving()}
    moment = "n_axis" if short.eq.array("to_axis") else "n"
    return ("axis", *(["f"] if False in turning else []), *([moment] if True in turning else []))


def wrench_of(short: Textbook, k: int) -> str:
    """Returns the quantity that is projected on the axis of link k: the force, or the moment about its axis."""
    is_angle = short.eq.model.bodies[k].joint.kind.is_angle
    return "f" if not is_angle else "n_axis" if short.eq.array("to_axis") else "n"


def _of_link(short: Textbook, words: Words, k: int) -> Iterator[Product]:
    """Yields e_kᵀ f_k for a sliding joint, e_kᵀ n_k for one that turns about an axis through its frame's origin."""
    wrench = wrench_of(short, k)
    if short.eq.array(wrench)[k]:
        yield Product(ONE, ((words.name("axis", k)._replace(above="T"), 1), (words.name(wrench, k), 1)))


def _of_quasi_velocity(short: Textbook, words: Words, name: str) -> Iterator[Product]:
    """Yields the torque of a quasi-velocity, a component of the force or of the moment through its joint."""
    for k, body in enumerate(short.eq.model.bodies):
        freedoms = body.joint.freedoms
        if freedoms is not None and name in freedoms.velocities:
            wrench = "f" if name in freedoms.slides else "n"
            axis = AXES[freedoms.velocities.index(name) % len(AXES)]
            if short.eq.array(wrench)[k][AXES.index(axis)]:
                whole = words.name(wrench, k)
                yield Product(ONE, ((whole._replace(text=f"{whole.text}_{axis}", below=f"{whole.below},{axis}"), 1),))


def of_effects(short: Textbook, words: Words, i: int) -> Iterator[Product]:
    """Yields the torques of armature, springs and friction in one joint, by their names."""
    eq = short.eq
    if any(effect.dof == i for effect in eq.dynamics.effects("armature")):
        name = eq.model.coordinates[i]
        yield Product(ONE, ((words.name("M_r", i, i), 1), (rate(name, 1 if name in eq.ring.quasi else 2), 1)))
    for name in ("springs", "friction"):
        if eq.array(name)[i]:
            yield Product(ONE, ((words.name(name, i), 1),))
