"""Finds what a report says wrongly about an arm: formulas that do not hold for what it prints, and wrong entries."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise, product
from typing import Any

import numpy as np
from formula_reading import UnreadableError, sides
from formula_values import STEP, Evaluated, laws, letters_of, values_of
from law_indices import CONDITIONS
from matrices import skew, times
from printed_names import name_of, parted, reference
from printed_values import Point, Printed, UnknownError, base_values, equations_of

from qddot.algebra.numbers.floats import Floats
from qddot.exact.equations.assembled import ASSEMBLED
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.equations.quantity_names import name_of as quantity_name
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing import legend
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Chain, Matrix, Partial, Product, Sum, Symbol
from qddot.papers.report.arm_report import base_of
from qddot.papers.report.document import Document, EquationBlock, Paragraph
from qddot.papers.report.formula import Formula
from qddot.papers.report.sections import inward_step
from qddot.papers.report.sections.worked_state import worked_state

SIX_DIGITS = 1e-5  # the least that six digits say of a number
VALUE = re.compile(r" = (−?[\d.]+)(?:\s×\s10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
CLOSE = 1e-9  # of thousands of operations in floats, with results near 1
NO_CLAIMS = {
    "I_{xy} = −∫ r_x r_y dm": "the sign that products of inertia have here",
    "r = (r_x, r_y, r_z, 1)": "what r is",
    "q = 0": "a pose",
}


def false_laws(made: Sequence[Document], shorts: Sequence[Textbook], like: Printed | None = None) -> Iterator[str]:
    """Whatever a document says wrongly, in each language; shorts: the short forms of each route that it tells.

    like: another document about the same short forms, whose exact numbers are taken over
    """
    printed = Printed(made[0], shorts, like=like)
    for document in made:
        same_equations = map(_shown, equations_of(document), printed.blocks)
        if len(equations_of(document)) != len(printed.blocks) or not all(same_equations):
            yield f"other equations in {document.lang}"
    steps = (_slopes_of_the_lagrangian, _recursion, _torques_by_newton, named_steps)
    checks = (_told_twice, _lengths, *steps, _equation_of_matrices, wrong_base)
    yield from _worked_state(made, shorts[0])
    yield from _entries(printed, {short.eq.route: short.eq for short in shorts})
    yield from _formulas(printed, dict.fromkeys(law for document in made for law in laws(document)))
    for check in checks:
        yield from check(printed)


def _shown(one: EquationBlock, other: EquationBlock) -> bool:
    """Whether two blocks have the same equations."""
    return one.key == other.key and [each[:2] for each in one.listed] == [each[:2] for each in other.listed]


def _lengths(printed: Printed) -> Iterator[str]:
    """Quantities that are too long to be printed, if no sentence says how many terms they have."""
    paragraphs = [block for block in printed.document.blocks() if isinstance(block, Paragraph)]
    words = " ".join(part for block in paragraphs for part in block.parts if isinstance(part, str))
    for name, array in printed.too_long.items():
        if f" {array.terms:,} " not in words:
            yield f"{name} is not printed"


def _told_twice(printed: Printed) -> Iterator[str]:
    """Names that have two values, such as two routes' P."""
    for text, one, other in printed.twice:
        if not same(printed.tree(one, printed.point), printed.tree(other, printed.point)):
            yield f"{text} twice"


def false_formulas(made: Document, shorts: Sequence[Textbook]) -> Iterator[str]:
    """The equations in a document's sentences that do not hold."""
    yield from _formulas(Printed(made, shorts), dict.fromkeys(laws(made)))


def _formulas(printed: Printed, said: Iterable[Formula]) -> Iterator[str]:
    """Every equation in a sentence, for every value of its indices."""
    for law in said:
        if law.text in NO_CLAIMS or not any(part.text == "=" for part in law.parts) or _is_of_base(law):
            continue
        try:
            yield from _where_false(printed, law)
        except (UnknownError, UnreadableError, LookupError, ValueError) as error:
            yield f"{law.text} cannot be decided: {error!r}"


def _is_of_base(law: Formula) -> bool:
    """Whether a formula gives a base parameter, of which `wrong_base` judges all together."""
    first = law.parts[0]
    return isinstance(first, Symbol) and first.head == "beta" and len(law.parts) > 1


def _where_false(printed: Printed, law: Formula) -> Iterator[str]:
    for indices in _indices(printed, law):
        first, *others = (Evaluated(printed, indices).value(side, printed.point) for side in sides(law))
        if not all(same(first, other) for other in others):
            yield f"{law.text} for {indices}: {first.tolist()} and {[other.tolist() for other in others]}"
            return


def _indices(printed: Printed, law: Formula) -> Iterator[dict[str, int]]:
    if law.text in CONDITIONS:
        yield from CONDITIONS[law.text](printed.eq.dynamics.mechanism)
        return
    nodes = sides(law)
    bound = {letter for part in law.parts if part.text == "Σ" for letter in getattr(part, "below", "")}
    bound |= {"j", "k"} if "[q̇_j" in law.text else set()
    free = sorted(set().union(*map(letters_of, nodes)) - bound)
    for chosen in product(*(values_of(letter, nodes, printed) for letter in free)):
        yield dict(zip(free, chosen, strict=True))


def _entries(printed: Printed, routes: dict[str, Quantities]) -> Iterator[str]:
    """The quantities of the equations and the steps of the routes, entry by entry, against the exact arrays."""
    for block in printed.blocks:
        route, _, quantity = block.key.rpartition(".")
        eq = routes.get(route, printed.eq)
        if quantity not in (*QUANTITIES, *eq.steps) or block.key == "newton_euler.tau":
            continue
        array, left = eq.array(quantity), block.listed[0].left
        if isinstance(left, Partial):
            continue
        for place, entry in zip(array.places, array.entries, strict=True):
            axes = len(place) - matrix_axes(array.name)
            matrix = printed.array(name_of(left, parted(left)[0]), tuple(k + 1 for k in place[:axes]), printed.point)
            cell = (*place[axes:], 0, 0)[:2]
            if matrix is None or not close(matrix[cell], printed.exact(entry)):
                yield f"{array.name}{place}"


def _slopes_of_the_lagrangian(printed: Printed) -> Iterator[str]:
    """∂ℒ/∂q̇ and ∂ℒ/∂q, where they are told, against the slopes of the Lagrangian that is printed."""
    lagrangian = ("ℒ", "", 0, "", "", False)
    are_told = printed.partials or {"dL_dqd", "dL_dq"} & set(printed.too_long)
    if printed.array(lagrangian, (), printed.point) is None or not are_told:
        return
    for dots, k in product((0, 1), range(len(printed.coordinates))):
        parts = [list(part) for part in printed.point]
        parts[dots][k] += 1j * STEP
        slope = printed.array(lagrangian, (), Point(*map(tuple, parts))).imag / STEP
        if not same(slope, printed.partial(dots, k, printed.point)):
            yield f"∂ℒ/∂{'q̇' if dots else 'q'}_{k + 1}"


def _recursion(printed: Printed) -> Iterator[str]:
    """Newton's and Euler's recursion, each line from the printed ones before it."""
    if not any(block.key.startswith("newton_euler") for block in printed.blocks):
        return
    arm, at = printed.eq.dynamics.mechanism, printed.point
    children: dict[int, list[int]] = {}

    def of(head: str, k: int, dots: int = 0) -> Any:
        return printed.array((head, "", dots, "", "", False), (k,), at)

    for link in arm.links:
        k, parent = link.index + 1, None if link.parent is None else link.parent + 1
        children.setdefault(parent or 0, []).append(k)
        A = of("A", k)
        R, p, e = A[:3, :3], A[:3, 3:], of("e", k)
        rate, acceleration = (0, 0) if link.dof is None else (at.qd[link.dof], at.qdd[link.dof])
        if parent is None:
            w, dw, dv = np.zeros((3, 1)), np.zeros((3, 1)), -printed.vector(tuple(arm.gravity))
        else:
            w, dw, dv = of("omega", parent), of("omega", parent, 1), of("v", parent, 1)
        turns = link.dof is not None and link.kind.is_revolute
        w, dw, dv = R.T @ w, R.T @ dw, R.T @ (dv + skew(dw) @ p + skew(w) @ skew(w) @ p)
        if turns:
            # the way from the axis to the origin turns, too
            way = -of("rho", k) if ("rho", "", 0, "", "", False) in printed.arrays else np.zeros((3, 1))
            dv = dv - skew(dw) @ way - skew(w) @ skew(w) @ way
            dw = dw + skew(w) @ e * rate + e * acceleration
            w = w + e * rate
            dv = dv + skew(dw) @ way + skew(w) @ skew(w) @ way
        else:
            dv = dv + e * acceleration + 2 * skew(w) @ e * rate
        m, h = printed.exact(link.inertia.m), printed.vector(tuple(link.inertia.h))
        I = np.array([[printed.exact(x) for x in row] for row in link.inertia.I.rows()])
        F = m * dv + skew(dw) @ h + skew(w) @ skew(w) @ h
        N = I @ dw + skew(w) @ I @ w + skew(np.ravel(h)) @ dv
        for head, dots, value in (("omega", 0, w), ("omega", 1, dw), ("v", 1, dv), ("F", 0, F), ("N", 0, N)):
            if not same(of(head, k, dots), value):
                yield f"{head}{k}: {of(head, k, dots).tolist()} and {value.tolist()}"
    for link in arm.links:
        k = link.index + 1
        f, n = of("F", k), of("N", k)
        for child in children.get(k, ()):
            A = of("A", child)
            R, p = A[:3, :3], A[:3, 3]
            f, n = f + R @ of("f", child), n + R @ of("n", child) + skew(p) @ R @ of("f", child)
        for head, value in (("f", f), ("n", n)):
            if not same(of(head, k), value):
                yield f"{head}{k}: {of(head, k).tolist()} and {value.tolist()}"


def _worked_state(made: Sequence[Document], short: Textbook) -> Iterator[str]:
    """The numbers of the worked state, to the digits that are shown: matrices, functions and constants."""
    blocks = [block for document in made for part in document.sections if part.key == "state" for block in part.blocks]
    if not any(isinstance(block, EquationBlock) for block in blocks):
        return
    state = worked_state(short.eq.model)
    numbers, text = Floats(short.eq.model.defaults(), *state), Text()
    functions = legend.shortened_functions(
        atom for name in ("M", "christoffel", "G") for atom in short.array(name).atoms()
    )
    values = {symbol(name): value for name, value in short.values().items()}
    for short_name, function in functions:
        angle = sum(float(times) * state[0][of] for of, times in function.angle.symbols)
        values[short_name] = getattr(math, function.kind)(angle)
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from _wrong_values(block, values)
        if not isinstance(block, EquationBlock):
            continue
        name = block.key.removeprefix("state.")
        exact = short.eq.array(name).values(numbers)
        (equation,) = block.listed
        shown = [[float(text.write(entry)) for entry in row] for row in equation.right.rows]  # type: ignore[union-attr]
        if not isinstance(equation.left, Symbol) or equation.left.head != name or equation.left.below:
            yield f"{equation.left} is {name}"
        if not np.allclose(shown, exact.reshape(np.shape(shown)), rtol=SIX_DIGITS, atol=0):
            yield f"{name} of the worked state"


def _wrong_values(paragraph: Paragraph, values: dict[Symbol, float]) -> Iterator[str]:
    """What a sentence says of the values of symbols, as in "c1 = 0.921"."""
    for name, said in pairwise(paragraph.parts):
        if isinstance(name, Symbol) and isinstance(said, str) and (match := VALUE.match(said)):
            shown = float(match[1].replace("−", "-")) * 10 ** int((match[2] or "0").translate(LOWERED))
            if not math.isclose(shown, values[name], rel_tol=SIX_DIGITS, abs_tol=1e-12):
                yield f"{name.text} = {shown}, not {values[name]}"


def _torques_by_newton(printed: Printed) -> Iterator[str]:
    """The torque of each joint, from what its equation refers to."""
    for block in printed.blocks:
        if block.key == "newton_euler.tau":
            right_sides = [each.right for each in block.listed if isinstance(each.right, Sum)]
            factors = {base for right in right_sides for term in right.products for base, _ in term.factors}
            names = [reference(base) for base in factors if isinstance(base, Symbol)]
            told = {name: printed.array(*name, printed.point) for name in names}
            exact = printed.eq.tau.entries
            for (left, right, _), entry in zip(block.listed, exact, strict=True):
                value = printed.product(right, told)
                if not close(value, printed.exact(entry)):
                    yield f"{left.text if isinstance(left, Symbol) else left}: {value} and {printed.exact(entry)}"


def _equation_of_matrices(printed: Printed) -> Iterator[str]:
    """The equation of motion in matrices, whose entries may be those that are printed under their names."""
    for block in printed.blocks:
        if block.key == ASSEMBLED:
            (equation,) = block.listed
            tau = printed.vector(printed.eq.tau.entries)
            products = equation.right.products
            if not same(np.atleast_2d(sum(_of_matrices(printed, each) for each in products)), tau):
                yield "the equation in matrices"


def _of_matrices(printed: Printed, product: Product) -> Any:
    """A product of matrices in numbers."""
    matrices = [matrix for matrix, _ in product.factors if isinstance(matrix, Matrix)]
    values = [[[printed.product(entry, _told(printed, entry)) for entry in row] for row in m.rows] for m in matrices]
    return reduce(times, map(np.array, values)) * float(product.number)


def _told(printed: Printed, entry: Sum) -> dict[Any, Any]:
    """The printed values of the quantities whose entries are named, other than the arm's own symbols."""
    own = {*printed.symbols, *printed.trees}
    names = [reference(atom) for atom in entry.atoms() if isinstance(atom, Symbol) and atom.text not in own]
    values = {name: printed.array(*name, printed.point) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def named_steps(printed: Printed) -> Iterator[str]:
    """Newton's and Euler's inward steps by the names of forces and moments, with the exact values of all of these."""
    named = [block for block in printed.blocks if block.key.endswith(inward_step.NAMED)]
    yield from _chains(printed, [block for block in named if not block.key.startswith("newton_euler.")])
    blocks = [block for block in named if block.key.startswith("newton_euler.")]
    if not blocks:
        return
    told: dict[Any, Any] = {}
    for name in ("F", "N", "f", "n", "n_axis"):
        array = printed.newton.array(name)
        for (link, place), entry in zip(array.places, array.entries, strict=True):
            plain = quantity_name(name, (link,), inner=(place,))
            assert isinstance(plain, Symbol)
            told |= dict.fromkeys((plain, plain._replace(bar=True)), printed.exact(entry))
    tau = dict(enumerate(printed.eq.tau.entries, 1))
    for block in blocks:
        for left, right, _ in block.listed:
            exact = printed.exact(tau[parted(left)[1][0]]) if left.head == "tau" else told[left]
            if not close(printed.product(right, told), exact):
                yield f"{left.text} by names"


def _chains(printed: Printed, blocks: Sequence[EquationBlock]) -> Iterator[str]:
    """Entries and matrices in the names of what they follow from, with the printed values of all of these."""
    for block in blocks:
        for left, right, _ in block.listed:
            assert isinstance(left, Symbol) and isinstance(right, Sum)
            value = sum(complex(term.number) * _product(printed, term.factors) for term in right.products)
            if not same(np.atleast_2d(value), np.atleast_2d(printed.array(*reference(left), printed.point))):
                yield f"{left.text} by names"


def _product(printed: Printed, factors: Sequence[tuple[Any, int]]) -> Any:
    """The product of numbers, and of chains of matrices or of their traces."""
    total: Any = 1
    for base, exponent in factors:
        values = [_value(printed, each) for each in (base.factors if isinstance(base, Chain) else [base])]
        value = np.asarray(reduce(times, values))
        value = np.trace(value) if isinstance(base, Chain) and base.traced else value
        total = times(total, np.squeeze(value**exponent if value.size == 1 else value))
    return total


def _value(printed: Printed, name: Symbol) -> Any:
    """A name as it is printed, or what stands in tables and sentences: a mass, a centre of mass, gravity's row."""
    (_, places), mechanism = reference(name), printed.eq.dynamics.mechanism
    if name.head in ("m", "r") and len(places) == 1:
        inertia = mechanism.links[places[0] - 1].inertia
        mass = printed.exact(inertia.m)
        return mass if name.head == "m" else np.vstack([printed.vector(tuple(inertia.h)) / mass, [[1]]])
    if name.head == "g":
        return np.hstack([printed.vector(tuple(mechanism.gravity)).T, [[0]]])
    value = np.array([[0], [0], [0], [1]]) if name.head == "u" else printed.array(*reference(name), printed.point)
    return np.transpose(value) if name.above == "T" else value


def wrong_base(printed: Printed) -> Iterator[str]:
    """The base parameters, with whose regressor all torques but those of the springs must come out."""
    block = next((block for block in printed.blocks if block.key == "base"), None)
    base = base_of(printed.model) if block is not None else ""
    if block is None or isinstance(base, str):
        return
    told: dict[Any, Any] = {}
    for name, value in base_values(printed, base.names).items():
        plain = symbol(name)
        forms = (plain._replace(above=above, bar=bar) for above in ("", "o") for bar in (False, True))
        told |= {reference(form): value for form in forms}
    own = {reference(symbol(name)) for name in printed.symbols}
    told = {name: value for name, value in told.items() if name not in own}
    values = {int(each.left.below): printed.product(each.right, told) for each in block.listed}
    for left, equals, right in (law.parts for law in laws(printed.document) if _is_of_base(law)):
        assert equals.text == "="
        values[int(left.below)] = told[reference(right)]
    beta = [values[k] for k in range(1, len(base) + 1)]
    for i in range(printed.eq.n):
        row = [printed.exact(entry) for entry in base.regressor[i].entries]
        tau = printed.exact(printed.eq.tau.entries[i]) - printed.exact(printed.eq.springs.entries[i])
        if not close(np.dot(row, beta), tau):
            yield f"β for τ{i + 1}: {np.dot(row, beta)} and {tau}"


def close(a: complex, b: complex) -> bool:
    return abs(a - b) <= CLOSE * (1 + abs(a) + abs(b))


def same(a: Any, b: Any) -> bool:
    """Whether two matrices are close; a number stands for so many times the unit matrix, a point may have its 1."""
    if 1 in (a.size, b.size) and a.size != b.size:
        square, number = (a, np.ravel(b)[0]) if a.size > 1 else (b, np.ravel(a)[0])
        return same(square, number * np.eye(*square.shape))
    if {a.shape[0], b.shape[0]} == {3, 4}:
        a, b = a[:3], b[:3]
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= CLOSE * (1 + np.abs(a) + np.abs(b))))
