"""The README, the docs and the examples say what really happens."""

from __future__ import annotations

import math
import re
import runpy
import sys
from functools import partialmethod
from html import unescape
from pathlib import Path

import matplotlib as mpl
import newcomer
import outputs
import pytest

import qddot
from qddot.apps.cli import main
from qddot.formats.toml import robot_file
from qddot.motion.simulate.runs.ledger import EnergyCheck, Ledger

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
REFERENCE = ROOT / "docs" / "reference"
DURATION = re.compile(r" +\d+(?:\.\d+)? m?s$|(?<=proved) in .* s(?=>?$)", re.MULTILINE)
COMMANDS = (REFERENCE / "command-line.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_derivation_that_is_shown_is_the_real_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = blocks(COMMANDS, "")[0].split("$ qddot derive two_link\n")[1].split("$ qddot prove")[0]
    main(["derive", "two_link"])
    assert capsys.readouterr().out.strip() == shown.strip()


def test_the_identities_that_are_shown_are_the_real_ones(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [line.rsplit(maxsplit=2)[0] for line in COMMANDS.splitlines() if line.startswith("✓ ")]
    main(["prove", "puma560"])
    real = [line.rsplit(maxsplit=2)[0] for line in capsys.readouterr().out.splitlines() if line.startswith("✓ ")]
    assert shown
    assert shown == real[: len(shown)]


CHECK = Ledger.check
FOLLOWED = [
    path
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if not {"_build", "gallery", "zh"} & set(path.parts) and newcomer.BLOCK.search(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", FOLLOWED, ids=[path.stem for path in FOLLOWED])
def test_every_block_of_a_page_of_the_site_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    checks: list[EnergyCheck] = []

    def checked(ledger: Ledger, tolerance: float) -> EnergyCheck:
        checks.append(CHECK(ledger, tolerance))
        return checks[-1]

    monkeypatch.setattr(Ledger, "check", checked)
    results = outputs.outputs(page)
    assert results
    assert all(checks), "no page shows a run that fails its own check of the energy"
    for each, up in outputs.twins(page):
        text = each.read_text(encoding="utf-8")
        assert outputs.same(text, outputs.written(text, results, page, up)), (
            f"{page.name} prints something else now: python docs/outputs.py {page.relative_to(ROOT / 'docs')} writes it"
        )


def test_outputs_that_differ_are_told_apart_from_those_that_differ_in_times_and_last_digits() -> None:
    shown = "proved in 0.5 s, 1.2345 and 3e-16"
    assert outputs.same(shown, "proved in 12 ms, 1.2346 and -2e-17")
    for other in (
        "proved in 0.5 s, 1.3345 and 3e-16",
        "proved in 0.5 s, 1.2345 or 3e-16",
        "in 0.5 s, 1.2345, 3e-16",
    ):
        assert not outputs.same(shown, other)


def test_every_picture_that_pages_show_is_there_and_no_other() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts]
    shown = {name for text in texts for name in re.findall(r"_static/shown/([^)]*)\)", text)}
    assert shown == {path.name for path in outputs.SHOWN.iterdir()}
    assert sum(path.stat().st_size for path in outputs.SHOWN.iterdir()) < 400_000


def test_the_code_of_the_readme_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Each line's output stands below it in comments; how long a proof took is not compared."""
    lines = "".join(blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")).splitlines(keepends=True)
    starts = [k for k, line in enumerate(lines) if not line.startswith("#")]
    space: dict[str, object] = {}
    for k, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        exec(compile(lines[k], "README.md", "exec"), space)
        shown = "".join(line.removeprefix("# ") for line in lines[k + 1 : after])
        assert DURATION.sub("", capsys.readouterr().out) == DURATION.sub("", shown)
    assert (
        len(starts) == 8
    )  # an import, an empty line, four lines, and two that show a proof and how far a motion is right


INCLUDED = re.compile(r"^<!-- {include} (\S+)$(.*?)-->$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r'^:(?:start-after|end-before): "(.*)"$', re.MULTILINE)


def test_the_parts_of_files_that_pages_include_are_there() -> None:
    pages = (page for page in (ROOT / "docs").rglob("*.md") if not {"_build", "gallery"} & set(page.parts))
    included = [(page, *groups) for page in pages for groups in INCLUDED.findall(page.read_text(encoding="utf-8"))]
    assert any(PLACE.findall(options) for _, _, options in included)
    for page, name, options in included:
        text = (page.parent / name).read_text(encoding="utf-8")
        assert [place for place in PLACE.findall(options) if text.count(unescape(place)) != 1] == [], page


def test_the_documented_robot_file_is_the_zoos() -> None:
    text = blocks((REFERENCE / "robot-file.md").read_text(encoding="utf-8"), "toml")[0]
    model = robot_file.loads(text, "docs")
    assert model.name == "spatial_2r"
    shipped = qddot.load("spatial_2r").equations()
    assert shipped.M.subs(m2=10) == qddot.Robot(model).equations().M


def test_no_page_cuts_what_it_prints_in_the_middle_of_a_number() -> None:
    """A text that is too long ends with a line, not after a number of characters."""
    cut = re.compile(r"\)\[:\d{3,}\]")
    pages = [path for path in (ROOT / "docs").rglob("*.md") if cut.search(path.read_text(encoding="utf-8"))]
    assert not pages


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_every_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    # films of a few pictures, which `tests/papers/draw` looks at
    monkeypatch.setattr(qddot.Run, "movie", partialmethod(qddot.Run.movie, fps=2))
    mpl.use("Agg")
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        assert not end.code, end.code


def test_the_readme_leads_to_the_equations_of_ones_own_arm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (file,) = blocks(text, "toml")
    ((command, expected),) = re.findall(r"^\$ (qddot [^\n]*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (tmp_path / "my_arm.toml").write_text(file, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out.strip() == expected.strip()
    a1, a2, m1, m2 = 0.4, 0.3, 3, 2  # by hand: a rod about its end, and a point at the end of the second link
    M = qddot.load("my_arm.toml").mass_matrix([0.2, 0.7])
    squared = a1**2 + a2**2 + 2 * a1 * a2 * math.cos(0.7)
    assert M[0, 0] == pytest.approx(m1 * a1**2 / 3 + m2 * squared)
    assert main(["doctor", "my_arm.toml"]) == 0
