"""Substitutes polynomials for the sines and cosines of an entry, state by state.

An entry has thousands of terms, but only a few dozen states; the image of a state is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.forms.textbook.rewriting.squares import without_squares
from qddot.exact.forms.textbook.rewriting.states import Grouped, State, States

Image = dict[State, int | Fraction]  # numeric coefficients by state


class StateSubstitution:
    """This is a linear map from groups of terms to groups in normal form, where sin² is written as 1 − cos²."""

    def __init__(self, states: States, images: Mapping[str, Polynomial]) -> None:
        """images: polynomials in the state with numeric coefficients, by the generators that they replace"""
        self._images = {states.index[key]: _numbers(states, image) for key, image in images.items()}
        names = states.ring.turning
        self._squares = [(states.index[f"sin({name})"], states.index[f"cos({name})"]) for name in names]
        self._cache: dict[State, Image] = {}

    def __call__(self, group: Grouped) -> Grouped:
        total: Grouped = {}
        for state, value in group.items():
            for new, times in self._image(state).items():
                part = value if times == 1 else value * times
                total[new] = total[new] + part if new in total else part
        return {state: total[state] for state in sorted(total, reverse=True) if total[state]}

    def _image(self, state: State) -> Image:
        if state not in self._cache:
            rest = tuple(0 if k in self._images else exponent for k, exponent in enumerate(state))
            image: Image = {rest: 1}
            for k, factor in self._images.items():
                for _ in range(state[k]):
                    image = self._normal(_product(image, factor))
            self._cache[state] = image
        return self._cache[state]

    def _normal(self, image: Image) -> Image:
        for s, c in self._squares:
            if any(state[s] > 1 for state in image):
                lower: Image = {}
                for state, times in image.items():
                    for new, factor in without_squares(state, s, c):
                        lower[new] = lower.get(new, 0) + times * factor
                image = lower
        return {state: times for state, times in image.items() if times}


def _numbers(states: States, image: Polynomial) -> Image:
    """Returns the coefficients of a polynomial with numeric coefficients by state; whole numbers are ints."""
    numbers: Image = {}
    for state, coefficient in states.grouped(image).items():
        ((_, number),) = coefficient.polynomial.terms()
        numbers[state] = number.numerator if number.denominator == 1 else number
    return numbers


def _product(one: Image, other: Image) -> Image:
    product: Image = {}
    for a, x in one.items():
        for b, y in other.items():
            state = tuple(map(int.__add__, a, b))
            product[state] = product.get(state, 0) + x * y
    return product
