"""Writes names as identifiers of programming languages, in which they stay different."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

GREEK = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"}
    | {"nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"}
    | {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"}
)

MATLAB_WORDS = frozenset(
    {"break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function", "global", "if"}
    | {"otherwise", "parfor", "persistent", "return", "spmd", "switch", "try", "while"}
)
MATLAB_READS = 63  # letters of a name
LONGEST = 55  # letters of a name in MATLAB before anything is appended to keep it apart


def distinct(
    names: Sequence[str], spelled: Callable[[str], str], is_taken: Callable[[str], object] = lambda _: False
) -> list[str]:
    """Returns an identifier for each name, all different; underscores are appended where it is taken.

    Names that a language may write as they are have precedence, the first of equal ones.
    spelled: returns the name in letters of the language; names that it reads as one have one spelling
    is_taken: whether the language or the code uses a name
    """
    plain = [spelled(name) for name in names]
    identifiers: dict[int, str] = {}
    in_use: set[str] = set()
    for k in sorted(range(len(names)), key=lambda k: plain[k] != names[k]):
        identifier = plain[k]
        while identifier in in_use or is_taken(identifier):
            identifier += "_"
        in_use.add(identifier)
        identifiers[k] = identifier
    return [identifiers[k] for k in range(len(names))]


def compatible(name: str) -> str:
    """Returns the form to which Python brings an identifier before it compares it: 𝒒 is q, and µ is μ (NFKC)."""
    return unicodedata.normalize("NFKC", name)


def latin(name: str) -> str:
    """Returns a name in letters that every compiler takes: theta1 for θ1, and codes such as u8D28 for others."""
    plain = spelled(compatible(name))
    return "".join(letter if letter.isascii() else f"u{ord(letter):04X}" for letter in plain)


def in_matlab(name: str) -> str:
    """Returns a name as MATLAB takes it: Latin letters, of which the first is no underscore, and not too many."""
    plain = latin(name)[:LONGEST]
    return plain if plain[0].isalpha() else f"x{plain}"


def spelled(name: str) -> str:
    """Returns theta1 for θ1, so that both ways to type a letter give the same name."""
    return "".join(map(_spelled_letter, name))


def _spelled_letter(letter: str) -> str:
    if letter.isascii():
        return letter
    words = unicodedata.name(letter, "").split()
    if words[:1] != ["GREEK"] or words[-2:-1] != ["LETTER"]:
        return letter
    word = words[-1].lower().replace("lamda", "lambda")
    word = word.capitalize() if words[1] == "CAPITAL" else word
    return word if word in GREEK else letter
