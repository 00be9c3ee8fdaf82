"""Turns claims into entries: parses what is needed, widens the ring, computes, and says which quantity each one is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from qddot.check.reading.answer import Answer
from qddot.check.reading.arm_names import ArmNames, plain
from qddot.check.reading.claimed_quantities import Computed, Value, entries_of
from qddot.check.reading.claims import Claim, Leaf
from qddot.check.reading.components import components
from qddot.check.reading.evaluation import Evaluation
from qddot.check.reading.grammar import Grammar
from qddot.check.reading.left_sides import Left
from qddot.check.reading.letters import LETTERS, candidates, fits, is_sure, place_of, shapes
from qddot.check.reading.lexemes import lexemes, word_of
from qddot.check.reading.needs import Needs
from qddot.check.reading.own_names import Definition, Definitions
from qddot.check.reading.syntax import Meaning, Name, Node, Number, Zeros
from qddot.check.reading.vocabulary import Vocabulary
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities
from qddot.errors import ExactnessError, ExpressionError

QUANTITIES = "M, C, B, C2, h, G, tau, K, P, L, T, J, christoffel, U_ijk, or an entry such as M12"
GENERAL = {
    f"\\{name}" for name in ("sum", "int", "iiint", "partial", "prod", "cdots", "dots", "ldots", "vdots", "ddots")
}


class Parsed(NamedTuple):
    """A claim with its expressions parsed, and with the shape that they were written in; zeros have none."""

    claim: Claim
    shape: tuple[int, ...] | None
    entries: tuple[tuple[Node, Written], ...]


class Reader:
    """This reads one answer on one arm's equations.

    rename: what names mean that the arm does not have, as expressions in its own names
    zero_based: whether indices in square brackets count from 0, as in Python
    """

    def __init__(self, eq: Quantities, rename: Mapping[str, str] | None = None, zero_based: bool = False) -> None:
        self.eq, self.zero_based = eq, zero_based
        self.names = ArmNames(eq.ring)
        given = (rename or {}).items()
        self.renamed = {plain(str(name)): Written(str(value), part=f"rename {name}") for name, value in given}
        self.defined: dict[str, Claim] = {}
        self.vocabulary = Vocabulary(self.names, self.renamed)

    def answer(self, claims: Sequence[Claim]) -> Answer:
        """Returns the claims as entries of quantities; raises ExpressionError with the place of what does not fit."""
        heads = {claim.left.head for claim in claims}
        claims = [claim._replace(left=self._with_letter(claim.left)) for claim in claims]
        self._find_base(claims)
        about = self._about_quantities(claims)
        parsed = [each for claim in about for each in self._parsed(claim)]
        if not parsed:
            raise ExpressionError("no quantity of the equations in it", expected=QUANTITIES)
        nodes = [node for each in parsed for node, _ in each.entries]
        definitions = Definitions(nodes, self._definition)
        self._note_what_is_left_out(claims, about, definitions)
        self._note_unused_renamings(claims, {*heads, *definitions.found})
        evaluation = self._evaluation(nodes, definitions)
        computed = [computed for each in parsed for computed in self._computed(each, evaluation)]
        return entries_of(computed, self.eq, evaluation.ring, self.zero_based, self.vocabulary.guesses)

    # which claims are about quantities

    def _with_letter(self, left: Left) -> Left:
        """Returns a left side with the quantity's name for a letter that was renamed to it."""
        written = self.renamed.get(left.head)
        return left if written is None or written.text not in LETTERS else left._replace(head=written.text)

    def _find_base(self, claims: Sequence[Claim]) -> None:
        """Finds out whether M[0][1] or M[1,2] is meant by square brackets."""
        squares = [claim.left for claim in claims if claim.left.square and candidates(claim.left)]
        zeros = any(_has_zero_index(leaf) for claim in claims for leaf in claim.leaves)
        if zeros or any(left.doubled or 0 in left.cell for left in squares):
            self.zero_based = True
        elif squares and not self.zero_based:
            self.vocabulary.note(f"the indices of {squares[0].text} are read as counted from 1")
        self.vocabulary.zero_based = self.zero_based

    def _about_quantities(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims about quantities; the other names may be used for parts of expressions."""
        used = {name for claim in claims for leaf in claim.leaves for name in _names(leaf)}
        about: list[Claim] = []
        for claim in claims:
            left = claim.left
            known, sure = bool(self.names.readings(left.text)), is_sure(left)
            if sure or (candidates(left) and left.key not in self.names.symbols and left.key not in used):
                about += [] if _is_general(claim) else [claim]
            if left.key not in self.renamed and not (sure and known):  # C12 on the right is a cosine
                self.defined[left.key] = claim
        self.vocabulary.own = {*self.renamed, *self.defined}
        return about

    def _note_what_is_left_out(self, claims: Iterable[Claim], about: Sequence[Claim], used: Definitions) -> None:
        kept = {id(claim) for claim in about}
        for claim in claims:
            key, shown = claim.left.key, f"{claim.left.text} ({claim.where})"
            if id(claim) in kept:
                continue
            if key in used.found:
                if key in self.names.symbols:
                    self.vocabulary.note(f"{shown} replaces the arm's own {key}")
            elif candidates(claim.left) and _is_general(claim):
                self.vocabulary.note(f"{shown} is left out: a general formula")
            elif claim.strict:
                self.vocabulary.note(f"{shown} is left out: no quantity of the equations, and used nowhere")

    def _note_unused_renamings(self, claims: Iterable[Claim], used: set[str]) -> None:
        names = [name for claim in claims for leaf in claim.leaves for name in _names(leaf)]
        for key in self.renamed:
            if key not in used and not any(key in name for name in names):
                self.vocabulary.note(f"{key} is renamed, and does not occur in the answer")

    # parsing

    def _parsed(self, claim: Claim) -> list[Parsed]:
        """Returns the claim parsed; a step in a chain of equalities that does not parse is left out and noted."""
        try:
            return [self._tree(claim)]
        except ExpressionError as error:
            self._leave_out(claim, error)
            return []

    def _leave_out(self, claim: Claim, error: ExpressionError) -> None:
        if not claim.steps:
            raise error
        self.vocabulary.note(f"a step of {claim.left.text} ({claim.where}) is left out: {error.found}")

    def _tree(self, claim: Claim) -> Parsed:
        if claim.shape:
            nodes = tuple((self._node(leaf, blanks_part=False), leaf.written) for leaf in claim.leaves)
            return Parsed(claim, claim.shape, nodes)
        leaf = claim.leaves[0]
        if leaf.latex or not any(lexeme.kind == "[" for lexeme in leaf.lexemes):
            return self._array(claim, leaf, blanks_part=False)
        # in MATLAB blanks part columns, elsewhere they multiply: what has the quantity's size is meant
        columns = self._attempt(claim, leaf, blanks_part=True)
        if isinstance(columns, Parsed) and self._fits(columns):
            return columns
        products = self._attempt(claim, leaf, blanks_part=False)
        if isinstance(products, Parsed):
            return products
        if isinstance(columns, Parsed):
            return columns
        raise columns

    def _attempt(self, claim: Claim, leaf: Leaf, blanks_part: bool) -> Parsed | ExpressionError:
        try:
            return self._array(claim, leaf, blanks_part)
        except ExpressionError as error:
            return error

    def _array(self, claim: Claim, leaf: Leaf, blanks_part: bool) -> Parsed:
        node = self._node(leaf, blanks_part)
        if isinstance(node, Zeros):
            return Parsed(claim, None, ())
        found = components(node, leaf.written)
        parsed = Parsed(claim, found.shape, tuple((entry, leaf.written) for entry in found.entries))
        is_zero = isinstance(node, Number) and not node.value
        return Parsed(claim, None, ()) if is_zero and not self._fits(parsed) else parsed  # G = 0

    def _fits(self, parsed: Parsed) -> bool:
        left, known = parsed.claim.left, shapes(self.eq)
        return parsed.shape is None or any(
            fits(place_of(left, each, self.eq.n, self.zero_based), parsed.shape, known[each.quantity])
            for each in candidates(left)
        )

    def _node(self, leaf: Leaf, blanks_part: bool) -> Node:
        return Grammar(leaf.lexemes, self.vocabulary, leaf.written, leaf.latex, blanks_part).whole()

    def _definition(self, key: str) -> Definition:
        """Returns what a name of the answer's own stands for, in the arm's names where it was renamed."""
        if key not in self.renamed:
            leaf = self.defined[key].leaves[0]
            node = self._node(leaf, blanks_part=False)
            if isinstance(node, Zeros) or components(node, leaf.written).flat:
                raise leaf.written.error(node.span[0], f"{key} is a matrix, and is used as a number", "its entries")
            return Definition(node, leaf.written)
        written = self.renamed[key]
        if written.text.strip() in self.names.symbols:
            name = written.text.strip()
            return Definition(Name((0, len(name)), name, Meaning("symbol", name)), written)
        words = lexemes(written)
        vocabulary = Vocabulary(self.names)
        return Definition(Grammar(words, vocabulary, written, latex="\\" in written.text).whole(), written)

    # computing

    def _evaluation(self, nodes: Sequence[Node], definitions: Definitions) -> Evaluation:
        needs = Needs(self.eq.ring, definitions.trees, definitions.angles)
        try:
            needs.add(nodes)
        except ExactnessError as error:
            raise ExpressionError(error.found, expected=error.expected) from None
        evaluation = Evaluation(needs.widened(), definitions.angles)
        for key, each in definitions.found.items():
            if key in needs.used:
                evaluation.values[key] = evaluation.value(each.node, each.written)
        return evaluation

    def _computed(self, parsed: Parsed, evaluation: Evaluation) -> list[Computed]:
        try:
            values = tuple(self._value(node, written, evaluation) for node, written in parsed.entries)
        except ExpressionError as error:
            self._leave_out(parsed.claim, error)
            return []
        return [Computed(parsed.claim.left, parsed.claim.where, parsed.shape, values)]

    @staticmethod
    def _value(node: Node, written: Written, evaluation: Evaluation) -> Value:
        found = evaluation.value(node, written)
        text = " ".join(written.text[slice(*node.span)].split())
        return Value(found.numerator, found.denominator, text, written.where(node.span[0]))


def _is_general(claim: Claim) -> bool:
    """Returns whether a formula of a paper has sums, integrals or derivatives, and is no result."""
    return not claim.strict and any(
        lexeme.kind == "unknown" and lexeme.data in GENERAL for leaf in claim.leaves for lexeme in leaf.lexemes
    )


def _names(leaf: Leaf) -> Iterator[str]:
    """Yields the names in an expression, but for those of arrays, which have an index in brackets."""
    for k, lexeme in enumerate(leaf.lexemes):
        behind = leaf.lexemes[k + 1 : k + 3]
        indexed = len(behind) == 2 and behind[0].kind in ("(", "[") and behind[1].kind == "number"
        if lexeme.kind == "word" and not indexed:
            yield plain(word_of(lexeme))


def _has_zero_index(leaf: Leaf) -> bool:
    """Returns whether an expression has an index such as q[0]."""
    kinds = [(lexeme.kind, lexeme.data) for lexeme in leaf.lexemes]
    following = zip(kinds, kinds[1:], kinds[2:], strict=False)
    return any((a[0], b[0], *c) == ("word", "[", "number", 0) for a, b, c in following)
