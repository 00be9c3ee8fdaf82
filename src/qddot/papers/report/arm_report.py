"""Puts the report of a derivation together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from qddot.base.errors import QddotError
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.base import BaseParameters, base_parameters
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Document, Section
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.levels import FULL, SUMMARY, Extent
from qddot.papers.report.sections import (
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
from qddot.papers.report.wording import Words, traits_of
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.exact.forms.abbreviate import Abbreviated


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
    short, model = routes[0], routes[0].eq.model
    extent = Extent.of(level, model.n)
    is_summary = extent.level == SUMMARY
    for each in routes:
        _check(each, each is short, with_steps=not is_summary)
    has_steps = not is_summary and any(map(route_steps.quantities_of_steps, routes))
    steps = route_steps.section(routes, words, extent) if has_steps else None
    before = steps.blocks if steps else ()
    equations = motion_equations.section(routes, words, extent, before)
    rest = appendix.section(routes, words, extent, [*before, *equations.blocks])
    shown = [*before, *equations.blocks, *(rest.blocks if rest else ())]
    robot, poses = the_arm.section(short, words, finished.pose), transforms.section(routes, words, extent, shown)
    proof = proved.section(derivation.certificate, words)
    constants = [control_constants.section(finished.constants, model, words)] if finished.constants else []
    if is_summary:
        excerpt = words.paragraph("summary excerpt", n=str(len(model.moving()))) if extent.excerpt else None
        sections = summary.of([robot, poses, equations, proof, *constants], excerpt)
    else:
        numbers = [worked_state.section(short, words, extent)]
        numbers += [base_and_cost.section(short, derivation.base, finished, words), *constants]
        behind = [*_other_sections(derivation, finished, words), *([rest] if rest else [])]
        sections = (robot, poses, *([steps] if steps else []), equations, proof, *numbers, *behind)
    return Document(
        words.translated(model.title or model.name), words("subtitle"), lang, sections, contents=not is_summary
    )


def _other_sections(derivation: Derivation, finished: FinishedParts, words: Words) -> Iterator[Section]:
    """Yields the abbreviated model, the code, the motion and the sources."""
    routes, other_sources = derivation.routes, []
    if isinstance(derivation.base, BaseParameters):
        other_sources.append(sources.BASE)
    if derivation.abbreviated is not None:
        other_sources.append(sources.ABBREVIATED)
        yield generated.abbreviated(*derivation.abbreviated, words)
    if finished.code:
        yield generated.code(finished.code, words)
    if finished.motion is not None:
        yield simulated_motion.section(finished.motion, routes[0].eq.model, words)
    yield sources.section(routes, words, *other_sources)


def base_of(model: Model) -> BaseParameters | str:
    """Returns the base parameters with those of armature and friction, or the reason why there are none."""
    traits = traits_of(model)
    try:
        return base_parameters(model, armature="armature" in traits, friction="friction" in traits)
    except QddotError as error:
        return str(error).rstrip(".")


def _check(short: Textbook, is_first: bool, with_steps: bool) -> None:
    """Raises QddotError where a short form that is shown is not equal to the normal form."""
    names = [*transforms.QUANTITIES, *motion_equations.written_quantities(short)] if is_first else []
    names += route_steps.quantities_of_steps(short) if with_steps else []
    wrong = [name for name in names if not short.proved(name)]
    if wrong:
        raise QddotError(f"the short form of {', '.join(wrong)} is not equal to the normal form")
