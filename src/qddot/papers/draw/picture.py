"""Draws an arm in one configuration with its frames, joints and scale, or the path of its end point in a run."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from qddot.base.errors import flag
from qddot.motion.simulate.runs.recording import Recording
from qddot.papers.draw import marks
from qddot.papers.draw.camera import Direction
from qddot.papers.draw.labels import Words, plain, symbol
from qddot.papers.draw.lettering import FIRST_IDEOGRAPH
from qddot.papers.draw.plot import COLOURS, STYLE, Picture, finite, one_arm
from qddot.papers.draw.posed import PosedArm, configuration
from qddot.papers.draw.scene import Scene
from qddot.papers.draw.stage import FOOT, POINT, SPACE, Stage
from qddot.robot.closed_model import ClosedModel
from qddot.robot.joint_tree import within_compounds
from qddot.robot.model import Model
from qddot.robot.own_texts import ships
from qddot.robot.symbol_values import unit_lengths

PLENTY = 20_000  # points of a path
LINE, HEADING = 0.17, 0.24  # heights of lines of small text and of a heading [inches]
NO_MATHEMATICS = str.maketrans("", "", "$_{}\\")
LETTERS, HEADING_LETTERS = 12.5, 8  # letters in an inch of small text, and of a heading
CAPITAL, WIDE = 1.25, "_mw"  # the width of capitals and wide letters
MANY_ZEROS = 6  # up to so many coordinates that are zero are listed one by one
PIECE = re.compile(
    r"\s*(?:[^\s\u2e80-\uffff]+|[\u2e80-\uffff])[\u3001\u3002\uff01-\uff1f]*"
)  # a word or a Chinese character, with the punctuation after it


def pose(
    model: Model,
    q: ArrayLike | None = None,
    frames: bool = True,
    camera: Direction | None = None,
    lang: str = "",
    on_page: bool = False,
    closed: ClosedModel | None = None,
) -> Figure:
    """Returns a figure of the arm in one configuration; arguments are as in `Robot.plot`.

    on_page: whether the figure is for a document that has the title itself; then it is as wide as the text, and low
    closed: the loops and wheels of a closed chain
    """
    words, at, frames = Words(lang), configuration(model, q), flag(frames, "frames")
    bodies = [body.name for body in model.bodies]
    with rc_context({**STYLE, **words.style(model.title, model.name, *model.positions, *bodies)}):
        scene = Scene(PosedArm(model, at[None], closed), camera)
        drawn = marks.of_arm(scene.arm, scene.shapes, scene.camera, frames, scene.outlines()[0].mean(1))
        for line in drawn.lines:
            scene.include(line.points)
        values = _values(model, at, words)
        if (assumed := unit_lengths(model)) and not on_page:
            values.append(words("drawn with {names} = 1, as no values are given").format(names=plain(assumed)))
        stage = _staged(
            scene,
            words,
            "" if on_page else words.translated(model.title or model.name),
            values,
            _links(model, words) if frames else [],
            on_page,
        )
        stage.arm(links=on_page)
        stage.mark(drawn)
    return stage.figure


def path(
    run: Recording,
    arm: int = 0,
    lang: str = "",
    camera: Direction | None = None,
    on_page: bool = False,
) -> Figure:
    """Returns a figure of the end point's path in space, with the arm at its end; on_page: as in `pose`"""
    words, q = Words(lang), finite(one_arm(run.arrays, arm)["q"])
    model = run.model(arm)
    with rc_context({**STYLE, **words.style(model.title, model.name)}):
        some = np.linspace(0, len(q) - 1, min(len(q), PLENTY)).astype(int)
        whole = PosedArm(model, q[some])
        scene = Scene(PosedArm(model, q[-1:], run.closed), camera)
        way = scene.camera.seen(whole.end)
        scene.include(way)
        stage = _staged(
            scene,
            words,
            "" if on_page else words("path of the end point"),
            [] if on_page else [plain(words.translated(model.title or model.name))],
            [],
            on_page,
        )
        stage.arm()
        stage.axes.plot(*way.T, color=COLOURS[1], linewidth=1.1, alpha=0.85, zorder=8)
        stage.axes.plot(*way[:1].T, "o", color=COLOURS[2], label=words("start"), zorder=9)
        stage.axes.plot(*way[-1:].T, "s", color=COLOURS[1], label=words("end"), zorder=9)
        stage.axes.legend(loc="lower right", ncols=2, bbox_to_anchor=(1 - 0.75 / stage.figure.get_figwidth(), 0))
    return stage.figure


def _values(model: Model, at: Any, words: Words) -> list[str]:
    """Returns the coordinates with their values; where many are zero, one text stands for all of these."""
    if not at.any():
        return ["$q = 0$"]
    # in a text with mathematics all letters are from one font
    written = symbol if all(name.isascii() for name in model.positions) else str
    units = (unit for body in model.moving() for unit in body.joint.kind.units)
    coordinates = list(zip(model.positions, at, units, strict=True))
    others = [each for each in coordinates if each[1]]
    has_many_zeros = len(coordinates) - len(others) > MANY_ZEROS
    listed = others if has_many_zeros else coordinates
    texts = [f"{written(name)} = {value:.4g} {unit}".rstrip().replace("-", "−") for name, value, unit in listed]
    return [*texts, words("all others 0")] if has_many_zeros else texts


def _links(model: Model, words: Words) -> list[str]:
    """Returns the links' names by the numbers of their frames, or nothing if the names only repeat the numbers."""
    between = within_compounds(model.bodies)
    names = {k: body.name for k, body in enumerate(model.bodies, 1) if body.name not in between}
    if all(name.removeprefix("link").strip("_") == str(k) for k, name in names.items()):
        return []
    told = words.translated if ships(model.name) else str
    return [f"{words('links')}:", *(f"{{{k}}} {told(name)}" for k, name in names.items())]


def _staged(scene: Scene, words: Words, title: str, values: list[str], names: list[str], on_page: bool) -> Stage:
    """Returns a stage in a new figure with a heading and the links' names above and below it, or to its left."""
    extent = scene.high - scene.low
    above = _above(extent, title, values, names, PAGE if on_page else FREE)
    beside = _beside(title, values, names)
    layout = beside if on_page and beside.scale(extent) > above.scale(extent) else above
    width, height = layout.size
    figure = Picture(words.lang, figsize=layout.size, facecolor="white")
    small: dict[str, Any] = {"fontsize": 9, "color": "#4b5563", "va": "top"}
    large: dict[str, Any] = {"fontsize": 13, "fontweight": "bold", "color": "#111827", "va": "top"}
    for text, y in layout.headings:
        figure.text(0.1 / width, y / height, text, parse_math=False, **large)
    for text, y in layout.values:
        figure.text(0.1 / width, y / height, text, **small)
    for text, y in layout.names:
        figure.text(0.1 / width, y / height, text, parse_math=False, **small)
    return Stage(figure, scene, layout.stage)


class Bounds(NamedTuple):
    """These are the least and the largest width and height of a drawing [inches]."""

    width: tuple[float, float]
    height: tuple[float, float]


class Layout(NamedTuple):
    """A layout says where the parts of a figure are, in inches from its lower left corner.

    size: of the figure; stage: left, bottom, width and height; headings, values, names: lines of text with their tops
    """

    size: tuple[float, float]
    stage: tuple[float, float, float, float]
    headings: list[tuple[str, float]]
    values: list[tuple[str, float]]
    names: list[tuple[str, float]]

    def scale(self, extent: Any) -> float:
        """Returns the number of inches for a metre of the scene."""
        return float(min((self.stage[2 + k] - MARGIN[k]) / extent[k] for k in (0, 1)))


FREE = Bounds((4.4, 7.2), (2.4, 6.6))  # a picture by itself, whose shape follows the scene
PAGE = Bounds((6.4, 6.4), (2.0, 2.5))  # a picture in a document: as wide as the text
COLUMN, BESIDE = 2.4, 0.25  # width of a heading at the left of a drawing, and of the margins beside its lines
TALL, TALLER, FEW = 3.0, 4.4, 3  # heights of such figures, of arms with few coordinates and with more
MARGIN = (2 * SPACE / POINT, (2 * SPACE + FOOT) / POINT)  # of a stage


def _above(extent: Any, title: str, values: list[str], names: list[str], bounds: Bounds) -> Layout:
    """Returns a layout with the heading above the drawing, which has the proportions of the scene."""
    scale = min((most[1] - margin) / part for most, margin, part in zip(bounds, MARGIN, extent, strict=True))
    drawing = (extent[k] * scale + MARGIN[k] for k in (0, 1))
    width, height = (float(np.clip(part, *each)) for part, each in zip(drawing, bounds, strict=True))
    headings, value_rows, below = _headings(title, width), _rows(values, width, mathematics=True), _rows(names, width)
    foot = LINE * len(below) + 0.06
    whole = 0.12 + HEADING * len(headings) + LINE * len(value_rows) + height + foot
    rest = whole - 0.12 - HEADING * len(headings)
    stage = (0.0, foot, width, height)
    lines = _lines(headings, whole - 0.1, HEADING), _lines(value_rows, rest, LINE), _lines(below, foot, LINE)
    return Layout((width, whole), stage, *lines)


def _beside(title: str, values: list[str], names: list[str]) -> Layout:
    """Returns a layout as wide as a page with the heading and the links' names to the left of the drawing."""
    column = COLUMN if title or values or names else 0.0
    room = COLUMN - BESIDE
    headings, below = _headings(title, room), _rows(names, room)
    value_rows = _rows(values, room, mathematics=True)
    text_height = 0.3 + HEADING * len(headings) + LINE * (len(value_rows) + len(below))
    tall = max(TALL if len(values) <= FEW else TALLER, text_height)
    rest = tall - 0.12 - HEADING * len(headings)
    stage = (column, 0.0, PAGE.width[1] - column, tall)
    last = rest - LINE * len(value_rows) - 0.1
    lines = _lines(headings, tall - 0.1, HEADING), _lines(value_rows, rest, LINE), _lines(below, last, LINE)
    return Layout((PAGE.width[1], tall), stage, *lines)


def _headings(title: str, width: float) -> list[str]:
    return _broken(title, width * HEADING_LETTERS) if title else []


def _broken(text: str, most: float) -> list[str]:
    """Returns the lines of a text, which are broken between words and between Chinese characters."""
    lines = [""]
    for piece in PIECE.findall(text):
        if lines[-1] and _length(lines[-1] + piece) > most:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return lines


def _lines(texts: list[str], top: float, height: float) -> list[tuple[str, float]]:
    """Returns lines of text with their tops, one below the other."""
    return [(text, top - height * k) for k, text in enumerate(texts)]


def _rows(parts: list[str], width: float, mathematics: bool = False) -> list[str]:
    """Returns rows of text that are not wider than a figure; signs of mathematics take no width."""
    rows: list[str] = []
    for part in (row for each in parts for row in ([each] if "$" in each else _broken(each, width * LETTERS))):
        longer = f"{rows[-1]}   {part}" if rows else part
        if rows and _length(longer.translate(NO_MATHEMATICS) if mathematics else longer) <= width * LETTERS:
            rows[-1] = longer
        else:
            rows.append(part)
    return rows


def _length(text: str) -> float:
    """Returns the width of a text in small letters; Chinese characters count twice."""
    return sum(
        2 if letter >= FIRST_IDEOGRAPH else CAPITAL if letter.isupper() or letter in WIDE else 1 for letter in text
    )
