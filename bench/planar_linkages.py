"""Compares random planar linkages on random bases that move with Lagrange multipliers by MuJoCo's M, bias and A.

    python bench/planar_linkages.py          200 of them; takes some ten minutes, of which most open and compile them
    python bench/planar_linkages.py 30 7     30 of them, from seed 7 on

The kinds are four-bars, slider-cranks, five-bars and six-bars with lengths, masses, centres of mass and inertias at
random, on a swing axis, on two, on a slide, on a ball and on a free body. Each is opened from the same MJCF by both,
and compared in generic closed configurations: mobility, the motions u ↦ q̇, M and the bias along them, q̈ for random
torques, the forces of the loops Aᵀ λ, and the torques of the motion. Errors are relative to the largest entry. Where
Pinocchio is installed, the last column compares q̈ with its constraintDynamics, for a model built body by body.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from linkages.random_planar import Linkage, random_linkages
from multipliers import Peer
from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain

CLOSE, STATES, REACH = 1e-8, 3, 0.25
OPENING = "s to open"
NAMES = ("q̇", "M", "bias", "q̈", "Aᵀλ", "τ")
PINOCCHIO = find_spec("pinocchio") is not None


class State(NamedTuple):
    q: Any
    qd: Any
    tau: Any


def opened(linkage: Linkage, folder: Path) -> ClosedChain:
    file = folder / "linkage.xml"
    file.write_text(linkage.mjcf(), encoding="utf-8")
    return qddot.load_closed_chain(file)


def states(chain: ClosedChain, random: np.random.Generator, count: int = STATES) -> Iterator[State]:
    """Generic closed configurations about that of the file, with velocities and torques."""
    while count:
        guess = chain.tree.integrate(chain.tree.neutral(), random.uniform(-REACH, REACH, chain.n))
        try:
            q = chain.assemble(guess).q
        except QddotError:  # out of reach, or near a dead point
            continue
        count -= 1
        yield State(q, chain.velocities(q, random.normal(size=chain.m)), random.normal(size=chain.n))


def relative(mine: Any, right: Any) -> float:
    mine, right = np.asarray(mine), np.asarray(right)
    return float(np.abs(mine - right).max() / max(1e-3, np.abs(right).max()))


def errors(chain: ClosedChain, peer: Peer, state: State, names: Container[str] = NAMES) -> dict[str, float]:
    """The errors of a chain at a state, by the names of the quantities.

    raises AssertionError: MuJoCo's A has another rank than the chain's, or none that is clear
    """
    q, qd, tau = state
    facts = peer.facts(q, qd)
    motions, inverse, gap = facts.split()
    assert motions.shape[1] == chain.m and gap > 1e6, f"mobility {motions.shape[1]}, not {chain.m}; gap {gap:.0e}"
    own = [chain.model.tree.coordinates.index(name) for name in chain.independent]
    R = motions @ np.linalg.inv(motions[own])
    still = -inverse @ facts.drift
    still -= R @ still[own]  # the acceleration where u̇ = 0
    qdd, kept = facts.accelerations(tau), [name not in chain.redundant for name in chain.conditions]

    def bias() -> Any:
        return chain.inverse_dynamics(q, qd, chain.accelerations(q, qd, np.zeros(chain.m)))

    def forces() -> Any:
        return chain.closure(q)[1][kept].T @ chain.multipliers(q, qd, chain.forward_dynamics(q, qd, tau), tau)

    pairs: dict[str, tuple[Callable[[], Any], Any]] = {
        "q̇": (lambda: chain.velocities(q, np.eye(chain.m)).T, R),
        "M": (lambda: chain.mass_matrix(q), R.T @ facts.M @ R),
        "bias": (bias, R.T @ (facts.M @ still + facts.bias)),
        "q̈": (lambda: chain.forward_dynamics(q, qd, tau), qdd),
        "Aᵀλ": (forces, facts.M @ qdd + facts.bias - tau),
        "τ": (lambda: chain.inverse_dynamics(q, qd, qdd), R.T @ tau),
    }
    found = {name: relative(mine(), right) for name, (mine, right) in pairs.items() if name in names}
    return {"closed": facts.apart, **found}


def compared(linkage: Linkage, folder: Path, seed: int) -> dict[str, float]:
    """The largest errors of a linkage in several states. raises AssertionError: its mobility is another one"""
    elapsed = stopwatch()
    chain = opened(linkage, folder)
    worst = defaultdict[str, float](float, {OPENING: elapsed()})
    assert chain.m == linkage.mobility, f"m = {chain.m}, not {linkage.mobility}"
    peer = Peer(linkage.mjcf())
    for state in states(chain, np.random.default_rng(seed)):
        found = errors(chain, peer, state)
        if PINOCCHIO:
            from constraint_dynamics import accelerations

            found["q̈ Pinocchio"] = relative(chain.forward_dynamics(*state), accelerations(linkage, *state))
        for name, value in found.items():
            worst[name] = max(worst[name], value)
    return worst


def tabulated(rows: Mapping[str, list[dict[str, float]]]) -> Table:
    """One row for each kind and base, with the largest errors."""
    names = list(dict.fromkeys(name for found in rows.values() for each in found for name in each))
    table = Table("", "count", *names, title="planar linkages: largest errors")
    for kind, found in sorted(rows.items()):
        largest = {name: max(each[name] for each in found) for name in names}
        cells = (f"{value:.1f}" if name == OPENING else f"{value:.0e}" for name, value in largest.items())
        table.add_row(kind, str(len(found)), *cells)
    return table


def main() -> None:
    count, start = (int(given) for given in (*sys.argv[1:3], *("200", "0")[len(sys.argv) - 1 :]))
    rows, remarks = defaultdict[str, list[dict[str, float]]](list), list[str]()
    with TemporaryDirectory() as folder:
        for seed, linkage in enumerate(random_linkages(count, start), start):
            try:
                found = compared(linkage, Path(folder), seed)
            except (AssertionError, QddotError, ArithmeticError) as error:
                remarks.append(f"{seed}, {linkage.name}: {error}")
                continue
            rows[linkage.name].append(found)
            wrong = [f"{name} {value:.1e}" for name, value in found.items() if value > CLOSE and name != OPENING]
            remarks += [f"{seed}, {linkage.name}: {', '.join(wrong)}"] if wrong else []
    console = Console(width=140)
    console.print(tabulated(rows))
    console.print(f"{count - len(remarks)} of {count} agree", *remarks, sep="\n", markup=False)


if __name__ == "__main__":
    main()
