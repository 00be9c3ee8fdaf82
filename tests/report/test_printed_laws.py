"""Whatever a report says is equal is equal: its formulas hold for what it prints, and what it prints is the arm's."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any

import pytest
from false_laws import false_laws
from formula_values import laws
from printed_values import equations_of

import qddot
from qddot.equations.proofs.prove import prove
from qddot.equations.routes import ROUTES
from qddot.forms.textbook import Textbook
from qddot.printing.notation import symbol
from qddot.printing.tree import Matrix, Sum, Symbol
from qddot.report.arm_report import Derivation, base_of, report
from qddot.report.document import Block, Column, Columns, Document, Equations, Numbered
from qddot.report.languages import LANGUAGES, chinese, english
from qddot.report.sections import blocks_of, torques_by_newton
from qddot.report.sections.route_steps import STEPS
from shipped import robot

SMALL = ("slider", "one_link", "two_link", "planar_2r", "spatial_2r", "rp", "spherical_pendulum", "elbow_3r")
LONG = {
    "puma560_akb": ("composite",),
    "ur5": ("composite",),
    "ur10": ("energy",),
    "puma560_1986": ("composite",),
}
ALL = tuple(ROUTES)
EFFECTS = """
name = "effects"
convention = "dh"
gravity = ["-g", 0, 0]
symbols = { m = {}, l = {}, Jr = {}, k = {}, c = {}, f = {}, L = {}, K = {}, M = {}, q0 = {}, g = {} }

[[link]]
dh = { theta = "q1", d = "L", a = "l", alpha = "90deg" }
mass = "m"
com = ["-l/2", 0, 0]
inertia = { about = "com", yy = "m*l**2/12", zz = "m*l**2/12" }
joint = { armature = "Jr", damping = "c" }

[[link]]
dh = { theta = 0, d = "q2", a = "K", alpha = "-90deg" }
mass = "M"
com = ["-l/2", 0, 0.3]
inertia = { about = "com", xx = 0.1, yy = "m*l**2/12", zz = "m*l**2/12" }
joint = { armature = "2*Jr", coulomb = "f", spring = { stiffness = "k", rest = "q0" } }

[[link]]
dh = { theta = "q3", d = 0, a = "l", alpha = 0 }
mass = "m"
com = ["-l/2", 0.1, 0.3]
inertia = { about = "com", xx = 0.1, yy = "m*l**2/12", zz = "m*l**2/12", xy = 0.01 }
joint = { spring = { stiffness = "k", rest = 0 }, coulomb = "f", damping = "c" }
"""


@cache
def shorts_of(name: str, routes: tuple[str, ...] = ALL) -> tuple[Textbook, ...]:
    arm = qddot.loads(EFFECTS) if name == "effects" else robot(name)
    return tuple(arm.equations(route).textbook() for route in routes)


@cache
def documents(name: str, routes: tuple[str, ...] = ALL, langs: tuple[str, ...] = ("en",)) -> list[Document]:
    return told(shorts_of(name, routes), langs)


def told(shorts: Sequence[Textbook], langs: Sequence[str] = ("en",)) -> list[Document]:
    model = shorts[0].eq.model
    base = base_of(model) if model.n < 5 or "akb" in model.name else None
    derivation = Derivation(shorts, prove(shorts[0].eq, []), base)
    return [report(derivation, lang) for lang in langs]


@pytest.mark.parametrize("name", [*SMALL, "effects"])
def test_every_law_of_a_report_holds_for_what_it_prints(name: str) -> None:
    assert list(false_laws(documents(name, ALL, tuple(LANGUAGES)), shorts_of(name))) == []


@pytest.mark.parametrize("name", LONG)
def test_every_law_of_a_long_report_holds_for_what_it_prints(name: str) -> None:
    """`bench/printed_laws.py` has all arms by all routes in all languages."""
    assert list(false_laws(documents(name, LONG[name]), shorts_of(name, LONG[name]))) == []


@pytest.mark.parametrize("name", ["effects", "elbow_3r"])
def test_laws_rest_on_exact_arrays_where_these_are_too_long(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_of, "MOST_TERMS", 8)
    shorts = shorts_of(name)
    made = told(shorts)
    assert not {"M", "christoffel", "tau", "newton_euler.n"} & {block.key for block in equations_of(made[0])}
    assert list(false_laws(made, shorts)) == []


def test_each_printed_equation_is_held_to_something() -> None:
    """With the sign of its first equation changed, no block of a report passes."""
    made, shorts = documents("effects")[0], shorts_of("effects")
    keys = [block.key for block in made.blocks() if isinstance(block, Equations) and any(map(_some, block.listed))]
    assert len(keys) > 40
    assert [key for key in keys if not any(false_laws([_with_changed_sign(made, key)], shorts))] == []


def _some(equation: Numbered) -> bool:
    right: Any = equation.right
    return bool(right.products) if isinstance(right, Sum) else any(x.products for row in right.rows for x in row)


def _with_changed_sign(made: Document, key: str) -> Document:
    sections = tuple(
        section._replace(blocks=tuple(_changed(block, key) for block in section.blocks)) for section in made.sections
    )
    return made._replace(sections=sections)


def _changed(block: Block, key: str) -> Block:
    if isinstance(block, Columns):
        return Columns(
            tuple(
                Column(column.title, tuple(_changed(inner, key) for inner in column.blocks)) for column in block.columns
            )
        )
    if not isinstance(block, Equations) or block.key != key:
        return block
    numbers = count()
    return block._replace(
        listed=tuple(
            each._replace(right=_negative(each.right)) if _some(each) and next(numbers) == 0 else each
            for each in block.listed
        )
    )


def _negative(right: Any) -> Any:
    if isinstance(right, Matrix):
        return Matrix(tuple(tuple(_negative(entry) for entry in row) for row in right.rows))
    return right._replace(products=tuple(each._replace(number=-each.number) for each in right.products))


PLANTED = [  # laws that do not hold, as they once were printed or might be
    ("CLOSING", "energy", "«springs: + τ^{s}»", ""),
    ("CLOSING", "energy", "«friction: + τ^{f}»", ""),
    ("CLOSING", "screw", "«armature: + M^{r}»", ""),
    ("CLOSING", "com_jacobian", "«armature: + M^{r}»", ""),
    ("CLOSING", "com_jacobian", "G = −Σ_i", "G = Σ_i"),
    ("CLOSING", "dh4x4", "«armature: + M_ij^{r}»", ""),
    ("CLOSING", "composite", "«armature: + M_ij^{r}»", ""),
    ("ROUTES", "dh4x4", "«armature: + ½ q̇ᵀ M^{r} q̇»", ""),
    ("STEPS", "Q", "∂A_i/∂q_j = Q_j A_i", "∂⁰T_i/∂q_j = Q_j ⁰T_i"),
    ("STEPS", "n_axis", "n_i − ρ_i × f_i", "n_i + ρ_i × f_i"),
    ("STEPS", "b_ijk", "− m_jki", "+ m_jki"),
    ("SENTENCES", "law", "«springs: + τ^{s}»", ""),
    ("SENTENCES", "coriolis", "B_{i,jk} = 2 Γ_ijk", "B_{i,jk} = Γ_ijk"),
    ("SENTENCES", "dh", "T_z(d) T_x(a)", "T_x(d) T_z(a)"),
    ("IDENTITIES", "power of the twists", "«armature: − M^{r} q̈»", ""),
]


@pytest.mark.parametrize(("catalogue", "key", "law", "false"), PLANTED)
def test_a_false_law_is_found(catalogue: str, key: str, law: str, false: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = getattr(english, catalogue)
    told_now = sentences[key]
    changed = (
        told_now.replace(law, false) if isinstance(told_now, str) else tuple(x.replace(law, false) for x in told_now)
    )
    assert changed != told_now
    monkeypatch.setitem(sentences, key, changed)
    shorts = shorts_of("effects", (routes_of(key),))
    assert any(false_laws(told(shorts), shorts))


def routes_of(key: str) -> str:
    """The route whose report has a sentence."""
    own = {route for route, steps in STEPS.items() if key in (route, *steps)}
    return min(own, default="composite")


def test_a_moment_about_the_far_end_of_a_link_is_no_torque(monkeypatch: pytest.MonkeyPatch) -> None:
    """In standard DH n is about the frame's origin, and the joint's axis passes by it."""
    named = torques_by_newton._named
    monkeypatch.setattr(
        torques_by_newton, "_named", lambda words, name, *at: named(words, "n" if name == "n_axis" else name, *at)
    )
    shorts = shorts_of("spatial_2r", ("newton_euler",))
    found = false_laws(told(shorts), shorts)
    assert any(line.startswith("tau2") for line in found)


def test_both_languages_have_the_same_formulas() -> None:
    for catalogue in ("SENTENCES", "ROUTES", "STEPS", "CLOSING", "IDENTITIES"):
        ours, theirs = getattr(english, catalogue), getattr(chinese, catalogue)
        for key, sentence in ours.items():
            assert set(_formulas(sentence)) == set(_formulas(theirs[key])), key


def _formulas(sentence: str | tuple[str, ...]) -> list[str]:
    return re.findall(r"\$[^$]+\$", sentence if isinstance(sentence, str) else " ".join(sentence))


def own_symbols(short: Any) -> dict[Any, str]:
    """The printed forms of an arm's own names, with what they mean, but those by which a report means the same."""
    model = short.eq.model
    own: dict[Any, Any] = {}
    for k, body in enumerate(model.bodies, 1):
        same = dict(zip(("m", "mx", "my", "mz"), (body.inertia.m, *body.inertia.h), strict=True))
        own |= {f"{name}{k}": str(value) for name, value in same.items() if str(value) == f"{name}{k}"}
    names = [*model.symbols, *short.constants, *(q for k, q in enumerate(model.coordinates, 1) if q != f"q{k}")]
    return {printed(symbol(name)): name for name in names if name not in own}


def printed(name: Symbol) -> tuple[str, str, str, str, int, bool]:
    above = "" if name.above in ("T", "-1", "2") else name.above
    return name.head, name.below.replace(",", ""), above, name.frame, name.dots, name.bar


def instances(name: Symbol) -> set[Any]:
    """What a symbol of a formula is printed as for numbers in the place of its indices."""
    head, below, *others = printed(name)
    letters = sorted(set(re.findall(r"[ijkn]", below.removeprefix("v").removeprefix("omega").removeprefix("b"))))
    found = {(head, below, *others)}
    for numbers in itertools.product("123456", repeat=len(letters)):
        numbered = below
        for letter, number in zip(letters, numbers, strict=True):
            numbered = numbered.replace(letter, number)
        found.add((head, numbered, *others))
    return found


@pytest.mark.parametrize("name", [*SMALL, "effects", "puma560_akb"])
def test_no_symbol_of_a_document_has_two_meanings(name: str) -> None:
    """Neither an arm's own symbol and a quantity of the document, nor two quantities, are printed alike."""
    arm = qddot.loads(EFFECTS) if name == "effects" else robot(name)
    routes = LONG.get(name, ALL)
    made = documents(name, routes)[0]
    own = own_symbols(shorts_of(name, routes)[0])
    blocks = [block for block in made.blocks() if isinstance(block, Equations)]
    lefts = [
        (printed(each.left), f"{block.key.rpartition('.')[2]} {each.left.text}")
        for block in blocks
        if block.key != "constants"
        for each in block.listed
        if isinstance(each.left, Symbol) and "[" not in each.left.text
    ]
    meanings: dict[Any, set[str]] = {}
    for form, meaning in lefts:
        meanings.setdefault(form, set()).add(meaning)
    assert {form: meant for form, meant in meanings.items() if len(meant) > 1} == {}
    assert {form: own[form] for form, _ in lefts if form in own} == {}
    given = (f"({', '.join(map(str, arm.model.gravity))})", ", ".join(arm.model.coordinates))
    said = [law for law in laws(made) if law.text not in given]
    in_formulas = {part for law in said for part in law.parts if isinstance(part, Symbol)}
    indices = {"i", "j", "k", "n"}
    assert {
        part.text: own[form]
        for part in in_formulas
        if part.text not in indices
        for form in instances(part)
        if form in own
    } == {}


def test_letters_that_an_arm_has_for_itself_are_left_to_it() -> None:
    shown = {printed(part) for law in laws(documents("effects")[0]) for part in law.parts if isinstance(part, Symbol)}
    for head in "MK":
        assert (head, "", "", "", 0, True) in shown
        assert (head, "", "", "", 0, False) not in shown
    assert ("ℒ", "", "", "", 0, False) in shown
