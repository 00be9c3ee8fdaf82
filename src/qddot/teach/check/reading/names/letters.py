"""Lists the quantities that a letter may mean: books print D, H or M for the mass matrix, and V, h or C for h."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from qddot.base.words.message import say
from qddot.teach.check.reading.names.left_sides import Left

# for errors
QUANTITIES = say("quantities-of-answers")
CALLED = {
    "M": say("quantity-mass-matrix"),
    "christoffel": say("quantity-christoffel-symbols"),
    "C": say("quantity-coriolis-matrix"),
    "C2": say("quantity-centrifugal-matrix"),
    "B": say("quantity-factors-of-products"),
    "h": say("quantity-velocity-torques"),
    "G": say("quantity-gravity-torques"),
    "minus_G": say("quantity-torques-of-gravity"),
    "bias": say("quantity-torques-without-accelerations"),
    "products": say("quantity-torques-of-products"),
    "squares": say("quantity-torques-of-squares"),
    "tau": say("quantity-joint-torques"),
    "K": say("quantity-kinetic-energy"),
    "P": say("quantity-potential-energy"),
    "L": say("quantity-lagrangian"),
    "E": say("quantity-total-energy"),
    "K_links": say("quantity-kinetic-energy-of-link"),
    "P_links": say("quantity-potential-energy-of-link"),
    "T": say("quantity-pose-of-link"),
    "T_tool": say("quantity-pose-of-tool"),
    "J": say("quantity-jacobian-of-link"),
    "J_tool": say("quantity-jacobian-of-tool"),
    "J_c": say("quantity-jacobian-of-centre"),
    "p_c": say("quantity-centre-of-mass"),
    "T_c": say("quantity-pose-of-centre"),
    "pseudo_inertia": say("quantity-pseudo-inertia"),
    "U": say("quantity-derivatives-of-pose"),
    "U_ijk": say("quantity-second-derivatives-of-pose"),
    "springs": say("quantity-torques-of-springs"),
    "friction": say("quantity-friction"),
    "R": say("quantity-matrix-r"),
    "A": say("quantity-matrix-a"),
    "phi": say("quantity-conditions-of-loops"),
}


class Candidate(NamedTuple):
    """A candidate is a quantity that a letter may mean.

    counts: the numbers of indices that the letter may have; sure: whether it is the project's own name
    has, lacks: kinds of variables that must, and must not, occur in its entries, to exclude other meanings: "r" rates,
    "s" squares or products of rates, "a" accelerations or drives, "g" gravity
    order: which of its indices are written first, second and third, if that is another order
    """

    quantity: str
    counts: tuple[int, ...]
    sure: bool = True
    has: str = ""
    lacks: str = ""
    order: tuple[int, ...] = ()


def _guess(quantity: str, *counts: int, has: str = "", lacks: str = "") -> Candidate:
    return Candidate(quantity, counts, False, has, lacks)


BIAS = (_guess("h", 0, 1, has="r", lacks="ag"), _guess("bias", 0, 1, has="rg", lacks="a"))
TORQUE = _guess("tau", 0, 1, has="a")
KINETIC = (_guess("K", 0, has="r", lacks="ag"), Candidate("K_links", (1,), has="r", lacks="ag"))
POTENTIAL = (_guess("P", 0, lacks="ra"), Candidate("P_links", (1,), lacks="ra"))
LETTERS: dict[str, tuple[Candidate, ...]] = {
    "M": (Candidate("M", (0, 2)), _guess("tau", 1, has="a")),
    "D": (_guess("M", 0, 2), _guess("G", 1, lacks="ra"), _guess("christoffel", 3)),
    "H": (
        _guess("M", 0, 2, lacks="r"),
        _guess("E", 0, has="r", lacks="a"),
        _guess("h", 1, has="s", lacks="ag"),
        _guess("bias", 1, has="sg", lacks="a"),
    ),
    **dict.fromkeys(("m", "d", "a"), (_guess("M", 2),)),
    "A": (_guess("M", 0, 2), Candidate("A", (1, 3))),
    "christoffel": (Candidate("christoffel", (0, 3)),),
    "Gamma": (Candidate("christoffel", (0, 3), lacks="ra"), _guess("tau", 0, 1)),
    "C": (
        Candidate("C", (0, 2)),
        _guess("C2", 0, 2, lacks="r"),
        _guess("christoffel", 3),
        *BIAS,
        _guess("G", 0, 1, lacks="r"),
    ),
    "c": (
        _guess("christoffel", 3),
        _guess("C", 2, has="r"),
        _guess("C2", 2, lacks="r"),
        *BIAS,
        _guess("G", 1, has="g", lacks="ra"),
    ),
    "C2": (Candidate("C2", (0, 2)),),
    "B": (Candidate("B", (0, 1, 2, 3)), _guess("M", 0, 2, lacks="r")),
    "b": (_guess("christoffel", 3), _guess("M", 2), *BIAS),
    "h": (Candidate("h", (0, 1)), BIAS[1], _guess("christoffel", 3), _guess("M", 2, lacks="rag")),
    "V": (*BIAS, *POTENTIAL),
    "Vm": (_guess("C", 2), _guess("C", 0, has="r")),
    "v": (BIAS[0],),
    "G": (Candidate("G", (0, 1)),),
    "N": (_guess("G", 0, 1, lacks="ra"), BIAS[1]._replace(has="r"), BIAS[0]),
    "n": (_guess("G", 0, 1, lacks="ra"), BIAS[1]._replace(has="r"), BIAS[0], _guess("tau", 1, has="a")),
    **dict.fromkeys(("g", "phi", "Phi", "gamma", "e"), (_guess("G", 0, 1, lacks="r"),)),
    **dict.fromkeys(
        ("grav", "Grav", "gravity", "Gravity", "Gvec", "gvec", "Gq", "gq"), (_guess("G", 0, 1, lacks="r"),)
    ),
    **dict.fromkeys(("coriolis", "Coriolis", "Cor"), (_guess("C", 0, 2), _guess("h", 0, 1))),
    "tau": (Candidate("tau", (0, 1)),),
    "Q": (_guess("tau", 0, 1, has="a"), _guess("G", 0, 1, lacks="ra")),
    **dict.fromkeys(("F", "f"), (TORQUE,)),
    "u": (TORQUE, *POTENTIAL),
    "K": (Candidate("K", (0,)), KINETIC[1]),
    "k": KINETIC,
    **dict.fromkeys(("Mass", "mass", "Inertia", "massmatrix", "MassMatrix"), (_guess("M", 0, 2),)),
    **dict.fromkeys(("Ek", "KE", "EK", "Ekin", "Wk", "Tkin"), KINETIC),
    "P": (Candidate("P", (0,)), POTENTIAL[1]),
    **dict.fromkeys(("Ep", "PE", "EP", "Epot", "Wp", "Vpot"), POTENTIAL),
    "E": (_guess("E", 0, has="r", lacks="a"), KINETIC[0]),
    **dict.fromkeys(("L", "ℒ", "Lagrangian"), (Candidate("L", (0,)),)),
    "U": (*POTENTIAL, Candidate("U", (2,)), Candidate("U_ijk", (3, 5))),
    "Uijk": (Candidate("U_ijk", (0, 3, 5)),),
    "T": (Candidate("T", (0, 1, 3)), _guess("T_tool", 0), *KINETIC, TORQUE),
    **dict.fromkeys(("Ttool", "Te", "TE"), (Candidate("T_tool", (0, 2)),)),
    "J": (Candidate("J", (0, 1, 3)), _guess("J_tool", 0, 2)),
    "Jtool": (Candidate("J_tool", (0, 2)),),
    **dict.fromkeys(("Je", "JE", "Jq"), (_guess("J_tool", 0, 2),)),
    **dict.fromkeys(("Jv", "Jw"), (_guess("J_tool", 0, 2), _guess("J_c", 1))),
    "Jc": (Candidate("J_c", (0, 1, 3)),),
    **dict.fromkeys(("Jvc", "Jvcm", "JP", "JG", "JC", "JS"), (_guess("J_c", 1),)),
    **dict.fromkeys(("pc", "pC"), (Candidate("p_c", (0, 1, 2)),)),
    **dict.fromkeys(("minusG", "taug"), (_guess("minus_G", 0, 1),)),
    "Tc": (_guess("T_c", 1, 3),),
    "pseudo_inertia": (Candidate("pseudo_inertia", (0, 1, 3)),),
    "products": (_guess("products", 0),),
    "squares": (_guess("squares", 0),),
    "springs": (Candidate("springs", (0, 1)),),
    "friction": (Candidate("friction", (0, 1)),),
    "R of loops": (Candidate("R", (0, 2)),),
    "A of loops": (Candidate("A", (0, 2)),),
    "phi of loops": (Candidate("phi", (0, 1)),),
}
OF_LOOPS = {"R": "R of loops", "A": "A of loops", "phi": "phi of loops"}  # letters that mean these in closed chains


LONGER = re.compile(
    r"(?P<letter>[MDHBChVGgNncbKPLTUEJ]|tau)(?:mat|matrix|vec|vector|q|qd|qdot|theta|th|fun|func|sym|expr|tot|total|all|"
    r"ges|out|num|f|s|_)|(?P<doubled>[MDHCGKPLTUV])(?P=doubled)"
)
OF_TURNING = r"j(?:w|o|omega|om|ang|rot|r)"  # names of the rows of a Jacobian for the angular velocity
WORDS = (
    (r"(?:mass|inertia)(?:mat|matrix|_?m)?|massenmatrix", "mass"),
    (r"cor|corio|coriolis(?:mat|matrix|terms?)?|centrifugal|velocityterms", "coriolis"),
    (r"grav(?:ity)?(?:vec|vector|terms?|torques?)?|gvec|gravitation", "grav"),
    (r"bias(?:forces?|torques?)?|nle|nonlin(?:ear)?(?:effects)?|hvec", "N"),
    (r"torques?|tau(?:s|vec|id|out)|tauu?joint|inversedynamics|rnea", "tau"),
    (r"kin|ekin|kinetic(?:energy)?|tkin|kine|kinet", "Ek"),
    (r"(?-i:[VUP])g(?:rav)?|pot|epot|potential(?:energy)?|vpot|upot|pote", "Ep"),
    (r"lag|lagr|lagrange?|lagrangian|lgr", "Lagrangian"),
    (r"jac|jacobian|jaco|j(?:tip|ee|tcp|end|tool|a|g|p|pos|full|0)", "Je"),
    (OF_TURNING, "Jw"),
    (r"j(?:v|lin)", "Jv"),
)
KEPT = 1_000  # most names whose meanings are cached
COLUMNS = ("h", "G", "N", "n", "g", "V", "c", "b", "phi", "tau", "Gamma", "Q", "u", "springs", "friction")


def candidates(left: Left) -> list[Candidate]:
    """Returns the possible meanings of a left side, by its letters and the number of its indices."""
    meanings = LETTERS.get(left.head) or _by_another_name(left.head)
    if is_centrifugal(left):
        return [*(each for each in meanings if 1 in each.counts and not left.cell), *LETTERS["C2"]]
    counts = {len(indices_of(left))}
    counts |= {len(left.indices)} if left.indices and left.cell else set()
    counts |= {1} if is_in_column(left) and left.head in COLUMNS else set()
    return [each for each in meanings if counts & set(each.counts)]


@lru_cache(KEPT)
def _by_another_name(head: str) -> tuple[Candidate, ...]:
    """Returns the possible meanings of a longer name: CC, Cmat, coriolis_term, Ttot."""
    match = LONGER.fullmatch(head)
    letter = match["letter"] or match["doubled"] if match else ""
    letter = letter or next((to for how, to in WORDS if re.fullmatch(how, head, re.IGNORECASE)), "")
    return tuple(each._replace(sure=False) for each in LETTERS.get(letter, ()))


def is_in_column(left: Left) -> bool:
    """Returns whether G(2,1) may be the second entry of a column."""
    return not left.indices and len(left.cell) == 2 and left.cell[1] == (0 if left.doubled else 1)


def is_centrifugal(left: Left) -> bool:
    """Returns whether C2 may be the name of the matrix, rather than the second entry of C."""
    return left.text.startswith("C2") and left.head == "C" and left.indices == (2,)


def is_of_base(left: Left) -> bool:
    """Returns whether a name has the index of the base, as the vector g_0 of gravity has, and is not an entry."""
    return 0 in left.indices and not is_sure(left)


def is_sure(left: Left) -> bool:
    """Returns whether a left side has the project's own name of a quantity."""
    return any(each.sure for each in candidates(left))


def indices_of(left: Left) -> tuple[int, ...]:
    """Returns the indices of a name, or the numbers in brackets after it."""
    indices = left.indices or left.cell
    if left.head == "T" and 0 in indices and len(indices) == 2:  # T02 or T20 is the pose of frame 2 in the base
        return tuple(k for k in indices if k) or (0,)
    return indices


def is_of_turning(left: Left) -> bool:
    """Returns whether a left side names the rows of a Jacobian for the angular velocity, as J_ω does."""
    return left.head == "Jw" or re.fullmatch(OF_TURNING, left.head, re.IGNORECASE) is not None
