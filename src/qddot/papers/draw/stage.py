"""A stage is where Matplotlib draws a scene to scale: solids, marks with their labels, a bar of length, gravity."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib import patheffects
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, LineCollection, PolyCollection
from matplotlib.figure import Figure

from qddot.papers.draw import lettering
from qddot.papers.draw.marks import INK, EndOn, Line, Marks
from qddot.papers.draw.placing import Drawn, Unplaced, place
from qddot.papers.draw.scene import Scene
from qddot.papers.draw.theme import LIGHT, Theme

EDGE = 0.5  # width of the faces' edges, which close the seams between them
OUTLINE = 2.2
POINT = 72.0  # points in an inch
FOOT = 34.0  # height of the strip with the bar of length and gravity [points]
SPACE = 20.0  # room for labels round the drawing [points]
SMALL = 160.0  # below this size a stage has no strip, and less room round the drawing [points]
FAR = 8.5  # a label farther than this from its anchor gets a line to it [points]
HEAD = (8.0, 3.1)  # length and half the width of an arrow's head [points]
DOT = 5.2  # radius of an axis that points at the eye [points]


def halo(width: float, paper: str = LIGHT.paper) -> Any:
    """Returns an edge in the colour of the paper, which separates a mark from the drawing behind it."""
    return [patheffects.withStroke(linewidth=width, foreground=paper)]


class Stage:
    """A stage is the part of a figure where a scene is drawn to scale, with a strip below it for the scale.

    area: left, bottom, width and height in inches; letters: how many times larger they are than in a picture
    """

    def __init__(
        self,
        figure: Figure,
        scene: Scene,
        area: tuple[float, float, float, float],
        theme: Theme = LIGHT,
        letters: float = 1.0,
    ) -> None:
        self.scene, self.figure, self._theme, self._letters = scene, figure, theme, letters
        whole = figure.get_size_inches()
        self.axes = figure.add_axes((area[0] / whole[0], area[1] / whole[1], area[2] / whole[0], area[3] / whole[1]))
        self.axes.set_axis_off()
        room = np.array(area[2:]) * POINT
        small = min(1.0, float(room.min()) / SMALL)
        foot = FOOT * small * letters
        self.scale = float(
            ((room - 2 * SPACE * small - (0, foot)) / (scene.high - scene.low)).min()
        )  # points in a metre
        middle = (scene.low + scene.high) / 2 - np.array([0, foot / 2]) / self.scale
        self.low, self.high = middle - room / 2 / self.scale, middle + room / 2 / self.scale
        self.axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]), aspect="equal")
        if small == 1:
            if not scene.camera.perspective:  # where lengths differ with their distance, no bar shows a metre
                self._bar()
            self._gravity()

    def arm(self, k: int = 0, links: bool = False) -> None:
        """Draws the arm in its k-th configuration.

        links: whether the faces of link K are in groups of SVG named link-K-…, and those of the base in link-0-…
        """
        outlines, colours, frames = self.scene.outlines(k)
        # no part of the arm is outside the axes
        look: dict[str, Any] = {"facecolor": INK, "edgecolor": INK, "linewidths": OUTLINE, "clip_on": False}
        self._add(PolyCollection(outlines, zorder=3, **look))
        # the nearest faces are drawn last, so that a link may have several groups
        starts = np.flatnonzero(np.diff(frames, prepend=-1)) if links else [0]
        for group, (first, last) in enumerate(pairwise([*starts, len(frames)])):
            paint = colours[first:last]
            # with a single width Matplotlib would draw one face as a marker, which it moves to whole pixels
            look |= {"facecolor": paint, "edgecolor": paint, "linewidths": (EDGE, EDGE)}
            gid = f"link-{frames[first]}-{group}" if links else None
            self._add(PolyCollection(outlines[first:last], gid=gid, zorder=4, **look))

    def _add(self, collection: Collection) -> None:
        """Adds an artist to the drawing, whose limits stay as they are."""
        self.axes.add_collection(collection, autolim=False)

    def line(self, line: Line) -> None:
        """Draws a line with its heads, in front of the arm or behind it."""
        self._add(
            LineCollection(
                [line.points],
                colors=line.colour,
                linewidths=line.width,
                linestyles=[line.style],
                path_effects=halo(line.width + 1.2, self._theme.paper) if line.above and line.style == "-" else None,
                zorder=6 if line.above else 2,
            )
        )
        ends = {"": [], ">": [(-3, -1)], "<>": [(-3, -1), (2, 0)]}[line.heads]
        points = line.points if len(line.points) > 2 else np.linspace(line.points[0], line.points[-1], 9)
        for before, tip in ends:
            self._head(points[before], points[tip], line.colour, line.width)

    def _head(self, before: Any, tip: Any, colour: str, width: float) -> None:
        along = (tip - before) / max(float(np.linalg.norm(tip - before)), 1e-300) / self.scale
        across = np.array([-along[1], along[0]])
        length, half = (x * (0.7 + 0.3 * width / 1.2) for x in HEAD)
        corners = [tip, tip - along * length + across * half, tip - along * length - across * half]
        self._add(PolyCollection([corners], facecolor=colour, linewidths=0, zorder=6))

    def end_on(self, end: EndOn) -> None:
        """Draws an axis that points at the eye or away from it."""
        r = DOT * end.scale / self.scale
        self._fill(_circle(end.at, r), facecolor=self._theme.paper, edgecolor=end.colour, linewidths=1.4)
        if end.towards:
            self._fill(_circle(end.at, 0.38 * r), facecolor=end.colour, linewidths=0)
        else:
            d = np.array([1, 1]) * r * np.sqrt(0.5)
            cross = [np.array([end.at - way, end.at + way]) for way in (d, d * (1, -1))]
            self._add(LineCollection(cross, colors=end.colour, linewidths=1.4, zorder=7))

    def _fill(self, corners: Any, **look: Any) -> None:
        self._add(PolyCollection([corners], zorder=7, **look))

    def text(self, text: str, at: Any, colour: str, points: float) -> Any:
        """Draws a text with its middle at a point, and returns it."""
        look: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 9}
        drawn = self.axes.text(at[0], at[1], text, color=colour, fontsize=points, **look)
        if not lettering.lacks_font(drawn):  # an edge would turn letters into outlines
            drawn.set_path_effects(halo(2.6, self._theme.paper))
        return drawn

    def mark(self, marks: Marks) -> None:
        """Draws marks, with each label where there is room for it."""
        for line in marks.lines:
            self.line(line)
        for end in marks.ends:
            self.end_on(end)
        texts = [self.text(each.text, each.anchor, each.colour, each.points) for each in marks.labels]
        renderer = FigureCanvasAgg(self.figure).get_renderer()
        sizes = [np.array(text.get_window_extent(renderer).size) * POINT / self.figure.dpi for text in texts]
        requests = [
            Unplaced(self._points(label.anchor), size, label.direction)
            for label, size in zip(marks.labels, sizes, strict=True)
        ]
        low = np.array([0.0, FOOT])
        places = place(requests, self._drawn(marks), low, self._points(self.high))
        for text, at, label, want in zip(texts, places, marks.labels, requests, strict=True):
            text.set_position(self.low + at / self.scale)
            self._lead(at, want, label.colour)

    def _lead(self, at: Any, label: Unplaced, colour: str) -> None:
        """Draws a thin line from a distant label to its object."""
        away = label.anchor - at
        edge = at + away * min(1.0, float((label.size / 2 / np.maximum(np.abs(away), 1e-9)).min()))
        if np.linalg.norm(label.anchor - edge) > FAR:
            ends = self.low + np.array([edge, label.anchor]) / self.scale
            self._add(LineCollection([ends], colors=colour, linewidths=0.5, zorder=8))

    def _points(self, at: Any) -> Any:
        """Returns where a point is on the stage, in points from its lower left corner."""
        return (at - self.low) * self.scale

    def _drawn(self, marks: Marks) -> Drawn:
        """Returns where the arm and its marks are drawn."""
        a, b, c, d = np.moveaxis(self._points(self.scene.outlines()[0])[..., None, None], 1, 0)
        along = np.linspace(0, 1, 7)
        across = along[:, None]
        # points all over each face, between its four corners
        faces = (1 - across) * ((1 - along) * a + along * b) + across * ((1 - along) * d + along * c)
        dots = [np.moveaxis(faces, 1, -1).reshape(-1, 2)]
        for line in marks.lines:
            corners = self._points(line.points)
            for a, b in pairwise(corners):
                dots.append(a + (b - a) * np.linspace(0, 1, 2 + int(np.linalg.norm(b - a) / 2))[:, None])
        dots += [_circle(self._points(end.at), DOT) for end in marks.ends]
        return Drawn(np.concatenate(dots), self._points(self.high))

    def _bar(self) -> None:
        """Draws a bar of a round length in metres."""
        longest = min(0.3 * (self.high[0] - self.low[0]), 150 / self.scale)
        power = 10.0 ** np.floor(np.log10(longest))
        length = power * max(step for step in (1, 2, 5) if step * power <= longest * (1 + 1e-9))
        left, y = self.low[0] + 8 / self.scale, self.low[1] + 9 / self.scale
        tick, ink = 3.5 / self.scale, self._theme.ink
        parts = [[(left, y), (left + length, y)], *([(x, y - tick), (x, y + tick)] for x in (left, left + length))]
        self._add(LineCollection(parts, colors=ink, linewidths=1.3 * self._letters, zorder=8))
        self.text(
            f"{length:g} m" if length > 0.005 else f"{1000 * length:g} mm",
            (left + length / 2, y + 11 * self._letters / self.scale),
            ink,
            9 * self._letters,
        )

    def _gravity(self) -> None:
        """Draws the direction of gravity, if there is one."""
        strength = float(np.linalg.norm(self.scene.arm.gravity))
        if not strength:
            return
        down = self.scene.camera.coordinates(self.scene.arm.gravity / strength)
        ink, unit = self._theme.ink, self._letters / self.scale
        at = np.array([self.high[0], self.low[1]]) + np.array([-12, 20]) * unit
        if np.linalg.norm(down[:2]) < 0.2:
            self.end_on(EndOn(at, bool(down[2] > 0), ink, self._letters))
        else:
            way = down[:2] / np.linalg.norm(down[:2]) * 15 * unit
            self.line(Line(np.array([at - way, at + way]), ink, 1.6 * self._letters, ">"))
        self.text("$g$", at - (13 * unit, 0), ink, 12 * self._letters)


def _circle(centre: Any, radius: float) -> Any:
    around = np.linspace(0, 2 * np.pi, 33)
    return centre + radius * np.stack([np.cos(around), np.sin(around)], -1)
