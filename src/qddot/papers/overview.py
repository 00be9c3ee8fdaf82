"""Describes a model in tables of texts: its links and joints at q = 0, and its symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.expressions.angles import decimal
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Pose
from qddot.base import html
from qddot.base.errors import QddotError
from qddot.base.words.language import documents, language
from qddot.base.words.message import Listed, Message, Words, say
from qddot.formats.rows.dh import COLUMNS
from qddot.formats.rows.dh_table import table_of
from qddot.formats.toml.tables import tables
from qddot.robot.bodies import Body, Joint, Symbol
from qddot.robot.lagrangian import Lagrangian
from qddot.robot.left_out import sentences
from qddot.robot.loops import Loop
from qddot.robot.model import Model
from qddot.robot.own_texts import in_language
from qddot.robot.placements import simplified
from qddot.robot.rolling import Rolling

Row: TypeAlias = list[str]
Titles: TypeAlias = tuple[Words, ...]
TENSOR, DIAGONAL = ("xx", "yy", "zz", "xy", "xz", "yz"), 3  # entries of a tensor, and those that are no products
NOT_GIVEN = "–"
SHORT = 12  # the most characters of a number in a table
LINKS: Titles = (
    *map(say, ("title-link", "title-parent", "title-joint", "title-named")),
    "q",
    *map(say, ("title-axis-in-joint", "title-origin-in-parent", "title-axes-in-parent")),
    say("title-limits"),
    "|τ| ≤",
    "|q̇| ≤",
    say("title-effects"),
)
MASSES: Titles = (
    *map(say, ("title-link", "title-mass", "title-centre-of-mass", "title-first-moment", "title-about")),
    *(f"I{key}" for key in TENSOR),
)
LOOPS = tuple(map(say, ("title-loop", "title-type", "title-first-frame", "title-second-frame", "title-conditions")))
ENERGIES = ("", "")
WHEELS = tuple(map(say, ("title-wheel", "title-link", "title-rolls-on", "title-contact", "title-axes")))
SYMBOLS = tuple(map(say, ("title-symbol", "title-default", "title-unit", "title-meaning", "title-formula")))
ROWS = {"dh": say("standard-rows"), "mdh": say("modified-rows")}  # by the convention of the rows
AXES = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z", (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}


class Convention(NamedTuple):
    """A convention has a sentence, the titles of a table and its rows, from which the model's joints follow."""

    sentence: str
    titles: Titles
    rows: list[Row]


def as_html(model: Model) -> str:
    """Returns all that `qddot show` prints as HTML."""
    return html.block(
        html.lines(head(model)),
        *_described(model),
        html.table(SYMBOLS, symbols(model.symbols), "model.symbols"),
        html.notes(map(str, model.notes)),
    )


def _described(model: Model) -> list[str]:
    """Returns the links as HTML, or the energies of a system without links."""
    if model.lagrangian is not None:
        return [html.table(ENERGIES, energies(model.lagrangian), "model.lagrangian")]
    head = [html.notes([str(say("links"))]), html.table(LINKS, links(model.bodies), "model.bodies")]
    return [*head, *_masses_in_html(model), *_convention_in_html(model)]


def head(model: Model) -> list[str]:
    """Returns lines with the robot's name and title, its source, and its facts."""
    return [
        str(say("titled", name=model.name, title=_told(model.title))) if model.title else model.name,
        *([str(say("source", source=_told(model.source)))] if model.source else []),
        *facts(model),
    ]


def facts(model: Model) -> list[str]:
    """Returns lines with gravity, coordinates, joints without motors, and content of the file that is left out."""
    return [
        *(str(fact) for fact in (*_weight(model), *_moving(model), *_motors(model), *_tool(model))),
        *map(str, sentences(model.left_out)),
    ]


def _weight(model: Model) -> list[Message]:
    """Returns gravity, or that the equations are given with it; nothing of a system without links."""
    if model.lagrangian is not None:
        return []
    return [say("gravity-is", vector=_vector(model.gravity)) if model.explicit is None else say("equations-are-given")]


def _moving(model: Model) -> list[Message]:
    """Returns the coordinates, or the positions and the velocities if these are not rates."""
    velocities = Listed(model.coordinates)
    if model.positions == model.coordinates:
        return [say("coordinates-are", names=velocities)]
    return [say("positions-are", names=Listed(model.positions)), say("velocities-are", names=velocities)]


def _tool(model: Model) -> list[Message]:
    """Returns where the tool's frame is, if it is not that of the link which carries it."""
    tool = simplified(model.tool)
    own = (*map(_short, tool.p), _axes(tool)) != ("0", "0", "0", "x, y, z")
    return [say("tool-is-at", link=model.tool_body, at=_vector(tool.p), axes=_axes(tool))] if own else []


def _motors(model: Model) -> list[Message]:
    """Returns the joints that have motors and those that have none, if there are such."""
    if not model.passive:
        return []
    driven = Listed(name for name in model.coordinates if name not in model.passive)
    passive = Listed(model.passive)
    return [say("driven-by-motors", names=driven, passive=passive) if driven else say("none-driven", passive=passive)]


def _told(text: str) -> str:
    """Returns a text of a robot in the language in use."""
    return in_language(text, language())


def energies(of: Lagrangian) -> list[Row]:
    """Returns a row for each energy and force of a system without links, and for each of its constraints."""
    own = [(say("energy-of-motion"), of.K), (say("energy-of-place"), of.P), (say("dissipation-function"), of.D)]
    own += [(say("force-on", name=name), force) for name, force in zip(of.coordinates, of.Q, strict=False)]
    constraints = [[each.name, f"{each.value} = 0"] for each in of.constraints]
    return [*([str(name), str(value)] for name, value in own if value), *constraints]


def links(bodies: Iterable[Body]) -> list[Row]:
    """Returns a row for each link, below the titles LINKS."""
    return [_link(body) for body in bodies]


def _link(body: Body) -> Row:
    joint = body.joint
    home = simplified(joint.placement @ joint.offset)
    return [
        body.name,
        joint.parent,
        _type(joint),
        joint.name,
        _motion(joint),
        _vector(joint.axis) if joint.moves and joint.freedoms is None else "",
        _vector(home.p),
        _axes(home),
        " … ".join(_limit(limit) for limit in joint.limits) if joint.limits else "",
        *("" if limit is None else f"{limit:g} {unit}" for limit, unit in _of_motor(joint)),
        str(Listed(effect.in_table for effect in joint.effects)),
    ]


def _of_motor(joint: Joint) -> Iterator[tuple[float | None, str]]:
    """Yields the limits of the joint's motor with their units."""
    units = (joint.kind.unit_of_torque, joint.kind.unit_of_rate)
    yield from zip((joint.effort, joint.velocity), units, strict=True)


def masses(bodies: Iterable[Body]) -> list[Row]:
    """Returns a row for each link that has a mass or an inertia, below the titles MASSES.

    The inertia is about the centre of mass where the description gives this, else about the origin of the link's frame,
    with the first moment beside it.
    """
    return [_mass(body) for body in bodies if any((body.inertia.m, *body.inertia.h, *_tensor(body.inertia.I)))]


def _mass(body: Body) -> Row:
    inertia, com = body.inertia, body.com
    entries = _tensor(inertia.I if com is None else inertia.central_tensor(com))
    lacking = NOT_GIVEN if body.partial_inertia else ""  # a product that is zero leaves its cell empty
    texts = [_short(entry) if entry or (k < DIAGONAL and not lacking) else lacking for k, entry in enumerate(entries)]
    point = "title-centre-of-mass" if com is not None else "title-origin-of-frame"
    place = ["", _vector(inertia.h)] if com is None else [_vector(com), ""]
    return [body.name, _short(inertia.m), *place, str(say(point)), *texts]


def _tensor(tensor: Any) -> list[Any]:
    return [getattr(tensor, key) for key in TENSOR]


def _type(joint: Joint) -> str:
    """Returns the type of a joint, and that of the joint of which it is a part."""
    if not joint.part_of or joint.kind.is_rotor:
        return _word(joint.part_of or joint.type)
    return str(say("part-of-joint", type=_word(joint.type), whole=_word(joint.part_of)))


def _word(kind: str) -> str:
    """Returns the word of reports for a type of joints or loops in the language in use."""
    words: Mapping[str, str] = documents(language(), "report")["sentences"]
    return words.get(kind, kind)


def convention(model: Model) -> Convention | None:
    """Returns the model's Denavit–Hartenberg rows if its frames follow a convention of these, or else its screws.

    Returns None if neither has its joints.
    """
    names = [body.name for body in model.links]
    for kind, sentence in ROWS.items():
        table = None if model.freedoms or model.has_followers else table_of(model, kind)
        if table is not None:
            base, rows = table
            if base != Pose.identity():
                sentence = say("rows-from-base", rows=sentence, place=_vector(base.p), axes=_axes(base))
            cells = [[name, *(row.texts()[key] for key in COLUMNS)] for name, row in zip(names, rows, strict=True)]
            return Convention(str(sentence), (say("title-link"), "θ", "d", "a", "α"), cells)
    try:
        _, screws = tables(model, "screws")
    except QddotError:  # fixed joints, joints that follow, and those with several freedoms have no screws
        return None
    cells = [
        [name, *(f"({', '.join(part)})" for part in (screw[:3], screw[3:], each["home"]["xyz"]))]
        for name, each in zip(names, screws, strict=True)
        for screw in [each["screw"]]
    ]
    return Convention(str(say("screws-at-home")), (say("title-link"), "ω", "v", say("title-origin-of-frame")), cells)


def _masses_in_html(model: Model) -> list[str]:
    rows = masses(model.bodies)
    heading = str(say("convention", sentence=say("masses-of-links")))
    return [html.notes([heading]), html.table(MASSES, rows, "model.bodies")] if rows else []


def _convention_in_html(model: Model) -> list[str]:
    found = convention(model)
    if found is None:
        return []
    heading = str(say("convention", sentence=found.sentence))
    return [html.notes([heading]), html.table(found.titles, found.rows)]


def integrations(bodies: Iterable[Body]) -> list[str]:
    """Returns lines with the integrals of those inertias that are given by shapes, with a title if there are any."""
    uniform = [body for body in bodies if body.shapes is not None]
    if not uniform:
        return []
    from qddot.robot.shapes.steps import lines

    return [str(say("inertias-by-integration")), *(line for body in uniform for line in lines(body))]


def loops(closing: Iterable[Loop]) -> list[Row]:
    """Returns a row for each loop, below the titles LOOPS."""
    return [[each.name, _loop_type(each), *each.links, str(each.conditions.number)] for each in closing]


def _loop_type(loop: Loop) -> str:
    return _word(loop.type) if loop.length is None else str(say("rod-of-length", length=loop.length))


def wheels(rolling: Iterable[Rolling]) -> list[Row]:
    """Returns a row for each wheel that rolls, below the titles WHEELS."""
    return [[each.name, each.wheel, each.ground, each.contact, ", ".join(each.directions)] for each in rolling]


def symbols(declared: Mapping[str, Symbol]) -> list[Row]:
    """Returns a row for each symbol, below the titles SYMBOLS."""
    return [[each.name, value(each), each.unit, _told(each.meaning), each.formula] for each in declared.values()]


def value(symbol: Symbol) -> str:
    """Returns the default value of a symbol, and its tolerance if it has one: 1.43 ± 0.05."""
    numbers = [number for number in (symbol.value, symbol.tolerance) if number is not None]
    return " ± ".join(f"{number.value({}):g}" for number in numbers)


def _motion(joint: Joint) -> str:
    """Returns a joint's coordinate, such as q1, or 2*q1 for a joint that follows, or several velocities."""
    if joint.freedoms is not None:
        return ", ".join(joint.velocities)
    return (joint.coordinate or "") if joint.ratio in (None, 1) else f"{joint.ratio}*{joint.coordinate}"


def _limit(value: Expression) -> str:
    angle = value.as_angle()
    if angle is not None and angle.pi and not angle.radians:
        return str(angle)
    return _short(value) if value.symbols() else f"{value.value({}):.6g}"


def _axes(pose: Pose) -> str:
    """Returns the axes of a frame, such as "x, -z, y"."""
    return ", ".join(AXES.get(tuple(axis)) or _vector(axis) for axis in pose.R.T)


def _vector(vector: Iterable[Any]) -> str:
    return "(" + ", ".join(_short(entry) for entry in vector) + ")"


def _short(entry: Any) -> str:
    """Returns a short or symbolic entry exactly, any other as a decimal, with … if digits are left out."""
    expression = entry if isinstance(entry, Expression) else Expression.constant(entry)
    number = expression.rational
    exact = str(expression) if number is None else decimal(number).strip("()")
    if len(exact) <= SHORT or expression.symbols():
        return exact
    cut = f"{expression.value({}):.{SHORT - 3}g}"
    return cut if number is not None and Fraction(cut) == number else f"{cut}…"
