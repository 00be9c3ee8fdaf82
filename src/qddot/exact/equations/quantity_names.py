"""Says how quantities and their entries are named: M12, ⁰T₂, U_11, J̄_1, h_112, ∂L/∂q̇_1."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from qddot.exact.printing.notation import rate, symbol
from qddot.exact.printing.tree import UNNAMED, Partial, Symbol


class Style(NamedTuple):
    """This is how a quantity's name is typeset; axes: how many of its last axes form a matrix or a column."""

    text: str
    head: str
    axes: int = 0
    above: str = ""
    below: str = ""
    frame: str = ""
    dots: int = 0
    bar: bool = False


def _of_link(text: str, head: str, **how: object) -> Style:
    return Style(text, head, axes=2, **how)  # type: ignore[arg-type]


STYLES = {
    "christoffel": Style("Γ", "Gamma"),
    "C2": Style("C2", "C", above="(2)"),
    "M_r": Style("M_r", "M", above="r"),
    "M_rate": Style("Md", "M", dots=1),
    "P_s": Style("P_s", "P", above="s"),
    "tau": Style("tau", "tau"),
    "tau_bodies": Style("tau_bodies", "tau", above="b"),
    "springs": Style("springs", "tau", above="s"),
    "friction": Style("friction", "tau", above="f"),
    "A": _of_link("A", "A"),
    "T": _of_link("T", "T", frame="0"),
    "T_tool": _of_link("T_tool", "T", below="tool", frame="0"),
    "p_c": Style("p_c", "p", axes=1, below="c"),
    "J": _of_link("J", "J"),
    "J_c": _of_link("J_c", "J", below="c"),
    "J_tool": _of_link("J_tool", "J", below="tool"),
    "Q": _of_link("Q", "Q"),
    "U": _of_link("U", "U"),
    "U_ijk": _of_link("U", "U"),
    "pseudo_inertia": _of_link("Jbar", "J", bar=True),
    "h_ikm": Style("h", "h"),
    "D_links": _of_link("D", "D"),
    "h_links": Style("h", "h"),
    "G_links": Style("G_c", "G", axes=1, below="c"),
    "z": Style("z", "z", axes=1),
    "o": Style("o", "o", axes=1),
    "Jv": _of_link("Jv", "J", below="v"),
    "Jw": _of_link("Jw", "J", below="omega"),
    "M_v": _of_link("M_v", "M", below="v"),
    "M_w": _of_link("M_w", "M", below="omega"),
    "m_ijk": Style("m", "m"),
    "b_ijk": Style("b", "b"),
    "Phi": Style("Phi", "Phi", axes=1),
    "S": Style("S", "𝒮", axes=1),
    "M_home": _of_link("M_home", "H"),
    "exponential": _of_link("E", "ℰ"),
    "B_body": Style("B_body", "ℬ", axes=1),
    "J_body": _of_link("J_body", "J", below="b"),
    "M_b": _of_link("M_b", "M", below="b"),
    "spatial_inertia": _of_link("spatial_inertia", "𝒢"),
    "composite_inertia": _of_link("composite_inertia", "I", above="c"),
    "F_c": Style("F_c", "F", axes=1, above="c"),
    "g_links": Style("gamma", "gamma", axes=1),
    "W": Style("W", "W", axes=1),
    "K_links": Style("K", "K"),
    "P_links": Style("P", "P"),
    "dp": Style("dp", "p", dots=1),
    "v": Style("v", "v", axes=1),
    "v_c": Style("v_c", "v", axes=1, below="c"),
    "a_c": Style("a_c", "v", axes=1, below="c", dots=1),
    "N_c": Style("N_c", "N", axes=1, below="c"),
    "w": Style("w", "omega", axes=1),
    "dw": Style("dw", "omega", axes=1, dots=1),
    "a": Style("a", "v", axes=1, dots=1),
    "F": Style("F", "F", axes=1),
    "N": Style("N", "N", axes=1),
    "f": Style("f", "f", axes=1),
    "n": Style("n", "n", axes=1),
    "axis": Style("axis", "e", axes=1),
    "to_axis": Style("to_axis", "rho", axes=1),
    "n_axis": Style("n_axis", "n", axes=1, above="e"),
    "L": Style("L", "ℒ"),
    "eta": Style("eta", "eta"),
}
LAGRANGIAN = Symbol("L", "ℒ")


def letter_of(name: str) -> str:
    """Returns the name of a quantity in a text: its own, or Γ for the Christoffel symbols."""
    return STYLES[name].text if name == "christoffel" else name


def matrix_axes(name: str) -> int:
    """Returns how many of the last axes of a quantity are written as one matrix or column."""
    return STYLES[name].axes if name in STYLES else 0


def name_of(
    name: str,
    place: Sequence[int] = (),
    coordinates: Sequence[str] = (),
    inner: Sequence[int] = (),
    quasi: Collection[str] = (),
) -> Symbol | Partial:
    """Returns the name of a quantity, or of one of its entries; places count from 0, and indices from 1.

    coordinates: the model's, for the denominators of the derivatives dL_dqd and dL_dq of the Lagrangian
    quasi: those that are quasi-velocities ν_i; the derivative along the field of ν_i is written as ∂/∂π_i
    inner: the row and the column within an entry that is a matrix
    """
    if name in ("dL_dqd", "dL_dq") and place:
        q = coordinates[place[0]]
        if q in quasi:
            index = str(place[0] + 1)
            return Partial(LAGRANGIAN, rate(q, 0) if name == "dL_dqd" else Symbol(f"pi_{index}", "pi", index))
        return Partial(LAGRANGIAN, rate(q) if name == "dL_dqd" else symbol(q))
    if not name:
        return Symbol(str(tuple(place)), str(tuple(place))) if place else UNNAMED
    style = STYLES.get(name) or _plain(name)
    numbers = indices(place)
    apart = "_" if style.text[-1].isdigit() and numbers[:1].isdigit() else ""  # C2_12, not C212
    index = style.below + subscript(place)
    if inner:
        cell = [str(k + 1) for k in inner]
        numbers += f"[{','.join(cell)}]"
        index = f"{index},{subscript(inner)}".strip(",")
    return Symbol(style.text + apart + numbers, style.head, index, style.above, style.frame, style.dots, style.bar)


def general_name(name: str, indices: str) -> Symbol:
    """Returns the name of all entries of a quantity, with letters for their indices: m_ijk."""
    style = STYLES.get(name) or _plain(name)
    index = f"{style.below},{indices}".strip(",")
    return Symbol(f"{style.text}_{indices}", style.head, index, style.above, style.frame, style.dots, style.bar)


def _plain(name: str) -> Style:
    head = symbol(name)
    return Style(name, head.head, below=head.below)


def indices(place: Sequence[int]) -> str:
    """Returns a place's subscripts, which count from 1: 12 for the place (0, 1), _1_10 if one has two digits."""
    numbers = [str(int(k) + 1) for k in place]
    return "".join(numbers) if all(len(k) == 1 for k in numbers) else "_" + "_".join(numbers)


def subscript(place: Sequence[int]) -> str:
    """Returns a place as it is typeset: 12 for the place (0, 1), 1,10 if one has two digits."""
    return indices(place).replace("_", ",").strip(",")
