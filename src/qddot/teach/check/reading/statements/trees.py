"""Parses the expressions of claims to trees, in which the answer's own arrays and q, q̇, q̈ are expanded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from qddot.base.errors import ExpressionError
from qddot.base.words.message import Listed
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.grammar.components import Components, components, of_blocks, table_of
from qddot.teach.check.reading.grammar.grammar import Grammar
from qddot.teach.check.reading.grammar.operators import DERIVATIVES
from qddot.teach.check.reading.grammar.words import FILLED
from qddot.teach.check.reading.names.arm_names import VECTORS, plain
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.names.places import fits, is_part_of_jacobian, place_of, shapes
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.signs.lexemes import Lexeme, lexemes
from qddot.teach.check.reading.signs.nesting import length_of, nested
from qddot.teach.check.reading.statements.arrays import Array, Parsed
from qddot.teach.check.reading.statements.claims import Claim, Leaf
from qddot.teach.check.reading.syntax import (
    Derivative,
    Meaning,
    Name,
    Node,
    Number,
    Part,
    Product,
    Reference,
    Sum,
    Table,
    Tree,
    Zeros,
    is_zero,
    mapped,
    walk,
)
from qddot.teach.check.reading.texts.written import Written

COLUMN = Meaning("vector", "drive")
AXES = 2  # of a matrix
DEEPEST_ARRAYS = 20  # nesting depth of arrays that are defined by arrays


class Trees:
    """This parses the expressions of one answer.

    renamed, defined: the meanings of the answer's own names, from renamings and from the answer
    """

    def __init__(
        self,
        eq: Quantities,
        vocabulary: Vocabulary,
        renamed: Mapping[str, Written],
        defined: Mapping[str, Claim],
    ) -> None:
        self.eq, self.vocabulary, self.renamed, self.defined = eq, vocabulary, renamed, defined
        self.names = vocabulary.names
        self._arrays: dict[str, Node | None] = {}
        self._opening: list[str] = []
        self._written = Written("")
        self.opened: set[str] = set()
        self.driven: int | None = None  # the joint whose torque u is, if u is not a column

    def tree(self, claim: Claim) -> Parsed:
        if claim.shape:
            nodes = tuple(Tree(self.node(leaf, blanks_part=False), leaf.written) for leaf in claim.leaves)
            return Array(claim, claim.shape, nodes)
        leaf = claim.leaves[0]
        if leaf.latex or not any(lexeme.kind == "[" for lexeme in leaf.lexemes):
            return self._array(claim, leaf, blanks_part=False)
        # in MATLAB, where primes transpose, blanks separate columns; elsewhere the size of the quantity decides
        columns = self._attempt(claim, leaf, blanks_part=True)
        if isinstance(columns, Array) and (self.fits(columns) or not self.vocabulary.primes):
            return columns
        products = self._attempt(claim, leaf, blanks_part=False)
        if isinstance(products, Array):
            return products
        if isinstance(columns, Array):
            return columns
        raise columns

    def _attempt(self, claim: Claim, leaf: Leaf, blanks_part: bool) -> Parsed | ExpressionError:
        try:
            return self._array(claim, leaf, blanks_part)
        except ExpressionError as error:
            return error

    def _array(self, claim: Claim, leaf: Leaf, blanks_part: bool) -> Parsed:
        node = self.node(leaf, blanks_part)
        if isinstance(node, Zeros):
            return Array(claim, None, ())
        whole = components(node, leaf.written)
        parsed, joined = (
            Array(claim, each.shape, tuple(Tree(entry, leaf.written) for entry in each.entries))
            for each in (whole, of_blocks(whole))
        )
        parsed = joined if self.fits(joined) and not self.fits(parsed) else parsed
        is_all = is_zero(node) and not self.fits(parsed, first=True)  # G = 0
        return Array(claim, None, ()) if is_all else parsed

    def fits(self, parsed: Parsed, first: bool = False) -> bool:
        """Returns whether the letter may mean a quantity of this shape. first: only its likeliest meaning counts"""
        left, whole_shapes = parsed.claim.left, shapes(self.eq)
        return parsed.shape is None or any(
            fits(place_of(left, each, self.eq.n, self.vocabulary.zero_based), parsed.shape, whole_shapes[each.quantity])
            or is_part_of_jacobian(each.quantity, parsed.shape, self.eq.n)
            for each in candidates(left)[: 1 if first else None]
        )

    def node(self, leaf: Leaf, blanks_part: bool) -> Node:
        """Returns the tree of an expression, in which the answer's own arrays and q, q̇, q̈ are expanded."""
        node = Grammar(leaf.lexemes, self.vocabulary, leaf.written, leaf.latex, blanks_part).whole()
        self._written = leaf.written
        if any(self._is_whole(tree) for tree in walk(node)):
            return mapped(node, self._written_out)
        return node

    def _is_whole(self, node: Node) -> bool:
        return isinstance(node, Part) or (isinstance(node, Name) and node.meaning.kind in ("vector", "own", "own rate"))

    def _written_out(self, node: Node) -> Node | None:
        if isinstance(node, Table) and (array := self._in_brackets(node)) is not None:
            return array
        if isinstance(node, Table) and len(node.parts) == self.eq.n:
            return self._with_single_drives(node)
        if isinstance(node, Part):
            return self._part(node)
        if not isinstance(node, Name):
            return None
        if self.driven is not None and node.meaning == COLUMN:
            return Name(node.span, node.text, Meaning("drive", self.eq.velocities[self.driven]))
        if node.meaning.kind == "vector":
            names = self.eq.velocities
            entries = tuple(Name(node.span, node.text, Meaning(node.meaning.name, name)) for name in names)
            return table_of(Components((len(names), 1), entries), node.span)
        array = self._own_array(node.meaning.name) if node.meaning.kind in ("own", "own rate") else None
        if array is not None and node.meaning.kind == "own rate":
            return Derivative(node.span, array, Name(node.span, "t", Meaning("time")))
        return array

    def _in_brackets(self, node: Table) -> Node | None:
        """Returns the answer's own matrix in brackets, as [D] of [D]{q̈}, or None for another array."""
        only = node.parts[0] if len(node.parts) == 1 else None
        return self._own_array(only.meaning.name) if isinstance(only, Name) and only.meaning.kind == "own" else None

    def _with_single_drives(self, node: Table) -> Node | None:
        """Returns the column (τ, 0) with τ as the torque of the joint of its row, or None for another array."""
        rows = [row.parts[0] if isinstance(row, Table) and len(row.parts) == 1 else row for row in node.parts]
        if not any(isinstance(tree, Name) and tree.meaning == COLUMN for row in rows for tree in walk(row)):
            return None

        def change(joint: str) -> Callable[[Node], Node | None]:
            def of_joint(part: Node) -> Node | None:
                if isinstance(part, Name) and part.meaning == COLUMN:
                    return Name(part.span, part.text, Meaning("drive", joint))
                return self._written_out(part)

            return of_joint

        joints = self.eq.velocities
        return Table(node.span, tuple(mapped(row, change(joint)) for row, joint in zip(rows, joints, strict=True)))

    def _part(self, node: Part) -> Node:
        """Returns an entry or a row of an array; a number in brackets multiplies a name that is no array."""
        if isinstance(node.of, Name):
            array = self._own_array(node.of.meaning.name)
        else:
            array = table_of(components(mapped(node.of, self._written_out), self._written), node.span)
            if not isinstance(array, Table) and node.indices == (1,):
                return array
        if array is None and len(node.indices) == 1:
            return Product(node.span, ((1, node.of), (1, Number(node.span, Fraction(node.indices[0])))))
        indices = node.indices
        is_row = isinstance(array, Table) and len(array.parts) == 1 and isinstance(array.parts[0], Table)
        if is_row and node.by_columns and len(indices) == 1:
            indices = (1, *indices)
        for k in indices:
            if not isinstance(array, Table) or not 0 < k <= len(array.parts):
                raise self._written.error(node.span[0], "array-without-entry", indices=Listed(node.indices))
            array = array.parts[k - 1]
        assert array is not None
        is_entry = isinstance(array, Table) and len(array.parts) == 1 and len(indices) == 1
        return array.parts[0] if is_entry and isinstance(array, Table) else array

    def _own_array(self, key: str) -> Node | None:
        """Returns the definition of one of the answer's own names if it is an array, else None."""
        if key not in self.defined or key in self.renamed:
            return None
        if key in self._opening:
            claim = self.defined[key]
            cycle = " → ".join([*self._opening[self._opening.index(key) :], key])
            raise ExpressionError("definition-uses-itself", where=claim.where, cycle=cycle)
        self.opened.add(key)
        if key not in self._arrays:
            self._opening.append(key)
            try:
                self._arrays[key] = self._table(self.defined[key])
            finally:
                self._opening.pop()
        return self._arrays[key]

    def _table(self, claim: Claim) -> Node | None:
        if claim.words[:1] and claim.words[0] in FILLED:
            return self._of_entries(claim)
        if not is_array(claim) and (len(self._opening) > DEEPEST_ARRAYS or not self._uses_array(claim)):
            return None
        try:
            parsed = self.tree(claim)
        except ExpressionError:
            return None
        if parsed.shape is None or not parsed.shape:
            return None
        span = parsed.entries[0][0].span
        return table_of(Components(parsed.shape, tuple(node for node, _ in parsed.entries)), span)

    def _of_entries(self, claim: Claim) -> Node | None:
        """Returns the array that a claim fills with zeros and other claims fill with entries, or None without these."""
        possible, (first, *_, last) = candidates(claim.left), claim.leaves[0].lexemes
        quantity = next((each for each in possible if each.sure), possible[0] if possible else None)
        shape = shapes(self.eq)[quantity.quantity] if quantity is not None else ()
        if quantity is None or len(shape) not in (1, AXES):
            return None
        places = list(product(*(range(1, 1 + size) for size in shape)))
        orders = (1, -1) if quantity.quantity == "M" else (1,)  # of a symmetric pair one entry may be left out
        keys = [[f"{claim.left.key}{''.join(map(str, place[::order]))}" for order in orders] for place in places]
        defined = [next((key for key in each if key in self.defined), None) for each in keys]
        if not any(defined):
            return None
        span = (first.start, last.end)
        entries = tuple(Number(span, Fraction(0)) if key is None else Reference(span, key) for key in defined)
        return table_of(Components(shape, entries), span)

    def _uses_array(self, claim: Claim) -> bool:
        """Returns whether an expression contains arrays or derivatives, so that it may be an array."""
        words = set(map(plain, claim.words))
        if words & {*DERIVATIVES, *VECTORS}:
            return True
        if any(self.vocabulary.matrices_in(leaf.signs, leaf.written) for leaf in claim.leaves):
            return True
        return any(self._own_array(word) is not None for word in words & set(self.defined) if word not in self._opening)

    def definition(self, key: str) -> Tree:
        """Returns the definition of one of the answer's own names, in the arm's names if it was renamed."""
        if key not in self.renamed:
            leaf = self.defined[key].leaves[0]
            node = self.node(leaf, blanks_part=False)
            whole = components(node, leaf.written)
            if isinstance(node, Zeros) or whole.flat:
                raise leaf.written.error(node.span[0], "matrix-as-number", name=key)
            return Tree(whole.entries[0], leaf.written)  # perhaps of a matrix with one entry, v' v + I w^2
        written = self.renamed[key]
        if written.text.strip() in self.names.symbols:
            name = written.text.strip()
            return Tree(Name((0, len(name)), name, Meaning("symbol", name)), written)
        words = lexemes(written)
        vocabulary = Vocabulary(self.names)
        return Tree(Grammar(words, vocabulary, written, latex="\\" in written.text).whole(), written)


def rows_of(left: Components, right: Components, where: str) -> Iterator[Node]:
    """Yields the differences of both sides; a zero stands for a whole column."""
    sides = [left, right]
    shape = next((side.flat for side in sides if side.flat), ())
    for k, side in enumerate(sides):
        zero = len(side.entries) == 1 and is_zero(side.entries[0])
        if not side.flat and shape and zero:
            sides[k] = Components(shape, side.entries * len(sides[1 - k].entries))
        elif side.flat != shape:
            raise ExpressionError("sides-unequal", where=where, left=len(left.entries), right=len(right.entries))
    for a, b in zip(sides[0].entries, sides[1].entries, strict=True):
        yield Sum(a.span, ((1, a), (-1, b)))


def is_array(claim: Claim) -> bool:
    """Returns whether the right side of a claim may be an array."""
    if claim.shape or any(lexeme.kind in ("[", "begin") for leaf in claim.leaves for lexeme in leaf.lexemes):
        return True
    signs = claim.signs
    return bool(signs) and signs[0].kind == "(" and _has_comma(signs[: length_of(signs)])


def _has_comma(bracket: Sequence[Lexeme]) -> bool:
    """Returns whether a bracket is a row, (a, b)."""
    return any(lexeme.kind == "," and depth == 1 for depth, lexeme in nested(bracket))
