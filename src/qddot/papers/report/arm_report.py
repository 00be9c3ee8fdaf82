"""Puts the report of a derivation together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from qddot.base.errors import QddotError
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.base import BaseParameters, base_parameters
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Block, Document, Section
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.levels import FULL, SUMMARY, Chapter, Extent, sections
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


@dataclass(frozen=True)
class ArmDraft:
    """This is all that the sections of one report are written from; some depend on what others have explained."""

    derivation: ReportContents
    words: Words
    finished: FinishedParts
    extent: Extent

    @property
    def routes(self) -> Sequence[Textbook]:
        return self.derivation.routes

    @property
    def model(self) -> Model:
        return self.routes[0].eq.model

    @cached_property
    def steps(self) -> Section | None:
        if self.extent.level == SUMMARY or not any(map(route_steps.quantities_of_steps, self.routes)):
            return None
        return route_steps.section(self.routes, self.words, self.extent)

    @cached_property
    def equations(self) -> Section:
        return motion_equations.section(self.routes, self.words, self.extent, _blocks(self.steps))

    @cached_property
    def appendix(self) -> Section | None:
        return appendix.section(self.routes, self.words, self.extent, _blocks(self.steps, self.equations))

    @cached_property
    def transforms(self) -> Section:
        shown = _blocks(self.steps, self.equations, self.appendix)
        return transforms.section(self.routes, self.words, self.extent, shown)

    def constants(self) -> Section | None:
        found = self.finished.constants
        return control_constants.section(found, self.model, self.words) if found else None

    def parameters(self) -> Section:
        return base_and_cost.section(self.routes[0], self.derivation.base, self.finished, self.words)

    def abbreviated(self) -> Section | None:
        found = self.derivation.abbreviated
        return generated.abbreviated(*found, self.words) if found else None

    def code(self) -> Section | None:
        return generated.code(self.finished.code, self.words) if self.finished.code else None

    def motion(self) -> Section | None:
        found = self.finished.motion
        return simulated_motion.section(found, self.model, self.words) if found else None

    def sources(self) -> Section:
        others = [sources.BASE] * isinstance(self.derivation.base, BaseParameters)
        others += [sources.ABBREVIATED] * (self.derivation.abbreviated is not None)
        return sources.section(self.routes, self.words, *others)

    def short_equations(self, blocks: Sequence[Block]) -> list[Block]:
        n = str(len(self.model.moving()))
        excerpt = self.words.paragraph("summary excerpt", n=n) if self.extent.excerpt else None
        return summary.equations(blocks, self.transforms.blocks, excerpt)


def _blocks(*sections: Section | None) -> list[Block]:
    return [block for section in sections if section for block in section.blocks]


CHAPTERS: tuple[Chapter[ArmDraft], ...] = (
    Chapter(
        lambda draft: the_arm.section(draft.routes[0], draft.words, draft.finished.pose),
        lambda draft, blocks: summary.robot(blocks),
    ),
    Chapter(lambda draft: draft.transforms),
    Chapter(lambda draft: draft.steps),
    Chapter(lambda draft: draft.equations, ArmDraft.short_equations),
    Chapter(
        lambda draft: proved.section(draft.derivation.certificate, draft.words),
        lambda draft, blocks: summary.without_tables(blocks),
    ),
    Chapter(lambda draft: worked_state.section(draft.routes[0], draft.words, draft.extent)),
    Chapter(ArmDraft.parameters),
    Chapter(ArmDraft.constants, lambda draft, blocks: blocks),
    Chapter(ArmDraft.abbreviated),
    Chapter(ArmDraft.code),
    Chapter(ArmDraft.motion),
    Chapter(ArmDraft.sources),
    Chapter(lambda draft: draft.appendix),
)


def report(
    derivation: ReportContents, lang: str = "en", finished: FinishedParts | None = None, level: str = FULL
) -> Document:
    """Returns a derivation as a document.

    level: "summary", "lecture" or "full", as in `levels`
    finished: pictures, a motion, counts, code and constants for control, each of which may be missing
    raises QddotError: an unknown language, or a short form that is not equal to the normal form
    """
    words, routes = Words.of(lang, derivation.routes[0]), derivation.routes
    model = routes[0].eq.model
    draft = ArmDraft(derivation, words, finished or FinishedParts(), Extent.of(level, model.n))
    is_summary = level == SUMMARY
    for each in routes:
        _check(each, each is routes[0], with_steps=not is_summary)
    title = words.translated(model.title or model.name)
    return Document(title, words("subtitle"), lang, sections(CHAPTERS, draft, level), contents=not is_summary)


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
