"""Reads and writes the [lagrange] table of a robot file: energies, forces and constraints of a system without links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.identifiers import spelled
from qddot.algebra.expressions.names import TIME, rate_name
from qddot.algebra.expressions.parser import expression, with_functions
from qddot.algebra.expressions.signs import plain
from qddot.base.errors import FormatError, ModelError, did_you_mean, located, shortened
from qddot.base.words.message import Listed, Told, say
from qddot.formats.toml.entries import texts
from qddot.formats.toml.link_table import check_keys, checked_table, text_in
from qddot.robot.bodies import Symbol
from qddot.robot.conditions import Condition, condition
from qddot.robot.lagrangian import Lagrangian, of_particles
from qddot.robot.model import Model
from qddot.robot.of_lagrangian import model_of
from qddot.robot.placements import listed
from qddot.robot.symbol_tables import symbol_table

TABLE = "lagrange"
TOP_KEYS = ("name", "title", "source", "symbols", TABLE)
KEYS = ("q", "angles", "K", "P", "D", "Q", "particles", "constraints")
PARTICLE_KEYS = ("mass", "position")
DOTTED = re.compile("([^\\W\\d]+)\N{COMBINING DOT ABOVE}(\\d*)")  # q̇1
NAME = re.compile(r"[^\W\d]\w*")
KNOWN = {  # symbols that need not be declared
    "g": Symbol("g", expression("9.81"), "m/s^2", "acceleration of free fall"),
    TIME: Symbol(TIME, None, "s", "time"),
}


def read(data: Mapping[str, Any]) -> Model:
    """Returns the system that a file's content describes. raises QddotError: its content is invalid"""
    check_keys(data, TOP_KEYS, say("the-file"))
    table = checked_table(data[TABLE], TABLE)
    check_keys(table, KEYS, TABLE)
    q = _names(table, "q")
    if not q:
        raise FormatError("no-coordinates", where=TABLE)
    symbols = data.get("symbols")
    declared = None if symbols is None else symbol_table(symbols)
    lagrangian = _Reader(q, () if declared is None else declared).lagrangian(table)
    angles = _names(table, "angles")
    for name in angles:
        if name not in q:
            raise FormatError("angle-not-q", where=TABLE, name=name, remedy=did_you_mean(name, q))
    used = lagrangian.symbols() - {*q, "pi"}
    return model_of(
        lagrangian,
        text_in(data, "name") or "system",
        _with_known(dict.fromkeys(sorted(used)) if declared is None else declared, used),
        angles,
        text_in(data, "title"),
        text_in(data, "source"),
    )


def content(model: Model) -> dict[str, Any]:
    """Returns the [lagrange] table of a system."""
    of = model.lagrangian
    assert of is not None, "a model with a Lagrangian"
    own = {"K": of.K, "P": of.P, "D": of.D}
    table: dict[str, Any] = {"q": list(of.coordinates), "angles": list(model.turning_coordinates)}
    table |= {key: texts(part) for key, part in own.items() if part}
    forces = {name: texts(force) for name, force in zip(of.coordinates, of.Q, strict=False) if force}
    table |= {"Q": forces} if forces else {}
    constraints = [str(each.value) for each in of.constraints]
    return {**table, "constraints": constraints} if constraints else table


def _names(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Returns names, which are listed, or in one text."""
    names = table.get(key, ())
    names = names.replace(",", " ").split() if isinstance(names, str) else listed(names, key)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise FormatError("names-not-once", where=TABLE, key=key, names=shortened(names))
    return tuple(normalize("NFC", name) for name in names)


def _with_known(symbols: Mapping[str, Any], used: set[str]) -> Mapping[str, Any]:
    """Returns the symbols, with g and the time as they are known if they are used and not described."""
    return {**symbols, **{name: KNOWN[name] for name in KNOWN if name in used and symbols.get(name) is None}}


class _Reader:
    """A reader turns texts into expressions of some coordinates and their rates."""

    def __init__(self, q: Sequence[str], declared: Iterable[str]) -> None:
        self.q, self.rates = q, [rate_name(name) for name in q]
        self.time = "" if TIME in q else TIME
        self._names = {spelled(name): name for name in (*declared, *q, *self.rates)}

    def expression(self, value: Any, what: str) -> Expression:
        """Returns an expression, or the sum of a list of them.

        raises QddotError: it is not arithmetic, or contains an acceleration
        """
        if isinstance(value, list):
            return Expression.sum(self.expression(part, what) for part in value)
        with located(f"{TABLE}: {what}"):
            text = self._named(value) if isinstance(value, str) else value
            read = with_functions(text, self.q, [*self.rates, self.time])
            for name in sorted(read.symbols()):
                if name in {rate_name(q, 2) for q in self.q}:
                    raise ModelError("acceleration-occurs", name=name)
            return read

    def _named(self, text: str) -> str:
        """Returns a text with names as they are declared: thetad for θ̇ if theta is a coordinate."""
        return NAME.sub(lambda name: self._names.get(spelled(name[0]), name[0]), plain(_without_dots(text)))

    def lagrangian(self, table: Mapping[str, Any]) -> Lagrangian:
        """Returns the energies and forces of a table."""
        if not {"K", "particles"} & set(table):
            raise FormatError("no-kinetic-energy", where=TABLE)
        K, P, D = (self.expression(table.get(key, 0), key) for key in "KPD")
        particles = listed(table.get("particles", ()), "particles")
        moving = of_particles([self._particle(each, k) for k, each in enumerate(particles, 1)], self.q, self.time)
        with located(TABLE):
            Q, constraints = self._forces(table.get("Q", {})), self._constraints(table)
            parts = [K, moving, P, D, *Q, *(each.value for each in constraints)]
            time = self.time if any(self.time in part.symbols() for part in parts) else ""
            return Lagrangian(tuple(self.q), K + moving, P, D, Q, constraints, time)

    def _particle(self, value: Any, number: int) -> tuple[Expression, list[Expression]]:
        """Returns the mass and the position of a particle, which is a table or a pair."""
        particle = say("the-particle", number=number)
        if not isinstance(value, Mapping):
            if len(listed(value, particle)) != 2:
                raise FormatError("particle-wrong", where=TABLE, place=particle, value=shortened(value))
            value = dict(zip(PARTICLE_KEYS, value, strict=True))
        check_keys(value, PARTICLE_KEYS, particle)
        if missing := [key for key in PARTICLE_KEYS if key not in value]:
            raise FormatError("particle-lacks", where=TABLE, place=particle, missing=missing[0])
        position = listed(value["position"], say("the-position-of", number=number))
        entries = [self.expression(x, Told(say("position-of-particle", number=number))) for x in position]
        for entry in entries:
            if moving := sorted(entry.symbols() & set(self.rates)):
                raise ModelError("position-contains-rate", place=particle, moving=moving[0])
        return self.expression(value["mass"], Told(say("mass-of-particle", number=number))), entries

    def _forces(self, forces: Any) -> tuple[Expression, ...]:
        """Returns a force for each coordinate, from a list or a mapping by coordinates; none if all are zero."""
        if not isinstance(forces, Mapping):
            if len(listed(forces, "Q")) not in (0, len(self.q)):
                raise FormatError("forces-count", count=len(forces), names=Listed(self.q))
            forces = dict(zip(self.q, forces, strict=False))
        for name in forces:
            if name not in self.q:
                raise FormatError("force-of-unknown", name=shortened(name), remedy=did_you_mean(str(name), self.q))
        Q = tuple(self.expression(forces.get(name, 0), Told(say("force-of-coordinate", name=name))) for name in self.q)
        return Q if any(Q) else ()

    def _constraints(self, table: Mapping[str, Any]) -> tuple[Condition, ...]:
        """Returns the constraints of a table: expressions that are zero, or equations."""
        texts = table.get("constraints", ())
        texts = (texts,) if isinstance(texts, str) else listed(texts, "constraints")
        return tuple(self._condition(text, k) for k, text in enumerate(texts, 1))

    def _condition(self, text: Any, number: int) -> Condition:
        name = f"constraint{number}"
        sides = text.split("=") if isinstance(text, str) else [text]
        if len(sides) > 2:
            raise FormatError("constraint-not-equation", where=name, text=shortened(text))
        left, right = self.expression(sides[0], name), self.expression(sides[-1] if len(sides) > 1 else 0, name)
        return condition(name, left - right, self.q)


def _without_dots(text: str) -> str:
    """Returns a text with the names of rates in place of letters with dots above, as in q̇1 or θ̇."""
    if text.isascii():
        return text

    def undotted(found: re.Match[str]) -> str:
        return rate_name(found[1] + found[2])

    letters = (normalize("NFD", letter) for letter in text)
    apart = "".join(pair if "\N{COMBINING DOT ABOVE}" in pair else normalize("NFC", pair) for pair in letters)
    return normalize("NFC", DOTTED.sub(undotted, apart))
