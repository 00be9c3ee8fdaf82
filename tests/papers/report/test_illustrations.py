"""What a report is handed in: pictures whose links a page finds, motion whose ledger balances, counts, source code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import qddot
from qddot.faces import illustrations, posed_picture
from qddot.faces.robot import Robot
from qddot.machine.compilers import TARGETS
from qddot.motion.simulate.stepping.methods import METHODS
from qddot.papers.report.document import Picture, Table
from qddot.papers.report.finished_parts import ReportedMotion
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.sections import simulated_motion
from qddot.papers.report.sections.worked_state import worked_state
from qddot.papers.report.wording import Words as WordsOfReport

SVG = "{http://www.w3.org/2000/svg}"
HALTED = "puma560_akb"  # its second joint reaches a limit


@cache
def arm(name: str) -> Robot:
    return qddot.load(name)


@cache
def start(name: str) -> tuple[list[float], ...]:
    return tuple(list(part.values()) for part in worked_state(arm(name).model)[:2])


@cache
def motion(name: str, lang: str = "en") -> ReportedMotion:
    q, qd = start(name)
    made = illustrations.motion(arm(name), q, qd, lang, pdf=name == HALTED)
    assert made is not None
    return made


@cache
def pose(name: str, lang: str = "en") -> Picture:
    made = posed_picture.pose(arm(name), start(name)[0], lang)
    assert made is not None
    return made


def pictures(name: str, lang: str = "en") -> list[Picture]:
    run = motion(name, lang)
    assert run.film is not None
    return [pose(name, lang), run.coordinates, run.energy, run.path, run.film]


def ids(svg: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', svg)


@pytest.mark.parametrize("name", ["spatial_2r", "rp", HALTED])
def test_every_link_is_found_in_the_picture(name: str) -> None:
    """Each moving link and the base have painted faces in groups of their own; no id is there twice."""
    root = ElementTree.fromstring(pose(name).svg)
    groups = [group for group in root.iter(f"{SVG}g") if group.get("id", "").startswith("link-")]
    numbers = {int(group.attrib["id"].split("-")[1]) for group in groups}
    assert numbers == {0, *(k for k, body in enumerate(arm(name).model.bodies, 1) if body.joint.moves)}
    assert all(group.findall(f"{SVG}path") for group in groups)
    assert len(ids(pose(name).svg)) == len(set(ids(pose(name).svg)))


def test_a_link_s_groups_are_painted_in_the_colour_of_the_link() -> None:
    """The second link of the arm is red, and what hangs on no link is grey."""
    root = ElementTree.fromstring(pose("spatial_2r").svg)
    colours: dict[str, set[str]] = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("id", "").startswith("link-"):
            fills = {str(path.get("fill") or group.get("fill")) for path in group}
            colours.setdefault(group.attrib["id"].split("-")[1], set()).update(fills)
    channels = {
        link: np.array([[int(fill[k : k + 2], 16) for k in (1, 3, 5)] for fill in sorted(fills)])
        for link, fills in colours.items()
    }
    assert np.ptp(channels["0"], axis=1).max() < 40
    assert (channels["1"][:, 2] > channels["1"][:, 0] + 60).any()
    assert (channels["2"][:, 0] > channels["2"][:, 2] + 60).any()
    assert not (channels["1"][:, 0] > channels["1"][:, 2] + 60).any()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pictures_share_a_page(lang: str) -> None:
    """No two of them have an id in common, none has a style sheet, and each refers to its own parts alone."""
    shown = [picture.svg for picture in pictures("spatial_2r", lang)[:-1]]
    identifiers = [set(ids(svg)) for svg in shown]
    assert len(set.union(*identifiers)) == sum(map(len, identifiers))
    for svg, own in zip(shown, identifiers, strict=True):
        referred = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
        assert referred
        assert {first or second for first, second in referred} <= own
        assert "<style" not in svg
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_pictures_are_small() -> None:
    still, *others, film = pictures(HALTED)
    assert len(still.svg) < 200_000
    assert all(10_000 < len(picture.svg) < 150_000 for picture in others)
    assert all(picture.pdf.startswith(b"%PDF") for picture in (still, *others, film))
    assert 10_000 < len(film.moving) < 400_000


def test_a_film_lasts_as_long_as_the_run_and_goes_on() -> None:
    film = motion("spatial_2r").film
    assert film is not None
    moving: Any = Image.open(BytesIO(film.moving))
    assert moving.size == illustrations.SIZE
    assert moving.info["loop"] == 0
    assert moving.n_frames == illustrations.FPS * motion("spatial_2r").duration + 1


def test_what_stops_early_is_shown_slower() -> None:
    """0.8 s are shown in 3.2 s."""
    film = motion(HALTED).film
    assert film is not None
    moving: Any = Image.open(BytesIO(film.moving))
    seconds = moving.n_frames / illustrations.FPS
    assert seconds == pytest.approx(4 * motion(HALTED).duration, abs=0.2)


@pytest.mark.parametrize("name", ["spatial_2r", HALTED])
def test_the_ledger_is_that_of_the_same_run(name: str) -> None:
    q, qd = start(name)
    run = arm(name).simulate(q, qd, duration=illustrations.DURATION, step=1e-3)
    made, energy = motion(name), run.energy
    assert (made.start, made.rates, made.step, made.method) == (tuple(q), tuple(qd), 1e-3, "rk4")
    assert len(made.ledger) >= 5
    assert made.ledger[-1].time == pytest.approx(made.duration, abs=0.005)
    for row in made.ledger:
        k = int(np.searchsorted(run.time, row.time - 1e-9))
        expected = (energy.K[k], energy.P[k], energy.E[k], energy.work[k], 0.0, energy.balance[k])
        np.testing.assert_allclose(row, (run.time[k], *expected), rtol=1e-9, atol=1e-7)
        assert row.K + row.P == row.E
    trust = run.trust()
    horizon = float(trust.horizon)
    assert made.trust == (None if horizon >= made.ledger[-1].time else pytest.approx(horizon, abs=0.01))
    last = min(made.trust or np.inf, made.ledger[-1].time)
    assert made.apart >= np.nanmax(trust.distance[trust.time <= last])
    assert 0 < made.apart <= trust.within
    assert made.other == "dop853"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_says_with_what_its_run_was_compared(lang: str) -> None:
    """The same method is named where no other one could be used; no two methods have the same words."""
    words = WordsOfReport(lang)
    again = [words(f"again {method}") for method in (illustrations.METHOD, *METHODS[illustrations.METHOD].others)]
    assert len(set(again)) == 4
    assert all(words("trust", again=each, apart="1", seconds="2").count(each) == 1 for each in again)


def test_residuals_have_only_digits_that_mean_something() -> None:
    section = simulated_motion.section(motion("spatial_2r"), arm("spatial_2r").model, WordsOfReport("en"))
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    residuals = [str(row[-1]) for row in table.rows]
    assert any("× 10" in text for text in residuals)
    assert all(len(re.findall(r"\d", text.partition(" ")[0].replace("0.", ""))) <= 2 for text in residuals)


def rod(tmp_path: Path, length: str, more: str = "") -> Robot:
    """A rod that hangs on one joint; length: an expression, or a symbol without a value."""
    symbols = f"[symbols]\n{length} = {{}}\n" if length.isidentifier() else ""
    row = f'[[link]]\ndh = {{ theta = "q1", d = 0, a = "{length}", alpha = 0 }}\nmass = 1\n{more}'
    text = f'name = "rod"\nconvention = "dh"\ngravity = [9.81, 0, 0]\n{symbols}{row}'
    (tmp_path / "rod.toml").write_text(text, encoding="utf-8")
    return qddot.load(tmp_path / "rod.toml")


def test_friction_takes_energy(tmp_path: Path) -> None:
    rough = rod(tmp_path, "1", "joint = { damping = 2 }\n")
    made = illustrations.motion(rough, [0.5], [1.0], "en", pdf=False)
    assert made is not None and made.damped and not motion("spatial_2r").damped
    first, *_, last = made.ledger
    assert last.loss > 1
    assert last.E == pytest.approx(first.E - last.loss, abs=1e-6)
    assert made.path.pdf == b""


def test_a_run_says_where_it_was_halted() -> None:
    assert motion("spatial_2r").halt is None
    halt = motion(HALTED).halt
    assert halt is not None
    q2 = arm(HALTED).model.moving()[1].joint.limits
    assert q2 is not None
    assert (halt.coordinate, halt.upper) == ("q2", True)
    run = arm(HALTED).simulate(*start(HALTED), duration=1.0)  # type: ignore[misc]
    assert halt.time == pytest.approx(run.stops[0].time, abs=1e-9)
    assert run.stops[0].q[1] == pytest.approx(q2[1].value({}))


def test_the_same_arm_has_the_same_bytes() -> None:
    q, qd = start("spatial_2r")
    assert posed_picture.pose(arm("spatial_2r"), q, "zh") == pose("spatial_2r", "zh")
    assert illustrations.motion(arm("spatial_2r"), q, qd, "zh", pdf=False) == motion("spatial_2r", "zh")


def nothing(robot: Robot, q: Sequence[float]) -> bool:
    return illustrations.motion(robot, q, [0.0] * len(q), "en") is None


def test_what_cannot_be_shown_is_none(tmp_path: Path) -> None:
    """There is no motion without masses, from beyond a limit, or where one is hit at once; an unknown length is 1."""
    unknown, q = arm("puma560"), [0.1] * 6
    assert nothing(unknown, q)
    assert illustrations.operations(unknown) == illustrations.code(unknown, "c") == ()
    near = list(start(HALTED)[0])
    limit = arm(HALTED).model.moving()[1].joint.limits
    assert limit is not None
    assert nothing(arm(HALTED), [near[0], limit[1].value({}) + 0.1, *near[2:]])
    assert nothing(arm(HALTED), [near[0], limit[1].value({}) - 1e-3, *near[2:]])
    assert posed_picture.pose(rod(tmp_path, "L"), [0.3], "en") is not None
    assert posed_picture.pose(rod(tmp_path, "1"), [0.3], "en") is not None
    assert posed_picture.pose(unknown, q, "en", pdf=False) is not None  # its lengths are known


def test_operations_are_those_of_the_compiled_functions() -> None:
    counted = illustrations.operations(arm("rp"))
    assert [name for name, _ in counted] == ["inverse_dynamics", "mass_matrix", "forward_dynamics"]
    assert all(count == arm("rp").program(name).total_operations > 0 for name, count in counted)


def test_code_is_what_an_export_writes(tmp_path: Path) -> None:
    for language in TARGETS:
        files = arm("rp").export(language, ["inverse_dynamics"], tmp_path)
        made = illustrations.code(arm("rp"), language)
        assert [code.text for code in made] == [path.read_text(encoding="utf-8") for path in files]
        assert {code.language for code in made} == {language}
