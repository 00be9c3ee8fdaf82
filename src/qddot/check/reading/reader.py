"""Turns claims into entries: parses them, widens the ring, computes, and says which quantity each one is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from qddot.check.reading.answer import Answer, Unread
from qddot.check.reading.any_link import for_each_link, is_of_any_link
from qddot.check.reading.arm_names import ArmNames, plain
from qddot.check.reading.claimed_quantities import Sorting
from qddot.check.reading.claims import Balance, Claim, Leaf, balance_of, has_zero_index
from qddot.check.reading.components import components
from qddot.check.reading.computed import Computed, Value, grouped
from qddot.check.reading.derivatives import has_energy, is_of_arm
from qddot.check.reading.equations import Fault
from qddot.check.reading.evaluation import Evaluation
from qddot.check.reading.general import (
    is_general,
    is_harmless,
    is_in_words,
    is_short_form,
    names_itself,
    without_corrected,
)
from qddot.check.reading.given_values import given_value, is_base
from qddot.check.reading.laws import (
    holds,
    is_combination,
    is_notation,
    is_power,
    is_rate_of_energy,
    is_rate_of_momentum,
    is_skewness,
)
from qddot.check.reading.left_sides import Left, is_left, left_of, names_in_column
from qddot.check.reading.letters import CALLED, LETTERS, candidates, is_sure
from qddot.check.reading.lexemes import Lexeme, lexemes, word_of
from qddot.check.reading.motion import drive_symbol
from qddot.check.reading.needs import Needs
from qddot.check.reading.other_names import alias, drives, names_in, with_sign, with_torques
from qddot.check.reading.own_names import Definitions
from qddot.check.reading.stated_values import Stated, suspected
from qddot.check.reading.syntax import MOTIONS, Meaning, Node
from qddot.check.reading.told_names import derivatives_of
from qddot.check.reading.trees import Parsed, Trees, is_array, rows_of
from qddot.check.reading.unit_vectors import in_components
from qddot.check.reading.vocabulary import Vocabulary
from qddot.check.reading.worked_states import WorkedState, in_numbers, quantity_in_state
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities
from qddot.errors import ExactnessError, ExpressionError
from qddot.numbers.polynomials.exact import Polynomial
from qddot.printing.notation import spelled

QUANTITIES = "M, C, B, C2, h, G, tau, K, P, L, T, J, christoffel, U_ijk, or an entry such as M12"
Item = Claim | Balance | Fault


class Reader:
    """This reads one answer on one arm's equations.

    rename: what names mean that the arm does not have, as expressions in its own names
    zero_based: whether indices in square brackets count from 0, as in Python
    primes: whether a prime behind a name is a derivative by time, rather than the transposition of MATLAB
    asked: the quantities that the question asks for
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
        given = (rename or {}).items()
        self.renamed = {plain(spelled(str(name))): Written(str(value), part=f"rename {name}") for name, value in given}
        self.defined: dict[str, Claim] = {}
        self.vocabulary = Vocabulary(self.names, self.renamed, primes=primes)
        self.meant: set[str] = set()
        self.steps: list[Computed] = []
        self.unread: list[Unread] = []
        self.errors: list[ExpressionError] = []
        self.values: dict[str, Fraction] = {}
        self.stated: dict[str, Stated] = {}  # in comments and in words, too
        self.state = WorkedState()
        self.arrays_used: set[str] = set()
        self.alias_claims: set[str] = set()
        self.trees = Trees(eq, self.vocabulary, self.renamed, self.defined)

    def answer(self, items: Sequence[Item]) -> Answer:
        """Returns the items as entries of quantities; what cannot be read is listed.

        raises ExpressionError: nothing of it can be read; then with the place of the first fault
        """
        for fault in (item for item in items if isinstance(item, Fault)):
            self._leave(fault.text, fault.where, fault.error)
        claims = [each for item in items if isinstance(item, Claim) for each in for_each_link(item, self.names)]
        claims = [claim for claim in claims if not is_base(claim)]
        own = {claim.left.key for claim in claims}
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
        self._find_single_drive([*(leaf for claim in claims for leaf in claim.leaves)], balances)
        parsed = [each for claim in claims for each in self._parsed(claim)]
        parsed += [each for balance in balances for each in self._parsed_balance(balance)]
        definitions, parsed = self._definitions(parsed)
        evaluation = self._evaluation([node for each in parsed for node, _ in each.entries], definitions)
        computed = [computed for each in parsed for computed in self._computed(each, evaluation)]
        used = {*definitions.found, *self.arrays_used}
        return self._sorted(computed, evaluation, used, definitions.derived, claims)

    # which names are of the answer's own

    def _of_tool(self, left: Left) -> Left:
        """Returns a left side T_3 with the name of the tool's pose, where an arm has two links, as Craig writes it."""
        frames = [k for k in (left.indices or left.cell) if k]
        if left.head != "T" or frames != [len(self.eq.model.bodies) + 1]:
            return left
        return left._replace(head="Ttool", indices=(), cell=())

    def _with_letter(self, left: Left) -> Left:
        """Returns a left side with the name of the quantity or the entry that it was renamed to."""
        written = self.renamed.get(left.head)
        if written is not None and written.text in LETTERS:
            return left._replace(head=written.text)
        written = self.renamed.get(left.key)
        signs = lexemes(written) if written is not None else []
        if written is None or not signs or not is_left(signs):
            return left
        meant = left_of(signs, written)
        if not candidates(meant) or not meant.indices:
            return left
        self.meant.add(left.key)
        self.vocabulary.note(f"{left.text} is read as {written.text.strip()}, as renamed")
        return meant._replace(text=left.text)

    def _with_drives(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims with τ_k in the place of the answer's own names for the torques of joints."""
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
        """Finds out whether M[0][1] or M[1,2] is meant by square brackets."""
        squares = [claim.left for claim in claims if claim.left.square and candidates(claim.left)]
        zeros = any(has_zero_index(leaf) for claim in claims for leaf in claim.leaves)
        if zeros or any(left.doubled or 0 in left.cell for left in squares):
            self.zero_based = True
        elif squares and not self.zero_based:
            self.vocabulary.note(f"the indices of {squares[0].text} are read as counted from 1")
        self.vocabulary.zero_based = self.trees.zero_based = self.zero_based

    def _counted_from_one(self, left: Left) -> Left:
        """Returns the left side M[0,1] with the key M12, by which expressions refer to it."""
        if not (self.zero_based and left.square) or left.doubled or not left.cell:
            return left
        stem = left.key.removesuffix("".join(map(str, left.cell)))
        return left._replace(key=stem + "".join(str(k + 1) for k in left.cell))

    def _is_value(self, claim: Claim) -> bool:
        """Returns whether a claim only gives a symbol its value, or a coordinate or a torque one, and notes it."""
        given = given_value(claim, self.names, self.values)
        if given is None:
            return False
        if given.note:
            self.vocabulary.note(given.note)
        self.accelerates = self.accelerates and not given.without_accelerations
        if given.in_state is not None:
            self.state.add(claim, self.names, given.in_state)
        if given.stated is not None:
            self.values[given.symbol] = given.stated.value
            self.stated[given.symbol] = given.stated
        return True

    def _is_value_in_state(self, claim: Claim) -> bool:
        """Returns whether a claim has a quantity's numbers in the state that is given, and notes or lists it."""
        if not self.state.coordinate or not in_numbers(claim):
            return False
        try:
            tree = self.trees.tree(claim)
            plain_numbers = Evaluation(self.eq.ring, {})
            values = [plain_numbers.value(node, written).numerator for node, written in tree.entries]
            numbers = [float(next(iter(value.terms()))[1]) if value else 0.0 for value in values]
            state = self.state.floats(self.eq, self.values)
            quantity = quantity_in_state(claim, tree.shape or (), numbers, self.eq, state)
        except ExpressionError as error:
            self._leave(claim.left.text, claim.where, error)
            return True
        if quantity:
            self.vocabulary.note(f"{claim.left.text} ({claim.where}) is read as {quantity} in the given state")
        return bool(quantity)

    def _is_acceleration(self, claim: Claim) -> bool:
        name = claim.left.key if claim.left.cell else claim.left.text
        readings = self.names.readings(name) or [self.vocabulary.aliases.get(plain(name), Meaning(""))]
        return [each.kind for each in readings] == ["acceleration"] and plain(name) not in self.alias_claims

    def _find_aliases(self, claims: Sequence[Claim]) -> None:
        """Finds other names for coordinates and rates, as x2 = xdot, with the names of their derivatives."""
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
        """Finds the names that the answer defines; what it defines comes before the names of quantities."""
        for claim in claims:
            left = claim.left
            known = bool(self.names.readings(left.text))
            if left.key in self.alias_claims or left.key in self.renamed:
                continue
            if (is_sure(left) and known) or names_itself(claim) or left.key in self.names.exact:
                continue
            if left.key in self.names.symbols and (left.arguments or is_array(claim)):
                if left.arguments:
                    self.defined[f"{left.key}()"] = claim  # g(q) = […] beside the symbol g
                continue
            self.defined[left.key] = claim
            self.vocabulary.squared |= {left.key} if left.squared else set()
        self.vocabulary.own = {*self.renamed, *self.defined}

    def _find_single_drive(self, leaves: Sequence[Leaf], balances: Sequence[Balance]) -> None:
        """Finds out whether u or τ without an index is the torque of one joint: no column stands beside it."""
        texts = [leaf.lexemes for leaf in leaves] + [[*a.lexemes, *b.lexemes] for (a, b), *_ in balances]
        texts = [text for text in texts if any(self._is_vector(each, "drive") for each in text)]
        columns = ("begin", "[")
        is_column = any(
            each.kind in columns or any(self._is_vector(each, kind) for kind in MOTIONS)
            for text in texts
            for each in text
        )
        self.trees.single_drive = bool(texts) and not is_column and self.eq.n > 1

    def _is_vector(self, lexeme: Lexeme, kind: str) -> bool:
        if lexeme.kind != "word" or plain(word_of(lexeme)) in self.vocabulary.own:
            return False
        dots = sum(unit.dots for unit in lexeme.data)
        if not dots and (self.names.readings(word_of(lexeme)) or self.names.drive(word_of(lexeme))):
            return False
        meaning = self.names.vector(word_of(lexeme), dots)
        return meaning is not None and meaning.name == kind

    # parsing

    def _parsed(self, claim: Claim) -> list[Parsed]:
        """Returns the claim parsed; one that does not parse is listed, or noted as a step or a general formula."""
        if names_itself(claim) or claim.left.key in self.alias_claims:
            return []
        if is_in_words(claim):
            self.vocabulary.note(f"{claim.text[:60]} ({claim.where}) is read as a sentence")
            return []
        self.trees.opened.clear()
        try:
            tree = self.trees.tree(claim)
        except ExpressionError as error:
            self._leave_out(claim, error)
            return []
        if not claim.steps and claim.name is not None and any(has_energy(node) for node, _ in tree.entries):
            if holds(claim.name, claim.leaves[0]) or self._is_own_combination(claim):  # it says nothing of this arm
                self._note_general(claim.left.text, claim.where)
                return []
            if any(is_of_arm(node) for node, _ in tree.entries):
                self._leave(
                    claim.left.text, claim.where, ExpressionError("a general law that does not hold", expected="L")
                )
                return []
        self.arrays_used |= self.trees.opened
        return [tree]

    def _parsed_balance(self, balance: Balance) -> list[Parsed]:
        """Returns what stands on one side of an equation less what stands on the other, row by row."""
        if is_power(*balance.sides):
            self._note_general(balance.text, balance.where)
            return []
        self.trees.opened.clear()
        if is_rate_of_energy(balance.sides[0]) and (power := self._parsed_column(balance)):
            return power
        try:
            left, right = (components(self.trees.node(side, blanks_part=False), side.written) for side in balance.sides)
            rows = list(rows_of(left, right, balance.where))
        except ExpressionError as error:
            if column := self._parsed_column(balance):
                return column
            self._leave_out_balance(balance, error)
            return []
        self.arrays_used |= self.trees.opened
        if speeds := self._parsed_column(balance, rows):
            return speeds
        of_energy = any(map(is_of_arm, rows))
        if of_energy and holds(*balance.sides):
            self._note_general(balance.text, balance.where)
            return []
        written = balance.sides[0].written
        claim = Claim(Left("", balance.text, "", ()), (), (), balance.where, steps=False, strict=balance.strict)
        claim = claim._replace(of_energy=of_energy)
        return [Parsed(claim._replace(text=balance.text), (len(rows),), tuple((row, written) for row in rows))]

    def _parsed_column(self, balance: Balance, rows: Sequence[Node] = ()) -> list[Parsed]:
        """Returns what a column of names says of each of them, as (x, y) = … does, or nothing if it is none.

        rows: the differences of both sides, where the names are those of the answer
        """
        left, right = balance.sides
        names = list(names_in_column(left.lexemes, left.written))
        if not names or names[0].dots > 1 or any(map(self._moves, names)):
            return []
        try:
            whole = components(self.trees.node(right, blanks_part=False), right.written)
        except ExpressionError:
            return []
        if len(whole.entries) != len(names):
            return []
        claim = Claim(names[0], (), (), balance.where, steps=False, strict=True, text=balance.text)
        entries = [(entry, right.written) for entry in whole.entries]
        if names[0].dots:
            speeds = claim._replace(left=Left("", balance.text, "", ()), speeds=tuple(names))
            return [Parsed(speeds, (len(names),), (*((row, left.written) for row in rows), *entries))]
        pairs = zip(names, entries, strict=True)
        return [Parsed(claim._replace(left=name), (), (entry,)) for name, entry in pairs]

    def _moves(self, left: Left) -> bool:
        """Returns whether a name is that of a coordinate of the arm."""
        return self.names.coordinate(left.key) is not None and left.key not in self.defined

    def _leave_out_balance(self, balance: Balance, error: ExpressionError) -> None:
        if (
            is_general(balance.sides)
            or holds(*balance.sides)
            or is_notation(*balance.sides)
            or is_skewness(*balance.sides)
        ):
            self._note_general(balance.text, balance.where)
        else:
            self._leave(balance.text, balance.where, error)

    def _leave_out(self, claim: Claim, error: ExpressionError) -> None:
        name = claim.name
        if claim.steps:
            self.vocabulary.note(f"a step of {claim.left.text} ({claim.where}) is left out: {error.found}")
        elif name is not None and (
            self._is_law(claim, name) or is_of_any_link(claim, self.names) or self._is_own_combination(claim)
        ):
            self._note_general(claim.left.text, claim.where)
        else:
            self._leave(claim.left.text, claim.where, error)

    def _note_general(self, text: str, where: str) -> None:
        self.vocabulary.note(f"{text[:60]} ({where}) is left out: a general formula")

    def _is_law(self, claim: Claim, name: Leaf) -> bool:
        """Returns whether a claim is about every arm: it is general and names no entry, or it is a law that holds."""
        names_entry = bool(claim.shape or claim.left.indices or claim.left.cell)
        general = not names_entry and is_general((name, *claim.leaves))
        return general or (len(claim.leaves) == 1 and holds(name, claim.leaves[0]))

    def _is_own_combination(self, claim: Claim) -> bool:
        """Returns whether a name that is no quantity's stands for a combination of whole quantities: S = Ṁ − 2C."""
        if len(claim.leaves) != 1:
            return False
        if candidates(claim.left):
            return claim.left.key == "u" and is_rate_of_momentum(claim.leaves[0])
        return is_combination(claim.leaves[0])

    def _leave(self, text: str, where: str, error: ExpressionError) -> None:
        remedy = f"; {error.remedy}" if error.remedy else ""
        self.unread.append(Unread(text, where, f"{error.found}, expected {error.expected}{remedy}"))
        self.errors.append(error)

    # definitions

    def _definitions(self, parsed: Sequence[Parsed]) -> tuple[Definitions, list[Parsed]]:
        """Returns the definitions that are used, and what is left of the claims if some use faulty ones."""
        try:
            return Definitions([node for each in parsed for node, _ in each.entries], self.trees.definition), list(
                parsed
            )
        except ExpressionError:
            kept = []
            for each in parsed:
                try:
                    Definitions([node for node, _ in each.entries], self.trees.definition)
                    kept.append(each)
                except ExpressionError as error:
                    self._leave_out(each.claim, error)
            return Definitions([node for each in kept for node, _ in each.entries], self.trees.definition), kept

    # computing

    def _evaluation(self, nodes: Sequence[Node], definitions: Definitions) -> Evaluation:
        needs = Needs(self.eq.ring, definitions.trees, definitions.angles, partial(drive_symbol, self.eq.ring))
        try:
            needs.add(nodes)
        except ExactnessError as error:
            raise ExpressionError(error.found, expected=error.expected) from None
        evaluation = Evaluation(needs.widened(), definitions.angles, self._energy)
        for key, each in definitions.found.items():
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
            self._leave_out(parsed.claim, error)
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
        asked = self.asked if self.accelerates else [*self.asked, "bias"]
        sorting = Sorting(self.eq, evaluation.ring, self.zero_based, self.vocabulary.guesses, claims, asked)
        self.stated.update(suspected(self.stated, self.eq.model))
        sorting.values = {name: each.value for name, each in self.stated.items()}
        for each in computed:
            if not each.claim.left.key:
                self._try(partial(sorting.add_balance, each), each)
        for group in grouped([each for each in computed if each.claim.left.key]):
            self._add(group, sorting, used, derived)
        self.steps = sorting.without_agreeing(self.steps)
        for each in sorted(self.steps, key=lambda each: sorting.meanings.step_of(each) is None):
            self._try(partial(sorting.add_step, each), each)
        self._note_unused_renamings(claims, used)
        answer = sorting.answer()
        unconverted = {name: each.written for name, each in self.stated.items() if each.written != each.value}
        if not answer.entries:
            raise (
                self.errors[0]
                if self.errors
                else ExpressionError("no quantity of the equations in it", expected=QUANTITIES)
            )
        if self.values:
            told = ", ".join(f"{name} = {float(value):g}" for name, value in self.values.items())
            self.vocabulary.note(f"{told}: read as values; formulas are judged with symbols")
        return answer._replace(
            unread=tuple(self.unread),
            guesses=tuple(self.vocabulary.guesses),
            values=sorting.values,
            unconverted=unconverted,
        )

    def _try(self, add: partial[None], each: Computed) -> None:
        try:
            add()
        except ExpressionError as error:
            self._leave(each.claim.left.text, each.claim.where, error)

    def _add(self, group: Sequence[Computed], sorting: Sorting, used: set[str], derived: set[str]) -> None:
        """Adds claims that have one letter to the answer, or lists them; definitions that are used are neither."""
        group = [each for each in group if not each.claim.weak and not sorting.meanings.is_input_matrix(each)]
        group = [each for each in group if not is_short_form(each, self.names, sorting.ring)]
        about = [each for each in group if sorting.meanings.is_about(each, each.claim.left.key in used - derived)]
        self.steps += [each for each in group if each not in about and not self._is_definition(each, used, sorting)]
        if not about:
            return
        try:
            sorting.add(about)
        except ExpressionError as error:
            for each in about:
                if each.claim.left.key not in used and not sorting.is_known_step(each):
                    self._leave(each.claim.left.text, each.claim.where, error)

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
