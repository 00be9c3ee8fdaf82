"""Writes the derivation of each route as a list of steps, each with its quantity, its law and the equations it uses.

A step defines a quantity of the equations or of the route by its name; its law is the sentence of that name in the
catalogues. The steps that lead to M have their own section; later ones are among the equations of motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Block, Column, Columns, EquationBlock, Section
from qddot.papers.report.levels import EXAMPLE, WHOLE, Extent
from qddot.papers.report.sections import in_names, inward_step, joint_effects, torques_by_newton
from qddot.papers.report.sections.blocks_of import WIDEST, constants, equations, is_written
from qddot.papers.report.wording import Words


class Step(NamedTuple):
    """This is a step of a derivation. name: the quantity that it defines; uses: those from which it follows"""

    name: str
    uses: tuple[str, ...] = ()


class Stretch(NamedTuple):
    """This is a stretch of a derivation: the steps that lead to a quantity that all routes have in common."""

    steps: tuple[Step, ...]
    result: Step


def _stretch(text: str) -> Stretch:
    """Returns the stretch of a text: steps, each with those that it uses, of which the last one gives the result."""
    parts = (part.partition(":") for part in text.split(","))
    *steps, result = (Step(name.strip(), tuple(uses.split())) for name, _, uses in parts)
    return Stretch(tuple(steps), result)


BY_SLOPES = "m_ijk: M, christoffel: m_ijk"
TEXTS = {
    "composite": (
        "Phi, composite_inertia, F_c: Phi composite_inertia, M: Phi F_c",
        BY_SLOPES,
        "g_links: T, W: composite_inertia g_links, G: Phi W",
    ),
    "newton_euler": (
        "axis, to_axis, w: A axis, v: A axis w, dw: A axis w, a: A w dw, a_c: w dw a, F: a a_c, N_c: w dw, "
        "N: N_c F, f: A F, n: A N f, n_axis: to_axis f n, tau, M: tau",
        "christoffel: M",
        "G: tau",
    ),
    "dh4x4": (
        "Q, U: A T Q, T_rate: U, dp_c: T_rate, pseudo_inertia, K_links: U pseudo_inertia, P_links: T, K: K_links, "
        "P: P_links, L: K P, D_links: U pseudo_inertia, M: D_links",
        "U_ijk: A T Q, h_links: U U_ijk pseudo_inertia, christoffel: h_links",
        "G_links: U, G: G_links",
    ),
    "com_jacobian": (
        "T_c: T p_c, z: T, o: T, Jv: p_c z o, Jw: z, dp_c: Jv, w_base: Jw, I_base: T, M_v: Jv, M_w: T Jw, M: M_v M_w",
        BY_SLOPES,
        "G_links: Jv, G: G_links",
    ),
    "screw": (
        "S, M_home, exponential: S, B_body: S M_home, J_body: exponential B_body, V: J_body, spatial_inertia, "
        "K_links: V spatial_inertia, K: K_links, ad_V: V, dV: B_body V ad_V, F_b: V dV ad_V spatial_inertia, "
        "M_b: J_body spatial_inertia, M: M_b",
        BY_SLOPES,
        "P_links: p_c, P: P_links",
    ),
    "energy": (
        "w: T, v: T, v_c: T p_c, K_links: w v v_c, dp_c: T v_c, w_base: T w, I_base: T, P_links: p_c, "
        "K: K_links, P: P_links, L: K P, dL_dqd: L, dp: dL_dqd, dL_dq: L, eta: dL_dqd, M: dp",
        "M_q: M, M_rate: M_q, christoffel: M",
        "G: energy.P",
    ),
}
DERIVATIONS = {route: tuple(map(_stretch, texts)) for route, texts in TEXTS.items()}
# the steps that lead from link to link
OUTWARD = ("newton_euler.w", "newton_euler.v", "newton_euler.dw", "newton_euler.a", "screw.V", "screw.dV")
BY_MOMENTS = {"F": ("w", "dw", "a"), "N": ("w", "dw", "a")}  # quantities of first moments in Newton's and Euler's laws


def section(routes: Sequence[Textbook], words: Words, extent: Extent = WHOLE) -> Section:
    """Returns the steps of one route that lead to M, or all steps of several routes side by side."""
    effects = joint_effects.blocks(routes[0], words)
    same = [words.paragraph("same")] if len(routes) > 1 else []
    columns = tuple(
        Column(words.route(short.eq.route), tuple(_of_route(short, len(routes), words, extent))) for short in routes
    )
    explained = constants(routes[0], words, [*effects, Columns(columns)])
    return Section("steps", words("steps"), (*effects, *explained, *same, Columns(columns)))


def _of_route(short: Textbook, routes: int, words: Words, extent: Extent) -> list[Block]:
    """Returns one of several routes in full, or for a single route its idea and the steps that lead to M."""
    if routes > 1:
        return whole(short, words, WIDEST / 2, extent)
    excerpt = [words.paragraph("excerpt", n=str(len(short.eq.model.moving())))] if extent.excerpt else []
    parts = parts_of(short)[:1]
    told_steps = [block for part in parts for block in steps(short, part.steps, words, WIDEST, extent)]
    return [words.idea(short.eq.route), *excerpt, *told_steps]


def whole(short: Textbook, words: Words, room: float = WIDEST, extent: Extent = WHOLE) -> list[Block]:
    """Returns the idea of a route, all of its steps, and how M, Γ and G follow from them."""
    route = short.eq.route
    blocks: list[Block] = [words.idea(route)]
    for part in parts_of(short):
        blocks += [*steps(short, part.steps, words, room, extent), *words.closing(route, part.result.name)]
    return blocks


def steps(
    short: Textbook, listed: Iterable[Step], words: Words, room: float = WIDEST, extent: Extent = WHOLE
) -> list[Block]:
    """Returns the law and the value of each step. room: letters of a row"""
    route = short.eq.route
    blocks: list[Block] = []
    for step in listed:
        keys = keys_of(short, step)
        there = {block.key for block in blocks if isinstance(block, EquationBlock)}
        keys += [named for key in keys if key not in there and (named := f"{key}.{inward_step.NAMED}") in there]
        blocks.append(words.step(step.name, route))
        if step.name == "tau":
            blocks.append(torques_by_newton.equations(short, words, key_of(route, "tau"), keys))
            blocks += _for_example(short, words, keys, extent)
        else:
            shown = extent_of(short, key_of(route, step.name), extent)
            laws = in_names.equations(short, step.name, words, key_of(route, step.name), keys, shown)
            blocks += [*laws, words.paragraph("multiplied out")] if laws else []
            blocks += equations(short.array(step.name), words, key_of(route, step.name), keys, room, shown)
            blocks += _in_components(short, step.name, words, keys, extent)
    return blocks


def extent_of(short: Textbook, key: str, extent: Extent) -> Extent:
    """Returns which links are shown of a step: of an outward step also the link from which the example follows."""
    if (
        not extent.excerpt
        or key not in OUTWARD
        or (before := short.eq.dynamics.mechanism.links[EXAMPLE].parent) is None
    ):
        return extent
    return extent._replace(links=(before, EXAMPLE))


def _for_example(short: Textbook, words: Words, keys: Sequence[str], extent: Extent) -> list[Block]:
    """Returns the torque of the joint of the link that an excerpt shows, if the joint has one velocity of its own."""
    if not extent.excerpt or len(short.eq.dynamics.mechanism.links[EXAMPLE].places) != 1:
        return []
    said = words.paragraph("axis put in", axis=words.name("axis", EXAMPLE))
    return [said, inward_step.projection(short, words, EXAMPLE, keys)]


def _in_components(short: Textbook, name: str, words: Words, keys: Sequence[str], extent: Extent) -> list[Block]:
    """Returns an inward step by the names of its parts, if their values are too long to be shown."""
    array = short.array(name)
    places = extent.places(array)
    if short.eq.route != "newton_euler" or name not in inward_step.OWN or is_written(array, places, extent):
        return []
    links = sorted({place[0] for place in places or array.places if array[place[0]]})  # a slider has no moment about ρ
    if not links:
        return []
    return [words.paragraph("in components"), inward_step.equations(short, words, name, links, keys)]


def parts_of(short: Textbook) -> list[Stretch]:
    """Returns the parts of a route's derivation with the steps that its arm has."""
    axes_apart = "to_axis" in short.eq.steps and bool(short.eq.array("to_axis"))
    missing = () if axes_apart else ("to_axis", "n_axis")
    there = {*short.eq.steps, "tau"} - {*missing}
    central = "N_c" in there
    return [
        part._replace(
            steps=tuple(
                _of_moments(step, central) if step.name != "tau" else Step("tau", torques_by_newton.uses(short))
                for step in part.steps
                if step.name in there
            )
        )
        for part in DERIVATIONS.get(short.eq.route, ())
    ]


def _of_moments(step: Step, central: bool) -> Step:
    """Returns a step; where an arm has first moments, its forces follow from the accelerations of frames."""
    return step if central else step._replace(uses=BY_MOMENTS.get(step.name, step.uses))


def part_to(short: Textbook, name: str) -> Stretch:
    """Returns the part of a route that leads to a quantity; one without steps if the route has none."""
    nothing = Stretch((), Step(name))
    return next((part for part in parts_of(short) if part.result.name == name), nothing)


def keys_of(short: Textbook, step: Step) -> list[str]:
    """Returns the keys of the equations that a step uses."""
    there = set(quantities_of_steps(short)) | {"tau"}
    own = {step.name for part in DERIVATIONS.get(short.eq.route, ()) for step in part.steps}
    names = (name for name in step.uses if name in there or name not in own)
    return [name if "." in name else key_of(short.eq.route, name) for name in names]


def quantities_of_steps(short: Textbook) -> list[str]:
    """Returns the quantities that the steps of a route define, except Newton–Euler's torques, which have no array."""
    return [step.name for part in parts_of(short) for step in part.steps if step.name != "tau"]


def key_of(route: str, name: str) -> str:
    """Returns the key of a step's equations, or of those of a quantity that all routes share."""
    own = {step.name for part in DERIVATIONS.get(route, ()) for step in part.steps}
    return f"{route}.{name}" if name in own else name
