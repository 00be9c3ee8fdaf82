"""Draws the side of a film: the energies over time, the coordinates, joint names, and why the run ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from qddot.draw.labels import Words, plain, symbol
from qddot.draw.plot import COLOURS
from qddot.draw.scene import Scene
from qddot.draw.stage import Stage, halo
from qddot.model.model import Model
from qddot.simulate.runs.stops import Stop

NARROWEST = 400  # pixels of a film that has room for energies beside the arm
SHARE = 0.36  # of a film's width, for the part beside the arm
MOST = 7  # the largest number of coordinates that are listed
AWAY = 9.0  # from a joint to its name [points]
LINE = 14.0  # between names of joints at the same place [points]
INK = "#374151"


class Energies:
    """This is a plot of K, P and E over time, with a line at the time of a picture and the coordinates below it.

    run: the samples of one arm; area: left, bottom, width and height as parts of the figure
    """

    def __init__(self, canvas: FigureCanvasAgg, run: Any, model: Model, words: Words, area: tuple[float, ...]) -> None:
        left, bottom, width, height = area
        figure, renderer = canvas.figure, canvas.get_renderer()
        listed = model.coordinates[:MOST]
        high = figure.get_figheight()
        text = min(0.3 / high, 0.45 * height / max(1, len(listed)))
        below = text * len(listed)
        place = (left + 0.16 * width, bottom + below + 0.14 * height, 0.8 * width, 0.78 * height - below)
        self._figure, self._axes = figure, figure.add_axes(place)
        axes = self._axes
        small = float(np.clip(high, 6.5, 10))
        for values, name, colour in (
            (run["P"], "P", COLOURS[0]),
            (run["K"], "K", COLOURS[1]),
            (run["K"] + run["P"], "E", "#111827"),
        ):
            axes.plot(run["time"], values, label=f"${name}$", color=colour, linewidth=1.3)
        axes.set_title(f"{words('energy')} [J]", fontsize=small + 1)
        axes.tick_params(labelsize=small - 1)
        axes.locator_params(nbins=4)
        axes.margins(x=0.01)
        axes.set_xlabel(f"{words('time')} [s]", fontsize=small)
        axes.legend(ncols=3, loc="upper left", fontsize=small, bbox_to_anchor=(0, 1.02), borderpad=0)
        low, most = axes.get_ylim()
        axes.set_ylim(low, most + 0.22 * (most - low))
        self._line = axes.axvline(0, color="#6b7280", linewidth=1.0, animated=True)
        self._units = ["rad" if body.joint.turns else "m" for _, body in zip(listed, model.moving(), strict=False)]
        rows = [bottom + text * (len(listed) - 1 - k) for k in range(len(listed))]
        look: dict[str, Any] = {"fontsize": small + 1, "color": INK, "va": "bottom"}
        # typesetting formulas is slow: the names are drawn once, and only plain numbers change
        names = [
            figure.text(left + 0.16 * width, row, f"{symbol(name)} =", **look)
            for name, row in zip(listed, rows, strict=True)
        ]
        right = max(name.get_window_extent(renderer).x1 for name in names) / figure.bbox.width
        self._texts = [figure.text(right + 0.005, row, "", animated=True, **look) for row in rows]

    def draw(self, time: float, q: Any) -> None:
        """Draws the line at a time and the values of the coordinates."""
        self._line.set_xdata([time, time])
        self._axes.draw_artist(self._line)
        for text, unit, value in zip(self._texts, self._units, q, strict=False):
            text.set_text(f"{value:.2f} {unit}".replace("-", "−"))
            self._figure.draw_artist(text)


class JointNames:
    """These are the names of the coordinates beside their joints."""

    def __init__(self, stage: Stage, scene: Scene) -> None:
        self._stage, self._scene = stage, scene
        arm = scene.arm
        self._links = [link for link in arm.mechanism.links if link.dof is not None and link.ratio is None]
        look: dict[str, Any] = {"fontsize": 11, "color": INK, "animated": True, "ha": "center", "va": "center"}
        names = [symbol(arm.model.coordinates[link.dof or 0]) for link in self._links]
        self._texts = [stage.axes.text(0, 0, name, path_effects=halo(2.2), **look) for name in names]

    def draw(self, k: int) -> None:
        """Draws the names in the k-th configuration, on the side of each joint that faces away from the arm."""
        arm, see = self._scene.arm, self._scene.camera.seen
        joints = see(arm.joints[k])[:, :2]
        middle = see(np.concatenate([arm.p[k], arm.end[k : k + 1]]))[:, :2].mean(0)
        reach, step = AWAY / self._stage.scale, LINE / self._stage.scale
        taken: list[Any] = []
        for text, link in zip(self._texts, self._links, strict=True):
            across = joints[link.index] - middle
            along = float(np.linalg.norm(across))
            way = across / along if along > 1e-9 else np.array([0.0, 1.0])
            place = joints[link.index] + (reach + 2.0 * self._scene.shapes.radius) * way
            while any(np.abs(place - other).max() < step for other in taken):
                place = place - (0, step)
            taken.append(place)
            text.set_position(tuple(place))
            self._stage.axes.draw_artist(text)


def ending(stops: tuple[Stop, ...], arm: int, words: Words) -> str:
    """Returns when and why an arm's run ended early, or an empty text if it did not."""
    stop = next((each for each in stops if each.arm == arm), None)
    if stop is None:
        return ""
    if stop.kind == "limit":
        joint, side = plain(stop.joint), words(f"{stop.side} limit")
        return words("{time} s: {joint} reaches its {side}").format(time=f"{stop.time:.2f}", joint=joint, side=side)
    return words("the run ends after {time} s").format(time=f"{stop.time:.2f}")
