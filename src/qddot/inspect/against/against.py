"""Compares a model with the model that another program reads from a file: which matrix entries differ, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Inertia, Pose, Rotation, Vec3
from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Message, Words, say
from qddot.formats.xml import elements as xml
from qddot.formats.xml import xacro
from qddot.inspect.against.peer import Numbers, Peer
from qddot.inspect.comparison.comparison import ROUNDING, SEED, STATES, Comparison, agree, diff
from qddot.inspect.comparison.pairing import Pairing, paired, without
from qddot.inspect.comparison.places import Array
from qddot.inspect.comparison.remaining import CLOSE
from qddot.inspect.comparison.snapshot import Snapshot, shared_values
from qddot.machine.numeric.arm import NumericArm
from qddot.physics.algorithms import kinematics
from qddot.physics.mechanism import Link
from qddot.physics.of_model import dynamics_of
from qddot.robot.effects.acting import summed_torques
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.robot.notes import note

TITLES: tuple[Words, ...] = (say("title-entry"), "A", "B", say("title-of-largest"))
MOST_ENTRIES = 12
# only a peer's equations are compared: findings of these kinds concern something else
OTHER_CAUSES = ("tool moved", "missing limits", "limits in degrees")


class EntryInState(NamedTuple):
    """This is an entry that differs, with both numbers in one state.

    relative: the difference, divided by the largest entry
    """

    name: str
    a: float
    b: float
    relative: float

    def row(self) -> tuple[str, str, str, str]:
        """Returns the name, both numbers and the difference in percent, as texts."""
        return self.name, f"{self.a:.6g}", f"{self.b:.6g}", f"{100 * self.relative:.3g} %"


class Way(NamedTuple):
    """A way is how the coordinates of a peer follow from those of A: q_peer = E q + q0."""

    E: Array
    q0: Array


@record()
class Against:
    """A comparison of a model A with a peer's own numbers is true if M, h = C q̇, G and, with MuJoCo, F agree.

    worst: for M, h, G and, with MuJoCo, F (viscous friction and springs) the largest difference, divided by the largest
    entry
    entries: those that differ, in the state in which each differs most, the worst first
    comparison: names the confusions between A and B, the model that the peer has made of the file; None if all agree
    notes: what the peer leaves out, joints that only one of the two has, and symbols without a value
    """

    a: str
    peer: str
    file: str
    worst: dict[str, float]
    entries: tuple[EntryInState, ...] = ()
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return agree(self.worst)

    def __str__(self) -> str:
        return "\n".join([*self.summary(), *("  ".join(entry.row()) for entry in self.entries)])

    def summary(self) -> list[str]:
        """Returns lines with the verdict, the notes, and what explains a difference."""
        sizes = ", ".join(f"{name} {size:.2g}" for name, size in self.worst.items())
        compared = say("peer-agrees" if self else "peer-differs", names=Listed(self.worst), sizes=sizes)
        found = [] if self.comparison is None else [f"• {finding}" for finding in self.comparison.findings]
        head = say("compared-with-peer", a=self.a, file=self.file, peer=self.peer)
        return list(map(str, (head, *self.notes, compared, *found, *self._verdict())))

    def _verdict(self) -> list[Message]:
        """Returns whether the findings explain the difference, if there is one."""
        if self.comparison is None:
            return []
        if self.comparison.explanation is not None:
            return [say("agree-once-this-corrected")]
        if self.comparison.findings:
            return [] if self.comparison.equations_agree else [say("explained-in-part")]
        if self.comparison.equations_agree and not self.comparison.left:
            return [say("peer-computes-otherwise", peer=self.peer)]
        return [say("nothing-explains")]

    @in_english
    def to_json(self) -> str:
        """Returns all of it as JSON that begins with `agree`."""
        content = {**asdict(self), "entries": [entry._asdict() for entry in self.entries]}
        return json.dumps({"agree": bool(self), **content}, indent=2, ensure_ascii=False)


def diff_against(a: NumericArm, program: str, path: Path) -> Against:
    """Returns the comparison of an arm with the numbers that another program computes from a file.

    program: "mujoco" or "pinocchio"; path: URDF or MJCF, which the program itself reads
    raises NotInstalledError: the program is missing; FormatError: it rejects the file; ModelError: no joints match
    """
    refuse_several(a.model, say("a-comparison"))
    other = peer(program, path)
    values, others, unknown = shared_values(a.model, other.model)
    ours, theirs = Snapshot.of(a.model, values), Snapshot.of(other.model, others)
    pairing = _with_followers(paired(ours, theirs), a.model, other.model)
    shared = Snapshot.of(without(a.model, pairing.extra_a), values)
    way = _way(pairing, shared, theirs)
    states = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (STATES, 2, shared.model.n))
    pairs = [(_ours(shared, *state), _theirs(other, way, *state)) for state in states]
    worst = {name: max(_relative(x, y, name) for x, y in pairs) for name in other.quantities}
    notes = (*_notes(pairing, shared, other, way.E, unknown), *_left_out(shared, other))
    result = Against(a.name, other.name, str(path), worst, notes=notes)
    if result:
        return result
    why = replace(diff(a, NumericArm(other.model)), a=a.name, b=other.name)
    why = replace(why, findings=tuple(each for each in why.findings if each.cause not in OTHER_CAUSES))
    entries = sorted(_differing(pairs, other.quantities), key=lambda entry: -entry.relative)
    return replace(result, entries=tuple(entries[:MOST_ENTRIES]), comparison=why)


def peer(name: str, path: Path) -> Peer:
    """Returns a program, "mujoco" or "pinocchio", that has read a file.

    raises FormatError: an unknown peer, or the peer rejects the file; NotInstalledError: it is not installed
    """
    if name == "mujoco":
        from qddot.inspect.against.mujoco_peer import read
    elif name == "pinocchio":
        from qddot.inspect.against.pinocchio_peer import read
    else:
        raise FormatError("no-such-peer", name=shortened(name), remedy=did_you_mean(name, ("mujoco", "pinocchio")))
    return read(path, _kind(path))


def _kind(path: Path) -> str:
    """Returns the tag of a file's root element; raises FormatError for a file that peers cannot read."""
    if path.suffix.lower() == ".toml":
        raise FormatError("robot-file-for-peer", where=str(path), path=path)
    root = xml.read(path)
    if xacro.needed(path, root):
        raise FormatError("macros-for-peer", where=str(path), path=path)
    return root.tag


def _with_followers(pairing: Pairing, a: Model, b: Model) -> Pairing:
    """Returns the pairing with joints that follow others in A, but are free in the peer's model, paired by names."""
    free = {b.body(name).joint.name: name for name in pairing.extra_b}
    following = [name for name in pairing.extra_a if a.body(name).joint.ratio is not None]
    pairs = tuple((x, free[a.body(x).joint.name]) for x in following if a.body(x).joint.name in free)
    led, free_there = {x for x, _ in pairs}, {y for _, y in pairs}
    parents = {body.name: body.joint.parent for body in a.bodies}
    steps = {x for x in following if a.body(x).inertia == Inertia.zero()}  # before joints that follow several others
    for name in [*led]:
        while (name := parents[name]) in steps:
            led.add(name)
    return replace(
        pairing,
        pairs=pairing.pairs + pairs,
        extra_a=tuple(name for name in pairing.extra_a if name not in led),
        extra_b=tuple(name for name in pairing.extra_b if name not in free_there),
    )


def _way(pairing: Pairing, ours: Snapshot, theirs: Snapshot) -> Way:
    """Returns E and q0 with q_peer = E q + q0: a joint of the peer moves with its partner, or is held at zero.

    A joint that follows others in A and has a coordinate of its own in the peer moves by its ratios, also where A has
    turned its axis over or moved its zero.
    """
    own, at = ({link.name: link for link in each.home.links} for each in (ours, theirs))
    poses = [kinematics.poses(each.home) for each in (ours, theirs)]
    E, q0 = np.zeros((theirs.model.n, ours.model.n)), np.zeros(theirs.model.n)
    for x, y in pairing.pairs:
        link, partner = own[x], at[y]
        if link.dof is None or partner.dof is None:
            continue
        if link.ratio is None:
            E[partner.dof, link.dof] = 1.0
            continue
        path = _followers(link, ours)
        above = path[-1].parent
        moved = poses[0][link.index] if above is None else poses[0][above].inverse() @ poses[0][link.index]
        q0[partner.dof] = _offset(partner, partner.X.R.T @ moved.R, moved.p - partner.X.p)
        axis = _axis(partner, poses[1])
        for each in path:
            E[partner.dof, each.dof] += float(each.ratio) * (-1.0 if _axis(each, poses[0]) @ axis < 0 else 1.0)
    return Way(E, q0)


def _followers(link: Link, arm: Snapshot) -> list[Link]:
    """Returns the links that follow coordinates on one axis: this one, and massless ones before it."""
    path = [link]
    while (above := path[-1].parent) is not None:
        before = arm.home.links[above]
        if before.ratio is None or before.inertia.m != 0 or before.kind.is_rotor:
            break
        path.append(before)
    return path


def _axis(link: Link, poses: Sequence[Pose]) -> Array:
    """Returns the direction in which a link moves at q = 0, along the base's axes."""
    S = link.S.w if link.kind.is_revolute else link.S.v
    return np.array([*poses[link.index].R.apply(S)], dtype=float)


def _offset(partner: Link, turned: Rotation, moved: Vec3) -> float:
    """Returns the partner's coordinate at the link's zero position, if both links have the frame of the same file."""
    if partner.kind.is_prismatic:
        return float(np.dot([*map(float, partner.X.R.apply(partner.S.v))], [*map(float, moved)]))
    R = np.array([[float(entry) for entry in row] for row in turned])
    sine = float(np.dot([*map(float, partner.S.w)], [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]))
    return float(np.arctan2(sine, R.trace() - 1))


def _ours(arm: Snapshot, q: Array, qd: Array) -> Numbers:
    names = arm.model.coordinates
    rates = (dict(zip(names, part.tolist(), strict=True)) for part in (q, qd))
    dynamics = dynamics_of(arm.model, Floats(arm.values, *rates))
    smooth = [each for each in dynamics.mechanism.effects if isinstance(each.effect, Viscous | Spring)]
    parts = (
        dynamics.mass_matrix(),
        np.array(dynamics.coriolis_matrix(), dtype=float) @ qd,
        dynamics.gravity_torques(),
        summed_torques(arm.model.n, smooth, dynamics.mechanism),
    )
    return Numbers(*(np.array(part, dtype=float) for part in parts))


def _theirs(other: Peer, way: Way, q: Array, qd: Array) -> Numbers:
    """Returns the peer's numbers in A's coordinates, by virtual work: M = Eᵀ M_peer E, h = Eᵀ h_peer …"""
    E = way.E
    M, *torques = other.numbers(E @ q + way.q0, E @ qd)
    return Numbers(E.T @ M @ E, *(E.T @ part for part in torques))


def _relative(x: Numbers, y: Numbers, quantity: str) -> float:
    """Returns the largest difference divided by the largest entry; 0 if it is only rounding at the inertia's size."""
    a, b = getattr(x, quantity), getattr(y, quantity)
    difference, largest = float(np.abs(a - b).max()), float(np.abs([a, b]).max())
    natural = float(np.abs(x.M).max()) * np.pi**2
    return difference / largest if difference > ROUNDING * natural else 0.0


def _differing(pairs: Sequence[tuple[Numbers, Numbers]], quantities: Sequence[str]) -> Iterator[EntryInState]:
    """Yields each entry that differs by more than rounding, in the state where it differs most."""
    for quantity in quantities:
        a, b = (np.array([getattr(side, quantity) for side in sides]) for sides in zip(*pairs, strict=True))
        largest = np.abs([a, b]).max(axis=(0, *range(2, a.ndim + 1)), keepdims=True)[0]
        relative = np.abs(a - b) / np.where(largest > 0, largest, 1.0)
        for place in np.argwhere(relative.max(axis=0) > CLOSE).tolist():
            if place == sorted(place):  # M is symmetric
                k = int(relative[:, *place].argmax())
                name = quantity + "".join(str(index + 1) for index in place)
                yield EntryInState(name, *(float(side[k, *place]) for side in (a, b, relative)))


def _notes(pairing: Pairing, ours: Snapshot, other: Peer, E: Array, unknown: Iterable[str]) -> Iterator[str]:
    """Yields notes on how the two were made comparable: joints without a partner, and symbols without a value."""
    if pairing.how:
        yield pairing.how
    for who, names in (("A", pairing.extra_a), (other.name, pairing.extra_b)):
        if names:
            yield note("joints-of-one-program", who=who, names=Listed(names))
    led = [link.name for link in ours.home.links if link.ratio is not None]
    if led and np.count_nonzero(E) > ours.model.n:
        yield note("moved-with-leaders", names=Listed(led), peer=other.name)
    if unknown:
        yield note("arbitrary-numbers-of-both", names=Listed(unknown))


def _left_out(ours: Snapshot, other: Peer) -> Iterator[str]:
    """Yields a note where A has effects that the peer's torques leave out."""
    effects = [effect for body in ours.model.bodies for effect in body.joint.effects]
    kinds = (Coulomb,) if "F" in other.quantities else (Coulomb, Viscous, Spring)
    if any(isinstance(effect, kinds) for effect in effects):
        yield note("peer-leaves-out", peer=other.name, what=other.left_out)
