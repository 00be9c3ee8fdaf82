"""Writes the section on the robot: picture, coordinates, convention, inertias, effects in the joints, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.digits import NumberForm, written
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Symbol as Name
from qddot.formats.rows.dh import Row
from qddot.formats.rows.dh_table import table_of
from qddot.papers import overview
from qddot.papers.report.document import Block, Cell, Figure, Inline, Paragraph, Picture, Section, Table
from qddot.papers.report.formula import arithmetic, terms
from qddot.papers.report.sections import quasi_velocities
from qddot.papers.report.sections.blocks_of import in_decimals, in_unit, is_long, number, sums, symbols
from qddot.papers.report.wording import Words
from qddot.robot import units
from qddot.robot.bodies import BASE, Body, Joint, Symbol
from qddot.robot.effects.effect import Effect
from qddot.robot.elastic import motors_of
from qddot.robot.joint_tree import places_in_compounds
from qddot.robot.left_out import KINDS
from qddot.robot.model import Model
from qddot.robot.placements import simplified
from qddot.robot.rotors import axial_moment, rotors_of
from qddot.robot.symbol_values import unit_lengths

AXES = ("first axis", "second axis", "third axis")
TREE = {"axis": 5, "origin": 6, "axes": 7}  # columns of the overview
ROOT = re.compile(r"sqrt\((\d+)\)")
VECTOR_OR_NAME = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^,\s]+")
FRACTION = re.compile(r"-?\d+/\d+")
CUT = "..."  # follows the first digits of a decimal that does not terminate
NOT_GIVEN = "–"  # an unknown entry of a tensor with partial inertia
SYMBOL = "symbol"  # instead of a value: joints with different symbols share a row
TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")
DESCRIBED = ("meaning", "unit", "value", "formula")  # columns of the table of symbols
PRODUCTS = 3  # entries of a tensor off its diagonal, which are last


def section(short: Textbook, words: Words, picture: Picture | None) -> Section:
    """Returns the data from which the equations follow."""
    model = short.eq.model
    blocks: list[Block] = (
        [Figure(picture, _caption(short, words), given=True)] if picture else [words.paragraph("no picture")]
    )
    blocks += [*_frames(short, words), *_convention(short, words)]
    blocks += _inertias(short, words) if short.eq.dynamics.has_bodies else _centres(short, words)
    blocks += [*_motors(model, words), *_effects(short, words), *_rotors(short, words)]
    if model.symbols:
        blocks += [words.paragraph("symbols"), _symbols(model.symbols, words)]
    return Section("robot", words("robot"), tuple(blocks))


def _caption(short: Textbook, words: Words) -> str:
    """Returns the caption of the picture, which says what {T} is if the tool has a frame of its own.

    It also says which lengths have no values, and count as 1.
    """
    own = short.eq.T_tool != short.eq.T[short.eq.dynamics.mechanism.tool_link]
    assumed = unit_lengths(short.eq.model)
    told = words("unit lengths in picture", names=assumed) if assumed else ""
    return words("picture") + (words("tool in picture") if own else "") + told


def _frames(short: Textbook, words: Words) -> Iterator[Block]:
    model = short.eq.model
    moving = len(model.moving())
    one = moving == 1
    joints = words("one joint") if one else words("joints", n=str(moving))
    if model.freedoms:
        q, v = symbols(map(symbol, model.positions)), symbols(quasi_velocities.velocities(model))
        yield words.paragraph("quasi frames", n=joints, q=q, v=v)
        yield _gravity(model.gravity, words)
        yield _assumptions(model, words)
        yield from quasi_velocities.blocks(short, words)
        return
    # the word before the coordinates depends on their number
    names = Paragraph((words("coordinate" if one else "coordinates"), symbols(map(symbol, model.coordinates))))
    yield words.paragraph("frames", n=joints, q=names)
    if short.eq.dynamics.has_bodies:
        yield _gravity(model.gravity, words)
    yield _assumptions(model, words)


def _assumptions(model: Model, words: Words) -> Paragraph:
    """Returns the sentences on what the equations assume of links, joints and motors, and lack of the file."""
    lacks = "; ".join(f"{KINDS[part.name].what.told(words.lang)} ({part.where})" for part in model.left_out)
    return words.paragraph("assumptions", passive=symbols(map(symbol, model.passive)), left_out=lacks)


def _gravity(gravity: Vec3, words: Words) -> Paragraph:
    """Returns the sentence on gravity; its unit is written only where no symbol has that unit."""
    unit = "" if any((Expression.constant(0) + part).symbols() for part in gravity) else " m/s²"
    vector = arithmetic(f"({', '.join(map(str, gravity))})")
    return words.paragraph("gravity", gravity=Paragraph((vector, *([unit] if unit else []))))


def _convention(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the table of the arm's own convention."""
    model = short.eq.model
    for convention in () if model.freedoms else ("dh", "mdh"):
        table = table_of(model, convention)
        if table is not None:
            yield from _dh(convention, *table, short, words)
            return
    rows, places = list[tuple[Cell, ...]](), places_in_compounds(model.bodies)
    for row, body in zip(overview.links(model.bodies), model.bodies, strict=True):
        parent = words("base link") if body.joint.parent == BASE else words.link(body.joint.parent)
        kind = _kind(body, places, words)
        axis, origin, axes = (row[column] for column in TREE.values())
        place = _point(simplified(body.joint.placement @ body.joint.offset).p, origin, short)
        rows.append((words.link(body.name), parent, kind, vectors(axis), place, vectors(axes)))
    heads = map(words, ("link title", "parent", "joint type", "axis"))
    titles: tuple[Cell, ...] = (*heads, in_unit(words("origin"), "m"), words("axes"))
    yield words.paragraph("tree")
    yield Table(titles, tuple(rows), given=True)


def _kind(body: Body, places: Mapping[str, int], words: Words) -> str:
    """Returns the type of a joint, or its number among the axes of a compound joint."""
    if body.joint.kind.is_rotor or body.name not in places:
        return words(body.joint.part_of or body.joint.type)
    return words("compound", kind=words(body.joint.part_of), axis=words(AXES[places[body.name]]))


def _point(p: Vec3, text: str, short: Textbook) -> Cell:
    """Returns the text of a point; one with symbols has fractions like those of the equations.

    Numbers whose decimals do not terminate are given with six digits.
    """
    entries = [Expression.constant(0) + entry for entry in p]
    if not any(entry.symbols() for entry in entries) and CUT not in text:
        return vectors(text)
    parts: list[Inline] = []
    for entry in sums(short, [entry.evaluate(short.eq.ring) for entry in entries]):
        parts += [", " if parts else "(", in_decimals(entry) if CUT in text else entry]
    return Paragraph((*parts, ")"))


def vectors(text: str) -> Paragraph:
    """Returns names as text and vectors as mathematics, with commas between them."""
    parts: list[Inline] = []
    for each in VECTOR_OR_NAME.findall(text):
        parts += [", "] if parts else []
        parts.append(arithmetic(ROOT.sub(r"√\1", each)) if each.startswith("(") else each.replace("-", "−"))
    return Paragraph(tuple(parts))


def _dh(convention: str, base: object, rows: list[Row], short: Textbook, words: Words) -> Iterator[Block]:
    from qddot.algebra.spatial import Pose

    yield words.paragraph(convention)
    cells = [tuple(_cell(row, key, short) for key in ("theta", "d", "a", "alpha")) for row in rows]
    lengths = (in_unit(words.formula(name), "m") for name in "da")
    titles: list[Cell] = [words("link title"), words.formula("θ"), *lengths, words.formula("α")]
    yield Table(tuple(titles), tuple((str(k), *row) for k, row in enumerate(cells, 1)), given=True)
    assert isinstance(base, Pose)
    if base != Pose.identity():
        axes = ", ".join(overview.AXES.get(tuple(axis)) or str(tuple(map(str, axis))) for axis in base.R.T)
        yield words.paragraph("base pose", p=", ".join(map(str, base.p)), axes=axes.replace("-", "−"))


def _cell(row: Row, key: str, short: Textbook) -> Inline:
    """Returns an entry of a row; a length with symbols has fractions like those of the equations."""
    length = getattr(row, key)
    if key in ("theta", "alpha") or not length.symbols():
        return arithmetic(row.texts()[key])
    moved = row.coordinate is not None and row.slides and key == "d"
    ring = short.eq.ring
    entry = length.evaluate(ring) + (ring.generator(f"q({row.coordinate})") * row.sign if moved else 0)
    return sums(short, [entry])[0]


def _inertias(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the mass properties, about the centres of mass if the description gives these."""
    model = short.eq.model
    chosen = [body for body in model.bodies if not (body.joint.kind.is_rotor and body.joint.leads)]
    links = [short.eq.dynamics.mechanism.links[model.bodies.index(body)] for body in chosen]
    central = all(link.com is not None or link.inertia.m == 0 for link in links)
    values = [(link.inertia.m, *_about(link, central)) for link in links]
    numbers = sums(short, [entry for row in values for entry in row])  # all in the same form
    rounded = any(map(is_long, numbers))
    cells = (in_decimals(each) if rounded else each for each in numbers)
    rows: list[tuple[Cell, ...]] = []
    for k, (body, row) in enumerate(zip(chosen, values, strict=True), 1):
        written: list[Cell] = [next(cells) for _ in row]
        for place in range(-len(TENSOR), 0):
            if body.partial_inertia and not row[place]:
                written[place] = NOT_GIVEN
        rows.append((_name(k, body, words), *written))
    titles = _titles(central, words)
    partial = any(body.partial_inertia for body in chosen)
    # a table with all columns is too wide for many pages
    diagonal = not partial and not any(entry for row in values for entry in row[-PRODUCTS:])
    count = len(titles) - PRODUCTS if diagonal else len(titles)
    words = words.with_traits("diagonal" if diagonal else "products", *(["rounded"] if rounded else []))
    yield words.paragraph("inertias" if central else "origin inertias")
    yield Table(tuple(titles[:count]), tuple(row[:count] for row in rows), given=True)
    if partial:
        yield words.paragraph("partial")


def _centres(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the centres of mass of an arm whose equations are given entry by entry, if any is given."""
    if "located" not in words.traits:
        yield words.paragraph("given equations")
        return
    links = zip(short.eq.model.bodies, short.eq.dynamics.mechanism.links, strict=True)
    rows: list[tuple[Cell, ...]] = []
    for k, (body, link) in enumerate(links, 1):
        rows.append((_name(k, body, words), *sums(short, tuple(link.com or (0, 0, 0)))))
    yield words.paragraph("given equations")
    titles = _titles(True, words)
    yield Table((titles[0], *titles[2 : 2 + len("xyz")]), tuple(rows), given=True)


def _about(link: Any, central: bool) -> tuple[Any, ...]:
    """Returns the centre of mass and the tensor about it, or the first moments and the tensor about the origin."""
    com = link.com if central else None
    first, I = (link.inertia.h, link.inertia.I) if com is None else (com, link.inertia.central_tensor(com))
    return (*first, *(getattr(I, key) for key in TENSOR))


def _titles(central: bool, words: Words) -> list[Cell]:
    moments = (f"r_{{c,{axis}}}" if central else f"m_{axis}" for axis in "xyz")
    columns = map(words.formula, (*moments, *(f"I_{key}" for key in TENSOR)))
    return [words("link title"), words("mass title"), *columns]


def _name(k: int, body: Body, words: Words) -> str:
    return str(k) if body.name.strip("_") in (str(k), f"link{k}", f"link_{k}") else f"{k} {words.link(body.name)}"


def _motors(model: Model, words: Words) -> Iterator[Block]:
    coordinates = [str(motor.joint.coordinate) for motor in motors_of(model.bodies)]
    if coordinates:
        yield words.paragraph("motors", n=str(len(coordinates)), names=symbols(map(symbol, coordinates)))


def _effects(short: Textbook, words: Words) -> Iterator[Block]:
    joints: dict[tuple[str, str, str], list[tuple[tuple[Name, ...], str]]] = {}
    for body in short.eq.model.bodies:
        for effect in body.joint.effects:
            told = [*_numbers(body.joint, effect)]
            value = ", ".join(text for text, _ in told)
            names = body.joint.velocities if body.joint.freedoms else (body.joint.coordinate or body.joint.name,)
            alike = SYMBOL if value.isidentifier() else value
            cells = words(effect.key), alike, ", ".join(unit for _, unit in told)
            second = (symbol(getattr(effect, effect.second)),) if effect.second else ()
            joints.setdefault(cells, []).extend(((symbol(name), *second), value) for name in names)
    if joints:
        rows = tuple(
            (symbols(name for names, _ in listed for name in names), kind, _values([v for _, v in listed]), unit)
            for (kind, _, unit), listed in joints.items()
        )
        yield words.paragraph("effects")
        yield Table(tuple(map(words, ("joint", "effect", "value", "unit"))), rows, given=True)


def _numbers(joint: Joint, effect: Effect) -> Iterator[tuple[str, str]]:
    """Yields an effect's numbers with their units; later ones that are zero are left out."""
    for k, (value, unit) in enumerate(zip(effect.numbers.values(), units.of_effect(joint, effect), strict=True)):
        if not k or value != 0:
            yield _value(value), unit


def _rotors(short: Textbook, words: Words) -> Iterator[Block]:
    ring, rows = short.eq.ring, list[tuple[Cell, ...]]()
    for body, joint, ratios in rotors_of(short.eq.model.bodies):
        angle = sum((expression(n) * expression(name) for name, n in ratios.items()), start=Expression.constant(0))
        carrier = words("base link") if joint.parent == BASE else words.link(joint.parent)
        axis = vectors(f"({', '.join(map(str, joint.axis))})")
        (moment,) = sums(short, [axial_moment(body).evaluate(ring)])
        rows.append((words.link(body.name), carrier, arithmetic(str(angle)), axis, moment))
    if rows:
        titles = ("rotor", "carrier", "turned by", "axis")
        yield words.paragraph("rotors")
        yield Table((*map(words, titles), in_unit(words.formula("J"), "kg m²")), tuple(rows), given=True)


def _values(of_joints: list[str]) -> Inline:
    """Returns the value that all joints of a row have, or their symbols in the order of the joints."""
    one, *others = dict.fromkeys(of_joints)
    return symbols(map(symbol, of_joints)) if others else arithmetic(one)


def _value(of: Any) -> str:
    """Returns an expression, or a number as a decimal if that is exact."""
    text = str(of)
    return written(Fraction(text), NumberForm.DECIMALS) if FRACTION.fullmatch(text) else text


def _symbols(declared: Mapping[str, Symbol], words: Words) -> Table:
    """Returns a table with a row for each symbol, or for several consecutive symbols with the same data.

    What no symbol has, such as a meaning or a value, has no column.
    """
    whole = [(symbol(name), _described(each, words)) for name, each in declared.items()]
    used = [k for k in range(len(DESCRIBED)) if any(cells[k] for _, cells in whole)]
    columns = [DESCRIBED[k] for k in used]
    described = ((name, tuple(cells[k] for k in used)) for name, cells in whole)
    groups = groupby(described, key=lambda row: row[1])
    rows = tuple((symbols(name for name, _ in group), *cells) for cells, group in groups)
    return Table(tuple(map(words, ["symbol", *columns])), rows, given=True)


def _described(declared: Symbol, words: Words) -> tuple[Cell, ...]:
    """Returns the meaning of a symbol, its unit, its value with its tolerance, and its formula."""
    numbers = [number(each.value({})) for each in (declared.value, declared.tolerance) if each is not None]
    unit = re.sub(r"\^([23])", _raised, declared.unit)
    value = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}".join(numbers).replace(
        " × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
    )
    formula = Paragraph(tuple(terms(declared.formula))) if declared.formula else ""
    return words.translated(declared.meaning), unit, value, formula


def _raised(power: re.Match[str]) -> str:
    return {"2": "²", "3": "³"}[power[1]]
