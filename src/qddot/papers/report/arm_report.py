"""Puts the report of a derivation together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from qddot.base.errors import QddotError
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.equations.quantity_table import told
from qddot.exact.forms.base import BaseParameters, base_parameters
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Document
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.levels import FULL, SUMMARY, Chapter, Extent, sections
from qddot.papers.report.sections import (
    appendix,
    barred,
    base_and_cost,
    compared_routes,
    control_constants,
    generated,
    integrals,
    motion_equations,
    proved,
    route_steps,
    simulated_motion,
    sources,
    summary,
    the_arm,
    transforms,
    worked_state,
)
from qddot.papers.report.wording import Words, traits_of
from qddot.robot.elastic import motors_of
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.forms.abbreviate import Abbreviated


class ReportContents(NamedTuple):
    """This has all contents of a report about the equations.

    routes: the short forms of the equations by the chosen routes; certificate: of the same equations
    base: the base parameters, or the reason why there are none
    abbreviated: a short approximate model, and its significance
    """

    routes: Sequence[Textbook]
    certificate: Certificate
    base: BaseParameters | str | None = None
    abbreviated: tuple[Abbreviated, float] | None = None


def report(
    derivation: ReportContents, lang: str = "en", finished: FinishedParts | None = None, level: str = FULL
) -> Document:
    """Returns a derivation as a document.

    level: "summary", "lecture" or "full", as in `levels`
    finished: pictures, a motion, counts, code and constants for control, each of which may be missing
    raises QddotError: an unknown language, or a short form that is not equal to the normal form
    """
    words, routes = Words.of(lang, derivation.routes[0]), derivation.routes
    model, is_summary = routes[0].eq.model, level == SUMMARY
    extent = Extent.of(level, model.n - len([*motors_of(model.bodies)]))  # a motor is an equation of one line
    for each in routes:
        _check(each, each is routes[0], with_steps=not is_summary)
    told = sections(chapters(derivation, words, finished or FinishedParts(), extent), level)
    title = words.translated(model.title or model.name)
    return Document(title, words("subtitle"), lang, barred.explained(told, words), contents=not is_summary)


def chapters(derivation: ReportContents, words: Words, finished: FinishedParts, extent: Extent) -> list[Chapter]:
    """Returns the chapters in their order; some depend on what the sections of others have explained."""
    routes, short, model = derivation.routes, derivation.routes[0], derivation.routes[0].eq.model
    has_steps = extent.level != SUMMARY and any(map(route_steps.quantities_of_steps, routes))
    steps = route_steps.section(routes, words, extent) if has_steps else None
    before = steps.blocks if steps else ()
    equations = motion_equations.section(routes, words, extent, before)
    rest = appendix.section(routes, words, extent, [*before, *equations.blocks])
    shown = [*before, *equations.blocks, *(rest.blocks if rest else ())]
    poses = transforms.section(routes, words, extent, shown)
    excerpt = words.paragraph("summary excerpt", n=str(len(model.moving()))) if extent.excerpt else None
    constants, approximate, motion = finished.constants, derivation.abbreviated, finished.motion
    cited = [sources.BASE] if isinstance(derivation.base, BaseParameters) else []
    cited += [sources.ABBREVIATED] if approximate else []
    return [
        Chapter(lambda: the_arm.section(short, words, finished.pose), summary.robot),
        Chapter(lambda: integrals.section(short, words)),
        Chapter(lambda: poses),
        Chapter(lambda: compared_routes.section(routes, derivation.certificate, words), tuple),
        Chapter(lambda: steps),
        Chapter(lambda: equations, lambda blocks: summary.equations(blocks, poses.blocks, excerpt)),
        Chapter(lambda: proved.section(derivation.certificate, words), summary.without_tables),
        Chapter(lambda: worked_state.section(short, words, extent)),
        Chapter(lambda: base_and_cost.section(short, derivation.base, finished, words)),
        Chapter(lambda: control_constants.section(constants, model, words) if constants else None, tuple),
        Chapter(lambda: generated.abbreviated(*approximate, words) if approximate else None),
        Chapter(lambda: generated.code(finished.code, words) if finished.code else None, tuple),
        Chapter(lambda: simulated_motion.section(motion, model, words) if motion else None),
        Chapter(lambda: sources.section(routes, words, *cited)),
        Chapter(lambda: rest),
    ]


def base_of(model: Model) -> BaseParameters | str:
    """Returns the base parameters with those of armature and friction, or the reason why there are none."""
    traits = traits_of(model)
    try:
        return base_parameters(model, armature="armature" in traits, friction="friction" in traits)
    except QddotError as error:
        return str(error).rstrip(".")


def _check(short: Textbook, is_first: bool, with_steps: bool) -> None:
    """Raises QddotError where a short form that is shown is not equal to the normal form."""
    names = [*told(kinematic=True), *motion_equations.written_quantities(short)] if is_first else []
    names += route_steps.quantities_of_steps(short) if with_steps else []
    proved.check(short, names)
