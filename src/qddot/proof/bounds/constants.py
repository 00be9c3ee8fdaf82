"""Proves the constants that proofs of controllers use, over a region: of M, G, ∂G/∂q, C, and each torque."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial
from math import inf
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from qddot.base.errors import EvaluationError, SimulationError
from qddot.base.words.message import Following, Listed, say
from qddot.machine.numeric.assembly import Assembly
from qddot.physics.of_model import check_timeless
from qddot.physics.systems import System
from qddot.proof.bounds import quantities
from qddot.proof.bounds.branch import Maximum, largest
from qddot.proof.bounds.chain_walk import on_branch
from qddot.proof.bounds.exact_programs import FRICTION, EquationNodes
from qddot.proof.bounds.floor import least_eigenvalue
from qddot.proof.bounds.forms import Array
from qddot.proof.bounds.fourier_walk import MOST_POINTS, MOST_POINTS_OF_M, walked
from qddot.proof.bounds.region import Region, region_of
from qddot.proof.bounds.table import Bound, Bounds
from qddot.proof.bounds.torques import Torque, WithRates
from qddot.proof.bounds.walk import Walk, Walks
from qddot.robot.effects.spring import Spring
from qddot.robot.joints.refused import refuse_several
from qddot.robot.left_out import sentences
from qddot.robot.model import Model

MOST_SHARES = 4  # a quantity may take this part of the time that is left
LONGER = 2.0  # a quantity is sought again where more of the time than this is left, relative to what it took
TIME_UP = say("time-is-up")
SLOPE_GAP, SLOPE_SECONDS = 0.01, 10.0
HALF_TURN = 3.1416  # rad, and a little more
SINGULAR = 1e-12  # of λmax: a smaller least eigenvalue is 0 to the precision of floats
STARTS = 8
ROUNDS = 40


class Bounded(NamedTuple):
    """A task is a quantity to bound: its names, what gives its entries, and the sign with which it is reported.

    above: a proven bound of the quantity, with that sign, from which the search begins
    rates: the box of the rates, of a quantity that depends on them as well
    """

    name: str
    text: str
    entries: Callable[[], Walk]
    quantity: quantities.Quantity
    sign: float = 1.0
    found: Callable[[Array], float] | None = None
    above: float = inf
    rates: tuple[Array, Array] = (np.zeros(0), np.zeros(0))


def bounds(
    system: System,
    limits: Mapping[str, Any] | None,
    gap: float,
    seconds: float,
    only: Collection[str] = (),
    near: Assembly | None = None,
) -> Bounds:
    """Returns proven bounds of a system's constants over a region, each within `gap` of a value that is found.

    limits: as in `region_of`; near: a configuration on the branch of a closed chain
    seconds: the processor time for all; then unfinished rows have the bounds so far, and a note
    only: the names of the wanted rows, which must include those of the least and the largest eigenvalue of M; by
        default all rows
    raises QddotError: an impossible region, a symbol without a value, an equation without known bounds, a joint with
    quasi-velocities, or a branch that ends in the region
    """
    model = system.tree
    refuse_several(model, say("a-proof-of-bounds"))
    check_timeless(model, say("bound-for-all-times"))
    started = process_time()
    equations = cache(lambda: EquationNodes(system))
    walks: Walks = walked
    branch: Mapping[str, float] = {}
    if near is None:
        region = region_of(model, limits)
    else:
        region, walks, branch = on_branch(equations(), near, limits, started + seconds / 2)
    tasks = [*_of_matrices(equations, walks), *torques(equations, walks, region)]
    tasks = [task for task in tasks if not only or task.name in only]
    rows: list[Bound] = []
    for k, task in enumerate(tasks):
        now = process_time()
        share = (started + seconds - now) / min(MOST_SHARES, len(tasks) - k)
        rows.append(row(task, region, gap, now + share))
    for k in [k for k, each in enumerate(rows) if TIME_UP in each.remarks]:
        left = started + seconds - process_time()
        if left > LONGER * rows[k].seconds:
            rows[k] = row(tasks[k]._replace(above=tasks[k].sign * rows[k].proven), region, gap, process_time() + left)
    least, top = rows[0], rows[1]
    singular = least.pose if least.found <= SINGULAR * abs(top.found) and least.proven <= 0 else None
    return Bounds(model.name, region, tuple(rows), least.proven > 0, singular, tuple(sentences(model.left_out)), branch)


def gravity_slope(model: Model) -> float:
    """Returns a proven bound of ‖∂G/∂q‖ over all poses of an arm whose joints all turn, within 1 % unless time is up.

    raises SimulationError: a joint slides, or has a spring, for which the bound proves nothing
    """
    for body in model.moving():
        joint = body.joint
        slides, sprung = not joint.kind.is_revolute, joint.has(Spring)
        if slides or sprung:
            what = say("joint-slides") if slides else say("joint-has-spring")
            raise SimulationError("no-gains-proved", where=model.name, coordinate=repr(joint.coordinate), what=what)
    refuse_several(model, say("a-proof-of-gains"))
    region = region_of(model, dict.fromkeys(model.coordinates, ("-180deg", "180deg")))
    tasks = _of_matrices(cache(lambda: EquationNodes(model)), walked)
    task = next(task for task in tasks if task.name == "dG")
    return row(task, region, SLOPE_GAP, process_time() + SLOPE_SECONDS).proven


def _of_matrices(equations: Callable[[], EquationNodes], walks: Walks) -> Iterator[Bounded]:
    """Yields the tasks of M, G, ∂G/∂q and C; with rolling wheels, G has no potential along the rates, nor a slope."""
    of, n = equations(), equations().n
    M = cache(lambda: walks(of.program({"M": _triangle(of.M)}), MOST_POINTS_OF_M))
    G = cache(lambda: walks(of.program({"G": of.gravity}), MOST_POINTS))
    K = cache(lambda: walks(of.program({"K": _triangle(of.stiffness)}), MOST_POINTS))
    C = cache(lambda: walks(of.program({"C": norm.entries(of.christoffel)}), MOST_POINTS))
    norm = quantities.Coriolis(n, of.integrable)
    floor = least_eigenvalue(of.model)  # of the links without loops, which is no more than that of Rᵀ M R with them
    yield Bounded("lambda_min", "λmin(M)", M, quantities.Eigenvalue(n, -1.0), -1.0, above=-floor if floor > 0 else inf)
    yield Bounded("lambda_max", "λmax(M)", M, quantities.Eigenvalue(n))
    yield Bounded("G", "max ‖G‖", G, quantities.Length())
    if of.integrable:
        yield Bounded("dG", "max ‖∂G/∂q‖", K, quantities.SpectralNorm(n))
    yield Bounded("k_C", "k_C", C, norm, found=lambda results: tensor_norm(norm.tensors(results[:, None])[0]))


def torques(equations: Callable[[], EquationNodes], walks: Walks, region: Region) -> Iterator[Bounded]:
    """Yields the tasks of each joint's largest and least torque, if the region limits rates and accelerations."""
    if region.rates is None or region.accelerations is None:
        return
    of, rates, accelerations = equations(), region.rates, region.accelerations
    _refuse_unknown(of.model)
    for i, name in enumerate(of.system.rates):
        kept = cache(partial(_torque_entries, of, walks, i, rates))
        for side, sign in (("max", 1.0), ("min", -1.0)):
            torque = Torque(i, rates, accelerations, sign, of.pushed(i))
            entries = partial(kept, sign if of.drag(i) else 0.0)
            yield Bounded(f"tau_{name}_{side}", f"{side} τ({name})", entries, torque, sign, rates=torque.box)


def _refuse_unknown(model: Model) -> None:
    for body in model.moving():
        for effect in body.joint.effects:
            if effect.part == FRICTION and effect.power is None:
                raise EvaluationError("effect-without-bound", where=f"link {body.name!r}", kind=effect.key)


def _torque_entries(of: EquationNodes, walks: Walks, i: int, rates: Array, sign: float) -> Walk:
    """Returns the entries of one torque; sign: of the torque that is sought, in whose direction drag acts."""
    bent = [list(row) for row in of.quadratic(i)]
    if sign:
        bent[i][i] = bent[i][i] + of.drag(i) * of.graph.constant(sign)
    parts = [*of.M[i], *_upper(bent), of.static[i], *of.viscous(i), of.dry(i, rates.tolist())]
    return WithRates(walks(of.program({"tau": parts}), MOST_POINTS), len(rates))


def row(task: Bounded, region: Region, gap: float, until: float) -> Bound:
    """Returns the proven bound of one quantity; until: the time of `process_time` at which the search ends."""
    started = process_time()
    walk = task.entries()
    if walk.is_zero:
        middle = tuple(map(float, (region.low + region.high) / 2))
        return Bound(task.name, task.text, 0.0, 0.0, middle, 0, process_time() - started)
    chosen = walk.coordinates
    low, high = region.low[chosen], region.high[chosen]
    if walk.turning:
        low, high = _one_turn(low, high)
    low, high = (np.concatenate(pair) for pair in zip((low, high), task.rates, strict=True))
    best = largest(walk, task.quantity, low, high, gap, until, task.above)
    pose = (region.low + region.high) / 2
    pose[chosen] = best.pose[: len(chosen)]
    value_found = best.found if task.found is None else task.found(walk.at(best.pose[None])[:, 0])
    return Bound(
        task.name,
        task.text,
        task.sign * best.proven,
        task.sign * value_found,
        tuple(map(float, pose)),
        best.boxes,
        process_time() - started,
        _remarks(best, value_found),
    )


def _one_turn(low: Array, high: Array) -> tuple[Array, Array]:
    """Returns the same box, in which ranges of more than a turn are one turn about their middle."""
    middle = low + (high - low) / 2
    more = high - low > 2 * HALF_TURN
    return np.where(more, middle - HALF_TURN, low), np.where(more, middle + HALF_TURN, high)


def _remarks(best: Maximum, found: float) -> Listed:
    for_norm = [say("proved-for-norm")] if found < best.found else []
    return Following([*([] if best.complete else [TIME_UP]), *for_norm])


def _triangle(A: list[list[Any]]) -> list[Any]:
    return [A[i][j] for i in range(len(A)) for j in range(i + 1)]


def _upper(rows: list[list[Any]]) -> list[Any]:
    return [rows[j][k] for j in range(len(rows)) for k in range(j, len(rows))]


def tensor_norm(tensor: Array) -> float:
    """Returns a lower bound near the largest Σ Γ_ijk z_i w_j v_k of unit vectors; each vector is improved in turn.

    tensor: (n, n, n)
    Source: De Lathauwer, De Moor & Vandewalle, SIAM J. Matrix Anal. Appl. 21, 2000.
    """
    random = np.random.default_rng(0)
    best = 0.0
    for _ in range(STARTS):
        v = _unit(random.normal(size=len(tensor)))
        for _ in range(ROUNDS):
            U, sizes, V = np.linalg.svd(tensor @ v)
            v = _unit(np.einsum("ijk,i,j->k", tensor, U[:, 0], V[0]))
        best = max(best, float(sizes[0]))
    return best


def _unit(v: Array) -> Array:
    size = float(np.linalg.norm(v))
    return v / size if size else np.eye(len(v))[0]
