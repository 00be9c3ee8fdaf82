"""Finds the meanings of an answer's other names: th = q(1) is a coordinate, and τ_g is G or −G by the answer's law."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from qddot.teach.check.reading.grammar.operators import DERIVATIVES, may_begin, operator
from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.letters import is_sure
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.statements.claims import Balance, Claim, Leaf
from qddot.teach.check.reading.syntax import MOTIONS, Meaning


def with_sign(claim: Claim, balances: Sequence[Balance], claims: Sequence[Claim]) -> Claim:
    """Returns a claim about τ_g as G or −G, by its sign in the answer's general law, as in M q̈ + C q̇ = τ_g + B u."""
    if claim.left.head != "taug":
        return claim
    sides = [side for balance in balances for side in balance.sides]
    sides += [leaf for other in claims if other.left.head != "taug" for leaf in other.leaves]
    beside = [side for side in sides if "taug" in names_in(side)]
    if not beside:
        return claim
    together = any(unit.dots == 2 for side in beside for x in side.lexemes if x.kind == "word" for unit in x.data)
    return claim._replace(left=claim.left._replace(head="G" if together else "minusG"))


def _derived(signs: Sequence[Lexeme], names: ArmNames) -> Meaning | None:
    """Returns the rate or the acceleration that dx/dt or der(theta) means."""
    derivative = operator(signs) if signs and may_begin(signs[0]) else None
    words = [each for each in signs if each.kind == "word"]
    if derivative and derivative.length == len(signs) and len(derivative.of) == 1:
        of, times = derivative.of[0], [word_of(each) for each in derivative.variables]
    elif (
        len(words) > 1 and word_of(words[0]) in DERIVATIVES and {each.kind for each in signs} <= {"word", "(", ")", ","}
    ):
        of, times = words[1], [word_of(each) for each in words[2:]] or ["t"]
    else:
        return None
    coordinate = names.coordinate(word_of(of))
    if coordinate is None or dots_of(of) > 0 or set(times) != {"t"} or len(times) >= len(MOTIONS):
        return None
    return Meaning(MOTIONS[len(times)], coordinate)


def alias(claim: Claim, names: ArmNames, *, zero_based: bool, primes: bool) -> Meaning | None:
    """Returns the coordinate, rate or acceleration to which a claim gives another name, as in th = q(1) and u_1 = q_1'.

    primes: whether a prime is a time derivative
    """
    words = [
        lexeme for leaf in claim.leaves for lexeme in leaf.lexemes if lexeme.kind not in ("newline", "(", ")", "[", "]")
    ]
    signs = claim.signs
    if not claim.shape and not _is_sure(claim.left) and (derived := _derived(signs, names)):
        return derived
    if primes and (raised := _primed(claim, names)):
        return raised
    if claim.shape or _is_sure(claim.left) or not words or words[0].kind != "word" or len(words) > 2:
        return None
    if any(lexeme.kind not in ("word", "number") for lexeme in words) or (len(words) == 2 and words[1].kind == "word"):
        return None
    dots = dots_of(words[0])
    number = words[1].data + zero_based if len(words) == 2 else ""
    name = f"{word_of(words[0])}{number}"
    coordinate = names.coordinate(name)
    if dots:
        return Meaning(MOTIONS[dots], coordinate) if coordinate and dots < len(MOTIONS) else None
    readings = names.readings(name)
    return readings[0] if len(readings) == 1 and readings[0].kind in MOTIONS else None


def _primed(claim: Claim, names: ArmNames) -> Meaning | None:
    """Returns the rate or the acceleration that a coordinate with one or two primes means, if a claim is only that."""
    signs, primes = claim.signs, len(claim.signs) - 1
    if claim.shape or _is_sure(claim.left) or not 0 < primes < len(MOTIONS) or dots_of(signs[0]):
        return None
    name = names.coordinate(word_of(signs[0])) if all(each.kind == "'" for each in signs[1:]) else None
    return Meaning(MOTIONS[primes], name) if name else None


def _is_sure(left: Left) -> bool:
    """Returns whether a name is sure to be an entry; u_1 = q̇_1 is a speed, although u_1 may be an energy, too."""
    return is_sure(left) and left.head != "u"


def is_moving(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a claim defines a number by coordinates, as φ2 = q1 + q2 and x = l sin(q1)."""
    signs = [each for leaf in claim.leaves for each in leaf.lexemes]
    if claim.shape or any(each.kind in ("[", "begin") for each in signs):
        return False
    kinds = [[one.kind for one in names.readings(word_of(each))] for each in signs if each.kind == "word"]
    return any(kind in (["coordinate"], ["cosines"]) for kind in kinds)


def drives(claims: Sequence[Claim], names: ArmNames) -> dict[str, Meaning]:
    """Returns the answer's own names for torques or forces of joints, from claims such as u_x = τ_1 or from words."""
    named = {claim.left.key: meaning for claim in claims if (meaning := _drive(claim, names))}
    return {name: meaning for name, meaning in names.stated.items() if meaning.kind == "drive"} | named


def with_torques(claims: Sequence[Claim], meanings: Mapping[str, Meaning], names: ArmNames) -> list[Claim]:
    """Returns the claims with τ_k in place of other names for the torque of joint k, without u_x = τ_k itself."""
    joints = {key: names.ring.coordinates.index(meaning.name) + 1 for key, meaning in meanings.items()}
    renamed = []
    for claim in claims:
        if joint := joints.get(claim.left.key):
            left = claim.left._replace(key=f"tau{joint}", head="tau", indices=(joint,))
            renamed += [] if _drive(claim, names) else [claim._replace(left=left)]
        else:
            renamed.append(claim)
    return renamed


def _drive(claim: Claim, names: ArmNames) -> Meaning | None:
    """Returns the torque or force to which a claim gives another name."""
    signs = claim.signs
    if claim.shape or claim.left.cell or is_sure(claim.left) or len(signs) != 1:
        return None
    return names.drive(word_of(signs[0])) if signs[0].kind == "word" else None


def uses_symbol(claim: Claim, symbols: Collection[str]) -> bool:
    """Returns whether a formula has the arm's symbol of its name, as g_2 = g1 c2 + g2 s23 has the constant g2."""
    return claim.left.key in symbols and claim.left.key in map(plain, claim.words)


def names_in(leaf: Leaf) -> Iterator[str]:
    """Returns the names in an expression."""
    return map(plain, leaf.words)
