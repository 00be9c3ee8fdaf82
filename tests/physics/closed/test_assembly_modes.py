"""Every assembly mode is found, and none that does not exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import assembled, chain, driven
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.machine.numeric.searched_ranges import SearchedRange


@pytest.mark.parametrize("angle", np.linspace(0.1, 6.2, 5))
def test_a_four_bar_has_the_two_modes_of_freudensteins_equation(angle: float) -> None:
    of = chain("four_bar")
    a, b, c, d = (of.model.tree.defaults()[name] for name in "abcd")
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    A, B, C = k3 + np.cos(angle) * (1 - k2) - k1, -2 * np.sin(angle), k1 - (1 + k2) * np.cos(angle) + k3
    roots = np.sort(2 * np.arctan(np.roots([A, B, C])))
    modes = of.assembly_modes([angle])
    assert np.sort([mode.q[2] for mode in modes]) == pytest.approx(roots, abs=1e-12)
    assert all(mode.radius < 1e-14 for mode in modes)


def test_a_delta_has_eight_modes_of_its_elbows() -> None:
    of = driven("delta", "x", "y", "z")
    modes = of.assembly_modes({"x": 0.05, "y": -0.03, "z": -0.6})
    assert len({tuple(mode.q.round(6)) for mode in modes}) == 8
    assert max(np.abs(of.closure(mode.q)[0]).max() for mode in modes) < 1e-14
    assert any(np.abs(mode.q - of.assemble(modes[0].q).q).max() < 1e-12 for mode in modes)


@pytest.mark.parametrize("angles", [(0.3, 0.3, 0.3), (0.1, 0.5, -0.3)])
def test_the_platform_of_a_delta_is_where_three_spheres_meet(angles: tuple[float, ...]) -> None:
    """By trilateration: the rods' other ends, moved by the platform's radius, are the centres; z < 0 by its limits."""
    of = chain("delta")
    R, r, a, l = (of.model.tree.defaults()[name] for name in ("R", "r", "a", "l"))
    out = [R - r + a * np.cos(q) for q in angles]
    turns = [2 * np.pi * k / 3 for k in range(3)]
    centres = [(x * np.cos(t), x * np.sin(t), -a * np.sin(q)) for x, q, t in zip(out, angles, turns, strict=True)]
    one, two, three = map(np.array, centres)
    ex = (two - one) / np.linalg.norm(two - one)
    i = ex @ (three - one)
    ey = (three - one - i * ex) / np.linalg.norm(three - one - i * ex)
    d, j = np.linalg.norm(two - one), ey @ (three - one)
    y = (i * i + j * j - i * d) / (2 * j)
    height = np.sqrt(l * l - d * d / 4 - y * y)
    both = [one + d / 2 * ex + y * ey + sign * height * np.cross(ex, ey) for sign in (1, -1)]
    (platform,) = [point for point in both if point[2] < 0]
    (mode,) = of.assembly_modes(angles)
    assert mode.q[3:] == pytest.approx(platform, abs=1e-13)


@pytest.mark.parametrize(("name", "count"), [("five_bar", 2), ("slider_crank", 2), ("tilted", 2)])
def test_the_modes_of_other_linkages(name: str, count: int) -> None:
    of, q = chain(name), assembled(name).q
    own = [of.model.tree.coordinates.index(each) for each in of.independent]
    modes = of.assembly_modes(q[own])
    assert len(modes) == count
    turned = [np.abs((mode.q - q + np.pi) % (2 * np.pi) - np.pi).max() for mode in modes]
    assert min(turned) < 1e-12


def test_out_of_reach_there_are_none() -> None:
    assert driven("delta", "x", "y", "z").assembly_modes([0.0, 0.0, -3.0]) == []


def test_modes_that_meet_are_refused() -> None:
    of = qddot.load_closed_chain("slider_crank", ("x",))
    with refusal(EvaluationError, "assembly-modes-meet"):
        of.assembly_modes([0.25])  # crank and rod in line


def test_what_cannot_be_searched_is_refused() -> None:
    slanted = (Path(qddot.__file__).parent / "robot/zoo/closed/delta.toml").read_text(encoding="utf-8")
    slanted = slanted.replace('"prismatic", axis = [0, 1, 0]', '"prismatic", axis = [0.6, 0.8, 0]')
    with refusal(EvaluationError, "coordinates-without-limits", "x, y"):
        ClosedChain(loop_tables.loads(slanted, "delta")).assembly_modes([0.3, 0.3, 0.3])
    with refusal(EvaluationError, "too-many-found-together", "3"):
        driven("delta_parallelograms", "x", "y", "z").assembly_modes([0.0, 0.0, -0.5])
    with refusal(EvaluationError, "of-another-shape", "2"):
        driven("five_bar", "q1", "q3").assembly_modes([1.0])


@pytest.mark.parametrize("name", ["q2", "q9", 1])
def test_only_independent_coordinates_are_given(name: object) -> None:
    of = driven("five_bar", "q1", "q3")
    with refusal(EvaluationError, "not-the-independent-coordinates", "q1, q3"):
        of.assembly_modes({"q1": 2.0, name: 1.0})


def test_a_chain_with_wheels_alone_has_one() -> None:
    assert chain("unicycle").assembly_modes([1.0, 2.0, 3.0, 4.0])[0].q == pytest.approx([1, 2, 3, 4])


@pytest.mark.parametrize(
    ("name", "own", "some", "missing"),
    [
        ("five_bar", ("q1", "q3"), {"q1": 2.0}, "no q3"),
        ("unicycle", None, {"theta": 0.0}, "no x and no y and no phi"),
    ],
)
def test_a_coordinate_that_is_not_given_is_asked_for(
    name: str, own: tuple[str, ...] | None, some: dict[str, float], missing: str
) -> None:
    """The modes with q3 = 0 alone would be fewer than all modes with q1 = 2, of which one certainly exists."""
    of = qddot.load_closed_chain(name, own)
    with refusal(EvaluationError, "not-the-independent-coordinates", missing):
        of.assembly_modes(some)


def test_the_command_asks_for_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["closed", "five_bar", "--modes", "--at", "q1=2"]) == 2
    printed = capsys.readouterr()
    assert "proved" not in printed.out
    assert "no q3 among the independent coordinates; expected q1, q3" in printed.err


def test_coordinates_that_may_be_zero_are_zero() -> None:
    assembly = driven("delta", "x", "y", "z").assemble({"q1": 0.3, "q2": 0.3, "q3": 0.3, "z": -0.6})
    assert list(assembly.q[3:5]) == [0, 0]
    tree = driven("delta_parallelograms", "x", "y", "z")
    guess = {name: {"q": 0.3, "u": 1.9}.get(name[0], 0.0) for name in tree.model.tree.coordinates}
    closed = tree.assemble({**guess, "z": -0.55})
    turned = [name[0] in "vr" for name in tree.model.tree.coordinates]
    assert not closed.q[turned].any() and 0 < closed.radius < 1e-16


@pytest.mark.parametrize(
    ("of", "guess"),
    [
        (chain("four_bar"), {"q1": 1.0, "q2": 4 * np.pi - 0.5, "q3": 1.5 - 2 * np.pi}),
        (driven("delta_parallelograms", "x", "y", "z"), {"z": -0.5}),
    ],
    ids=lambda of: getattr(of, "name", ""),
)
def test_an_assembled_angle_is_within_half_a_turn_of_its_guess(of: ClosedChain, guess: dict[str, float]) -> None:
    """Newton's method may pass whole turns on its way."""
    q, tree = of.assemble(guess).q, of.model.tree
    assert np.abs(of.closure(q)[0]).max() < 1e-12
    for name, value, turns in zip(tree.coordinates, q, tree.turning, strict=True):
        assert not turns or abs(value - guess.get(name, 0.0)) <= np.pi


PLANAR = """
[[link]]
name = "crank"
joint = { type = "revolute", xyz = [0.379, 0.466, 0.262], axis = [AXIS], coordinate = "q1" }
mass = 1
[[link]]
name = "slab"
parent = "crank"
joint = { type = "planar", rpy = [-0.775, -1.194, -2.819], axis = [0, 1, 0], coordinates = ["y", "x", "turn"] }
mass = 1
[[loop]]
type = "planar"
first = { link = "slab", xyz = [-0.367, 0.242, 0.111], rpy = [1.451, 0.372, -1.785] }
second = { xyz = [1.51, 1.53, -0.7104], rpy = [2.6044, -1.1087, 1.0495] }
""".replace("AXIS", "-0.561646675382807, 0.20098135907677328, -0.8025954805100094")
SCREW = """
[[link]]
name = "crank"
joint = { type = "revolute", coordinate = "q1" }
mass = 1
[[link]]
name = "nut"
parent = "crank"
joint = { type = "helical", axis = [1, 0, 0], pitch = 0.1, xyz = [0.3, 0, 0], coordinate = "q2" }
mass = 1
[[loop]]
type = "rod"
length = 0.5
first = { link = "nut", xyz = [0, 0.1, 0] }
second = { xyz = [0, 0, 0.2] }
"""
GEARED = """
[[link]]
name = "crank"
joint = { type = "revolute", coordinate = "q1" }
mass = 1
[[link]]
name = "arm"
parent = "crank"
joint = { type = "revolute", xyz = [0.5, 0, 0], coordinate = "q2" }
mass = 1
[[link]]
name = "hand"
parent = "arm"
joint = { type = "revolute", xyz = [0.4, 0, 0], coordinate = "q2", ratio = RATIO }
mass = 1
[[loop]]
type = "rod"
length = 0.5
first = { link = "hand", xyz = [0.3, 0, 0] }
second = { xyz = [0.9, 0.2, 0] }
"""
TELESCOPE = """
[[link]]
name = "crank"
joint = { type = "revolute", coordinate = "q1" }
mass = 1
[[link]]
name = "tube"
parent = "crank"
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x" }
mass = 1
[[link]]
name = "piston"
parent = "tube"
joint = { type = "prismatic", axis = [-1, 0, 0], coordinate = "x", ratio = RATIO }
mass = 1
[[loop]]
type = "rod"
length = 0.5
first = { link = "piston", xyz = [0, 0.1, 0] }
second = { xyz = [0.2, 0, 0] }
"""
SQUARE = TELESCOPE.replace("RATIO", "1").replace("[-1, 0, 0]", "[0, 1, 0]")  # both slides go equally far
HEADING = 'name = "linkage"\nconvention = "tree"\n'


def linkage(text: str, independent: str) -> ClosedChain:
    return ClosedChain(loop_tables.loads(HEADING + text, "linkage"), independent)


def from_many_starts(of: ClosedChain, given: dict[str, float], spans: dict[str, float], periods: Any) -> list[Any]:
    """Returns the configurations that `assemble` finds from random starts, with angles in their first period."""
    random, distinct = np.random.default_rng(3), list[Any]()
    for _ in range(120):
        start = {name: random.uniform(-span, span) for name, span in spans.items()}
        try:
            q = of.assemble({**given, **start}).q
        except EvaluationError:
            continue
        for name, period in periods.items():
            k = of.model.tree.coordinates.index(name)
            q[k] = (q[k] + period / 2) % period - period / 2
        if not any(np.abs(q - other).max() < 1e-6 for other in distinct):
            distinct.append(q)
    return sorted(q.round(6).tolist() for q in distinct)


FULL = 2 * np.pi


@pytest.mark.parametrize(
    ("text", "given", "spans", "periods", "count"),
    [
        (PLANAR, {"y": -1.16}, {"q1": np.pi, "x": 8.0, "turn": np.pi}, {"q1": FULL, "turn": FULL}, 4),
        (SCREW, {"q1": 0.4}, {"q2": 12.0}, {}, 2),
        (GEARED.replace("RATIO", "0.5"), {"q1": 0.4}, {"q2": FULL}, {"q2": 2 * FULL}, 4),
        (GEARED.replace("RATIO", '"2/3"'), {"q1": 0.4}, {"q2": 1.5 * FULL}, {"q2": 3 * FULL}, 8),
        (TELESCOPE.replace("RATIO", "0.5"), {"q1": 0.4}, {"x": 3.0}, {}, 2),
        (TELESCOPE.replace("RATIO", "2"), {"q1": 0.4}, {"x": 3.0}, {}, 2),
        (SQUARE, {"q1": 0.4}, {"x": 3.0}, {}, 2),
    ],
    ids=["planar", "screw", "half", "two_thirds", "telescope", "faster_piston", "square"],
)
def test_no_mode_is_missing_in_other_turns_or_far_away(
    text: str, given: dict[str, float], spans: dict[str, float], periods: dict[str, float], count: int
) -> None:
    of = linkage(text, next(iter(given)))
    modes = of.assembly_modes(given)
    assert sorted(mode.q.round(6).tolist() for mode in modes) == from_many_starts(of, given, spans, periods)
    assert len(modes) == count


def test_a_spatial_linkage_has_the_modes_of_many_starts() -> None:
    of, q = chain("spatial"), assembled("spatial").q
    modes = of.assembly_modes(q[:1])
    starts = from_many_starts(of, {"q1": q[0]}, dict.fromkeys(of.dependent, np.pi), dict.fromkeys(of.dependent, FULL))
    assert sorted(mode.q.round(6).tolist() for mode in modes) == starts


@pytest.mark.parametrize(("limits", "count"), [([-10, 0], 1), ([-7.2, 2.0], 2), ([0, 1.8], 0)])
def test_a_screw_with_limits_is_searched_within_them(limits: list[float], count: int) -> None:
    limited = SCREW.replace("pitch = 0.1", f"pitch = 0.1, limits = {limits}")
    assert len(linkage(limited, "q1").assembly_modes({"q1": 0.4})) == count


@pytest.mark.parametrize(
    "text",
    [
        PLANAR.replace('"revolute", xyz', '"helical", pitch = 0.1, xyz'),
        GEARED.replace("RATIO", "0.1234567"),
    ],
    ids=["screw", "ratio"],
)
def test_a_coordinate_without_bounds_or_period_needs_limits(text: str) -> None:
    name = "y" if "slab" in text else "q1"
    with refusal(EvaluationError, "coordinates-without-limits"):
        linkage(text, name).assembly_modes({name: 0.3})


TABLE = """
name = "table"
convention = "dh"
[[link]]
name = "crank"
dh = { theta = "q1", d = 0, a = 3, alpha = 0 }
mass = 1
[[link]]
name = "wrist"
dh = { theta = "q2", d = 0, a = 0, alpha = "90deg" }
mass = 1
[[link]]
name = "slide"
dh = { theta = 0, d = "q3", a = 0, alpha = 0 }
mass = 1
[[loop]]
type = "rod"
length = 0.5
first = { link = "slide" }
second = { xyz = [0.2, 0.1, 0] }
"""


def test_a_slide_reaches_as_far_as_the_lengths_in_a_table() -> None:
    of = ClosedChain(loop_tables.loads(TABLE, "table"), ("q1", "q2"))
    modes = of.assembly_modes([0.0, np.pi / 2])
    # the slide goes along x from (3, 0, 0), and the rod ends at (0.2, 0.1, 0)
    assert [mode.q[2] for mode in modes] == pytest.approx([-2.8 - 0.24**0.5, -2.8 + 0.24**0.5])


@pytest.mark.parametrize(("a", "b"), [(3.0, -3.0), (-3.0, 3.0), (3.0, 2.5), (-3.0, -2.5), (0.0, 3.1), (-1.0, 1.5)])
def test_two_angles_are_apart_by_the_shorter_way_round(a: float, b: float) -> None:
    turning, sliding = SearchedRange(-np.pi, np.pi, 2 * np.pi), SearchedRange(-4.0, 4.0)
    assert turning.apart(a, b) == pytest.approx(abs(np.angle(np.exp(1j * (a - b)))), abs=1e-15)
    assert sliding.apart(a, b) == abs(a - b)
