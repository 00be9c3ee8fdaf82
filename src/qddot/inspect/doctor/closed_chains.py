"""Examines a closed chain: its links, its mobility, conditions that depend on others, and a closed configuration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from qddot.base.errors import EvaluationError, QddotError, few
from qddot.base.system.parts import installed
from qddot.base.words.message import Following, say
from qddot.inspect.doctor.diagnosis import Diagnosis, ErrorPart, Finding
from qddot.inspect.doctor.examine import diagnose
from qddot.inspect.doctor.odd_symbols import unused_symbols
from qddot.inspect.doctor.site import Site
from qddot.physics.independent import Independents, chosen, of_loops
from qddot.physics.systems import ClosedSystem
from qddot.robot.closed_model import ClosedModel, names_of_conditions
from qddot.robot.symbol_values import all_values

LOOPS = Site(say("site-loops"), "loops")
OF_ALL_TORQUES = ("singular_mass_matrix", "joints_without_load", "symbols_without_effect")  # checks of trees alone
SINGULAR = 1e-12  # the least eigenvalue of a mass matrix that can be inverted, relative to the largest


def diagnose_chain(model: ClosedModel, choice: Independents | None = None) -> Diagnosis:
    """Returns the findings about the links and the loops; symbols take their defaults.

    choice: of independent coordinates, by default that of a closed chain
    """
    findings = [each for each in diagnose(model.tree) if each.check not in OF_ALL_TORQUES]
    findings += unused_symbols(model.tree.symbols, model.used_symbols)
    try:
        choice = choice or _choice(model)
    except QddotError as error:
        told = say("finding-no-mobility", found=ErrorPart(error, 0), remedy=ErrorPart(error, 2))
        findings.append(Finding("warning", LOOPS, told, "mobility"))
    else:
        findings += chain(_redundant(model, choice), _configuration(model, choice))
    return Diagnosis(model.name, tuple(findings))


def _choice(model: ClosedModel) -> Independents:
    """Returns the default choice of independent coordinates, as a closed chain makes it."""
    if model.used_symbols - set(model.tree.defaults()):
        return chosen(model)
    with installed():
        from qddot.machine.numeric.opening import opened

    return opened(model).choice


def _redundant(model: ClosedModel, choice: Independents) -> Iterator[Finding]:
    """Yields a finding on the conditions that follow from others."""
    names = [name for k, name in enumerate(names_of_conditions(model)) if k not in choice.conditions]
    if names:
        key = "finding-redundant-conditions-near" if choice.near else "finding-redundant-conditions"
        yield Finding("hint", LOOPS, say(key, names=Following(names)), "redundant_conditions")


def _configuration(model: ClosedModel, choice: Independents) -> Iterator[Finding]:
    """Yields findings on loops that cannot be closed, and on motions that no inertia resists."""
    if model.used_symbols - set(model.tree.defaults()):
        return
    with installed():
        import numpy as np

        from qddot.machine.numeric.assembly import found
        from qddot.machine.numeric.calls import Calls
        from qddot.machine.numeric.conditions import conditions_of
        from qddot.machine.numeric.confirmed_choice import hardly_moving
        from qddot.machine.tracing.functions import FUNCTIONS

    try:
        q = found(model, of_loops(model, choice), conditions_of(model), all_values(model)).q
    except EvaluationError as error:
        yield Finding("warning", LOOPS, say("finding-open-loops", found=ErrorPart(error, 0)), "closed_configuration")
        return
    for told in hardly_moving(model).values():
        yield Finding("warning", LOOPS, say("finding-hardly-moving", found=told), "hardly_moving")
    M = Calls(ClosedSystem(model, choice)).results(FUNCTIONS["mass_matrix"], [q], {})
    sizes, motions = np.linalg.eigh(M)
    if sizes[0] <= SINGULAR * sizes[-1]:
        names = [model.tree.coordinates[k] for k in choice.independent]
        moving = [name for name, share in zip(names, motions[:, 0], strict=True) if abs(share) > 0.1]
        yield Finding("error", LOOPS, say("finding-singular-chain", names=few(moving)), "singular_mass_matrix")
