"""Writes the section on the certificate: its identities and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.base.errors import QddotError
from qddot.base.words.message import Listed
from qddot.exact.equations.proofs.certificate import PROVED, VERIFIED, Certificate
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.papers.report.document import Paragraph, Section, Table
from qddot.papers.report.wording import Words


def check(short: ShortEquations, names: Iterable[str]) -> None:
    """Raises QddotError where a short form is not equal to the normal form."""
    wrong = [name for name in names if not short.proved(name)]
    if wrong:
        raise QddotError("short-form-not-equal", names=Listed(wrong))


def section(certificate: Certificate, words: Words, *more: Paragraph) -> Section:
    """Returns the identities of a certificate with their verdicts. more: sentences before them"""
    count = sum(identity.verdict in (PROVED, VERIFIED) for identity in certificate.identities)
    words = words.with_traits("all_hold" if count == len(certificate.identities) else "some_fail")
    paragraph = words.paragraph("proved", held=str(count), all=str(len(certificate.identities)))
    rows = tuple(
        (*words.identity(each.name, each.law), words(f"{each.verdict} verdict")) for each in certificate.identities
    )
    titles = tuple(map(words, ("identity", "what", "verdict")))
    return Section("proof", words("proof"), (paragraph, *more, Table(titles, rows, given=True)))
