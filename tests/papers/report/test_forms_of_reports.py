"""A report has the form of `qddot derive`: with sums or multiples of angles, with or without named constants."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from commands import run
from shipped import robot

import qddot
from qddot.base.errors import QddotError
from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook
from qddot.papers.report.closed_report import report
from qddot.papers.report.document import EquationBlock
from qddot.papers.report.formats.notebook_file import CODE, Origin


def test_an_arms_report_has_multiples_of_angles_as_its_notebook_has(tmp_path: Path) -> None:
    arm = robot("spatial_2r")
    text = arm.report(tmp_path / "a.md", level="summary", form="multiple-angle", lumped=False).read_text("utf-8")
    assert "\\cos(2 q_{2})" in text
    assert "k_{1}" not in text
    origin = Origin("", arm.model, ("composite",), ("multiple-angle", False))
    assert 'short = eq.textbook("multiple-angle", lumped=False)' in CODE["transforms"](origin)[0]


@pytest.mark.parametrize(("lumped", "constants"), [(True, ["k1", "k2", "k3", "k4", "k5", "k6", "k7"]), (False, [])])
def test_a_chains_report_may_have_short_forms(lumped: bool, constants: list[str]) -> None:
    chain = qddot.load_closed_chain("four_bar")
    eq = chain.equations()
    short = eq.textbook("sums", lumped)
    told = report(eq.reduced, eq.tree.textbook(), chain.prove(), "en", None, None, "summary", None, short)
    blocks = {each.key: each for each in told.blocks() if isinstance(each, EquationBlock)}
    listed = [each.left.text for each in blocks["constants"].listed] if "constants" in blocks else []  # type: ignore[union-attr]
    assert listed == constants
    M = short.array("M")
    assert [each.right for each in blocks["M"].listed] == M.written_entries()


def test_a_chains_short_form_is_proved_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClosedTextbook, "proved", lambda _, name: name != "M")
    chain = qddot.load_closed_chain("four_bar")
    eq = chain.equations()
    with pytest.raises(QddotError, match="short form of M is not equal"):
        report(eq.reduced, eq.tree.textbook(), chain.prove(), "en", None, None, "summary", None, eq.textbook())


def test_the_commands_take_the_options_of_derive(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, Any]] = []
    for kind in (qddot.Robot, qddot.ClosedChain):
        of = inspect.signature(kind.report)

        def recorded(*given: Any, of: inspect.Signature = of, **named: Any) -> None:
            bound = of.bind(*given, **named)
            bound.apply_defaults()
            asked.append((bound.arguments["form"], bound.arguments["lumped"]))

        monkeypatch.setattr(kind, "report", recorded)
    lines = (
        "report rp",
        "report rp --no-constants",
        "report rp --form multiple-angle",
        "report four_bar",
        "report four_bar --form textbook --no-constants",
        "closed four_bar -o a.html --form multiple-angle",
    )
    assert [run(capsys, *line.split())[0] for line in lines] == [0] * len(lines)
    assert asked == [
        ("sums", True),
        ("sums", False),
        ("multiple-angle", True),
        (None, True),
        ("sums", False),
        ("multiple-angle", True),
    ]
    code, _, err = run(capsys, "report", "four_bar", "--no-constants")
    assert code == 2
    assert "--no-constants with the normal form; expected --form textbook or multiple-angle" in err
