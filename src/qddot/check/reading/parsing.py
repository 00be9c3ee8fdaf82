"""Parses claims and equations to trees; those that do not parse are noted as general, or listed as unread."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from qddot.check.reading.answer import Unread
from qddot.check.reading.any_link import is_of_any_link
from qddot.check.reading.arm_names import ArmNames
from qddot.check.reading.claims import Balance, Claim, Leaf
from qddot.check.reading.components import components
from qddot.check.reading.derivatives import has_energy, is_of_arm
from qddot.check.reading.general import (
    is_general,
    names_itself,
)
from qddot.check.reading.laws import (
    contradicts_christoffel,
    holds,
    is_combination,
    is_law_of_any_arm,
    is_notation,
    is_rate_of_energy,
    is_rate_of_momentum,
    is_skewness,
)
from qddot.check.reading.left_sides import Left, names_in_column
from qddot.check.reading.letters import COLUMNS, candidates
from qddot.check.reading.lexemes import word_of
from qddot.check.reading.other_names import names_in
from qddot.check.reading.own_names import Definitions
from qddot.check.reading.spelling import Unit
from qddot.check.reading.syntax import Name, Node, Number, Sum, children, walk
from qddot.check.reading.trees import Parsed, Trees, rows_of
from qddot.check.reading.vocabulary import Vocabulary
from qddot.errors import ExpressionError

MOST_STATES = 30
OF_SPACE = 3  # components of a vector in space
OF_ORIGIN = "o"  # the superscript of an inertia about the origin of its link's frame, I^o
# parameters of a link, as m_x1 and I^o_xx1, or of a joint, as I_a,q1
INERTIAL = re.compile(r"(?:bar)?(?:(?:m_?[xyz]?|I_?[xyz]{2}|Ia|Fv|Fc)(?:hocho|o)?_?\d+|(?:Ia|Fv|Fc)\w+)")


class Parsing:
    """This parses one answer's claims and equations.

    defined: the claims that define the answer's own names; alias_claims: the names that are only aliases
    unread: the parts that could not be read; errors: the reasons; names_in_unread: the names that occur in them
    arrays_used: the arrays whose entries occur
    """

    def __init__(
        self,
        trees: Trees,
        names: ArmNames,
        vocabulary: Vocabulary,
        defined: Mapping[str, Claim],
        alias_claims: Collection[str],
    ) -> None:
        self.trees, self.names, self.vocabulary = trees, names, vocabulary
        self.defined, self.alias_claims = defined, alias_claims
        self.unread: list[Unread] = []
        self.errors: list[ExpressionError] = []
        self.names_in_unread: set[str] = set()
        self.arrays_used: set[str] = set()
        self.skew_claims: set[str] = set()  # the places of Sᵀ = −S

    def claim(self, claim: Claim) -> list[Parsed]:
        """Returns the parsed claim; a claim that does not parse is listed, or noted as a step or a general formula."""
        if names_itself(claim) or claim.left.key in self.alias_claims:
            return []
        self.trees.opened.clear()
        try:
            tree = self.trees.tree(claim)
        except ExpressionError as error:
            self.leave_out(claim, error)
            return []
        if not claim.steps and claim.name is not None and any(has_energy(node) for node, _ in tree.entries):
            if holds(claim.name, claim.leaves[0]) or self._is_own_combination(claim):  # it says nothing about this arm
                self._note_general(claim.left.text, claim.where)
                return []
            if any(is_of_arm(node) for node, _ in tree.entries):
                self.leave(
                    claim.left.text, claim.where, ExpressionError("a general law that does not hold", expected="L")
                )
                return []
        if _is_of_gravity(tree):
            self._note_general(claim.left.text, claim.where)
            return []
        self.arrays_used |= self.trees.opened
        return [tree]

    def balance(self, balance: Balance) -> list[Parsed]:
        """Returns a parsed equation, in which a name such as τ_1 means a torque, even if the answer defines it."""
        self.vocabulary.drives_apart = True
        try:
            return self._balance(balance)
        finally:
            self.vocabulary.drives_apart = False

    def _balance(self, balance: Balance) -> list[Parsed]:
        """Returns the difference of the sides of an equation, row by row."""
        is_of_slopes = any(each.kind == "partial" for side in balance.sides for each in side.lexemes)
        if is_skewness(*balance.sides):
            self.skew_claims.add(balance.where)
        is_law = is_law_of_any_arm(*balance.sides) or is_notation(*balance.sides)
        is_law = is_law or (is_of_slopes and holds(*balance.sides))
        if is_law or _is_of_any_link(balance):
            self._note_general(balance.text, balance.where)
            return []
        self.trees.opened.clear()
        balance = self._of_state(balance)
        if is_rate_of_energy(balance.sides[0]) and (power := self._column(balance)):
            return power
        try:
            left, right = (components(self.trees.node(side, blanks_part=False), side.written) for side in balance.sides)
            rows = list(rows_of(left, right, balance.where))
        except ExpressionError as error:
            if column := self._column(balance):
                return column
            self._leave_out_balance(balance, error)
            return []
        self.arrays_used |= self.trees.opened
        is_driven = any(isinstance(tree, Name) and tree.meaning.kind == "drive" for row in rows for tree in walk(row))
        if not is_driven and (speeds := self._column(balance, rows)):
            return speeds
        of_energy = any(map(is_of_arm, rows))
        if of_energy and holds(*balance.sides):
            self._note_general(balance.text, balance.where)
            return []
        written = balance.sides[0].written
        claim = Claim(Left("", balance.text, "", ()), (), (), balance.where, steps=False, strict=balance.strict)
        claim = claim._replace(of_energy=of_energy)
        return [Parsed(claim._replace(text=balance.text), (len(rows),), tuple((row, written) for row in rows))]

    def coriolis(self, balance: Balance) -> list[Parsed]:
        """Returns the matrix with rates that an equation of motion multiplies by the rates, as a claim of C."""
        try:
            nodes = [self.trees.node(side, blanks_part=False) for side in balance.sides]
            terms = [term for node in nodes for term in (children(node) if isinstance(node, Sum) else (node,))]
            pairs = [
                [components(x, balance.sides[0].written) for x in children(t)] for t in terms if len(children(t)) == 2
            ]
        except ExpressionError:
            return []
        n = len(self.names.ring.coordinates)
        matrices = [
            pair[0]
            for pair in pairs
            if pair[0].shape == (n, n) and all(map(_is_rate, pair[1].entries)) and len(pair[1].entries) == n
            if any(_is_rate(tree) for entry in pair[0].entries for tree in walk(entry))
        ]
        if len(matrices) != 1:
            return []
        claim = Claim(Left("C", "C", "C", ()), (), (n, n), balance.where, steps=False, strict=balance.strict)
        return [Parsed(claim, (n, n), tuple((entry, balance.sides[0].written) for entry in matrices[0].entries))]

    def _of_state(self, balance: Balance) -> Balance:
        """Returns ẋ = … with the column (ẋ_1, …, ẋ_m) on its left, where x_1, …, x_m are the names of a state."""
        side = balance.sides[0]
        name = next(iter(names_in_column(side.lexemes, side.written)), None) if len(side.lexemes) == 1 else None
        count = sum(f"{name.key}{k}" in self.vocabulary.aliases for k in range(1, MOST_STATES)) if name else 0
        if name is None or name.dots != 1 or count < 2 or name.key in self.vocabulary.own:
            return balance
        word = side.lexemes[0]
        comma = word._replace(kind=";", data=None)
        entries = [word._replace(data=(*word.data, Unit(str(k)))) for k in range(1, count + 1)]
        listed = [sign for entry in entries for sign in (comma, entry)]
        column = side._replace(lexemes=[comma._replace(kind="["), *listed[1:], comma._replace(kind="]")])
        return balance._replace(sides=(column, balance.sides[1]))

    def _column(self, balance: Balance, rows: Sequence[Node] = ()) -> list[Parsed]:
        """Returns the claims of an equation about a column of names, (x, y) = …, or nothing if it is not one.
        rows: the differences of both sides, if they could be parsed
        """
        left, right = balance.sides
        names = list(names_in_column(left.lexemes, left.written))
        if not names or names[0].dots > 1 or any(map(self._moves, names)):
            return []
        try:
            whole = components(self.trees.node(right, blanks_part=False), right.written)
        except ExpressionError:
            return []
        claim = Claim(names[0], (), (), balance.where, steps=False, strict=True, text=balance.text)
        entries = [(entry, right.written) for entry in whole.entries]
        if len(names) == 1 and names[0].dots and len(entries) == OF_SPACE:  # ω̇_1 = (0, 0, q̈_1)
            return [Parsed(claim._replace(left=_rate_of(names[0])), (OF_SPACE,), tuple(entries))]
        if is_general((left,)) and len(entries) == 1 and _is_zero(entries[0][0]):  # ω̇_i = 0, for every link
            return [Parsed(claim._replace(left=_rate_of(names[0]._replace(head=names[0].head[:-1]))), None, ())]
        if len(entries) != len(names):
            return []
        if names[0].dots:
            speeds = claim._replace(left=Left("", balance.text, "", ()), speeds=tuple(names))
            return [Parsed(speeds, (len(names),), (*((row, left.written) for row in rows), *entries))]
        pairs = zip(names, entries, strict=True)
        return [Parsed(claim._replace(left=name), (), (entry,)) for name, entry in pairs]

    def _moves(self, left: Left) -> bool:
        """Returns whether a name is that of a coordinate of the arm, or of a state, as x_3 = \\dot q_1 is."""
        if left.key in self.vocabulary.aliases:
            return True
        return self.names.coordinate(left.key) is not None and left.key not in self.defined

    def definitions(self, parsed: Sequence[Parsed]) -> tuple[Definitions, list[Parsed]]:
        """Returns the definitions that are used, and the claims that do not use faulty ones."""
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
                    self.leave_out(each.claim, error)
            return Definitions([node for each in kept for node, _ in each.entries], self.trees.definition), kept

    def leave_out(self, claim: Claim, error: ExpressionError) -> None:
        name = claim.name
        if claim.steps:
            self.vocabulary.note(f"a step of {claim.left.text} ({claim.where}) is left out: {error.found}")
        elif name is not None and len(claim.leaves) == 1 and contradicts_christoffel(name, claim.leaves[0]):
            found = "this formula does not give Christoffel's symbols"
            error = ExpressionError(found, expected="½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)")
            self.leave(claim.left.text, claim.where, error)
        elif (
            name is not None
            and (
                self._is_law(claim, name)
                or (len(claim.leaves) == 1 and is_notation(claim.leaves[0], name))
                or is_of_any_link(claim, self.names)
                or self._is_own_combination(claim)
                or _names_components(claim)
                or self._is_of_vectors(claim)
                or _is_projection(claim)
            )
        ) or (name is None and self._is_without_name(claim)):
            self._note_general(claim.left.text, claim.where)
        elif self._is_base_parameter(claim):
            self.vocabulary.note(f"{claim.left.text} ({claim.where}) is left out: a combination of inertial parameters")
        else:
            self.names_in_unread |= {name for leaf in claim.leaves for name in names_in(leaf)}
            self.leave(claim.left.text, claim.where, error)

    def _is_of_vectors(self, claim: Claim) -> bool:
        """Returns whether p = p_w + d_6 a is about vectors that nothing defines, and p_x, p_y … are given apart."""
        words = {name for leaf in claim.leaves for name in names_in(leaf)}
        unknown = {name for name in words if not self.names.readings(name) and name not in self.defined}
        has_components = all(f"{claim.left.key}{axis}" in self.defined for axis in "xy")
        return has_components and not claim.left.indices and len(unknown) > 1

    def _is_without_name(self, claim: Claim) -> bool:
        """Returns whether an equation is about any link, as [ω_i] = R_iᵀ Ṙ_i, or is Sᵀ = −S without values of S."""
        return claim.where in self.skew_claims or (not claim.shape and bool(claim.leaves) and is_general(claim.leaves))

    def _leave_out_balance(self, balance: Balance, error: ExpressionError) -> None:
        if (
            is_general(balance.sides)
            or holds(*balance.sides)
            or is_notation(*balance.sides)
            or is_skewness(*balance.sides)
        ):
            self._note_general(balance.text, balance.where)
        else:
            self.names_in_unread |= {name for side in balance.sides for name in names_in(side)}
            self.leave(balance.text, balance.where, error)

    def _note_general(self, text: str, where: str) -> None:
        self.vocabulary.note(f"{text[:60]} ({where}) is left out: a general formula")

    def _is_law(self, claim: Claim, name: Leaf) -> bool:
        """Returns whether a claim is about all arms: it is general and names no entry, or it is a law that holds."""
        names_entry = bool(claim.shape or claim.left.indices or claim.left.cell)
        general = not names_entry and is_general((name, *claim.leaves))
        return general or (len(claim.leaves) == 1 and holds(name, claim.leaves[0]))

    def _is_own_combination(self, claim: Claim) -> bool:
        """Returns whether a claim gives a name of its own to a combination of whole quantities: S = Ṁ − 2C."""
        if len(claim.leaves) != 1:
            return False
        if candidates(claim.left):
            return claim.left.key == "u" and is_rate_of_momentum(claim.leaves[0])
        return is_combination(claim.leaves[0])

    def _is_base_parameter(self, claim: Claim) -> bool:
        """Returns whether β_k is a combination of first moments and inertias about the links' frames, as m_x1."""
        words = {name for leaf in claim.leaves for name in names_in(leaf)}
        unknown = {name for name in words if not self.names.readings(name)}
        are_known = all(map(INERTIAL.fullmatch, unknown - {OF_ORIGIN}))
        return claim.left.head == "beta" and bool(unknown) and are_known

    def leave(self, text: str, where: str, error: ExpressionError) -> None:
        remedy = f"; {error.remedy}" if error.remedy else ""
        self.unread.append(Unread(text, where, f"{error.found}, expected {error.expected}{remedy}"))
        self.errors.append(error)


def _names_components(claim: Claim) -> bool:
    """Returns whether a column only names its own components, as in r = (r_x, r_y, r_z, 1)."""
    words = claim.words
    letter = claim.left.text.strip()
    return len(words) > 1 and all(re.fullmatch(rf"{re.escape(letter)}_?[xyz]", word) for word in words)


def _is_of_gravity(tree: Parsed) -> bool:
    """Returns whether a claim is G = −Σ Jᵀ m g with the vector g; read as a number, g gives a matrix, not a column."""
    leaves, shape = tree.claim.leaves, tree.shape or ()
    signs = [lexeme for leaf in leaves for lexeme in leaf.lexemes]
    is_product = "g" in map(word_of, signs) and any(each.kind == "transpose" for each in signs)
    return tree.claim.left.head in COLUMNS and is_product and len(shape) == 2 and min(shape) > 1


def _rate_of(left: Left) -> Left:
    """Returns ωdot_1 for ω̇_1, a name of the accelerations of a link."""
    head = f"{left.head}dot"
    return left._replace(head=head, key=left.key.replace(left.head, head, 1))


def _is_zero(node: Node) -> bool:
    return isinstance(node, Number) and not node.value


def _is_of_any_link(balance: Balance) -> bool:
    """Returns whether both sides are about a link i, as in [ω_i] = R_iᵀ Ṙ_i."""
    left, right = balance.sides
    names = list(names_in_column(left.lexemes, left.written))
    return len(names) == 1 and not names[0].indices and is_general((left,)) and is_general((right,))


def _is_projection(claim: Claim) -> bool:
    """Returns whether a torque is the projection of a moment, τ_1 = e_1ᵀ n_1 + J_1 q̈_1, with n or nᵉ."""
    words = claim.words
    letters = [word.rstrip("0123456789").rstrip("_") for word in words if word != "T"]
    return claim.left.head == "tau" and letters[:2] in (["e", "n"], ["e", "n_e"])


def _is_rate(node: Node) -> bool:
    return isinstance(node, Name) and node.meaning.kind == "rate"
