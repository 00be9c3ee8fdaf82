"""Drawings of lines, arrows and letters as SVG in a page, whose colours are those of the page in light and dark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import cos, hypot, sin
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from markup import picture
from numpy.typing import NDArray

Point: TypeAlias = Sequence[float] | NDArray[np.float64]  # of two or three coordinates
SUBSCRIPT = re.compile(r"_(\{[^}]*\}|\w)")
HEAD = 9.0  # length of an arrow's head, in pixels
ARC_STEPS = 24


@dataclass
class Drawing:
    """This is a drawing to scale, seen along parallel lines.

    centre: the pixel of the origin; scale: pixels a unit; turn and tilt: of the camera [rad], None for a plane
    """

    width: int
    height: int
    centre: tuple[float, float]
    scale: float
    turn: float | None = None
    tilt: float = 0.0
    parts: list[str] = field(default_factory=list)

    def at(self, point: Point) -> tuple[float, float]:
        """Returns the pixel of a point; in a plane y points up, in space z does."""
        if self.turn is None:
            across, up = point[0], point[1]
        else:
            x, y, z = (*point, 0.0)[:3]
            across = -x * sin(self.turn) + y * cos(self.turn)
            up = z * cos(self.tilt) - (x * cos(self.turn) + y * sin(self.turn)) * sin(self.tilt)
        return self.centre[0] + self.scale * across, self.centre[1] - self.scale * up

    def line(self, *points: Point, look: str = "thin") -> None:
        """Draws straight lines from point to point."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points))
        self.parts.append(f'<polyline class="{look}" points="{places}"/>')

    def area(self, *points: Point, look: str = "body") -> None:
        """Fills a polygon."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points))
        self.parts.append(f'<polygon class="{look}" points="{places}"/>')

    def dot(self, point: Point, radius: float = 4, look: str = "dot") -> None:
        """Draws a disc of so many pixels."""
        x, y = self.at(point)
        self.parts.append(f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>')

    def arrow(
        self, tail: Point, tip: Point, name: str = "", look: str = "thin", off: tuple[float, float] | None = None
    ) -> None:
        """Draws an arrow, and its name beyond the tip or `off` pixels from it, right and down."""
        (x, y), (a, b) = self.at(tail), self.at(tip)
        length = hypot(a - x, b - y)
        if length > 1:
            u, v = (a - x) / length, (b - y) / length
            head = min(HEAD, length)
            self.parts.append(
                f'<line class="{look}" x1="{x:.1f}" y1="{y:.1f}" x2="{a - head * u:.1f}" y2="{b - head * v:.1f}"/>'
            )
            self._head(a, b, u, v, look, head)
        else:
            u, v = 0.0, -1.0
        if name:
            self.text(tip, name, off or (13 * u, 13 * v), look)

    def arc(
        self, middle: Point, towards: Point, across: Point, angle: float, name: str = "", look: str = "measure"
    ) -> None:
        """Draws an arc with a head, from middle + towards, turning to middle + across, and its name half way."""

        def on(k: float) -> Point:
            return np.add(middle, cos(k * angle) * np.asarray(towards)) + sin(k * angle) * np.asarray(across)

        self.line(*(on(k / ARC_STEPS) for k in range(ARC_STEPS)), look=look)
        (x, y), (a, b) = self.at(on(1 - 2.5 / ARC_STEPS)), self.at(on(1))
        length = hypot(a - x, b - y) or 1.0
        self._head(a, b, (a - x) / length, (b - y) / length, look, 0.8 * HEAD)
        if name:
            (x, y), (a, b) = self.at(middle), self.at(on(0.5))
            length = hypot(a - x, b - y) or 1.0
            self.text(on(0.5), name, (12 * (a - x) / length, 12 * (b - y) / length), look)

    def frame(
        self,
        origin: Point,
        axes: Sequence[Point],
        names: Sequence[str],
        size: float = 0.6,
        offs: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> None:
        """Draws axes along unit vectors, x in red, y in green, z in blue; one without a name is left out.

        offs: where a name stands that is not beyond its arrow, in pixels from the tip
        """
        for axis, name, look in zip(axes, names, ("x", "y", "z"), strict=False):
            if name:
                self.arrow(origin, np.add(origin, size * np.asarray(axis)), name, look, offs.get(name))

    def text(self, point: Point, text: str, off: tuple[float, float] = (0, 0), look: str = "") -> None:
        """Writes a text whose middle is `off` pixels from a point; _x and _{xy} are set low."""
        x, y = self.at(point)
        parts, low = [], False
        for piece in SUBSCRIPT.split(text):
            shift = ' dy="-0.3em"' if parts and not low else ""
            shown = escape(piece.strip("{}") if low else piece)
            if shown:
                parts.append(
                    f'<tspan class="low" dy="0.3em">{shown}</tspan>' if low else f"<tspan{shift}>{shown}</tspan>"
                )
            low = not low
        self.parts.append(f'<text class="{look}" x="{x + off[0]:.1f}" y="{y + off[1]:.1f}">{"".join(parts)}</text>')

    def svg(self, title: str) -> str:
        """Returns the drawing, with what it shows for those who cannot see it."""
        return picture(title, self.width, self.height, self.parts, "drawing")

    def _head(self, x: float, y: float, u: float, v: float, look: str, length: float) -> None:
        back, side = (x - length * u, y - length * v), 0.36 * length
        corners = ((x, y), (back[0] - side * v, back[1] + side * u), (back[0] + side * v, back[1] - side * u))
        self.parts.append(f'<polygon class="{look} head" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}"/>')
