"""Says what the robot is: picture, coordinates, convention, inertias, effects in the joints, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from qddot.describe.dh_table import Row, table_of
from qddot.expressions.expression import Expression
from qddot.forms.textbook import Textbook
from qddot.model import overview
from qddot.model.bodies import BASE, Armature, Body, Coulomb, Spring, Symbol, Viscous, simplified
from qddot.printing.notation import symbol
from qddot.report import units
from qddot.report.document import Block, Cell, Figure, Inline, Paragraph, Picture, Section, Table
from qddot.report.formula import arithmetic
from qddot.report.sections.blocks_of import in_unit, number, sums, symbols
from qddot.report.wording import Words
from qddot.spatial import Vec3

AXES = ("first axis", "second axis", "third axis")
TREE = {"axis": 5, "origin": 6, "axes": 7}  # columns of the overview
NOT_GIVEN = "–"  # an entry of a tensor of which only those are known that matter
PRODUCTS = ("xx", "yy", "zz", "xy", "xz", "yz")


def section(short: Textbook, words: Words, picture: Picture | None) -> Section:
    """Returns the data from which the equations follow."""
    model = short.eq.model
    blocks: list[Block] = (
        [Figure(picture, words("picture"), given=True)] if picture else [words.paragraph("no picture")]
    )
    blocks += [*_frames(short, words), *_convention(short, words), *_inertias(short, words), *_effects(short, words)]
    if model.symbols:
        titles = tuple(words(key) for key in ("symbol", "meaning", "unit", "value"))
        rows = tuple(_symbol_row(name, declared, words) for name, declared in model.symbols.items())
        blocks += [words.paragraph("symbols"), Table(titles, rows, given=True)]
    return Section("robot", words("robot"), tuple(blocks))


def _frames(short: Textbook, words: Words) -> Iterator[Block]:
    model = short.eq.model
    one = model.n == 1
    joints = words("one joint") if one else words("joints", n=str(model.n))
    # the word in front of the coordinates depends on their number
    names = Paragraph((words("coordinate" if one else "coordinates"), symbols(map(symbol, model.coordinates))))
    yield words.paragraph("frames", n=joints, q=names)
    yield words.paragraph("gravity", gravity=arithmetic(f"({', '.join(map(str, model.gravity))})"))
    yield words.paragraph("assumptions")


def _convention(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the table of the arm's own convention."""
    model = short.eq.model
    for convention in ("dh", "mdh"):
        table = table_of(model, convention)
        if table is not None:
            yield from _dh(convention, *table, short, words)
            return
    rows, places = list[tuple[Cell, ...]](), overview.places_in_compounds(model.bodies)
    for row, body in zip(overview.links(model.bodies), model.bodies, strict=True):
        parent = words("base link") if body.joint.parent == BASE else words.told(body.joint.parent)
        kind = _kind(body, places, words)
        axis, origin, axes = (row[column] for column in TREE.values())
        place = _point(simplified(body.joint.placement @ body.joint.offset).p, origin, short)
        rows.append((words.told(body.name), parent, kind, _place(axis), place, _place(axes)))
    heads = map(words, ("link title", "parent", "joint type", "axis"))
    titles: tuple[Cell, ...] = (*heads, in_unit(words("origin"), "m"), words("axes"))
    yield words.paragraph("tree")
    yield Table(titles, tuple(rows), given=True)


def _kind(body: Body, places: Mapping[str, int], words: Words) -> str:
    """Returns the type of a joint, or which axis it is of a joint with several."""
    if body.name not in places:
        return words(body.joint.type)
    return words("compound", kind=words(body.joint.part_of), axis=words(AXES[places[body.name]]))


def _point(p: Vec3, shown: str, short: Textbook) -> Cell:
    """Returns a point as it is shown, or with fractions like those of the equations where it has symbols."""
    entries = [Expression.constant(0) + entry for entry in p]
    if not any(entry.symbols() for entry in entries):
        return _place(shown)
    parts: list[Inline] = []
    for entry in sums(short, [entry.evaluate(short.eq.ring) for entry in entries]):
        parts += [", " if parts else "(", entry]
    return Paragraph((*parts, ")"))


def _place(text: str) -> Inline:
    """Returns a name as text, a vector as mathematics."""
    return arithmetic(text) if text.startswith("(") else text.replace("-", "−")


def _dh(convention: str, base: object, rows: list[Row], short: Textbook, words: Words) -> Iterator[Block]:
    from qddot.spatial import Pose

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
    """Yields the mass properties, about the centres of mass where the description gives them."""
    links = short.eq.dynamics.arm.links
    central = all(link.com is not None or link.inertia.m == 0 for link in links)
    rows: list[tuple[Inline, ...]] = []
    for k, (body, link) in enumerate(zip(short.eq.model.bodies, links, strict=True), 1):
        com = link.com if central and link.com is not None else None
        I = link.inertia.central_tensor(com) if com is not None else link.inertia.I
        first = com if com is not None else link.inertia.h
        entries = [getattr(I, key) for key in PRODUCTS]
        cells: list[Inline] = [*sums(short, [link.inertia.m, *first])]
        for entry, cell in zip(entries, sums(short, entries), strict=True):
            cells.append(NOT_GIVEN if body.partial_inertia and not entry else cell)
        rows.append((_name(k, body, words), *cells))
    moments = (f"r_{{c,{axis}}}" if central else f"m_{axis}" for axis in "xyz")
    columns = map(words.formula, (*moments, *(f"I_{key}" for key in PRODUCTS)))
    titles: list[Cell] = [words("link title"), words("mass title"), *columns]
    yield words.paragraph("inertias" if central else "origin inertias")
    yield Table(tuple(titles), tuple(rows), given=True)
    if any(NOT_GIVEN in row for row in rows):
        yield words.paragraph("partial")


def _name(k: int, body: Body, words: Words) -> str:
    return str(k) if body.name.strip("_") in (str(k), f"link{k}", f"link_{k}") else f"{k} {words.told(body.name)}"


def _effects(short: Textbook, words: Words) -> Iterator[Block]:
    kinds = {Armature: "armature", Viscous: "viscous", Coulomb: "coulomb", Spring: "spring"}
    fields = {
        Armature: ("inertia",),
        Viscous: ("coefficient",),
        Coulomb: ("coefficient",),
        Spring: ("stiffness", "rest"),
    }
    rows: list[tuple[Cell, ...]] = []
    for body in short.eq.model.bodies:
        for effect in body.joint.effects:
            joint = symbol(body.joint.coordinate or body.joint.name)
            value = ", ".join(str(getattr(effect, name)) for name in fields[type(effect)])
            unit = ", ".join(units.of_effect(body.joint, effect))
            rows.append((joint, words(kinds[type(effect)]), arithmetic(value), unit))
    if rows:
        yield words.paragraph("effects")
        yield Table(tuple(map(words, ("joint", "effect", "value", "unit"))), tuple(rows), given=True)


def _symbol_row(name: str, declared: Symbol, words: Words) -> tuple[Inline, ...]:
    value = number(declared.value.value({})) if declared.value is not None else ""
    return symbol(name), words.told(declared.meaning), re.sub(r"\^([23])", _raised, declared.unit), value


def _raised(power: re.Match[str]) -> str:
    return {"2": "²", "3": "³"}[power[1]]
