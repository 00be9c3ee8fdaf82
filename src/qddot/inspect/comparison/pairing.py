"""Pairs the joints of two arms: by names, by names without prefixes, or by structure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.inspect.comparison.places import across, feet
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.robot.bodies import Body, Joint
from qddot.robot.changes import with_fewer
from qddot.robot.elastic import motors_of
from qddot.robot.model import Model
from qddot.robot.notes import note

ALIKE = 0.02  # how far cosines and distances (over the arm's length) may differ in two versions of one arm
KINDS = ("joint", "link", "body")
SKIPPED = 4  # joints at the root that only one of the arms may have
Pairs = dict[str, str]


@record()
class Pairing:
    """A pairing has the joints of both arms that are the same, each by the name of its link, in A's order.

    extra_a, extra_b: joints without a partner; how: the sentence that says how they were paired, "" by equal names
    """

    pairs: tuple[tuple[str, str], ...]
    extra_a: tuple[str, ...]
    extra_b: tuple[str, ...]
    how: str = ""


class _Tree:
    """A tree has the moving joints of an arm and what distinguishes them."""

    def __init__(self, arm: Snapshot) -> None:
        self.ratios = {link.name: link.ratio for link in arm.home.links}
        self.bodies = {body.name: body for body in (*arm.model.links, *motors_of(arm.model.bodies)) if body.joint.moves}
        carriers = {link.name: arm.above(link) for link in arm.home.links if link.name in self.bodies}
        self.parent = {name: None if link is None else link.name for name, link in carriers.items()}
        self.children: dict[str | None, list[str]] = {None: []}
        for name, above in self.parent.items():
            self.children.setdefault(above, []).append(name)
            self.children.setdefault(name, [])
        self.shape = _shapes(self, arm)

    def size(self, name: str) -> int:
        return 1 + sum(self.size(child) for child in self.children[name])

    def kind(self, name: str) -> tuple[bool, bool]:
        joint = self.bodies[name].joint
        return joint.kind.is_revolute, joint.leads


def _shapes(tree: _Tree, arm: Snapshot) -> dict[str, tuple[float, float]]:
    """Returns, for each joint, |cos| of the angle between its axis and its carrier's, and these axes' distance."""
    lines = {body.name: arm.axes[k] for k, body in enumerate(arm.model.moving())}
    pairs = {}
    for name, above in tree.parent.items():
        if name in lines and above in lines:
            (d1, x1), (d2, x2) = lines[above], lines[name]
            nearest = feet(d1, x1, d2, x2)
            gap = across(x2 - x1, d1) if nearest is None else nearest[1] - nearest[0]
            turning = tree.kind(name)[0] and tree.kind(above)[0]
            pairs[name] = (abs(float(d1 @ d2)), float(np.linalg.norm(gap)) if turning else 0.0)
    longest = float(np.ptp(arm.axes[:, 1], axis=0).max()) or 1.0
    return {name: (cosine, distance / longest) for name, (cosine, distance) in pairs.items()}


def paired(a: Snapshot, b: Snapshot) -> Pairing:
    """Returns which joints of two arms are the same. raises ModelError: none are"""
    ours, theirs = _Tree(a), _Tree(b)
    best, how = _by_names(ours, theirs)
    if len(best) < min(len(ours.bodies), len(theirs.bodies)) or (how and _misfits(best, ours, theirs)):
        placed = _by_structure(ours, theirs)
        if len(placed) >= len(best) and _merit(placed, ours, theirs) > _merit(best, ours, theirs):
            best, how = placed, note("paired-by-structure")
        else:
            best = _filled(best, placed, ours, theirs)
    best = _consistent(best, ours, theirs)
    if not best:
        raise ModelError("no-joint-alike", where=f"{a.model.name} and {b.model.name}")
    pairs = tuple((name, best[name]) for name in ours.bodies if name in best)
    if how:
        one, other = _label(ours.bodies[pairs[0][0]]), _label(theirs.bodies[pairs[0][1]])
        how = note("paired-as", how=how, one=one, other=other) if one != other else how
    met = set(best.values())
    extra_a = tuple(name for name in ours.bodies if name not in best)
    return Pairing(pairs, extra_a, tuple(name for name in theirs.bodies if name not in met), how)


def _label(body: Body) -> str:
    return body.joint.name or body.name


def _by_names(a: _Tree, b: _Tree) -> tuple[Pairs, str]:
    """Returns the pairs by those names that pair most joints, and the sentence that says by which names."""
    joint: Callable[[Body], str] = lambda body: body.joint.name  # noqa: E731
    link: Callable[[Body], str] = lambda body: body.name  # noqa: E731
    coordinate: Callable[[Body], str] = lambda body: str(body.joint.coordinate) if body.joint.leads else ""  # noqa: E731
    best: tuple[Pairs, str] = ({}, "")
    for text, key in (("", joint), (note("paired-by-links"), link)):
        pairs = _consistent(_met(_keys(a, key), _keys(b, key)), a, b)
        if len(pairs) > len(best[0]):
            same = all(joint(a.bodies[x]) == joint(b.bodies[y]) for x, y in pairs.items())
            best = pairs, "" if same else text
    if any(joint(body) for tree in (a, b) for body in tree.bodies.values()):
        looser: tuple[Callable[[Body], str], ...] = (joint, link)
    else:
        looser = (coordinate, link)
    for key in looser:
        pairs = _consistent(_met(_stems(_keys(a, key)), _stems(_keys(b, key))), a, b)
        if len(pairs) > len(best[0]):
            best = pairs, note("paired-by-parts-of-names")
    return best


def _keys(tree: _Tree, key: Callable[[Body], str]) -> dict[str, str]:
    return {name: key(body) for name, body in tree.bodies.items() if key(body)}


def _met(a: dict[str, str], b: dict[str, str]) -> Pairs:
    """Returns pairs of names with the same key; a key that several names of one arm have gives no pair."""
    once = [{key: name for name, key in side.items() if list(side.values()).count(key) == 1} for side in (a, b)]
    return {name: once[1][key] for key, name in once[0].items() if key in once[1]}


def _stems(keys: dict[str, str]) -> dict[str, str]:
    """Returns the names as words of small letters and numbers, without words that most names begin or end with."""
    words = {name: _words(key) for name, key in keys.items()}
    for end in (0, -1):
        while len(words) > 1 and (shared := _shared(words, end)):
            words = {name: _stripped(each, shared, end) for name, each in words.items()}
    return {name: stem for name, each in words.items() if (stem := " ".join(w for w in each if w not in KINDS))}


def _words(key: str) -> list[str]:
    """Returns the words of a name: "panda_joint1" as panda, joint, 1; "j2s6s200_joint_1" as j2s6s200, joint, 1."""
    return [word for part in re.findall(r"[a-z0-9]+", key.lower()) for word in _split(part)]


def _split(part: str) -> tuple[str, ...]:
    numbered = re.fullmatch(r"([a-z]+)(\d+)", part)
    return numbered.groups() if numbered else (part,)


def _shared(words: dict[str, list[str]], end: int) -> str:
    """Returns the word that most names have at one end; a number only if all names have it."""
    count = Counter(each[end] for each in words.values() if each)
    word, times = count.most_common(1)[0] if count else ("", 0)
    enough = len(words) if word.isdigit() else len(words) // 2 + 1
    return word if times >= enough else ""


def _stripped(words: list[str], word: str, end: int) -> list[str]:
    if not words or words[end] != word:
        return words
    return words[1:] if end == 0 else words[:-1]


def _consistent(pairs: Pairs, a: _Tree, b: _Tree) -> Pairs:
    """Returns the pairs of one kind of joint, without followers of joints that are not paired."""
    matching = {x: y for x, y in pairs.items() if a.kind(x) == b.kind(y)}
    leader = [{str(body.joint.coordinate): n for n, body in t.bodies.items() if body.joint.leads} for t in (a, b)]

    def follows(x: str, y: str) -> bool:
        p, q = a.bodies[x].joint, b.bodies[y].joint
        if p.leads:
            return True
        return a.ratios[x] == b.ratios[y] and matching.get(leader[0][str(p.coordinate)]) == leader[1][str(q.coordinate)]

    return {x: y for x, y in matching.items() if follows(x, y)}


def _misfits(pairs: Pairs, a: _Tree, b: _Tree) -> int:
    """Returns how many paired joints lie differently relative to what carries them, or hang on another joint."""
    wrong = 0
    for x, y in pairs.items():
        above = a.parent[x]
        if above is None or above not in pairs:
            continue
        if pairs[above] != b.parent[y]:
            wrong += 1
        elif x in a.shape and y in b.shape:
            wrong += any(abs(p - q) > ALIKE for p, q in zip(a.shape[x], b.shape[y], strict=True))
    return wrong


def _merit(pairs: Pairs, a: _Tree, b: _Tree) -> float:
    return len(pairs) - 1.5 * _misfits(pairs, a, b)


def _by_structure(a: _Tree, b: _Tree) -> Pairs:
    """Returns pairs from the base outward; one arm may have a few more joints at its root."""
    starts = [(roots, b.children[None]) for roots in _starts(a)] + [(a.children[None], r) for r in _starts(b)[1:]]
    candidates = [_matched(ours, theirs, a, b) for ours, theirs in starts]
    return max(candidates, key=lambda pairs: _merit(pairs, a, b))


def _starts(tree: _Tree) -> list[list[str]]:
    roots = [tree.children[None]]
    while len(roots) <= SKIPPED and len(roots[-1]) == 1 and tree.children[roots[-1][0]]:
        roots.append(tree.children[roots[-1][0]])
    return roots


def _matched(ours: Sequence[str], theirs: Sequence[str], a: _Tree, b: _Tree) -> Pairs:
    """Returns pairs of the children of two paired joints: the same kind, alike in place and in what they carry."""

    def unlike(x: str, y: str) -> float:
        if a.kind(x) != b.kind(y):
            return 100.0
        shape = zip(a.shape.get(x, ()), b.shape.get(y, ()), strict=False)
        return sum(abs(p - q) > ALIKE for p, q in shape) + 0.1 * abs(a.size(x) - b.size(y))

    few, many = sorted((ours, theirs), key=len)
    swapped = few is not ours
    cost = (lambda x, y: unlike(y, x)) if swapped else unlike
    if len(many) <= 6:
        ways: Iterable[Sequence[str]] = permutations(many, len(few))
    else:
        ways = [many[: len(few)]]
    best = min(ways, key=lambda way: sum(cost(x, y) for x, y in zip(few, way, strict=True)))
    pairs: Pairs = {}
    for x, y in zip(few, best, strict=True):
        if cost(x, y) < 100:
            one, other = (y, x) if swapped else (x, y)
            pairs |= {one: other, **_matched(a.children[one], b.children[other], a, b)}
    return pairs


def _filled(best: Pairs, placed: Pairs, a: _Tree, b: _Tree) -> Pairs:
    """Returns the pairs and those that structure adds: similar neighbours of paired joints."""
    met, best_of = set(best.values()), dict(best)
    for x, y in placed.items():
        above = a.parent[x]
        hangs = above is not None and best_of.get(above) == b.parent[y]
        alike = all(abs(p - q) < ALIKE for p, q in zip(a.shape.get(x, ()), b.shape.get(y, ()), strict=False))
        if x not in best_of and y not in met and hangs and alike:
            best_of[x] = y
            met.add(y)
    return best_of


def without(model: Model, names: Sequence[str]) -> Model:
    """Returns the model with these joints held at zero."""
    if not names:
        return model
    stuck = {model.body(name).joint.coordinate for name in names if model.body(name).joint.leads}
    still = set(names) | {body.name for body in model.bodies if body.joint.coordinate in stuck}
    bodies = [replace(body, joint=_fixed(body.joint)) if body.name in still else body for body in model.bodies]
    left = tuple(name for name in model.coordinates if name not in stuck)
    return with_fewer(model, bodies, left)


def _fixed(joint: Joint) -> Joint:
    return Joint("fixed", joint.parent, joint.axis, joint.placement, joint.offset, name=joint.name)
