"""Draws the side panel of a film: the energies over time, the coordinates, joint names, and why the run ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D
from PIL import Image, ImageDraw, ImageFont

from qddot.motion.simulate.runs.stops import Stop
from qddot.papers.draw.labels import Words, plain, symbol
from qddot.papers.draw.lettering import LATIN
from qddot.papers.draw.plot import COLOURS
from qddot.papers.draw.scene import Scene
from qddot.papers.draw.stage import POINT, Stage, halo
from qddot.papers.draw.theme import Theme
from qddot.robot.model import Model

NARROWEST = 400  # pixels of a film that has room for energies beside the arm
SHARE = 0.36  # the fraction of a film's width that is beside the arm
COLUMN, MOST = 4, 8  # the largest numbers of coordinates in a column, and of those that are listed
LETTERS = 2.0  # size of letters [points] for each inch of a film's height: they are read from the last row
NAME = 1.1  # size of a joint's name, in letters
AWAY = 0.9  # distance from a joint to its name, in letters
DESCENT = 0.4  # room for letters below their line, as a part of their size
SHORT = 6  # letters of a name that has room beside two others
LINE = 1.4  # distance between names of joints at the same place, in letters
HALO = 0.4  # width of the edge of a name, in letters, which dark joints must not hide
ROW = 1.9  # distance between coordinates below each other, in letters


class Digits:
    """These are numbers that change from picture to picture; Pillow writes them, in a tenth of Matplotlib's time.

    left, line: their left end and their baseline, as fractions of the figure; size: in points
    """

    def __init__(
        self, figure: Figure, left: float, line: float, size: float, colour: str, weight: str = "normal"
    ) -> None:
        file = findfont(FontProperties(family=LATIN, weight=weight))
        self._font, self._colour = ImageFont.truetype(file, size * figure.dpi / POINT), colour
        self._place = left * figure.bbox.width, (1 - line) * figure.bbox.height

    def write(self, picture: Image.Image, text: str) -> None:
        """Writes a text into a picture."""
        ImageDraw.Draw(picture).text(self._place, text, self._colour, self._font, anchor="ls")


class Energies:
    """This is a plot of K, P and E over time, with a line at the time of a picture and the coordinates below it.

    run: the samples of one arm; span: the first and the last time of the film; area: left, bottom, width and height as
    parts of the figure; letters: their size in points
    """

    def __init__(
        self,
        canvas: FigureCanvasAgg,
        run: Any,
        span: tuple[float, float],
        model: Model,
        words: Words,
        area: tuple[float, ...],
        theme: Theme,
        letters: float,
    ) -> None:
        left, bottom, width, height = area
        figure, renderer = canvas.figure, canvas.get_renderer()
        listed = _listed(model)
        rows = min(COLUMN, len(listed))
        em = letters / POINT / figure.get_figheight()
        text = min(ROW * em, 0.45 * height / max(1, rows))
        below = text * rows
        place = (left + 0.16 * width, bottom + below + 4 * em, 0.8 * width, height - below - 6 * em)
        self._axes = axes = figure.add_axes(place)
        first, last = span
        inside = run["time"][(run["time"] > first) & (run["time"] < last)]
        times = np.array([first, *inside, last])
        for values, name, colour in (
            (run["P"], "potential energy P", COLOURS[0]),
            (run["K"], "kinetic energy K", COLOURS[1]),
            (run["K"] + run["P"], "total energy E", theme.ink),
        ):
            label = words(name) if len(words(name)) <= SHORT else f"${name[-1]}$"
            axes.plot(times, np.interp(times, run["time"], values), label=label, color=colour, linewidth=letters / 8)
        axes.set_title(f"{words('energy')} [J]", fontsize=letters)
        axes.tick_params(labelsize=0.85 * letters)
        axes.locator_params(nbins=4)
        axes.margins(x=0.01)
        axes.set_xlabel(f"{words('time')} [s]", fontsize=0.9 * letters)
        # on the line of the title
        narrow: dict[str, Any] = {
            "handlelength": 0.8,
            "handletextpad": 0.3,
            "columnspacing": 0.8,
            "borderaxespad": 0.3,
            "borderpad": 0,
        }
        axes.legend(ncols=3, loc="lower right", fontsize=0.9 * letters, bbox_to_anchor=(1, 1.0), **narrow)
        self._line = axes.axvline(first, color=theme.faint, linewidth=letters / 10, animated=True)
        units = [unit for body in model.moving() for unit in body.joint.kind.units]
        self._values: list[tuple[int, str, Digits]] = []
        for first_of_column in range(0, len(listed), COLUMN):
            column = listed[first_of_column : first_of_column + COLUMN]
            at = left + (0.03 if len(listed) > COLUMN else 0.16) * width + first_of_column / COLUMN * 0.5 * width
            heights = [bottom + DESCENT * em + text * (rows - 1 - k) for k in range(len(column))]
            names = [
                figure.text(at, row, f"{symbol(model.positions[k])} =", fontsize=letters, color=theme.ink)
                for k, row in zip(column, heights, strict=True)
            ]
            right = max(name.get_window_extent(renderer).x1 for name in names) / figure.bbox.width
            self._values += [
                (k, units[k], Digits(figure, right + 0.005, row, letters, theme.ink))
                for k, row in zip(column, heights, strict=True)
            ]

    def draw(self, time: float) -> None:
        """Draws the line at a time."""
        self._line.set_xdata([time, time])
        self._axes.draw_artist(self._line)

    def write(self, picture: Image.Image, q: Any) -> None:
        """Writes the values of the coordinates into a picture."""
        for k, unit, digits in self._values:
            digits.write(picture, f"{q[k]:.2f} {unit}".rstrip().replace("-", "−"))


def _listed(model: Model) -> list[int]:
    """Returns the places in q of the coordinates that are listed: those of single joints first."""
    single = {name for name in model.coordinates if name in model.positions}
    order = sorted(range(len(model.positions)), key=lambda k: model.positions[k] not in single)
    return sorted(order[:MOST])


class JointNames:
    """These are the names of the coordinates beside their joints. letters: their size in points"""

    def __init__(self, stage: Stage, scene: Scene, theme: Theme, letters: float) -> None:
        self._stage, self._scene, self._size = stage, scene, letters
        arm = scene.arm
        self._links = [
            link
            for link in arm.mechanism.links
            if link.dof is not None and link.ratio is None and len(link.places) == 1
        ]
        names = [symbol(arm.model.coordinates[link.dof or 0]) for link in self._links]
        edge = halo(HALO * letters, theme.paper)
        look: dict[str, Any] = {"facecolors": theme.ink, "linewidths": 0, "path_effects": edge, "animated": True}
        self._letters = PathCollection(
            [_centred(name, NAME * letters) for name in names], offsets=np.zeros((len(names), 2)), **look
        )
        self._letters.set_transform(Affine2D().scale(stage.figure.dpi / POINT))
        self._letters.set_offset_transform(stage.axes.transData)
        stage.axes.add_collection(self._letters, autolim=False)

    def draw(self, k: int) -> None:
        """Draws the names in the k-th configuration, on the side of each joint that faces away from the arm."""
        arm, see = self._scene.arm, self._scene.camera.seen
        joints = see(arm.joints[k])
        middle = see(np.concatenate([arm.p[k], arm.end[k : k + 1]])).mean(0)
        reach, step = (each * self._size / self._stage.scale for each in (AWAY, LINE))
        positions: list[Any] = []
        for link in self._links:
            across = joints[link.index] - middle
            along = float(np.linalg.norm(across))
            way = across / along if along > 1e-9 else np.array([0.0, 1.0])
            place = joints[link.index] + (reach + 2.0 * self._scene.shapes.radius) * way
            while any(np.abs(place - other).max() < step for other in positions):
                place = place - (0, step)
            positions.append(place)
        self._letters.set_offsets(np.reshape(positions, (-1, 2)))
        self._stage.axes.draw_artist(self._letters)


def _centred(name: str, size: float) -> Any:
    """Returns the outline of a formula about its middle, in points."""
    path = TextPath((0, 0), name, size=size)
    middle = path.get_extents().get_points().mean(0)
    return path.transformed(Affine2D().translate(*-middle))


def ending(stops: tuple[Stop, ...], arm: int, words: Words) -> str:
    """Returns when and why an arm's run ended early, or an empty text if it did not."""
    stop = next((each for each in stops if each.arm == arm), None)
    if stop is None:
        return ""
    if stop.kind == "limit":
        joint, side = plain(stop.joint), words(f"{stop.side} limit")
        return words("{time} s: {joint} reaches its {side}").format(time=f"{stop.time:.2f}", joint=joint, side=side)
    return words("the run ends after {time} s").format(time=f"{stop.time:.2f}")
