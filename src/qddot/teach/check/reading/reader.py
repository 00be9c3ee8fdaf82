"""Turns claims into entries: finds the answer's own names, parses, widens the ring, computes and sorts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import Any

from qddot.algebra.expressions.identifiers import spelled
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import ExactnessError, ExpressionError
from qddot.base.words.message import Listed, say
from qddot.exact.equations.centres import Centres
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.check.reading.answer import Answer, Entry, Unread
from qddot.teach.check.reading.exact.definitions import Definitions
from qddot.teach.check.reading.exact.evaluation import Evaluation
from qddot.teach.check.reading.exact.needs import Needs
from qddot.teach.check.reading.exact.rounding import Rounding
from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import OF_LOOPS, QUANTITIES
from qddot.teach.check.reading.names.stated_values import suspected
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.numbers.context import Context
from qddot.teach.check.reading.numbers.given_numbers import GivenNumbers
from qddot.teach.check.reading.quantities.assigning import Assigning, Usage
from qddot.teach.check.reading.quantities.link_matrices import LinkMatrices
from qddot.teach.check.reading.quantities.link_vectors import LinkVectors
from qddot.teach.check.reading.quantities.meanings import Meanings
from qddot.teach.check.reading.quantities.placing import Placing
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.statements.arrays import ComputedStatement, ParsedStatement, computed
from qddot.teach.check.reading.statements.claims import Balance, Claim, Item, Leaf, balance_of
from qddot.teach.check.reading.statements.general import without_corrected
from qddot.teach.check.reading.statements.left_out import LeftOut
from qddot.teach.check.reading.statements.naming import Naming
from qddot.teach.check.reading.statements.other_names import names_in, with_sign
from qddot.teach.check.reading.statements.parsing import Parsing
from qddot.teach.check.reading.statements.trees import Trees
from qddot.teach.check.reading.statements.uniform import uniform
from qddot.teach.check.reading.syntax import MOTIONS, Meaning, Tree
from qddot.teach.check.reading.texts.written import Written


class Reader:
    """This reads one answer about one arm's equations.

    rename: the meanings of names that the arm lacks, as expressions in its own names
    context: what the format and the words of the answer say about its formulas
    asked: the required quantities
    """

    def __init__(
        self,
        eq: Quantities,
        rename: Mapping[str, str] | None = None,
        context: Context | None = None,
        asked: Collection[str] = (),
    ) -> None:
        self.eq, self.context, self.asked = eq, context or Context(), asked
        self.names = ArmNames(_with_centres(eq), eq.velocities)
        self.names.stated = dict(self.context.names)
        occurring = {key for name in ("M", "h", "G") for entry in eq.array(name).entries for key in entry.variables()}
        self.names.add_inertias(occurring)
        self.renamed = {
            plain(spelled(str(name))): Written(str(value), part=f"rename {name}")
            for name, value in (rename or {}).items()
        }
        form = self.context.format
        self.vocabulary = Vocabulary(self.names, self.renamed, form.zero_based, form.primes)
        self.components = LinkVectors(eq)
        self.vocabulary.take_component = self.components.take
        self.matrices = LinkMatrices(eq, self.vocabulary)
        self.vocabulary.matrices_in = self.matrices.taker
        self.naming = Naming(self.names, self.vocabulary, self.renamed, eq.model)
        defined = self.naming.defined
        self.left_out = LeftOut(self.names, self.vocabulary, defined)
        self.trees = Trees(eq, self.vocabulary, self.renamed, defined)
        self.parsing = Parsing(self.trees, self.left_out, defined, self.naming.alias_claims, self.naming.rates)
        self.given = GivenNumbers(eq, self.trees, self.left_out, self.context)

    def answer(self, items: Sequence[Item]) -> Answer:
        """Returns the items as entries of quantities; unreadable parts are listed.

        raises ExpressionError: no part can be read; it has the place of the first fault
        """
        self.left_out.unread += [item for item in items if isinstance(item, Unread)]
        balances = self.given.without_motions([item for item in items if isinstance(item, Balance)])
        claims = [item for item in items if isinstance(item, Claim)]
        claims, balances = uniform(claims, balances, self.names, self.vocabulary.notes.add)
        claims, balances = self._named(claims, balances)
        definitions, parsed = self.parsing.definitions(self._parsed(claims, balances))
        rounding = self._rounding([tree for each in parsed for tree in each.entries], definitions)
        pairs = [
            (value, self._components(each, definitions)) for each in parsed for value in self._computed(each, rounding)
        ]
        values = [value for value, components in pairs if not components]
        in_unread = self.left_out.names & set(self.naming.defined)
        used = {*definitions.by_name, *self.parsing.arrays_used, *in_unread}
        return self._assigned(
            values, rounding.evaluation, Usage(used, definitions.derived, [pair for pair in pairs if pair[1]]), claims
        )

    # the answer's own names

    def _named(self, claims: Sequence[Claim], balances: Sequence[Balance]) -> tuple[list[Claim], list[Balance]]:
        """Finds what the names of the answer mean, and returns what is left to be parsed."""
        claims = [claim._replace(left=self._of_loops(claim.left)) for claim in claims]
        claims = [
            claim._replace(left=self.naming.with_letter(self.naming.of_link(self.naming.of_tool(claim.left))))
            for claim in claims
        ]
        self.naming.find_base(claims)
        claims = [claim._replace(left=self.naming.counted_from_one(claim.left)) for claim in claims]
        claims = self.given.without_numbers(self.naming.with_drives(claims))
        self.renamed.update(self.given.in_degrees)
        claims = self.naming.without_weak(without_corrected(claims, self.vocabulary.notes.add))
        self.naming.find_aliases(claims)
        claims = [with_sign(claim, balances, claims) for claim in claims]
        moving = [claim for claim in claims if self.naming.is_acceleration(claim) or self.naming.is_about_alias(claim)]
        claims = [claim for claim in claims if claim not in moving]
        balances = [*balances, *map(balance_of, moving)]
        self.naming.find_own_names(claims)
        leaves = [leaf for claim in claims for leaf in claim.leaves]
        self.vocabulary.in_columns = any(self._has_column(leaf) for balance in balances for leaf in balance.sides)
        self.naming.find_lowered([*leaves, *(leaf for balance in balances for leaf in balance.sides)])
        claims = self.naming.without_foreign(claims)
        self.naming.find_rates(balances)
        self.trees.driven = self._single_drive([leaf for claim in claims for leaf in claim.leaves], balances)
        return claims, balances

    def _of_loops(self, left: Left) -> Left:
        """Returns a left side in which R, A and phi mean those of a closed chain, unless they are symbols of it."""
        if not isinstance(self.eq, ChainQuantities) or left.key in self.names.plain_symbols:
            return left
        return left._replace(head=OF_LOOPS.get(left.head, left.head))

    def _single_drive(self, leaves: Sequence[Leaf], balances: Sequence[Balance]) -> int | None:
        """Returns the joint whose torque u or τ without an index is, or None if columns or brackets occur beside it."""
        texts = [leaf.lexemes for leaf in leaves] + [[*a.lexemes, *b.lexemes] for (a, b), *_ in balances]
        texts = [text for text in texts if any(self._is_vector(each, "drive") for each in text)]
        columns = ("begin", "[")
        is_column = any(
            each.kind in columns or any(self._is_vector(each, kind) for kind in MOTIONS)
            for text in texts
            for each in text
        )
        driven = self.context.driven
        if not texts or is_column or self.eq.n == 1:
            return None
        return driven if driven is not None and driven < self.eq.n else 0

    def _has_column(self, leaf: Leaf) -> bool:
        """Returns whether an expression has q̈ as a column, without an index."""
        return any(
            self._is_vector(each, "acceleration")
            and self.names.coordinate(word_of(each)) is None
            and (following is None or following.kind not in ("(", "["))
            for each, following in zip_longest(leaf.lexemes, leaf.lexemes[1:])
        )

    def _is_vector(self, lexeme: Lexeme, kind: str) -> bool:
        if lexeme.kind != "word" or plain(word_of(lexeme)) in self.vocabulary.own:
            return False
        dots = dots_of(lexeme)
        if not dots and (self.names.readings(word_of(lexeme)) or self.names.drive(word_of(lexeme))):
            return False
        meaning = self.names.vector(word_of(lexeme), dots)
        return meaning is not None and meaning.name == kind

    # parsing and computing

    def _parsed(self, claims: Sequence[Claim], balances: Sequence[Balance]) -> list[ParsedStatement]:
        for claim in claims:
            self.matrices.note_joints(claim)
        parsed: list[ParsedStatement] = [each for claim in claims for each in self.parsing.claim(claim)]
        parsed += [each for balance in balances for each in self.parsing.balance(balance)]
        if "C" in self.asked and not any(claim.left.head == "C" for claim in claims):
            parsed += [each for balance in balances for each in self.parsing.coriolis(balance)]
        return parsed

    def _rounding(self, trees: Sequence[Tree], definitions: Definitions) -> Rounding:
        """Returns what computes the trees, in a ring that has all that they need."""
        needs = Needs(self.names.ring, definitions.trees, definitions.angles)
        try:
            needs.add(tree.node for tree in trees)
        except ExactnessError as error:
            raise error.to(ExpressionError) from None
        evaluation = Evaluation(needs.widened(), definitions.angles, self._of_arm)
        used = {key: each for key, each in definitions.by_name.items() if key in needs.used}
        for key, each in used.items():
            evaluation.define(key, each)
        return Rounding(evaluation, used)

    def _components(self, parsed: ParsedStatement, definitions: Definitions) -> list[str]:
        return self.components.in_trees([tree.node for tree in parsed.entries], definitions)

    def _of_arm(self, meaning: Meaning) -> Any:
        """Returns K, P or L of the arm, or a component of a link's vector."""
        if meaning.kind == "matrix":
            return self.matrices.values[meaning.name]
        if meaning.kind == "component":
            return self.components.value(meaning.name)
        return self.eq.in_joint_angles.array(meaning.name).entries[0]

    def _computed(self, parsed: ParsedStatement, rounding: Rounding) -> list[ComputedStatement]:
        try:
            return [computed(parsed, partial(_entry, rounding))]
        except ExpressionError as error:
            self.left_out.statement(parsed, error)
            return []

    def _assigned(
        self, values: Sequence[ComputedStatement], evaluation: Evaluation, usage: Usage, claims: Sequence[Claim]
    ) -> Answer:
        """Returns the computed claims by quantity, with the answer's values and numbers."""
        required = self.asked if self.given.accelerates else [*self.asked, "bias"]
        stated_values = self.given.stated
        stated_values.update(suspected(stated_values, self.eq.model))
        numbers = {name: each.value for name, each in stated_values.items()}
        meanings = Meanings(
            self.eq, evaluation.ring, self.vocabulary.zero_based, self.vocabulary.notes, claims, required
        )
        placing = Placing(meanings, numbers, self.context.driven, self.given.lacks(self.asked))
        assigning = Assigning(placing, self.names, self.vocabulary, self.left_out, usage)
        assigning.add(values)
        self._note_unused_renamings(claims, usage.used)
        answer = assigning.answer()
        self._list_zeros(self.given.values, answer)
        if not answer.entries and not self.given.numbers:
            errors = [each.error for each in self.left_out.unread if each.error is not None]
            raise next(iter(errors), ExpressionError("no-quantity-in-answer", expected=QUANTITIES))
        if self.given.values:
            values = Listed(f"{name} = {float(value):g}" for name, value in self.given.values.items())
            self.vocabulary.notes.add(say("reading-values", values=values))
        return answer._replace(
            unread=tuple(self.left_out.unread),
            guesses=self.vocabulary.notes.all(),
            values=numbers,
            unconverted={name: each.written for name, each in stated_values.items() if each.written != each.value},
            opaque=evaluation.opaque,
            numbers=frozenset() if answer.entries else frozenset(self.given.numbers),
            wrong_numbers=tuple(self.given.wrong_numbers),
            assumed_drive=self.trees.driven if self.context.driven is None else None,
            has_state=any(state.coordinate or state.rate for state in self.given.states),
        )

    def _list_zeros(self, values: Mapping[str, Fraction], answer: Answer) -> None:
        """Lists each symbol of formulas that the answer says to be zero, which takes their terms away."""
        entries = (entry for group in answer.entries.values() for entry in group)
        used = {key for entry in entries for part in entry.parts for key in part.variables()}
        for name in sorted(used & {name for name, value in values.items() if not value}):
            error = ExpressionError("formulas-with-zero", name=name)
            self.left_out.add(f"{name} = 0", "", error)

    def _note_unused_renamings(self, claims: Iterable[Claim], used: set[str]) -> None:
        names = [name for claim in claims for leaf in claim.leaves for name in names_in(leaf)]
        heads = {claim.left.head for claim in claims}
        for key, written in self.renamed.items():
            if (
                key not in used | heads | self.naming.meant | {*self.given.in_degrees}
                and not any(key in name for name in names)
                and written.text not in heads
            ):
                self.vocabulary.notes.add(say("reading-renaming-unused", name=key))


def _entry(rounding: Rounding, tree: Tree) -> Entry:
    """Returns the exact value of a tree, with its text and its place."""
    value = rounding.evaluation.value(tree)
    text = " ".join(tree.written.text[slice(*tree.node.span)].split())
    where = tree.written.where(tree.node.span[0])
    return Entry((), value.numerator, value.denominator, text, where, rounding.of(tree, value))


def _with_centres(eq: Quantities) -> Ring:
    """Returns the arm's ring, with symbols for the centres of mass of links that are described by first moments."""
    names = eq.centres.names.values() if isinstance(eq.centres, Centres) and eq.dynamics.has_bodies else ()
    return eq.ring.extended(name for centre in names for name in centre) if names else eq.ring
