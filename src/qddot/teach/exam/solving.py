"""Writes the solution of each question: the laws and their results, each equation once in the whole exam."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping

from qddot.exact.equations.quantity_table import JOINT_PARTS, QUANTITIES, told
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.exact.printing import legend
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Equation, Partial, Sum, Symbol
from qddot.papers.report.document import Block, EquationBlock, Reference
from qddot.papers.report.sections import closed_sections, joint_effects, transforms
from qddot.papers.report.sections.blocks_of import atoms_of, constants, equations, legend_of, measured
from qddot.papers.report.sections.route_steps import Step, keys_of, parts_of, steps
from qddot.papers.report.wording import Words
from qddot.teach.check.exact_arrays import canonical
from qddot.teach.exam.difficulty import operations
from qddot.teach.exam.examined import MOST_TERMS, MULTIPLIERS, Examined, ExaminedArm, ExaminedChain
from qddot.teach.exam.laws import LAWS as LAWS_SHOWN
from qddot.teach.exam.questions import COMPUTE, SHOW, Question
from qddot.teach.exam.states import DrawnState

STEPS_SHOWN = 3  # coordinates of the longest arm whose solution has every step
MOST_CONTRIBUTED = 240  # the most operations in the links' contributions to an entry of a longer arm that are written
NUMERIC = {"tau": ("M", "C", "G"), "h": ("C",)}  # the quantities that are computed first in numbers
ALONG_R = ("A", "R", "R_rate", "M_t", "C_t", "G_t")
NUMERIC_OF_CHAINS = {
    "R": ("A",),
    "M": ("A", "R", "M_t"),
    "C": ALONG_R[:-1],
    "h": ALONG_R[:-1],
    "G": ("A", "R", "G_t"),
    "tau": ALONG_R,
    MULTIPLIERS: ALONG_R,
}
IN_NUMBERS_ALONE = ("R", "R_rate")  # which solve linear equations in numbers
USES_OF_CHAINS: Mapping[str, tuple[str, ...]] = {
    "phi": (),
    "A": ("phi",),
    "R": ("A",),
    **dict.fromkeys(("M_t", "C_t", "G_t", "P", "springs", "friction"), ()),
    "M": ("R", "M_t"),
    "christoffel": ("M",),
    "C": ("M", "C_t"),
    "h": ("C",),
    "K": ("M",),
    "G": ("R", "G_t"),
    "tau": ("M", "h", "G"),
}


SENTENCES_SOLVED = {name: f"closed {name}" for name in JOINT_PARTS} | {name: name for name in ("phi", "A", "R")}


class Solver(ABC):
    """This writes solutions, question by question; results of earlier solutions are not derived again."""

    def __init__(self, of: Examined, words: Words) -> None:
        self.of, self.words = of, words
        self._written: set[str] = set()
        self._explained: set[Symbol | Partial] = set()
        self._shortened: set[Symbol] = set()

    @abstractmethod
    def _visit(self, name: str) -> Iterator[Block]:
        """Yields a quantity with all its steps that have not been written before."""

    @abstractmethod
    def _entry(self, question: Question) -> list[Block]:
        """Returns only an entry, with that from which it follows."""

    def solution(self, question: Question, state: DrawnState) -> list[Block]:
        """Returns the solution of a question. state: the state of a question in numbers"""
        if question.kind == SHOW:
            blocks = self._both_sides(question.quantity, state)
        elif question.kind == COMPUTE:
            blocks = self._computed(question.quantity, state)
        elif question.place:
            blocks = self._entry(question)
        else:
            earlier = self.words.paragraph("derived before", where=Reference(question.quantity))
            blocks = list(self._visit(question.quantity)) or [earlier]
        return [*self._explanation(blocks), *blocks]

    def _explanation(self, blocks: list[Block]) -> Iterator[Block]:
        """Yields the definitions of constants that occur for the first time, and of short sines and cosines."""
        for block in constants(self.of.short, self.words, blocks, self._explained):
            if isinstance(block, EquationBlock):
                self._explained |= {each.left for each in block.listed}
            yield block
        shortened = {name for name, _ in legend.shortened_functions(atoms_of(blocks))}
        if not shortened <= self._shortened:
            self._shortened |= shortened
            yield from legend_of(blocks, self.words)

    def _formulas(self, names: Iterable[str]) -> Iterator[Block]:
        """Yields the formulas of quantities that are then computed in numbers."""
        yield from self._all(names)

    def _all(self, names: Iterable[str]) -> Iterator[Block]:
        for name in names:
            yield from self._visit(name)

    def _both_sides(self, name: str, state: DrawnState) -> list[Block]:
        """Returns both sides of a law, after the quantities that they consist of."""
        law = LAWS_SHOWN[name]
        blocks = list(self._all(law.needs))
        at = law.position(self.of.eq, state) if law.position else state
        return [*blocks, *law.sides(self.of, self.words, self._there, at)]

    def _there(self, *names: str) -> Iterator[str]:
        yield from (name for name in names if name in self._written)

    def _computed(self, name: str, state: DrawnState) -> list[Block]:
        """Returns the formulas of a quantity, then its numbers and those from which it follows."""
        used = numbers_before(self.of, name)
        blocks = list(self._formulas(formulas_of(self.of, name)))
        blocks += [self.words.paragraph(f"state {name}")] if used else []
        blocks.append(self.words.paragraph("in state"))
        for each in (*used, name):
            numbers = self.of.values(each, state)
            width = 1 + max(place[1] if len(place) > 1 else 0 for place in numbers)
            values = list(numbers.values())
            rows = [values[k : k + width] for k in range(0, len(values), width)]
            left = self.words.letters.name(each)
            blocks.append(EquationBlock.of(f"state.{name}.{each}", [Equation(left, measured(rows))]))
        return blocks

    def _alone(self, question: Question) -> list[Block]:
        """Returns the equation of one entry."""
        (equation,) = self.of.short.array(question.quantity)[question.place].equations()
        listed = [Equation(self.words.letters.instance(equation.left), equation.right)]
        return [self.words.paragraph("entry law"), EquationBlock.of(f"entry.{question.name}", listed)]


class ArmSolver(Solver):
    """This writes solutions about an arm, step by step along its route."""

    def __init__(self, of: ExaminedArm, words: Words) -> None:
        super().__init__(of, words)
        self.short = short = of.links
        self._steps = {step.name: step for part in parts_of(short) for step in part.steps}
        self._results = {part.result.name: part.result for part in parts_of(short)}
        self._with_steps = short.eq.model.n <= STEPS_SHOWN

    def _visit(self, name: str) -> Iterator[Block]:
        if name in self._written:
            return
        self._written.add(name)
        if "effects" not in self._written and name in told(kinematic=False):
            self._written.add("effects")
            yield from joint_effects.blocks(self.short, self.words)
        if name in told(kinematic=False):
            yield from self._law(name)
        elif self._with_steps:
            yield from self._step(name)

    def _step(self, name: str) -> Iterator[Block]:
        if name in told(kinematic=True):
            quantity = QUANTITIES[name]
            yield from self._all(quantity.uses)
            yield self.words.paragraph(quantity.told)
            first, *rest = equations(self.short.array(name), self.words, name, quantity.uses)
            yield transforms.without_repetition(self.short, first, self.words)
            yield from rest
        elif name in self._steps:
            yield from self._all(self._steps[name].uses)
            yield from steps(self.short, [self._steps[name]], self.words)

    def _law(self, name: str) -> Iterator[Block]:
        sentence, uses = QUANTITIES[name].told, _told_before(name)
        result = self._results.get(name, Step(name, uses))
        yield from self._all(result.uses or uses)
        if self._with_steps:
            yield from self.words.result(self.short.eq.route, name, sentence)
        else:
            yield self.words.paragraph(sentence)
        keys = [key for key in keys_of(self.short, result) if key.rpartition(".")[2] in self._written]
        yield from equations(self.short.array(name), self.words, name, keys)

    def _entry(self, question: Question) -> list[Block]:
        """Returns an entry, with the steps from which it follows, or with the contributions of single links."""
        name = question.quantity
        uses = self._results[name].uses if name in self._results else _told_before(name)
        first = list(self._all(uses) if self._with_steps else self._contributions(question, uses))
        if not self._with_steps and operations(first) > MOST_CONTRIBUTED:
            first = []
        return [*first, *self._alone(question)]

    def _contributions(self, question: Question, uses: Iterable[str]) -> Iterator[Block]:
        """Yields the contribution of each link of a long arm to an entry, or the derivatives of M in it."""
        route, shape, place = self.short.eq.route, self.short.array(question.quantity).shape, question.place
        for name in uses:
            array = self.short.array(name)
            if name == "m_ijk":
                i, j, k = place
                chosen = {canonical(each, array.symmetric) for each in ((i, j, k), (i, k, j), (j, k, i))}
            elif name in self._steps and array.shape[1:] == shape:
                chosen = {(link, *place) for link in range(array.shape[0])}
            else:
                continue
            listed = [
                Equation(self.words.letters.instance(each.left), each.right)
                for each in array.equations(lambda _: False, chosen)
                if isinstance(each.right, Sum) and each.right.products
            ]
            yield self.words.step(name, route)
            if listed:
                yield EquationBlock.of(f"{question.name}.{name}", listed)
            if len(listed) < len(chosen):
                yield self.words.paragraph("others contribute nothing" if listed else "nothing is contributed")
        yield from self.words.closing(route, question.quantity)


class ChainSolver(Solver):
    """This writes solutions about a closed chain: its conditions, R, and the links' quantities along q̇ = R u."""

    def __init__(self, of: ExaminedChain, words: Words) -> None:
        super().__init__(of, words)
        self.short = of.short
        names = of.reduced.coefficients
        self._coefficients = {"first": set(map(symbol, names.names.values()))}
        self._coefficients["second"] = set(map(symbol, names.slopes.values()))
        self._quotients = of.has_quotients
        self._definitions = of.short.coefficients(("R", "christoffel")).equations if self._quotients else []

    def _visit(self, name: str) -> Iterator[Block]:
        yield from self._told(name, True)

    def _formulas(self, names: Iterable[str]) -> Iterator[Block]:
        for name in names:
            yield from self._told(name, False)

    def _told(self, name: str, defined: bool) -> Iterator[Block]:
        """Yields a quantity; defined: whether the coefficients in it are defined, which may be numbers instead"""
        array = self.short.array(name)
        if name in self._written or (not array.entries and name == "phi"):
            return
        uses = USES_OF_CHAINS[name]
        if name == "R" and not self._quotients and self.short.array("A").terms > MOST_TERMS:
            uses = ()
        if name == "tau":
            uses = (*uses, *(each for each in JOINT_PARTS if self.short.array(each)))
        yield from self._all(uses)
        self._written.add(name)
        if name != "R" and defined:
            yield from self._defined("second", array)
        yield self.words.paragraph(SENTENCES_SOLVED.get(name, f"solved {name}"))
        if name == "R":
            yield from closed_sections.whole(array, self.words)
            yield from self._defined("first", array)
        else:
            yield from equations(array, self.words, name, [each for each in uses if each in self._written])

    def _defined(self, key: str, array: WrittenArray) -> Iterator[Block]:
        """Yields the definitions of the coefficients in an array that have not been written before."""
        wanted = set(array.atoms())
        new = [each for each in self._definitions if each.left not in self._explained]
        last = max((k for k, each in enumerate(new, 1) if each.left in wanted), default=0)
        if self._quotients:
            self._explained |= {each.left for each in new[:last]}
            if last:
                yield self.words.paragraph(key)
                yield EquationBlock.of(f"{array.name}.{key}", new[:last])
        elif key not in self._written and wanted & self._coefficients[key]:
            self._written.add(key)
            yield self.words.paragraph(f"implied {key}")

    def _entry(self, question: Question) -> list[Block]:
        array = self.short.array(question.quantity)
        first = [*self._all(USES_OF_CHAINS[question.quantity])]
        key = "first" if question.quantity == "R" else "second"
        return [*first, *self._alone(question), *self._defined(key, array[question.place])]


def solver(of: Examined, words: Words) -> Solver:
    """Returns what writes the solutions."""
    if isinstance(of, ExaminedArm):
        return ArmSolver(of, words)
    assert isinstance(of, ExaminedChain)
    return ChainSolver(of, words)


def numbers_before(of: Examined, name: str) -> tuple[str, ...]:
    """Returns the quantities that are computed in numbers before another one."""
    return (NUMERIC_OF_CHAINS if of.is_closed else NUMERIC).get(name, ())


def formulas_of(of: Examined, name: str) -> tuple[str, ...]:
    """Returns the quantities whose formulas are written before another one is computed in numbers."""
    before = numbers_before(of, name) or (name,)
    return tuple(each for each in before if not of.is_closed or each not in IN_NUMBERS_ALONE)


def _told_before(name: str) -> tuple[str, ...]:
    """Returns the quantities that a solution gives before one."""
    return tuple(each for each in QUANTITIES[name].uses if QUANTITIES[each].told)
