"""Compares two models of one arm: where their descriptions and equations differ, and which confusion explains it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import partial
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import vector
from qddot.base import html
from qddot.base.errors import EvaluationError, ModelError, few, shortened
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Following, Message, Told, Words, say
from qddot.formats.shared.compound_joints import in_coordinates
from qddot.inspect.comparison.differences import Difference, differences, marked
from qddot.inspect.comparison.differing_terms import DifferingEntry, differing_terms
from qddot.inspect.comparison.explain import Explained, explained, tool_moved
from qddot.inspect.comparison.findings import Finding
from qddot.inspect.comparison.pairing import Pairing, paired, without
from qddot.inspect.comparison.places import Array
from qddot.inspect.comparison.remaining import CLOSE, carried
from qddot.inspect.comparison.rotors import of_rotors
from qddot.inspect.comparison.snapshot import Snapshot, shared_values
from qddot.inspect.comparison.zero_pose import ZeroPose
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.physics.of_model import has_bodies
from qddot.physics.systems import ClosedSystem
from qddot.robot.joints.refused import refuse_several
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.notes import note

STATES, SEED, OTHER_DRAW = 4, 1, (1,)
FEW = 2  # states in which the effect of each remaining quantity is measured
ROUNDING = 1e-13  # of the natural size: an entry that is zero in one description may be a rounding error in the other
UNDONE = 1e-6  # M, C and G must agree to this for the findings to explain the differences
QUANTITIES = ("M", "C", "G")
TITLES: tuple[Words, ...] = (say("title-joint"), say("title-quantity"), "A", "B", say("title-changes"))
LEGEND = (say("units-of-differences"), say("changes-of-differences"))
EquationsInState = Callable[[Array, Array], tuple[Array, Array, Array]]


@record()
class Explanation:
    """An explanation names the confusions that make the equations agree once they are corrected."""

    confusion: str
    text: str


@record()
class Comparison:
    """A comparison of two models of one arm, A and B, is true if they agree.

    differences: those of the descriptions, in the base frame at q = 0
    worst: the largest difference of M, C and G divided by the largest entry, in random states
    at: the same at the coordinates that the user gave, with all rates 1
    findings: what was confused; each is named only if its correction in B removes differences
    remaining: other differences; undone: as worst, with the findings corrected
    explanation: the findings, if they explain the equations; notes: symbols without a value …
    entries: of M, C and G that differ, with their terms, where both arms are short and have the same symbols
    drawn: the arbitrary numbers of symbols without values, on which no finding depends
    """

    a: str
    b: str
    differences: tuple[Difference, ...]
    worst: dict[str, float]
    at: dict[str, float] | None = None
    explanation: Explanation | None = None
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    remaining: tuple[Difference, ...] = ()
    undone: dict[str, float] | None = None
    entries: tuple[DifferingEntry, ...] = ()
    drawn: Mapping[str, float] = field(default_factory=dict)

    @property
    def equations_agree(self) -> bool:
        """Returns whether M, C and G agree."""
        return agree(self.worst)

    def __bool__(self) -> bool:
        return self.equations_agree and not self.differences

    def __str__(self) -> str:
        return "\n".join([*self.summary(), *("  ".join(each.row()).strip() for each in self.remaining)])

    def summary(self) -> list[str]:
        """Returns lines with the verdicts on the descriptions and the equations, and what explains them."""
        count = len(self.differences)
        described = say("descriptions-differ", count=count) if count else say("descriptions-agree")
        verdict = "equations-agree" if self.equations_agree else "equations-differ"
        lines: list[Message | str] = [say("compared-arms", a=self.a, b=self.b, described=described), *self.notes]
        lines.append(say(verdict, sizes=_sizes(self.worst)))
        if self.at is not None:
            lines.append(say("at-the-given-q", sizes=_sizes(self.at)))
        lines += [f"  {entry}" for entry in self.entries]
        lines += [f"• {finding}" for finding in self.findings]
        if self.explanation is not None:
            lines.append(say("agree-once-corrected", count=len(self.findings), sizes=_sizes(self.undone or {})))
        elif not self.equations_agree and not (self.findings and self.undone is None):
            lines.append(say("explained-in-part") if self.findings else say("nothing-explains"))
        return list(map(str, lines))

    @property
    def left(self) -> tuple[Difference, ...]:
        """Returns the differences that no finding explains; each has a row below the TITLES."""
        return self.remaining if self.findings or self.remaining else self.differences

    def __repr__(self) -> str:
        verdicts = ("descriptions", not self.differences), ("equations", self.equations_agree)
        verdict = ", ".join(f"{what} {'agree' if same else 'differ'}" for what, same in verdicts)
        return f"<comparison of {self.a} and {self.b}: {verdict}>"

    def _repr_html_(self) -> str:
        rows = [each.row() for each in self.left]
        legend = LEGEND if rows else ()
        return html.block(html.lines(self.summary()), html.table(TITLES, rows), html.notes(legend))

    @in_english
    def to_json(self) -> str:
        """Returns all of it as JSON that begins with `agree`."""
        verdicts = {"agree": bool(self), "equations_agree": self.equations_agree}
        return json.dumps({**verdicts, **asdict(self)}, indent=2, ensure_ascii=False)


def _sizes(worst: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.2g}" for name, size in worst.items())


def agree(worst: dict[str, float]) -> bool:
    return all(size <= CLOSE for size in worst.values())


def diff(a: NumericSystem, b: NumericSystem, at: Any = None) -> Comparison:
    """Returns the comparison of two models of one arm or closed chain, which may be in different conventions.

    M, C and G are always compared in random states, and, if `at` is given, also there, with all rates 1.
    at: one number for each coordinate of `a` whose joint has a partner, in its order; it cannot be given if an arm has
    a free or spherical joint

    For the comparison a free joint is replaced by six joints with one coordinate each, and a spherical one by three,
    such that at q = 0 their rates are its velocities. Joints are paired by their names, else by common parts of names,
    else by structure; a joint without a partner is held at zero. Of closed chains, M, C and G are those of the links
    without loops; loops and wheels are paired by the links that they hold, else by names, and compared, too.
    raises ModelError: no joint can be paired; EvaluationError: `a` or `b` is neither a Robot nor a closed chain, only
    one is a closed chain, or `at` is not one finite number for each paired coordinate
    """
    for arm in (a, b):
        if not isinstance(arm, NumericSystem):
            raise EvaluationError("not-a-robot", arm=shortened(arm))
        if arm.system.tree.freedoms and at is not None:
            refuse_several(arm.system.tree, say("a-comparison-at-q"), say("random-states"))
    chains = [arm.system for arm in (a, b) if isinstance(arm.system, ClosedSystem)]
    if len(chains) == 1:
        tree = next(arm for arm in (a, b) if arm.system not in chains)
        raise EvaluationError("chain-against-tree", chain=chains[0].name, tree=tree.name)
    ours, theirs = a.system.tree, b.system.tree
    compared = partial(_compared, in_coordinates(ours), in_coordinates(theirs), at, chains)
    comparison = compared()
    if comparison.drawn:
        comparison = _independent(comparison, compared(OTHER_DRAW))
    return comparison if comparison.equations_agree else replace(comparison, entries=differing_terms(ours, theirs))


def _independent(comparison: Comparison, other: Comparison) -> Comparison:
    """Returns a comparison without what follows from arbitrary numbers alone, and with marks at numbers that do.

    other: the same with other arbitrary numbers
    """
    if [str(each) for each in comparison.findings] != [str(each) for each in other.findings]:
        notes = (*comparison.notes, note("findings-need-values"))
        comparison = replace(
            comparison, findings=(), remaining=comparison.differences, explanation=None, undone=None, notes=notes
        )
    others = (*other.remaining, *other.differences)
    return replace(
        comparison,
        differences=marked(comparison.differences, others),
        remaining=marked(comparison.remaining, others),
    )


def _compared(a: Model, b: Model, at: Any, chains: Sequence[ClosedSystem], draw: Sequence[int] = ()) -> Comparison:
    """Returns the comparison in numbers.

    chains: those whose links a and b are, if they are closed; draw: which arbitrary numbers to take
    """
    values_a, values_b, drawn = shared_values(a, b, draw)
    closures = [chain.model.closures for chain in chains] or [(), ()]
    whole_a = Snapshot.of(a, values_a, closures=closures[0])
    whole_b = Snapshot.of(b, values_b, closures=closures[1])
    pairing = paired(whole_a, whole_b)
    by_entries = not (has_bodies(a) and has_bodies(b))
    if by_entries and (pairing.extra_a or pairing.extra_b):
        raise ModelError("entries-of-other-size", ours=a.n, theirs=b.n)
    ours = whole_a.read(without(a, pairing.extra_a))
    theirs = whole_b.read(without(b, pairing.extra_b))
    arms = _arms(pairing, ours, theirs)
    spinning = any(len(model.links) < len(model.bodies) for model in (a, b))
    by_states = by_entries or spinning
    equations = _equations(ours, theirs, pairing) if by_states else tuple(arm.equations for arm in arms)
    states = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (2, STATES, ours.model.n))
    worst = relative_differences(arms, equations, *states)
    there = None
    if at is not None:
        q = vector(at, "at", ours.model.n, error=EvaluationError)
        there = relative_differences(arms, equations, q[None], np.ones((1, ours.model.n)))
    lacking = tuple(
        note("of-arm", name=name, line=line) for name, arm in (("A", a), ("B", b)) for line in sentences(arm.left_out)
    )
    closed = _closed_notes(pairing, a, b, chains) if chains else ()
    notes, (findings, extra) = (*lacking, *_notes(pairing, by_entries, drawn), *closed), _extra(a, b, pairing)
    turned, rotors = of_rotors(whole_a, whole_b, pairing.pairs)
    findings, listed = [*findings, *turned], [*rotors, *differences(*arms, by_entries)]
    comparison = Comparison(
        a.name, b.name, (*extra, *listed), worst, there, notes=notes, findings=tuple(findings), drawn=drawn
    )
    if by_states or (not listed and agree(worst)):
        return replace(comparison, findings=(*findings, *tool_moved(*arms)))
    return _explained(comparison, explained(ours, theirs, partial(_arms, pairing)), states)


def _explained(unexplained: Comparison, best: Explained, states: Array) -> Comparison:
    """Returns the comparison with its findings, and the effect of each remaining quantity."""
    undone = relative_differences((best.a, best.b), (best.a.equations, best.b.equations), *states)
    few = states[:, :FEW]
    before = best.a.equations(*few)
    remaining = tuple(
        Difference(rest.place, rest.what, rest.a, rest.b, carried(best.a, rest, few, before)) for rest in best.rest
    )
    findings = (*unexplained.findings, *best.findings)
    carries = any(each.entries for each in remaining)
    explanation = None
    if not unexplained.equations_agree and findings and not carries and all(x <= UNDONE for x in undone.values()):
        names = dict.fromkeys(finding.cause for finding in best.findings)
        texts = Following(finding.text if finding.everywhere else finding.sentence for finding in best.findings)
        explanation = Explanation(", ".join(names), Told(texts))
    return replace(unexplained, explanation=explanation, findings=findings, remaining=remaining, undone=undone)


def _arms(pairing: Pairing, a: Snapshot, b: Snapshot) -> tuple[ZeroPose, ZeroPose]:
    """Returns both arms with their nodes in one order and A's coordinates."""
    own = {link.name: link for link in a.home.links}
    dofs = [int(own[name].dof or 0) for name, _ in pairing.pairs]
    names = [list(side) for side in zip(*pairing.pairs, strict=True)]
    return ZeroPose.of(a, names[0], dofs), ZeroPose.of(b, names[1], dofs)


def _equations(a: Snapshot, b: Snapshot, pairing: Pairing) -> tuple[EquationsInState, ...]:
    """Returns the functions for M, C and G of both, in A's order, where one has equations entry by entry."""
    rows = [{link.name: link.dof for link in arm.home.links if link.ratio is None} for arm in (a, b)]
    pairs = [(rows[0][x], rows[1][y]) for x, y in pairing.pairs if x in rows[0]]
    order = [int(j or 0) for _, j in sorted(pairs, key=lambda pair: int(pair[0] or 0))]
    place = np.argsort(order)

    def of_b(q: Array, qd: Array) -> tuple[Array, Array, Array]:
        M, C, G = b.equations(q[:, place], qd[:, place])
        return M[:, order][:, :, order], C[:, order][:, :, order], G[:, order]

    return a.equations, of_b


def _notes(pairing: Pairing, by_entries: bool, drawn: Mapping[str, float]) -> tuple[str, ...]:
    notes: tuple[str, ...] = (pairing.how,) if pairing.how else ()
    if by_entries:
        notes += (note("no-inertias-to-compare"),)
    if drawn:
        values = few([f"{name} = {number:.6g}" for name, number in drawn.items()])
        notes += (note("arbitrary-numbers", values=values),)
    return notes


def _closed_notes(pairing: Pairing, a: Model, b: Model, chains: Sequence[ClosedSystem]) -> tuple[str, ...]:
    """Returns what M, C and G are of closed chains, and which coordinates are independent if others are in B."""
    notes: tuple[str, ...] = (note("equations-of-links-alone"),)
    joints = [(a.body(ours).joint, b.body(theirs).joint) for ours, theirs in pairing.pairs]
    partner = {other.coordinate: str(one.coordinate) for one, other in joints}
    ours, theirs = (chain.rates for chain in chains)
    if {partner.get(name, name) for name in theirs} != set(ours):
        notes += (note("independent-in-both", a=", ".join(ours), b=", ".join(theirs)),)
    return notes


def _extra(a: Model, b: Model, pairing: Pairing) -> tuple[list[Finding], list[Difference]]:
    """Returns joints without a partner, as findings and as differences."""
    findings, differing, none = [], [], note("none-there")
    for who, other, arm, extra in (("A", "B", a, pairing.extra_a), ("B", "A", b, pairing.extra_b)):
        names = [arm.body(name).joint.name or name for name in extra]
        if names:
            text = note("joints-of-one-alone", count=len(names), who=who, names=few(names, 12), other=other)
            findings.append(Finding("extra joints", text))
        for link, name in zip(extra, names, strict=True):
            differing.append(Difference(link, "joint", *((name, none) if who == "A" else (none, name))))
    return findings, differing


def relative_differences(
    arms: tuple[ZeroPose, ZeroPose], equations: Sequence[EquationsInState], q: Array, qd: Array
) -> dict[str, float]:
    """Returns the largest |A − B| of M, C and G divided by the largest entry; q, qd: (k, n), in A's order."""
    ours, theirs = (each(q, qd) for each in equations)
    relative = {}
    for name, x, y, natural in zip(QUANTITIES, ours, theirs, _natural(arms[0], ours[0], qd), strict=True):
        largest, difference = max(np.abs(x).max(), np.abs(y).max()), np.abs(x - y).max()
        relative[name] = float(difference / largest) if difference > ROUNDING * natural else 0.0
    return relative


def _natural(arm: ZeroPose, M: Array, qd: Array) -> tuple[float, float, float]:
    """Returns the sizes with which rounding in M, C and G is compared: M, M q̇, and |g| m max(1, L)."""
    inertia = float(np.abs(M).max())
    length = max(1.0, max(float(np.abs(node.total.c).max()) for node in arm.nodes))
    weight = sum(abs(node.total.m) for node in arm.nodes) * float(np.linalg.norm(arm.gravity))
    return inertia, inertia * float(np.abs(qd).max()), weight * length
