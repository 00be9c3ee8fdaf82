"""Turns claims into entries: finds the answer's own names, parses, widens the ring, computes and sorts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from qddot.check.reading.answer import Answer, Entry
from qddot.check.reading.any_link import for_each_link
from qddot.check.reading.arm_names import ArmNames, plain
from qddot.check.reading.claimed_quantities import Sorting
from qddot.check.reading.claims import Balance, Claim, Leaf, balance_of
from qddot.check.reading.computed import Computed, grouped
from qddot.check.reading.equations import Fault
from qddot.check.reading.evaluation import Evaluation
from qddot.check.reading.general import (
    is_harmless,
    is_short_form,
    without_corrected,
)
from qddot.check.reading.given_numbers import GivenNumbers
from qddot.check.reading.given_values import is_base
from qddot.check.reading.legends import without_legends
from qddot.check.reading.lexemes import Lexeme, word_of
from qddot.check.reading.meanings import Meanings
from qddot.check.reading.motion import drive_symbol
from qddot.check.reading.naming import Naming
from qddot.check.reading.needs import Needs
from qddot.check.reading.other_names import names_in, with_sign
from qddot.check.reading.own_names import Definitions
from qddot.check.reading.parsing import Parsing
from qddot.check.reading.stated_values import suspected
from qddot.check.reading.syntax import MOTIONS, Node
from qddot.check.reading.trees import Parsed, Trees
from qddot.check.reading.unit_vectors import defined_rate, in_components, squared_speed, velocity_of
from qddot.check.reading.vocabulary import Vocabulary
from qddot.check.reading.written import Written
from qddot.equations.centres import Centres
from qddot.equations.quantities import Quantities
from qddot.errors import ExactnessError, ExpressionError
from qddot.numbers.polynomials.exact import Polynomial, Ring
from qddot.printing.notation import spelled

QUANTITIES = "M, C, B, C2, h, G, tau, K, P, L, T, J, christoffel, U_ijk, or an entry such as M12"
ENTRY = re.compile(r"(?P<letter>[^\W\d]+)\s*[\[(]")  # such as C[i, j]
Item = Claim | Balance | Fault


class Reader:
    """This reads one answer about one arm's equations.

    rename: the meanings of names that the arm lacks, as expressions in its own names
    zero_based: whether indices in square brackets count from 0, as in Python
    primes: whether a prime after a name is a time derivative, rather than MATLAB's transposition
    asked: the required quantities
    """

    def __init__(
        self,
        eq: Quantities,
        rename: Mapping[str, str] | None = None,
        zero_based: bool = False,
        primes: bool = True,
        asked: Collection[str] = (),
    ) -> None:
        self.eq, self.asked = eq, asked
        self.ring = _with_centres(eq)
        self.names = ArmNames(self.ring)
        occurring = {key for name in ("M", "h", "G") for entry in eq.array(name).entries for key in entry.variables()}
        self.names.add_inertias(occurring)
        self.renamed = {
            plain(spelled(str(name))): Written(str(value), part=f"rename {name}")
            for name, value in (rename or {}).items()
        }
        self.vocabulary = Vocabulary(self.names, self.renamed, primes=primes)
        self.naming = Naming(self.names, self.vocabulary, self.renamed, eq.model, zero_based)
        self.driven: int | None = None  # the joint at which the only torque acts, if words say so
        self.steps: list[Computed] = []
        defined = self.naming.defined
        self.trees = Trees(eq, self.vocabulary, self.renamed, defined)
        self.parsing = Parsing(self.trees, self.names, self.vocabulary, defined, self.naming.alias_claims)
        self.given = GivenNumbers(eq, self.trees, self.parsing, self.renamed)

    def answer(self, items: Sequence[Item]) -> Answer:
        """Returns the items as entries of quantities; unreadable parts are listed.

        raises ExpressionError: no part can be read; it has the place of the first fault
        """
        for fault in (item for item in items if isinstance(item, Fault)):
            self.parsing.leave(fault.text, fault.where, fault.error)
        claims = [each for item in items if isinstance(item, Claim) for each in for_each_link(item, self.names)]
        balances = [item for item in items if isinstance(item, Balance)]
        balances = [balance for balance in balances if not self.given.is_motion(balance)]
        named = {claim.left.key for claim in claims}
        velocities = [
            velocity_of(balance, self.names)
            or squared_speed(balance, self.names, named)
            or defined_rate(balance, self.names, claims)
            for balance in balances
        ]
        balances = [balance for balance, velocity in zip(balances, velocities, strict=True) if velocity is None]
        claims = [claim for claim in (*claims, *velocities) if claim is not None and not is_base(claim)]
        own = {claim.left.key for claim in claims}
        claims = without_legends(claims, self.names, self.vocabulary.note)
        claims = [in_components(claim, self.names, own) for claim in claims]
        claims = [claim._replace(left=self.naming.with_letter(self.naming.of_tool(claim.left))) for claim in claims]
        self.naming.find_base(claims)
        self.trees.zero_based = self.naming.zero_based
        claims = [claim._replace(left=self.naming.counted_from_one(claim.left)) for claim in claims]
        claims = self.naming.with_drives(claims)
        claims = self.given.without_numbers(claims)
        claims = self.naming.without_weak(without_corrected(claims, self.vocabulary.note))
        self.naming.find_aliases(claims)
        claims = [with_sign(claim, balances, claims) for claim in claims]
        moving = [claim for claim in claims if self.naming.is_acceleration(claim)]
        claims = [claim for claim in claims if claim not in moving]
        balances += [balance_of(claim) for claim in moving]
        self.naming.find_own_names(claims)
        self.naming.find_lowered(
            [*(leaf for c in claims for leaf in c.leaves), *(leaf for b in balances for leaf in b.sides)]
        )
        claims = self.naming.without_foreign(claims)
        self._find_single_drive([*(leaf for claim in claims for leaf in claim.leaves)], balances)
        parsed = [each for claim in claims for each in self.parsing.claim(claim)]
        parsed += [each for balance in balances for each in self.parsing.balance(balance)]
        if "C" in self.asked and not any(claim.left.head == "C" for claim in claims):
            parsed += [each for balance in balances for each in self.parsing.coriolis(balance)]
        definitions, parsed = self.parsing.definitions(parsed)
        evaluation = self._evaluation([node for each in parsed for node, _ in each.entries], definitions)
        computed = [computed for each in parsed for computed in self._computed(each, evaluation)]
        in_unread = self.parsing.names_in_unread & set(self.naming.defined)
        used = {*definitions.by_name, *self.parsing.arrays_used, *in_unread}
        return self._sorted(computed, evaluation, used, definitions.derived, claims)

    # the answer's own names

    def _find_single_drive(self, leaves: Sequence[Leaf], balances: Sequence[Balance]) -> None:
        """Decides whether u or τ without an index is the torque of one joint: whether there is no column beside it."""
        texts = [leaf.lexemes for leaf in leaves] + [[*a.lexemes, *b.lexemes] for (a, b), *_ in balances]
        texts = [text for text in texts if any(self._is_vector(each, "drive") for each in text)]
        columns = ("begin", "[")
        is_column = any(
            each.kind in columns or any(self._is_vector(each, kind) for kind in MOTIONS)
            for text in texts
            for each in text
        )
        if texts and not is_column and self.eq.n > 1:
            self.trees.driven = self.driven if self.driven is not None and self.driven < self.eq.n else 0

    def _is_vector(self, lexeme: Lexeme, kind: str) -> bool:
        if lexeme.kind != "word" or plain(word_of(lexeme)) in self.vocabulary.own:
            return False
        dots = sum(unit.dots for unit in lexeme.data)
        if not dots and (self.names.readings(word_of(lexeme)) or self.names.drive(word_of(lexeme))):
            return False
        meaning = self.names.vector(word_of(lexeme), dots)
        return meaning is not None and meaning.name == kind

    # computing

    def _evaluation(self, nodes: Sequence[Node], definitions: Definitions) -> Evaluation:
        needs = Needs(self.ring, definitions.trees, definitions.angles, partial(drive_symbol, self.ring))
        try:
            needs.add(nodes)
        except ExactnessError as error:
            raise ExpressionError(error.found, expected=error.expected) from None
        evaluation = Evaluation(needs.widened(), definitions.angles, self._energy)
        for key, each in definitions.by_name.items():
            if key in needs.used:
                evaluation.define(key, each)
        return evaluation

    def _energy(self, name: str) -> Polynomial:
        """Returns K, P or L of the arm."""
        return self.eq.in_joint_angles.array(name).entries[0]

    def _computed(self, parsed: Parsed, evaluation: Evaluation) -> list[Computed]:
        try:
            values = tuple(self._value(node, written, evaluation) for node, written in parsed.entries)
        except ExpressionError as error:
            self.parsing.leave_out(parsed.claim, error)
            return []
        return [Computed(parsed.claim, parsed.shape, values)]

    @staticmethod
    def _value(node: Node, written: Written, evaluation: Evaluation) -> Entry:
        value = evaluation.value(node, written)
        text = " ".join(written.text[slice(*node.span)].split())
        where = written.where(node.span[0])
        rounded = evaluation.rounded(node, written)
        return Entry((), value.numerator, value.denominator, text, where, rounded)

    # sorting

    def _sorted(
        self,
        computed: Sequence[Computed],
        evaluation: Evaluation,
        used: set[str],
        derived: set[str],
        claims: Sequence[Claim],
    ) -> Answer:
        required = self.asked if self.given.accelerates else [*self.asked, "bias"]
        stated = self.given.stated
        stated.update(suspected(stated, self.eq.model))
        values = {name: each.value for name, each in stated.items()}
        ring, guesses = evaluation.ring, self.vocabulary.guesses
        meanings = Meanings(self.eq, ring, self.naming.zero_based, guesses, claims, required)
        sorting = Sorting(meanings, values, self.driven, self.given.is_still)
        for each in computed:
            if not each.claim.left.key:
                self._try(partial(sorting.equations.add, each), each)
        named = sorting.recognized.without_given_forces([each for each in computed if each.claim.left.key])
        for group in grouped(named):
            self._add(group, sorting, used, derived)
        self.steps = sorting.recognized.without_agreeing(self.steps)
        for each in sorted(
            self.steps, key=lambda each: (sorting.meanings.step_of(each) is None, sorting.joint_of(each) is None)
        ):
            self._try(partial(sorting.add_step, each), each)
        self._note_unused_renamings(claims, used)
        entries_unread = (ENTRY.match(each.text) for each in self.parsing.unread)
        sorting.partly_unread = {entry["letter"] for entry in entries_unread if entry}
        answer = sorting.answer()
        unconverted = {name: each.written for name, each in stated.items() if each.written != each.value}
        if not answer.entries and not self.given.numbers:
            raise (
                self.parsing.errors[0]
                if self.parsing.errors
                else ExpressionError("no quantity of the equations in the answer", expected=QUANTITIES)
            )
        if self.given.values:
            listed = ", ".join(f"{name} = {float(value):g}" for name, value in self.given.values.items())
            self.vocabulary.note(f"{listed}: read as values; formulas are judged with symbols")
        return answer._replace(
            unread=tuple(self.parsing.unread),
            guesses=tuple(self.vocabulary.guesses),
            values=values,
            unconverted=unconverted,
            opaque=evaluation.opaque,
            numbers=frozenset() if answer.entries else frozenset(self.given.numbers),
            wrong_numbers=tuple(self.given.wrong_numbers),
            assumed_drive=self.trees.driven if self.driven is None else None,
            has_state=any(state.coordinate or state.rate for state in self.given.states),
        )

    def _try(self, add: partial[None], each: Computed) -> None:
        try:
            add()
        except ExpressionError as error:
            self.parsing.leave(each.claim.left.text, each.claim.where, error)

    def _add(self, group: Sequence[Computed], sorting: Sorting, used: set[str], derived: set[str]) -> None:
        """Adds claims with one letter to the answer, or lists them, unless they are definitions that are used."""
        group = [each for each in group if not each.claim.weak and not sorting.meanings.is_input_matrix(each)]
        group = [each for each in group if not is_short_form(each, self.names, sorting.ring)]
        about = [each for each in group if sorting.meanings.is_about(each, each.claim.left.key in used - derived)]
        self.steps += [each for each in group if each not in about and not self._is_definition(each, used, sorting)]
        if not about:
            return
        try:
            sorting.add(about)
        except ExpressionError as error:
            others = [each for each in about if not (each.shape and sorting.recognized.is_known_step(each))]
            if len(others) < len(about):  # 𝒢_2, a spatial inertia, beside G_2, perhaps with 𝒢_1 = 0
                others = [each for each in others if not sorting.recognized.is_zero_step(each)]
                self._add(others, sorting, used, derived)
                return
            for each in about:
                if sorting.is_torque(each):  # … = C, with a torque that is called C
                    self.steps.append(each)
                elif sorting.recognized.is_other_name(each):
                    continue
                elif each.claim.left.key not in used and not sorting.recognized.is_known_step(each):
                    self.parsing.leave(each.claim.left.text, each.claim.where, error)

    def _is_definition(self, each: Computed, used: set[str], sorting: Sorting) -> bool:
        key = each.claim.left.key
        if key in used:
            if each.shape == () and (step := sorting.meanings.step_of(each)) and step.places:
                sorting.add_step(each)
            if key in self.names.symbols:
                self.vocabulary.note(f"{each.claim.left.text} ({each.claim.where}) replaces the arm's own {key}")
            return True
        return is_harmless(each, self.names, sorting.ring, self.vocabulary.aliases)

    def _note_unused_renamings(self, claims: Iterable[Claim], used: set[str]) -> None:
        names = [name for claim in claims for leaf in claim.leaves for name in names_in(leaf)]
        heads = {claim.left.head for claim in claims}
        for key, written in self.renamed.items():
            if (
                key not in used | heads | self.naming.meant | self.given.in_degrees
                and not any(key in name for name in names)
                and written.text not in heads
            ):
                self.vocabulary.note(f"{key} is renamed but does not occur in the answer")


def _with_centres(eq: Quantities) -> Ring:
    """Returns the arm's ring, with symbols for the centres of mass of links that are described by first moments."""
    names = eq.centres.names.values() if isinstance(eq.centres, Centres) and eq.dynamics.has_bodies else ()
    return eq.ring.extended(name for centre in names for name in centre) if names else eq.ring
