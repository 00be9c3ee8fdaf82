"""Explains the links' masses, centres of mass and tensors, one quantity after another, over all links at once.

A cause that many links share is preferred to one that explains only one link.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qddot.base.errors import few
from qddot.inspect.comparison.causes import links
from qddot.inspect.comparison.findings import Finding, rounded_digits
from qddot.inspect.comparison.inertias import Clue, Key, centres, masses, tensors
from qddot.inspect.comparison.remaining import CLOSE, Rest, added, placed
from qddot.inspect.comparison.zero_pose import NUMBERS, MovingJoint, PosedBody, ZeroPose, united
from qddot.robot.notes import note

CONFUSED = 1e-6  # smaller differences are rounding, not a confusion
MOST_PARTS = 8  # fixed links on one joint whose subsets are all tried


def bodies_explained(a: ZeroPose, b: ZeroPose) -> tuple[ZeroPose, list[Finding], list[Rest]]:
    """Returns B with its links corrected, the causes, and the remaining differences."""
    bare, b, lent, findings = _dropped(a, b)
    described = [node.parts for node in b.nodes]
    for what, clues in (("mass", masses), ("centre of mass", centres), ("inertia", None)):
        candidates: dict[int, list[Clue]] = {}
        for link in links(bare, b):
            if _differs(a, link.a.total, link.b.total, what, CONFUSED):
                candidates[link.k] = list(tensors(link, described[link.k]) if clues is None else clues(link))
        b, causes = _chosen(bare, b, candidates)
        findings += causes
    for k, parts in lent.items():
        b = b.with_parts(k, (*b.nodes[k].parts, *parts))
    findings += [*_placeholders("A", a, b), *_placeholders("B", b, a)]
    return _rounded(a, b, findings)


def _placeholders(who: str, arm: ZeroPose, other: ZeroPose) -> list[Finding]:
    """Returns a finding if three links or more each have equal inertias about all axes, and not in the other arm."""
    where = []
    for k, node in enumerate(arm.nodes):
        I, J = node.parts[0].I, other.nodes[k].total.I
        even = I[0, 0] > 0 and np.abs(I - I[0, 0] * np.eye(3)).max() < CONFUSED * I[0, 0]
        if even and np.abs(J - J[0, 0] * np.eye(3)).max() > CONFUSED * np.abs(J).max():
            where.append(placed(arm, k))
    text = note("placeholder-inertia", who=who)
    return [Finding("placeholder inertia", text, tuple(where))] if len(where) > 2 else []


def _differs(a: ZeroPose, x: PosedBody, y: PosedBody, what: str, close: float = CLOSE) -> bool:
    heaviest = max(node.total.m for node in a.nodes) or 1.0
    if what == "mass":
        return abs(x.m - y.m) > close * max(heaviest if close == CLOSE else 0.0, abs(x.m), abs(y.m))
    if what == "centre of mass":
        return bool(x.m and y.m and np.abs(x.c - y.c).max() > close * a.length)
    sizes = float(np.abs(x.I).max()), float(np.abs(y.I).max())
    natural = CLOSE * max(sizes[1], heaviest * a.length**2)
    return bool(np.abs(x.I - y.I).max() > (natural if close == CLOSE else max(natural, close * max(sizes))))


def _dropped(a: ZeroPose, b: ZeroPose) -> tuple[ZeroPose, ZeroPose, dict[int, tuple[PosedBody, ...]], list[Finding]]:
    """Returns both arms without the fixed links that only one has, those of A by node, and the causes."""
    lent: dict[int, tuple[PosedBody, ...]] = {}
    lacking: dict[str, list[str]] = {"A": [], "B": []}
    for k, (one, other) in enumerate(zip(a.nodes, b.nodes, strict=True)):
        if not _differs(a, one.total, other.total, "mass"):
            continue
        only_a, only_b = _surplus(a, one, other)
        lacking["B"] += [part.name for part in only_a]
        lacking["A"] += [part.name for part in only_b]
        b = b.with_parts(k, [part for part in other.parts if part not in only_b])
        if only_a:
            a = a.with_parts(k, [part for part in one.parts if part not in only_a])
            lent[k] = only_a
    findings = [
        Finding(
            "fixed links dropped",
            note("fixed-links-dropped", who=who, names=few(lacking[who]), other=other),
        )
        for who, other in (("B", "A"), ("A", "B"))
        if lacking[who]
    ]
    return a, b, lent, findings


def _surplus(a: ZeroPose, one: MovingJoint, other: MovingJoint) -> tuple[tuple[PosedBody, ...], tuple[PosedBody, ...]]:
    """Returns the fixed parts of each node that the other lacks, or none where they do not explain the difference.

    Where the links themselves are equal, these are the parts without an equal in the other node. Else they are a few
    parts of one node without which mass and centre of mass agree.
    """
    if _equal(a, one.parts[0], other.parts[0]):
        return _without_equal(a, one, other), _without_equal(a, other, one)
    for more, less in ((one, other), (other, one)):
        fixed = [part for part in more.parts[1:] if not part.empty][:MOST_PARTS]
        for count in range(1, len(fixed) + 1):
            for extra in combinations(fixed, count):
                left = united([part for part in more.parts if part not in extra])
                if left.m and not any(_differs(a, left, less.total, what) for what in ("mass", "centre of mass")):
                    return (extra, ()) if more is one else ((), extra)
    return (), ()


def _equal(a: ZeroPose, one: PosedBody, other: PosedBody) -> bool:
    x, y = united([one]), united([other])
    return not any(_differs(a, x, y, what) for what in NUMBERS)


def _without_equal(a: ZeroPose, one: MovingJoint, other: MovingJoint) -> tuple[PosedBody, ...]:
    """Returns the fixed parts of one node that the other does not have."""
    fixed = [part for part in one.parts[1:] if not part.empty]
    return tuple(part for part in fixed if not any(_equal(a, part, own) for own in other.parts[1:]))


def _chosen(a: ZeroPose, b: ZeroPose, candidates: dict[int, list[Clue]]) -> tuple[ZeroPose, list[Finding]]:
    """Returns B with the cheapest cause corrected on each link; a cause that explains several links costs once."""
    open_links, places = dict(candidates), dict[tuple[str, str], list[int]]()
    massive = sum(node.total.m > 0 for node in a.nodes)
    while open_links:
        by_key: dict[Key, list[int]] = {}
        price: dict[Key, float] = {}
        for k, clues in open_links.items():
            for clue in clues:
                if k not in by_key.setdefault(clue.key, []):
                    by_key[clue.key].append(k)
                price[clue.key] = min(clue.cost, price.get(clue.key, np.inf))
        if not by_key:
            break
        best = min(by_key, key=lambda key: (price[key] / len(by_key[key]) + 0.3 * price[key], str(key)))
        served = by_key[best]
        clues_of = {k: min((c for c in open_links[k] if c.key == best), key=lambda c: c.cost) for k in served}
        if not (len(served) > 2 or len(served) == massive > 1 or clues_of[served[0]].alone):
            open_links = {k: [clue for clue in clues if clue.key != best] for k, clues in open_links.items()}
            continue
        for k in served:
            b = b.with_parts(k, clues_of[k].parts)
            del open_links[k]
        for named in clues_of[served[0]].texts:
            places.setdefault(named, []).extend(served)
    return b, [
        Finding(name, text, tuple(placed(a, k) for k in sorted(where)), len(where) == len(candidates) > 1)
        for (name, text), where in places.items()
    ]


def _rounded(a: ZeroPose, b: ZeroPose, findings: list[Finding]) -> tuple[ZeroPose, list[Finding], list[Rest]]:
    """Returns B with A's numbers, and what they replaced: rounded numbers as a finding, others as rest."""
    rest: list[Rest] = []
    met: dict[str, int] = {}
    described = b.nodes
    for k in range(len(a.nodes)):
        for what in NUMBERS:
            x, y = a.nodes[k].total, b.nodes[k].total
            if not _differs(a, x, y, what):
                continue
            digits = rounded_digits(*_numbers(a.nodes[k], described[k], what))
            if digits is None:
                digits = rounded_digits(NUMBERS[what](x), NUMBERS[what](y))
            if digits is None:
                rest.append(
                    Rest(placed(a, k), what, NUMBERS[what](x), NUMBERS[what](y), added(k, _merged(x, y, what), x))
                )
            else:
                met[placed(a, k)] = min(digits, met.get(placed(a, k), 99))
            b = b.with_parts(k, (_merged(y, x, what),))
    if met:
        text = note("bodies-rounded", digits=min(met.values()))
        findings = [*findings, Finding("rounding", text, tuple(met), len(met) == len(a.nodes))]
    return b, findings, rest


def _numbers(one: MovingJoint, other: MovingJoint, what: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns the numbers as in the files where both have one frame, else along the base's axes."""
    same = len(one.parts) == len(other.parts) == 1 and np.abs(one.frame.R - other.frame.R).max() < 1e-3
    x, y = (one.parts[0], other.parts[0]) if same else (one.total, other.total)
    return NUMBERS[what](x), NUMBERS[what](y)


def _merged(one: PosedBody, other: PosedBody, what: str) -> PosedBody:
    """Returns one part with another's mass, centre of mass or tensor."""
    m, I = other.m if what == "mass" else None, other.I if what == "inertia" else None
    return one.changed(m, other.c if what == "centre of mass" or not one.m else None, I)
