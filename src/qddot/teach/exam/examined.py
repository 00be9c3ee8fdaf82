"""Examined is the mechanism of an exam: an arm, or a closed chain, with its quantities and their short form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from qddot.exact.equations.closed.definitions import definitions
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook
from qddot.exact.forms.textbook.short_equations import ShortEquations
from qddot.exact.printing.tree import Sum, Symbol
from qddot.formats import writing
from qddot.formats.toml import loop_tables
from qddot.papers.report.document import Paragraph, Picture, Section
from qddot.papers.report.languages import OF_CHAINS
from qddot.papers.report.sections import closed_sections, the_arm
from qddot.papers.report.sections.blocks_of import symbols
from qddot.papers.report.wording import Words
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model
from qddot.teach.check.asked import Required, required_entries
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.exam import states
from qddot.teach.exam.languages import SENTENCES, SENTENCES_OF_CHAINS
from qddot.teach.exam.states import DrawnState

QUANTITIES = {"M": "M", "C": "C", "Gamma": "christoffel", "h": "h", "G": "G", "P": "P", "tau": "tau"}
NUMERIC = ("M", "C", "G", "h", "tau")  # quantities that can be asked in numbers
MULTIPLIERS = "lambda"
MOST_TERMS = 200  # of the quotients of all coefficients that are written, or of A, which defines them otherwise


class Examined(ABC):
    """This is what an exam asks about.

    eq: the quantities with which answers are compared; short: their short form; links: that of the links alone
    quantities: those that can be asked, by the names in questions; numeric: those that can be asked in numbers
    dependent: the coordinates that follow from others; coefficients: the names of kinematic coefficients
    closed: the loops and wheels of a closed chain
    """

    eq: Quantities
    short: ShortEquations
    links: Textbook
    is_closed = False
    quantities: Mapping[str, str] = QUANTITIES
    numeric: Sequence[str] = NUMERIC
    dependent: Sequence[str] = ()
    coefficients: Collection[str] = ()
    closed: ClosedModel | None = None

    @property
    def name(self) -> str:
        return self.eq.model.name

    @property
    @abstractmethod
    def lumped(self) -> ShortEquations:
        """Returns the short form with names for constants."""

    @abstractmethod
    def words(self, lang: str) -> Words:
        """Returns the words of an exam on it. raises QddotError: no such language"""

    @abstractmethod
    def state(self, seed: int) -> DrawnState:
        """Returns the state of a seed."""

    @abstractmethod
    def data(self, words: Words, picture: Picture | None) -> Section:
        """Returns the data from which the equations follow."""

    @abstractmethod
    def file(self) -> str:
        """Returns the text of its robot file."""

    def entries(self, name: str) -> Required:
        """Returns the entries that a question requires, with their names."""
        return required_entries(self.eq, (name,))

    def shared(self, name: str, marks: int) -> dict[str, float]:
        """Returns the marks of a formula as a rubric has them, by the name of a quantity or of its entries."""
        return {name: marks}

    def answer(self, name: str, place: tuple[int, ...]) -> Sum:
        """Returns the right answer for an entry of a quantity."""
        array = self.short.array(name)
        return array.written(array.entries[array.places.index(place)])

    def values(self, name: str, state: DrawnState) -> dict[tuple[int, ...], float]:
        """Returns the numbers of a quantity in a state, by their places. raises QddotError: a symbol has no value"""
        return states.values_by_place(self.eq, name, state)


class ExaminedArm(Examined):
    """This is an arm, with equations by one route."""

    def __init__(self, model: Model, route: str, constants: bool) -> None:
        self.short = self.links = Textbook(Quantities(model, route), lumped=constants)
        self.eq = self.links.eq

    @property
    def lumped(self) -> Textbook:
        return self.links if self.links.constants else Textbook(self.eq)

    def words(self, lang: str) -> Words:
        return Words.of(lang, self.links, SENTENCES)

    def state(self, seed: int) -> DrawnState:
        return states.state_of(self.eq.model, seed)

    def data(self, words: Words, picture: Picture | None) -> Section:
        return the_arm.section(self.links, words, picture)

    def file(self) -> str:
        return writing.in_its_frames(self.eq.model)


class ExaminedChain(Examined):
    """This is a closed chain, whose quantities are those along its independent rates.

    has_quotients: whether its coefficients are short enough to be written as quotients, which the question R asks for
    """

    is_closed = True
    quantities = {"phi": "phi", "A": "A", "R": "R"} | QUANTITIES
    numeric = ("A", "R", *NUMERIC, MULTIPLIERS)
    eq: ChainQuantities

    def __init__(self, eq: ChainQuantities, constants: bool) -> None:
        self.eq, self.reduced = eq, eq.reduced
        self.short: ClosedTextbook = self._written(constants)
        self.links = Textbook(self.reduced.tree, lumped=False)
        of = self.reduced.coefficients
        terms = sum(len(side) for each in (*of.first_named, *of.second_named) for side in each[1:])
        self.has_quotients = not of.implied_rows and terms <= MOST_TERMS
        if not self.has_quotients:
            self.quantities = {name: each for name, each in self.quantities.items() if name != "R"}
        self.dependent, self.closed = self.reduced.dependent, self.reduced.model
        self.coefficients = {*of.names.values(), *of.slopes.values()}

    def _written(self, lumped: bool) -> ClosedTextbook:
        return ClosedTextbook(self.reduced, ("M", "h", "G"), lumped=lumped)

    @cached_property
    def lumped(self) -> ClosedTextbook:
        return self.short if self.short.constants else self._written(True)

    def words(self, lang: str) -> Words:
        own = {each: OF_CHAINS[each] | SENTENCES_OF_CHAINS[each] for each in SENTENCES_OF_CHAINS}
        return closed_sections.of_conditions(self.reduced, Words.of(lang, self.links, own))

    def state(self, seed: int) -> DrawnState:
        from qddot.teach.exam import chain_states

        return chain_states.state_of(self.eq, seed)

    def data(self, words: Words, picture: Picture | None) -> Section:
        arm = the_arm.section(self.links, words, picture)
        return arm._replace(blocks=(*arm.blocks, *closed_sections.closing(self.reduced, words), self._names(words)))

    def _names(self, words: Words) -> Paragraph:
        """Returns the sentence on the independent coordinates and the names of kinematic coefficients."""
        letter = closed_sections.letter_of(self.reduced)
        names = {"first": words.formula(f"{letter}_kj"), "second": words.formula(f"{letter}_{{kj,l}}")}
        return words.paragraph("names", independent=symbols(closed_sections.independent(self.reduced)), **names)

    def answer(self, name: str, place: tuple[int, ...]) -> Sum:
        written = super().answer(name, place)
        names = {atom.text for atom in written.atoms() if isinstance(atom, Symbol)} if name == "R" else set()
        quotients = definitions(self.reduced.coefficients, names, lambda array: array).sums
        return next((quotients[each] for each in names if each in quotients), written)

    def file(self) -> str:
        return loop_tables.dumps(self.reduced.model, independent=self.reduced.independent)

    def entries(self, name: str) -> Required:
        if name == MULTIPLIERS:
            return {(name, (k,)): f"{name}{k + 1}" for k in range(len(self.reduced.choice.conditions))}
        entries = super().entries(name)
        if name != "R":
            return entries
        # the rows of the independent coordinates are known
        return {key: each for key, each in entries.items() if key[1][0] in self.reduced.choice.dependent}

    def shared(self, name: str, marks: int) -> dict[str, float]:
        if name != "R":
            return super().shared(name, marks)
        entries = list(self.entries(name).values())
        return dict.fromkeys(entries, round(marks / len(entries), 2))

    def values(self, name: str, state: DrawnState) -> dict[tuple[int, ...], float]:
        if name == MULTIPLIERS:
            from qddot.teach.exam import chain_states

            return {(k,): value for k, value in enumerate(chain_states.multipliers(self.eq, state))}
        return super().values(name, state)
