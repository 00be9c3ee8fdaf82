"""Recognizes intermediate arrays of a derivation by their values: poses, axes, Jacobians and parts of M and G."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity import Style
from qddot.exact.equations.quantity_names import styles
from qddot.exact.equations.routes import ROUTES
from qddot.teach.check.exact_arrays import exact_array, part_of
from qddot.teach.check.reading.answer import Entry
from qddot.teach.check.reading.dialects.common_signs import OF_SCRIPT, RAISED_OF_STEPS
from qddot.teach.check.reading.exact.comparing import agree, agrees, are_equal
from qddot.teach.check.reading.exact.motion import drive_symbol
from qddot.teach.check.reading.names.arm_names import plain
from qddot.teach.check.reading.names.left_sides import Left, of_component
from qddot.teach.check.reading.quantities.link_motions import LinkMotions

Entries = list[Any]
SMALLEST = 3  # fewest entries of an array that is recognized only by its values


class OfLaw(NamedTuple):
    """This is a letter in a law that exams require to be shown: what it means, and the function with its entries."""

    meaning: str
    entries: Callable[[Quantities], Entries]


OF_LAWS = {
    "u": OfLaw(
        "Ṁ q̇",
        lambda eq: [
            sum(
                (eq.ring.time_derivative(eq.M[i, j].entries[0]) * eq.ring.rate(q) for j, q in enumerate(eq.velocities)),
                0,
            )
            for i in range(eq.n)
        ],
    ),
    "w": OfLaw("∂K/∂q", lambda eq: [eq.array("K").diff(q).entries[0] for q in eq.velocities]),
    "y": OfLaw("the gravity torques", lambda eq: list(eq.G.entries)),
    "kappa": OfLaw(
        "the stiffness of gravity and springs",
        lambda eq: [(eq.G + eq.springs)[i].diff(q).entries[0] for i in range(eq.n) for q in eq.velocities],
    ),
}
INERTIAS = ("I", "J", "Theta")  # of a body about an axis
AXES = 2  # of a matrix
OF_GRAVITY = "g"  # letter of a part of G
OF_DISSIPATION = ("D", "R", "F", "ℱ", "Phi")  # letters of Rayleigh's function
SKEW = "S"  # letter of Ṁ − 2C


class KnownSteps:
    """These are the intermediate arrays of a derivation, with which the steps of an answer are compared."""

    def __init__(self, eq: Quantities, ring: Ring) -> None:
        self.eq, self.ring = eq, ring
        self._by_values = _steps(eq.in_joint_angles, ring)
        self._seen: list[tuple[str, Entries]] = []
        self._routes: dict[str, Mapping[str, ExactArray]] = {}
        self._motions = LinkMotions(eq, ring)

    def of(self, left: Left, values: Sequence[Entry]) -> str:
        """Returns a description of values: ∂M_ij/∂q_k, a step of a route, or a known array; "" if unknown."""
        if len(values) == 1 and len(left.indices) == SMALLEST and max(left.indices) <= self.eq.n:
            i, j, k = (index - 1 for index in left.indices)
            entry = self.ring.convert(self.eq.in_joint_angles.M[i, j].entries[0])
            coordinate = self.eq.velocities[k]
            if agrees(values[0], self.ring.differentiate(entry, coordinate)):
                return f"the derivative of M{i + 1}{j + 1} with respect to {coordinate}"
        if len(values) == 1 and left.head in INERTIAS and not left.indices and (inertia := self._inertia(values[0])):
            return inertia
        if len(values) == 1 and left.head in OF_DISSIPATION and self._is_dissipation(values[0].numerator):
            return "Rayleigh's dissipation function"
        if len(values) >= SMALLEST and any(value.numerator for value in values):
            for what, entries in self._arrays():
                if agree(values, entries):
                    return what
        if left.head == SKEW and self._is_skew(left.indices or left.cell, values):
            return "Ṁ − 2C"
        if left.head == OF_GRAVITY and len(values) == 1 and self._is_part_of_gravity(values[0].numerator):
            return "a part of the gravity torques"
        if what := self._of_laws(left, values) or self.of_routes(left, values):
            return what
        return self._motions.of(left.key, [value.numerator for value in values])

    def _inertia(self, value: Entry) -> str:
        """Returns the entry on the diagonal of M that a value is, or ""."""
        M = self.eq.in_joint_angles.M
        same = (k for k in range(self.eq.n) if value.numerator and agrees(value, self.ring.convert(M[k, k].entries[0])))
        return next((f"the entry M{k + 1}{k + 1}" for k in same), "")

    def _is_dissipation(self, value: Polynomial) -> bool:
        """Returns whether a value is ½ q̇ᵀ τ_f of viscous friction τ_f."""
        exact, ring = self.eq.in_joint_angles, self.ring
        pairs = zip(self.eq.velocities, exact.array("friction").entries, strict=True)
        power = sum((ring.rate(name) * ring.convert(torque) for name, torque in pairs), ring.zero)
        return bool(value) and not value * 2 - power

    def is_power(self, value: Polynomial) -> bool:
        """Returns whether a value is q̇ᵀ τ minus the power of friction."""
        exact, ring = self.eq.in_joint_angles, self.ring
        torques = zip(exact.array("tau").entries, exact.array("friction").entries, strict=True)
        rates = map(ring.rate, self.eq.velocities)
        power = sum((rate * ring.convert(a - b) for rate, (a, b) in zip(rates, torques, strict=True)), ring.zero)
        return not value - ring.convert(power)

    def part_of(self, quantities: Sequence[str], values: Sequence[Entry]) -> str:
        """Returns the first quantity that has these values, or an entry with the terms of the only one; "" if none."""
        for name in quantities:
            exact = [self.ring.convert(entry) for entry in exact_array(self.eq.in_joint_angles, name).entries]
            if agree(values, exact):
                return name
            if len(values) != 1 or values[0].denominator != 1:
                continue
            value = values[0].numerator
            if any(set(value.terms()) <= set(entry.terms()) for entry in exact):
                return name
            if name == "springs" and are_equal([self.ring.differentiate(value, q) for q in self.eq.velocities], exact):
                return name
            if name == "tau" and set(value.variables()) <= {drive_symbol(self.ring, q) for q in self.eq.velocities}:
                return name
        return ""

    def _is_part_of_gravity(self, value: Polynomial) -> bool:
        """Returns whether the terms of a value are among those of a gravity torque."""
        terms = set(value.terms())
        return bool(terms) and any(
            terms <= set(self.ring.convert(entry).terms()) for entry in self.eq.in_joint_angles.G.entries
        )

    def _of_laws(self, left: Left, values: Sequence[Entry]) -> str:
        """Returns a description of a letter in a law that an exam asks to prove, if it has these values, or ""."""
        if left.key not in OF_LAWS:
            return ""
        letter = OF_LAWS[left.key]
        entries = [self.ring.convert(entry) for entry in letter.entries(self.eq.in_joint_angles)]
        return letter.meaning if agree(values, entries) else ""

    def _is_skew(self, indices: Sequence[int], values: Sequence[Entry]) -> bool:
        """Returns whether values are those of Ṁ − 2C, or of its entry at a place."""
        n, entries = self.eq.n, _skew(self.eq, self.ring)
        if len(indices) == AXES and max(indices) <= n:
            entries = [entries[n * (indices[0] - 1) + indices[1] - 1]]
        return agree(values, entries)

    def _arrays(self) -> Iterator[tuple[str, Entries]]:
        """Yields the arrays of each link; each is computed when it is first needed."""
        yield from self._seen
        for each in self._by_values:
            self._seen.append(each)
            yield each

    def of_routes(self, left: Left, values: Sequence[Entry]) -> str:
        """Returns the step of a route that a name with its indices stands for, if it has these values, or ""."""
        names = [name for name, style in styles() if normalize("NFKC", left.head) in letters_of(style)]
        places = {tuple(index - 1 for index in each) for each in (left.indices or left.cell, of_component(left.text))}
        for route in ROUTES if names else ():
            steps = self._steps_of(route)
            for name in names:
                if name in steps and any(_is_at(steps[name], place, values, self.ring) for place in places):
                    return f"a step of the route {route}, {name}"
        return ""

    def _steps_of(self, route: str) -> Mapping[str, ExactArray]:
        if route not in self._routes:
            try:
                self._routes[route] = self.eq.in_joint_angles.by_routes[route].steps
            except (QddotError, KeyError):  # a route that does not support this arm
                self._routes[route] = {}
        return self._routes[route]


def letters_of(style: Style) -> tuple[str, ...]:
    """Returns spellings of a quantity: Mv for M_v, vdotc and vcdot for v̇_c, Ic for Iᶜ, G or Gcal for 𝒢, barJ for J̄."""
    head, dot = normalize("NFKC", style.head), "dot" * (style.dots > 0)
    below = style.below + (style.above if style.above in RAISED_OF_STEPS else "")
    script = [plain(head + OF_SCRIPT + below)] if head != style.head else []
    return plain(head + dot + below), plain(head + below + dot), *(["bar" + head] if style.bar else []), *script


def _is_at(array: ExactArray, place: tuple[int, ...], values: Sequence[Entry], ring: Ring) -> bool:
    """Returns whether values are the part of an array at a place; a single 0 may stand for a part that is zero."""
    part = list(part_of(array, place).values())
    if len(values) <= 1 and not any(value.numerator for value in values):
        return bool(part) and not any(part)
    return agree(values, [ring.convert(entry) for entry in part])


def _steps(eq: Quantities, ring: Ring) -> Iterator[tuple[str, Entries]]:
    """Yields descriptions of arrays of each link, with their entries."""
    T, J_c = eq.array("T"), eq.array("J_c")
    poses = [_entries(T, k, ring) for k in range(len(eq.model.bodies))]
    ends = [*poses[1:], [ring.convert(entry) for entry in eq.T_tool.entries]]
    shifted = [[*p[:3], e[3], *p[4:7], e[7], *p[8:11], e[11], *p[12:]] for p, e in zip(poses, ends, strict=True)]
    for k in range(1, len(shifted)):  # frames at the far ends of links
        yield (
            f"the pose of the end of {eq.model.bodies[k].name} relative to the end of the link before it",
            relative(shifted[k - 1], shifted[k]),
        )
    before: Entries = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    for k, body in enumerate(eq.model.bodies):
        pose = _entries(T, k, ring)
        yield f"the pose of {body.name} in the preceding link", relative(before, pose)
        x, y, z = _entries(eq.array("p_c"), k, ring)
        at_centre = [*pose[:3], x, *pose[4:7], y, *pose[8:11], z, *pose[12:]]
        yield f"the pose of the centre of mass of {body.name} in the preceding link", relative(before, at_centre)
        before = pose
        yield f"the third axis of {body.name}", pose[2:12:4]
        jacobian = _entries(J_c, k, ring)
        half = 3 * eq.n
        yield f"the linear Jacobian of the centre of mass of {body.name}", jacobian[:half]
        yield f"the angular Jacobian of {body.name}", jacobian[half:]
        yield from _parts_of_mass(eq, ring, k, jacobian[:half])
    yield "the acceleration of gravity", [ring.convert(_value(part, ring)) for part in eq.model.gravity]
    yield "Ṁ − 2C", _skew(eq, ring)
    friction = [ring.convert(entry) for entry in eq.array("friction").entries]
    rates = [f"qd({name})" for name in eq.velocities]
    yield "the matrix of the viscous friction", [entry.derivative(rate) for entry in friction for rate in rates]
    turning = eq.array("J_tool")
    for j, name in enumerate(eq.velocities):
        yield f"the axis of {name}", [ring.convert(turning[i, j].entries[0]) for i in range(3, 6)]


def _skew(eq: Quantities, ring: Ring) -> Entries:
    """Returns the entries of Ṁ − 2C."""
    exact = eq.in_joint_angles
    rates = (ring.time_derivative(ring.convert(entry)) for entry in exact.array("M").entries)
    coriolis = map(ring.convert, exact.array("C").entries)
    return [ring.convert(rate - c * 2) for rate, c in zip(rates, coriolis, strict=True)]


def _parts_of_mass(eq: Quantities, ring: Ring, k: int, linear: Entries) -> Iterator[tuple[str, Entries]]:
    """Yields m JᵀJ, the rest of a link's mass matrix, and its gravity torques."""
    body, n = eq.model.bodies[k], eq.n
    try:
        mass = ring.convert(_value(body.inertia.m, ring))
        K, P = (ring.convert(exact_array(eq, name).entries[k]) for name in ("K_links", "P_links"))
    except (QddotError, AttributeError, KeyError):
        return
    rates = [f"qd({name})" for name in eq.velocities]
    whole = [ring.convert(ring.convert(K.derivative(a)).derivative(b)) for a in rates for b in rates]
    columns = [linear[j::n] for j in range(n)]
    moving = [mass * sum((a * b for a, b in zip(x, y, strict=True)), ring.zero) for x in columns for y in columns]
    yield f"the part of M from the translation of {body.name}", moving
    yield f"the part of M from the rotation of {body.name}", [a - b for a, b in zip(whole, moving, strict=True)]
    yield f"the part of M from {body.name}", whole
    yield f"the gravity torques of {body.name}", [ring.differentiate(P, name) for name in eq.velocities]


def _value(number: Any, ring: Ring) -> Any:
    return number.evaluate(ring) if hasattr(number, "evaluate") else number


def _entries(array: ExactArray, k: int, ring: Ring) -> Entries:
    return [ring.convert(entry) for entry in part_of(array, (k,)).values()]


def relative(before: Entries, pose: Entries) -> Entries:
    """Returns the pose of a frame in another one, by the transpose of the other's rotation."""
    moved = [[pose[4 * i + j] - (before[4 * i + 3] if j == 3 else 0) for j in range(4)] for i in range(3)]
    rows = [[sum(before[4 * m + i] * moved[m][j] for m in range(3)) for j in range(4)] for i in range(3)]
    return [*(entry for row in rows for entry in row), *pose[12:]]
