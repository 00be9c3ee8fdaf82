"""On a page every term of M, Γ, C and G is followed to the links that it comes from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import qddot
from qddot.exact.printing.tree import Sum
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import EquationBlock
from qddot.papers.report.formats.html_page import page

FOLLOWED = ("M", "christoffel", "C", "B", "C2", "P", "G")


@pytest.mark.parametrize(("name", "lang"), [("spatial_2r", "en"), ("rp", "zh"), ("elbow_3r", "en")])
def test_every_term_names_its_links(name: str, lang: str) -> None:
    eq = qddot.load(name).equations()
    made = report(ReportContents([eq.textbook()], eq.prove([])), lang)
    blocks = {block.key: block for block in made.blocks() if isinstance(block, EquationBlock)}
    for key in FOLLOWED:
        for equation in blocks[key].listed:
            assert isinstance(equation.right, Sum)
            assert len(equation.shares) == len(equation.right.products)
            assert all(equation.shares)
            assert {share.link for term in equation.shares for share in term} <= set(range(1, eq.n + 1))
    text = page(made)
    terms = re.findall(r'<span class="term (l[l\d ]*)" tabindex="0">', text)
    assert len(terms) == sum(len(equation.shares) for key in FOLLOWED for equation in blocks[key].listed)
    for link in {link for links in terms for link in links.split()}:
        assert f'body:has(.{link}:hover, .{link}:focus) [id^="link-{link[1:]}-"] path' in text


def test_an_arm_that_is_given_entry_by_entry_has_no_links_to_follow(tmp_path: Path) -> None:
    text = qddot.load("puma560_1986").report(tmp_path / "puma.html", level="summary").read_text(encoding="utf-8")
    assert 'class="term' not in text
    assert "Point at a term" not in text
