"""Measures the differences that no cause explains: the quantity, both values, and its effect on M, C and G."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from qddot.base.records import record
from qddot.inspect.comparison.places import Array
from qddot.inspect.comparison.zero_pose import PosedBody, ZeroPose
from qddot.robot.notes import note

CLOSE = 1e-9  # of the largest length, mass, inertia …: above rounding errors, below the last digit in a file
Value: TypeAlias = "tuple[float, ...] | str"
Changes: TypeAlias = "tuple[Array, Array, Array]"
LISTED = {"M": 2, "C": 1, "G": 2}  # how many entries are named


@record()
class Rest:
    """This is one quantity that no cause explains.

    felt: the function from states to the changes of M, C and G; None for a quantity that changes none of them
    """

    place: str
    what: str
    a: Value
    b: Value
    felt: Callable[[ZeroPose, Array, Array], Changes] | None


@record()
class Carried:
    """This is the change of an entry of M, C or G by one quantity, relative to the entry's largest value."""

    entry: str
    share: float

    def __str__(self) -> str:
        return f"{self.entry} {percent(self.share)}"


def percent(share: float) -> str:
    """Returns "12 %", or "× 30" for more than ten times."""
    if share > 9.995:
        return f"× {share:.3g}"
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"


def motor_text(has_one: bool) -> str:
    """Returns the word by which a table says whether a joint has a motor."""
    return note("motor-there" if has_one else "none-there")


def kind_text(turns: bool) -> str:
    """Returns the word by which a table says whether a joint turns or slides."""
    return note("turning-joint" if turns else "sliding-joint")


def placed(arm: ZeroPose, k: int) -> str:
    """Returns the joint's number and its link's name."""
    node = arm.nodes[k]
    return f"{node.dof + 1} {node.link}" if node.ratio is None else node.link


def changed(change: Callable[[ZeroPose], ZeroPose]) -> Callable[[ZeroPose, Array, Array], Changes]:
    """Returns the function from states to the changes of M, C and G when A is replaced by the changed arm."""

    def felt(arm: ZeroPose, q: Array, qd: Array) -> Changes:
        before, after = arm.equations(q, qd), change(arm).equations(q, qd)
        return after[0] - before[0], after[1] - before[1], after[2] - before[2]

    return felt


def added(k: int, more: PosedBody, less: PosedBody) -> Callable[[ZeroPose, Array, Array], Changes]:
    """Returns a function for the changes of M, C and G when `more` replaces `less` on link k.

    M, C and G are linear in the inertia, which affects only the joints between the base and the link.
    """
    gap = PosedBody(more.name, more.frame, more.m - less.m, more.h - less.h, more.J - less.J)

    def felt(arm: ZeroPose, q: Array, qd: Array) -> Changes:
        path = arm.path(k)[::-1]
        dofs = sorted({arm.nodes[j].dof for j in path})
        nodes = [
            replace(
                arm.nodes[j],
                dof=dofs.index(arm.nodes[j].dof),
                parent=path.index(j) - 1 if j != path[0] else None,
                parts=(gap if j == k else replace(gap, m=0.0, h=0 * gap.h, J=0 * gap.J),),
            )
            for j in path
        ]
        bare = {what: np.zeros(len(dofs)) for what in arm.effects}
        small = replace(arm, nodes=tuple(nodes), effects=bare, limits=((),) * len(dofs))
        M, C, G = small.equations(q[:, dofs], qd[:, dofs])
        whole = [np.zeros((len(q), *shape)) for shape in ((arm.n, arm.n), (arm.n, arm.n), (arm.n,))]
        whole[0][:, np.ix_(dofs, dofs)[0], np.ix_(dofs, dofs)[1]] = M
        whole[1][:, np.ix_(dofs, dofs)[0], np.ix_(dofs, dofs)[1]] = C
        whole[2][:, dofs] = G
        return whole[0], whole[1], whole[2]

    return felt


def carried(a: ZeroPose, rest: Rest, states: Array, before: Sequence[Array]) -> tuple[Carried, ...]:
    """Returns the entries of M, C and G that a quantity changes most in these states."""
    if rest.felt is None:
        return ()
    carried_entries: list[Carried] = []
    for name, x, change in zip("MCG", before, rest.felt(a, states[0], states[1]), strict=True):
        gap, size = np.abs(change).max(axis=0), np.abs(x).max(axis=0)
        if gap.max(initial=0) < CLOSE * max(float(size.max(initial=0)), 1e-12):
            continue
        there = size > 1e-9 * size.max(initial=0)  # where A has more than a rounding error
        share = np.where((gap > 0.1 * gap.max()) & there, gap / np.where(there, size, 1.0), 0.0)
        if name == "M":
            share = np.triu(share)
        for place in np.argsort(-share, axis=None, kind="stable")[: LISTED[name]]:
            index = tuple(int(i) for i in np.unravel_index(int(place), share.shape))
            if share[index] > 0:
                carried_entries.append(Carried(_entry(name, index, a.n), float(share[index])))
    return tuple(carried_entries)


def _entry(name: str, index: Sequence[int], n: int) -> str:
    return name + ("," if n > 9 else "").join(str(k + 1) for k in index)
