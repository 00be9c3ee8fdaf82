"""Answers in pages of courses, copies of PDFs and other documents: right ones are accepted and wrong ones rejected."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_twins

COPY = """3 Equations of motion
T1 = (1/3 m1 + 4/3 m2 + m2 cos q2) l² q̈1 + (1/3 m2 + 1/2 m2 cos q2) l² q̈2
− m2 l² sin q2 q̇1 q̇2 − 1/2 m2 l² sin q2 q̇2² + (1/2 m1 + m2) g l cos q1
+ 1/2 m2 g l cos(q1 + q2) (12)
T2 = (1/3 m2 + 1/2 m2 cos q2) l² q̈1 + 1/3 m2 l² q̈2 + 1/2 m2 l² sin q2 q̇1²
+ 1/2 m2 g l cos(q1 + q2) (13)
Page 4 of 7
"""


@pytest.mark.parametrize(
    ("text", "change"),
    [(COPY, ("− m2 l²", "+ m2 l²")), ("M22 = 1/3 m2 l² (1)\nG2 = 1/2 m2 g l cos(q1 + q2) (2)\n", ("1/3", "2/3"))],
)
def test_copies_of_pdfs_are_read(text: str, change: tuple[str, str], tmp_path: Path) -> None:
    assert_twins("two_link", ".txt", text, change, tmp_path)


def test_values_with_units_of_siunitx_are_read(tmp_path: Path) -> None:
    text = (
        r"With $m_2=\SI{2}{\kilo\gram}$, $l=\qty{50}{\centi\metre}$ and $g=\SI{9.81}{\metre\per\second\squared}$:"
        r"\[ M_{22} = \num{0.1667}, \quad G_2 = 4.905\cos(q_1+q_2) \]"
    )
    assert_twins("two_link", ".tex", text, ("0.1667", "0.1867"), tmp_path)
