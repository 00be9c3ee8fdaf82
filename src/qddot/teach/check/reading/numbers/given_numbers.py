"""Sets apart what an answer says in numbers: values of symbols, its states, and quantities in these."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from qddot.algebra.numbers.floats import Floats
from qddot.base.errors import ExpressionError
from qddot.base.words.message import say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.answer import EQUATION, NumberInState, Place
from qddot.teach.check.reading.exact.evaluation import CIRCULAR, Evaluation
from qddot.teach.check.reading.exact.needs import Needs
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.names.stated_values import StatedValue
from qddot.teach.check.reading.numbers.context import Context
from qddot.teach.check.reading.numbers.given_values import (
    GivenTorque,
    NoAccelerations,
    NumberInOneState,
    ValueOfSymbol,
    assigned_column,
    assigned_value,
)
from qddot.teach.check.reading.numbers.numbers_in_states import StateInFloats, is_right, numbers_in_states
from qddot.teach.check.reading.numbers.worked_states import (
    Forms,
    WorkedState,
    has_decimals,
    in_numbers,
    motion_in_state,
)
from qddot.teach.check.reading.statements.arrays import Parsed
from qddot.teach.check.reading.statements.claims import Balance, Claim
from qddot.teach.check.reading.statements.laws import is_holding_law
from qddot.teach.check.reading.statements.left_out import LeftOut
from qddot.teach.check.reading.statements.trees import Trees
from qddot.teach.check.reading.statements.written_numbers import is_value
from qddot.teach.check.reading.syntax import Call, Meaning, Name, Node, Number, Product, Tree, mapped, walk
from qddot.teach.check.reading.texts.written import Written


class GivenNumbers:
    """These are the numbers that one answer gives.

    values: of symbols, from equations; stated: also from comments and words
    states: of coordinates, rates and accelerations; numbers: the entries of which the answer has the numbers in a state
    wrong_numbers: those that are wrong
    accelerates: whether it does not say q̈ = 0
    in_degrees: the names of coordinates that a program sets to degrees, with their meanings, 180/π q
    """

    def __init__(self, eq: Quantities, trees: Trees, left_out: LeftOut, context: Context) -> None:
        self.eq, self.trees, self.left_out, self.context = eq, trees, left_out, context
        self.names, self._note = trees.names, trees.vocabulary.notes.add
        self.values: dict[str, Fraction] = {}
        self.stated: dict[str, StatedValue] = dict(context.values)
        self.states = list(context.states) or [WorkedState()]
        self.numbers: set[tuple[str, Place]] = set()
        self.wrong_numbers: list[NumberInState] = []
        self.accelerates = True
        self.in_degrees: dict[str, Written] = {}

    def without_numbers(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims that are formulas; the others are noted, or listed as not read."""
        with_formulas = {claim.left.head for claim in claims if claim.left.indices and not is_value(claim)}
        formulas = [claim for claim in claims if not self._take_value(claim, with_formulas)]
        formulas = [claim for claim in formulas if not self._take_column(claim)]
        forms = Forms.of(formulas)
        formulas = [claim for claim in formulas if not self._compare(claim, forms)]
        return [claim for claim in formulas if not (self.is_still and is_holding_law(claim))]

    def _take_value(self, claim: Claim, with_formulas: Collection[str]) -> bool:
        """Takes the value of a claim that only sets a symbol, a coordinate or a torque; returns whether it is one.

        with_formulas: letters of which other entries are formulas, so that φ_1 = 0 is an entry, too
        """
        match assigned_value(claim, self.names, self.values):
            case None:
                return False
            case NumberInOneState(meaning, number):
                if number is not None and claim.left.head in with_formulas and candidates(claim.left):
                    return False
                self._note_claim("reading-state", claim)
                if number is not None:
                    self._add_number(claim.left.key, meaning, number, claim)
            case NoAccelerations():
                self._note_claim("reading-without-accelerations", claim)
                self.accelerates = False
            case GivenTorque():
                self._note_claim("reading-given-torque", claim)
            case ValueOfSymbol(symbol, stated):
                if stated is not None:
                    self.values[symbol], self.stated[symbol] = stated.value, stated
        return True

    def _take_column(self, claim: Claim) -> bool:
        """Takes the numbers if a claim only sets all coordinates, rates or accelerations; returns whether it does."""
        column = assigned_column(claim, self.names)
        for k, (meaning, number) in enumerate(column, 1):
            self._add_number(f"{claim.left.key}{k}", meaning, number, claim)
        if column:
            self._note_claim("reading-state", claim)
        return bool(column)

    def _note_claim(self, key: str, claim: Claim) -> None:
        self._note(say(key, text=claim.text[:60], where=claim.where))

    def _add_number(self, key: str, meaning: Meaning, number: float, claim: Claim) -> None:
        """Adds a number to the state; in a program, a name that is set to degrees then means 180/π q."""
        in_degrees = self.context.format.is_program and self._is_in_degrees(meaning, number)
        self._add_to_state(meaning, math.radians(number) if in_degrees else number)
        if in_degrees and not self.context.has_functions_of_degrees:
            self.in_degrees[key] = Written(f"180/pi*{meaning.name}", part=claim.text)
            self._note(say("reading-number-of-degrees", text=claim.text, where=claim.where))

    def _is_in_degrees(self, meaning: Meaning, number: float) -> bool:
        """Returns whether a number for a joint's angle is whole and exceeds 2π in size, so that it is in degrees."""
        turns = meaning.kind == "coordinate" and meaning.name in self.eq.ring.turning.coordinates
        return turns and abs(number) > math.tau and number == round(number)

    @property
    def is_still(self) -> bool:
        """Returns whether the arm is at rest, according to words or to the answer's state."""
        return self.context.at_rest or any(state.is_at_rest(self.eq) for state in self.states)

    def lacks(self, asked: Collection[str]) -> Collection[str]:
        """Returns the kinds of motion that torques lack at rest, or if velocity terms are left out and not required."""
        if self.is_still:
            return ("qd", "qdd")
        is_asked = not asked or {"tau", "h", "bias", "C", EQUATION} & set(asked)
        return ("qd",) if self.context.is_slow and not is_asked else ()

    def _add_to_state(self, meaning: Meaning, number: float) -> None:
        last = self.states[-1]
        self.states[len(self.states) - (not last.has_other(meaning, number)) :] = [last.with_number(meaning, number)]

    def without_motions(self, balances: Sequence[Balance]) -> list[Balance]:
        """Returns the equations without those that only set rates or accelerations, whose numbers a state takes."""
        motions = [motion_in_state(balance, self.names) for balance in balances]
        for meaning, number in (each for motion in motions for each in motion):
            self._add_to_state(meaning, number)
        return [balance for balance, motion in zip(balances, motions, strict=True) if not motion]

    def _compare(self, claim: Claim, forms: Forms) -> bool:
        """Compares a claim with a quantity's numbers in a state of the answer; returns whether it is one of numbers."""
        states_of_answer = [state for state in self.states if state.coordinate]
        if not states_of_answer or not in_numbers(claim):
            return False
        is_decimal = has_decimals(claim) or forms.has_zero_in_state(claim)
        is_step = forms.in_numbers[claim.left] > 1
        if not (is_decimal or is_step or forms.has_in_symbols(claim)):
            return False
        try:
            tree = self.trees.tree(claim)
            calculations = [_floats(tree, self.eq), _floats(tree, self.eq, in_degrees=True)]
        except ExpressionError as error:
            if is_decimal:
                self.left_out.claim(claim, error)
            return is_decimal
        states = [self._in_floats(state) for state in states_of_answer]
        try:
            beside = _beside(claim, tree.shape or (), calculations, self.eq, states)
        except ExpressionError as error:
            if is_decimal or is_step:
                self.left_out.add(claim.left.text, claim.where, error)
            return is_decimal or is_step
        wrong = [each for each in beside if not is_right(each)]
        if wrong and not (is_decimal or is_step):
            return False
        self.wrong_numbers += wrong
        self.numbers.update((each.quantity, each.place) for each in beside)
        for quantity in {each.quantity for each in beside}:
            self._note(say("reading-quantity-in-state", name=claim.left.text, where=claim.where, quantity=quantity))
        return bool(beside)

    def _in_floats(self, state: WorkedState) -> StateInFloats:
        confused = state.with_degrees(self.eq.ring.turning.coordinates)
        right, in_degrees = (each.floats(self.eq, self.values, self.is_still) for each in (state, confused))
        return StateInFloats(right, in_degrees, state.named())


def _beside(
    claim: Claim,
    shape: tuple[int, ...],
    calculations: Sequence[Sequence[float]],
    eq: Quantities,
    states: Sequence[StateInFloats],
) -> list[NumberInState]:
    """Returns, of several possible results of a claim, the first one that is right; if none is, the first one."""
    compared, errors = list[list[NumberInState]](), list[ExpressionError]()
    for numbers in calculations:
        try:
            compared.append(numbers_in_states(claim, shape, numbers, eq, states))
        except ExpressionError as error:
            errors.append(error)
        if compared and all(map(is_right, compared[-1])):
            return compared[-1]
    if errors:
        raise errors[0]
    return compared[0]


def _floats(tree: Parsed, eq: Quantities, in_degrees: bool = False) -> list[float]:
    """Returns the numbers of calculations such as 14.7 cos 30° + 4.9. in_degrees: whether cos 30 means cos 30°"""
    entries = [Tree(mapped(node, _of_degrees) if in_degrees else node, written) for node, written in tree.entries]
    needs = Needs(eq.ring, {}, {})
    needs.add(node for node, _ in entries)
    evaluation, nothing = Evaluation(needs.widened(), {}), Floats({}, {}, {}, {})
    return [float(evaluation.value(entry).numerator.evaluate(nothing)) for entry in entries]


def _of_degrees(node: Node) -> Node | None:
    """Returns the cosine or sine of a number as that of a number of degrees."""
    if not isinstance(node, Call) or node.function not in CIRCULAR:
        return None
    if any(isinstance(each, Name) for each in walk(node)):  # π, or the sign of degrees
        return node
    pi = Name(node.span, "pi", Meaning("pi"))
    factors = ((1, node.argument), (1, pi), (-1, Number(node.span, Fraction(180))))
    return replace(node, argument=Product(node.span, factors))
