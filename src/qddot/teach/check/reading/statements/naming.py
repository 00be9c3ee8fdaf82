"""Gives the names of one answer their meanings: other names of torques, coordinates and entries, and its own names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from qddot.algebra.expressions.parser import expression
from qddot.base.words.message import say
from qddot.robot.effects.spring import Spring
from qddot.robot.model import Model
from qddot.teach.check.reading.grammar.operators import ENERGIES
from qddot.teach.check.reading.grammar.words import FILLED
from qddot.teach.check.reading.names.arm_names import FUNCTIONS, ArmNames, is_run, plain
from qddot.teach.check.reading.names.left_sides import Left, is_left, left_of, names_in_column, rate_of
from qddot.teach.check.reading.names.letters import LETTERS, candidates, is_sure
from qddot.teach.check.reading.names.stated_names import derivatives_of
from qddot.teach.check.reading.names.vocabulary import Vocabulary, text_with_dots
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, lexemes, word_of
from qddot.teach.check.reading.signs.sums import of_first
from qddot.teach.check.reading.statements.claims import Balance, Claim, Leaf
from qddot.teach.check.reading.statements.general import names_itself, says_symmetry
from qddot.teach.check.reading.statements.laws import is_combination
from qddot.teach.check.reading.statements.other_names import alias, drives, is_moving, uses_symbol, with_torques
from qddot.teach.check.reading.statements.trees import is_array
from qddot.teach.check.reading.syntax import MOTIONS, Meaning
from qddot.teach.check.reading.texts.written import Written

FRAMES = re.compile(r"T(?P<link>\d)\^(?P<frame>\d)")  # T_2^1
RAISED = ("^", "{", "}", "transpose", "'")  # signs of a transposed column


class Naming:
    """This decides what the names on the left sides of one answer stand for.

    renamed: the meanings of names that a user gives
    defined: the claims that define the answer's own names; alias_claims: the names that are only aliases
    meant: the names that were renamed to entries; rates: by the places of equations, the names that these define
    """

    def __init__(
        self,
        names: ArmNames,
        vocabulary: Vocabulary,
        renamed: Mapping[str, Written],
        model: Model,
    ) -> None:
        self.names, self.vocabulary, self.renamed = names, vocabulary, renamed
        self.model = model
        self.defined: dict[str, Claim] = {}
        self.alias_claims: set[str] = set()
        self.meant: set[str] = set()
        self.rates: dict[str, str] = {}

    def of_tool(self, left: Left) -> Left:
        """Returns the left side with T_3 of an arm with two links read as the tool's pose, as Craig writes it."""
        frames = [k for k in (left.indices or left.cell) if k]
        if left.head != "T" or frames != [len(self.model.bodies) + 1]:
            return left
        return left._replace(head="Ttool", indices=(), cell=())

    def of_link(self, left: Left) -> Left:
        """Returns the left side with T_2^1, the pose in the link before, read as A_2, and T20, in the base, as T_2."""
        links, index = len(self.model.bodies), left.indices[0] if len(left.indices) == 1 else 0
        if left.head == "T" and index > links and index % 10 == 0:
            return left._replace(indices=(index // 10,))
        match = FRAMES.fullmatch(re.sub(r"^\^(\d)(T\d)$", r"\2^\1", re.sub(r"[{}_\s]", "", left.text)))  # {}^1T_2
        link, frame = (int(match["link"]), int(match["frame"])) if match else (0, 0)
        if not 0 < frame < link <= links:
            return left
        is_before = self.model.bodies[link - 1].joint.parent == self.model.bodies[frame - 1].name
        return left._replace(head="A", indices=(link,)) if is_before else left

    def with_letter(self, left: Left) -> Left:
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
        self.vocabulary.notes.add(say("reading-renamed", name=left.text, other=written.text.strip()))
        return target._replace(text=left.text)

    def with_drives(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims with τ_k in place of the answer's own names for the torques of joints."""
        meanings = drives(claims, self.names)
        self.vocabulary.aliases.update(meanings)
        for key, meaning in meanings.items():
            self.vocabulary.notes.add(say("reading-as", name=key, meaning=say("step-torque", joint=meaning.name)))
        return with_torques(claims, meanings, self.names)

    def without_weak(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims without names at the ends of chains, c = … = h, that are defined or known elsewhere."""
        names, kept = {claim.left.key for claim in claims if not claim.weak}, list[Claim]()
        for claim in claims:
            is_plain = not any(lexeme.kind in ("unknown", "partial", "sum") for lexeme in claim.leaves[0].lexemes)
            if not claim.weak or (is_plain and self._is_new(claim.left, names)):
                kept.append(claim)
                names.add(claim.left.key)
        return kept

    def _is_new(self, left: Left, strong: set[str]) -> bool:
        return left.key not in strong and not self.names.knows(left.text) and not (is_sure(left) and left.indices)

    def find_base(self, claims: Sequence[Claim]) -> None:
        """Decides whether indices in square brackets count from 0, as in M[0][1], or from 1, as in M[1,2]."""
        squares = [claim.left for claim in claims if claim.left.square and candidates(claim.left)]
        zeros = any(_has_zero_index(leaf) for claim in claims for leaf in claim.leaves)
        if zeros or any(left.doubled or 0 in left.cell for left in squares):
            self.vocabulary.zero_based = True
        elif squares and not self.vocabulary.zero_based:
            self.vocabulary.notes.add(say("reading-indices-from-one", name=squares[0].text))

    def counted_from_one(self, left: Left) -> Left:
        """Returns a left side such as M[0,1] with the key M12, which expressions use."""
        if not (self.vocabulary.zero_based and left.square) or left.doubled or not left.cell:
            return left
        stem = left.key.removesuffix("".join(map(str, left.cell)))
        return left._replace(key=stem + "".join(str(k + 1) for k in left.cell))

    def is_acceleration(self, claim: Claim) -> bool:
        """Returns whether a claim is about an acceleration; a = θ1 + θ2 and a = l1 + l2 define the name a."""
        name = claim.left.key if claim.left.cell else claim.left.text
        readings = self.names.readings(name) or [self.vocabulary.aliases.get(plain(name), Meaning(""))]
        is_named = [each.kind for each in readings] == ["acceleration"] and plain(name) not in self.alias_claims
        return is_named and (plain(name) not in self.names.speeds or self._has_cause(claim))

    def _has_cause(self, claim: Claim) -> bool:
        """Returns whether an expression has a cause of acceleration: drive, rates, gravity, spring, unknown name."""
        effects = [effect for body in self.model.bodies for effect in body.joint.effects]
        springs = [effect.stiffness for effect in effects if isinstance(effect, Spring)]
        forces = {name for part in (*self.model.gravity, *springs) for name in expression(part).symbols()}
        for text in claim.words:
            readings = self.names.readings(text)
            still = [each for each in readings if each.kind in ("coordinate", "cosines", "pi", "function")]
            is_constant = any(each.kind == "symbol" and each.name not in forces for each in readings)
            if not still and not is_constant:
                return True
        return False

    def find_aliases(self, claims: Sequence[Claim]) -> None:
        """Finds aliases of coordinates and rates, such as x2 = xdot, with the names of their derivatives."""
        for claim in claims:
            self._name_entries(claim)
            key, meaning = claim.left.key, self._alias(claim)
            if meaning is None or any(
                self.names.readings(name) not in ([], [meaning]) for name in (key, claim.left.text)
            ):
                continue
            self.vocabulary.aliases[key] = meaning
            self.alias_claims.add(key)
            for name, derivative in derivatives_of(key, meaning):
                if not self.names.readings(name):
                    self.vocabulary.aliases.setdefault(name, derivative)

    def is_about_alias(self, claim: Claim) -> bool:
        """Returns whether a claim says something else about an alias than what it stands for, as x_2 = ẋ_1."""
        key = claim.left.key
        return key in self.alias_claims and self._alias(claim) != self.vocabulary.aliases[key]

    def _alias(self, claim: Claim) -> Meaning | None:
        return alias(claim, self.names, zero_based=self.vocabulary.zero_based, primes=self.vocabulary.primes)

    def _name_entries(self, claim: Claim) -> None:
        """Finds the entries ω_1, ω_2 … of a column to which a claim gives another name, as ω = q̇ does."""
        signs = claim.signs
        for k, meaning in enumerate(_state(signs, self.names), 1):
            self.vocabulary.aliases.setdefault(f"{claim.left.key}{k}", meaning)
        if claim.shape or len(signs) != 1 or signs[0].kind != "word" or claim.left.indices:
            return
        column = self.names.vector(word_of(signs[0]), dots_of(signs[0]))
        if column is None or column.name not in MOTIONS:
            return
        for k, coordinate in enumerate(self.names.ring.coordinates, 1):
            key, meaning = f"{claim.left.key}{k}", Meaning(column.name, coordinate)
            names = [(key, meaning), *derivatives_of(key, meaning)]
            readings = {name: self.names.readings(name) for name, _ in names}
            self.vocabulary.aliases.update({name: each for name, each in names if readings[name] in ([], [each])})

    def find_own_names(self, claims: Sequence[Claim]) -> None:
        """Finds the names that the answer defines, which have precedence over the names of quantities."""
        for claim in claims:
            left, of_matrix = claim.left, is_array(claim)
            readings = self.names.readings(left.text)
            may_be_cosine = not of_matrix and claim.words[:1] not in ([name] for name in FILLED)  # a matrix C2 is none
            is_known = any(may_be_cosine or each.kind != "cosines" for each in readings)
            if left.key in FUNCTIONS or self._is_torque(claim):  # such as sin² = (1 − cos 2a)/2
                continue
            if left.key in self.alias_claims or left.key in self.renamed:
                continue
            if left.key in self.names.symbols and (left.arguments or of_matrix):
                self.defined[f"{left.key}()"] = claim  # g(q) = […] beside the symbol g, which it may contain
                continue
            if uses_symbol(claim, self.names.symbols):
                continue
            is_empty = names_itself(claim) or says_symmetry(claim)
            if (is_sure(left) and is_known) or is_empty or left.key in self.names.exact:
                continue
            self.defined[left.key] = claim
            self.vocabulary.squared |= {left.key} if left.squared else set()
            self.vocabulary.arrays |= {left.key} if of_matrix else set()
            self.vocabulary.moving |= {left.key} if is_moving(claim, self.names) else set()
        while undefined := [key for key in ENERGIES if key in self.defined and self._is_law(self.defined[key])]:
            for key in undefined:
                del self.defined[key]
        self.vocabulary.own = {*self.renamed, *self.defined}

    def find_rates(self, balances: Sequence[Balance]) -> None:
        """Finds the rates V̇_1 = (…) that an answer defines itself, perhaps otherwise than as derivatives of V_1."""
        for balance in balances:
            left, right = balance.sides
            names = list(names_in_column(left.lexemes, left.written))
            claim = Claim(rate_of(names[0]), (right,), (), balance.where, text=balance.text) if names else None
            if (
                claim
                and len(names) == names[0].dots == 1
                and names[0].key in self.vocabulary.arrays
                and is_array(claim)
            ):
                name = next(text_with_dots(each.data) for each in left.lexemes if each.kind == "word")
                self.defined[name] = claim
                self.rates[balance.where] = name
        self.vocabulary.own = {*self.renamed, *self.defined}

    def _is_law(self, claim: Claim) -> bool:
        """Returns whether an energy is said to be L = K − P or K = Σ K_i, without K and P, or K_i, being defined."""
        if claim.shape or len(claim.leaves) != 1:
            return False
        leaf = claim.leaves[0]
        has_sum = any(lexeme.kind == "sum" for lexeme in leaf.lexemes)
        signs = [lexeme for lexeme in leaf.lexemes if lexeme.kind != "{"]
        raised = {k + 1 for k, lexeme in enumerate(signs) if lexeme.kind == "^"}  # the T of a transpose
        words = [of_first(each.data) for k, each in enumerate(signs) if each.kind == "word" and k not in raised]
        words = [word for word in words if has_sum or word in ENERGIES]  # K = ½ q̇ᵀ M q̇ is a definition
        are_known = all(plain(word) in self.defined or self.names.readings(word) for word in words)
        return (has_sum or is_combination(leaf)) and not are_known

    def _is_torque(self, claim: Claim) -> bool:
        """Returns whether m l² θ̈ + … = u is an equation for the torque u, rather than a definition of the name u."""
        signs = [each for leaf in claim.leaves for each in leaf.lexemes]
        words = [each for each in signs if each.kind == "word"]
        moving = (
            any(dots_of(word) == 2 for word in words)
            or any(a.kind == b.kind == "'" for a, b in pairwise(signs))  # x''
            or any(each.kind == "acceleration" for name in claim.words for each in self.names.readings(name))  # xdd
        )
        is_drive = self.names.drive(claim.left.key) is not None and not claim.left.indices
        return is_drive and not claim.shape and moving

    def find_lowered(self, leaves: Iterable[Leaf]) -> None:
        """Finds the symbols without digits that are written with a subscript somewhere, as m_r is."""
        words = {word for leaf in leaves for word in leaf.words}
        low = {plain(word) for word in words if "_" in word}
        self.vocabulary.lowered = {name for name in low if name.isalpha() and name in self.names.plain_symbols}

    def without_foreign(self, claims: Sequence[Claim]) -> list[Claim]:
        """Returns the claims without definitions of the arm's own symbols by names that it lacks, as m_r = J_b/R²."""
        foreign = [claim for claim in claims if self.defined.get(claim.left.key) is claim and self._is_foreign(claim)]
        for claim in foreign:
            del self.defined[claim.left.key]
            text, where = claim.text[:60], claim.where
            self.vocabulary.notes.add(say("reading-symbol-left-out", text=text, where=where, symbol=claim.left.key))
        self.vocabulary.own = {*self.renamed, *self.defined}
        return [claim for claim in claims if claim not in foreign]

    def _is_foreign(self, claim: Claim) -> bool:
        if claim.left.key not in self.names.plain_symbols or claim.shape or is_sure(claim.left):
            return False
        names = claim.words
        meanings = (self.names.readings(name) or plain(name) in self.vocabulary.own for name in names)
        return bool(names) and not any(meanings) and not any(is_run(name, self.names) for name in names)


def _state(signs: Sequence[Lexeme], names: ArmNames) -> list[Meaning]:
    """Returns the meanings of the names in a state, (r, ṙ, θ, θ̇), or nothing if the lexemes are anything else."""
    end = next((k for k, lexeme in enumerate(signs) if lexeme.kind == ")"), 0)
    words = [lexeme for lexeme in signs[1:end] if lexeme.kind == "word"]
    is_row = bool(signs) and signs[0].kind == "(" and all(each.kind in ("word", ",") for each in signs[1:end])
    if (
        not is_row
        or len(words) < 2
        or any(each.kind not in RAISED for each in signs[end + 1 :] if word_of(each) != "T")
    ):
        return []
    pairs = [(names.coordinate(word_of(word)), dots_of(word)) for word in words]
    is_state = all(name and dots < len(MOTIONS) for name, dots in pairs)
    return [Meaning(MOTIONS[dots], name) for name, dots in pairs if name] if is_state else []


def _has_zero_index(leaf: Leaf) -> bool:
    """Returns whether an expression has an index such as q[0]."""
    kinds = [(lexeme.kind, lexeme.data) for lexeme in leaf.lexemes]
    following = zip(kinds, kinds[1:], kinds[2:], strict=False)
    return any((a[0], b[0], *c) == ("word", "[", "number", 0) for a, b, c in following)
