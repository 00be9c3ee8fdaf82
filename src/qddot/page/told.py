"""Gives a route's steps, a certificate and a judgement as data for the page, and writes the files of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from qddot.check.judging.judgement import Judgement
from qddot.check.notes import Note
from qddot.check.rubric import Marks
from qddot.describe import writing
from qddot.equations.proofs.certificate import Certificate
from qddot.errors import QddotError, is_one_of, shortened
from qddot.exam.exams import exam as exam_of
from qddot.faces.robot import Robot
from qddot.forms.textbook import Textbook
from qddot.model.model import Model
from qddot.page import equation_terms
from qddot.page.in_chinese import chinese
from qddot.printing import mathml
from qddot.printing.tree import Equation, Sum
from qddot.report import report_file
from qddot.report.arm_report import Derivation, base_of
from qddot.report.arm_report import report as document_of
from qddot.report.document import Block, Document, Equations, Inline, Paragraph, Reference
from qddot.report.formats import html_mathematics as html
from qddot.report.handed_in import HandedIn
from qddot.report.sections import joint_effects, route_steps
from qddot.report.sections.blocks_of import constants
from qddot.report.wording import Words, traits_of

# how a user explains a name: in programs and on the command line, and in the page
IN_PROGRAMS = re.compile(r"by rename=\{'(.+?)': …\}(?:, on the command line --rename \S+)?")
IN_THE_PAGE = r"under Your names: \1 = …"
LINE = re.compile(r"line (\d+)")
FORMATS = (".html", ".md", ".tex", ".ipynb")  # formats that need no other program


def steps(short: Textbook, lang: str) -> list[dict[str, Any]]:
    """Returns the sentences and equations of one route's derivation."""
    words = Words.of(lang, short)
    blocks = [*joint_effects.blocks(short, words), *route_steps.whole(short, words)]
    blocks = [*constants(short, words, blocks), *blocks]
    return [piece for block in blocks for piece in _told(block)]


def _told(block: Block) -> Iterator[dict[str, Any]]:
    if isinstance(block, Paragraph):
        yield {"html": _line(block.parts)}
    elif isinstance(block, Equations):
        yield {"equations": [equation_terms.whole(Equation(each.left, each.right)) for each in block.listed]}  # type: ignore[arg-type]


def _line(parts: Iterable[Inline]) -> str:
    """Returns escaped text and mathematics; a single step refers to no other."""
    return "".join(
        html.text(part) if isinstance(part, str) else html.mathematics(part)
        for part in parts
        if not isinstance(part, Reference)
    )


def certificate(proof: Certificate, model: Model, lang: str) -> dict[str, Any]:
    """Returns the certificate with the meaning of each line."""
    words = Words(lang, traits=traits_of(model))

    def line(identity: Any) -> dict[str, Any]:
        name, law = words.identity(identity.name, identity.law)
        shown = {"name": _line(name.parts), "law": _line(law.parts)}
        return {"verdict": identity.verdict, "seconds": identity.seconds, "detail": identity.detail, **shown}

    return {
        "holds": bool(proof),
        "seconds": proof.seconds,
        "primes": len(proof.primes),
        "certainty": proof.certainty,
        "identities": [line(identity) for identity in proof.identities],
    }


def judgement(judged: Judgement, lang: str = "en") -> dict[str, Any]:
    """Returns the judgement with its formulas as MathML."""
    formulas = ({"exactMath": _math(each.exact), "differenceMath": _math(each.difference)} for each in judged.entries)
    content = judged.as_json()
    entries = [{**entry, **maths} for entry, maths in zip(content["entries"], formulas, strict=True)]
    likeliest = [{"mistakes": [chinese(str(each), lang) for each in entry.mistakes]} for entry in judged.entries]
    entries = [{**entry, **likely} for entry, likely in zip(entries, likeliest, strict=True)]
    summary = [chinese(IN_PROGRAMS.sub(IN_THE_PAGE, line), lang) for line in judged.summary()]
    lines = [int(place[1]) for each in judged.unread if (place := LINE.search(each.where))]
    return {"equal": bool(judged), "summary": summary, "entries": entries, "unread": lines}


def marked(found: Judgement, marks: Marks | None, hints: int) -> dict[str, Any]:
    """Returns the missing and unread parts, the points by a rubric, and a note to the student; hints: 0 for none."""
    return {
        "missing": list(found.missing),
        "notRead": [unread.sentence() for unread in found.unread],
        "points": None if marks is None else {"points": marks.points, "most": marks.most},
        "note": Note(found, "", marks, hints).text() if hints else "",
    }


def _math(formula: Sum | None) -> str:
    return "" if formula is None else html.math(mathml.MathML().write(formula))


def report(arm: Robot, routes: Sequence[Textbook], suffix: str, lang: str) -> list[dict[str, str]]:
    """Returns the names and texts of a report's files, without pictures."""
    if not is_one_of(suffix, FORMATS):
        raise QddotError(f"a report {shortened(suffix)}", expected=", ".join(FORMATS))
    derivation = Derivation(routes, arm.prove(), base_of(arm.model))
    document = document_of(derivation, lang, HandedIn())._replace(robot=writing.in_its_frames(arm.model))
    return _files({f"{arm.name}{suffix}": document}, suffix)


def exam(arm: Robot, suffix: str, lang: str) -> list[dict[str, str]]:
    """Returns the names and texts of an exam's files, without pictures: the sheet, and its solution."""
    paper, stem = exam_of(arm.model, lang=lang), f"{arm.name}-exam"
    documents = {f"{stem}{suffix}": paper.sheet(), f"{stem}-solution{suffix}": paper.solution(stem)}
    return _files(documents, suffix)


def _files(documents: Mapping[str, Document], suffix: str) -> list[dict[str, str]]:
    files = import_module(report_file.FORMATS[suffix]).files
    return [
        {"name": str(place), "text": text}
        for name, document in documents.items()
        for place, text in files(document, Path(name)).items()
    ]
