"""Robot files whose links have the inertia of shapes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import shapes
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.robot.shapes.kinds import KINDS

FILE = """
name = "arm"
convention = "dh"
gravity = [0, "-g", 0]
[symbols]
l = 0.8
m = 2
rho = 2700
r = 0.03
[[link]]
dh = {{ theta = "q1", d = 0, a = "l", alpha = 0 }}
{link}
"""


def read(link: str) -> qddot.Robot:
    return qddot.loads(FILE.format(link=link))


def arm(**link: Any) -> qddot.Robot:
    rows = [{"theta": f"q{k}", "d": 0, "a": "l", "alpha": twist} for k, twist in ((1, "90deg"), (2, 0))]
    return qddot.from_dh(rows, [link] * 2, symbols={"l": 0.8, "m": 2, "rho": 2700, "r": 0.03}, gravity=(0, 0, "-g"))


def test_a_rod_is_the_tensor_that_textbooks_give() -> None:
    rod = arm(mass="m", com=["-l/2", 0, 0], inertia={"shape": "rod", "length": "l"})
    tensor = {"about": "com", "yy": "m*l**2/12", "zz": "m*l**2/12"}
    assert rod.model == arm(mass="m", com=["-l/2", 0, 0], inertia=tensor).model


def test_all_ways_to_write_a_rod_are_one() -> None:
    ways = [
        {"mass": "m", "com": ["-l/2", 0, 0], "inertia": {"shape": "rod", "length": "l"}},
        {"mass": "m", "inertia": {"shape": "rod", "length": "l", "at": ["-l/2", 0, 0]}},
        {"inertia": {"shape": "rod", "length": "l", "at": ["-l/2", 0, 0], "mass": "m"}},
        {
            "mass": "m",
            "inertia": {"shape": "rod", "length": "l", "axis": "z", "at": ["-l/2", 0, 0], "rpy": [0, "90deg", 0]},
        },
        {"com": ["-l/2", 0, 0], "inertia": {"shapes": [{"shape": "rod", "length": "l", "mass": "m"}]}},
        {"mass": "m", "com": ["-l/2", 0, 0], "inertia": shapes.rod(length="l")},
        {"inertia": shapes.rod("m", length="l").moved(["-l/2", 0, 0])},
    ]
    assert len({arm(**way).model.hash for way in ways}) == 1


def test_the_equations_of_a_composite_are_proved_and_those_of_numbers() -> None:
    """A link of aluminium: a cylinder with a ball at its end."""
    inertia = {
        "density": "rho",
        "shapes": [
            {"shape": "cylinder", "length": "l", "radius": "r", "axis": "x", "at": ["-l/2", 0, 0]},
            {"shape": "sphere", "radius": "2*r"},
        ],
    }
    robot = arm(inertia=inertia)
    assert robot.prove()
    l, r, rho = 0.8, 0.03, 2700
    rod, ball = rho * np.pi * r**2 * l, rho * 4 / 3 * np.pi * (2 * r) ** 3
    along = rod * r**2 / 2 + ball * 2 / 5 * (2 * r) ** 2
    across = rod * (l**2 / 3 + r**2 / 4) + ball * 2 / 5 * (2 * r) ** 2
    numbers = arm(
        mass=rod + ball,
        first_moment=[-rod * l / 2, 0, 0],
        inertia={"about": "origin", "xx": along, "yy": across, "zz": across},
    )
    q = [0.3, -0.8]
    assert robot.mass_matrix(q) == pytest.approx(numbers.mass_matrix(q), rel=1e-12)
    assert robot.gravity(q) == pytest.approx(numbers.gravity(q), rel=1e-12)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_written_as_it_was_read(name: str) -> None:
    sizes = {"radius": "2*r", "inner_radius": "r"}
    body = getattr(shapes, name)(
        density="rho",
        at=["l", "r", 0],
        rpy=["30deg", 0, "20deg"],
        **{each: sizes.get(each, "l") for each in KINDS[name].sizes},
    )
    robot = arm(inertia=body + shapes.rod(m="m", length="l", axis="y"))
    again = qddot.loads(robot.to_toml())
    assert again.model == robot.model
    assert again.model.bodies[0].shapes == robot.model.bodies[0].shapes
    assert f'shape = "{name}"' in robot.to_toml()


def test_the_shapes_of_a_link_follow_its_frame() -> None:
    robot = arm(mass="m", com=["-l/2", 0, 0], inertia={"shape": "cylinder", "length": "l", "radius": "r", "axis": "x"})
    for other in (robot.as_mdh(), robot.as_tree()):
        for body in other.model.bodies:
            assert body.shapes is not None
            assert body.shapes.inertia == body.inertia
            assert body.shapes.com == body.com


def test_a_changed_inertia_has_no_shapes() -> None:
    from dataclasses import replace

    body = arm(mass="m", inertia={"shape": "sphere", "radius": "r"}).model.bodies[0]
    assert body.shapes is not None
    assert replace(body, inertia=body.inertia.shifted(Vec3(1, 0, 0)), com=None).shapes is None


def test_a_centre_that_nobody_gave_is_noted() -> None:
    assert "no com is given" in read('mass = "m"\ninertia = { shape = "rod", length = "l" }').model.notes[0]
    placed = read('mass = "m"\ninertia = { shape = "rod", length = "l", at = ["-l/2", 0, 0] }')
    assert placed.model.notes == ()


def test_payloads_and_bases_take_shapes() -> None:
    robot = arm(mass="m", inertia={"shape": "sphere", "radius": "r"})
    ball = robot.with_payload(3, inertia=shapes.sphere(radius="r", at=["r", 0, 0])).model.bodies[-1]
    assert ball.com == Vec3(expression("r"), 0, 0)
    assert ball.shapes is not None
    base = robot.free("m", inertia=shapes.box(length=1, width=2, height=1)).model.bodies[0]
    assert base.inertia.I.yy == expression("m/6")


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ('inertia = { shape = "rod" }', "the thin rod lacks its length"),
        ('inertia = { shape = "rood", length = 1 }', "shape is 'rood'; expected rod, plate.*did you mean 'rod'"),
        ('inertia = { shape = "rod", length = 1, radius = 1 }', "unknown key 'radius' of a thin rod"),
        ('inertia = { shape = "rod", length = "l" }', "neither a mass nor a density; expected one of them"),
        (
            'mass = 1\ninertia = { shape = "rod", length = "-l" }',
            "length -l = -0.8 of the thin rod; expected a number above",
        ),
        ('mass = 1\ninertia = { shape = "rod", length = "l - 0.8" }', "length l - 4/5 = 0 of the thin rod"),
        (
            'mass = 1\ninertia = { shape = "tube", length = 1, radius = "r", inner_radius = "r" }',
            "less than its radius",
        ),
        ('mass = 1\ninertia = { shape = "rod", length = "k" }', "the symbol k is used but not declared"),
        ('mass = 1\ninertia = { shape = "rod", length = "800mm" }', "length '800mm'.*write 0.8"),
        ('mass = 1\ninertia = { shape = "rod", length = 1, about = "com" }', "unknown key 'about' of a thin rod"),
        (
            'mass = 1\ninertia = { shape = "sphere", radius = "r", density = "rho" }',
            "the mass 1 of the sphere is not that",
        ),
        ('mass = 1\ninertia = { shape = "sphere", radius = 1, density = 9 }', "the mass 1 of the sphere is not.*37.7"),
        (
            'mass = 3\ninertia = { shapes = [{ shape = "rod", length = 1, mass = 2 }] }',
            "the mass 3 of the link is not that",
        ),
        (
            'mass = 1\ncom = [1, 0, 0]\ninertia = { shape = "sphere", radius = 1, at = [2, 0, 0] }',
            "not the centre of mass",
        ),
        (
            'mass = 1\nfirst_moment = [1, 0, 0]\ninertia = { shape = "sphere", radius = 1 }',
            "first_moment and an inertia of",
        ),
        ("mass = 1\ninertia = { shapes = [] }", "shapes is empty"),
        ("mass = 1\ninertia = { shapes = [1] }", "shape 1.*a shape is 1; expected a table"),
        ('mass = 1\ninertia = { shapes = [{ shape = "rod" }] }', "shape 1.*lacks its length"),
        ("mass = 1\ninertia = { shapes = [], length = 1 }", "unknown key 'length' beside shapes"),
        ('mass = 1\ninertia = { shape = "rod", length = 1, rpy = [0, 0, 0], rotation = [] }', "both rpy and rotation"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(link: str, message: str) -> None:
    with pytest.raises(QddotError) as caught:
        read(link)
    assert re.search(message, str(caught.value)), str(caught.value)
    assert "link1" in str(caught.value) or "k is used" in message


def test_values_of_sizes_are_checked_where_they_change() -> None:
    robot = read('mass = "m"\ninertia = { shape = "sphere", radius = "r" }')
    assert robot.with_values(r=0.1).mass_matrix([0]) == pytest.approx(np.array([[2 * (0.8**2 + 0.4 * 0.1**2)]]))
    with refusal(QddotError, "size-not-positive", "radius", "r", " = -0.1", "shape-sphere"):
        robot.with_values(r=-0.1)


def test_the_documented_table_of_shapes_is_that_of_the_records() -> None:
    """Its formulas are those of shapes with m = 1 or ρ = 1 and the sizes l, w, h, r and r_i."""
    text = (Path(__file__).parents[2] / "docs" / "reference" / "robot-file.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(\w+)`[^|]* \| ([^|]*) \| ([^|]*) ?\| ([^|]*) \|$",
        text.partition("### By shapes")[2].partition("| key |")[0],
        re.MULTILINE,
    )
    documented = {
        name: (re.findall(r"`(\w+)`", sizes), axis[:1].strip(), formulas) for name, sizes, axis, formulas in rows[1:]
    }
    assert documented.keys() == KINDS.keys()
    letters = {"length": "l", "width": "w", "height": "h", "radius": "r", "inner_radius": "r_i"}
    for name, (sizes, axis, formulas) in documented.items():
        kind = KINDS[name]
        assert (sizes, axis) == ([*kind.sizes], kind.axis)
        amount = {"density": 1} if "rho" in formulas else {"m": 1}
        own = getattr(shapes, name)(
            **amount, **{size: letters[size] for size in sizes}, **({"axis": "z"} if axis else {})
        )
        moments = [own.tensor.zz, own.tensor.xx]
        for formula, moment in zip(re.findall(r"\$(.+?)\$", formulas), moments, strict=False):
            assert _read(formula) == moment, (name, formula)


def _read(latex: str) -> Any:
    """A formula such as \\tfrac{1}{12} m (3 r^2 + l^2) with m = ρ = 1."""
    text = (
        re.sub(r"\\tfrac\{?(\d+?)\}?(?:\{(\d+)\}|(\d))", r"(\1/\2\3)", latex)
        .replace(r"\rho", "1")
        .replace(r"\pi", "pi")
    )
    text = re.sub(r"\bm\b", "1", text)
    return expression(re.sub(r"(?<=[\w)]) (?=[\w(])", "*", text))


def said(length: object = "l", radius: object = "r", **amount: object) -> dict[str, str]:
    """What the doctor says of an arm of two cylinders, by the names of the checks."""
    cylinder = {"shape": "cylinder", "length": length, "radius": radius, "axis": "x", "at": ["-l/2", 0, 0]}
    return {finding.check: finding.found for finding in arm(inertia={**cylinder, **amount}).doctor()}


def test_the_doctor_tells_other_units() -> None:
    assert said(density=2.7)["light_shapes"] == "the cylinder has a density of 2.7 kg/m³"
    assert said(length=800, mass=2)["millimetres"] == "800 m as the length of a cylinder"
    assert "too_dense" in said(mass=2000 * 100)
    across = "its cylinder lies along z, and half its length from the origin along x"
    assert said(density="rho", axis="z")["crossed_rod"] == across
    assert "crossed_rod" not in said(density="rho", axis="z", length="l/2")
    assert not {"crossed_rod", "light_shapes", "millimetres", "too_dense", "too_wide"} & set(said(density="rho"))
