"""Compiles adaptive Runge–Kutta methods: arms in lanes, each with its own steps."""

from __future__ import annotations

from functools import partial

from qddot.algebra.program.rates import Rates
from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.advancing import OwnSteps
from qddot.machine.compilers.llvm.runge_kutta import dormand_prince, radau_iia
from qddot.machine.compilers.llvm.runge_kutta.tried_steps import Attempts, module

METHODS: dict[str, type[Attempts]] = {"dop853": dormand_prince.DormandPrince, "radau": radau_iia.RadauIIA}
SHORT = 2000  # nodes that get full effort: dop853 of the Panda takes 1.2 ms, not 2.3; Radau has more (36 ms, not 39)
QUICK = 1


def integrating(rates: Rates, several: bool) -> OwnSteps:
    """Returns the integrator of one arm, or of several in the lanes of vectors."""
    method = METHODS[rates.method](rates, engine.processor().lanes if several else 1)
    longest = max(len(program.nodes) for program in rates.programs)
    effort = method.effort if longest <= SHORT else QUICK
    return OwnSteps(method.lanes, method.places["size"], (rates.hash,), partial(module, method), effort)
