"""Draws an arm in one configuration with its frames, joints and scale, or the path of its end point in a run."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from qddot.draw import marks
from qddot.draw.labels import Words, plain, symbol
from qddot.draw.lettering import FIRST_IDEOGRAPH
from qddot.draw.plot import COLOURS, STYLE, Picture, finite, one_arm
from qddot.draw.posed import PosedArm, configuration
from qddot.draw.scene import Scene
from qddot.draw.stage import FOOT, POINT, SPACE, Stage
from qddot.errors import flag
from qddot.model.model import Model
from qddot.simulate.runs.recording import Recording

WIDTH, HEIGHT = (4.4, 7.2), (2.4, 6.6)  # of the drawing [inches], as its own shape wants it
PLENTY = 20_000  # points of a path
LINE = 0.17  # height of a line of small text [inches]
NO_MATHEMATICS = str.maketrans("", "", "$_{}\\")
LETTERS = 12.5  # in an inch of small text


def pose(
    model: Model,
    q: ArrayLike | None = None,
    frames: bool = True,
    camera: tuple[float, float] | None = None,
    lang: str = "en",
) -> Figure:
    """Returns a figure of the arm in one configuration; arguments are as in `Robot.plot`."""
    words, at, frames = Words(lang), configuration(model, q), flag(frames, "frames")
    bodies = [body.name for body in model.bodies]
    with rc_context({**STYLE, **words.style(model.title, model.name, *model.coordinates, *bodies)}):
        scene = Scene(PosedArm(model, at[None]), camera)
        drawn = marks.of_arm(scene.arm, scene.shapes, scene.camera, frames, scene.outlines()[0].mean(1))
        for line in drawn.lines:
            scene.include(line.points)
        values = _values(model, at)
        stage = _staged(
            scene,
            words,
            model.title or model.name,
            values,
            _links(model, words) if frames else [],
        )
        stage.arm(links=True)
        stage.mark(drawn)
    return stage.figure


def path(run: Recording, arm: int = 0, lang: str = "en", camera: tuple[float, float] | None = None) -> Figure:
    """Returns a figure of the end point's path in space, with the arm at its end."""
    words, q = Words(lang), finite(one_arm(run.arrays, arm)["q"])
    model = run.model(arm)
    with rc_context({**STYLE, **words.style(model.title, model.name)}):
        some = np.linspace(0, len(q) - 1, min(len(q), PLENTY)).astype(int)
        whole = PosedArm(model, q[some])
        scene = Scene(PosedArm(model, q[-1:]), camera)
        way = scene.camera.seen(whole.end)[:, :2]
        scene.include(way)
        stage = _staged(scene, words, words("path of the end point"), [plain(model.title or model.name)], [])
        stage.arm()
        stage.axes.plot(*way.T, color=COLOURS[1], linewidth=1.1, alpha=0.85, zorder=8)
        stage.axes.plot(*way[:1].T, "o", color=COLOURS[2], label=words("start"), zorder=9)
        stage.axes.plot(*way[-1:].T, "s", color=COLOURS[1], label=words("end"), zorder=9)
        stage.axes.legend(loc="lower right", ncols=2, bbox_to_anchor=(1 - 0.5 / stage.figure.get_figwidth(), 0))
    return stage.figure


def _values(model: Model, at: Any) -> list[str]:
    """Returns the coordinates with their values."""
    if not at.any():
        return ["$q = 0$"]
    # in a text with mathematics all letters come from one font
    written = symbol if all(name.isascii() for name in model.coordinates) else str
    shown = zip(model.moving(), model.coordinates, at, strict=True)
    return [
        f"{written(name)} = {value:.4g} {'rad' if body.joint.turns else 'm'}".replace("-", "−")
        for body, name, value in shown
    ]


def _links(model: Model, words: Words) -> list[str]:
    """Returns the links' names by the numbers of their frames, or nothing where the names only repeat the numbers."""
    names = [body.name for body in model.bodies]
    if all(name.removeprefix("link").strip("_") == str(k) for k, name in enumerate(names, 1)):
        return []
    return [f"{words('links')}:", *(f"{{{k}}} {name}" for k, name in enumerate(names, 1))]


def _staged(scene: Scene, words: Words, title: str, values: list[str], names: list[str]) -> Stage:
    """Returns a stage in a new figure with the proportions of the scene, a heading, and the links' names below."""
    margin = (2 * SPACE / POINT, (2 * SPACE + FOOT) / POINT)
    extent = scene.high - scene.low
    scale = min((WIDTH[1] - margin[0]) / extent[0], (HEIGHT[1] - margin[1]) / extent[1])
    width, height = (float(np.clip(extent[k] * scale + margin[k], *bounds)) for k, bounds in enumerate((WIDTH, HEIGHT)))
    headings, below = wrap(title, int(width * 8 * len(title) / _length(title))), _rows(names, width)
    above = _rows(values, width)
    head, foot = 0.12 + 0.24 * len(headings) + LINE * len(above), LINE * len(below) + 0.06
    figure = Picture(words.lang, figsize=(width, head + height + foot), facecolor="white")
    whole = head + height + foot
    small: dict[str, Any] = {"fontsize": 9, "color": "#4b5563", "va": "top"}
    for k, text in enumerate(headings):
        look: dict[str, Any] = {"fontsize": 13, "fontweight": "bold", "color": "#111827", "va": "top"}
        figure.text(0.1 / width, 1 - (0.1 + 0.24 * k) / whole, text, parse_math=False, **look)
    for k, row in enumerate(above):
        figure.text(0.1 / width, 1 - (0.12 + 0.24 * len(headings) + LINE * k) / whole, row, **small)
    for k, row in enumerate(below):
        figure.text(0.1 / width, (foot - LINE * k) / whole, row, parse_math=False, **small)
    return Stage(figure, scene, (0, foot, width, height))


def _rows(parts: list[str], width: float) -> list[str]:
    """Returns rows of text that are not wider than a figure."""
    rows: list[str] = []
    for part in parts:
        longer = f"{rows[-1]}   {part}" if rows else part
        if rows and _length(longer.translate(NO_MATHEMATICS)) <= width * LETTERS:
            rows[-1] = longer
        else:
            rows.append(part)
    return rows


def _length(text: str) -> int:
    """Returns how many letters wide a text is; Chinese ones are twice as wide."""
    return sum(2 if letter >= FIRST_IDEOGRAPH else 1 for letter in text)
