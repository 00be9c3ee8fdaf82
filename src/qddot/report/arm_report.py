"""Puts the report of a derivation together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from qddot.equations.proofs.certificate import Certificate
from qddot.errors import QddotError
from qddot.forms.base import BaseParameters, base_parameters
from qddot.forms.textbook import Textbook
from qddot.model.model import Model
from qddot.report.document import Document
from qddot.report.finished_parts import FinishedParts
from qddot.report.levels import FULL, SUMMARY, Extent
from qddot.report.sections import (
    appendix,
    base_and_cost,
    control_constants,
    generated,
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
from qddot.report.wording import Words, traits_of

if TYPE_CHECKING:
    from qddot.forms.abbreviate import Abbreviated


class Derivation(NamedTuple):
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
    derivation: Derivation, lang: str = "en", finished: FinishedParts | None = None, level: str = FULL
) -> Document:
    """Returns a derivation as a document.

    level: "summary", "lecture" or "full", as in `levels`

    finished: pictures, a motion, counts, code and constants for control, each of which may be missing
    raises QddotError: an unknown language, or a short form that is not equal to the normal form
    """
    words, finished, routes = Words.of(lang, derivation.routes[0]), finished or FinishedParts(), derivation.routes
    for short in routes:
        _check(short, short is routes[0])
    short, model = routes[0], routes[0].eq.model
    others = [sources.BASE] if isinstance(derivation.base, BaseParameters) else []
    others += [sources.ABBREVIATED] if derivation.abbreviated is not None else []
    extent = Extent.of(level, model.n)
    steps = route_steps.section(routes, words, extent) if any(map(route_steps.quantities_of_steps, routes)) else None
    before = steps.blocks if steps and extent.level != SUMMARY else ()
    equations = motion_equations.section(routes, words, extent, before)
    rest = appendix.section(routes, words, extent, [*before, *equations.blocks])
    parts = [
        the_arm.section(short, words, finished.pose),
        transforms.section(routes, words, extent, [*before, *equations.blocks, *(rest.blocks if rest else ())]),
        *([steps] if steps else []),
        equations,
        proved.section(derivation.certificate, words),
        worked_state.section(short, words, extent),
        base_and_cost.section(short, derivation.base, finished, words),
        *([control_constants.section(finished.constants, model, words)] if finished.constants else []),
        *([generated.abbreviated(*derivation.abbreviated, words)] if derivation.abbreviated else []),
        *([generated.code(finished.code, words)] if finished.code else []),
        simulated_motion.section(finished.motion, model, words),
        sources.section(routes, words, *others),
        *([rest] if rest else []),
    ]
    is_summary = extent.level == SUMMARY
    excerpt = words.paragraph("summary excerpt", n=str(model.n)) if extent.excerpt else None
    sections = summary.of(parts, excerpt) if is_summary else tuple(parts)
    return Document(
        words.translated(model.title or model.name), words("subtitle"), lang, sections, contents=not is_summary
    )


def base_of(model: Model) -> BaseParameters | str:
    """Returns the base parameters with those of armature and friction, or the reason why there are none."""
    traits = traits_of(model)
    try:
        return base_parameters(model, armature="armature" in traits, friction="friction" in traits)
    except QddotError as error:
        return str(error).rstrip(".")


def _check(short: Textbook, whole: bool) -> None:
    """Raises QddotError where a short form that is shown is not equal to the normal form."""
    names = [*transforms.QUANTITIES, *motion_equations.written_quantities(short)] if whole else []
    wrong = [name for name in (*names, *route_steps.quantities_of_steps(short)) if not short.proved(name)]
    if wrong:
        raise QddotError(f"the short form of {', '.join(wrong)} is not equal to the normal form")
