"""Assembles an exam: the sheet, the solution with its marks, and the rubric by which `qddot check` marks answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import ceil
from typing import NamedTuple

from qddot.base.errors import QddotError, flag
from qddot.base.words.language import or_in_use
from qddot.base.words.message import Listed, say
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.exact.printing import legend
from qddot.exact.printing import text as text_of
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import Text
from qddot.papers.report.document import (
    Block,
    Cell,
    Code,
    Document,
    EquationBlock,
    Inline,
    Paragraph,
    Picture,
    Section,
    Table,
)
from qddot.papers.report.sections import barred
from qddot.papers.report.sections.blocks_of import atoms_of, called
from qddot.papers.report.wording import Words
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.teach.check.asked_numbers import AskedNumber
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.exam.difficulty import PACE, in_numbers, operations
from qddot.teach.exam.examined import MULTIPLIERS, QUANTITIES, Examined, ExaminedArm, ExaminedChain
from qddot.teach.exam.laws import LAWS, laws_of
from qddot.teach.exam.questions import COMPUTE, DERIVE, SHOW, Question, questions_of
from qddot.teach.exam.solving import Solver, formulas_of, solver
from qddot.teach.exam.states import DrawnState

MOST_MARKS = 70  # the most marks of one question, such as Ṁ − 2C of three joints with Ṁ written out
LONGEST = 240  # minutes
ROUTE = "com_jacobian"
MOST_NAMED = 8
RULES = {DERIVE: "shares", COMPUTE: "digits"}  # rules of marking, by the keys of their sentences
# the highest derivative of q in each quantity that is computed
RATES_IN = {**dict.fromkeys(("M", "G", "A", "R"), 0), "C": 1, "h": 1, "tau": 2, MULTIPLIERS: 2}
LINE = "_" * 11  # the room in which a candidate writes


class Asked(NamedTuple):
    """This is the request for an exam.

    questions: see `questions`, None for the usual ones; route: of the solution
    constants: whether the sheet gives the constants in which results are written
    """

    questions: str | Sequence[str] | None = None
    route: str = ROUTE
    constants: bool = False


class SetQuestion(NamedTuple):
    """A part of an exam is a question with its marks, its text on the sheet, its solution and its operations.

    reference: the operations of the question in the variant that the others are as difficult as
    """

    question: Question
    marks: int
    stated: tuple[Block, ...]
    solution: tuple[Block, ...]
    operations: int
    reference: int


class Exam(NamedTuple):
    """An exam has the arm or closed chain of one variant, its questions, and the words of its language.

    is_levelled: whether it has the marks of all variants, and is as difficult as their reference
    """

    of: Examined
    words: Words
    seed: int
    state: DrawnState
    parts: tuple[SetQuestion, ...]
    is_levelled: bool = False

    @property
    def short(self) -> ShortEquations:
        """Returns the equations in short form."""
        return self.of.short

    @property
    def marks(self) -> int:
        """Returns the marks of all questions."""
        return sum(part.marks for part in self.parts)

    @property
    def operations(self) -> int:
        """Returns the measure of its difficulty."""
        return sum(part.operations for part in self.parts)

    def with_marks(self, marks: Sequence[int], reference: Sequence[int]) -> Exam:
        """Returns the exam with other marks for its questions, and with the measures of its reference.

        raises QddotError: more marks than an exam has minutes
        """
        facts = zip(self.parts, marks, reference, strict=True)
        parts = tuple(part._replace(marks=most, reference=measure) for part, most, measure in facts)
        return self._replace(parts=parts, is_levelled=True).within_its_time()

    def within_its_time(self) -> Exam:
        """Returns the exam itself; raises QddotError: more marks than an exam has minutes"""
        if self.marks > LONGEST:
            raise QddotError("exam-too-long", minutes=self.marks, most=LONGEST)
        return self

    @property
    def points(self) -> dict[str, float]:
        """Returns the marks that `qddot check` gives for formulas, by the names of their quantities."""
        points: dict[str, float] = {}
        for part in self.parts:
            if part.question.kind == DERIVE:
                points |= self.of.shared(part.question.name, part.marks)
        for part in self.parts:
            if part.question.kind == SHOW:
                law = LAWS[part.question.quantity]
                share = whole_shares(part.marks, len(law.parts))[0] / len(law.checked)
                points |= {name: round(share, 2) for name in law.checked if name not in points}
        return points

    @property
    def numbers(self) -> dict[str, AskedNumber]:
        """Returns the marks of the required numbers, by names such as tau1@."""
        numbers: dict[str, AskedNumber] = {}
        for part in self.parts:
            if part.question.kind == COMPUTE:
                values = self.of.values(part.question.quantity, self.state)
                entries = self.of.entries(part.question.name)
                share = round(part.marks / len(entries), 2)
                numbers |= {f"{name}@": AskedNumber(values[place], share) for (_, place), name in entries.items()}
        return numbers

    def rubric(self) -> str:
        """Returns the marks as a rubric of `qddot check`, in TOML."""
        points = [f"{name} = {marks:g}" for name, marks in self.points.items()]
        numbers = [
            f'"{name}" = {{ value = {each.value!r}, points = {each.points:g} }}' for name, each in self.numbers.items()
        ]
        tables = (("[points]", points), ("[numbers]", numbers))
        by_hand = [f"by_hand = {self.by_hand}", ""] if self.by_hand else []
        return "\n".join([*by_hand, *(line for head, lines in tables if lines for line in (head, *lines, ""))])

    @property
    def by_hand(self) -> int:
        """Returns the marks that are neither for formulas nor for numbers."""
        return round(self.marks - sum(self.points.values()) - sum(each.points for each in self.numbers.values()))

    def answers(self) -> str:
        """Returns the right answers as text that `qddot check` reads, with the definitions of the constants in them."""
        formulas = self.formulas()
        return "\n".join([*([formulas] if formulas else []), *self._number_lines(), ""])

    def formulas(self) -> str:
        """Returns the right formulas, as in `answers`."""
        lines = [text_of.equations(self.short.definitions())] if self.short.constants and self.points else []
        for name in self.points:
            for (quantity, place), entry in self.of.entries(name).items():
                lines.append(f"{entry} = {Text().write(self.of.answer(quantity, place))}")
        return "\n".join([*self._short_names(), *lines])

    def _number_lines(self) -> list[str]:
        """Returns lines with the required numbers, as in an answer."""
        return [f"{name} = {each.value:.6g}" for name, each in self.numbers.items()]

    def _short_names(self) -> Iterator[str]:
        """Yields the meaning of the short names of sines and cosines in the answers."""
        names = {quantity for name in self.points for quantity, _ in self.of.entries(name)}
        arrays = [self.short.array(name) for name in sorted(names)]
        for meaning in legend.equations(atom for array in arrays for atom in array.atoms()):
            yield f"{meaning.name} = {Text().write(meaning.right)}"

    def arm(self) -> str:
        """Returns the variant of the arm as the text of a robot file."""
        return self.of.file()

    def sheet(self, picture: Picture | None = None) -> Document:
        """Returns the sheet for the candidates: name and date, the arm, the questions."""
        parts = [self.section(k, part, part.stated) for k, part in enumerate(self.parts, 1)]
        return self._document("exam", (self._candidate(), self.of.data(self.words, picture), *parts))

    def solution(self, stem: str, picture: Picture | None = None) -> Document:
        """Returns the solution with its marks. stem: the name of the exam's files, for the command that marks"""
        parts = [self.section(k, part, (*part.stated, *self.solved(part))) for k, part in enumerate(self.parts, 1)]
        marking = [self._marking(stem)] if self.points or self.numbers else []
        arm = self.of.data(self.words, picture)
        return self._document("exam solution", (arm, *parts, *marking, self._difficulty()))

    def _document(self, title: str, sections: tuple[Section, ...]) -> Document:
        words, model = self.words, self.of.eq.model
        facts = words("variant", seed=str(self.seed), marks=str(self.marks), minutes=str(self.marks))
        named = words(title, title=words.translated(model.title) or words("an arm"))
        return Document(named, facts, words.lang, barred.explained(sections, words), contents=False, numbered=False)

    def _candidate(self) -> Section:
        fields = self.words.paragraph("fields", line=LINE)
        return Section(
            "candidate", self.words("candidate"), (fields, self.words.paragraph("rules", seed=str(self.seed)))
        )

    def solved(self, part: SetQuestion) -> tuple[Block, ...]:
        """Returns the solution of a question and its marks."""
        return (*part.solution, *self.scheme(part))

    def section(self, k: int, part: SetQuestion, blocks: Sequence[Block]) -> Section:
        """Returns a section on a question, whose title has its marks."""
        key = "question" if part.marks > 1 else "question of one mark"
        title = self.words(key, k=str(k), marks=str(part.marks))
        return Section(f"question-{k}", title, tuple(blocks))

    def scheme(self, part: SetQuestion) -> Iterator[Block]:
        """Yields the marks of a question for each of its parts."""
        words = self.words
        names: list[Inline]
        shares: Sequence[float]
        if part.question.kind == SHOW:
            names = [words(key) for key in LAWS[part.question.quantity].parts]
            shares = whole_shares(part.marks, len(names))
        else:  # the rubric gives equal marks to all entries of a quantity
            names = [words.letters.name(*entry) for entry in self.of.entries(part.question.name)]
            shares = [part.marks / len(names)] * len(names)
        rows = tuple((name, f"{share:.3g}") for name, share in zip(names, shares, strict=True))
        yield Table((words("part"), words("marks")), rows, given=True)

    def _difficulty(self) -> Section:
        """Returns the measure of each question's difficulty, beside that of the reference."""
        words, blocks = self.words, [self.words.paragraph("measure", pace=str(PACE))]
        titles, rows = ["part", "measured operations", "marks"], list[tuple[Cell, ...]]()
        for k, part in enumerate(self.parts, 1):
            rows.append((self._title(k, part.question), str(part.operations), str(part.marks), str(part.reference)))
        reference = sum(part.reference for part in self.parts)
        rows.append((words("whole exam"), str(self.operations), str(self.marks), str(reference)))
        if self.is_levelled:
            titles.append("operations of reference")
            share = f"{100 * (self.operations / reference - 1):+.0f}".replace("-", "−")
            blocks.append(words.paragraph("measure of reference", share=share))
        cells = tuple(row[: len(titles)] for row in rows)
        return Section(
            "difficulty", words("difficulty"), (*blocks, Table(tuple(map(words, titles)), cells, given=True))
        )

    def _title(self, k: int, question: Question) -> Paragraph:
        """Returns the number of a question, and what it is about: a quantity, its value, or a law."""
        words, name = self.words, question.quantity
        if question.kind == SHOW:
            return Paragraph((f"{k}. ", *words.paragraph(f"title {name}").parts))
        quantity = words.letters.name(name, question.place) if question.place else called(name, words)
        about = (
            words.paragraph("title in numbers", quantity=quantity).parts if question.kind == COMPUTE else (quantity,)
        )
        return Paragraph((f"{k}. ", *about))

    def _marking(self, stem: str) -> Section:
        line = f"qddot check {stem}-arm.toml ANSWERS --rubric {stem}-rubric.toml"
        kinds = {part.question.kind for part in self.parts}
        rules = [self.words.paragraph(RULES[kind]) for kind in (DERIVE, COMPUTE) if kind in kinds]
        paragraph = self.words.paragraph("command", answers=f"{stem}-answers.txt")
        numbers = [self.words.paragraph("number lines"), Code("text", "\n".join(self._number_lines()))]
        blocks = (*rules, paragraph, Code("sh", line), *(numbers if self.numbers else ()))
        return Section("marking", self.words("marking"), blocks)


def exam(
    model: Model | ChainQuantities,
    seed: int = 0,
    request: Asked | None = None,
    lang: str = "",
    state: DrawnState | None = None,
) -> Exam:
    """Returns the exam on an arm, or on a closed chain with its quantities: on the variant itself.

    seed: determines its state, if none is given, and is printed on the sheet
    raises QddotError: no such language, question or route, marks that are too few, or an arm that is too long
    """
    refuse_several(model.model if isinstance(model, ChainQuantities) else model, say("an-exam"))
    request, lang = request or Asked(), or_in_use(lang)
    Words(lang)  # a wrong language raises an error before the work begins
    of = examined(model, request)
    questions, state = questions_of(of, request.questions), state or of.state(seed)
    for question in questions:
        _check_length(of, question)
    words = of.words(lang)
    solving = solver(of, words)
    parts = tuple(_part(solving, question, state, request.constants) for question in questions)
    return Exam(of, words, seed, state, parts).within_its_time()


def examined(model: Model | ChainQuantities, request: Asked) -> Examined:
    """Returns what an exam is about. raises QddotError: no such route"""
    route, constants = request.route, flag(request.constants, "constants")
    if isinstance(model, ChainQuantities):
        return ExaminedChain(model, constants)
    return ExaminedArm(model, route, constants)


def _part(solving: Solver, question: Question, state: DrawnState, constants: bool) -> SetQuestion:
    """Returns a question with its statement, solution and marks."""
    of, solution = solving.of, solving.solution(question, state)
    total = operations(solution) + _worked(of, question)
    least = max(len(LAWS[question.quantity].parts) if question.kind == SHOW else 1, ceil(total / PACE))
    if question.marks is not None and question.marks < least:
        raise QddotError(
            "marks-too-few",
            count=question.marks,
            question=question.text,
            total=total,
            least=least,
        )
    if question.marks is None and least > MOST_MARKS:
        laws = _fitting_laws(of, solving.words, state) if question.kind == SHOW else ()
        raise _too_long(of, question, total, laws, f"{question.text}={least}")
    stated = tuple(_stated(solving, question, state, solution if constants else ()))
    marks = question.marks or _shared(least, of, question)
    return SetQuestion(question, marks, stated, tuple(solution), total, total)


def _shared(least: int, of: Examined, question: Question) -> int:
    """Returns the fewest marks, at least `least`, that a quantity's entries can share in whole or half marks."""
    entries = 1 if question.kind == SHOW else len(of.entries(question.name))
    return next(marks for marks in count(least) if 2 * marks % entries == 0)


def _fitting_laws(of: Examined, words: Words, state: DrawnState) -> Iterator[str]:
    """Yields the laws of this arm whose proofs are short enough to be written down."""
    for name in laws_of(of):
        question = Question(SHOW, name, name)
        try:
            _check_length(of, question)
            proof = operations(solver(of, words).solution(question, state)) + _worked(of, question)
        except QddotError:  # too long, or an arm of which it cannot be shown
            continue
        if proof <= MOST_MARKS * PACE:
            yield name


def whole_shares(marks: int, parts: int) -> list[int]:
    """Returns whole marks for each part of a question; the first parts may have one mark more."""
    each, more = divmod(marks, parts)
    return [each + (k < more) for k in range(parts)]


def _worked(of: Examined, question: Question) -> int:
    """Returns the operations of a calculator that a question in numbers takes."""
    computed = LAWS[question.quantity].position if question.kind == SHOW else question.kind == COMPUTE
    return in_numbers(of, _results(of, question)) if computed else 0


def _stated(solving: Solver, question: Question, state: DrawnState, blocks: Sequence[Block]) -> Iterator[Block]:
    of, words = solving.of, solving.words
    if question.place:
        yield words.paragraph("derive entry", entry=words.letters.name(question.quantity, question.place))
    else:
        yield words.paragraph(f"{question.kind} {question.quantity}")
    if question.kind == COMPUTE:
        yield words.paragraph("numbers")
        yield _state_table(of, state, words, RATES_IN[question.quantity])
    elif question.kind == SHOW and (position := LAWS[question.quantity].position):
        yield _state_table(of, position(of.eq, state), words)
    used = set(atoms_of(blocks)) if question.kind == DERIVE else set()
    listed = [each for each in of.short.definitions() if each.left in used]
    if listed:
        yield words.paragraph("with constants")
        yield EquationBlock.of(f"given.{question.name}", listed)


def _state_table(of: Examined, state: DrawnState, words: Words, rates: int = 0) -> Table:
    """Returns the state of a question: the position, and as many of its rates as the question needs."""
    count = 1 + rates
    rows = zip(map(symbol, of.eq.model.coordinates), *state.texts[:count], strict=True)
    return Table((words("joint"), *map(words.formula, ("q", "q̇", "q̈")[:count])), tuple(rows), given=True)


def _check_length(of: Examined, question: Question) -> None:
    """Raises QddotError if the result of a question is too long to be written down."""
    for name in _results(of, question):
        array = of.short.array(name)
        total = (array[question.place] if question.place else array).operations
        if total > MOST_MARKS * PACE:
            raise _too_long(of, question, total)


def _results(of: Examined, question: Question) -> tuple[str, ...]:
    """Returns the quantities that are written down in the solution of a question."""
    if question.kind == SHOW:
        return LAWS[question.quantity].needs
    return formulas_of(of, question.quantity) if question.kind == COMPUTE else (question.quantity,)


def _too_long(of: Examined, question: Question, total: int, laws: Iterable[str] = (), marked: str = "") -> QddotError:
    """Returns the error for a question that is too long; laws: which fit; marked: the question with enough marks"""
    fitting = [*laws, *_fitting(of)]
    fit = say("questions-that-fit", names=Listed(fitting[:MOST_NAMED])) if fitting else say("fewer-joints")
    return QddotError(
        "question-too-long",
        name=of.name,
        question=question.text,
        total=total,
        most=MOST_MARKS * PACE,
        remedy=say("enough-marks", fit=fit, marked=marked) if marked else fit,
    )


def _fitting(of: Examined) -> Iterator[str]:
    """Yields questions whose results are short enough to be written down, for long arms the shortest first."""
    for name in (*(each for each in of.quantities if each not in QUANTITIES), "M", "G", "C", "h", "tau"):
        array = of.short.array(of.quantities[name])
        if array.operations <= MOST_MARKS * PACE // 2:
            yield name
            continue
        for (_, place), entry in of.entries(name).items():
            if 0 < array[place].operations <= MOST_MARKS * PACE // 2:
                yield entry
