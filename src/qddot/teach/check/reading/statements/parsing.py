"""Parses claims and equations to trees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.exact.definitions import Definitions
from qddot.teach.check.reading.grammar.components import components
from qddot.teach.check.reading.grammar.operators import has_energy, uses_energy_of_arm
from qddot.teach.check.reading.names.left_sides import Left, names_in_column, rate_of
from qddot.teach.check.reading.names.letters import COLUMNS
from qddot.teach.check.reading.signs.lexemes import word_of
from qddot.teach.check.reading.signs.spelling import Unit
from qddot.teach.check.reading.statements.arrays import Array, Parsed, ParsedStatement, Rows, Speeds
from qddot.teach.check.reading.statements.claims import Balance, Claim
from qddot.teach.check.reading.statements.general import is_general, names_itself
from qddot.teach.check.reading.statements.laws import holds, is_combination, is_rate_of_energy
from qddot.teach.check.reading.statements.left_out import LeftOut
from qddot.teach.check.reading.statements.trees import Trees, rows_of
from qddot.teach.check.reading.syntax import Name, Node, Sum, Tree, children, is_zero, walk

MOST_STATES = 30
OF_SPACE = 3  # components of a vector in space


class Parsing:
    """This parses one answer's claims and equations.

    defined: the claims that define the answer's own names; alias_claims: the names that are only aliases
    rates: by the places of equations, the rates of own names that these define
    arrays_used: the arrays whose entries occur
    """

    def __init__(
        self,
        trees: Trees,
        left_out: LeftOut,
        defined: Mapping[str, Claim],
        alias_claims: Collection[str],
        rates: Mapping[str, str],
    ) -> None:
        self.trees, self.left_out, self.vocabulary = trees, left_out, trees.vocabulary
        self.names, self.defined, self.alias_claims, self.rates = trees.names, defined, alias_claims, rates
        self.arrays_used: set[str] = set()

    def claim(self, claim: Claim) -> list[Parsed]:
        """Returns the parsed claim; a claim that does not parse is listed, or noted as a step or a general formula."""
        if names_itself(claim) or claim.left.key in self.alias_claims:
            return []
        self.trees.opened.clear()
        self.vocabulary.drives_apart = bool(claim.about)
        try:
            tree = self.trees.tree(claim)
        except ExpressionError as error:
            if claim.about and all(map(is_combination, claim.leaves)):  # Ṁ − 2C is skew
                self.left_out.note_general(claim.left.text, claim.where)
            else:
                self.left_out.claim(claim, error)
            return []
        finally:
            self.vocabulary.drives_apart = False
        if not claim.is_step and claim.name is not None and any(has_energy(node) for node, _ in tree.entries):
            if self.left_out.is_law_of_energies(claim):
                self.left_out.note_general(claim.left.text, claim.where)
                return []
            if any(uses_energy_of_arm(node) for node, _ in tree.entries):
                law = ExpressionError("general-law-false")
                self.left_out.add(claim.left.text, claim.where, law)
                return []
        if _is_of_gravity(tree):
            self.left_out.note_general(claim.left.text, claim.where)
            return []
        self.arrays_used |= self.trees.opened
        return [tree]

    def balance(self, balance: Balance) -> Sequence[ParsedStatement]:
        """Returns a parsed equation, in which a name such as τ_1 means a torque, even if the answer defines it.

        A rate V̇_1 that the equation itself defines is the derivative of V_1 in it.
        """
        self.vocabulary.drives_apart, self.vocabulary.defining = True, self.rates.get(balance.where, "")
        try:
            return self._balance(balance)
        finally:
            self.vocabulary.drives_apart, self.vocabulary.defining = False, ""

    def _balance(self, balance: Balance) -> Sequence[ParsedStatement]:
        """Returns the difference of the sides of an equation, row by row."""
        if self.left_out.is_law(balance):
            self.left_out.note_general(balance.text, balance.where)
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
            self.left_out.balance(balance, error)
            return []
        self.arrays_used |= self.trees.opened
        is_driven = any(isinstance(tree, Name) and tree.meaning.kind == "drive" for row in rows for tree in walk(row))
        if not is_driven and (speeds := self._column(balance, rows)):
            return speeds
        of_energy = any(map(uses_energy_of_arm, rows))
        if of_energy and holds(*balance.sides):
            self.left_out.note_general(balance.text, balance.where)
            return []
        written = balance.sides[0].written
        entries = tuple(Tree(entry, written) for entry in right.entries)
        name = self.rates.get(balance.where)
        rate = Array(self.defined[name], right.shape, entries) if name else None
        return [Rows(balance, tuple(Tree(row, written) for row in rows), of_energy, rate)]

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
        claim = Claim(Left("C", "C", "C", ()), (), (n, n), balance.where)
        return [Array(claim, (n, n), tuple(Tree(entry, balance.sides[0].written) for entry in matrices[0].entries))]

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

    def _column(self, balance: Balance, rows: Sequence[Node] = ()) -> Sequence[ParsedStatement]:
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
        claim = Claim(names[0], (), (), balance.where, text=balance.text)
        entries = [Tree(entry, right.written) for entry in whole.entries]
        if len(names) == 1 and names[0].dots and len(entries) == OF_SPACE:  # ω̇_1 = (0, 0, q̈_1)
            return [Array(claim._replace(left=rate_of(names[0])), (OF_SPACE,), tuple(entries))]
        if is_general((left,)) and len(entries) == 1 and is_zero(entries[0][0]):  # ω̇_i = 0, for every link
            return [Array(claim._replace(left=rate_of(names[0]._replace(head=names[0].head[:-1]))), None, ())]
        if len(entries) != len(names):
            return []
        if names[0].dots:
            return [Speeds(balance, tuple(names), tuple(Tree(row, left.written) for row in rows), tuple(entries))]
        pairs = zip(names, entries, strict=True)
        return [Array(claim._replace(left=name), (), (entry,)) for name, entry in pairs]

    def _moves(self, left: Left) -> bool:
        """Returns whether a name is that of a coordinate of the arm, or of a state, as x_3 = \\dot q_1 is."""
        if left.key in self.vocabulary.aliases:
            return True
        return self.names.coordinate(left.key) is not None and left.key not in self.defined

    def definitions(self, parsed: Sequence[ParsedStatement]) -> tuple[Definitions, list[ParsedStatement]]:
        """Returns the definitions that are used, and the claims that do not use faulty ones."""
        try:
            return self._definitions(parsed), list(parsed)
        except ExpressionError:
            kept = list[ParsedStatement]()
            for each in parsed:
                try:
                    self._definitions([each])
                    kept.append(each)
                except ExpressionError as error:
                    self.left_out.statement(each, error)
            return self._definitions(kept), kept

    def _definitions(self, parsed: Sequence[ParsedStatement]) -> Definitions:
        return Definitions([node for each in parsed for node, _ in each.entries], self.trees.definition)


def _is_of_gravity(tree: Parsed) -> bool:
    """Returns whether a claim is G = −Σ Jᵀ m g with the vector g; read as a number, g gives a matrix, not a column."""
    leaves, shape = tree.claim.leaves, tree.shape or ()
    signs = [lexeme for leaf in leaves for lexeme in leaf.lexemes]
    is_product = "g" in map(word_of, signs) and any(each.kind == "transpose" for each in signs)
    return tree.claim.left.head in COLUMNS and is_product and len(shape) == 2 and min(shape) > 1


def _is_rate(node: Node) -> bool:
    return isinstance(node, Name) and node.meaning.kind == "rate"
