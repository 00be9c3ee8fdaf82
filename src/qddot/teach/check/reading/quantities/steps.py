"""Lists the results on the way of a derivation: poses, axes, Jacobians, motions of links, parts of M and G."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.errors import QddotError
from qddot.base.words.message import Message, Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.physics.of_model import has_bodies
from qddot.teach.check.exact_arrays import exact_array, part_of
from qddot.teach.check.reading.quantities.points import positions

Entries = Sequence[Any]
WORLD: list[Any] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
OF_A_LINK = r"(?!(?:omega|w)[xyz]?$).*"  # names of angular velocities; that without a number is the last link's
OF_FORCES = "[Ff].*"  # names of forces; others are those of reactions
MOST_JOINTS = 3  # of arms whose accelerations, forces and slopes of M are computed


class OfLaw(NamedTuple):
    """This is a letter in a law that exams require to be shown: what it means, and the function with its entries."""

    meaning: Words
    entries: Callable[[Quantities], list[Any]]


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
    "y": OfLaw(say("step-gravity-torques"), lambda eq: list(eq.G.entries)),
    "kappa": OfLaw(
        say("step-stiffness"),
        lambda eq: [(eq.G + eq.springs)[i].diff(q).entries[0] for i in range(eq.n) for q in eq.velocities],
    ),
}


class Step(NamedTuple):
    """This is a result that an answer may have, under any name unless another meaning is likely.

    what: what it is; entries: its exact values
    is_vector: whether its entries are components along axes, of which one may be alone, and zeros may be left out
    names: the names that it may have, as a regular expression
    """

    what: Words
    entries: Entries
    is_vector: bool = False
    names: str = ".*"


def steps(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields all steps, the simplest ones first; eq: the equations in the joints' own angles."""
    yield from _of_poses(eq, ring)
    yield from _of_links(eq, ring)
    yield from _of_laws(eq, ring)
    yield from _velocities(eq, ring)
    if eq.n <= MOST_JOINTS:
        yield from _slopes(eq, ring)
        if has_bodies(eq.model) and not eq.model.freedoms:
            yield from _motions(eq, ring)


def _of_poses(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields poses of links' frames, of their centres and of their far ends in the link before."""
    poses = [part(eq.array("T"), k, ring) for k in range(len(eq.model.bodies))]
    ends = [*poses[1:], [ring.convert(entry) for entry in eq.T_tool.entries]]
    shifted = [_at(p, (e[3], e[7], e[11])) for p, e in zip(poses, ends, strict=True)]
    for body, one, other in zip(eq.model.bodies[1:], shifted, shifted[1:], strict=False):
        yield Step(say("step-pose-of-end", link=body.name), relative(one, other))
    for k, (body, pose) in enumerate(zip(eq.model.bodies, poses, strict=True)):
        before, centre = poses[k - 1] if k else WORLD, part(eq.array("p_c"), k, ring)
        yield Step(say("step-pose-in-preceding-link", link=body.name), relative(before, pose))
        yield Step(say("step-pose-of-centre", link=body.name), relative(before, _at(pose, centre)))
        yield Step(say("step-third-axis", link=body.name), pose[2:12:4])


def _of_links(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields Jacobians of links, and their parts of M and G, with m JᵀJ apart from the rest."""
    n, rates = eq.n, [f"qd({name})" for name in eq.velocities]
    for k, body in enumerate(eq.model.bodies):
        jacobian = part(eq.array("J_c"), k, ring)
        linear = jacobian[: 3 * n]
        yield Step(say("step-linear-jacobian", link=body.name), linear)
        yield Step(say("step-angular-jacobian", link=body.name), jacobian[3 * n :])
        try:
            mass = ring.convert(evaluator(ring)(body.inertia.m))
            K, P = (ring.convert(exact_array(eq, name).entries[k]) for name in ("K_links", "P_links"))
        except (QddotError, AttributeError, KeyError):
            continue
        whole = [ring.convert(ring.convert(K.derivative(a)).derivative(b)) for a in rates for b in rates]
        columns = [linear[j::n] for j in range(n)]
        moving = [mass * _dot(x, y, ring) for x in columns for y in columns]
        yield Step(say("step-mass-matrix-of-translation", link=body.name), moving)
        turning = [a - b for a, b in zip(whole, moving, strict=True)]
        yield Step(say("step-mass-matrix-of-rotation", link=body.name), turning)
        yield Step(say("step-mass-matrix-of-link", link=body.name), whole)
        torques = [ring.differentiate(P, name) for name in eq.velocities]
        yield Step(say("step-gravity-torques-of-link", link=body.name), torques)


def _of_laws(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields what general laws are about: gravity, friction, the power, momenta, and Ṁ − 2C."""
    names = eq.velocities
    friction, torques = (_entries(eq.array(name), ring) for name in ("friction", "tau"))
    gravity = [ring.convert(x) for x in eq.model.gravity.map(evaluator(ring))]
    yield Step(say("step-acceleration-of-gravity"), gravity)
    viscous = [x.derivative(f"qd({name})") for x in friction for name in names]
    yield Step(say("step-matrix-of-viscous-friction"), viscous)
    turning = eq.array("J_tool")
    for j, name in enumerate(names):
        axis = [ring.convert(turning[i, j].entries[0]) for i in range(3, 6)]
        yield Step(say("step-axis-of-joint", joint=name), axis)
    rates = [ring.rate(name) for name in names]
    yield Step(say("step-dissipation-function"), [_dot(rates, friction, ring) / 2])
    power = _dot(rates, torques, ring) - _dot(rates, friction, ring)
    yield Step(say("step-power-of-torques"), [power])
    M, n = _entries(eq.M, ring), eq.n
    for k, name in enumerate(names):
        yield Step(say("step-entry", entry=f"M{k + 1}{k + 1}"), [M[n * k + k]])
        yield Step(say("step-momentum", joint=name), [_dot(M[n * k : n * k + n], rates, ring)])
    skew = [_rate(a, ring) - c * 2 for a, c in zip(M, _entries(eq.array("C"), ring), strict=True)]
    yield Step("Ṁ − 2C", skew)
    yield from (Step("Ṁ − 2C", [entry]) for entry in skew)
    for letter, law in OF_LAWS.items():
        yield Step(law.meaning, [ring.convert(entry) for entry in law.entries(eq)], names=letter)


def _slopes(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields the derivatives of the entries of M."""
    for place, entry in zip(eq.M.places, _entries(eq.M, ring), strict=True):
        for name in eq.velocities:
            what = say("step-derivative", entry=f"M{place[0] + 1}{place[1] + 1}", coordinate=name)
            yield Step(what, [ring.differentiate(entry, name)])


def _velocities(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields the velocities of points with the squares of their speeds, and the angular velocities of links."""
    for what, _, position in positions(eq, ring):
        velocity = [_rate(coordinate, ring) for _, coordinate in position]
        yield Step(say("step-velocity", point=what), velocity, is_vector=True)
        yield Step(say("step-square-of-speed", point=what), [_dot(velocity, velocity, ring)])
        place = [coordinate for _, coordinate in position]
        yield Step(say("step-square-of-distance", point=what), [_dot(place, place, ring)])
    for k, body in enumerate(eq.model.bodies):
        for axes in (_frames(eq, ring)[0], _frames(eq, ring)[k + 1]):
            spin, names = _along(axes, _spin(eq, k, ring), ring), ".*" if body is eq.model.bodies[-1] else OF_A_LINK
            yield Step(say("step-angular-velocity", link=body.name), spin, is_vector=True, names=names)


def _motions(eq: Quantities, ring: Ring) -> Iterator[Step]:
    """Yields accelerations and inertial forces of links along the axes of any frame.

    The base may accelerate upwards in place of gravity.
    Source: Craig, Introduction to Robotics, 3rd ed., 6.5.
    """
    evaluate, bodies = evaluator(ring), eq.model.bodies
    masses = {say("point-centre-of-mass", link=body.name): (body.name, evaluate(body.inertia.m)) for body in bodies}
    gravity = [ring.convert(x) for x in eq.model.gravity.map(evaluate)]
    vectors, forces = list[tuple[Message, Entries, str]](), dict[str, Entries]()
    for what, _, position in positions(eq, ring):
        falling = [_rate(_rate(coordinate, ring), ring) for _, coordinate in position]
        for acceleration in ([a - g for a, g in zip(falling, gravity, strict=True)], falling):
            vectors.append((say("step-acceleration", point=what), acceleration, ".*"))
            if what in masses:
                name, mass = masses[what]
                force = [mass * a for a in acceleration]
                vectors.append((say("step-inertial-force", link=name), force, OF_FORCES))
                forces.setdefault(name, force)
    for k, body in enumerate(bodies):
        spin = [_rate(x, ring) for x in _spin(eq, k, ring)]
        vectors.append((say("step-angular-acceleration", link=body.name), spin, ".*"))
        outer = [forces[each.name] for each in bodies[k:] if each.name in forces]
        total = [sum(parts, ring.zero) for parts in zip(*outer, strict=True)]
        vectors.append((say("step-force", link=body.name), total, OF_FORCES))
    for (what, vector, names), axes in product(vectors, _frames(eq, ring)):
        yield Step(what, _along(axes, vector, ring), is_vector=True, names=names)


def _spin(eq: Quantities, k: int, ring: Ring) -> list[Polynomial]:
    """Returns the angular velocity of a link along the base's axes."""
    jacobian, n = part(eq.array("J_c"), k, ring), eq.n
    rates = [ring.rate(name) for name in eq.velocities]
    return [_dot(jacobian[n * i : n * i + n], rates, ring) for i in range(3, 6)]


def _frames(eq: Quantities, ring: Ring) -> list[list[Entries]]:
    """Returns the axes of the base and of each link."""
    poses = [WORLD, *(part(eq.array("T"), k, ring) for k in range(len(eq.model.bodies)))]
    return [[pose[j:12:4] for j in range(3)] for pose in poses]


def _along(axes: Sequence[Entries], vector: Entries, ring: Ring) -> list[Polynomial]:
    return [_dot(axis, vector, ring) for axis in axes]


def _rate(value: Polynomial, ring: Ring) -> Polynomial:
    return ring.convert(ring.time_derivative(value))


def _dot(a: Entries, b: Entries, ring: Ring) -> Polynomial:
    return ring.convert(sum((x * y for x, y in zip(a, b, strict=True)), ring.zero))


def _entries(array: ExactArray, ring: Ring) -> list[Polynomial]:
    return [ring.convert(entry) for entry in array.entries]


def part(array: ExactArray, k: int, ring: Ring) -> list[Any]:
    """Returns the entries of one link, from 0."""
    return [ring.convert(entry) for entry in part_of(array, (k,)).values()]


def _at(pose: Entries, point: Entries) -> list[Any]:
    """Returns a pose with another origin."""
    x, y, z = point
    return [*pose[:3], x, *pose[4:7], y, *pose[8:11], z, *pose[12:]]


def relative(before: Entries, pose: Entries) -> list[Any]:
    """Returns the pose of a frame in another one, by the transpose of the other's rotation."""
    moved = [[pose[4 * i + j] - (before[4 * i + 3] if j == 3 else 0) for j in range(4)] for i in range(3)]
    rows = [[sum(before[4 * m + i] * moved[m][j] for m in range(3)) for j in range(4)] for i in range(3)]
    return [*(entry for row in rows for entry in row), *pose[12:]]
