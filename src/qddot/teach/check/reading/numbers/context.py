"""Holds what the format and the words of an answer say about its formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qddot.teach.check.reading.dialects.formats import NOTES, Format
from qddot.teach.check.reading.names.stated_values import StatedValue
from qddot.teach.check.reading.numbers.worked_states import WorkedState
from qddot.teach.check.reading.syntax import Meaning


class Context(NamedTuple):
    """This is what is known of an answer before its formulas are read.

    has_functions_of_degrees: whether it has cosd and sind, and no cos and sin
    names: the meanings of names that words give; values: the values of symbols that words or a table give
    states: the worked states that tables give; the last one may be empty
    driven: the joint at which the only torque acts, if words say so
    at_rest: whether words say that the arm is held still; is_slow: whether they leave out velocity terms
    """

    format: Format = NOTES
    has_functions_of_degrees: bool = False
    names: Mapping[str, Meaning] = {}
    values: Mapping[str, StatedValue] = {}
    states: tuple[WorkedState, ...] = ()
    driven: int | None = None
    at_rest: bool = False
    is_slow: bool = False
