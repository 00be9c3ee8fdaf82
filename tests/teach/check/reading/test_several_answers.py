"""A file has one answer: those of two people, or to two variants, are told apart instead of judged together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qddot
from qddot.base.errors import FormatError

M = "M11 = m1*l**2/3 + m2*l**2*(4/3 + cos(q2))\nM12 = m2*l**2*(1/3 + cos(q2)/2)\nM22 = m2*l**2/3\n"
G = "G1 = (m1/2 + m2)*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2\nG2 = m2*g*l*cos(q1 + q2)/2\n"
RIGHT, OTHER = M + G, (M + G).replace("m2*", "2*m2*").replace("m1*l", "m2*l")
LINES = RIGHT.replace("**", "^").replace("cos", "\\cos").replace("*", " ").splitlines()
FORMULAS = "".join(f"${line}$\n\n" for line in LINES)
PAGE = f"\\documentclass{{article}}\n\\begin{{document}}\n{FORMULAS}\\end{{document}}\n"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "markdown", "source": RIGHT, "metadata": {}}], "metadata": {}})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Student A\n{RIGHT}\nStudent B:\n{RIGHT}", r"Student A \(line 1\) and Student B \(line 8\)"),
        (f"# Answer 1\n{RIGHT}\n# Answer 2\n{OTHER}", r"Answer 1 \(line 1\) and Answer 2 \(line 8\)"),
        (f"Name: Li Na\n{RIGHT}\nName: Wang\n{OTHER}", "Name Li Na .* and Name Wang"),
        (f"学生甲\n{RIGHT}\n学生乙\n{RIGHT}", "学生 甲 .* and 学生 乙"),
        (f"% Variant 1\n{RIGHT}\n% Variant 2\n{RIGHT.replace('l', 'a')}", "Variant 1 .* and Variant 2"),
        (PAGE + PAGE, r"2 answers: .begin.document. \(line 2\) and .begin.document. \(line 15\)"),
        (RIGHT + OTHER, "two answers, from line 1 and line 6 on"),
        (OTHER + RIGHT, "two answers, from line 1 and line 6 on"),
    ],
)
def test_two_answers_in_one_text_are_told(text: str, told: str) -> None:
    with pytest.raises(FormatError, match=f"{told}.*expected one answer a file; split it"):
        qddot.load("two_link").check(text)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".ipynb", NOTEBOOK + NOTEBOOK),
        (".json", '{"A": {"M22": "m2*l**2"}, "B": {"M22": "m2*l**2/3"}}'),
        (".json", '[{"M22": "m2*l**2"}, {"M22": "m2*l**2/3"}]'),
        (".json", '{"M22": "m2*l**2", "M22": "m2*l**2/3"}'),
        (".toml", '[A]\nM22 = "m2*l**2"\n[B]\nM22 = "m2*l**2/3"\n'),
    ],
)
def test_two_answers_in_one_file_lie_in_the_pile_to_be_looked_at(tmp_path: Path, suffix: str, text: str) -> None:
    (tmp_path / f"a{suffix}").write_text(text, encoding="utf-8")
    grades = qddot.load("two_link").check_all(tmp_path)
    assert grades.pile == "by hand"
    assert "expected one answer a file" in next(iter(grades)).mistake


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        RIGHT + RIGHT,  # a derivation, and its results once more
        f"Student A\nStudent B\n{RIGHT}",  # a group
        f"Answer 1\n{M}Answer 2\n{G}",  # to two questions
        NOTEBOOK,
    ],
)
def test_one_answer_is_judged(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("a.ipynb" if text == NOTEBOOK else "a.txt")
    path.write_text(text, encoding="utf-8")
    assert qddot.load("two_link").check(path, only="M,G")
