"""Compares the routes of a report: their steps, the length of their results, and whether they agree."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Section, Table
from qddot.papers.report.sections.route_steps import quantities_of_steps
from qddot.papers.report.wording import Words

TITLES = ("route", "count of steps", "expanded", "expanded operations", "agreement")
ITSELF = "—"  # the route with which the certificate compares the others


def section(routes: Sequence[Textbook], certificate: Certificate, words: Words) -> Section | None:
    """Returns a table with a row for each of several routes."""
    if len(routes) < 2:
        return None
    verdicts = {each.name: words(f"{each.verdict} verdict") for each in certificate.identities}
    first = routes[0].eq.route
    rows = []
    for short in routes:
        names, route = quantities_of_steps(short), short.eq.route
        counts = [short.normal_counts(name) for name in names]
        totals = (len(names), sum(each.terms for each in counts), sum(each.operations for each in counts))
        agreement = verdicts.get(f"{route} ≡ {first}", ITSELF)
        rows.append((words.route(route), *(f"{total:,}" for total in totals), agreement))
    said = words.paragraph("compared", first=words.route(first))
    return Section(
        "routes", words("compared routes"), (said, Table(tuple(map(words, TITLES)), tuple(rows), given=True))
    )
