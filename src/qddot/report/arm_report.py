"""Puts the report of a derivation together."""

from __future__ import annotations

from qddot.equations.certificate import Certificate
from qddot.forms.textbook import Textbook
from qddot.report import sections
from qddot.report.document import Document, Picture
from qddot.report.wording import Words


def report(short: Textbook, certificate: Certificate, lang: str = "en", picture: Picture | None = None) -> Document:
    """Returns the derivation of one arm by one route as a document.

    certificate: of the same equations; picture: the arm as SVG, or nothing
    raises QddotError: a language that there is none, or a short form that is not equal to the normal form
    """
    words, model = Words(lang), short.eq.model
    sections.check(short)
    parts = [
        sections.robot(short, words, picture),
        sections.transforms(short, words),
        *([sections.steps(short, words)] if short.eq.steps else []),
        sections.equations(short, words),
        sections.proof(certificate, words),
        sections.state(short, words),
        sections.sources(short, words),
    ]
    return Document(model.title or model.name, words("subtitle"), lang, tuple(parts))
