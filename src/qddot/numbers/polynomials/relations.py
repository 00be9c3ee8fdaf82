"""Defines the relations that replace squares of a ring's variables: sines, roots and scalars of quaternions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq_mpoly

from qddot.numbers.polynomials.generators import SCALAR, Generator

LONG = 200  # in products with at least as many terms, squares are found by two derivatives


class Relations:
    """These are s² + c² − 1, r² − 2, r² − 3 and w² + x² + y² + z² − 1, by the places of s, r and w.

    The first square is the leading term.
    """

    def __init__(self, generators: Sequence[Generator], variables: Sequence[fmpq_mpoly]) -> None:
        self.of: dict[int, fmpq_mpoly] = {}
        place = {generator.key: k for k, generator in enumerate(generators)}
        for k, generator in enumerate(generators):
            if generator.kind == "sin":
                cosine = variables[place["cos" + generator.key[3:]]]
                self.of[k] = variables[k] ** 2 + cosine**2 - 1
            elif generator.kind == "root":
                self.of[k] = variables[k] ** 2 - int(generator.name)
            elif generator.role == SCALAR:
                vector = [variables[place[f"q({generator.name[:-1]}{axis})"]] for axis in "xyz"]  # e_w has e_x …
                self.of[k] = sum((part**2 for part in vector), start=variables[k] ** 2 - 1)
        self._halves = {k: relation / 2 for k, relation in self.of.items()}

    def reduced(self, poly: fmpq_mpoly, bits: int) -> fmpq_mpoly:
        """Returns the remainder modulo the relations whose bits are set."""
        while bits and poly:
            low = bits & -bits
            poly = divmod(poly, self.of[low.bit_length() - 1])[1]
            bits ^= low
        return poly

    def reduced_product(self, poly: fmpq_mpoly, bits: int) -> fmpq_mpoly:
        """Returns the same as `reduced` for a product of normal forms, in which no power exceeds 2.

        Few terms of a long product have squares, and two derivatives find them: p − ½ Σ ∂²p/∂s² (s² + c² − 1).
        """
        if len(poly) < LONG:
            return self.reduced(poly, bits)
        multiples: Any = None
        while bits:
            low = bits & -bits
            k = low.bit_length() - 1
            twice = poly.derivative(k).derivative(k)
            if multiples is not None:
                twice = twice - multiples.derivative(k).derivative(k)
            if twice:
                multiple = twice * self._halves[k]
                multiples = multiple if multiples is None else multiples + multiple
            bits ^= low
        return poly if multiples is None else poly - multiples
