"""Turns claims into entries: finds the answer's own names, parses, widens the ring, computes and sorts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from qddot.check.reading.answer import Answer
from qddot.check.reading.any_link import for_each_link
from qddot.check.reading.arm_names import FUNCTIONS, ArmNames, is_run, plain
from qddot.check.reading.claimed_quantities import Sorting
from qddot.check.reading.claims import Balance, Claim, Leaf, balance_of, has_zero_index
from qddot.check.reading.computed import Computed, Value, grouped
from qddot.check.reading.equations import Fault
from qddot.check.reading.evaluation import Evaluation
from qddot.check.reading.general import (
    is_harmless,
    is_short_form,
    names_itself,
    without_corrected,
)
from qddot.check.reading.given_values import assigned_value, is_base
from qddot.check.reading.left_sides import Left, is_left, left_of
from qddot.check.reading.legends import is_legend
from qddot.check.reading.letters import CALLED, LETTERS, candidates, is_sure
from qddot.check.reading.lexemes import Lexeme, lexemes, word_of
from qddot.check.reading.meanings import Meanings
from qddot.check.reading.motion import drive_symbol
from qddot.check.reading.needs import Needs
from qddot.check.reading.other_names import alias, drives, is_moving, names_in, with_sign, with_torques
from qddot.check.reading.own_names import Definitions
from qddot.check.reading.parsing import Parsing
from qddot.check.reading.stated_values import Stated, suspected
from qddot.check.reading.syntax import MOTIONS, Meaning, Node
from qddot.check.reading.told_names import derivatives_of
from qddot.check.reading.trees import Parsed, Trees, is_array
from qddot.check.reading.unit_vectors import in_components
from qddot.check.reading.vocabulary import Vocabulary
from qddot.check.reading.worked_states import WorkedState, in_numbers, quantity_in_states
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities
from qddot.errors import ExactnessError, ExpressionError
from qddot.numbers.polynomials.exact import Polynomial
from qddot.printing.notation import spelled

QUANTITIES = "M, C, B, C2, h, G, tau, K, P, L, T, J, christoffel, U_ijk, or an entry such as M12"
Item = Claim | Balance | Fault

ORDINALS = ("first", "second", "third", "fourth")
DRIVEN = re.compile(  # the torque acts at the second joint only
    rf"(?i)\b(?:torque|force|motor|drive|input)\b[^.\n]{{0,60}}?\b(?:at|on|to)[ \t]+(?:only[ \t]+)?(?:the[ \t]+)?"
    rf"(?:(?P<ordinal>{'|'.join(ORDINALS)})[ \t]+(?:joint|axis)|(?:joint|axis)[ \t]*\$?(?P<number>\d)(?!\d))"
)


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
        self.eq, self.zero_based, self.asked = eq, zero_based, asked
        self.accelerates = True
        self.names = ArmNames(eq.ring)
        occurring = {key for name in ("M", "h", "G") for entry in eq.array(name).entries for key in entry.variables()}
        self.names.add_inertias(occurring)
        self.renamed = {
            plain(spelled(str(name))): Written(str(value), part=f"rename {name}")
            for name, value in (rename or {}).items()
        }
        self.defined: dict[str, Claim] = {}
        self.vocabulary = Vocabulary(self.names, self.renamed, primes=primes)
        self.meant: set[str] = set()
        self.steps: list[Computed] = []
        self.values: dict[str, Fraction] = {}
        self.stated: dict[str, Stated] = {}  # also in comments and in words
        self.states = [WorkedState()]
        self.alias_claims: set[str] = set()
        self.trees = Trees(eq, self.vocabulary, self.renamed, self.defined)
        self.parsing = Parsing(self.trees, self.names, self.vocabulary, self.defined, self.alias_claims)

    def answer(self, items: Sequence[Item]) -> Answer:
        """Returns the items as entries of quantities; unreadable parts are listed.

        raises ExpressionError: no part can be read; it has the place of the first fault
        """
        for fault in (item for item in items if isinstance(item, Fault)):
            self.parsing.leave(fault.text, fault.where, fault.error)
        claims = [each for item in items if isinstance(item, Claim) for each in for_each_link(item, self.names)]
        claims = [claim for claim in claims if not is_base(claim)]
        own = {claim.left.key for claim in claims}
        claims = [claim for claim in claims if not self._is_legend(claim, own)]
        claims = [in_components(claim, self.names, own) for claim in claims]
        claims = [claim._replace(left=self._with_letter(self._of_tool(claim.left))) for claim in claims]
        balances = [item for item in items if isinstance(item, Balance)]
        self._find_base(claims)
        claims = [claim._replace(left=self._counted_from_one(claim.left)) for claim in claims]
        claims = self._with_drives(claims)
        claims = [claim for claim in claims if not self._is_value(claim)]
        claims = [claim for claim in claims if not self._is_value_in_state(claim)]
        claims = self._without_weak(without_corrected(claims, self.vocabulary.note))
        self._find_aliases(claims)
        claims = [with_sign(claim, balances, claims) for claim in claims]
        moving = [claim for claim in claims if self._is_acceleration(claim)]
        claims = [claim for claim in claims if claim not in moving]
        balances += [balance_of(claim) for claim in moving]
        self._find_own_names(claims)
        self._find_lowered(
            [*(leaf for c in claims for leaf in c.leaves), *(leaf for b in balances for leaf in b.sides)]
        )
        claims = self._without_foreign(claims)
        self._find_single_drive([*(leaf for claim in claims for leaf in claim.leaves)], balances)
        parsed = [each for claim in claims for each in self.parsing.claim(claim)]
        parsed += [each for balance in balances for each in self.parsing.balance(balance)]
        definitions, parsed = self.parsing.definitions(parsed)
        evaluation = self._evaluation([node for each in parsed for node, _ in each.entries], definitions)
        computed = [computed for each in parsed for computed in self._computed(each, evaluation)]
        used = {*definitions.by_name, *self.parsing.arrays_used}
        return self._sorted(computed, evaluation, used, definitions.derived, claims)

    # the answer's own names

    def _is_legend(self, claim: Claim, own: Collection[str]) -> bool:
        """Returns whether a claim says in words what a name is, and notes it."""
        said = is_legend(claim, self.names, own)
        if said:
            self.vocabulary.note(f"{claim.text[:60]} ({claim.where}) is read as a sentence")
        return said

    def _of_tool(self, left: Left) -> Left:
        """Returns a left side T_3 of an arm with two links as the tool's pose, which Craig writes so."""
        frames = [k for k in (left.indices or left.cell) if k]
        if left.head != "T" or frames != [len(self.eq.model.bodies) + 1]:
            return left
        return left._replace(head="Ttool", indices=(), cell=())

    def _with_letter(self, left: Left) -> Left:
        """Returns a left side with the name of the quantity or entry to which it was renamed."""
        written = self.renamed.get(left.head)
        if written is not None and written.text in LETTERS:
            return left._replace(head=written.text)
        written = self.renamed.get(left.key)
        signs = lexemes(written) if written is not None else []
        if written is None or not signs or not is_left(signs):
            return left
        target = left_of(signs, written)
        if not candidates(target) or not target.indices:
            return left
        self.meant.add(left.key)
        self.vocabulary.note(f"{left.text} is read as {written.text.strip()}, as renamed")
        return target._replace(text=left.text)

    def _with_drives(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims with τ_k in place of the answer's own names for the torques of joints."""
        meanings = drives(claims, self.names)
        self.vocabulary.aliases.update(meanings)
        for key, meaning in meanings.items():
            self.vocabulary.note(f"{key} is read as {CALLED['tau']} of {meaning.name}")
        return with_torques(claims, meanings, self.names)

    def _without_weak(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims without names at the ends of chains, c = … = h, that are defined or known elsewhere."""
        names, kept = {claim.left.key for claim in claims if not claim.weak}, list[Claim]()
        for claim in claims:
            is_plain = not any(lexeme.kind in ("unknown", "partial") for lexeme in claim.leaves[0].lexemes)
            if not claim.weak or (is_plain and self._is_new(claim.left, names)):
                kept.append(claim)
                names.add(claim.left.key)
        return kept

    def _is_new(self, left: Left, strong: set[str]) -> bool:
        is_known = self.names.readings(left.text) or self.names.drive(left.text) or self.names.vector(left.text, 0)
        return left.key not in strong and not is_known and not (is_sure(left) and left.indices)

    def _find_base(self, claims: Sequence[Claim]) -> None:
        """Decides whether indices in square brackets count from 0, as in M[0][1], or from 1, as in M[1,2]."""
        squares = [claim.left for claim in claims if claim.left.square and candidates(claim.left)]
        zeros = any(has_zero_index(leaf) for claim in claims for leaf in claim.leaves)
        if zeros or any(left.doubled or 0 in left.cell for left in squares):
            self.zero_based = True
        elif squares and not self.zero_based:
            self.vocabulary.note(f"the indices of {squares[0].text} are read as counted from 1")
        self.vocabulary.zero_based = self.trees.zero_based = self.zero_based

    def _counted_from_one(self, left: Left) -> Left:
        """Returns a left side such as M[0,1] with the key M12, which expressions use."""
        if not (self.zero_based and left.square) or left.doubled or not left.cell:
            return left
        stem = left.key.removesuffix("".join(map(str, left.cell)))
        return left._replace(key=stem + "".join(str(k + 1) for k in left.cell))

    def _is_value(self, claim: Claim) -> bool:
        """Returns whether a claim only sets a symbol, a coordinate or a torque to a value, and notes it."""
        assigned = assigned_value(claim, self.names, self.values)
        if assigned is None:
            return False
        if assigned.note:
            self.vocabulary.note(assigned.note)
        self.accelerates = self.accelerates and not assigned.without_accelerations
        if assigned.in_state is not None:
            state = self.states[-1].with_number(claim, self.names, assigned.in_state)
            self.states += [] if state is self.states[-1] else [state]
        if assigned.stated is not None:
            self.values[assigned.symbol] = assigned.stated.value
            self.stated[assigned.symbol] = assigned.stated
        return True

    def _is_value_in_state(self, claim: Claim) -> bool:
        """Returns whether a claim has a quantity's numbers in a state of the answer, and notes or lists it."""
        states_of_answer = [state for state in self.states if state.coordinate]
        if not states_of_answer or not in_numbers(claim):
            return False
        try:
            tree = self.trees.tree(claim)
            plain_numbers = Evaluation(self.eq.ring, {})
            values = [plain_numbers.value(node, written).numerator for node, written in tree.entries]
            numbers = [float(next(iter(value.terms()))[1]) if value else 0.0 for value in values]
            states = [state.floats(self.eq, self.values) for state in states_of_answer]
            quantity = quantity_in_states(claim, tree.shape or (), numbers, self.eq, states)
        except ExpressionError as error:
            self.parsing.leave(claim.left.text, claim.where, error)
            return True
        if quantity:
            self.vocabulary.note(f"{claim.left.text} ({claim.where}) is read as {quantity} in the given state")
        return bool(quantity)

    def _is_acceleration(self, claim: Claim) -> bool:
        name = claim.left.key if claim.left.cell else claim.left.text
        readings = self.names.readings(name) or [self.vocabulary.aliases.get(plain(name), Meaning(""))]
        return [each.kind for each in readings] == ["acceleration"] and plain(name) not in self.alias_claims

    def _find_aliases(self, claims: Sequence[Claim]) -> None:
        """Finds aliases of coordinates and rates, such as x2 = xdot, with the names of their derivatives."""
        for claim in claims:
            key, meaning = claim.left.key, alias(claim, self.names, zero_based=self.zero_based)
            if meaning is None or any(
                self.names.readings(name) not in ([], [meaning]) for name in (key, claim.left.text)
            ):
                continue
            self.vocabulary.aliases[key] = meaning
            self.alias_claims.add(key)
            for name, derivative in derivatives_of(key, meaning):
                if not self.names.readings(name):
                    self.vocabulary.aliases.setdefault(name, derivative)

    def _find_own_names(self, claims: Sequence[Claim]) -> None:
        """Finds the names that the answer defines, which have precedence over the names of quantities."""
        for claim in claims:
            left = claim.left
            is_known = bool(self.names.readings(left.text))
            if left.key in FUNCTIONS or self._is_torque(claim):  # of sin² = (1 − cos 2a)/2
                continue
            if left.key in self.alias_claims or left.key in self.renamed:
                continue
            if (is_sure(left) and is_known) or names_itself(claim) or left.key in self.names.exact:
                continue
            if left.key in self.names.symbols and (left.arguments or is_array(claim)):
                if left.arguments:
                    self.defined[f"{left.key}()"] = claim  # g(q) = […] beside the symbol g
                continue
            self.defined[left.key] = claim
            self.vocabulary.squared |= {left.key} if left.squared else set()
            self.vocabulary.moving |= {left.key} if is_moving(claim, self.names) else set()
        self.vocabulary.own = {*self.renamed, *self.defined}

    def _is_torque(self, claim: Claim) -> bool:
        """Returns whether m l² θ̈ + … = u says what the torque u is, rather than that u is short for that."""
        words = [each for leaf in claim.leaves for each in leaf.lexemes if each.kind == "word"]
        moving = any(sum(unit.dots for unit in word.data) == 2 for word in words)
        is_drive = self.names.drive(claim.left.key) is not None and not claim.left.indices
        return is_drive and not claim.shape and moving

    def _find_lowered(self, leaves: Iterable[Leaf]) -> None:
        """Finds the symbols of letters alone whose index is set low somewhere, as m_r."""
        words = {word_of(lexeme) for leaf in leaves for lexeme in leaf.lexemes if lexeme.kind == "word"}
        low = {plain(word) for word in words if "_" in word}
        self.vocabulary.lowered = {name for name in low if name.isalpha() and name in self.names.plain_symbols}

    def _without_foreign(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims without m_r = J_b/R² where the arm has m_r and lacks the names behind it, and notes it."""
        foreign = [claim for claim in claims if self.defined.get(claim.left.key) is claim and self._is_foreign(claim)]
        for claim in foreign:
            del self.defined[claim.left.key]
            self.vocabulary.note(f"{claim.text[:60]} ({claim.where}) is left out: {claim.left.key} is the arm's own")
        self.vocabulary.own = {*self.renamed, *self.defined}
        return [claim for claim in claims if claim not in foreign]

    def _is_foreign(self, claim: Claim) -> bool:
        if claim.left.key not in self.names.plain_symbols or claim.shape or is_sure(claim.left):
            return False
        names = [word_of(each) for leaf in claim.leaves for each in leaf.lexemes if each.kind == "word"]
        known = (self.names.readings(name) or plain(name) in self.vocabulary.own for name in names)
        return bool(names) and not any(known) and not any(is_run(name, self.names) for name in names)

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
            self.trees.driven = self._driven_joint(leaves, balances)

    def _driven_joint(self, leaves: Sequence[Leaf], balances: Sequence[Balance]) -> int:
        """Returns the joint at which the only torque acts according to the text, by default the first."""
        for leaf in [*leaves, *(leaf for balance in balances for leaf in balance.sides)]:
            if words := DRIVEN.search(leaf.written.text):
                joint = int(words["number"] or 1 + ORDINALS.index(words["ordinal"].lower())) - 1
                return joint if 0 <= joint < self.eq.n else 0
        return 0

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
        needs = Needs(self.eq.ring, definitions.trees, definitions.angles, partial(drive_symbol, self.eq.ring))
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
    def _value(node: Node, written: Written, evaluation: Evaluation) -> Value:
        value = evaluation.value(node, written)
        text = " ".join(written.text[slice(*node.span)].split())
        where = written.where(node.span[0])
        rounded = evaluation.rounded(node, written)
        return Value(value.numerator, value.denominator, text, where, rounded)

    # sorting

    def _sorted(
        self,
        computed: Sequence[Computed],
        evaluation: Evaluation,
        used: set[str],
        derived: set[str],
        claims: Sequence[Claim],
    ) -> Answer:
        required = self.asked if self.accelerates else [*self.asked, "bias"]
        self.stated.update(suspected(self.stated, self.eq.model))
        values = {name: each.value for name, each in self.stated.items()}
        ring, guesses = evaluation.ring, self.vocabulary.guesses
        sorting = Sorting(Meanings(self.eq, ring, self.zero_based, guesses, claims, required), values)
        for each in computed:
            if not each.claim.left.key:
                self._try(partial(sorting.add_balance, each), each)
        for group in grouped([each for each in computed if each.claim.left.key]):
            self._add(group, sorting, used, derived)
        self.steps = sorting.without_agreeing(self.steps)
        for each in sorted(
            self.steps, key=lambda each: (sorting.meanings.step_of(each) is None, sorting.joint_of(each) is None)
        ):
            self._try(partial(sorting.add_step, each), each)
        self._note_unused_renamings(claims, used)
        answer = sorting.answer()
        unconverted = {name: each.written for name, each in self.stated.items() if each.written != each.value}
        if not answer.entries:
            raise (
                self.parsing.errors[0]
                if self.parsing.errors
                else ExpressionError("no quantity of the equations in it", expected=QUANTITIES)
            )
        if self.values:
            listed = ", ".join(f"{name} = {float(value):g}" for name, value in self.values.items())
            self.vocabulary.note(f"{listed}: read as values; formulas are judged with symbols")
        return answer._replace(
            unread=tuple(self.parsing.unread),
            guesses=tuple(self.vocabulary.guesses),
            values=values,
            unconverted=unconverted,
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
            others = [each for each in about if not (each.shape and sorting.is_known_step(each))]
            if len(others) < len(about):  # 𝒢_1, a spatial inertia, beside G_1
                self._add(others, sorting, used, derived)
                return
            for each in about:
                if sorting.is_torque(each):  # … = C, with a torque that is called C
                    self.steps.append(each)
                elif each.claim.left.key not in used and not sorting.is_known_step(each):
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
                key not in used | heads | self.meant
                and not any(key in name for name in names)
                and written.text not in heads
            ):
                self.vocabulary.note(f"{key} is renamed but does not occur in the answer")
