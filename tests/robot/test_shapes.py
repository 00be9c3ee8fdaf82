"""Moments of shapes, against sums over points, tables of textbooks, MuJoCo, and parallel axes by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from scipy.stats.qmc import Sobol

from qddot import shapes
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.quotient import quotient
from qddot.algebra.spatial import Inertia, Vec3
from qddot.base.errors import ModelError, QddotError
from qddot.formats.shared.shapes import volume
from qddot.formats.xml import elements as xml
from qddot.robot.bodies import Body
from qddot.robot.shapes.kinds import KINDS
from qddot.robot.shapes.made import Shapes
from qddot.robot.shapes.steps import Iterated, integrals, lines

SIZES: dict[str, dict[str, Any]] = {
    "rod": {"length": 1.3},
    "plate": {"length": 1.3, "width": 0.7},
    "disk": {"radius": 0.6},
    "box": {"length": 1.3, "width": 0.7, "height": 0.4},
    "cylinder": {"length": 1.3, "radius": 0.6},
    "tube": {"length": 1.3, "radius": 0.6, "inner_radius": 0.35},
    "sphere": {"radius": 0.6},
    "hollow_sphere": {"radius": 0.6, "inner_radius": 0.35},
    "ellipsoid": {"length": 1.3, "width": 0.7, "height": 0.9},
    "capsule": {"length": 0.8, "radius": 0.6},
    "cone": {"height": 1.3, "radius": 0.6},
}
# in the own frame: whether a point is inside, from the words of the definition
INSIDE: dict[str, Callable[..., Any]] = {
    "rod": lambda x, y, z, length: abs(z) < length / 2,
    "plate": lambda x, y, z, length, width: (abs(x) < length / 2) & (abs(y) < width / 2),
    "disk": lambda x, y, z, radius: x**2 + y**2 < radius**2,
    "box": lambda x, y, z, length, width, height: (abs(x) < length / 2) & (abs(y) < width / 2) & (abs(z) < height / 2),
    "cylinder": lambda x, y, z, length, radius: (abs(z) < length / 2) & (x**2 + y**2 < radius**2),
    "tube": lambda x, y, z, length, radius, inner_radius: (
        (abs(z) < length / 2) & (x**2 + y**2 < radius**2) & (x**2 + y**2 > inner_radius**2)
    ),
    "sphere": lambda x, y, z, radius: x**2 + y**2 + z**2 < radius**2,
    "hollow_sphere": lambda x, y, z, radius, inner_radius: (
        (x**2 + y**2 + z**2 < radius**2) & (x**2 + y**2 + z**2 > inner_radius**2)
    ),
    "ellipsoid": lambda x, y, z, length, width, height: (
        (2 * x / length) ** 2 + (2 * y / width) ** 2 + (2 * z / height) ** 2 < 1
    ),
    "capsule": lambda x, y, z, length, radius: (
        x**2 + y**2 + np.maximum(abs(z) - length / 2, 0) ** 2 < radius**2  # nearer to a segment than the radius
    ),
    "cone": lambda x, y, z, height, radius: (z > 0) & (np.sqrt(x**2 + y**2) < radius * (1 - z / height)),
}
# m = 1; Beer & Johnston, Vector Mechanics for Engineers: Dynamics, "Mass moments of inertia of common shapes";
# Meriam & Kraige, Engineering Mechanics: Dynamics, table D/4: along x, along y, along z
TABLES = {
    "rod": ("length**2/12", "length**2/12", "0"),
    "plate": ("width**2/12", "length**2/12", "(length**2 + width**2)/12"),
    "disk": ("radius**2/4", "radius**2/4", "radius**2/2"),
    "box": ("(width**2 + height**2)/12", "(length**2 + height**2)/12", "(length**2 + width**2)/12"),
    "cylinder": ("(3*radius**2 + length**2)/12", "(3*radius**2 + length**2)/12", "radius**2/2"),
    "tube": (
        *("(3*radius**2 + 3*inner_radius**2 + length**2)/12",) * 2,
        "(radius**2 + inner_radius**2)/2",
    ),
    "sphere": ("2*radius**2/5",) * 3,
    "ellipsoid": ("(width**2 + height**2)/20", "(length**2 + height**2)/20", "(length**2 + width**2)/20"),
    "cone": ("3*radius**2/20 + 3*height**2/80",) * 2 + ("3*radius**2/10",),
}


def own(name: str, **given: Any) -> shapes.Shapes:
    """A shape in its own frame, whose axis is z."""
    return getattr(shapes, name)(**given, **({"axis": "z"} if KINDS[name].axis else {}))


def moments_of_points(name: str) -> Any:
    """∫p pᵀ dV of p = (x, y, z, 1), from points that fill a cube evenly, of which those in the shape count."""
    dimension, reach = KINDS[name].dimension, 1.4
    drawn = (Sobol(dimension, rng=1).random(2**20).T * 2 - 1) * reach
    rest = np.zeros((3 - dimension, drawn.shape[1]))
    p = np.vstack([rest, drawn] if dimension == 1 else [drawn, rest])
    inside = INSIDE[name](*p, **SIZES[name])
    homogeneous = np.vstack([p, np.ones(p.shape[1])])[:, inside]
    return (2 * reach) ** dimension / p.shape[1] * homogeneous @ homogeneous.T


@pytest.mark.parametrize("name", KINDS)
def test_moments_are_those_of_points_in_the_shape(name: str) -> None:
    expected = 1.7 * moments_of_points(name)
    found = own(name, density=1.7, **SIZES[name]).pseudo()
    pseudo = np.array([[expression(entry).value({}) for entry in row] for row in found])
    # a million points of Sobol's sequence miss a volume, and moments that are zero, by about 0.03 %
    assert pseudo == pytest.approx(expected, rel=2e-3, abs=1e-3 * expected.max())


@pytest.mark.parametrize("name", TABLES)
def test_moments_are_those_of_textbooks(name: str) -> None:
    body = own(name, m=1, **{size: size for size in KINDS[name].sizes})
    tensor = body.tensor
    assert tensor is not None
    assert tuple(tensor) == tuple(map(expression, (TABLES[name][0], "0", "0", TABLES[name][1], "0", TABLES[name][2])))


def test_the_centre_of_a_cone_is_a_quarter_of_its_height_above_its_base() -> None:
    assert shapes.cone(m="m", height="h", radius="r").com == Vec3(0, 0, expression("h/4"))
    assert shapes.cone(m="m", height="h", radius="r", axis="x", at=["a", 0, 0]).com == Vec3(expression("a + h/4"), 0, 0)


def test_a_hollow_sphere_is_a_sphere_without_a_sphere() -> None:
    outer, inner = (shapes.sphere(density="rho", radius=r).inertia for r in ("R", "r"))
    hollow = shapes.hollow_sphere(density="rho", radius="R", inner_radius="r").inertia
    assert hollow.I == outer.I - inner.I
    assert hollow.m == outer.m - inner.m
    moment = shapes.hollow_sphere(m=1, radius=1, inner_radius="0.5").inertia.I.xx
    assert moment == Fraction(2, 5) * (1 - Fraction(1, 32)) / (1 - Fraction(1, 8))


def test_a_capsule_is_a_cylinder_between_half_spheres() -> None:
    """Each half sphere has its centre of mass 3r/8 above its base, and 2/5 m r² − m (3r/8)² about that centre."""
    m_c, m_h, l, r = (expression(text) for text in ("pi*r**2*l", "2*pi*r**3/3", "l", "r"))
    tensor = shapes.capsule(density=1, length="l", radius="r").tensor
    assert tensor is not None
    across = m_h * (r**2 * (Fraction(2, 5) - Fraction(9, 64)) + (l / 2 + r * Fraction(3, 8)) ** 2)
    assert tensor.xx == m_c * (r**2 / 4 + l**2 / 12) + 2 * across
    assert tensor.zz == m_c * r**2 / 2 + 2 * m_h * r**2 * Fraction(2, 5)


def test_mujoco_has_the_same_moments() -> None:
    import mujoco

    geoms = {
        "box": 'type="box" size="0.65 0.35 0.2"',
        "sphere": 'type="sphere" size="0.6"',
        "cylinder": 'type="cylinder" size="0.6 0.65"',
        "ellipsoid": 'type="ellipsoid" size="0.65 0.35 0.45"',
        "capsule": 'type="capsule" size="0.6 0.4"',
    }
    for name, geom in geoms.items():
        text = f'<mujoco><worldbody><body><freejoint/><geom {geom} density="1200"/></body></worldbody></mujoco>'
        peer = mujoco.MjModel.from_xml_string(text)
        body = own(name, density=1200, **SIZES[name])
        principal = sorted(
            expression(entry).value({}) for entry in (body.inertia.I.xx, body.inertia.I.yy, body.inertia.I.zz)
        )
        assert sorted(peer.body_inertia[1]) == pytest.approx(principal, rel=1e-12)
        assert peer.body_mass[1] == pytest.approx(body.mass.value({}), rel=1e-12)


@pytest.mark.parametrize("axis", "xyz")
def test_an_axis_takes_z_there_in_a_cycle(axis: str) -> None:
    plate = shapes.plate(m=12, length=1, width=2, axis=axis).inertia.I
    along_length, along_width, normal = 4, 1, 5  # 12/12 times the squares of the other edges
    k = "xyz".index(axis)
    diagonal = [plate.xx, plate.yy, plate.zz]
    assert [diagonal[(k + j) % 3] for j in range(3)] == [normal, along_length, along_width]


def test_rods_lie_along_x_and_solids_of_revolution_along_z() -> None:
    assert shapes.rod(m=12, length=1).inertia.I.yy == shapes.rod(m=12, length=1).inertia.I.zz == 1
    assert shapes.rod(m=12, length=1).inertia.I.xx == 0
    assert {kind.axis for kind in KINDS.values() if kind.name != "rod"} == {"z", ""}


def test_parts_add_up_by_parallel_axes() -> None:
    """A hammer: a rod from the origin to (l, 0, 0), and a box whose middle is at its end."""
    handle = shapes.rod(m="m1", length="l", at=["l/2", 0, 0])
    hammer = handle + shapes.box(m="m2", length="a", width="b", height="c").moved(["l", 0, 0])
    m1, m2, l, a, b, c = map(expression, ("m1", "m2", "l", "a", "b", "c"))
    assert hammer.inertia == Inertia(
        m1 + m2,
        Vec3(m1 * l / 2 + m2 * l, 0, 0),
        hammer.inertia.I.diagonal(
            m2 * (b**2 + c**2) / 12,
            m1 * l**2 / 3 + m2 * ((a**2 + c**2) / 12 + l**2),
            m1 * l**2 / 3 + m2 * ((a**2 + b**2) / 12 + l**2),
        ),
    )
    assert hammer.com is None  # (m1 l/2 + m2 l)/(m1 + m2) is no polynomial
    known = handle + shapes.box(m="2*m1", length="a", width="b", height="c", at=["l", 0, 0])
    assert known.com == Vec3(expression("5*l/6"), 0, 0)


def test_a_turned_part_is_the_part_along_another_axis() -> None:
    along_y = shapes.cylinder(m="m", length="l", radius="r", axis="y", at=["a", "b", 0])
    assert (
        shapes.cylinder(m="m", length="l", radius="r", at=["a", "b", 0], rpy=["-90deg", 0, 0]).inertia
        == along_y.inertia
    )
    turned = shapes.rod(m="m", length="l").moved(rpy=[0, 0, "20deg"]).inertia.I
    assert turned.xx + turned.yy == expression("m*l**2/12")
    assert expression(turned.xy).value({"m": 12, "l": 1}) == pytest.approx(
        -math.sin(0.349065850398866) * math.cos(0.349065850398866)
    )


def test_inertias_of_single_bodies_are_those_of_the_spatial_algebra() -> None:
    m, l, w, h, r = map(expression, ("m", "l", "w", "h", "r"))
    assert shapes.rod(m=m, length=l, at=["l/2", 0, 0]).inertia == Inertia.rod(m, Vec3.zero(), Vec3(l, 0, 0))
    assert shapes.box(m=m, length=l, width=w, height=h).inertia == Inertia.box(m, Vec3(l, w, h))
    assert shapes.cylinder(m=m, length=l, radius=r, axis="x").inertia == Inertia.cylinder(m, r, l, "x")
    assert shapes.sphere(m=m, radius=r).inertia == Inertia.sphere(m, r)


def test_a_whole_is_its_halves() -> None:
    halves = shapes.cylinder(density="rho", length="l/2", radius="r", at=[0, 0, "-l/4"]) + shapes.cylinder(
        density="rho", length="l/2", radius="r", at=[0, 0, "l/4"]
    )
    whole = shapes.cylinder(density="rho", length="l", radius="r")
    assert halves.inertia == whole.inertia
    assert halves.com == whole.com == Vec3(0, 0, 0)


def test_the_pseudo_inertia_has_the_second_moments() -> None:
    J = shapes.rod(m="m", length="l", at=["l/2", 0, 0]).pseudo()
    assert [[str(entry) for entry in row] for row in J] == [
        ["l**2*m/3", "0", "0", "l*m/2"],
        ["0", "0", "0", "0"],
        ["0", "0", "0", "0"],
        ["l*m/2", "0", "0", "m"],
    ]


def test_the_mass_of_a_density_has_pi_exactly() -> None:
    assert shapes.sphere(density="rho", radius="r").mass == expression("4*pi*rho*r**3/3")
    tensor = shapes.cylinder(density="rho", length="l", radius="r").tensor
    assert tensor is not None
    assert tensor.zz == expression("pi*rho*l*r**4/2")


def test_quotients_are_exact_or_none() -> None:
    p, q = expression("(a + 2*b)*(a*c - pi)"), expression("a + 2*b")
    assert quotient(p, q) == expression("a*c - pi")
    assert quotient(p + 1, q) is None
    assert quotient(Expression.constant(0), q) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: shapes.rod(m=1), ("shape-lacks-size", "thin-rod", "length")),
        (lambda: shapes.rod(m=1, length=0), ("size-not-positive", "length", "0", "thin-rod")),
        (
            lambda: shapes.box(m=1, length=1, width="-0.1", height=1),
            ("size-not-positive", "width", "-1/10", "shape-box"),
        ),
        (lambda: shapes.rod(m=1, lenght=1), ("shape-no-size", "thin-rod", "lenght", "'length'")),
        (lambda: shapes.sphere(m=1, radius=1, axis="x"), ("shape-no-axis", "shape-sphere")),
        (lambda: shapes.rod(m=1, length=1, axis="w"), ("none-of-these", "thin-rod", "'w'", "x, y, z")),
        (lambda: shapes.tube(m=1, length=1, radius=1, inner_radius=1), ("size-not-within", "radius", "1")),
        (lambda: shapes.rod(m=1, length="300mm"), ("token-after-end", "length '300mm'", "0.3")),
        (lambda: shapes.rod(length=1).inertia, ("neither-mass-nor-density",)),
        (lambda: shapes.sphere(m=-1, radius=1), ("shape-mass-negative", "-1", "shape-sphere")),
        (lambda: shapes.sphere(density=-1, radius=1), ("size-not-positive", "density", "-1", "shape-sphere")),
        (
            lambda: shapes.sphere(m=5, density=2700, radius="0.1"),
            ("mass-not-density", "5", "shape-sphere"),
        ),
        (
            lambda: shapes.sphere(m="m", density="rho", radius="r"),
            ("mass-not-density", "m", "shape-sphere"),
        ),
        (
            lambda: shapes.capsule(m="m", length="l", radius="r").inertia,
            ("moments-not-polynomials",),
        ),
    ],
)
def test_what_is_no_body_is_refused(wrong: Callable[[], object], message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        wrong()


def test_a_mass_that_is_that_of_the_density_up_to_rounding_is_taken() -> None:
    assert shapes.sphere(m="11.3", density=2700, radius="0.1").mass == expression("11.3")
    assert shapes.sphere(m="4*pi*rho*r**3/3", density="rho", radius="r").mass == expression("4*pi*rho*r**3/3")


def test_bodies_without_mass_have_a_centre() -> None:
    pair = shapes.sphere(m=0, radius=1) + shapes.sphere(m=0, radius=1, at=[1, 0, 0])
    assert pair.inertia == Inertia.zero()
    assert pair.com == Vec3(0, 0, 0)


def test_a_notebook_shows_the_parts_in_a_table() -> None:
    text = (shapes.rod(m="m", length="l") + shapes.sphere(m=1, radius="r"))._repr_html_()
    assert all(f">{cell}<" in text for cell in ("thin rod", "length l", "l**2*m/12", "sphere", "(0, 0, 0)", "2*r**2/5"))
    assert ">radius r<" in shapes.sphere(radius="r")._repr_html_()


def test_a_mass_is_shared_out_by_volume() -> None:
    pair = shapes.rod(length="l") + shapes.rod(length="2*l", at=["l", 0, 0])
    assert [part.mass for part in pair.of_link("m").parts] == [expression("m/3"), expression("2*m/3")]
    with refusal(ModelError, "mass-not-shared"):
        (shapes.rod(length="l") + shapes.disk(radius="r")).of_link("m")
    with refusal(ModelError, "mass-of-some-shapes"):
        (shapes.rod(length="l") + shapes.rod(m=1, length="l")).of_link("m")


def nested(iterated: Iterated, names: dict[str, Any], depth: int = 0) -> Any:
    """An iterated integral as it is written, by Gauss's rule: its integrand is smooth."""
    known = {"cos": np.cos, "sin": np.sin, "pi": math.pi}
    if depth == len(iterated.limits):
        return eval(iterated.integrand, known, names)
    variable, lower, upper = iterated.limits[depth]
    a, b = (eval(end, known, names) for end in (lower, upper))
    nodes, weights = np.polynomial.legendre.leggauss(12)
    points = (a + b) / 2 + (b - a) / 2 * nodes
    if depth == len(iterated.limits) - 1:
        return (b - a) / 2 * np.sum(weights * nested(iterated, {**names, variable: points}, depth + 1))
    values = [nested(iterated, {**names, variable: point}, depth + 1) for point in points]
    return (b - a) / 2 * np.dot(weights, values)


@pytest.mark.parametrize("name", KINDS)
def test_the_integrals_that_are_written_have_the_values_that_are_written(name: str) -> None:
    letters = {"length": "l", "width": "w", "height": "h", "radius": "r", "inner_radius": "a"}
    numbers = {letters[size]: value for size, value in SIZES[name].items()} | {"rho": 1.7}
    (part,) = getattr(shapes, name)(density="rho", **{size: letters[size] for size in SIZES[name]}).parts
    listed = integrals(part)
    for each in listed:
        density = numbers["rho"] if each.of else 1
        total = density * sum(nested(region, numbers) for region in each.regions)
        assert total == pytest.approx(each.value.value(numbers), rel=1e-9)  # 12 nodes for sines over a full turn
    second = {each.of[0]: each.value.value(numbers) for each in listed if len(each.of) == 2}
    pseudo = np.diag([[expression(entry).value(numbers) for entry in row] for row in Shapes((part,)).pseudo()])
    assert [second.get(axis, 0.0) for axis in "xyz"] == pytest.approx(pseudo[:3], rel=1e-12)


def test_variables_of_integration_have_other_names_than_sizes() -> None:
    (part,) = shapes.disk(m="m", radius="s").parts
    (first, *_) = integrals(part)
    assert first.regions[0].variables == ("s_", "phi")
    assert first.text("m/V") == "V = ∫dV = ∫[0, s] ∫[0, 2*pi] s_ dphi ds_"
    (part,) = shapes.rod(m="m", length="x").parts
    assert integrals(part)[1].text("m/V") == "∫x_**2 dm = m/V ∫[-x/2, x/2] x_**2 dx_"


def test_the_steps_of_a_rod_are_those_of_a_textbook() -> None:
    rod = shapes.rod(m="m", length="l", at=["l/2", 0, 0])
    assert [*lines(Body("upper", inertia=rod.inertia, com=rod.com, shapes=rod))] == [
        "upper: thin rod along x of length l; mass m, centre of mass (l/2, 0, 0)",
        "  V = ∫dV = ∫[-l/2, l/2] dx = l",
        "  ∫x**2 dm = m/V ∫[-l/2, l/2] x**2 dx = l**2*m/12",
        "  I_c = −∫p̂ p̂ dm: yy = l**2*m/12, zz = l**2*m/12",
        "  upper, about its origin, I_c − m ĉ ĉ: yy = l**2*m/3, zz = l**2*m/3",
        "  upper, pseudo-inertia ∫p pᵀ dm: [l**2*m/3, 0, 0, l*m/2; 0, 0, 0, 0; 0, 0, 0, 0; l*m/2, 0, 0, m]",
    ]
    assert [*lines(Body("without"))] == []


def test_the_volumes_of_shapes_in_urdf_are_those_of_the_records() -> None:
    solids = {
        "box": '<box size="1.3 0.7 0.4"/>',
        "sphere": '<sphere radius="0.6"/>',
        "cylinder": '<cylinder radius="0.6" length="1.3"/>',
        "capsule": '<capsule radius="0.6" length="0.8"/>',
    }
    for name, solid in solids.items():
        link = xml.parse(f"<link><collision><geometry>{solid}</geometry></collision></link>", "the text")
        assert volume(link) == pytest.approx(own(name, density=1, **SIZES[name]).mass.value({}), rel=1e-14)
