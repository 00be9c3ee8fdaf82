"""Whatever a report says is equal is equal: its formulas hold for what it prints, and what it prints is the arm's."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import pytest
from false_laws import false_formulas, false_laws, named_steps, wrong_base
from formula_values import laws
from printed_values import Printed, equations_of
from shipped import robot

import qddot
from qddot.exact.equations.proofs.prove import prove
from qddot.exact.equations.routes import ROUTES
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Matrix, Sum, Symbol
from qddot.papers.report.arm_report import ReportContents, base_of, report
from qddot.papers.report.document import Block, Column, Columns, Document, EquationBlock, Numbered, Paragraph
from qddot.papers.report.formula import Formula
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.sections import blocks_of
from qddot.papers.report.sections.route_steps import DERIVATIONS
from qddot.papers.report.wording import Words

SMALL = ("slider", "one_link", "two_link", "planar_2r", "spatial_2r", "rp", "spherical_pendulum", "elbow_3r")
LONG = {
    "puma560_akb": ("composite",),
    "ur5": ("energy",),
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


def told(shorts: tuple[Textbook, ...], langs: Sequence[str] = ("en",)) -> list[Document]:
    return [report(derivation(shorts), lang) for lang in langs]


@cache
def derivation(shorts: tuple[Textbook, ...]) -> ReportContents:
    model = shorts[0].eq.model
    # base parameters that are quotients are written as text
    base = base_of(model) if "moments" not in model.name and (model.n < 5 or "akb" in model.name) else None
    return ReportContents(shorts, prove(shorts[0].eq, []), base)


@pytest.mark.parametrize("name", [*SMALL, "effects"])
def test_every_law_of_a_report_holds_for_what_it_prints(name: str) -> None:
    assert list(false_laws(documents(name, ALL, tuple(LANGUAGES)), shorts_of(name))) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
def test_every_law_of_a_long_report_holds_for_what_it_prints(name: str) -> None:
    """`bench/printed_laws.py` has all arms by all routes in all languages."""
    assert list(false_laws(documents(name, LONG[name]), shorts_of(name, LONG[name]))) == []


def test_laws_rest_on_exact_arrays_where_these_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_of, "MOST_TERMS", 8)
    shorts = shorts_of("effects")
    made = told(shorts)
    assert not {"M", "christoffel", "tau", "newton_euler.n"} & {block.key for block in equations_of(made[0])}
    assert list(false_laws(made, shorts)) == []


def test_a_lecture_works_one_link_of_a_long_arm_inward_to_its_torque() -> None:
    shorts = shorts_of("ur5", ("newton_euler",))
    made = report(ReportContents(shorts, prove(shorts[0].eq, [])), level="lecture")
    blocks = {block.key: block for block in equations_of(made)}
    assert [str(each.left.text) for each in blocks["newton_euler.w"].listed] == ["w2", "w3"]
    assert [str(each.left.text) for each in blocks["newton_euler.n.named"].listed] == ["n3[1]", "n3[2]", "n3[3]"]
    (tau,) = blocks["newton_euler.tau.named"].listed
    assert isinstance(tau.right, Sum)
    assert [base.text for product in tau.right.products for base, _ in product.factors] == ["n3[3]"]  # type: ignore[union-attr]
    assert list(named_steps(Printed(made, shorts))) == []
    wrong = Printed(_with_changed_sign(made, "newton_euler.n.named"), shorts)
    assert list(named_steps(wrong)) == ["n3[1] by names"]


def test_each_printed_equation_is_held_to_something() -> None:
    """With the sign of its first equation changed, no block of a report passes."""
    made, shorts = documents("effects")[0], shorts_of("effects")
    keys = [block.key for block in made.blocks() if isinstance(block, EquationBlock) and any(map(_some, block.listed))]
    assert len(keys) > 40
    like = Printed(made, shorts)
    assert [key for key in keys if not any(false_laws([_with_changed_sign(made, key)], shorts, like))] == []


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
    if not isinstance(block, EquationBlock) or block.key != key:
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
    ("sentences", "coriolis", "Ṁ q̇ − ∂K/∂q", "Ṁ q̇ − ½ ∂K/∂q"),
    ("closing", "energy.M", "«springs: + τ^{s}»", ""),
    ("closing", "energy.M", "«friction: + τ^{f}»", ""),
    ("closing", "energy.M", "ṗ − ∂ℒ/∂q", "ṗ + ∂ℒ/∂q"),
    ("closing", "screw.M", "«armature: + M^{r}»", ""),
    ("closing", "screw.P", "P = Σ_i P_i", "P = Σ_i m_i P_i"),
    ("closing", "com_jacobian.M", "«armature: + M^{r}»", ""),
    ("closing", "com_jacobian.M", "M_{v,i} + M_{ω,i}", "M_{v,i} − M_{ω,i}"),
    ("closing", "com_jacobian.G", "Σ_i G_{c,i}", "−Σ_i G_{c,i}"),
    ("closing", "com_jacobian.christoffel", "− m_jki", "+ m_jki"),
    ("closing", "dh4x4.M", "«armature: + M^{r}»", ""),
    ("closing", "dh4x4.christoffel", "Σ_n h_nijk", "½ Σ_n h_nijk"),
    ("closing", "composite.M", "«armature: + M_ij^{r}»", ""),
    ("closing", "composite.G", "−Φ_«rates:k»", "Φ_«rates:k»"),
    ("routes", "dh4x4", "«armature: + ½ q̇ᵀ M^{r} q̇»", ""),
    ("steps", "Q", "∂A_i/∂q_j = Q_j A_i", "∂⁰T_i/∂q_j = Q_j ⁰T_i"),
    ("steps", "D_links", "U_kj J̄_k U_kiᵀ", "U_ki J̄_k U_kiᵀ"),
    ("steps", "h_links", "U_njk J̄_n U_niᵀ", "U_nij J̄_n U_nkᵀ"),
    ("steps", "dh4x4.G_links", "−m_k", "m_k"),
    ("steps", "Jv", "z_k × (p_{c,i} − o_k)", "z_k × p_{c,i}"),
    ("steps", "Jv", "J_{v,ij} = z_k$ for a prismatic", "J_{v,ij} = o_k$ for a prismatic"),
    ("steps", "Jw", "J_{ω,ij} = z_k", "J_{ω,ij} = o_k"),
    ("steps", "dp_c", "J_{v,i} q̇", "J_{ω,i} q̇"),
    ("steps", "w_base", "J_{ω,i} q̇", "J_{v,i} q̇"),
    ("steps", "I_base", "R_i ℐ_i R_iᵀ", "R_iᵀ ℐ_i R_i"),
    ("steps", "M_v", "m_i J_{v,i}ᵀ", "½ m_i J_{v,i}ᵀ"),
    ("steps", "M_w", "R_i ℐ_i R_iᵀ", "ℐ_i"),
    ("steps", "com_jacobian.G_links", "−m_i", "m_i"),
    ("steps", "m_ijk", "∂M_ij/∂q_k", "∂M_jk/∂q_i"),
    ("steps", "composite_inertia", "X_inᵀ I_n^{c} X_in", "I_n^{c}"),
    ("steps", "F_c", "X_knᵀ I_n^{c} Φ_n", "I_n^{c} Φ_n"),
    ("steps", "g_links", "R_iᵀ g_0", "R_i g_0"),
    ("steps", "W", "(0, γ_i)", "(γ_i, 0)"),
    ("steps", "M_b", "J_{b,i}ᵀ 𝒢_i", "½ J_{b,i}ᵀ 𝒢_i"),
    ("steps", "V", "V_i = J_{b,i} q̇", "V_i = J_{b,i} q̈"),
    ("steps", "V", "+ ℬ_ik q̇_k", "− ℬ_ik q̇_k"),
    ("steps", "screw.K_links", "½ V_iᵀ 𝒢_i V_i", "V_iᵀ 𝒢_i V_i"),
    ("steps", "dV", "+ ad_{V,i} ℬ_ik q̇_k", "− ad_{V,i} ℬ_ik q̇_k"),
    ("steps", "F_b", "− ad_{V,i}ᵀ", "+ ad_{V,i}ᵀ"),
    ("steps", "F_b", "«armature: − M^{r} q̈»", ""),
    ("steps", "energy.dp_c", "R_i v_{c,i}", "R_iᵀ v_{c,i}"),
    ("steps", "energy.w_base", "R_i ω_i", "ω_i"),
    ("steps", "energy.I_base", "½ ⁰ω_iᵀ ⁰ℐ_i ⁰ω_i", "½ ω_iᵀ ⁰ℐ_i ω_i"),
    ("steps", "T_rate", "U_ij q̇_j", "½ U_ij q̇_j"),
    ("steps", "dh4x4.dp_c", "⁰Ṫ_i r_{c,i}", "⁰T_i r_{c,i}"),
    ("steps", "dh4x4.K_links", "½ Σ_j", "Σ_j"),
    ("steps", "dh4x4.P_links", "−m_i", "m_i"),
    ("steps", "screw.P_links", "−m_i", "m_i"),
    ("steps", "energy.P_links", "−m_i", "m_i"),
    ("steps", "energy.w", "R_iᵀ Ṙ_i", "Ṙ_i R_iᵀ"),
    ("steps", "v_c", "R_iᵀ ṗ_{c,i}", "ṗ_{c,i}"),
    ("steps", "energy.K_links", "+ ½ ω_iᵀ ℐ_i ω_i", "+ ω_iᵀ ℐ_i ω_i"),
    ("steps", "K", "«armature: + ½ q̇ᵀ M^{r} q̇»", ""),
    ("steps", "P", "Σ_i P_i", "Σ_i K_i"),
    ("steps", "M_q", "∂M/∂q_i", "½ ∂M/∂q_i"),
    ("steps", "M_rate", "M_{q,i} q̇_i", "½ M_{q,i} q̇_i"),
    ("steps", "M_rate", "− ½ q̇ᵀ", "− q̇ᵀ"),
    ("steps", "dp", "ⅆ/ⅆt (∂ℒ/∂q̇)", "ⅆ/ⅆt (∂ℒ/∂q)"),
    ("steps", "w", "+ e_i q̇_k", "− e_i q̇_k"),
    ("steps", "v", "− ω_i × ρ_i", "+ ω_i × ρ_i"),
    ("steps", "v", "+ e_i q̇_k", "− e_i q̇_k"),
    ("steps", "dw", "+ ω_i × e_i q̇_k", ""),
    ("steps", "a", "− ω̇_i × ρ_i", "+ ω̇_i × ρ_i"),
    ("steps", "a", "+ 2 ω_i × e_i q̇_k", "+ ω_i × e_i q̇_k"),
    ("steps", "a", "p_{a,i} + R_{a,i} ρ_i", "p_{a,i} − R_{a,i} ρ_i"),
    ("steps", "a_c", "+ ω̇_i × r_{c,i}", ""),
    ("steps", "F", "m_i v̇_{c,i}", "m_i v̇_i"),
    ("steps", "N_c", "ω_i × (ℐ_i ω_i)", "ω̇_i × (ℐ_i ω_i)"),
    ("steps", "N", "+ r_{c,i} × F_i", "− r_{c,i} × F_i"),
    ("steps", "f", "Σ_n R_{a,n} f_n", "Σ_n f_n"),
    ("steps", "n", "+ p_{a,n} ×", "− p_{a,n} ×"),
    ("steps", "n_axis", "n_i − ρ_i × f_i", "n_i + ρ_i × f_i"),
    ("sentences", "law", "«springs: + τ^{s}»", ""),
    ("sentences", "coriolis", "B_{i,jk} = 2 Γ_ijk", "B_{i,jk} = Γ_ijk"),
    ("sentences", "dh", "T_z(d) T_x(a)", "T_x(d) T_z(a)"),
    ("identities", "power of the twists", "«armature: − M^{r} q̈»", ""),
]


@pytest.mark.parametrize(("catalogue", "key", "law", "false"), PLANTED)
def test_a_false_law_is_found(catalogue: str, key: str, law: str, false: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = getattr(LANGUAGES["en"], catalogue)
    told_now = sentences[key]
    changed = (
        told_now.replace(law, false) if isinstance(told_now, str) else tuple(x.replace(law, false) for x in told_now)
    )
    assert changed != told_now
    monkeypatch.setitem(sentences, key, changed)
    # the links of one arm turn about one axis, those of the other have no effects in their joints
    shorts = [shorts_of(name, (routes_of(key),)) for name in ("effects", "spatial_2r")]
    assert any(line for short in shorts for line in false_formulas(*told(short), short))


def routes_of(key: str) -> str:
    """The route whose report has a sentence."""
    route, _, step = key.rpartition(".")
    if route or step in DERIVATIONS:
        return route or step
    steps = {name: {step.name for part in parts for step in part.steps} for name, parts in DERIVATIONS.items()}
    there = (name for name, own in steps.items() if key in own and f"{name}.{key}" not in LANGUAGES["en"].steps)
    return next(there, "composite")


MOMENTS = [  # laws of arms that are described by first moments
    ("energy.K_links", "v_iᵀ (ω_i × h_i)", "½ v_iᵀ (ω_i × h_i)"),
    ("dh4x4.P_links", "−g_0ᵀ", "g_0ᵀ"),
    ("dh4x4.G_links", "−g_0ᵀ", "g_0ᵀ"),
    ("F", "ω_i × (ω_i × h_i)", "ω̇_i × (ω_i × h_i)"),
    ("N", "+ h_i × v̇_i", "− h_i × v̇_i"),
]


@pytest.mark.parametrize("route", ALL)
def test_every_law_of_an_arm_with_first_moments_holds(route: str) -> None:
    shorts = moments_of(route)
    assert list(false_laws(told(shorts, tuple(LANGUAGES)), shorts)) == []


@pytest.mark.parametrize(("key", "law", "false"), MOMENTS)
def test_a_false_law_of_first_moments_is_found(key: str, law: str, false: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES["en"].steps, key, LANGUAGES["en"].steps[key].replace(law, false))
    shorts = moments_of(routes_of(key))
    assert any(false_formulas(*told(shorts), shorts))


@cache
def moments_of(route: str) -> tuple[Textbook, ...]:
    """A short arm whose links have first moments."""
    rows = [{"theta": "q1", "d": "d", "a": "l", "alpha": "90deg"}, {"theta": "q2", "d": 0, "a": "l", "alpha": 0}]
    links = [
        {
            "mass": f"m{k}",
            "first_moment": [f"mx{k}", f"my{k}", 0],
            "inertia": {"about": "origin", "xx": f"J{k}", "yy": f"J{k}", "zz": f"J{k}"},
        }
        for k in (1, 2)
    ]
    names = ("d", "l", "g", *(f"{name}{k}" for name in ("m", "mx", "my", "J") for k in (1, 2)))
    arm = qddot.from_dh(rows, links=links, name="moments", gravity=[0, 0, "-g"], symbols={name: {} for name in names})
    return (arm.equations(route).textbook(),)


def test_only_first_moments_need_symbols_for_centres_of_mass() -> None:
    for shorts, are_needed in ((moments_of("composite"), True), (shorts_of("spatial_2r", ("composite",)), False)):
        (document,) = told(shorts)
        texts = [str(part) for block in document.blocks() if isinstance(block, Paragraph) for part in block.parts]
        assert any("described by their first moments" in text for text in texts) == are_needed


def test_a_mass_that_is_one_symbol_gets_no_other() -> None:
    (short,) = moments_of("composite")
    centres: Any = short.eq.centres
    assert (centres.masses, centres.new_masses) == ({0: "m1", 1: "m2"}, {})


@pytest.mark.parametrize("verdict", ["proved", "false"])
def test_the_section_of_proofs_says_how_many_identities_hold(verdict: str) -> None:
    (short,) = shorts_of("spatial_2r", ("composite",))
    certificate = prove(short.eq, [])
    first, *others = certificate.identities
    changed = replace(certificate, identities=(replace(first, verdict=verdict), *others))
    document = report(ReportContents((short,), changed), "en")
    texts = ["".join(map(str, block.parts)) for block in document.blocks() if isinstance(block, Paragraph)]
    every = len(changed.identities)
    said = f"All {every} identities hold." if verdict == "proved" else f"Of {every} identities, {every - 1} hold."
    assert any(said in text for text in texts)


def test_a_moment_about_the_far_end_of_a_link_is_no_torque(monkeypatch: pytest.MonkeyPatch) -> None:
    """In standard DH n is about the frame's origin, and the joint's axis passes by it."""
    named = Words.name

    def misnamed(words: Words, name: str, *at: int, inner: tuple[int, ...] = ()) -> Symbol:
        return named(words, "n" if name == "n_axis" else name, *at, inner=inner)

    monkeypatch.setattr(Words, "name", misnamed)
    shorts = shorts_of("spatial_2r", ("newton_euler",))
    lines = false_laws(told(shorts), shorts)
    assert any(line.startswith("tau2") for line in lines)


def test_both_languages_have_the_same_formulas() -> None:
    for catalogue in ("sentences", "routes", "steps", "closing", "identities"):
        ours, theirs = getattr(LANGUAGES["en"], catalogue), getattr(LANGUAGES["zh"], catalogue)
        assert any(map(_formulas, ours.values())), catalogue
        for key, sentence in ours.items():
            assert set(_formulas(sentence)) == set(_formulas(theirs[key])), key


def _formulas(sentence: str | tuple[str, ...]) -> list[str]:
    return re.findall(r"\$[^$]+\$", sentence if isinstance(sentence, str) else " ".join(sentence))


def own_symbols(short: Any) -> dict[Any, str]:
    """The printed forms of an arm's own names, with the names, except those that mean the same in every report."""
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
    """The printed forms of a formula's symbol, with numbers in the place of its indices."""
    head, below, *others = printed(name)
    letters = sorted(set(re.findall(r"[ijkn]", below.removeprefix("v").removeprefix("omega").removeprefix("b"))))
    forms = {(head, below, *others)}
    for numbers in itertools.product("123456", repeat=len(letters)):
        numbered = below
        for letter, number in zip(letters, numbers, strict=True):
            numbered = numbered.replace(letter, number)
        forms.add((head, numbered, *others))
    return forms


@pytest.mark.parametrize("name", [*SMALL, "effects", "puma560_akb"])
def test_no_symbol_of_a_document_has_two_meanings(name: str) -> None:
    """Neither an arm's own symbol and a quantity of the document, nor two quantities, are printed alike."""
    arm = qddot.loads(EFFECTS) if name == "effects" else robot(name)
    routes = LONG.get(name, ALL)
    made = documents(name, routes)[0]
    own = own_symbols(shorts_of(name, routes)[0])
    blocks = [block for block in made.blocks() if isinstance(block, EquationBlock)]
    lefts = [
        (printed(each.left), f"{block.key.removesuffix('.named').rpartition('.')[2]} {each.left.text}")
        for block in blocks
        if block.key not in ("constants", "other constants")
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


def test_a_base_parameter_in_a_sentence_is_held_to_the_torques() -> None:
    shorts = shorts_of("puma560_akb", ("composite",))
    (made,) = documents("puma560_akb", ("composite",))
    assert list(wrong_base(Printed(made, shorts))) == []
    wrong = Printed(_with_exchanged_parameters(made), shorts)
    assert any(text.startswith("β for") for text in wrong_base(wrong))


def _with_exchanged_parameters(made: Document) -> Document:
    """The document with the right sides of the first two formulas β_k = m_x exchanged."""
    sentence = next(
        block
        for block in made.blocks()
        if isinstance(block, Paragraph)
        and any(isinstance(part, Formula) and part.text.startswith("beta") for part in block.parts)
    )
    one, other = [part for part in sentence.parts if isinstance(part, Formula)][:2]
    exchanged = {
        one: one._replace(parts=(*one.parts[:2], other.parts[2])),
        other: other._replace(parts=(*other.parts[:2], one.parts[2])),
    }
    changed = sentence._replace(parts=tuple(exchanged.get(part, part) for part in sentence.parts))
    sections = tuple(
        section._replace(blocks=tuple(changed if block is sentence else block for block in section.blocks))
        for section in made.sections
    )
    return made._replace(sections=sections)
