"""Makes the sections of a report from an arm's equations: each function is one section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qddot.equations import displayed
from qddot.equations.array import ExactArray
from qddot.equations.certificate import PROVED, Certificate
from qddot.equations.quantities import JOINT_PARTS
from qddot.errors import QddotError
from qddot.forms.textbook import Textbook
from qddot.model.bodies import Symbol
from qddot.numbers.at_state import generator_values, value_of
from qddot.printing import legend
from qddot.printing.notation import symbol
from qddot.printing.quantity_names import name_of
from qddot.report.document import Block, Equations, Figure, Inline, Paragraph, Picture, Section, Table
from qddot.report.languages.english import STEPS
from qddot.report.wording import Words

STATE = ("M", "h", "G", "tau")  # what is computed in one state
DIGITS = 6  # of the numbers in a table
METHODS = {  # where each route is described
    "composite": "R. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 6",
    "newton_euler": "J. Y. S. Luh, M. W. Walker, R. P. C. Paul, On-line computational scheme for manipulators, 1980",
    "dh4x4": "R. P. Paul, Robot Manipulators, 1981, ch. 6",
    "com_jacobian": "O. Khatib, Introduction to Robotics, CS223A, 2008, ch. 4",
    "screw": "R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, §4.3",
    "energy": "H. Goldstein, Classical Mechanics, 1980, ch. 1",
}


SHOWN = ("T", "p_c", "M", "christoffel", "G", "P", *JOINT_PARTS)  # from which all else that is shown is put together


def check(short: Textbook) -> None:
    """Raises QddotError where a short form that a report shows is not equal to the normal form."""
    wrong = [name for name in (*SHOWN, "T_tool", *_told(short)) if not short.proved(name)]
    if wrong:
        raise QddotError(f"the short form of {', '.join(wrong)} is not equal to the normal form")


def robot(short: Textbook, words: Words, picture: Picture | None) -> Section:
    """Returns what the robot is: its picture, coordinates, gravity, and the symbols with meaning, unit and value."""
    model = short.eq.model
    told = {
        "k": "k",
        "n": str(model.n),
        "q": ", ".join(model.coordinates),
        "gravity": ", ".join(str(part) for part in model.gravity),
    }
    blocks: list[Block] = [Figure(picture, words("picture"), given=True)] if picture else []
    blocks += [words.paragraph(key, **told) for key in ("frames", "gravity", "assumptions")]
    if model.symbols:
        titles = tuple(words(key) for key in ("symbol", "meaning", "unit", "value"))
        blocks.append(
            Table(titles, tuple(_symbol_row(name, known) for name, known in model.symbols.items()), given=True)
        )
    return Section("robot", words("robot"), tuple(blocks))


def _symbol_row(name: str, known: Symbol) -> tuple[Inline, ...]:
    number = _number(known.value.value({})) if known.value is not None else ""
    return symbol(name), known.meaning, re.sub(r"\^([23])", _raised, known.unit), number


def _raised(power: re.Match[str]) -> str:
    return {"2": "²", "3": "³"}[power[1]]


def transforms(short: Textbook, words: Words) -> Section:
    """Returns the poses of the links and of the tool, and the centres of mass."""
    chosen = (("poses", "T"), ("tool", "T_tool"), ("centres", "p_c"))
    blocks: list[Block] = []
    for sentence, name in chosen:
        blocks += [words.paragraph(sentence), _equations(short.array(name))]
    return Section("transforms", words("transforms"), (*blocks, *_legend(short, [name for _, name in chosen], words)))


def steps(short: Textbook, words: Words) -> Section:
    """Returns the route's own intermediate results, in its order, each after its law."""
    names, blocks = _told(short), list[Block]()
    for name in names:
        blocks += [words.step(short.eq.route, name), _equations(short.array(name))]
    title = words("steps", route=short.eq.route)
    return Section("steps", title, (*blocks, *_legend(short, names, words)))


def _told(short: Textbook) -> list[str]:
    return [name for name in short.eq.steps if name in STEPS]


def equations(short: Textbook, words: Words) -> Section:
    """Returns M, Γ, the velocity terms, gravity, the energies and the torques, with the constants that occur."""
    law = {name: name_of(name) for name in ("tau", "M", "C", "G")}
    blocks: list[Block] = [words.paragraph("law", **law)]
    told = (("mass", "M"), ("christoffel", "christoffel"), ("coriolis", "h"), ("weights", "G"))
    for sentence, name in told:
        blocks += [words.paragraph(sentence), _equations(short.array(name))]
    blocks += [_equations(short.array(name)) for name in JOINT_PARTS if short.array(name)]
    blocks += [words.paragraph("energies"), *(_equations(short.array(name)) for name in ("K", "P"))]
    blocks += [words.paragraph("scalar"), _equations(short.tau)]
    if short.constants:
        blocks += [words.paragraph("constants"), Equations.of("constants", short.definitions())]
    names = [*(name for _, name in told), "tau", "P"]
    return Section("equations", words("equations"), (*blocks, *_legend(short, names, words)))


def proof(certificate: Certificate, words: Words) -> Section:
    """Returns the identities of a certificate with their verdicts."""
    held = sum(identity.verdict == PROVED for identity in certificate.identities)
    told = words.paragraph("proved", held=str(held), all=str(len(certificate.identities)))
    rows = tuple((each.name, each.law, each.verdict) for each in certificate.identities)
    return Section("proof", words("proof"), (told, Table(tuple(map(words, ("identity", "what", "verdict"))), rows)))


def worked_state(coordinates: Sequence[str]) -> tuple[dict[str, float], ...]:
    """Returns q, q̇ and q̈ of the state that is worked in numbers."""
    sizes = (0.2, 0.1, 0.05)
    return tuple({name: (-1) ** k * (k + 2) * size for k, name in enumerate(coordinates)} for size in sizes)


def state(short: Textbook, words: Words) -> Section:
    """Returns q, q̇, q̈ and what the equations give there, from the exact entries and the symbols' values."""
    eq, coordinates = short.eq, short.eq.model.coordinates
    missing = [name for name in eq.ring.symbols if name not in eq.model.defaults() and name != "pi"]
    if missing:
        return Section("state", words("state"), (words.paragraph("no values", names=", ".join(missing)),))
    q, qd, qdd = worked_state(coordinates)
    known = generator_values(eq.ring, q, qd, qdd, eq.model.defaults())
    found = {name: [_number(value_of(entry, known)) for entry in eq.array(name).entries] for name in STATE}
    columns = [[_number(row[name]) for name in coordinates] for row in (q, qd, qdd)]
    columns += [found[name] for name in ("h", "G", "tau")]
    rows = zip((str(k + 1) for k in range(eq.n)), *columns, strict=True)
    torques = Table((words("joint"), "q", "q̇", "q̈", "C q̇", "G", "τ"), tuple(rows))
    M = tuple(tuple(found["M"][k : k + eq.n]) for k in range(0, eq.n * eq.n, eq.n))
    return Section("state", words("state"), (words.paragraph("worked"), torques, Table(("M", *[""] * (eq.n - 1)), M)))


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def sources(short: Textbook, words: Words) -> Section:
    """Returns where the method and the robot are described."""
    blocks = [Paragraph((METHODS[short.eq.route],))] if short.eq.route in METHODS else []
    if short.eq.model.source:
        blocks.append(words.paragraph("robot source", source=short.eq.model.source))
    return Section("sources", words("sources"), tuple(blocks))


def _equations(array: ExactArray) -> Equations:
    return Equations.of(array.name, displayed.listed_equations(array))


def _legend(short: Textbook, names: Iterable[str], words: Words) -> list[Block]:
    """Returns what the short names of sines and cosines in some quantities mean."""
    meant = legend.shortened_functions(atom for name in names for atom in displayed.atoms(short.array(name)))
    parts: list[Inline] = []
    for short_name, function in meant:
        parts += [short_name, " = ", function, ", "]
    return [Paragraph((words("legend") + " ", *parts[:-1], "."))] if meant else []
