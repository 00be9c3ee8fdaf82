"""Draws the conventions: frames of both kinds of rows, screws, inertias and their signs, gravity, the tool."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Any, TypeAlias

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from drawing import Drawing, Point
from numpy.typing import NDArray
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

Array: TypeAlias = NDArray[np.float64]
TURN, TILT = radians(-62), radians(24)
TWIST = radians(40)  # between the two joint axes of the rows
ORIGIN, UP = np.zeros(3), np.array([0.0, 0.0, 1.0])


def _space(width: int = 340, height: int = 305, centre: tuple[float, float] = (95, 225), scale: float = 95) -> Drawing:
    return Drawing(width, height, centre, scale, TURN, TILT)


def _axes(angle: float) -> tuple[Array, Array]:
    """Returns the axes x and y of a frame in the plane that is turned by an angle."""
    return np.array([cos(angle), sin(angle)]), np.array([-sin(angle), cos(angle)])


def _axis(picture: Drawing, point: Array, along: Array, low: float, high: float, name: str) -> None:
    """Draws a joint's axis as a dashed line, with a barrel where the joint is."""
    picture.line(point + low * along, point + high * along, look="axis")
    picture.line(point - 0.13 * along, point + 0.13 * along, look="barrel")
    picture.text(point + low * along, name, (0, 14), "note")


def standard() -> str:
    """Rows T = Rz(θ) Tz(d) Tx(a) Rx(α): the frame of link i is at its far joint."""
    picture = _space()
    theta, d, a = radians(52), 1.2, 1.7
    x0 = np.array([cos(radians(16)), sin(radians(16)), 0.0])
    y0 = np.cross(UP, x0)
    x1 = cos(theta) * x0 + sin(theta) * y0
    y1 = np.cross(UP, x1)
    foot, far = d * UP, d * UP + a * x1
    z1 = cos(TWIST) * UP - sin(TWIST) * y1
    _axis(picture, ORIGIN, UP, -0.45, 2.1, "joint i")
    _axis(picture, far, z1, -0.75, 1.15, "joint i+1")
    picture.line(ORIGIN, foot, far, look="link")
    picture.frame(ORIGIN, (x0, y0, UP), ("x_{i−1}", "", "z_{i−1}"), 0.75, {"z_{i−1}": (24, -4)})
    picture.frame(far, (x1, np.cross(z1, x1), z1), ("x_i", "", "z_i"), 0.75, {"z_i": (15, 4)})
    picture.line(ORIGIN, 0.75 * x1, look="ghost")
    picture.arc(ORIGIN, 0.5 * x0, 0.5 * y0, theta, "θ_i")
    picture.text((0, 0, 0.78 * d), "d_i", (-15, 0), "measure")
    picture.text(foot + 0.5 * a * x1, "a_i", (0, -11), "measure")
    picture.line(far, far + 0.95 * UP, look="ghost")
    picture.arc(far, 0.8 * UP, -0.8 * y1, TWIST, "α_i")
    return picture.svg("Standard Denavit–Hartenberg frames: frame i is at the joint behind link i")


def modified() -> str:
    """Rows T = Rx(α) Tx(a) Rz(θ) Tz(d): the frame of link i is at its near joint."""
    picture = _space()
    theta, d, a = radians(75), 1.1, 1.5
    x0 = np.array([cos(radians(62)), sin(radians(62)), 0.0])
    y0 = np.cross(UP, x0)
    z1 = cos(TWIST) * UP - sin(TWIST) * y0
    near = a * x0
    origin = near + d * z1
    side = np.cross(z1, x0)
    x1 = cos(theta) * x0 + sin(theta) * side
    _axis(picture, ORIGIN, UP, -0.45, 1.9, "joint i−1")
    _axis(picture, near, z1, -0.75, 2.0, "joint i")
    picture.line(ORIGIN, near, origin, origin + 0.95 * x1, look="link")
    picture.frame(ORIGIN, (x0, y0, UP), ("x_{i−1}", "", "z_{i−1}"), 0.75, {"x_{i−1}": (-10, -14)})
    picture.frame(origin, (x1, np.cross(z1, x1), z1), ("x_i", "", "z_i"), 0.75, {"x_i": (-14, 2), "z_i": (16, 0)})
    picture.text(0.5 * a * x0, "a_{i−1}", (8, 16), "measure")
    picture.line(near, near + 0.95 * UP, look="ghost")
    picture.arc(near, 0.8 * UP, -0.8 * y0, TWIST)
    picture.text(near + 0.8 * UP, "α_{i−1}", (-18, 6), "measure")
    picture.text(near + 0.6 * d * z1, "d_i", (15, 6), "measure")
    picture.line(origin, origin + 0.75 * x0, look="ghost")
    picture.arc(origin, 0.5 * x0, 0.5 * side, theta, "θ_i")
    return picture.svg("Modified Denavit–Hartenberg frames: frame i is at the joint before link i")


def screws() -> str:
    """A joint's axis ω, a point p on it, and v = −ω × p, the velocity of what is at the origin of the space frame."""
    picture = _space(480, 300, (165, 190), 95)
    axis, point = np.array([0.0, 0.259, 0.966]), np.array([2.0, 0.35, 0.2])
    v = np.cross(point, axis)
    picture.frame(ORIGIN, ((1, 0, 0), (0, 1, 0), UP), ("x_s", "y_s", "z_s"), 0.7)
    picture.text(ORIGIN, "{s}", (-18, -6), "note")
    _axis(picture, point, axis, -0.6, 1.5, "joint i at q = 0")
    picture.arrow(ORIGIN, point, "", "measure")
    picture.text(0.6 * point, "p", (0, -13), "measure")
    picture.arrow(point, point + 0.8 * axis, "ω", "z", (15, 0))
    across = np.array([1.0, 0.0, 0.0])
    around = np.cross(axis, across)
    middle = point + 1.15 * axis
    picture.arc(middle, 0.28 * across, 0.28 * around, radians(290), "", "z")
    picture.text(middle, "q", (42, 0), "z")
    picture.arrow(ORIGIN, 1.3 / np.linalg.norm(v) * v, "v = −ω × p", "strong", (0, 15))
    picture.dot(point)
    return picture.svg(
        "A screw axis S = (ω, v): ω along the joint, v the velocity that it gives to the space frame's origin"
    )


def inertia() -> str:
    """One link, its frame at the far end, and the axes about which a tensor may be."""
    picture = Drawing(480, 250, (395, 130), 110)
    angle = radians(12)
    x, y = _axes(angle)

    def place(along: float, across: float) -> Point:
        return along * x + across * y

    shape = [(-2.95, -0.2), (-2.95, 0.2), (-2.2, 0.34), (0.12, 0.13), (0.12, -0.13), (-2.2, -0.34)]
    picture.area(*(place(*corner) for corner in shape))
    centre = place(-1.75, 0.0)
    picture.line((0, 0), centre, look="ghost")
    picture.frame((0, 0), (x, y), ("x_i", "y_i"), 0.62)
    picture.frame(centre, (x, y), ("x_i", "y_i"), 0.62)
    picture.dot(centre, 5, "centre")
    picture.dot((0, 0), 4)
    picture.text(place(-2.85, 0), "joint i", (4, 42), "note")
    picture.text(centre, 'about = "com"', (0, 62), "measure")
    picture.text((0, 0), 'about = "origin"', (0, 42), "measure")
    picture.text(place(-0.85, 0), "c", (0, 18), "strong")
    picture.text(place(-0.85, 0), "I_{origin} = I_{com} + m (c·c 1 − c cᵀ)", (-30, -76), "note")
    return picture.svg(
        "A link with its frame at the far end: the tensor may be about the centre of mass or about the origin"
    )


def products() -> str:
    """Where the mass is, and the sign of Ixy = −∫ x y dm."""
    picture = Drawing(480, 210, (0, 105), 80)
    for middle, slope, sign in ((1.45, 1, "I_{xy} < 0"), (4.45, -1, "I_{xy} > 0")):
        along, side = _axes(slope * radians(38))
        centre = np.array([middle, 0.0])
        corners = ((-0.95, -0.17), (-0.95, 0.17), (0.95, 0.17), (0.95, -0.17))
        picture.area(*(centre + s * along + t * side for s, t in corners))
        for end, value in ((1, "+" if slope > 0 else "−"), (-1, "+" if slope > 0 else "−")):
            picture.text(centre + end * 0.66 * along, f"xy {'>' if value == '+' else '<'} 0", (0, 0), "inside")
        picture.line((middle - 1.05, 0), centre, look="x")
        picture.line((middle, -0.95), centre, look="y")
        picture.frame(centre, ((1, 0), (0, 1)), ("x", "y"), 1.05)
        picture.dot(centre, 5, "centre")
        picture.text((middle + 0.9, -0.95 if slope > 0 else 0.95), sign, (0, 0), "strong")
    return picture.svg(
        "A bar along the diagonal of the first quadrant has a negative product of inertia, across it a positive one"
    )


def gravity() -> str:
    """Gravity is the acceleration of free fall; G is what holds the arm."""
    picture = Drawing(480, 240, (140, 165), 100)
    q, length = radians(33), 2.1
    along, across = _axes(q)
    tip, side = length * along, 0.09 * across
    picture.area(side, tip + side, tip - side, -side)
    picture.frame((0, 0), ((1, 0), (0, 1)), ("x_0", "y_0"), 1.3)
    picture.arc((0, 0), (0.62, 0), (0, 0.62), q, "q")
    centre = tip / 2
    picture.dot(centre, 5, "centre")
    picture.arrow(centre, centre - (0, 0.42), "m g", "strong", (24, 0))
    picture.arc((0, 0), (-0.36, -0.1), (0.1, -0.36), radians(210), "", "z")
    picture.text((0, 0), "τ = G > 0", (-58, 46), "z")
    picture.arrow((2.75, 1.1), (2.75, 0.2), "g = (0, −g, 0)", "strong", (-10, 17))
    picture.dot((0, 0), 5)
    return picture.svg("A link above the horizontal: gravity points down, the torque that holds the link is positive")


def tool() -> str:
    """The tool's frame is fixed in the link that carries it."""
    picture = Drawing(480, 210, (205, 125), 100)
    x, y = _axes(radians(-24))
    picture.area((-1.9, -0.13), (-1.9, 0.13), (0.08, 0.13), (0.08, -0.13))
    end = np.array([1.55, 0.12])
    palm = end - 0.5 * x
    picture.line((0.05, 0), palm, look="finger")
    picture.line(end - 0.2 * y, palm - 0.2 * y, palm + 0.2 * y, end + 0.2 * y, look="finger")
    picture.arrow((0, 0), end, "", "measure")
    picture.text((0.82, 0.06), "xyz, rpy", (-4, -34), "measure")
    picture.frame((0, 0), ((1, 0), (0, 1)), ("x_n", "y_n"), 0.62, {"x_n": (4, 13)})
    picture.frame(end, (x, y), ("x_t", "y_t"), 0.62)
    picture.dot((0, 0), 4)
    picture.dot(end, 4)
    picture.text((-1.2, 0.0), "link n", (0, 34), "note")
    picture.text((0.75, 0), "T_{tool} = T_n · T(xyz, rpy)", (0, 62), "note")
    return picture.svg("The tool's frame is placed in the frame of the link that carries it")


DRAWN: dict[str, Callable[[], str]] = {
    each.__name__: each for each in (standard, modified, screws, inertia, products, gravity, tool)
}


class Convention(SphinxDirective):
    """Shows some of the drawings side by side, with what is said of them."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"class": directives.class_option}  # noqa: RUF012 - as docutils has it

    def run(self) -> list[nodes.Node]:
        pictures = "".join(DRAWN[name]() for name in self.arguments[0].split())
        caption = nodes.caption()
        caption += self.parse_content_to_nodes()[0].children if self.content else []
        figure = nodes.figure("", nodes.raw("", f'<div class="drawings">{pictures}</div>', format="html"), caption)
        figure["classes"] = ["drawn"]
        return [figure]


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive `convention`."""
    app.add_directive("convention", Convention)
    return {"parallel_read_safe": True}
