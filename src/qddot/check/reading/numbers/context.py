"""Holds what the format and the words of an answer say about its formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qddot.check.reading.names.stated_values import Stated
from qddot.check.reading.numbers.worked_states import WorkedState
from qddot.check.reading.syntax import Meaning


class Context(NamedTuple):
    """This is what is known of an answer before its formulas are read.

    zero_based: whether indices in square brackets count from 0, as in Python
    primes: whether a prime after a name is a time derivative, rather than MATLAB's transposition
    is_code: whether it is a program, whose cosines take radians
    has_functions_of_degrees: whether it has cosd and sind, and no cos and sin
    names: the meanings of names that words give; values: the values of symbols that words or a table give
    states: the worked states that words give, at least one, which may be empty
    driven: the joint at which the only torque acts, if words say so
    at_rest: whether words say that the arm is held still
    """

    zero_based: bool = False
    primes: bool = True
    is_code: bool = False
    has_functions_of_degrees: bool = False
    names: Mapping[str, Meaning] = {}
    values: Mapping[str, Stated] = {}
    states: tuple[WorkedState, ...] = ()
    driven: int | None = None
    at_rest: bool = False
