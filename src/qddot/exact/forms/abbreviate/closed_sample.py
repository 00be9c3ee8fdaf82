"""Samples closed configurations of one branch of a chain within a region."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.exact.forms.abbreviate.region import Region
from qddot.machine.numeric.assembly import assembled, found
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.machine.numeric.walks import some_length, walk
from qddot.physics.independent import of_loops
from qddot.robot.symbol_values import all_values

Array = NDArray[np.float64]
STATES, STEPS = 500, 2_000  # closed configurations to find, and steps to find them
FEWEST = 20  # closed configurations that tell something
CLEAR = 0.25  # how far from singular ones they are, relative to the first: the least singular value of A_d over A's


def sample(chain: NumericChain, region: Region, near: Array | None) -> Array:
    """Returns closed configurations on a random walk from the one near a guess, the same in each call.

    near: by default that of `assembly.found`. Outside of the region the walk goes towards it.
    raises EvaluationError: it finds hardly any in the region
    """
    model, choice = chain.system.model, chain.system.choice
    loops, values = of_loops(model, choice), all_values(model)
    if near is None:
        start = found(model, loops, chain.closure, values).q
    else:
        start = assembled(model, loops, chain.closure, near, values).q
    low, high = (np.array([ends[k] for ends in region.q.values()]) for k in (0, 1))

    def outside(q: Array) -> float:
        return float(np.maximum(np.maximum(low - q, q - high), 0.0).sum())

    def clearance(q: Array) -> float:
        """Returns how far a configuration is from those where the independent coordinates do not determine others."""
        A = chain.closure(q)[1][list(choice.conditions)]
        part, whole = (np.linalg.svd(rows, compute_uv=False) for rows in (A[:, list(choice.dependent)], A))
        return float(part[-1] / whole[0])

    clear = CLEAR * clearance(start)
    narrowest = min(1.0, float((high - low).min()))
    steps = walk(
        model,
        loops,
        chain.closure,
        start,
        accepts=lambda q, there: outside(there) <= outside(q) and clearance(there) >= clear,
        # some steps are short enough to stay in a narrow region, and some long enough to come there
        length=lambda random: some_length(random) * narrowest ** random.uniform(),
    )
    inside: list[Array] = []
    for q in islice(steps, STEPS):
        if outside(q) == 0 and not (inside and q is inside[-1]):
            inside.append(q)
        if len(inside) == STATES:
            break
    if len(inside) < FEWEST:
        raise EvaluationError(
            "region-too-small",
            where=model.name,
            found=say("count-of-configurations", count=len(inside)),
            region=region,
            fewest=FEWEST,
        )
    return np.array(inside)
