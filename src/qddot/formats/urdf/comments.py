"""Comments such as <!-- qddot: gravity 0 0 -1.62 --> hold what URDF itself cannot express.

On the robot: gravity x y z [m/s²]. In a joint: armature J, spring stiffness rest, and driven with 1 or 0 for each of
its velocities, if some have no motor. Other programs ignore comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import FormatError, shortened
from qddot.base.words.message import Listed, Message, say
from qddot.formats.shared.gravity import gravity_of
from qddot.formats.urdf.numbers import decimal
from qddot.formats.xml.elements import Element
from qddot.robot.bodies import Symbol
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.kinds import KINDS

MARK, DRIVEN = "qddot:", "driven"
STANDARD = Fraction("9.81")  # gravity that readers of URDF assume [m/s²]
GRAVITY: Mapping[str, int | None] = {"gravity": 3}  # how many numbers follow each word, None for any number
DYNAMICS = {"damping": "damping", "coulomb": "friction"}  # attributes of <dynamics>, by effects; others are comments
JOINT: Mapping[str, int | None] = {
    **{key: len(kind.names()) for key, kind in KINDS.items() if key not in DYNAMICS and not kind.second},
    DRIVEN: None,
}


def marked_words(element: Element, allowed: Mapping[str, int | None]) -> Iterator[tuple[str, list[Fraction]]]:
    """Yields the words and numbers in an element's qddot comments; raises FormatError for an unknown one."""
    for comment in element.comments:
        before, marked, text = comment.strip().partition(MARK)
        if before or not marked:
            continue
        word, *numbers = text.split() or [""]
        if word not in allowed or allowed[word] not in (None, len(numbers)):
            usual = Listed(_and_numbers(name, size) for name, size in allowed.items())
            raise FormatError("comment-unknown", where=element.where, comment=shortened(comment.strip()), usual=usual)
        yield word, [decimal(number, word, element) for number in numbers]


def _and_numbers(name: str, size: int | None) -> Message:
    return say("word-and-numbers", word=name, number=size) if size else say("word-and-its-numbers", word=name)


def gravity(root: Element) -> tuple[Vec3, dict[str, Symbol]]:
    """Returns gravity and its symbols; gravity along one axis has the symbol g, and the default is (0, 0, −g)."""
    parts = [Fraction(0), Fraction(0), -STANDARD]
    for _, numbers in marked_words(root, GRAVITY):
        parts = numbers
    return gravity_of(parts)


def effects(joint: Element) -> Iterator[Effect]:
    """Yields the effects in a joint's comments."""
    for word, numbers in marked_words(joint, JOINT):
        values = [Expression.constant(number) for number in numbers]
        if word != DRIVEN:
            yield KINDS[word](*values)


def driven(joint: Element, velocities: Sequence[str]) -> Iterator[str]:
    """Yields those of a joint's velocities that have motors: all, unless a comment says which."""
    said: list[Sequence[Fraction]] = [numbers for word, numbers in marked_words(joint, JOINT) if word == DRIVEN]
    flags = said[0] if said else [Fraction(1)] * len(velocities)
    if len(flags) != len(velocities) or not set(flags) <= {0, 1}:
        comment = " ".join([DRIVEN, *map(str, flags)])
        raise FormatError("driven-comment-wrong", where=joint.where, comment=comment, number=len(velocities))
    yield from (name for name, flag in zip(velocities, flags, strict=True) if flag)
