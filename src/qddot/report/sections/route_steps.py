"""Tells the derivation of each route: its idea, its steps after their laws, and how the equations follow from them."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.forms.textbook import Textbook
from qddot.report.document import Block, Column, Columns, Section
from qddot.report.sections import joint_effects, torques_by_newton
from qddot.report.sections.blocks_of import WIDEST, equations, legend_of
from qddot.report.wording import Words

STEPS: dict[str, dict[str, tuple[str, ...]]] = {  # what each route tells, with what each step uses
    "composite": {"Phi": (), "composite_inertia": ()},
    "newton_euler": {
        "w": (),
        "dw": ("w",),
        "a": ("w", "dw"),
        "F": ("w", "dw", "a"),
        "N": ("w", "dw", "a"),
        "f": ("F",),
        "n": ("N", "f"),
        "axis": (),
        "to_axis": (),
        "n_axis": ("f", "n", "to_axis"),
    },
    "dh4x4": {
        "Q": (),
        "U": ("A", "Q"),
        "U_ijk": ("U", "Q"),
        "pseudo_inertia": (),
        "h_ikm": ("U", "U_ijk", "pseudo_inertia"),
    },
    "com_jacobian": {"Jv": ("T", "p_c"), "Jw": ("T",), "m_ijk": ("Jv", "Jw"), "b_ijk": ("m_ijk",)},
    "screw": {
        "S": ("T",),
        "M_home": ("T",),
        "exponential": ("S",),
        "B_body": ("S", "M_home"),
        "J_body": ("B_body",),
        "spatial_inertia": (),
    },
    "energy": {"K": ("T", "p_c"), "P": ("p_c",), "L": ("K", "P"), "dL_dqd": ("L",), "dL_dq": ("L",)},
}
LEADS_TO_M = {  # the steps that the mass matrix follows from
    "composite": ("Phi", "composite_inertia"),
    "newton_euler": ("tau",),
    "dh4x4": ("U", "pseudo_inertia"),
    "com_jacobian": ("Jv", "Jw"),
    "screw": ("J_body", "spatial_inertia"),
    "energy": ("dL_dqd",),
}


def section(routes: Sequence[Textbook], words: Words) -> Section:
    """Returns the steps of one route, or those of several side by side."""
    room = WIDEST if len(routes) == 1 else WIDEST / 2
    columns = tuple(Column(words.route(short.eq.route), tuple(_told(short, words, room))) for short in routes)
    blocks = [words.paragraph("same")] if len(routes) > 1 else []
    return Section("steps", words("steps"), (*joint_effects.blocks(routes[0], words), *blocks, Columns(columns)))


def _told(short: Textbook, words: Words, room: float) -> list[Block]:
    route = short.eq.route
    blocks: list[Block] = [words.idea(route)]
    for name, uses in told(short).items():
        keys = [key_of(route, other) for other in uses]
        blocks += [words.step(name), equations(short.array(name), words, key_of(route, name), keys, room)]
    if route == "newton_euler":
        keys = [key_of(route, name) for name in ("f", "n", "axis", "n_axis") if name in told(short)]
        blocks += [words.step("tau"), torques_by_newton.equations(short, words, key_of(route, "tau"), keys)]
    return [*blocks, words.closing(route), *legend_of(map(short.array, told(short)), words)]


def told(short: Textbook) -> dict[str, tuple[str, ...]]:
    """Returns the steps that are told of a route, each with what it uses."""
    steps = STEPS.get(short.eq.route, {})
    shift = () if "to_axis" not in steps or short.eq.array("to_axis") else ("to_axis", "n_axis")
    return {name: uses for name, uses in steps.items() if name in short.eq.steps and name not in shift}


def key_of(route: str, name: str) -> str:
    """Returns the key of a step's equations, or of those of a transform, which all routes share."""
    return f"{route}.{name}" if name in (*STEPS[route], *LEADS_TO_M.get(route, ())) else name
