"""Defines the relations that replace squares of a ring's variables: sines, roots and scalars of quaternions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flint import fmpq_mpoly

from qddot.algebra.numbers.polynomials.generators import SCALAR, Generator, is_sine, key_of

LONG = 200  # in products with at least as many terms, squares are found by derivatives


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
            elif generator.applied is not None and is_sine(generator.applied):
                cosine = variables[place[key_of(replace(generator.applied, function="cos"))]]
                self.of[k] = variables[k] ** 2 + cosine**2 - 1
            elif generator.kind == "root":
                self.of[k] = variables[k] ** 2 - int(generator.name)
            elif generator.role == SCALAR:
                vector = [variables[place[f"q({generator.name[:-1]}{axis})"]] for axis in "xyz"]  # e_w has e_x …
                self.of[k] = sum((part**2 for part in vector), start=variables[k] ** 2 - 1)

    def reduced(self, poly: fmpq_mpoly, bits: int) -> fmpq_mpoly:
        """Returns the remainder modulo the relations whose bits are set."""
        while bits and poly:
            low = bits & -bits
            poly = divmod(poly, self.of[low.bit_length() - 1])[1]
            bits ^= low
        return poly

    def product(self, a: fmpq_mpoly, b: fmpq_mpoly, bits: int) -> fmpq_mpoly:
        """Returns the remainder of a · b modulo the relations whose bits are set; a and b are normal forms.

        Few terms of a long product have squares. Those of s are s² ∂a/∂s ∂b/∂s, since a and b are linear in s.
        """
        product = a * b
        if len(product) < LONG:
            return self.reduced(product, bits)
        multiples: Any = None
        while bits:
            low = bits & -bits
            k = low.bit_length() - 1
            square = a.derivative(k) * b.derivative(k)
            if multiples is not None:
                square = square - multiples.derivative(k).derivative(k) / 2
            if square:
                multiple = square * self.of[k]
                multiples = multiple if multiples is None else multiples + multiple
            bits ^= low
        return product if multiples is None else product - multiples
