"""Equations in a JSON file: the model's robot file and the exact terms, checked when they are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from qddot.dynamics.derivation import Derivation
from qddot.equations.equations import EquationsOfMotion
from qddot.equations.routes import ROUTES
from qddot.errors import FormatError, QddotError, shortened
from qddot.formats import robot_file
from qddot.numbers.exact import Polynomial, Ring, Term

FORMAT = "qddot equations of motion"
VERSION = 1
LARGEST_EXPONENT = 1_000


def save(eq: EquationsOfMotion, path: Path) -> None:
    """Write M, Γ and G of the bodies with their model; the rest follows from them."""
    found = eq._found
    content = {
        "format": FORMAT,
        "version": VERSION,
        "route": eq.route,
        "hash": eq.model.hash(),
        "model": robot_file.to_mapping(eq.model),
        "generators": list(eq.ring.index),
        "M": _stored(eq.ring, found.M),
        "christoffel": _stored(eq.ring, found.christoffel),
        "G": _stored(eq.ring, found.G),
    }
    try:
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror}", where=str(path)) from None


def load(path: Path) -> EquationsOfMotion:
    """Read what `save` wrote."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise FormatError(f"no JSON: {shortened(str(error))}", where=str(path)) from None
    try:
        return _equations(content)
    except QddotError as error:
        raise error.at(str(path)) from None
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError) as error:
        raise FormatError(f"damaged: {shortened(repr(error))}", where=str(path), expected=FORMAT) from None


def _equations(content: Any) -> EquationsOfMotion:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FormatError("not a file of equations", expected=FORMAT)
    if content.get("version") != VERSION:
        raise FormatError(f"version {shortened(content.get('version'))}", expected=str(VERSION))
    model = robot_file.from_mapping(content["model"], "model")
    ring = Ring.of(model)
    if content["generators"] != list(ring.index) or content["route"] not in ROUTES:
        raise FormatError("the terms do not belong to the model", expected="an unchanged file")
    n = model.n
    found = Derivation(
        M=_matrix(ring, content["M"], n),
        christoffel=_list([_matrix(ring, plane, n) for plane in content["christoffel"]], n),
        G=_list([_polynomial(ring, entry) for entry in content["G"]], n),
    )
    return EquationsOfMotion(model, content["route"], ring, found)


def _stored(ring: Ring, nested: Any) -> Any:
    """Nested lists of terms: [coefficient, generator, exponent, generator, exponent …]."""
    if isinstance(nested, list):
        return [_stored(ring, part) for part in nested]
    return list(_stored_terms(ring.convert(nested)))


def _stored_terms(polynomial: Polynomial) -> Iterator[list[Any]]:
    for exponents, c in polynomial.terms():
        yield [str(c), *(part for k, e in enumerate(exponents) if e for part in (k, e))]


def _matrix(ring: Ring, rows: Any, n: int) -> Any:
    return _list([_list([_polynomial(ring, entry) for entry in row], n) for row in rows], n)


def _list(entries: list[Any], n: int) -> list[Any]:
    if len(entries) != n:
        raise FormatError(f"{len(entries)} entries", expected=str(n))
    return entries


def _polynomial(ring: Ring, terms: Any) -> Polynomial:
    return ring.from_terms(_term(len(ring.generators), term) for term in terms)


def _term(size: int, stored: Any) -> Term:
    exponents = [0] * size
    for k, e in zip(stored[1::2], stored[2::2], strict=True):
        if not 0 < e <= LARGEST_EXPONENT or not 0 <= k < size:
            raise ValueError(f"generator {k} to the power {e}")
        exponents[k] = e
    return tuple(exponents), Fraction(stored[0])
