"""Lists the required entries of an answer, and those that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qddot.base.errors import QddotError, shortened
from qddot.base.words.message import Told, say
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.exact_arrays import canonical, entry_name, exact_array, part_of
from qddot.teach.check.reading.answer import EQUATION
from qddot.teach.check.reading.names.left_sides import Left, is_left, left_of
from qddot.teach.check.reading.names.letters import OF_LOOPS, Candidate, candidates
from qddot.teach.check.reading.names.places import place_of, shapes
from qddot.teach.check.reading.signs.lexemes import lexemes
from qddot.teach.check.reading.texts.written import Written

EXPECTED = say("what-is-asked")
EQUATIONS = ("equations", "equation", "equations of motion")
Key = tuple[str, tuple[int, ...]]  # a quantity and a place
Required = dict[Key, str]  # names of entries


def required_entries(eq: Quantities, asked: str | Sequence[str] | None) -> Required:
    """Returns the required entries, one of each symmetric pair, with their names.

    raises QddotError: a name that is not a quantity of the equations
    """
    names = asked.split(",") if isinstance(asked, str) else list(asked or ())
    entries: Required = {}
    notation = notation_of(eq.model.notation)
    for name in names:
        text = notation.quantity(str(name).strip())
        entries |= _equations(eq) if text.lower() in EQUATIONS else _entries(eq, text)
    return entries


def _equations(eq: Quantities) -> Required:
    """Requires an equation of motion for each joint; its torque, or the entries of its terms, count as one."""
    return {(EQUATION, (k,)): Told(say("asked-equation", name=name)) for k, name in enumerate(eq.velocities)}


def _entries(eq: Quantities, name: str) -> Required:
    side = lexemes(Written(name))
    left = left_of(side, Written(name)) if is_left(side) else None
    if left is not None and isinstance(eq, ChainQuantities):
        left = left._replace(head=OF_LOOPS.get(left.head, left.head))
    possible = sorted(candidates(left), key=lambda each: not each.sure) if left else []  # J11 is an entry of J_tool
    possible = possible if left and (left.indices or left.cell) else [each for each in possible if each.sure]
    if left is None or not possible:
        raise QddotError("asked-unknown", name=shortened(name), expected=EXPECTED)
    return _of_candidate(eq, left, possible[0])


def _of_candidate(eq: Quantities, left: Left, candidate: Candidate) -> Required:
    array = exact_array(eq, candidate.quantity)
    place = place_of(left, candidate, eq.n, zero_based=False)
    whole = shapes(eq)[candidate.quantity]
    if any(not 0 <= k < size for k, size in zip(place, whole, strict=False)):
        raise QddotError("asked-unknown", name=left.text, expected=EXPECTED)
    places = {canonical(each, array.symmetric) for each in part_of(array, place)}
    return {(candidate.quantity, key): entry_name(array, key) for key in sorted(places)}


def missing(eq: Quantities, entries: Required, answered: Iterable[Key], independent: int = 0) -> tuple[str, ...]:
    """Returns the names of the required entries that are missing.

    independent: the number of independent equations of motion in the answer; if it is n, no equation is missing
    """
    keys = [("G" if name == "minus_G" else name, place) for name, place in answered]
    names = {name for name, _ in (*entries, *keys)} - {EQUATION}
    symmetric = {name: exact_array(eq, name).symmetric for name in names}
    answered_keys = {(name, canonical(place, symmetric[name])) for name, place in keys}
    for k in range(eq.n):
        if ("tau", (k,)) in answered_keys:  # a complete equation of motion contains the entries of its row
            answered_keys |= {("h", (k,)), ("G", (k,)), ("bias", (k,))} | {
                ("M", (min(j, k), max(j, k))) for j in range(eq.n)
            }
    whole = [k for k in range(eq.n) if _has_equation(eq, answered_keys, k)]
    answered_keys |= {("tau", (k,)) for k in whole}
    answered_keys |= {(EQUATION, (k,)) for k in range(eq.n) if independent == eq.n or k in whole}
    return tuple(name for key, name in entries.items() if key not in answered_keys)


def _has_equation(eq: Quantities, answered_keys: set[Key], k: int) -> bool:
    """Returns whether the torque of a joint is answered, or the inertia, the velocity terms and gravity in its row."""
    joints = range(eq.n)
    inertia = all(("M", (min(j, k), max(j, k))) in answered_keys for j in joints)
    rows = ("C", "C2")
    velocity = ("h", (k,)) in answered_keys or any(
        all((name, (k, j)) in answered_keys for j in joints) for name in rows
    )
    velocity = (
        velocity or any(name == "christoffel" for name, _ in answered_keys) or not any(eq.in_joint_angles.h.entries)
    )
    gravity = ("G", (k,)) in answered_keys or not any(eq.in_joint_angles.G.entries)
    return ("tau", (k,)) in answered_keys or (inertia and (("bias", (k,)) in answered_keys or (velocity and gravity)))
